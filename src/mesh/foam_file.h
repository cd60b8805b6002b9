/* foam_file.h: reads the files of OpenFOAM's polyMesh folder, in text or binary, compressed or not; private to
 * foam.c. */
#ifndef POISE_FOAM_FILE_H
#define POISE_FOAM_FILE_H
#include "base/names.h"
#include "base/text.h"

struct foam_patch { char name[NAME_LENGTH], type[NAME_LENGTH], neighbour[NAME_LENGTH]; int64_t first, n; };
struct foam {
    double *point;              /* [3 n_points] */
    int64_t *face_start, *face; /* [n_faces + 1], and the vertices of each */
    int64_t *owner, *neighbour; /* [n_faces], [n_internal]: cells */
    struct foam_patch *patch;
    int64_t n_points, n_faces, n_internal, n_cells;
    int n_patches;
};

/* Reads the five files of the folder and checks the range of all numbers.  False with file, line, what was found and
 * what was expected.  Call foam_free() in either case. */
bool foam_load(struct foam *m, const char *folder, struct error *e);
void foam_free(struct foam *m);
#endif

/* index.h: the file that lists a series of fields for other programs, NAME.xdmf or NAME.vtkhdf; private to src/io.
 * Either is small, points at mesh.h5 and fields/NNNNNN.h5 beside it, and is written anew, whole, at every step. */
#ifndef POISE_INDEX_H
#define POISE_INDEX_H
#include "base/names.h"
#include "io/facets.h"
#include "io/output.h"

struct step {
    int64_t step;
    double time;
    int n_fields;
    struct { char name[NAME_LENGTH]; int components; } field[MOST_OUTPUT_FIELDS];      /* components on disk: 1 or 3 */
};
struct index { const char *name; const struct topology *shape; const struct step *step; int n_steps; };

/* False as file_replace(): what stood there stays. */
bool xdmf_write(const struct index *x, const char *path, struct error *e);
/* VTK's own format, version 2.0 (docs.vtk.org, "VTKHDF File Format"): one unstructured grid in time, on a mesh that
 * stays.  Its arrays are virtual: HDF5 reads them from the files beside it.  A field that a step lacks is NaN there. */
bool vtkhdf_write(const struct index *x, const char *path, struct error *e);
#endif

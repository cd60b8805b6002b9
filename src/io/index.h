/* index.h: the index file of a series for other programs, NAME.xdmf or NAME.vtkhdf; private to src/io.  Either is
 * small, refers to mesh.h5 and fields/NNNNNN.h5, and is rewritten completely at every step. */
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

/* False as file_replace(): the old file remains. */
bool xdmf_write(const struct index *x, const char *path, struct error *e);
/* VTK's own format, version 2.0 (docs.vtk.org, "VTKHDF File Format"): one unstructured grid with a time series on a
 * static mesh.  Its arrays are virtual: HDF5 reads them from the other files.  A field missing in a step is NaN
 * there. */
bool vtkhdf_write(const struct index *x, const char *path, struct error *e);
#endif

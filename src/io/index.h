/* index.h: the index file of a series for other programs, NAME.xdmf or NAME.vtkhdf; private to src/io.  Either is
 * small, refers to mesh.h5 and fields/NNNNNN.h5, and is rewritten completely at every step. */
#ifndef POISE_INDEX_H
#define POISE_INDEX_H
#include "io/facets.h"
#include "io/series.h"

struct index { const char *name; const struct topology *shape; const struct written_step *step; int n_steps; };

/* False as from file_replace(): the old file remains. */
bool xdmf_write(const struct index *x, const char *path, struct error *e);
/* VTK's own format, version 2.0 (docs.vtk.org, "VTKHDF File Format"): one unstructured grid with a time series on a
 * static mesh.  Its arrays are virtual: HDF5 reads them from the other files.  A field missing in a step is NaN
 * there. */
bool vtkhdf_write(const struct index *x, const char *path, struct error *e);
#endif

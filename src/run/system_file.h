/* system_file.h: an equation of a run as a file, to try linear solvers on: poise run --write-pressure,
 * --write-momentum, --write-coupled. */
#ifndef POISE_SYSTEM_FILE_H
#define POISE_SYSTEM_FILE_H
#include "flow/flow.h"
#include "mesh/mesh.h"

/* Writes matrix, right-hand side [block pitch] and cell centres, rows in the solver's order, as `poise solve` reads
 * them.  unit: what the last unknown of each row is counted in; in the file it is 1.  name: where they are from, for
 * the file.  False with a message: the file cannot be written, or no solver would take the matrix. */
bool system_file_write(const struct matrix *a, const double *rhs, double unit, const char *name,
                       const struct mesh *m, const char *path, struct error *e);
#endif

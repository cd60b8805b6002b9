/* system_file.h: writes an equation of a run to a file, for tests of linear solvers: poise run --write-pressure,
 * --write-momentum, --write-coupled. */
#ifndef POISE_SYSTEM_FILE_H
#define POISE_SYSTEM_FILE_H
#include "flow/flow.h"
#include "mesh/mesh.h"

/* Writes matrix, right-hand side [block pitch] and cell centres, rows in the solver's order, in the format of `poise
 * solve`.  unit: the unit of the last unknown of each row; in the file it is 1.  name: their origin, for the file.
 * False with a message: the file cannot be written, or no solver would accept the matrix. */
bool system_file_write(const struct matrix *a, const double *rhs, double unit, const char *name,
                       const struct mesh *m, const char *path, struct error *e);
#endif

/* pressure_system.h: the pressure equation of a run as a file, to try linear solvers on: poise run --write-pressure. */
#ifndef POISE_PRESSURE_SYSTEM_H
#define POISE_PRESSURE_SYSTEM_H
#include "flow/flow.h"
#include "mesh/mesh.h"

/* Writes matrix, right-hand side and cell centres, rows in the solver's order, as `poise solve` reads them.
 * f->pressure is the pressure equation, rhs [n_padded] its right-hand side, both on the machine: see
 * simple_assemble_pressure().  name: where they are from, for the file. */
bool pressure_system_write(const struct flow *f, const double *rhs, const char *name, const struct mesh *m,
                           const char *path, struct error *e);
#endif

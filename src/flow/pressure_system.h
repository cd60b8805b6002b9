/* pressure_system.h: the pressure equation of a run as a file, to try linear solvers on: poise run --write-pressure. */
#ifndef POISE_PRESSURE_SYSTEM_H
#define POISE_PRESSURE_SYSTEM_H
#include "flow/simple.h"
#include "mesh/mesh.h"

/* Matrix, right-hand side and cell centres, rows in the solver's order, as `poise solve` reads them: the system for p' of
 * the iteration that would come next, whose momentum is solved for it.  Only for the end of a run: f is between two
 * iterations then. */
bool pressure_system_write(struct simple *f, const struct mesh *m, const char *path, struct error *e);
#endif

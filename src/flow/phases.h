/* phases.h: the two fluids' regions as deflation vectors of the pressure's solver (Tang & Vuik 2007; Gupta, van
 * Gijzen & Vuik 2011): with solver.pressure.deflation = "level-set" or "level-set-blocks" they follow the bubbles
 * from step to step. */
#ifndef POISE_PHASES_H
#define POISE_PHASES_H
#include "flow/flow.h"

/* Creates f->pressure_solver for the present fractions, [pitch] on the device; false with a message. */
bool phases_create_solver(struct flow *f, const double *fraction, struct error *e);
/* Recomputes the subdomains on the host for these fractions; does nothing without such a deflation.  NULL; or the
 * reason of a failure, valid until the next call: the solver then keeps its previous subdomains. */
const char *phases_follow(struct flow *f, const double *fraction);
#endif

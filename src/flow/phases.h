/* phases.h: the two fluids' regions as deflation vectors of the pressure's solver (Tang & Vuik 2007; Gupta, van
 * Gijzen & Vuik 2011): with solver.pressure.deflation = "level-set" or "level-set-blocks" they follow the bubbles
 * from step to step. */
#ifndef POISE_PHASES_H
#define POISE_PHASES_H
#include "flow/flow.h"

/* Makes f->pressure_solver for the fractions as they are now, [pitch] on the machine; false with a message. */
bool phases_create_solver(struct flow *f, const double *fraction, struct error *e);
/* Makes the subdomains anew, on the host, for these fractions; does nothing without such a deflation.  NULL; or why
 * that could not be done, valid until the next call: the solver then goes on with the subdomains that it had. */
const char *phases_follow(struct flow *f, const double *fraction);
#endif

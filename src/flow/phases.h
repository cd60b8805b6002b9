/* phases.h: the two fluids' regions as deflation vectors of the pressure's solver (Tang & Vuik 2007; Gupta, van Gijzen & Vuik 2011):
 * with solver.pressure.deflation = "level-set" or "level-set-blocks" they follow the bubbles from step to step. */
#ifndef POISE_PHASES_H
#define POISE_PHASES_H
#include "flow/flow.h"

/* f->pressure_solver for the fractions [pitch] that there are now, on the machine; false with a message. */
bool phases_create_solver(struct flow *f, const double *fraction, struct error *e);
/* The subdomains anew for these fractions, on the host; does nothing without such a deflation.  NULL, or why there are none, valid
 * until the next call: the old ones are used on. */
const char *phases_follow(struct flow *f, const double *fraction);
#endif

/* potential.h: the irrotational flow driven by a case's inlets, as the initial field: initial.field = "potential". */
#ifndef POISE_POTENTIAL_H
#define POISE_POTENTIAL_H
#include "flow/flow.h"

/* Projects f->u and the boundary values onto divergence-free fields: u -= grad q and F -= g (q_N - q_P) with the
 * potential q such that the net flux of every cell vanishes; q = 0 at outlets, whatever the pressure there.  From rest
 * that is the potential flow from the inlets to the outlets.  Changes u, flux, the boundaries' velocity, and the values
 * of the pressure's matrix.  Fails if the linear solver of the pressure does. */
bool potential_start(struct flow *f, struct error *e);
/* The same for the flux alone. */
bool potential_start_flux(struct flow *f, struct error *e);
#endif

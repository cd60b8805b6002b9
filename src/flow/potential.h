/* potential.h: the flow without rotation that a case's inlets drive, as the field at the start: initial.field =
 * "potential". */
#ifndef POISE_POTENTIAL_H
#define POISE_POTENTIAL_H
#include "flow/flow.h"

/* Projects f->u and what boundaries impose onto fields free of divergence: with the potential q, u -= grad q and F -=
 * g (q_N - q_P), such that the net flux of every cell vanishes; q = 0 at outlets, whatever the pressure there.
 * From rest that is the potential flow from the inlets to the outlets.  Changes u, flux, the boundaries' velocity, and
 * the values of the pressure's matrix.  Refused: what the linear solver of the pressure refuses. */
bool potential_start(struct flow *f, struct error *e);
#endif

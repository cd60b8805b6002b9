/* heat.h: heat of a flow with a temperature (f->temperature): its balance by scalar_balance.h, and what passes its
 * boundary.  All of them are per unit of time; all ranks call them together. */
#ifndef POISE_HEAT_H
#define POISE_HEAT_H
#include "flow/flow.h"

/* The mesh of the temperature, with solids if there are any; of_flow: that of the flow. */
const struct mesh *heat_mesh(const struct flow *f, const struct mesh *of_flow);
/* The stencil of that mesh. */
const struct stencil *heat_stencil(const struct flow *f);
/* scalar_entered() and scalar_stored() of the temperature. */
const double *heat_inflow(struct flow *f, double reference);
double heat_stored(const struct flow *f);
/* At the boundary faces of that mesh, [n_boundary] on the device, with the values of the last fields_look(): the
 * temperature; the heat that enters by conduction and with the flow, valid until the next call of these functions. */
const double *heat_at_boundary(const struct flow *f);
const double *heat_through_boundary(const struct flow *f);
#endif

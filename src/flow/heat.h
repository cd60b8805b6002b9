/* heat.h: the balance of heat of a flow with a temperature (f->temperature): in steady flow of the present fields, in
 * time of the last step, in which it holds to rounding.  All of them are per unit of time; all ranks call them
 * together. */
#ifndef POISE_HEAT_H
#define POISE_HEAT_H
#include "flow/flow.h"

/* The mesh of the temperature, with solids if there are any; of_flow: that of the flow. */
const struct mesh *heat_mesh(const struct flow *f, const struct mesh *of_flow);
/* The stencil of that mesh. */
const struct stencil *heat_stencil(const struct flow *f);
/* Heat that enters through every boundary face, [n_boundary] of that mesh on the device, valid until the next call.
 * What the flow carries is counted from this temperature; from 0 the sum of all faces is balanced. */
const double *heat_inflow(struct flow *f, double reference);
/* At the boundary faces of that mesh, [n_boundary] on the device, with the values of the last fields_look(): the
 * temperature; the heat that enters by conduction and with the flow, valid until the next call of these functions. */
const double *heat_at_boundary(const struct flow *f);
const double *heat_through_boundary(const struct flow *f);
/* Sizes of its terms, for rounding errors: the largest conductivity, and heat capacity per volume over the step. */
struct heat_scale { double conductivity, storage; };
struct heat_scale heat_scale(const struct flow *f);
/* Heat produced by sources; the increase of the heat in all cells, in steady flow 0. */
double heat_produced(const struct flow *f);
double heat_stored(const struct flow *f);
#endif

/* scalar_balance.h: the balance of a transported quantity, temperature or passive scalar: in steady flow of the present
 * fields, in time of the last step, in which it holds to rounding.  Amounts are those of flow/scalar.h times the unit
 * in which its fluxes are given, so those of a temperature are heat.  All rates are per unit of time; all ranks call
 * these functions together. */
#ifndef POISE_SCALAR_BALANCE_H
#define POISE_SCALAR_BALANCE_H
#include "flow/scalar.h"

/* That of this name, or NULL. */
struct scalar *scalar_of_name(const struct flow *f, const char *name);
/* The amount that enters through every boundary face, [n_boundary] of its mesh on the device, valid until the next
 * call.  What the flow carries is counted from this value of the scalar. */
const double *scalar_entered(struct scalar *q, double reference);
/* The value from which the balance is counted: in time that from which the steps conserve it, so that the flow's own
 * net flux, which is zero only to a tolerance, is not in it; in steady flow the middle of the given values. */
double scalar_reference(const struct scalar *q);
/* Produced by sources; the increase of the amount in all cells, in steady flow 0. */
double scalar_produced(const struct scalar *q);
double scalar_stored(const struct scalar *q);
/* Sizes of its terms, for rounding errors: the largest conductivity, the unit, and capacity per volume over the
 * step. */
struct scalar_scale { double conductivity, capacity, storage; };
struct scalar_scale scalar_scale(const struct scalar *q);
#endif

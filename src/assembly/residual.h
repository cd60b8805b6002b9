/* residual.h: residuals as OpenFOAM's users know them: L1, normalised with the spread about the mean of x,
 *   sum |b - A x| / sum (|A x - A xm| + |b - A xm|),  xm: mean of x, the same in every row
 * but all components of a vector share the largest of their scales, because one that does not move (v in a straight
 * channel) would be judged by its own rounding; and a thousandth of sum |a_P x| (velocity) or of sum |flux| (pressure
 * correction) counts with the scale, because a uniform field has no spread at all.
 * Also the continuity error: what the cells' fluxes do not balance. */
#ifndef POISE_RESIDUAL_H
#define POISE_RESIDUAL_H
#include "assembly/stencil.h"
#include "gpu/sums.h"

struct residual { struct sums sums; int components; };
void residual_create(struct residual *r, const struct stencil *s, int components);
void residual_free(struct residual *r);
/* b_is_rest: b is b - A x already, and x the whole field: the equation of a correction that starts from zero; gross
 * is then the sum of |flux|, else it is not used.  normalised: [components], host; waits. */
void residual_normalised(struct residual *r, const struct matrix *a, const double *x, const double *b, bool b_is_rest,
                         double gross, double *normalised);
/* sum over cells of |net| over *gross, the sum over internal faces of |flux|; 0 where nothing flows.  net: [pitch] net
 * flux of each cell (pressure_rhs() gives it).  Waits. */
double continuity_error(struct residual *r, const struct stencil *s, const double *flux, const double *net, double *gross);
/* The largest magnitude of a vector field u, [dim pitch]; waits. */
double largest_vector(struct residual *r, const struct stencil *s, const double *u);
#endif

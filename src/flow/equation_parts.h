/* equation_parts.h: private to equation_step.c, _time.c and _amount.c: the parts of an equation and their arguments. */
#ifndef POISE_EQUATION_PARTS_H
#define POISE_EQUATION_PARTS_H
#include "assembly/limiter.h"
#include "flow/equation_step.h"

struct face_values equation_at_boundary(const struct equation *q);
/* Sets the rule of faces where it depends on the flux. */
void equation_follow_flux(const struct equation *q, const struct stencil *s);
/* Corrections at internal faces to upwind convection and to two-point diffusion, from x and the present gradient. */
void equation_correct_faces(const struct equation *q, const struct equation_work *k, const double *x);
/* On regular meshes the assembly itself can compute the scheme, where no limiter needs the corrections. */
static inline bool equation_is_limited(const struct equation *q) { return q->bounded || q->within; }
bool equation_scheme_is_assembled(const struct equation *q, const struct stencil *s);
struct limiter_args equation_limiter(const struct equation *q, struct equation_work *k, const double *x,
                                     const double *weight);
/* Adds k->correction, computed from x, to the right-hand side.  limited: so that the solution has no new extremes
 * outside of solids, with this weight, [pitch], and per_volume of struct limiter_args. */
void equation_add_corrections(const struct equation *q, struct equation_work *k, const double *x, const double *weight,
                              double per_volume, bool limited);
/* Without corrections of diffusion. */
static inline bool equation_is_regular(const struct stencil *s) { return s->orthogonal && s->unskewed; }
struct transport equation_transport(const struct equation *q, const struct equation_work *k, double relaxation);
/* Fixes cells with a prescribed value, after everything else has been assembled. */
void equation_fix_cells(const struct equation *q, struct transport *t);
/* equation_amount.c, of scalar_step.h: the extremes that x must keep; low clipped at them, if it is bounded; what x, or
 * w, is missing of the amount spread over the cells; whether that was possible within the bounds: where the midpoint
 * rule or the two stages overshoot them in many cells, there is no room for what has been cut off (waits for the
 * device). */
struct scalar_step_args;
void equation_find_extremes(const struct scalar_step_args *a);
void equation_keep_extremes(const struct scalar_step_args *a);
void equation_conserve(const struct scalar_step_args *a);
bool equation_is_conserved(const struct scalar_step_args *a);
/* About the residual that rounding leaves, a 2-norm over the cells; waits for the device. */
double equation_rounding(const struct equation_work *k);
/* equation_time.c: x at the end of the step, from w at a time within it. */
void equation_advance(const struct equation *q, struct equation_work *k, double dt, bool midpoint);
#endif

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
#include "solve/solver.h"

/* Of a flow: those of the velocity, of one number in each cell, and the continuity error, each in a place of its own,
 * so that they can be made when their time has come and all be read at once. */
struct residual { struct sums sums; int dim; };
enum residual_of { OF_VELOCITY, OF_CELLS };
void residual_create(struct residual *r, const struct stencil *s);
void residual_free(struct residual *r);

/* b_is_rest: b is b - A x already, and x the whole field: the equation of a correction that starts from zero. */
void residual_make(struct residual *r, enum residual_of which, const struct matrix *a, const double *x,
                   const double *b, bool b_is_rest);
/* The continuity error: sum over cells of |net| over the sum over internal faces of |flux|; 0 where nothing flows.
 * net: [pitch] net flux of each cell (pressure_rhs() gives it). */
void continuity_make(struct residual *r, const struct stencil *s, const double *flux, const double *net);

/* What the three have made, OF_CELLS with b_is_rest; normalised: [dim + 1], host.  *gross: the sum of |flux| that
 * belongs to OF_CELLS; then that of the continuity error.  Returns that error; waits. */
double residual_read(struct residual *r, double *gross, double *normalised);

/* Makes and reads one of them; waits.  gross: the sum of |flux|, where b_is_rest. */
void residual_normalised(struct residual *r, enum residual_of which, const struct matrix *a, const double *x,
                         const double *b, bool b_is_rest, double gross, double *normalised);
/* What continuity_make() has made, into `to`, [2] on the machine; then the error from these two, on the host. */
void continuity_finish(struct residual *r, double *to);
double continuity_from(const double *two, double *gross);
double continuity_error(struct residual *r, const struct stencil *s, const double *flux, const double *net,
                        double *gross);
/* The largest magnitude of a vector field u, [dim pitch]; waits. */
double largest_vector(struct residual *r, const struct stencil *s, const double *u);

/* Kernels, private to residual.c and residual.cu. */
#define RESIDUAL_FLOOR 1e-3
struct residual_args {
    struct matrix a;
    int components, b_is_rest;
    const double *x, *b;
    struct sums sums;
    int norms;                  /* sums norms + 2 k and norms + 2 k + 1: residual and scale of component k */
    int means;                  /* sum means + k: of x_k */
    int64_t fold;               /* residual_norms() adds up the latter itself */
};
KERNEL(residual_sums, struct residual_args)             /* of x */
KERNEL(residual_norms, struct residual_args)            /* the others, which need those */

struct continuity_args { struct stencil s; const double *flux, *net; struct sums sums; int64_t first; };
KERNEL(continuity_sums, struct continuity_args)         /* sum first: |net|, first + 1: |flux| */
struct largest_args { struct stencil s; const double *u; struct sums sums; };
KERNEL(largest_squares, struct largest_args)            /* number 0: largest |u|^2 */
#endif

/* bicgstab_kernels.h: the kernels of one BiCGStab iteration (van der Vorst 1992), private to bicgstab.c and .cu.
 *
 * The system is W^-1 A M y = W^-1 b, x = M y.  Jacobi: W = D = diag(A) and M = 1, so that no second copy of p and s is
 * needed; the others: W = 1.  The norms that decide when to stop are those of b - A x.  An iteration is
 *   direction  p = r + beta (p - omega v)        product  v = W^-1 A M p, r0.v       alpha
 *   half       r -= alpha v                      product  t = W^-1 A M r, t.r, t.t   omega
 *   update     x += M (alpha p + omega r), r -= omega t, r0.r, r.r, |W r|^2          beta
 * On a GPU with few slices and M = 1, direction and product are one kernel, and half and product another: each
 * recomputes the vector that it multiplies at neighbours.  So p and v alternate between two arrays, and r - alpha v is
 * not stored: the update recomputes it.  As in cg_kernels.h every slice computes the scalars itself from the sums,
 * slice 0 stores them, and a kernel never writes the state that it reads.  Near a breakdown the iteration restarts with
 * r0 = r; a second restart in a row ends the component unless the one iteration between them has reduced r.  (Pure
 * convection breaks down after every start until information has crossed the domain.) */
#ifndef POISE_BICGSTAB_KERNELS_H
#define POISE_BICGSTAB_KERNELS_H
#include "gpu/sums.h"
#include "solve/solver.h"

enum { BICGSTAB_R0V, BICGSTAB_TR, BICGSTAB_TT, BICGSTAB_RHO, BICGSTAB_RR, BICGSTAB_NORM, BICGSTAB_SUMS };

struct bicgstab_state {         /* of one component */
    double alpha, omega, beta, rho;
    double rr0;                 /* r0.r0 */
    double norm, initial, limit;        /* |b - A x|^2: now, at the start, to be reached */
    double tolerance, absolute;
    int32_t iteration, max_iterations;  /* -1 while the first residual is computed */
    int32_t fresh;              /* it has just started or restarted: p = r0 = r */
    int32_t done;               /* 0, or 1 + enum linear_status */
};
struct bicgstab_states { struct bicgstab_state of[MOST_COMPONENTS]; };

struct bicgstab_args {
    struct matrix a;
    int32_t components;
    int32_t scaled;             /* W = D, else 1 */
    double *x, *r, *r0, *p, *v, *t;     /* component k at [k pitch] */
    double *mp, *mr;            /* M p and M r; where M = 1 these are p and r themselves */
    struct sums sums;           /* sum `which` of component k: number which components + k */
    int32_t fold;               /* every slice adds the partial sums itself; totals are not computed */
    int32_t together;           /* three kernels instead of five: r keeps its value from before `half` */
    const double *p_old, *v_old;        /* together: of the previous iteration */
    struct bicgstab_states *directed, *halved, *updated;
    struct linear_history *history;     /* [max_iterations + 1] of the first component, or NULL */
};
/* y = W^-1 A x; the partial sums of z.y are sum number `first`; those of y.y, if `squares`, the next one.  Does nothing
 * if all components of `state` are done. */
struct bicgstab_product_args {
    struct matrix a;
    int32_t components, first, squares, scaled;
    const double *x, *z;
    double *y;
    struct sums sums;
    const struct bicgstab_states *state;
};
struct bicgstab_begin_args { struct bicgstab_args s; const double *b; };

KERNEL(bicgstab_begin, struct bicgstab_begin_args)      /* r = W^-1 b - v and its sums; all over slices */
KERNEL(bicgstab_direction, struct bicgstab_args)
KERNEL(bicgstab_half, struct bicgstab_args)
KERNEL(bicgstab_direction_product, struct bicgstab_args)        /* both in one kernel */
KERNEL(bicgstab_half_product, struct bicgstab_args)
KERNEL(bicgstab_update, struct bicgstab_args)
KERNEL(bicgstab_product, struct bicgstab_product_args)
KERNEL(bicgstab_products, struct bicgstab_product_args)  /* only z.y and y.y, of one component */

/* For the test that both forms give the same bits. */
void bicgstab_use_form(struct solver *solver, bool together);
#endif

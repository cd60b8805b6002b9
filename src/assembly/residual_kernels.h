/* residual_kernels.h: private to residual.c and residual.cu. */
#ifndef POISE_RESIDUAL_KERNELS_H
#define POISE_RESIDUAL_KERNELS_H
#include "assembly/residual.h"
#include "solve/solver.h"

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

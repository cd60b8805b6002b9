/* residual_kernels.h: private to residual.c and residual.cu. */
#ifndef POISE_RESIDUAL_KERNELS_H
#define POISE_RESIDUAL_KERNELS_H
#include "assembly/residual.h"
#include "solve/solver.h"

#define RESIDUAL_FLOOR 1e-3
/* Sums 2 k and 2 k + 1: residual and scale of component k; RESIDUAL_OF_X + k: of x_k. */
enum { RESIDUAL_OF_X = 2 * MOST_COMPONENTS, RESIDUAL_SUMS = 3 * MOST_COMPONENTS };
struct residual_args {
    struct matrix a;
    int components, b_is_rest;
    const double *x, *b;
    struct sums sums;
};
KERNEL(residual_sums, struct residual_args)             /* of x */
KERNEL(residual_norms, struct residual_args)            /* the others, which need those */

struct continuity_args { struct stencil s; const double *flux, *net; struct sums sums; };
KERNEL(continuity_sums, struct continuity_args)         /* sum 0: |net|, 1: |flux| */
struct largest_args { struct stencil s; const double *u; struct sums sums; };
KERNEL(largest_squares, struct largest_args)            /* number 0: largest |u|^2 */
#endif

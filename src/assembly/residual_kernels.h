/* residual_kernels.h: private to residual.c and residual.cu. */
#ifndef POISE_RESIDUAL_KERNELS_H
#define POISE_RESIDUAL_KERNELS_H
#include "assembly/residual.h"

#define RESIDUAL_FLOOR 1e-3
struct residual_args {
    struct matrix a;
    int components, b_is_rest;
    const double *x, *b, *sum;  /* sum: [components] of x */
    double *partial;            /* [.. n_slices] */
};
KERNEL(residual_sums, struct residual_args)             /* partial[k]: sum of x_k */
KERNEL(residual_norms, struct residual_args)            /* partial[2 k], [2 k + 1]: residual and scale of component k */

struct continuity_args { struct stencil s; const double *flux, *net; double *partial; };
KERNEL(continuity_sums, struct continuity_args)         /* partial[0]: |net|, [1]: |flux| */
struct largest_args { struct stencil s; const double *u; double *partial; };
KERNEL(largest_squares, struct largest_args)            /* partial[0]: largest |u|^2 */
#endif

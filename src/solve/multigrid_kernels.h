/* multigrid_kernels.h: private to multigrid.c and multigrid.cu. */
#ifndef POISE_MULTIGRID_KERNELS_H
#define POISE_MULTIGRID_KERNELS_H
#include "solve/aggregate.h"

struct to_single_args { const double *from; float *to; const double *norm2; };
KERNEL(to_single, struct to_single_args)                /* to = from, over sqrt(norm2) where that is given and not 0 */

struct smooth_args {
    struct level_matrix a;
    const float *b;
    const float *from;          /* guess */
    float *to;
};
KERNEL(smooth_from_zero, struct smooth_args)            /* over slices: to = M b */
KERNEL(smooth, struct smooth_args)                      /* over slices: to = from + M (b - A from) */

struct restrict_args {
    struct level_matrix a;
    const float *b, *x;
    const int32_t *slice_start, *child, *child_start;
    float *coarse_b;            /* sums over the children of b - A x */
};
KERNEL(residual_restrict, struct restrict_args)         /* over slices */

struct prolong_args { const int32_t *parent; const float *coarse_x; float *x; };
KERNEL(prolong, struct prolong_args)                    /* over n: x += coarse_x of the parent */

/* Two steps of conjugate gradients on a coarse level. */
enum { K_XV, K_XB, K_XW, K_SUMS };      /* x.v, x.b, x.w: w the product of the first step */
struct krylov_args {
    struct level_matrix a;
    float *x, *b, *first;       /* first: x of the first step */
    float *w, *v;               /* products of the first and of the second step */
    int32_t second;             /* this is the second step */
    double *partial;            /* [K_SUMS n_slices] */
    const double *total;        /* [2 K_SUMS] of the first, of the second step */
};
KERNEL(krylov_product, struct krylov_args)              /* over slices: (second ? v : w) = A x and sums */
KERNEL(krylov_step, struct krylov_args)                 /* over n_padded: first = x, b -= alpha w */
KERNEL(krylov_combine, struct krylov_args)              /* over n_padded: x = the best of first and x */

struct dense_args {
    struct level_matrix a;
    int32_t singular;
    double *work;               /* [n n] */
    float *inverse;             /* [n n] */
    const float *b;
    float *x;
};
KERNEL(dense_invert, struct dense_args)                 /* over 1 slice */
KERNEL(dense_solve, struct dense_args)                  /* over 1 slice */
enum { DENSE_ROWS = 48 };
#endif

/* multigrid_kernels.h: private to the solvers: the kernels of multigrid, and what conjugate gradients begin a cycle
 * with. */
#ifndef POISE_MULTIGRID_KERNELS_H
#define POISE_MULTIGRID_KERNELS_H
#include "gpu/sums.h"
#include "solve/aggregate.h"

struct to_single_args { const double *from; float *to; };
KERNEL(multigrid_to_single, struct to_single_args)      /* to = from */

struct copy_level_args { struct matrix from; struct level_matrix to; };
KERNEL(multigrid_copy_level, struct copy_level_args)    /* over slices: val, diag, excess; on the same pattern */

/* A right-hand side and its sums over the children of each coarse row. */
struct restrict_args {
    const int32_t *slice_start, *child_start;
    const uint16_t *place;      /* [n_padded] */
    float *b, *coarse_b;        /* coarse_b NULL: there is no coarser level */
};
/* b = r / sqrt(norm2), or r where norm2 is NULL or 0. */
struct begin_args { struct restrict_args to; const double *r, *norm2; };
KERNEL(multigrid_begin, struct begin_args)              /* over slices */
struct end_args { const float *x; const double *norm2; double *z; };
KERNEL(multigrid_end, struct end_args)                  /* z = x sqrt(norm2), or x if norm2 is NULL, 0; over n_padded */
KERNEL(multigrid_restrict, struct restrict_args)        /* over slices: coarse_b from b */

/* How often a smoothing sweeps over a slice. */
enum { FEW_SWEEPS = 4, MOST_SWEEPS = 8 };
struct smooth_args {
    struct level_matrix a;
    const float *b;
    const float *from;          /* the guess; where parent is given, that of the coarse level */
    const int32_t *parent;
    float *to;
    float factor;               /* the guess is this times what the parents have */
    int32_t sweeps;             /* FEW_SWEEPS or MOST_SWEEPS */
};
KERNEL(multigrid_prolong, struct smooth_args)           /* over n_padded: to = factor from[parent] */
KERNEL(multigrid_smooth, struct smooth_args)            /* over slices: to = from + M (b - A from) */
KERNEL(multigrid_smooth_prolonged, struct smooth_args)  /* the same, factor from[parent] being the guess */
KERNEL(multigrid_smooth_few, struct smooth_args)        /* this and the next: the same for levels of few slices */
KERNEL(multigrid_smooth_prolonged_few, struct smooth_args)

/* How many rows are stretched: their third largest entry is under a tenth of the largest one. */
struct stretched_args { struct level_matrix a; struct sums sums; };
KERNEL(multigrid_stretched, struct stretched_args)      /* over slices: sum 0 */

/* Two steps of conjugate gradients on a coarse level. */
enum { K_XV, K_XB, K_XW, K_SUMS };      /* x.v, x.b, x.w: w the product of the first step */
struct krylov_args {
    struct level_matrix a;
    struct restrict_args down;  /* of this level: its b is the right-hand side */
    float *first, *x;           /* solutions of the first and of the second step */
    float *w;                   /* product of the first step */
    int32_t second;             /* this is the second step */
    int32_t unit;               /* W-cycle: steps of length 1 */
    int32_t fold;               /* every slice adds the partial sums itself */
    struct sums sums[2];        /* K_SUMS of the first and of the second step, with the same memory for partial ones */
};
KERNEL(multigrid_krylov_product, struct krylov_args)    /* over slices: w = A first, or with x; and sums */
KERNEL(multigrid_krylov_restrict, struct krylov_args)   /* over slices: b -= alpha w, restricted */
KERNEL(multigrid_krylov_combine, struct krylov_args)    /* over slices: x = the best of first and x */

struct dense_args {
    struct level_matrix a;
    int32_t singular;
    float *inverse;             /* [n n] */
    const float *b;
    float *x;
};
KERNEL(multigrid_dense_invert, struct dense_args)       /* over 1 slice */
enum { DENSE_ROWS = 48 };

/* A whole V-cycle on the levels of one slice and the coarsest one: one launch instead of three a level. */
enum { BOTTOM_LEVELS = 3 };
struct bottom_args {
    int32_t n;                  /* levels above the coarsest */
    struct restrict_args down[BOTTOM_LEVELS];
    struct smooth_args up[BOTTOM_LEVELS], again[BOTTOM_LEVELS];    /* prolonged and smoothed; smoothed, or to NULL */
    struct dense_args dense;
};
KERNEL(multigrid_bottom_cycle, struct bottom_args)      /* over 1 slice */
#endif

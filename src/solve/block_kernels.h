/* block_kernels.h: private to multigrid: its kernels on matrices of blocks of 2 to 5 rows.  Unless another count is
 * named, they are launched over warps of the padded rows. */
#ifndef POISE_BLOCK_KERNELS_H
#define POISE_BLOCK_KERNELS_H
#include "gpu/sums.h"
#include "solve/aggregate.h"
#include "solve/for_block.h"

/* The last unknowns' matrix, as far as its entries join rows: those of the sign that the row's diagonal has not; a
 * diagonal that outweighs them. */
struct block_strength_args { struct matrix from; struct level_matrix to; };
KERNEL(block_strength, struct block_strength_args)

struct block_copy_args { int32_t block; struct matrix from; struct level_matrix to; };
BLOCK_KERNEL(block_copy, struct block_copy_args)        /* val, diag, excess of a level on the same pattern */
struct block_sum_args { int32_t block; struct level_matrix fine, coarse; struct aggregation g; };
ENTRY_KERNEL(block_sum, struct block_sum_args, fine)    /* the same of the next level: sums over children; over
                                                           coarse_padded */
/* inverse = diag^-1; what is no number where there is none; over n_padded. */
struct block_invert_args { int32_t block; const float *diag; float *inverse; };
BLOCK_KERNEL(block_invert, struct block_invert_args)

/* b = r / sqrt(norm2), or r where norm2 is NULL or 0; z = x sqrt(norm2), or x. */
struct block_convert_args {
    int32_t block;
    int64_t pitch;
    const double *norm2, *r;
    float *b;
    const float *x;
    double *z;
};
BLOCK_KERNEL(block_begin, struct block_convert_args)
BLOCK_KERNEL(block_end, struct block_convert_args)

/* coarse_b = sums of b over children; where w is given, b -= length w comes first, length being that of the first step,
 * or 1. */
struct block_restrict_args {
    int32_t block;
    int64_t pitch, coarse_pitch;
    const int32_t *child_start, *child;
    float *b, *coarse_b;
    const float *w;
    const double *sums;         /* of the first step, or NULL */
};
BLOCK_KERNEL(block_restrict, struct block_restrict_args)        /* over coarse_padded */

/* to = from + omega D^-1 (b - A from); from: the coarse level's where parent is given. */
struct block_smooth_args {
    int32_t block;
    struct level_matrix a;
    const float *inverse, *b, *from;
    const int32_t *parent;
    int64_t from_pitch;
    float omega, *to;
};
ENTRY_KERNEL(block_smooth, struct block_smooth_args, a)
ENTRY_KERNEL(block_smooth_prolonged, struct block_smooth_args, a)

/* Two steps of GCR, each of which makes the residual b - A x the smallest in its direction: the first along `first`,
 * the second along x, whose product is made orthogonal to the first one's. */
enum { GCR_VV, GCR_VB, GCR_VW, GCR_SUMS };      /* v.v, v.b, v.w: v the step's product, w the first step's */
struct block_gcr_args {
    int32_t block;
    struct level_matrix a;
    const float *b;
    float *first, *x, *w;
    int32_t second;             /* this is the second step */
    int32_t unit;               /* steps of length 1 */
    struct sums sums[2];        /* GCR_SUMS of the first and of the second step */
};
ENTRY_KERNEL(block_gcr_product, struct block_gcr_args, a)       /* over slices: w = A first, or A x; and sums */
BLOCK_KERNEL(block_gcr_combine, struct block_gcr_args)  /* x = the best of first and x */

/* The coarsest level: unknown u of row r is number u n + r of n block. */
struct block_dense_args {
    struct level_matrix a;
    int32_t singular;           /* the last unknown's constant is the null space of the matrix, and of its transpose */
    double *work;               /* [(n block)^2] */
    float *inverse;             /* the same, column after column */
    const float *b;
    float *x;
};
KERNEL(block_dense_invert, struct block_dense_args)     /* over 1 slice */
KERNEL(block_dense_solve, struct block_dense_args)      /* over 1 slice */
enum { DENSE_UNKNOWNS = 144 };

/* The cycle on levels of one slice each, without second steps, in one launch: restriction down to the coarsest level,
 * its solve, and smoothing upwards.  Smoothings alternate between a level's t and x and end in x: level[0].x is the
 * result. */
enum { BLOCK_BOTTOM_LEVELS = 5 };
struct block_bottom_level {
    struct level_matrix a;
    const float *inverse;
    float *b, *x, *t;
    const int32_t *parent, *child_start, *child;        /* not on the last level */
};
struct block_bottom_args {
    int32_t block, n_levels, smoothings;
    float omega;
    struct block_bottom_level level[BLOCK_BOTTOM_LEVELS];
    struct block_dense_args last;
};
ENTRY_KERNEL(block_bottom, struct block_bottom_args, level[0].a)        /* over 1 slice */
#endif

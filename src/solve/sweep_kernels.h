/* sweep_kernels.h: private to sweep.c, sweep.cu and the methods that are sweeps; arrays are double or float according
 * to the kernel's name. */
#ifndef POISE_SWEEP_KERNELS_H
#define POISE_SWEEP_KERNELS_H
#include "solve/sweep.h"

struct sweep_args {
    struct pattern p;
    const int64_t *first, *end; /* [warps] entries of the part */
    const void *val, *inverse, *b, *x, *y, *y2; /* b, y, y2: NULL where the step has no such term */
    void *out;
    double *z;                  /* or NULL: see sweeps_run() */
    const double *norm2;
    const struct sweep_weights *weight;
};
struct sweep_slices_args {
    struct pattern p;
    const int64_t *lower_end, *upper_begin;
    const void *val, *inverse, *b, *x;          /* x: NULL: 0 */
    void *out;
    double *z;
    const double *norm2;
    const struct sweep_step *step;
    const struct sweep_weights *weight;
    int32_t n;
};
#define SWEEP_KERNELS(real)                                                                                   \
    KERNEL(sweep_all_##real, struct sweep_args)                                                               \
    KERNEL(sweep_lower_##real, struct sweep_args)                                                             \
    KERNEL(sweep_upper_##real, struct sweep_args)                                                             \
    KERNEL(sweep_scaled_all_##real, struct sweep_args)  /* x is D^-1 b */                                     \
    KERNEL(sweep_scaled_lower_##real, struct sweep_args)                                                      \
    KERNEL(sweep_scaled_upper_##real, struct sweep_args)                                                      \
    KERNEL(sweep_slices_##real, struct sweep_slices_args)       /* out = x + the list's result for b - A x */ \
    KERNEL(sweep_row_bound_##real, struct sweep_bound_args)
struct sweep_bound_args {
    struct pattern p;
    const void *val, *inverse;
    struct sums sums;           /* the largest of 1 + sum |a_ij| / a_ii */
};
SWEEP_KERNELS(double)                                   /* over slices */
SWEEP_KERNELS(float)

struct sweep_split_args { struct pattern p; int64_t *lower_end, *upper_begin; };
KERNEL(sweep_split, struct sweep_split_args)            /* over warps */

struct sweep_over_norm_args { const double *from, *norm2; float *to; };
KERNEL(sweep_over_norm, struct sweep_over_norm_args)    /* to = from / sqrt(norm2), from if norm2 is 0; over slices */

struct sweep_invert_args {
    const double *diag;         /* or */
    const float *diag_single;
    double *inverse;            /* or */
    float *inverse_single;
};
KERNEL(sweep_invert, struct sweep_invert_args)          /* over n_padded */
#endif

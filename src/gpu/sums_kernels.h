/* sums_kernels.h: private to sums.c and sums.cu: the second stage of sums, launched over numbers or groups. */
#ifndef POISE_SUMS_KERNELS_H
#define POISE_SUMS_KERNELS_H
#include "gpu/sums.h"

/* Location of the partial sums of a slice, for the slices of all ranks. */
struct sums_place { int32_t rank, slice; };
/* partial: [ranks][count][pitch]; place: [n_slices], or NULL: one rank, slice after slice. */
struct sums_args {
    const double *partial;
    double *total;              /* [count] */
    const struct sums_place *place;
    int64_t n_slices, pitch, count;
};
KERNEL(sums_add, struct sums_args)
KERNEL(sums_compare, struct sums_args)                  /* the maximum */
KERNEL(sums_add_groups, struct sums_group_args)
#endif

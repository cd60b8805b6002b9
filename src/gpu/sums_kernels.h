/* sums_kernels.h: private to sums.c and sums.cu: the second stage of sums, launched over numbers or groups. */
#ifndef POISE_SUMS_KERNELS_H
#define POISE_SUMS_KERNELS_H
#include "gpu/sums.h"

KERNEL(sums_add, struct sums)
KERNEL(sums_compare, struct sums)                       /* the largest */
KERNEL(sums_add_groups, struct sums_group_args)
#endif

/* sums_kernels.h: private to sums.c and sums.cu: the second stage of sums, launched over numbers or groups. */
#ifndef POISE_SUMS_KERNELS_H
#define POISE_SUMS_KERNELS_H
#include "gpu/sums.h"

KERNEL(sums_add, struct sums)
KERNEL(sums_compare, struct sums)                       /* the largest */
KERNEL(sums_add_groups, struct sums_group_args)

/* buffer: [ranks][count][most], as partial sums travel; first: [ranks + 1] slices before a rank's. */
struct sums_ranks_args { struct sums s; double *buffer; const int32_t *first; int32_t own, count, most; };
KERNEL(sums_pack, struct sums_ranks_args)               /* this rank's part; over count most */
KERNEL(sums_add_ranks, struct sums_ranks_args)          /* over numbers, as those above */
KERNEL(sums_compare_ranks, struct sums_ranks_args)
#endif

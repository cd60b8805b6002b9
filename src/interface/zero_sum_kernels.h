/* zero_sum_kernels.h: private to zero_sum.c and zero_sum.cu. */
#ifndef POISE_INTERFACE_ZERO_SUM_KERNELS_H
#define POISE_INTERFACE_ZERO_SUM_KERNELS_H
#include "interface/forces_kernels.h"
#include "interface/zero_sum.h"

struct zero_sum_args {
    struct forces_args f;
    struct zero_sum z;
    const int32_t *band_mark, *boundary_row;
    int32_t n_band;
    int32_t first;              /* number of this rank's first cell in the whole mesh */
    double per_force, per_area; /* what F and N are multiplied by before they are made whole numbers */
    /* of several ranks */
    const int32_t *cross;       /* [2 n_cross] own cell and ghost cell of faces between ranks */
    int32_t *pair;              /* [2 n_cross] out: the numbers of their roots; -1: no pair */
    const int32_t *cell;        /* [n_packed] roots */
    int64_t *packed;            /* [ZERO_SUMS(dim) n_packed] their sums, one number of all roots after the other */
    int32_t n_packed;
};
KERNEL(part_start, struct zero_sum_args)                /* over own cells */
KERNEL(part_join, struct zero_sum_args)                 /* over the band */
KERNEL(part_finish, struct zero_sum_args)               /* over the band */
KERNEL(part_sums, struct zero_sum_args)                 /* over runs of PART_RUN cells of the band */
KERNEL(part_tilt, struct zero_sum_args)                 /* over the band */
KERNEL(part_number, struct zero_sum_args)               /* over own cells */
KERNEL(part_pairs, struct zero_sum_args)                /* over n_cross */
KERNEL(part_pack, struct zero_sum_args)                 /* over n_packed ZERO_SUMS(dim) */
KERNEL(part_unpack, struct zero_sum_args)               /* likewise */
enum { PART_RUN = 8 };
#endif

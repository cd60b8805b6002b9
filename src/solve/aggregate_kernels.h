/* aggregate_kernels.h: private to aggregate.c and aggregate.cu. */
#ifndef POISE_AGGREGATE_KERNELS_H
#define POISE_AGGREGATE_KERNELS_H
#include "solve/aggregate.h"

struct match_args {
    struct level_matrix a;
    const int32_t *home;        /* [n_padded] slice of the finest rows that this row is made of */
    const float *strongest;     /* [n_padded] largest |off-diagonal| of the row inside its home */
    int32_t round;
    int32_t *proposal, *mate;   /* [n_padded] -1: none */
};
KERNEL(match_begin, struct match_args)                  /* over n: no mates, strongest */
KERNEL(match_propose, struct match_args)                /* over n */
KERNEL(match_accept, struct match_args)                 /* over n */

struct number_args {
    int32_t n;
    const int32_t *mate, *offset;       /* offset: [n_slices] coarse rows before each slice */
    const int32_t *home;
    int32_t *count;             /* [n_slices] pairs and singles that begin in each slice */
    int32_t *parent;            /* [n_padded] */
    int32_t *child;             /* [2 coarse_padded] */
    int32_t *coarse_home;       /* [coarse_padded] */
    int64_t coarse_padded;
};
KERNEL(number_count, struct number_args)                /* over slices */
KERNEL(number_first, struct number_args)                /* over slices: parent of those that begin a pair */
KERNEL(number_second, struct number_args)               /* over n: parent of their mates, children, homes */

struct compose_args {           /* two aggregations one after the other */
    int64_t coarse_padded, middle_padded;
    int32_t children;           /* of a coarse row in the second one: 2; in the first: up to `width` */
    int32_t width;
    const int32_t *first_parent, *second_parent;
    const int32_t *first_child, *second_child;
    int32_t *parent, *child;
};
KERNEL(compose_parents, struct compose_args)            /* over n_padded of the finest */
KERNEL(compose_children, struct compose_args)           /* over coarse_padded */

struct pattern_args {
    struct level_matrix fine, coarse;   /* coarse.col is filled */
    const int32_t *parent, *child;
    int32_t children;           /* slots in child */
    int32_t most;               /* room of a row in found */
    int32_t *found;             /* [most coarse_padded] neighbours of coarse row c at [k * coarse_padded + c] */
    int32_t *length;            /* [coarse_padded] how many */
    int32_t *width;             /* [coarse_padded / WARP] the widest of each warp */
    uint8_t *slot;
};
KERNEL(pattern_find, struct pattern_args)               /* over n_coarse */
KERNEL(pattern_width, struct pattern_args)              /* over warps */
KERNEL(pattern_fill, struct pattern_args)               /* over n_coarse */
KERNEL(pattern_slot, struct pattern_args)               /* over n of the fine level */

struct values_args {
    struct level_matrix fine, coarse;
    const int32_t *child;
    int32_t children;
    const uint8_t *slot;
};
KERNEL(values_sum, struct values_args)                  /* over coarse_padded */
KERNEL(slice_bounds, struct number_args)                /* over slices: count = first coarse row, from parent of row 512 b */

struct fill_args_int32 { int32_t *x; int32_t value; };
KERNEL(fill_int32, struct fill_args_int32)              /* x = value */
struct home_args { int32_t *home; };
KERNEL(home_slices, struct home_args)                   /* home = slice of the row; over n_padded */
#endif

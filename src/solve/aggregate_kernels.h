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
    int32_t *joined;            /* [n_padded] row whose pair this one joins, -1: none */
};
KERNEL(match_begin, struct match_args)                  /* over n: no mates, strongest */
KERNEL(match_propose, struct match_args)                /* over n */
KERNEL(match_accept, struct match_args)                 /* over n */
KERNEL(match_join, struct match_args)                   /* over n, after the last round */

struct number_args {
    int32_t n;
    const int32_t *mate, *joined, *home;
    const int32_t *offset;      /* [n_slices] coarse rows before each slice */
    int32_t *count;             /* [n_slices] aggregates that begin in each slice */
    int32_t *parent;            /* [n_padded] */
    int32_t *coarse_home;       /* [coarse_padded] */
};
KERNEL(number_count, struct number_args)                /* over slices */
KERNEL(number_first, struct number_args)                /* over slices: parent of the row that begins each aggregate */
KERNEL(number_second, struct number_args)               /* over n: parent of the others, homes */

struct compose_args { const int32_t *next; int32_t *parent; };
KERNEL(compose_parents, struct compose_args)            /* over n_padded: parent = next[parent] */

struct list_args { int32_t n, n_coarse; const int32_t *parent; int32_t *child, *child_start, *slice_start; };
KERNEL(list_children, struct list_args)                 /* over slices */
KERNEL(list_end, struct list_args)                      /* over coarse_padded + 1 - n_coarse */

struct pattern_args {
    struct level_matrix fine, coarse;   /* coarse.col is filled */
    struct aggregation g;
    int32_t most;               /* the longest row of fine */
    int32_t *found;             /* [most n_padded of fine] neighbours of coarse row c from most * child_start[c] on */
    int32_t *length;            /* [coarse_padded] how many */
    int32_t *width;             /* [coarse_padded / WARP] the widest of each warp */
};
KERNEL(pattern_find, struct pattern_args)               /* over n_coarse */
KERNEL(pattern_width, struct pattern_args)              /* over warps */
KERNEL(pattern_fill, struct pattern_args)               /* over n_coarse */
KERNEL(pattern_slot, struct pattern_args)               /* over n of the fine level */

struct values_args { struct level_matrix fine, coarse; struct aggregation g; };
KERNEL(values_sum, struct values_args)                  /* over coarse_padded */

struct home_args { int32_t *home; };
KERNEL(home_slices, struct home_args)                   /* home = slice of the row; over n_padded */
#endif

/* regroup_kernels.h: private to regroup.c and regroup.cu. */
#ifndef POISE_REGROUP_KERNELS_H
#define POISE_REGROUP_KERNELS_H
#include "solve/aggregate.h"

/* Things, rows or entries of rows, of `square` numbers each (a vector: of block numbers).  In the buffer number e of
 * thing k that this rank has made is at [e pitch + k]. */
struct regroup_args {
    float *buffer;
    int64_t pitch;
    int64_t n;                  /* of the things that are wanted */
    /* Those of other ranks stand behind `place`, ascending.  Of the wanted, how many come from ranks before this one,
     * and how many are its own, from `skip` on. */
    int64_t place, before, own, skip;
    /* Or all ranks have all things: first: [ranks + 1] of each rank; rank r has [square pitch] of `all` for its own,
     * the buffer being this rank's; else NULL both. */
    const int64_t *first;
    const float *all;
    const int32_t *at;          /* [n] where an entry stands in the matrix; NULL: things are rows */
    int32_t square;
    int64_t to_pitch;           /* 0: `to` is stored as matrices are; else a vector with this pitch */
    const float *from;
    float *to;
};
KERNEL(regroup_put, struct regroup_args)                /* buffer = from; over the things made */
KERNEL(regroup_take, struct regroup_args)       /* to = those wanted; over these; rows behind them: ones */
#endif

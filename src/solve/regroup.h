/* regroup.h: which rank has which rows of a coarse multigrid level.  A coarse row is made by the rank that has its
 * children; but the slices of a level are those that one rank would have, and whole on one rank, or the bits would
 * depend on the cut.  So coarse rows may change hands: where the ranks' rows happen to begin with slices, all stay;
 * else each slice goes whole to one of the ranks that have made its rows; where few slices are left, all rows go to
 * all ranks, each of which then does the rest of the cycle by itself: that costs less than messages on every level.
 * Where that is so decides about time alone, never about bits.
 *
 * All functions by all ranks together. */
#ifndef POISE_REGROUP_H
#define POISE_REGROUP_H
#include "solve/aggregate.h"

/* A level is shared by the ranks as long as each has so many slices; on GPUs, as long as all have so many together: the
 * kernels of a step on these take about as long as its three messages; fewer where messages are stores into each
 * other's memory.  Measured on two H200: a cycle on 160^3 rows, whose second level has 1000 slices and whose third 125,
 * takes 430 us where the second is shared and 398 us where it is not; by stores 302 and 321, and 307 where the third is
 * shared too; on twice as many rows, with 2000 slices on the second, 625 and 670 us. */
enum { SHARED_BY_CPUS = 2, SHARED_BY_GPUS = 1024, SHARED_BY_STORES = 512 };

struct regroup;
/* coarse: the matrix that each rank has made of its own rows of fine, g the aggregation of these.  Makes of it the
 * level that this rank has, and of g->parent rows of that level.  NULL: no row changes hands.  block: how many numbers
 * of each row, at the most, will be handed on. */
struct regroup *regroup_create(const struct level_matrix *fine, struct aggregation *g, struct level_matrix *coarse,
                               int block);
/* The matrix of the rows as they are made, whose values regroup_values() brings to coarse (of as large blocks);
 * regroup_make_blocks() gives it room for the values of such blocks (arrow: arrow blocks). */
const struct level_matrix *regroup_made(const struct regroup *r);
void regroup_make_blocks(struct regroup *r, int block, bool arrow);
void regroup_values(const struct regroup *r, const struct level_matrix *coarse);
/* Where numbers of the rows that this rank has made are put, component k of a row at [k regroup_pitch() + row], and the
 * way from there to b, [block pitch]. Launches only. */
float *regroup_room(const struct regroup *r);
int64_t regroup_pitch(const struct regroup *r);
void regroup_vector(const struct regroup *r, const struct level_matrix *coarse, float *b);
void regroup_free(struct regroup *r);

/* Private to regroup.c and regroup.cu. */
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

/* regroup.h: distributes the rows of a coarse multigrid level among the ranks.  A coarse row is created by the rank
 * that has its children; but slices must be those of a run on one rank, each complete on one rank, otherwise the bits
 * would depend on the partition.  So coarse rows may move: if the ranks' rows happen to begin with slices, all stay;
 * otherwise each slice moves as a whole to one of the ranks that have created its rows; if few slices are left, all
 * rows are sent to all ranks, each of which then does the rest of the cycle redundantly, which costs less than messages
 * on every level.  That threshold affects only time, never bits.
 *
 * All functions by all ranks together. */
#ifndef POISE_REGROUP_H
#define POISE_REGROUP_H
#include "solve/aggregate.h"

/* A level is distributed over the ranks as long as each has this many slices; on GPUs, as long as all together have
 * this many: below that the kernels of a step take about as long as its three messages; fewer with direct stores (peer
 * memory).  Measured on two H200: a cycle on 160^3 rows, whose second level has 1000 slices and whose third 125, takes
 * 430 us if the second is distributed and 398 us if not; with direct stores 302 and 321, and 307 if the third is
 * distributed too; on twice as many rows, with 2000 slices on the second, 625 and 670 us. */
enum { SHARED_BY_CPUS = 2, SHARED_BY_GPUS = 1024, SHARED_BY_STORES = 512 };

struct regroup;
/* coarse: the matrix that each rank has created from its own rows of fine, g their aggregation.  Replaces it by the
 * part of the level that this rank owns, and renumbers g->parent accordingly.  NULL: no row moves.  block: the largest
 * count of numbers per row that will be sent. */
struct regroup *regroup_create(const struct level_matrix *fine, struct aggregation *g, struct level_matrix *coarse,
                               int block);
/* The matrix of the rows before they move, whose values regroup_values() sends to coarse (of blocks of the same size);
 * regroup_make_blocks() allocates its values for such blocks (arrow: arrow blocks). */
const struct level_matrix *regroup_made(const struct regroup *r);
void regroup_make_blocks(struct regroup *r, int block, bool arrow);
void regroup_values(const struct regroup *r, const struct level_matrix *coarse);
/* Buffer for the numbers of the rows that this rank has created, component k of a row at [k regroup_pitch() + row]; the
 * function that sends them to b, [block pitch], only launches kernels. */
float *regroup_room(const struct regroup *r);
int64_t regroup_pitch(const struct regroup *r);
void regroup_vector(const struct regroup *r, const struct level_matrix *coarse, float *b);
void regroup_free(struct regroup *r);

/* Private to regroup.c and regroup.cu. */
/* Items, rows or entries of rows, of `square` numbers each (vectors: of block numbers).  In the buffer number e of item
 * k created by this rank is at [e pitch + k]. */
struct regroup_args {
    float *buffer;
    int64_t pitch;
    int64_t n;                  /* number of items wanted */
    /* Items of other ranks are stored after `place`, ascending.  Of the wanted items: how many come from preceding
     * ranks, how many are this rank's own, and where these begin. */
    int64_t place, before, own, skip;
    /* Or all ranks have all items: first: [ranks + 1] first item of each rank; rank r has [square pitch] of `all` for
     * its own, which is this rank's buffer; else both NULL. */
    const int64_t *first;
    const float *all;
    const int32_t *at;          /* [n] position of an entry in the matrix; NULL: items are rows */
    int32_t square;
    int64_t to_pitch;           /* 0: `to` has the layout of a matrix; else a vector with this pitch */
    const float *from;
    float *to;
};
KERNEL(regroup_put, struct regroup_args)                /* buffer = from; over the items created */
KERNEL(regroup_take, struct regroup_args)       /* to = the wanted items; over these; rows after them: ones */
#endif

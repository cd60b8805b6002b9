/* sums.h: the one door for whatever is added up, or compared, over all rows, cells or faces: no kernel and no loop on
 * the host elsewhere does that for itself.
 *
 * In kernels a sum has two stages.  A kernel over slices adds up the rows of each slice (SUM_OF_SLICE) and leaves one
 * partial sum for every slice; sums_finish() adds these.  Both by fixed trees, whose shape depends on the number of
 * slices alone: in a slice lanes by halving; then lane l of 512 takes the slices l, l + 512, ... in turn, and again
 * by halving.
 *
 * Several ranks (gpu/ranks.h): a rank has a run of whole slices in the global order, and leaves the partial sums of
 * these.  sums_finish() sends them to all ranks as they stand (an all-gather: 8 bytes for 512 rows); then every rank
 * adds all of them by the tree above.  So all ranks have the same bits, and those of one rank, wherever the slices are
 * cut.  A rank cannot add up its own ones before: a lane takes slices of all ranks, and a later rank's go on where an
 * earlier one's end.  A slice never belongs to two ranks. */
#ifndef POISE_SUMS_H
#define POISE_SUMS_H
#include <stdbool.h>
#include "gpu/kernel.h"

/* Several numbers that are each made of all slices; passed by value, as part of a kernel's arguments. */
struct sums {
    double *partial;            /* [numbers n_slices]: number k of this rank's slice b at [k n_slices + b] */
    double *total;              /* [numbers] */
    int32_t n_slices;           /* of this rank; with `ranks` those of the rank that has most */
    const struct sums_ranks *ranks;     /* how the ranks' parts come together, on the host; NULL: there is one rank, or
                                   the sums are of this rank's rows alone */
};

#ifdef __cplusplus
extern "C" {
#endif
/* Both arrays on the machine, zero; n_slices: of this rank.  All ranks together. */
struct sums sums_create(int numbers, int32_t n_slices, const char *what);
/* The same for sums of this rank's rows alone. */
struct sums sums_create_own(int numbers, int32_t n_slices, const char *what);
void sums_free(struct sums *s);

/* total[first] .. total[first + count - 1] from the partial ones: sums, or the largest of numbers >= 0 (one that is
 * not a number is not seen).  One launch, which may be recorded in a graph. */
void sums_finish(const struct sums *s, int first, int count);
void sums_finish_largest(const struct sums *s, int first, int count);
/* May kernels add up these sums themselves (fold_sum()), and does that pay?  Few slices, one rank, a GPU. */
bool sums_fold(const struct sums *s);
/* Those totals on the host; waits. */
void sums_download(const struct sums *s, int first, int count, double *to);

/* Sums over groups of any size: group g has partial[start[g]] .. partial[start[g + 1] - 1], each of them of one rank
 * alone.  Where partial and total are one array every group is its own sum, and nothing is launched.  Nothing is done
 * when *done; done may be NULL. */
struct sums_group_args { const double *partial; double *total; const int32_t *start; const int32_t *done; };
void sums_finish_groups(const struct sums_group_args *g, int32_t n_groups);

/* What a loop on the host has made of the rows of this rank: n numbers each become their sum, or their largest, over
 * all ranks.  On one rank they are that.  All ranks call it alike, and never while a graph is recorded.  Sums are
 * taken in the order of the ranks, so their last digits depend on how many there are: for what is told, or for sums
 * of whole numbers. */
void sums_over_ranks(double *number, int n);
void largest_over_ranks(double *number, int n);
int64_t count_over_ranks(int64_t n);
/* n numbers that the ranks add to one after the other become those of rank `rank` on all of them. */
void sums_of_rank(double *number, int n, int rank);

/* Of whole arrays: n values in whole slices, where what is behind the last row does not matter to the result (zeros).
 * Allocates and waits: for use outside of iterations. */
enum reduction { REDUCE_SUM, REDUCE_ABS_MAX, REDUCE_DOT };
double reduce(enum reduction how, const double *x, const double *y, int64_t n);        /* y only for REDUCE_DOT */
double reduce_own(enum reduction how, const double *x, const double *y, int64_t n);    /* of this rank's alone */
/* Their first stage: number 0 of s, to be launched over slices. */
struct reduce_args { const double *x, *y; struct sums sums; int how; };
KERNEL(reduce_slices, struct reduce_args)
#ifdef __cplusplus
}
#endif

/* ---------------------------------------------------------------- for kernel bodies */
/* Number k of slice b: the sum of a SLICE_VAR over its lanes; or the largest, of values >= 0. */
#define SUM_OF_SLICE(s, k, b, v)                                                                             \
    {                                                                                                        \
        double of_slice = slice_sum(v);                                                                      \
        ONCE (s).partial[(int64_t)(k) * (s).n_slices + (b)] = of_slice;                                      \
    }
#define LARGEST_OF_SLICE(s, k, b, v)                                                                         \
    {                                                                                                        \
        double of_slice = slice_max(v);                                                                      \
        ONCE (s).partial[(int64_t)(k) * (s).n_slices + (b)] = of_slice;                                      \
    }

/* The sum of a SLICE_VAR over the lanes of its slice alone, valid in every lane. */
#define SUM_FOR_ALL(sum, v)                                                                                  \
    SHARED(double, sum##_shared, 1);                                                                         \
    double sum = slice_sum(v);                                                                               \
    PHASE(w) ONCE sum##_shared[0] = sum;                                                                     \
    sum = sum##_shared[0];

/* The second stage inside of the kernel that needs total k: every slice adds all partial sums itself, with the bits
 * of sums_finish().  Every slice repeats the work, which pays where there are so few of them that one more launch
 * would cost more.  Of one rank: nobody puts the partial sums of several side by side (sums_fold()). */
enum { FOLDED_SLICES = 512 };           /* up to so many slices it pays on CUDA (measured) */
/* The same of no more slices than a warp has lanes: of the tree one warp is left, and every warp does it for itself. */
ON_DEVICE double fold_few(const struct sums *s, int k)
{
    const double *partial = s->partial + k * (int64_t)s->n_slices;
#if LANES_BRANCH
    int t = (unsigned)SLICE_LANE % WARP;
    double v = 0;
    if (t < s->n_slices) v += partial[t];
    for (int h = WARP / 2; h > 0; h /= 2) v += LANE_ABOVE(v, h);
    return LANE_ZERO(v);
#else
    double v[WARP] = {0};
    for (int32_t t = 0; t < s->n_slices; t++) v[t] += partial[t];
    for (int h = WARP / 2; h > 0; h /= 2)
        for (int t = 0; t < h; t++) v[t] += v[t + h];
    return v[0];
#endif
}

ON_DEVICE double fold_sum(const struct sums *s, int k)
{
    if (s->n_slices <= WARP) return fold_few(s, k);
    SLICE_VAR(double, v);
    const double *partial = s->partial + k * (int64_t)s->n_slices;
    PHASE(w) LANES(t) IN_SLICE(v) = 0;
    PHASE(w) for (int32_t first = w * WARP; first < s->n_slices; first += SLICE)
        LANES(t) IN_SLICE(v) += first + t < s->n_slices ? partial[first + t] : 0;
    SUM_FOR_ALL(total, v)
    return total;
}
#endif

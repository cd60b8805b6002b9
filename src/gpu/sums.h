/* sums.h: all sums and maxima over all rows, cells or faces go through these functions; no kernel or host loop
 * elsewhere computes its own.
 *
 * A sum in kernels has two stages.  A kernel over slices adds the rows of each slice (SUM_OF_SLICE) and stores one
 * partial sum per slice; sums_finish() adds these.  Both use fixed trees, whose shape depends only on the number of
 * slices: in a slice, lanes by halving; then lane l of 512 adds the slices l, l + 512, ... in turn, followed by
 * halving.
 *
 * Several ranks (gpu/ranks.h): a rank has a contiguous range of whole slices in global order, and stores their partial
 * sums.  sums_finish() sends these to all ranks unchanged (an all-gather: 8 bytes for 512 rows); then every rank adds
 * all of them by the tree above.  So the bits are the same on all ranks and for any division of the slices.  A rank
 * cannot add its own partial sums first: a lane adds slices of all ranks in sequence.  A slice never belongs to two
 * ranks. */
#ifndef POISE_SUMS_H
#define POISE_SUMS_H
#include <stdbool.h>
#include "gpu/kernel.h"

/* Several numbers, each a sum over all slices; passed by value, as part of a kernel's arguments. */
struct sums {
    double *partial;            /* [numbers n_slices]: number k of this rank's slice b at [k n_slices + b] */
    double *total;              /* [numbers] */
    int32_t n_slices;           /* of this rank; with `ranks` those of the largest rank */
    const struct sums_ranks *ranks;     /* how the ranks' parts are combined, on the host; NULL: there is one rank, or
                                           the sums cover this rank's rows alone */
};

#ifdef __cplusplus
extern "C" {
#endif
/* Both arrays are on the device and zeroed; n_slices: of this rank.  Called by all ranks together. */
struct sums sums_create(int numbers, int32_t n_slices, const char *what);
/* The same for sums of this rank's rows alone. */
struct sums sums_create_own(int numbers, int32_t n_slices, const char *what);
void sums_free(struct sums *s);

/* total[first] .. total[first + count - 1] from the partial ones: sums, or maxima of numbers >= 0 (NaN is ignored).
 * One launch, which may be recorded in a graph. */
void sums_finish(const struct sums *s, int first, int count);
void sums_finish_largest(const struct sums *s, int first, int count);
/* May kernels add these sums themselves (fold_sum()), and does that pay off?  With few slices, one rank, on a GPU. */
bool sums_fold(const struct sums *s);
/* Copies those totals to the host; waits. */
void sums_download(const struct sums *s, int first, int count, double *to);

/* Sums over groups of any size: group g has partial[start[g]] .. partial[start[g + 1] - 1], each of them of one rank
 * alone.  If partial and total are the same array, every group is its own sum, and nothing is launched.  Does nothing
 * when *done; done may be NULL. */
struct sums_group_args { const double *partial; double *total; const int32_t *start; const int32_t *done; };
void sums_finish_groups(const struct sums_group_args *g, int32_t n_groups);

/* Combines results of host loops over the rows of this rank: each of n numbers becomes its sum, or its maximum, over
 * all ranks.  With one rank they are unchanged.  All ranks call it alike, and never while a graph is recorded.  Sums
 * are taken in the order of the ranks, so their last digits depend on the number of ranks: only for reports and for
 * sums of integers. */
void sums_over_ranks(double *number, int n);
void largest_over_ranks(double *number, int n);
int64_t count_over_ranks(int64_t n);
/* Broadcasts n numbers of rank `rank`, which the ranks have added to in turn, to all ranks. */
void sums_of_rank(double *number, int n, int rank);

/* Over whole arrays: n values, padded to whole slices with zeros or values that do not affect the result.  Allocates
 * and waits: for use outside iterations. */
enum reduction { REDUCE_SUM, REDUCE_ABS_MAX, REDUCE_DOT };
double reduce(enum reduction how, const double *x, const double *y, int64_t n);        /* y only for REDUCE_DOT */
double reduce_own(enum reduction how, const double *x, const double *y, int64_t n);    /* of this rank's values alone */
/* The first stage: number 0 of s, to be launched over slices. */
struct reduce_args { const double *x, *y; struct sums sums; int how; };
KERNEL(reduce_slices, struct reduce_args)

/* Private to sums.c and sums.cu: the second stage, launched over numbers or groups.  Where the partial sums of a slice
 * of all ranks are. */
struct sums_place { int32_t rank, slice; };
/* partial: [ranks][count][pitch]; place: [n_slices], or NULL: of one rank, slice after slice. */
struct sums_args {
    const double *partial;
    double *total;              /* [count] */
    const struct sums_place *place;
    int64_t n_slices, pitch, count;
};
KERNEL(sums_add, struct sums_args)
KERNEL(sums_compare, struct sums_args)                  /* the largest */
KERNEL(sums_add_groups, struct sums_group_args)
#ifdef __cplusplus
}
#endif

/* ---------------------------------------------------------------- for kernel bodies */
/* Number k of slice b: the sum, or the maximum of values >= 0, of a SLICE_VAR over its lanes. */
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

/* The second stage within the kernel that needs total k: every slice adds all partial sums itself, with the bits of
 * sums_finish().  The repeated work pays off if the slices are so few that another launch would cost more.  Only with
 * one rank, because the partial sums of several are not gathered (sums_fold()). */
enum { FOLDED_SLICES = 512 };           /* number of slices up to which it pays off on CUDA (measured) */
/* The same for no more slices than a warp has lanes: one warp of the tree remains, and every warp computes it
 * redundantly. */
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

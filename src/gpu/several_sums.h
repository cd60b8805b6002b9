/* several_sums.h: for kernel bodies: several sums over a slice at once, with the barriers of one sum and the same bits
 * as separate sums (kernel.h, sums.h).
 *
 *   SLICE_ARRAY(type, v, n)    n values per lane, valid across phases: IN_SLICE_AT(v, k), k a compile-time constant */
#ifndef POISE_SEVERAL_SUMS_H
#define POISE_SEVERAL_SUMS_H
#include "gpu/sums.h"

enum { SEVERAL = 4 };                   /* sums at once, at most */

#if LANES_BRANCH
#define SLICE_ARRAY(type, v, count) type v[count]
#define IN_SLICE_AT(v, k) v[k]
#define SLICE_TOTAL(v, k) v[k]
#define EACH_SUM(k, n) UNROLL for (int k = 0; k < SEVERAL; k++) if (k < (n))
/* As slice_sum(), of n values. */
ON_DEVICE void slice_sums(double *v, const int n)
{
    SHARED(double, lane, SEVERAL * SLICE);
    BARRIER;
    EACH_SUM(k, n) lane[k * SLICE + SLICE_LANE] = v[k];
    for (int h = WARPS / 2; h > 0; h /= 2) {
        BARRIER;
        if (SLICE_LANE < h * WARP) {
            EACH_SUM(k, n) lane[k * SLICE + SLICE_LANE] = v[k] = v[k] + lane[k * SLICE + SLICE_LANE + h * WARP];
        }
    }
    if (SLICE_LANE < WARP)
        for (int h = WARP / 2; h > 0; h /= 2) { EACH_SUM(k, n) v[k] += LANE_ABOVE(v[k], h); }
}

/* Stores the totals of numbers first .. first + count - 1, at most WARPS of them, in total, a SHARED array, with the
 * bits of fold_sum().  If sums_fold() allows it, there is at most one slice per lane, so one warp replaces 16 and each
 * number has a warp of its own. */
ON_DEVICE void fold_by_warps(const struct sums *s, int first, int count, double *total)
{
    int w = SLICE_LANE / WARP, t = SLICE_LANE % WARP;
    if (w < count) {
        const double *partial = s->partial + (int64_t)(first + w) * s->n_slices;
        double v[WARPS];
        UNROLL for (int k = 0; k < WARPS; k++) {
            int i = k * WARP + t;
            v[k] = 0 + (i < s->n_slices ? partial[i] : 0);
        }
        UNROLL for (int h = WARPS / 2; h > 0; h /= 2) {
            UNROLL for (int k = 0; k < WARPS / 2; k++) if (k < h) v[k] += v[k + h];
        }
        for (int h = WARP / 2; h > 0; h /= 2) v[0] += LANE_ABOVE(v[0], h);
        if (t == 0) total[w] = v[0];
    }
    BARRIER;
}
#else
#define SLICE_ARRAY(type, v, count) type v[count][SLICE]
#define IN_SLICE_AT(v, k) v[k][w * WARP + t]
#define SLICE_TOTAL(v, k) v[k][0]
#define EACH_SUM(k, n) for (int k = 0; k < (n); k++)
ON_DEVICE void slice_sums(double (*v)[SLICE], const int n)
{
    EACH_SUM(k, n) slice_sum(v[k]);
}
ON_DEVICE void fold_by_warps(const struct sums *s, int first, int count, double *total)
{
    for (int k = 0; k < count; k++) total[k] = fold_sum(s, first + k);
}
#endif

/* Stores number k of slice b from element j of a SLICE_ARRAY after slice_sums(). */
#define STORE_SUM(s, k, b, v, j)                                                                             \
    ONCE (s).partial[(int64_t)(k) * (s).n_slices + (b)] = SLICE_TOTAL(v, j);

/* Numbers 0 .. n - 1 of slice b: the sums of a SLICE_ARRAY over the lanes, which are overwritten. */
#define SUMS_OF_SLICE(s, n, b, v)                                                                            \
    {                                                                                                        \
        slice_sums(v, n);                                                                                    \
        ONCE { EACH_SUM(k, n) (s).partial[(int64_t)k * (s).n_slices + (b)] = SLICE_TOTAL(v, k); }            \
    }

/* As fold_sum(), for numbers 0 .. n - 1, into total; requires sums_fold(). */
ON_DEVICE void fold_sums(const struct sums *s, const int n, double *total)
{
    SHARED(double, all, SEVERAL);
    if (s->n_slices <= WARP) {
        EACH_SUM(k, n) total[k] = fold_few(s, k);
        return;
    }
    fold_by_warps(s, 0, n, all);
    EACH_SUM(k, n) total[k] = all[k];
}
#endif

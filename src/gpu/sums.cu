/* Kernels of the sums: over whole arrays, and the second stage (sums.h). */
#include "gpu/sums.h"

SLICE_KERNEL(reduce_slices, struct reduce_args)
{
    SLICE_VAR(double, v);
    PHASE(w) LANES(t) {
        int64_t r = ROW(b, w, t);
        double x = a->x[r];
        IN_SLICE(v) = a->how == REDUCE_SUM ? x : a->how == REDUCE_DOT ? x * a->y[r] : fabs(x);
    }
    if (a->how == REDUCE_ABS_MAX) LARGEST_OF_SLICE(a->sums, 0, b, v)
    else SUM_OF_SLICE(a->sums, 0, b, v)
}

/* Number k of slice i of all ranks; 0 past the last slice. */
ON_DEVICE double partial_at(const struct sums_args *a, int64_t k, int32_t i)
{
    if (i >= a->n_slices) return 0;
    if (!a->place) return a->partial[k * a->pitch + i];
    const struct sums_place p = a->place[i];
    return a->partial[((int64_t)p.rank * a->count + k) * a->pitch + p.slice];
}

/* One slice of lanes adds all partial sums of number b, lane l those of slices l, l + 512, ...  Many of them are read
 * before the first is used, because a single block would otherwise wait for memory again and again. */
enum { AT_ONCE = 8 };
#define OVER_SLICES(v, take)                                                                                 \
    PHASE(w) LANES(t) IN_SLICE(v) = 0;                                                                       \
    PHASE(w) for (int32_t first = w * WARP; first < a->n_slices; first += AT_ONCE * SLICE) {                 \
        WARP_ARRAY(double, p, AT_ONCE);                                                                      \
        UNROLL for (int k = 0; k < AT_ONCE; k++)                                                             \
            LANES(t) IN_WARP_AT(p, k) = partial_at(a, b, first + k * SLICE + t);                             \
        UNROLL for (int k = 0; k < AT_ONCE; k++) LANES(t) take(IN_SLICE(v), IN_WARP_AT(p, k));               \
    }
#define ADD(v, p) v += p
#define COMPARE(v, p) v = p > v ? p : v

SLICE_KERNEL(sums_add, struct sums_args)
{
    SLICE_VAR(double, v);
    OVER_SLICES(v, ADD)
    double total = slice_sum(v);
    ONCE a->total[b] = total;
}

SLICE_KERNEL(sums_compare, struct sums_args)
{
    SLICE_VAR(double, v);
    OVER_SLICES(v, COMPARE)
    double total = slice_max(v);
    ONCE a->total[b] = total;
}

SLICE_KERNEL(sums_add_groups, struct sums_group_args)
{
    SLICE_VAR(double, v);
    if (a->done && *a->done) return;
    int32_t end = a->start[b + 1];
    PHASE(w) LANES(t) IN_SLICE(v) = 0;
    PHASE(w) for (int32_t first = a->start[b] + w * WARP; first < end; first += SLICE)
        LANES(t) IN_SLICE(v) += first + t < end ? a->partial[first + t] : 0;
    double total = slice_sum(v);
    ONCE a->total[b] = total;
}

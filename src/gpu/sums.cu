#include "gpu/sums_kernels.h"

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

/* One slice of lanes takes all partial results, lane l those of slices l, l + 512, ...; `at` finds that of slice i. */
#define OVER_SLICES(v, at, take)                                                                             \
    PHASE(w) LANES(t) IN_SLICE(v) = 0;                                                                       \
    PHASE(w) for (int32_t first = w * WARP; first < n_slices; first += SLICE)                                \
        LANES(t) {                                                                                           \
            int32_t i = first + t;                                                                           \
            double p = i < n_slices ? at : 0;                                                                \
            take;                                                                                            \
        }
#define ADD IN_SLICE(v) += p
#define COMPARE IN_SLICE(v) = p > IN_SLICE(v) ? p : IN_SLICE(v)

SLICE_KERNEL(sums_add, struct sums)
{
    SLICE_VAR(double, v);
    const double *partial = a->partial + b * a->n_slices;
    const int32_t n_slices = a->n_slices;
    OVER_SLICES(v, partial[i], ADD)
    double total = slice_sum(v);
    ONCE a->total[b] = total;
}

SLICE_KERNEL(sums_compare, struct sums)
{
    SLICE_VAR(double, v);
    const double *partial = a->partial + b * a->n_slices;
    const int32_t n_slices = a->n_slices;
    OVER_SLICES(v, partial[i], COMPARE)
    double total = slice_max(v);
    ONCE a->total[b] = total;
}

/* Of number k the slice i of all ranks, as it came. */
ON_DEVICE double as_it_came(const struct sums_ranks_args *a, int64_t k, int32_t i)
{
    int32_t r = 0;
    while (i >= a->first[r + 1]) r++;
    return a->buffer[(r * (int64_t)a->count + k) * a->most + i - a->first[r]];
}

SLICE_KERNEL(sums_add_ranks, struct sums_ranks_args)
{
    SLICE_VAR(double, v);
    const int32_t n_slices = a->s.n_slices;
    OVER_SLICES(v, as_it_came(a, b, i), ADD)
    double total = slice_sum(v);
    ONCE a->s.total[b] = total;
}

SLICE_KERNEL(sums_compare_ranks, struct sums_ranks_args)
{
    SLICE_VAR(double, v);
    const int32_t n_slices = a->s.n_slices;
    OVER_SLICES(v, as_it_came(a, b, i), COMPARE)
    double total = slice_max(v);
    ONCE a->s.total[b] = total;
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

INDEX_KERNEL(sums_pack, struct sums_ranks_args)
{
    int32_t k = (int32_t)(i / a->most), b = (int32_t)(i % a->most), n = a->first[a->own + 1] - a->first[a->own];
    a->buffer[(int64_t)a->own * a->count * a->most + i] =
        b < n ? a->s.partial[(int64_t)k * a->s.n_slices + a->s.first + b] : 0;
}

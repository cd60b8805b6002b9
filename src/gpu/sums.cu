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

/* One slice of lanes adds all partial results: lane l takes l, l + 512, ... */
SLICE_KERNEL(sums_add, struct sums)
{
    SLICE_VAR(double, v);
    const double *partial = a->partial + b * a->n_slices;
    PHASE(w) LANES(t) IN_SLICE(v) = 0;
    PHASE(w) for (int32_t first = w * WARP; first < a->n_slices; first += SLICE)
        LANES(t) IN_SLICE(v) += first + t < a->n_slices ? partial[first + t] : 0;
    double total = slice_sum(v);
    ONCE a->total[b] = total;
}

SLICE_KERNEL(sums_compare, struct sums)
{
    SLICE_VAR(double, v);
    const double *partial = a->partial + b * a->n_slices;
    PHASE(w) LANES(t) IN_SLICE(v) = 0;
    PHASE(w) for (int32_t first = w * WARP; first < a->n_slices; first += SLICE)
        LANES(t) {
            double p = first + t < a->n_slices ? partial[first + t] : 0;
            IN_SLICE(v) = p > IN_SLICE(v) ? p : IN_SLICE(v);
        }
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

/* Of number k the slice b of rank r. */
ON_DEVICE double *partial_of(const struct sums_ranks_args *a, int32_t r, int32_t k, int32_t b)
{
    return a->s.partial + (int64_t)k * a->s.n_slices + a->first[r] + b;
}

INDEX_KERNEL(sums_pack, struct sums_ranks_args)
{
    int32_t k = (int32_t)(i / a->most), b = (int32_t)(i % a->most), n = a->first[a->own + 1] - a->first[a->own];
    a->buffer[(int64_t)a->own * a->count * a->most + i] = b < n ? *partial_of(a, a->own, k, b) : 0;
}

INDEX_KERNEL(sums_unpack, struct sums_ranks_args)
{
    int32_t of = a->count * a->most, r = (int32_t)(i / of), k = (int32_t)(i % of / a->most), b = (int32_t)(i % a->most);
    if (b < a->first[r + 1] - a->first[r]) *partial_of(a, r, k, b) = a->buffer[i];
}

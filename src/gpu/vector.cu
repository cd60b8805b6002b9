#include "gpu/vector.h"
#include "gpu/reduce_args.h"

INDEX_KERNEL(fill, struct fill_args) { a->x[i] = a->value; }
INDEX_KERNEL(combine, struct combine_args) { a->x[i] = fma(a->b, a->z[i], a->a * a->y[i]); }

SLICE_KERNEL(reduce_slices, struct reduce_args)
{
    SLICE_VAR(double, v);
    PHASE(w) LANES(t) {
        int64_t r = ROW(b, w, t);
        double x = a->x[r];
        IN_SLICE(v) = a->how == REDUCE_SUM ? x : a->how == REDUCE_DOT ? x * a->y[r] : fabs(x);
    }
    double total = a->how == REDUCE_ABS_MAX ? slice_max(v) : slice_sum(v);
    ONCE a->partial[b] = total;
}

/* One slice of lanes adds all partial results: lane l takes l, l + 512, ... */
SLICE_KERNEL(finish_sum, struct finish_args)
{
    SLICE_VAR(double, v);
    const double *partial = a->partial + b * a->n_partials;
    PHASE(w) LANES(t) IN_SLICE(v) = 0;
    PHASE(w) for (int32_t first = w * WARP; first < a->n_partials; first += SLICE)
        LANES(t) IN_SLICE(v) += first + t < a->n_partials ? partial[first + t] : 0;
    double total = slice_sum(v);
    ONCE a->total[b] = total;
}
SLICE_KERNEL(finish_max, struct finish_args)
{
    SLICE_VAR(double, v);
    const double *partial = a->partial + b * a->n_partials;
    PHASE(w) LANES(t) IN_SLICE(v) = 0;
    PHASE(w) for (int32_t first = w * WARP; first < a->n_partials; first += SLICE)
        LANES(t) { double p = first + t < a->n_partials ? partial[first + t] : 0; IN_SLICE(v) = p > IN_SLICE(v) ? p : IN_SLICE(v); }
    double total = slice_max(v);
    ONCE a->total[b] = total;
}

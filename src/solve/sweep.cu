#include "solve/mod_sell_row.h"
#include "solve/sweep_kernels.h"

/* Expands the name before the kernel's macro pastes it. */
#define REAL_KERNEL(name, args, blocks) CROWDED_SLICE_KERNEL(name, args, blocks)

#define real double
#define FMA fma
#define OF(name) name##_double
#include "solve/sweep_body.h"
#undef real
#undef FMA
#undef OF
#define real float
#define FMA fmaf
#define OF(name) name##_float
#include "solve/sweep_body.h"

INDEX_KERNEL(sweep_split, struct sweep_split_args)
{
    int64_t start = a->warp_start[i], end = a->warp_start[i + 1], lower = start, upper = end;
    for (int64_t k = start; k < end; k++) {
        int32_t other = COLUMN(i / WARPS, a->col[k]), row = (int32_t)(i * WARP + (k - start) % WARP);
        int64_t first = k - (k - start) % WARP;
        if (!a->col[k]) continue;
        if (other < row) lower = first + WARP;
        else if (first < upper) upper = first;
    }
    a->lower_end[i] = lower;
    a->upper_begin[i] = upper;
}

SLICE_KERNEL(sweep_invert, struct sweep_invert_args)
{
    SLICE_VAR(double, bad);
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        double d = a->diag_single ? (double)a->diag_single[i] : a->diag[i];
        if (a->inverse_single) a->inverse_single[i] = (float)(1 / d);
        else a->inverse[i] = 1 / d;
        IN_SLICE(bad) = d > 0 ? 0.0 : (double)(a->n - i);
    }
    double first = slice_max(bad);
    ONCE a->partial[b] = first;
}

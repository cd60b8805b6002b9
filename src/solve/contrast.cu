/* Kernels that compare the coefficients of neighbouring rows (contrast.h). */
#include "solve/contrast.h"
#include "solve/pattern_row.h"

SLICE_KERNEL(contrast_largest, struct contrast_args)
{
    PHASE(w) {
        WARP_VAR(double, most);
        LANES(t) IN_WARP(most) = 0;
        ENTRIES(a->a.p, b, w, k) LANES(t) IN_WARP(most) = fmax(IN_WARP(most), fabs(a->a.val[k + t]));
        LANES(t) a->largest[ROW(b, w, t)] = IN_WARP(most);
    }
}

/* Only this row's over the neighbours': the inverse ratio is computed at the neighbours. */
SLICE_KERNEL(contrast_ratio, struct contrast_args)
{
    SLICE_VAR(double, ratio);
    STAGE(double, window, a->largest, b);
    PHASE(w) {
        LANES(t) IN_SLICE(ratio) = 0;
        ENTRIES(a->a.p, b, w, k)
            LANES(t) {
                int32_t c = a->a.p.col[k + t];
                double there = AT_COLUMN(window, a->largest, b, c), own = a->largest[ROW(b, w, t)];
                double here = c && there > 0 ? own / there : 0;
                IN_SLICE(ratio) = fmax(IN_SLICE(ratio), here);
            }
    }
    LARGEST_OF_SLICE(a->sums, 0, b, ratio)
}

#include "solve/mod_sell.h"
#include "solve/mod_sell_row.h"

CROWDED_SLICE_KERNEL(mod_sell_spmv, struct spmv_args, 4)
{
    STAGE(window, a->x, b);
    PHASE(w) {
        WARP_VAR(double, s);
        LANES(t) { int64_t r = ROW(b, w, t); IN_WARP(s) = a->a.diag[r] * a->x[r]; }
        ENTRIES(a->a, b, w, k)
            LANES(t) { int32_t c = a->a.col[k + t]; IN_WARP(s) = fma(a->a.val[k + t], AT_COLUMN(window, a->x, b, c), IN_WARP(s)); }
        LANES(t) a->y[ROW(b, w, t)] = IN_WARP(s);
    }
}

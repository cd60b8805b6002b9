#include "solve/matrix.h"
#include "solve/pattern_row.h"

CROWDED_SLICE_KERNEL(matrix_multiply, struct matrix_product_args, 4)
{
    STAGE(window, a->x, b);
    PHASE(w) {
        WARP_VAR(double, s);
        LANES(t) { int64_t r = ROW(b, w, t); IN_WARP(s) = a->a.diag[r] * a->x[r]; }
        ENTRIES(a->a.p, b, w, k)
            LANES(t) { int32_t c = a->a.p.col[k + t]; IN_WARP(s) = fma(a->a.val[k + t], AT_COLUMN(window, a->x, b, c), IN_WARP(s)); }
        LANES(t) a->y[ROW(b, w, t)] = IN_WARP(s);
    }
}

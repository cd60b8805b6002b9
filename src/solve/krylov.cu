#include "solve/krylov_kernels.h"
#include "solve/pattern_row.h"

INDEX_KERNEL(krylov_shift, struct krylov_shift_args) { a->x[i] -= a->sum[0] / a->n; }

SLICE_KERNEL(krylov_square_residual, struct krylov_residual_args)
{
    SLICE_VAR(double, rr);
    STAGE(window, a->x, b);
    PHASE(w) {
        WARP_VAR(double, r);
        LANES(t) { int64_t i = ROW(b, w, t); IN_WARP(r) = fma(-a->a.diag[i], a->x[i], a->b[i]); }
        ENTRIES(a->a.p, b, w, k)
            LANES(t) {
                int32_t c = a->a.p.col[k + t];
                IN_WARP(r) = fma(-a->a.val[k + t], AT_COLUMN(window, a->x, b, c), IN_WARP(r));
            }
        LANES(t) IN_SLICE(rr) = IN_WARP(r) * IN_WARP(r);
    }
    SUM_OF_SLICE(a->sums, 0, b, rr)
}

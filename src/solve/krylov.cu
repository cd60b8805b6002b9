/* Kernels that Krylov methods share (krylov.h). */
#include "solve/krylov.h"
#include "solve/pattern_row.h"

SLICE_KERNEL(krylov_shift, struct krylov_shift_args)
{
    double sum = a->fold ? fold_sum(&a->sums, 0) : a->sums.total[0], mean = sum / a->n_global;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        a->x[i] -= i < a->n ? mean : 0.0;
    }
}

SLICE_KERNEL(krylov_square_residual, struct krylov_residual_args)
{
    SLICE_VAR(double, rr);
    PHASE(w) {
        WARP_VAR(double, r);
        LANES(t) { int64_t row = ROW(b, w, t); IN_WARP(r) = fma(-a->a.diag[row], a->x[row], a->b[row]); }
        ENTRIES(a->a.p, b, w, k)
            LANES(t) IN_WARP(r) = fma(-a->a.val[k + t], a->x[COLUMN(b, a->a.p.col[k + t])], IN_WARP(r));
        LANES(t) IN_SLICE(rr) = IN_WARP(r) * IN_WARP(r);
    }
    SUM_OF_SLICE(a->sums, 0, b, rr)
}

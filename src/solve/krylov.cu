#include "solve/krylov_kernels.h"
#include "solve/pattern_row.h"

INDEX_KERNEL(krylov_shift, struct krylov_shift_args) { a->x[i] -= a->sum[0] / a->n; }

SLICE_KERNEL(krylov_square_residual, struct krylov_residual_args)
{
    SLICE_VAR(double, rr);
    const int n = a->a.block;
    const int64_t pitch = a->a.p.pitch;
    for (int u = 0; u < n; u++) PHASE(w) {
        WARP_VAR(double, r);
        LANES(t) IN_WARP(r) = a->b[u * pitch + ROW(b, w, t)];
        for (int v = 0; v < n; v++) {
            const double *diag = a->a.diag + ROW(b, w, 0) * n * n + (u * n + v) * WARP;
            LANES(t) IN_WARP(r) = fma(-diag[t], a->x[v * pitch + ROW(b, w, t)], IN_WARP(r));
        }
        ENTRIES(a->a.p, b, w, k)
            for (int v = 0; v < n; v++)
                LANES(t) {
                    int32_t c = a->a.p.col[k + t];
                    double entry = a->a.val[k * n * n + (u * n + v) * WARP + t];
                    IN_WARP(r) = fma(-entry, a->x[v * pitch + COLUMN(b, c)], IN_WARP(r));
                }
        LANES(t) IN_SLICE(rr) = u ? IN_SLICE(rr) + IN_WARP(r) * IN_WARP(r) : IN_WARP(r) * IN_WARP(r);
    }
    SUM_OF_SLICE(a->sums, 0, b, rr)
}

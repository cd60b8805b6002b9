/* Kernels of the Ruiz scaling (ruiz.h). */
#include "solve/study/ruiz.h"
#include "solve/pattern_row.h"

SLICE_KERNEL(ruiz_sweep, struct ruiz_args)
{
    STAGE(double, window, a->inverse, b);
    PHASE(w) {
        WARP_VAR(double, e);
        WARP_VAR(double, sum);
        LANES(t) {
            int64_t r = ROW(b, w, t);
            double v = a->a.diag[r] * a->inverse[r];
            IN_WARP(e) = a->inverse[r];
            IN_WARP(sum) = v * v;
        }
        ENTRIES(a->a.p, b, w, k)
            LANES(t) {
                int32_t c = a->a.p.col[k + t];
                double v = a->a.val[k + t] * sqrt(IN_WARP(e) * AT_COLUMN(window, a->inverse, b, c));
                IN_WARP(sum) = fma(v, v, IN_WARP(sum));
            }
        LANES(t) a->out[ROW(b, w, t)] = IN_WARP(e) / sqrt(IN_WARP(sum));
    }
}

INDEX_KERNEL(ruiz_finish, struct ruiz_args) { a->out[i] = 1 / a->inverse[i]; }

/* The two steps of flexible conjugate gradients of a K-cycle (Notay & Vassilevski 2008, algorithm 3.1), or of a
 * W-cycle. */
#include "solve/cycle_begin.h"
#include "solve/pattern_row.h"
#include "solve/multigrid_kernels.h"

#define LANE (w * WARP + t)
#ifdef __CUDACC__
#define STAGE_SINGLE(window, x, b)                                                                           \
    __shared__ float window[SLICE];                                                                          \
    window[SLICE_LANE] = (x)[(b) * (int64_t)SLICE + SLICE_LANE];                                             \
    __syncthreads();
#else
#define STAGE_SINGLE(window, x, b)
#endif

/* The product is made of differences, (A x)_i = s_i x_i + sum of a_ij (x_j - x_i), s_i being the row's sum: in a region
 * of coefficient 1e6 the entries of a row would else leave nothing of what ties the region to the rest. */
SLICE_KERNEL(multigrid_krylov_product, struct krylov_args)
{
    SLICE_VAR(double, xv);
    SLICE_VAR(double, xb);
    SLICE_VAR(double, xw);
    const float *x = a->second ? a->x : a->first;
    STAGE_SINGLE(window, x, b)
    PHASE(w) {
        WARP_VAR(float, v);
        WARP_VAR(float, own);
        LANES(t) {
            int64_t i = ROW(b, w, t);
            IN_WARP(own) = x[i];
            IN_WARP(v) = a->a.excess[i] * x[i];
        }
        ENTRIES_BY(8, a->a, b, w, c, entry, {
            IN_WARP(v) = fmaf(entry, AT_COLUMN(window, x, b, c) - IN_WARP(own), IN_WARP(v));
        })
        LANES(t) {
            int64_t i = ROW(b, w, t);
            double xi = x[i];
            IN_SLICE(xv) = xi * IN_WARP(v);
            IN_SLICE(xb) = xi * a->down.b[i];
            IN_SLICE(xw) = a->second ? xi * a->w[i] : 0.0;
            if (!a->second) a->w[i] = IN_WARP(v);
        }
    }
    SUM_OF_SLICE(a->sums[0], K_XV, b, xv)
    SUM_OF_SLICE(a->sums[0], K_XB, b, xb)
    if (a->second) SUM_OF_SLICE(a->sums[0], K_XW, b, xw)
}

/* Sum k of step 0 or 1.  Those of the first step are stored by multigrid_krylov_restrict() for
 * multigrid_krylov_combine(). */
ON_DEVICE double krylov_sum(const struct krylov_args *a, int step, int k)
{
    bool fold = a->fold && step == a->second;
    return fold ? fold_sum(&a->sums[step], k) : a->sums[step].total[k];
}

SLICE_KERNEL(multigrid_krylov_restrict, struct krylov_args)
{
    SHARED(float, sum, SLICE);
    double xv = krylov_sum(a, 0, K_XV), xb = krylov_sum(a, 0, K_XB), length = a->unit ? 1.0 : xv > 0 ? xb / xv : 0.0;
    if (a->fold && b == 0) ONCE a->sums[0].total[K_XV] = xv, a->sums[0].total[K_XB] = xb;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        a->down.b[i] = sum[a->down.place[i]] = (float)fma(-length, (double)a->w[i], (double)a->down.b[i]);
    }
    restrict_slice(&a->down, b, sum);
}

/* The second direction is made orthogonal to the first in the A-product. */
SLICE_KERNEL(multigrid_krylov_combine, struct krylov_args)
{
    double xv = krylov_sum(a, 0, K_XV), xb = krylov_sum(a, 0, K_XB), xw = krylov_sum(a, 1, K_XW);
    double gamma = xv > 0 ? xw / xv : 0.0, rest = krylov_sum(a, 1, K_XV) - gamma * xw;
    double first = xv > 0 ? xb / xv : 0.0, second = krylov_sum(a, 1, K_XB);
    second = rest > 0 ? second / rest : 0.0;
    if (a->unit) first = second = 1, gamma = 0;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        a->x[i] = (float)fma(first - gamma * second, (double)a->first[i], second * a->x[i]);
    }
}

/* multigrid_krylov_body.h: for kernel bodies: the two steps of a K-cycle, of flexible conjugate gradients (Notay &
 * Vassilevski 2008, algorithm 3.1) or of GCR, which differ in their sums; or those of a W-cycle.  GCR for block
 * matrices uses the same code except for the product.  n: the size of the blocks, a constant. */
#ifndef POISE_MULTIGRID_KRYLOV_BODY_H
#define POISE_MULTIGRID_KRYLOV_BODY_H
#include "gpu/kept_entries.h"
#include "gpu/several_sums.h"
#include "solve/cycle_begin.h"
#include "solve/multigrid_kernels.h"

/* The product is computed from differences, (A x)_i = s_i x_i + sum of a_ij (x_j - x_i) with s_i the row's sum:
 * otherwise, in a region with coefficient 1e6, rounding would remove the coupling of the region to the rest. */
ON_DEVICE void krylov_product(const struct krylov_args *a, int64_t b, const int kept, const int32_t awaited)
{
    SLICE_ARRAY(double, with, K_SUMS);
    const float *x = a->second ? a->x : a->first;
    SLICE_VAR(float, excess);
    KEPT_ENTRIES(row)
    KEEP(row, kept, a->a, b)
    EACH_WARP(w) LANES(t) IN_SLICE(excess) = a->a.excess[ROW(b, w, t)];
    wait_for_slices(awaited);
    STAGE(float, window, x, b)
    PHASE(w) {
        WARP_VAR(float, v);
        WARP_VAR(float, own);
        WARP_VAR(float, right);
        WARP_VAR(float, before);
        LANES(t) {
            int64_t i = ROW(b, w, t);
            IN_WARP(own) = x[i];
            IN_WARP(v) = IN_SLICE(excess) * x[i];
            IN_WARP(right) = a->down.b[i];
            IN_WARP(before) = a->second ? a->w[i] : 0;
        }
        ENTRIES_OF_ROW(row, kept, 8, a->a, b, w, c, entry, {
            IN_WARP(v) = fmaf(entry, AT_COLUMN(window, x, b, c) - IN_WARP(own), IN_WARP(v));
        })
        LANES(t) {
            double xi = a->gcr ? IN_WARP(v) : IN_WARP(own);
            IN_SLICE_AT(with, K_XV) = xi * IN_WARP(v);
            IN_SLICE_AT(with, K_XB) = xi * IN_WARP(right);
            IN_SLICE_AT(with, K_XW) = xi * IN_WARP(before);
            if (!a->second) a->w[ROW(b, w, t)] = IN_WARP(v);
        }
    }
    if (a->second) SUMS_OF_SLICE(a->sums[0], K_SUMS, b, with)
    else SUMS_OF_SLICE(a->sums[0], K_XW, b, with)
}

/* The first n sums of step 0 or 1.  Those of the first step are stored by krylov_restrict() for krylov_combine(). */
ON_DEVICE void krylov_sums(const struct krylov_args *a, int step, const int n, double *sum)
{
    if (a->fold && step == a->second) fold_sums(&a->sums[step], n, sum);
    else for (int k = 0; k < n; k++) sum[k] = a->sums[step].total[k];
}

#define COMPONENT(u) ((u) * a->a.p.pitch + ROW(b, w, t))
ON_DEVICE void krylov_restrict(const struct krylov_args *a, const int n, int64_t b, const int32_t awaited)
{
    SHARED(float, sum, SLICE);
    SLICE_VAR(int32_t, place);
    SLICE_ARRAY(float, v, MOST_BLOCK);
    SLICE_ARRAY(float, r, MOST_BLOCK);
    double of[K_XW];
    EACH_WARP(w) LANES(t) IN_SLICE(place) = a->down.place[ROW(b, w, t)];
    RESTRICTION(down, &a->down, b)
    wait_for_slices(awaited);
    EACH_WARP(w)
        UNROLL for (int u = 0; u < n; u++)
            LANES(t) { IN_SLICE_AT(v, u) = a->w[COMPONENT(u)]; IN_SLICE_AT(r, u) = a->down.b[COMPONENT(u)]; }
    krylov_sums(a, 0, K_XW, of);
    double xv = of[K_XV], xb = of[K_XB], length = a->unit ? 1.0 : xv > 0 ? xb / xv : 0.0;
    if (a->fold && b == 0) ONCE a->sums[0].total[K_XV] = xv, a->sums[0].total[K_XB] = xb;
    UNROLL for (int u = 0; u < n; u++) {
        PHASE(w) LANES(t)
            a->down.b[COMPONENT(u)] = sum[IN_SLICE(place)] =
                (float)fma(-length, (double)IN_SLICE_AT(v, u), (double)IN_SLICE_AT(r, u));
        RESTRICT_SLICE(down, &a->down, u, sum)
    }
}

/* The second direction is made A-orthogonal to the first (block matrices: their products are made orthogonal), unless
 * the two are parallel up to rounding. */
ON_DEVICE void krylov_combine(const struct krylov_args *a, const int n, int64_t b, const int32_t awaited)
{
    SLICE_ARRAY(float, x, MOST_BLOCK);
    SLICE_ARRAY(float, y, MOST_BLOCK);
    double one[K_XW], two[K_SUMS];
    wait_for_slices(awaited);
    EACH_WARP(w)
        UNROLL for (int u = 0; u < n; u++)
            LANES(t) { IN_SLICE_AT(x, u) = a->first[COMPONENT(u)]; IN_SLICE_AT(y, u) = a->x[COMPONENT(u)]; }
    krylov_sums(a, 0, K_XW, one), krylov_sums(a, 1, K_SUMS, two);
    double xv = one[K_XV], gamma = xv > 0 ? two[K_XW] / xv : 0.0, rest = two[K_XV] - gamma * two[K_XW];
    double first = xv > 0 ? one[K_XB] / xv : 0.0, second = two[K_XB];
    second = rest > (n > 1 || a->gcr ? 1e-10 * two[K_XV] : 0) ? second / rest : 0.0;
    if (a->unit) first = second = 1, gamma = 0;
    EACH_WARP(w)
        UNROLL for (int u = 0; u < n; u++)
            LANES(t)
                a->x[COMPONENT(u)] =
                    (float)fma(first - gamma * second, (double)IN_SLICE_AT(x, u), second * IN_SLICE_AT(y, u));
}
#undef COMPONENT
#endif

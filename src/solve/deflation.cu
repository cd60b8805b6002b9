/* Kernels of deflation: coarse matrix and projections (deflation.h). */
#include "solve/deflation_parts.h"
#include "solve/pattern_row.h"
#include "solve/subdomains.h"

/* A row sum below this fraction of its diagonal is the rounding error of a sum that should be zero, and counts as
 * zero. */
#define ROUNDING (8 * DBL_EPSILON)

INDEX_KERNEL(deflation_values, struct deflation_args)
{
    int64_t warp = i / WARP, lane = i % WARP;
    double sum = a->a.diag[i], size = fabs(sum);
    for (int64_t k = a->a.p.warp_start[warp] + lane; k < a->a.p.warp_start[warp + 1]; k += WARP) {
        sum += a->a.val[k];
        size += fabs(a->a.val[k]);
    }
    a->az.sum[i] = fabs(sum) <= ROUNDING * size ? 0 : sum;
    for (int64_t m = a->az.p.warp_start[warp] + lane; m < a->az.p.warp_start[warp + 1]; m += WARP) {
        double v = 0;
        int32_t other = a->az.p.col[m];
        for (int64_t k = a->a.p.warp_start[warp] + lane; k < a->a.p.warp_start[warp + 1]; k += WARP) {
            int32_t c = a->a.p.col[k];
            v += c && a->domain[COLUMN(i / SLICE, c)] == other ? a->a.val[k] : 0;
        }
        a->az.val[m] = other == a->domain[i] ? 0 : v;
    }
}

INDEX_KERNEL(deflation_any_sum, struct deflation_args)
{
    int32_t any = 0;
    for (int64_t r = i * WARP; r < (i + 1) * WARP; r++) any |= a->az.sum[r] != 0;
    a->az.any_sum[i] = any;
}

SLICE_KERNEL(deflation_pairs, struct deflation_args)
{
    SLICE_VAR(double, v);
    int64_t begin = a->pair_start[b], end = a->pair_start[b + 1];
    PHASE(w) LANES(t) IN_SLICE(v) = 0;
    PHASE(w) for (int64_t first = begin + w * WARP; first < end; first += SLICE)
        LANES(t) IN_SLICE(v) += first + t < end ? a->az.val[a->pair_place[first + t]] : 0;
    double total = slice_sum(v);
    ONCE a->pair[b] = total;
}

SLICE_KERNEL(deflation_piece_sums, struct deflation_args)
{
    SLICE_VAR(double, s);
    if (a->done && *a->done) return;
    int32_t first = a->piece_row[b], count = a->piece_row[b + 1] - first;
    PHASE(w) LANES(t) {
        int32_t r = a->row[first + w * WARP + t];
        double v = r < (int32_t)a->a.p.n_padded ? a->v[r] : a->other[r - (int32_t)a->a.p.n_padded];
        IN_SLICE(s) = w * WARP + t < count ? v : 0;
    }
    double total = slice_sum(s);
    ONCE a->own_sum[b] = total;
}

INDEX_KERNEL(deflation_sort_pieces, struct deflation_args) { a->piece_sum[i] = a->gathered[a->slot[i]]; }

SLICE_KERNEL(deflation_inverse, struct deflation_args)
{
    SLICE_VAR(double, s);
    if (a->done && *a->done) return;
    const double *row = a->dense + b * a->ld;
    PHASE(w) LANES(t) IN_SLICE(s) = 0;
    PHASE(w) for (int64_t first = w * WARP; first < a->ld; first += SLICE)
        LANES(t) IN_SLICE(s) = fma(row[first + t], a->w[first + t], IN_SLICE(s));
    double total = slice_sum(s);
    ONCE a->y[b] = total;
}

/* Column by column forwards, row by row backwards: both traverse a row of dense. */
#define ELIMINATE(j, begin, end)                                                                             \
    PHASE(w) for (int32_t from = (begin) + w * WARP; from < (end); from += SLICE)                            \
        LANES(t) if (from + t < (end)) u[from + t] = fma(-a->dense[(j) * a->ld + from + t], u[j], u[from + t]);
SLICE_KERNEL(deflation_triangles, struct deflation_args)
{
    SHARED(double, u, MOST_DOMAINS);
    (void)b;
    if (a->done && *a->done) return;
    PHASE(w) for (int32_t from = w * WARP; from < a->ld; from += SLICE) LANES(t) u[from + t] = a->w[from + t];
    for (int32_t j = 0; j < a->n_solved; j++) ELIMINATE(j, j + 1, a->last[j] + 1)
    PHASE(w) for (int32_t from = w * WARP; from < a->n_solved; from += SLICE)
        LANES(t) if (from + t < a->n_solved) u[from + t] /= a->dense[(from + t) * a->ld + from + t];
    for (int32_t j = a->n_solved - 1; j > 0; j--) ELIMINATE(j, a->first[j], j)
    PHASE(w) for (int32_t from = w * WARP; from < a->n_domains; from += SLICE)
        LANES(t) if (from + t < a->n_domains) a->y[from + t] = from + t < a->n_solved ? u[from + t] : 0;
}

CROWDED_SLICE_KERNEL(deflation_subtract, struct deflation_args, 4)
{
    SLICE_VAR(double, pv);
    if (a->done && *a->done) return;
    PHASE(w) {
        int64_t warp = b * WARPS + w;
        if (a->az.p.warp_start[warp + 1] > a->az.p.warp_start[warp] || a->az.any_sum[warp]) {
            WARP_VAR(double, s);
            WARP_VAR(double, own);
            LANES(t) IN_WARP(own) = a->y[a->domain[ROW(b, w, t)]];
            if (a->az.any_sum[warp]) LANES(t) IN_WARP(s) = a->az.sum[ROW(b, w, t)] * IN_WARP(own);
            else LANES(t) IN_WARP(s) = 0;
            ENTRIES(a->az.p, b, w, k)
                LANES(t) IN_WARP(s) = fma(a->az.val[k + t], a->y[a->az.p.col[k + t]] - IN_WARP(own), IN_WARP(s));
            LANES(t) a->v[ROW(b, w, t)] -= IN_WARP(s);
        }
        LANES(t) IN_SLICE(pv) = a->p[ROW(b, w, t)] * a->v[ROW(b, w, t)];
    }
    SUM_OF_SLICE(a->sums, 0, b, pv)
}

INDEX_KERNEL(deflation_add, struct deflation_args) { a->x[i] += a->y[a->domain[i]]; }

SLICE_KERNEL(deflation_residual, struct deflation_args)
{
    SLICE_VAR(double, vv);
    PHASE(w) LANES(t) {
        int64_t r = ROW(b, w, t);
        double v = a->b[r] - a->p[r];
        a->v[r] = v;
        IN_SLICE(vv) = v * v;
    }
    SUM_OF_SLICE(a->sums, 0, b, vv)
}

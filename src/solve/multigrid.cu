#include "solve/multigrid_kernels.h"
#include "solve/mod_sell_row.h"

INDEX_KERNEL(to_single, struct to_single_args)
{
    double scale = a->norm2 && *a->norm2 > 0 ? 1 / sqrt(*a->norm2) : 1.0;
    a->to[i] = (float)(scale * a->from[i]);
}

#define LANE (w * WARP + t)
#ifdef __CUDACC__
#define STAGE_SINGLE(window, x, b)                                                                           \
    __shared__ float window[SLICE];                                                                          \
    window[SLICE_LANE] = (x)[(b) * (int64_t)SLICE + SLICE_LANE];                                             \
    __syncthreads();
#else
#define STAGE_SINGLE(window, x, b)
#endif

/* z = M r: SWEEPS damped Jacobi sweeps on the slice's own system, from zero. Clobbers nothing but z and next. */
#define SWEEPS 3
#define OMEGA 0.9f
ON_DEVICE void sweep_slice(const struct level_matrix *a, int64_t b, const float *r, float *z)
{
    SLICE_VAR(float, next);
    SLICE_VAR(float, scale);
    PHASE(w) LANES(t) {
        IN_SLICE(scale) = OMEGA / a->diag[ROW(b, w, t)];
        z[LANE] = IN_SLICE(scale) * r[LANE];
    }
    for (int sweep = 1; sweep < SWEEPS; sweep++) {
        PHASE(w) {
            WARP_VAR(float, v);
            LANES(t) IN_WARP(v) = fmaf(-a->diag[ROW(b, w, t)], z[LANE], r[LANE]);
            ENTRIES(*a, b, w, k)
                LANES(t) {
                    int32_t c = a->col[k + t];
                    IN_WARP(v) = fmaf(c < 0 ? -a->val[k + t] : 0.0f, z[c < 0 ? -c - 1 : 0], IN_WARP(v));
                }
            LANES(t) IN_SLICE(next) = fmaf(IN_SLICE(scale), IN_WARP(v), z[LANE]);
        }
        PHASE(w) LANES(t) z[LANE] = IN_SLICE(next);
    }
}

/* r = b - A x of warp w. */
#define RESIDUAL(r, a, rhs, x)                                                                               \
    LANES(t) { int64_t i = ROW(b, w, t); r[LANE] = fmaf(-(a).diag[i], (x)[i], (rhs)[i]); }                \
    ENTRIES(a, b, w, k)                                                                                      \
        LANES(t) { int32_t c = (a).col[k + t]; r[LANE] = fmaf(-(a).val[k + t], AT_COLUMN(window, x, b, c), r[LANE]); }

CROWDED_SLICE_KERNEL(smooth_from_zero, struct smooth_args, 4)
{
    SHARED(float, r, SLICE);
    SHARED(float, z, SLICE);
    PHASE(w) LANES(t) r[LANE] = a->b[ROW(b, w, t)];
    sweep_slice(&a->a, b, r, z);
    PHASE(w) LANES(t) a->to[ROW(b, w, t)] = z[LANE];
}

CROWDED_SLICE_KERNEL(smooth, struct smooth_args, 4)
{
    SHARED(float, r, SLICE);
    SHARED(float, z, SLICE);
    STAGE_SINGLE(window, a->from, b)
    PHASE(w) { RESIDUAL(r, a->a, a->b, a->from) }
    sweep_slice(&a->a, b, r, z);
    PHASE(w) LANES(t) { int64_t i = ROW(b, w, t); a->to[i] = a->from[i] + z[LANE]; }
}

SLICE_KERNEL(residual_restrict, struct restrict_args)
{
    SHARED(float, r, SLICE);
    STAGE_SINGLE(window, a->x, b)
    PHASE(w) { RESIDUAL(r, a->a, a->b, a->x) }
    int32_t first = a->slice_start[b], last = a->slice_start[b + 1];
    PHASE(w) LANES(t) {
        int64_t c = first + LANE;
        if (c < last) {
            float sum = 0;
            for (int32_t k = a->child_start[c]; k < a->child_start[c + 1]; k++) sum += r[a->child[k] - b * SLICE];
            a->coarse_b[c] = sum;
        }
    }
}

INDEX_KERNEL(prolong, struct prolong_args) { a->x[i] += a->coarse_x[a->parent[i]]; }

SLICE_KERNEL(krylov_product, struct krylov_args)
{
    SLICE_VAR(double, xv);
    SLICE_VAR(double, xb);
    SLICE_VAR(double, xw);
    STAGE_SINGLE(window, a->x, b)
    PHASE(w) {
        WARP_VAR(float, v);
        LANES(t) { int64_t i = ROW(b, w, t); IN_WARP(v) = a->a.diag[i] * a->x[i]; }
        ENTRIES(a->a, b, w, k)
            LANES(t) { int32_t c = a->a.col[k + t]; IN_WARP(v) = fmaf(a->a.val[k + t], AT_COLUMN(window, a->x, b, c), IN_WARP(v)); }
        LANES(t) {
            int64_t i = ROW(b, w, t);
            double x = a->x[i];
            (a->second ? a->v : a->w)[i] = IN_WARP(v);
            IN_SLICE(xv) = x * IN_WARP(v);
            IN_SLICE(xb) = x * a->b[i];
            IN_SLICE(xw) = a->second ? x * a->w[i] : 0.0;
        }
    }
    double total = slice_sum(xv);
    ONCE a->partial[K_XV * (int64_t)a->a.n_slices + b] = total;
    total = slice_sum(xb);
    ONCE a->partial[K_XB * (int64_t)a->a.n_slices + b] = total;
    total = slice_sum(xw);
    ONCE a->partial[K_XW * (int64_t)a->a.n_slices + b] = total;
}

/* Length of the first step: x.b / x.Ax; nothing where there is nothing. */
ON_DEVICE double first_length(const double *total) { return total[K_XV] > 0 ? total[K_XB] / total[K_XV] : 0.0; }

INDEX_KERNEL(krylov_step, struct krylov_args)
{
    a->first[i] = a->x[i];
    a->b[i] = (float)fma(-first_length(a->total), (double)a->w[i], (double)a->b[i]);
}

/* Second direction made orthogonal to the first in the A-product (Notay & Vassilevski 2008, algorithm 3.1). */
INDEX_KERNEL(krylov_combine, struct krylov_args)
{
    const double *first = a->total, *second = a->total + K_SUMS;
    double gamma = first[K_XV] > 0 ? second[K_XW] / first[K_XV] : 0.0;
    double rest = second[K_XV] - gamma * second[K_XW], length = rest > 0 ? second[K_XB] / rest : 0.0;
    a->x[i] = (float)fma(first_length(first) - gamma * length, (double)a->first[i], length * a->x[i]);
}

/* Gauss-Jordan without pivoting, in double precision: the matrix is symmetric positive definite. */
SLICE_KERNEL(dense_invert, struct dense_args)
{
    SHARED(double, pivot_row, DENSE_ROWS);
    SHARED(double, pivot_column, DENSE_ROWS);
    int32_t n = a->a.n;
    double *m = a->work;
    (void)b;
    PHASE(w) LANES(t) for (int32_t e = LANE; e < n * n; e += SLICE) m[e] = 0;
    PHASE(w) LANES(t) {
        int32_t row = LANE;
        if (row < n) {
            m[row * n + row] = a->a.diag[row];
            for (int64_t k = a->a.warp_start[row / WARP] + row % WARP; k < a->a.warp_start[row / WARP + 1]; k += WARP)
                if (a->a.col[k]) m[row * n + COLUMN(0, a->a.col[k])] += a->a.val[k];
        }
    }
    /* On constants the matrix is zero: give it there the size that it has elsewhere. */
    double lift = 0;
    if (a->singular) for (int32_t i = 0; i < n; i++) lift += a->a.diag[i] / ((double)n * n);
    PHASE(w) LANES(t) for (int32_t e = LANE; e < n * n; e += SLICE) m[e] += lift;
    for (int32_t k = 0; k < n; k++) {
        double inverse = 1 / m[k * n + k];
        PHASE(w) LANES(t) if (LANE < n) {
            pivot_row[LANE] = m[k * n + LANE] * inverse;
            pivot_column[LANE] = m[LANE * n + k];
        }
        PHASE(w) for (int32_t i = w; i < n; i += WARPS)
            for (int32_t first = 0; first < n; first += WARP)
                LANES(t) {
                    int32_t j = first + t;
                    if (j < n) {
                        double *e = &m[i * n + j];
                        *e = i == k ? (j == k ? inverse : pivot_row[j])
                                    : j == k ? -pivot_column[i] * inverse : fma(-pivot_column[i], pivot_row[j], *e);
                    }
                }
    }
    PHASE(w) LANES(t) for (int32_t e = LANE; e < n * n; e += SLICE) a->inverse[e] = (float)m[e];
}

SLICE_KERNEL(dense_solve, struct dense_args)
{
    int32_t n = a->a.n;
    PHASE(w) LANES(t) {
        double sum = 0;
        if (LANE < n) for (int32_t j = 0; j < n; j++) sum = fma((double)a->inverse[j * n + LANE], (double)a->b[j], sum);
        a->x[ROW(b, w, t)] = (float)sum;
    }
}

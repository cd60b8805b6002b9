#include "solve/multigrid_kernels.h"
#include "solve/cycle_begin.h"
#include "solve/pattern_row.h"

INDEX_KERNEL(multigrid_to_single, struct to_single_args) { a->to[i] = (float)a->from[i]; }

#define LANE (w * WARP + t)

SLICE_KERNEL(multigrid_copy_level, struct copy_level_args)
{
    PHASE(w) {
        WARP_VAR(double, excess);
        WARP_VAR(double, entries);
        LANES(t) { IN_WARP(excess) = a->from.diag[ROW(b, w, t)]; IN_WARP(entries) = 0; }
        ENTRIES(a->from.p, b, w, k)
            LANES(t) {
                double v = a->from.val[k + t];
                float single = (float)v;
                IN_WARP(excess) += v;
                IN_WARP(entries) += single;
                a->to.val[k + t] = single;
            }
        LANES(t) {
            a->to.excess[ROW(b, w, t)] = (float)IN_WARP(excess);
            a->to.diag[ROW(b, w, t)] = (float)(IN_WARP(excess) - IN_WARP(entries));
        }
    }
}

SLICE_KERNEL(multigrid_count_rows, struct count_rows_args)
{
    SLICE_VAR(double, stretched);
    SLICE_VAR(double, entries);
    PHASE(w) {
        WARP_VAR(float, most);
        WARP_VAR(float, second);
        WARP_VAR(float, third);
        LANES(t) IN_WARP(most) = IN_WARP(second) = IN_WARP(third) = 0;
        LANES(t) IN_SLICE(entries) = 0;
        ENTRIES(a->a.p, b, w, k)
            LANES(t) {
                float v = fabsf(a->a.val[k + t]), rest = fminf(v, IN_WARP(most));
                IN_SLICE(entries) += a->a.p.col[k + t] != 0;
                IN_WARP(most) = fmaxf(v, IN_WARP(most));
                IN_WARP(third) = fmaxf(IN_WARP(third), fminf(rest, IN_WARP(second)));
                IN_WARP(second) = fmaxf(rest, IN_WARP(second));
            }
        LANES(t) IN_SLICE(stretched) = ROW(b, w, t) < a->a.p.n && IN_WARP(third) < 0.1f * IN_WARP(most);
    }
    SUM_OF_SLICE(a->sums, ROWS_ENTRIES, b, entries)
    SUM_OF_SLICE(a->sums, ROWS_STRETCHED, b, stretched)
}

SLICE_KERNEL(multigrid_begin, struct begin_args)
{
    SHARED(float, sum, SLICE);
    double norm2 = a->norm2 ? *a->norm2 : 0, scale = norm2 > 0 ? 1 / sqrt(norm2) : 1.0;
    RESTRICTION(down, &a->to, b)
    for (int u = 0; u < (int)a->to.block; u++) {
        PHASE(w) LANES(t) {
            int64_t i = ROW(b, w, t), at = u * a->to.pitch + i;
            a->to.b[at] = sum[a->to.place[i]] = (float)(scale * a->r[at]);
        }
        RESTRICT_SLICE(down, &a->to, u, sum)
    }
}

INDEX_KERNEL(multigrid_end, struct end_args)
{
    double norm2 = a->norm2 ? *a->norm2 : 0;
    a->z[i] = norm2 > 0 ? sqrt(norm2) * a->x[i] : a->x[i];
}

SLICE_KERNEL(multigrid_restrict, struct restrict_args) { restrict_level(a, (int)a->block, b, 0); }

/* Gauss-Jordan without pivoting, in double precision: the matrix is symmetric positive definite.  It stays in shared
 * memory, because each of its n steps waits for the one before. */
SLICE_KERNEL(multigrid_dense_invert, struct dense_args)
{
    SHARED(double, m, DENSE_ROWS * DENSE_ROWS);
    SHARED(double, pivot_row, DENSE_ROWS);
    SHARED(double, pivot_column, DENSE_ROWS);
    int32_t n = a->a.p.n;
    (void)b;
    PHASE(w) LANES(t) for (int32_t e = LANE; e < n * n; e += SLICE) m[e] = 0;
    PHASE(w) LANES(t) {
        int32_t row = LANE;
        if (row < n) {
            double d = a->a.excess[row];
            for (int64_t k = a->a.p.warp_start[row / WARP] + row % WARP; k < a->a.p.warp_start[row / WARP + 1];
                 k += WARP)
                if (a->a.p.col[k]) {
                    m[row * n + COLUMN(0, a->a.p.col[k])] += a->a.val[k];
                    d -= a->a.val[k];
                }
            m[row * n + row] = d;
        }
    }
    /* A singular matrix is zero on constants: there it is given the size that it has elsewhere. */
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

/* Kernels of multigrid: values of a level, restriction, solution on the coarsest level (multigrid_kernels.h). */
#include "solve/multigrid_kernels.h"
#include "gpu/kept_entries.h"
#include "gpu/several_sums.h"
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

INDEX_KERNEL(multigrid_mean_entries, struct copy_level_args)
{
    const int32_t own = -(int32_t)(i % SLICE) - 1;
    ROW_ENTRIES(a->from, i, k) {
        int32_t c = a->from.p.col[k];
        double back = 0;
        if (c >= 0) continue;
        ROW_ENTRIES(a->from, i / SLICE * SLICE - c - 1, other)
            if (a->from.p.col[other] == own) back = a->from.val[other];
        a->to.val[k] = (float)(0.5 * (a->from.val[k] + back));
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

SLICE_KERNEL(multigrid_end, struct end_args)
{
    double norm2 = a->norm2 ? *a->norm2 : 0, scale = norm2 > 0 ? sqrt(norm2) : 1.0;
    for (int u = 0; u < (int)a->block; u++)
        EACH_WARP(w) LANES(t) {
            int64_t at = u * a->pitch + ROW(b, w, t);
            a->z[at] = scale * a->x[at];
        }
}

SLICE_KERNEL(multigrid_restrict, struct restrict_args) { restrict_level(a, (int)a->block, b, 0); }

/* The last level's matrix, m [n n]; and size [n]: the diagonal over n^2. */
ON_DEVICE void dense_begin(const struct dense_args *a, int64_t b, double *m, double *size)
{
    const int32_t n = a->a.p.n;
    KEPT_ENTRIES(row)
    KEEP(row, USUAL_KEPT, a->a, b)
    PHASE(w) LANES(t) {
        for (int32_t e = LANE; e < n * n; e += SLICE) m[e] = 0;
        size[LANE] = LANE < n ? a->a.diag[LANE] / ((double)n * n) : 0;
    }
    PHASE(w) {
        WARP_VAR(double, d);
        LANES(t) IN_WARP(d) = LANE < n ? a->a.excess[LANE] : 0;
        ENTRIES_OF_ROW(row, USUAL_KEPT, 8, a->a, b, w, c, v, {
            if (c && LANE < n) {
                m[a->nonsymmetric ? COLUMN(0, c) * n + LANE : LANE * n + COLUMN(0, c)] += v;
                IN_WARP(d) -= v;
            }
        })
        LANES(t) if (LANE < n) m[LANE * n + LANE] = IN_WARP(d);
    }
}

/* Gauss-Jordan without pivoting, in double precision: the matrix is symmetric positive definite.  Each of its n steps
 * depends on the one before, so lanes keep their entries, and only the next pivot's row and column are passed to the
 * others in each step, with one barrier, because they alternate between two buffers. */
enum { DENSE_HIGH = (DENSE_ROWS + WARPS - 1) / WARPS, DENSE_WIDE = (DENSE_ROWS + WARP - 1) / WARP,
       DENSE_ENTRIES = DENSE_HIGH * DENSE_WIDE };
/* Row and column of entry e of a lane. */
#define DENSE_ROW(e) ((e) / DENSE_WIDE * WARPS + w)
#define DENSE_COLUMN(e) ((e) % DENSE_WIDE * WARP + t)
SLICE_KERNEL(multigrid_dense_invert, struct dense_args)
{
    SHARED(double, m, DENSE_ROWS * DENSE_ROWS);
    SHARED(double, pivot_row, 2 * DENSE_ROWS);
    SHARED(double, pivot_column, 2 * DENSE_ROWS);
    SHARED(double, size, SLICE);
    SLICE_ARRAY(double, entry, DENSE_ENTRIES);
    const int32_t n = a->a.p.n;
    dense_begin(a, b, m, size);
    /* A singular matrix is zero on constants: there it gets the same magnitude as elsewhere. */
    double lift = 0;
    if (a->singular) for (int32_t i = 0; i < n; i++) lift += size[i];
    PHASE(w) UNROLL for (int e = 0; e < DENSE_ENTRIES; e++)
        LANES(t) {
            const int32_t i = DENSE_ROW(e), j = DENSE_COLUMN(e);
            if (i < n && j < n) {
                double v = m[i * n + j] + lift;
                IN_SLICE_AT(entry, e) = v;
                if (i == 0) pivot_row[j] = v;
                if (j == 0) pivot_column[i] = v;
            }
        }
    for (int32_t k = 0; k < n; k++) {
        const double *row = pivot_row + k % 2 * DENSE_ROWS, *column = pivot_column + k % 2 * DENSE_ROWS;
        double *next_row = pivot_row + (1 - k % 2) * DENSE_ROWS, *next_column = pivot_column + (1 - k % 2) * DENSE_ROWS;
        const double inverse = 1 / row[k];
        PHASE(w) UNROLL for (int e = 0; e < DENSE_ENTRIES; e++)
            LANES(t) {
                const int32_t i = DENSE_ROW(e), j = DENSE_COLUMN(e);
                if (i < n && j < n) {
                    double right = row[j] * inverse, v = IN_SLICE_AT(entry, e);
                    v = i == k ? (j == k ? inverse : right) : j == k ? -column[i] * inverse : fma(-column[i], right, v);
                    IN_SLICE_AT(entry, e) = v;
                    if (i == k + 1) next_row[j] = v;
                    if (j == k + 1) next_column[i] = v;
                }
            }
    }
    EACH_WARP(w) UNROLL for (int e = 0; e < DENSE_ENTRIES; e++)
        LANES(t) {
            const int32_t i = DENSE_ROW(e), j = DENSE_COLUMN(e);
            if (i < n && j < n) a->inverse[i * n + j] = (float)IN_SLICE_AT(entry, e);
        }
}

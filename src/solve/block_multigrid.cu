/* Multigrid on block matrices (block_kernels.h). */
#include "solve/block_kernels.h"
#include "solve/block_row.h"
#include "solve/multigrid_krylov_body.h"

#define LANE (w * WARP + t)

#define BODY "solve/block_multigrid_body.h"
#include "solve/for_each_block.h"

WARP_KERNEL(block_strength, struct block_strength_args)
{
    const int block = a->from.block, square = block * block;
    WARP_VAR(float, sum);
    LANES(t) IN_WARP(sum) = 0;
    ENTRIES(a->from.p, 0, w, k)
        LANES(t) {
            double v = a->from.val ? a->from.val[BLOCK_NUMBER(k + t, square - 1, square)]
                                   : (double)a->from.arrow.val[BLOCK_NUMBER(k + t, block, block + 1)];
            int64_t own = BLOCK_NUMBER(w * WARP + t, square - 1, square);
            double diag = a->from.val ? a->from.diag[own] : (double)a->from.arrow.diag[own];
            float strength = v * diag < 0 ? (float)fabs(v) : 0.0f;
            IN_WARP(sum) += strength;
            a->to.val[k + t] = -strength;
        }
    LANES(t) {
        int64_t i = w * WARP + t;
        a->to.excess[i] = i < a->from.p.n ? 0 : 1;
        a->to.diag[i] = a->to.excess[i] + IN_WARP(sum);
    }
}

/* ---------------------------------------------------------------- the coarsest level */
/* Number e of the entry at k. */
ON_DEVICE float entry(const struct level_matrix *a, int64_t k, int e)
{
    const int n = a->block, number = a->arrow ? ARROW_NUMBER(e, n) : e;
    return number < 0 ? 0.0f : a->val[BLOCK_NUMBER(k, number, (a->arrow ? n + 1 : n * n))];
}

/* m = the matrix with all its zeros; size: number of unknowns. */
ON_DEVICE void assemble(const struct dense_args *a, double *m, int32_t size)
{
    const int n = a->a.block, square = n * n;
    const int32_t rows = a->a.p.n;
    PHASE(w) LANES(t) for (int32_t e = LANE; e < size * size; e += SLICE) m[e] = 0;
    PHASE(w) LANES(t) {
        int32_t r = LANE;
        if (r < rows) {
            int64_t k = a->a.p.warp_start[r / WARP] + r % WARP, end = a->a.p.warp_start[r / WARP + 1];
            for (int e = 0; e < square; e++)
                m[(e / n * rows + r) * size + e % n * rows + r] = a->a.diag[BLOCK_NUMBER(r, e, square)];
            for (; k < end; k += WARP)
                for (int e = 0; e < square && a->a.p.col[k]; e++) {
                    const int32_t j = e % n * rows + COLUMN(0, a->a.p.col[k]);
                    m[(e / n * rows + r) * size + j] += entry(&a->a, k, e);
                }
        }
    }
    if (!a->singular) return;
    /* The matrix is zero on constants of the last unknown: there it gets the same magnitude as elsewhere. */
    const int32_t last = (n - 1) * rows;
    double lift = 0;
    for (int32_t r = 0; r < rows; r++) lift += a->a.diag[BLOCK_NUMBER(r, square - 1, square)] / ((double)rows * rows);
    PHASE(w) LANES(t)
        for (int32_t e = LANE; e < rows * rows; e += SLICE) m[(last + e / rows) * size + last + e % rows] += lift;
}

/* Gauss-Jordan with partial pivoting, in double precision and in place: exchanges of rows become exchanges of the
 * inverse's columns, in reverse order. */
SLICE_KERNEL(block_dense_invert, struct dense_args)
{
    SHARED(double, pivot_row, DENSE_UNKNOWNS);
    SHARED(double, row, DENSE_UNKNOWNS);
    SHARED(double, column, DENSE_UNKNOWNS);
    SHARED(int32_t, exchanged, DENSE_UNKNOWNS);
    const int32_t size = a->a.p.n * a->a.block;
    double *m = a->work;
    (void)b;
    assemble(a, m, size);
    for (int32_t k = 0; k < size; k++) {
        PHASE(w) LANES(t) if (LANE < size) column[LANE] = m[LANE * size + k], row[LANE] = m[k * size + LANE];
        int32_t best = k;
        for (int32_t i = k + 1; i < size; i++) best = fabs(column[i]) > fabs(column[best]) ? i : best;
        const double inverse = 1 / column[best], above = column[k];
        PHASE(w) LANES(t) {
            if (LANE < size) pivot_row[LANE] = m[best * size + LANE] * inverse;
            if (LANE == k) exchanged[k] = best;
        }
        PHASE(w) for (int32_t i = w; i < size; i += WARPS) {
            const double factor = i == best ? above : column[i];
            for (int32_t first = 0; first < size; first += WARP)
                LANES(t) {
                    int32_t j = first + t;
                    if (j < size) {
                        double *e = &m[i * size + j], before = i == best ? row[j] : *e;
                        if (i == k) *e = j == k ? inverse : pivot_row[j];
                        else *e = j == k ? -factor * inverse : fma(-factor, pivot_row[j], before);
                    }
                }
        }
    }
    PHASE(w) LANES(t) if (LANE < size) {
        double *own = m + LANE * size;
        for (int32_t k = size - 1; k >= 0; k--) {
            double v = own[k];
            own[k] = own[exchanged[k]];
            own[exchanged[k]] = v;
        }
        for (int32_t k = 0; k < size; k++) a->inverse[k * size + LANE] = (float)own[k];
    }
}

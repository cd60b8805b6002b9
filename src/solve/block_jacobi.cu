/* Block-Jacobi (Wikberg 2024, section 4.3): z = M r, where every block is the local system of one slice, solved
 * inexactly by a few sweeps from z = 0.  Coefficients are read again in every sweep, because a slice's are in the L1
 * cache by then. */
#include "solve/block_jacobi.h"
#include "solve/cg_kernels.h"
#include "solve/cg_state.h"
#include "solve/pattern_row.h"

/* v += (off-diagonals of the slice's own system) y, for warp w; entries to other slices count as 0. */
#define ADD_LOCAL(v, y)                                                                                      \
    ENTRIES(a->p, b, w, k)                                                                                   \
        LANES(t) {                                                                                           \
            int32_t c = a->p.col[k + t];                                                                     \
            IN_WARP(v) = fma(c < 0 ? a->val[k + t] : 0, y[c < 0 ? -c - 1 : 0], IN_WARP(v));                  \
        }
#define LANE (w * WARP + t)

/* z += omega D^-1 (r - A z), damped so that an even number of sweeps is as good as an odd one if D^-1 A has eigenvalues
 * near 2 (measured: two sweeps save 40 % of the iterations of Jacobi-CG, four 57 %).  M is symmetric, and positive
 * definite for every number of sweeps as long as the eigenvalues are below 2 / omega. */
#define OMEGA 0.9
ON_DEVICE void jacobi_sweeps(const struct matrix *a, int64_t b, int32_t sweeps, const double *r, double *z)
{
    SLICE_VAR(double, next);
    PHASE(w) LANES(t) z[LANE] = OMEGA * r[LANE] / a->diag[ROW(b, w, t)];
    for (int32_t sweep = 1; sweep < sweeps; sweep++) {
        PHASE(w) {
            WARP_VAR(double, v);
            LANES(t) IN_WARP(v) = a->diag[ROW(b, w, t)] * z[LANE];
            ADD_LOCAL(v, z)
            LANES(t) IN_SLICE(next) = z[LANE] + OMEGA * (r[LANE] - IN_WARP(v)) / a->diag[ROW(b, w, t)];
        }
        PHASE(w) LANES(t) z[LANE] = IN_SLICE(next);
    }
}

/* Warps one after the other, forwards and backwards, so that M is symmetric; inside a warp this is a Jacobi sweep. */
ON_DEVICE void gauss_seidel_sweeps(const struct matrix *a, int64_t b, int32_t sweeps, const double *r, double *z)
{
    SLICE_VAR(double, next);
    PHASE(w) LANES(t) z[LANE] = 0;
    for (int32_t turn = 0; turn < 2 * WARPS * sweeps; turn++) {
        int32_t place = turn % (2 * WARPS), turned = place < WARPS ? place : 2 * WARPS - 1 - place;
        PHASE(w) if (w == turned) {
            WARP_VAR(double, v);
            LANES(t) IN_WARP(v) = a->diag[ROW(b, w, t)] * z[LANE];
            ADD_LOCAL(v, z)
            LANES(t) IN_SLICE(next) = z[LANE] + (r[LANE] - IN_WARP(v)) / a->diag[ROW(b, w, t)];
        }
        PHASE(w) if (w == turned) LANES(t) z[LANE] = IN_SLICE(next);
    }
}

/* Conjugate gradients with Jacobi on the local system: M depends on r, so the outer iteration must be flexible. */
ON_DEVICE void cg_sweeps(const struct matrix *a, int64_t b, int32_t sweeps, const double *r, double *z)
{
    SHARED(double, p, SLICE);
    SLICE_VAR(double, residual);
    SLICE_VAR(double, q);
    SLICE_VAR(double, product);
    PHASE(w) LANES(t) {
        IN_SLICE(residual) = r[LANE];
        p[LANE] = r[LANE] / a->diag[ROW(b, w, t)];
        z[LANE] = 0;
        IN_SLICE(product) = r[LANE] * p[LANE];
    }
    SUM_FOR_ALL(rz, product)
    for (int32_t sweep = 0; sweep < sweeps; sweep++) {
        PHASE(w) {
            WARP_VAR(double, v);
            LANES(t) IN_WARP(v) = a->diag[ROW(b, w, t)] * p[LANE];
            ADD_LOCAL(v, p)
            LANES(t) {
                IN_SLICE(q) = IN_WARP(v);
                IN_SLICE(product) = p[LANE] * IN_WARP(v);
            }
        }
        SUM_FOR_ALL(pq, product)
        double alpha = pq > 0 ? rz / pq : 0;
        PHASE(w) LANES(t) {
            double d = IN_SLICE(residual) - alpha * IN_SLICE(q);
            z[LANE] = fma(alpha, p[LANE], z[LANE]);
            IN_SLICE(residual) = d;
            IN_SLICE(product) = d * (d / a->diag[ROW(b, w, t)]);
        }
        SUM_FOR_ALL(rz_new, product)
        double beta = rz > 0 ? rz_new / rz : 0;
        rz = rz_new;
        PHASE(w) LANES(t) p[LANE] = fma(beta, p[LANE], IN_SLICE(residual) / a->diag[ROW(b, w, t)]);
    }
}

ON_DEVICE void inner_sweeps(const struct matrix *a, int64_t b, int32_t method, int32_t sweeps, const double *r,
                            double *z)
{
    if (method == INNER_JACOBI) jacobi_sweeps(a, b, sweeps, r, z);
    else if (method == INNER_GAUSS_SEIDEL) gauss_seidel_sweeps(a, b, sweeps, r, z);
    else cg_sweeps(a, b, sweeps, r, z);
}

SLICE_KERNEL(cg_update_block, struct cg_args)
{
    SHARED(double, r, SLICE);
    SHARED(double, z, SLICE);
    SLICE_VAR(double, rz);
    SLICE_VAR(double, rr);
    SLICE_VAR(double, zd);
    struct cg_step s = step_state(a, b, a->fold);
    if (s.done) return;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        double d = fma(-s.length, a->q[i], a->r[i]);
        a->r[i] = r[LANE] = d;
    }
    if (a->everywhere || smoothing_step(a->searched, a->searched->iteration + 1)) {
        inner_sweeps(&a->a, b, a->inner, a->inner_sweeps, r, z);
    } else {
        PHASE(w) LANES(t) z[LANE] = a->outer ? r[LANE] / a->outer[ROW(b, w, t)] : r[LANE];
    }
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        a->z[i] = z[LANE];
        IN_SLICE(rz) = r[LANE] * z[LANE];
        IN_SLICE(rr) = r[LANE] * r[LANE];
        IN_SLICE(zd) = -s.length * a->q[i] * z[LANE];
    }
    SUM_OF_SLICE(a->sums, CG_RZ, b, rz)
    SUM_OF_SLICE(a->sums, CG_RR, b, rr)
    SUM_OF_SLICE(a->sums, CG_ZD, b, zd)
}

SLICE_KERNEL(block_jacobi_apply, struct block_jacobi_args)
{
    SHARED(double, r, SLICE);
    SHARED(double, z, SLICE);
    PHASE(w) LANES(t) r[LANE] = a->b[ROW(b, w, t)];
    inner_sweeps(&a->a, b, a->inner, a->inner_sweeps, r, z);
    PHASE(w) LANES(t) a->x[ROW(b, w, t)] = z[LANE];
}

/* Reads and writes data that other slices read and write at the same time. */
SLICE_KERNEL(block_jacobi_update, struct block_jacobi_args)
{
    SHARED(double, r, SLICE);
    SHARED(double, z, SLICE);
    PHASE(w) {
        WARP_VAR(double, v);
        LANES(t) { int64_t i = ROW(b, w, t); IN_WARP(v) = fma(-a->a.diag[i], a->x[i], a->b[i]); }
        ENTRIES(a->a.p, b, w, k)
            LANES(t) IN_WARP(v) = fma(-a->a.val[k + t], FRESH(a->x + COLUMN(b, a->a.p.col[k + t])), IN_WARP(v));
        LANES(t) r[LANE] = IN_WARP(v);
    }
    inner_sweeps(&a->a, b, a->inner, a->inner_sweeps, r, z);
    PHASE(w) {
        LANES(t) a->x[ROW(b, w, t)] += z[LANE];
        PUBLISH;
    }
}

/* Kernels of conjugate gradients (cg_kernels.h). */
#include "solve/cg_kernels.h"
#include "solve/cg_state.h"
#include "solve/cycle_begin.h"
#include "solve/multigrid_smooth_body.h"
#include "solve/pattern_row.h"

INDEX_KERNEL(cg_begin, struct cg_begin_args)
{
    if (a->z) a->z[i] = a->weight ? a->b[i] / a->weight[i] : a->b[i];
    if (a->r) a->r[i] = a->b[i];
    a->p[i] = 0;
}

SLICE_KERNEL(cg_begin_zero, struct cg_zero_args)
{
    const struct cg_args *cg = &a->cg;
    SLICE_VAR(double, rr);
    double mean = a->mean ? sum_of(cg, cg->fold, 0) / (double)cg->a.p.n_global : 0;
    step_state(cg, b, false);
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        double r = i < cg->a.p.n ? a->b[i] - mean : a->b[i];
        a->b[i] = cg->r[i] = r;
        cg->x[i] = cg->p[i] = 0;
        IN_SLICE(rr) = r * r;
    }
    SUM_OF_SLICE(cg->sums, CG_RR, b, rr)
}

CROWDED_SLICE_KERNEL(cg_direction, struct cg_args, 3)
{
    double alpha = a->stepped->alpha, norm = a->cycle ? sqrt(a->stepped->scale2) : 0;
    struct cg_step s = search_state(a, b, a->fold);
    if (a->stepped->done) return;
    PHASE(w) LANES(t) {
        int64_t r = ROW(b, w, t);
        double p = a->p_old[r], z = a->cycle ? norm * a->cycle[r] : a->z[r];
        a->x[r] = fma(alpha, p, a->x[r]);
        a->p[r] = fma(s.length, p, z);
    }
}

CROWDED_SLICE_KERNEL(cg_product, struct cg_args, 4)
{
    if (a->searched->done) return;
    SLICE_VAR(double, pq);
    STAGE(double, window, a->p, b);
    PHASE(w) {
        WARP_VAR(double, q);
        LANES(t) { int64_t r = ROW(b, w, t); IN_WARP(q) = a->a.diag[r] * a->p[r]; }
        ENTRIES(a->a.p, b, w, k)
            LANES(t) {
                int32_t c = a->a.p.col[k + t];
                IN_WARP(q) = fma(a->a.val[k + t], AT_COLUMN(window, a->p, b, c), IN_WARP(q));
            }
        LANES(t) IN_SLICE(pq) = a->p[ROW(b, w, t)] * IN_WARP(q);
        if (a->weight) LANES(t) a->q[ROW(b, w, t)] = IN_WARP(q) / a->weight[ROW(b, w, t)];
        else LANES(t) a->q[ROW(b, w, t)] = IN_WARP(q);
    }
    SUM_OF_SLICE(a->sums, CG_PQ, b, pq)
}

/* Both in one kernel: p of the slice is computed in shared memory, p of neighbours in other slices is recomputed. */
ON_DEVICE void direction_product(const struct cg_args *a, int64_t b, const bool fold)
{
    SHARED(double, window, SLICE);
    SLICE_VAR(double, pq);
    double alpha = a->stepped->alpha;
    struct cg_step s = search_state(a, b, fold);
    if (a->stepped->done) return;
    PHASE(w) LANES(t) {
        int64_t r = ROW(b, w, t);
        double old = a->p_old[r], x = a->x[r], p = fma(s.length, old, a->z[r]);
        a->x[r] = fma(alpha, old, x);
        a->p[r] = window[w * WARP + t] = p;
    }
    if (s.done) return;
    PHASE(w) {
        WARP_VAR(double, q);
        LANES(t) IN_WARP(q) = a->a.diag[ROW(b, w, t)] * window[w * WARP + t];
        ENTRIES(a->a.p, b, w, k)
            LANES(t) {
                int32_t c = a->a.p.col[k + t], j = c > 0 ? c - 1 : 0;
                double p = c < 0 ? window[-c - 1] : fma(s.length, a->p_old[j], a->z[j]);
                IN_WARP(q) = fma(a->a.val[k + t], p, IN_WARP(q));
            }
        LANES(t) IN_SLICE(pq) = window[w * WARP + t] * IN_WARP(q);
        if (a->weight) LANES(t) a->q[ROW(b, w, t)] = IN_WARP(q) / a->weight[ROW(b, w, t)];
        else LANES(t) a->q[ROW(b, w, t)] = IN_WARP(q);
    }
    SUM_OF_SLICE(a->sums, CG_PQ, b, pq)
}
CROWDED_SLICE_KERNEL(cg_direction_product, struct cg_args, 3) { direction_product(a, b, false); }
SLICE_KERNEL(cg_direction_product_folded, struct cg_args) { direction_product(a, b, true); }

ON_DEVICE void update(const struct cg_args *a, int64_t b, const bool fold)
{
    SLICE_VAR(double, rz);
    SLICE_VAR(double, rr);
    struct cg_step s = step_state(a, b, fold);
    if (s.done) return;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        double z = fma(-s.length, a->q[i], a->z[i]), r = a->weight ? a->weight[i] * z : z;
        a->z[i] = z;
        IN_SLICE(rz) = r * z;
        IN_SLICE(rr) = r * r;
    }
    SUM_OF_SLICE(a->sums, CG_RZ, b, rz)
    SUM_OF_SLICE(a->sums, CG_RR, b, rr)
}
CROWDED_SLICE_KERNEL(cg_update, struct cg_args, 4) { update(a, b, false); }
SLICE_KERNEL(cg_update_folded, struct cg_args) { update(a, b, true); }

CROWDED_SLICE_KERNEL(cg_update_residual, struct cg_args, 3)
{
    SLICE_VAR(double, rr);
    struct cg_step s = step_state(a, b, a->fold);
    if (s.done) return;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        double r = fma(-s.length, a->q[i], a->r[i]);
        a->r[i] = r;
        IN_SLICE(rr) = r * r;
    }
    SUM_OF_SLICE(a->sums, CG_RR, b, rr)
}

CROWDED_SLICE_KERNEL(cg_update_cycle, struct cg_cycle_args, 3)
{
    const struct cg_args *cg = &a->cg;
    SHARED(float, sum, SLICE);
    SLICE_VAR(double, rr);
    RESTRICTION(down, &a->to, b)
    struct cg_step s = step_state(cg, b, cg->fold);
    if (s.done) return;
    double scale2 = cg->searched->rr, scale = 1 / sqrt(scale2);
    if (b == 0) ONCE cg->stepped->scale2 = scale2;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        double r = fma(-s.length, cg->q[i], cg->r[i]);
        cg->r[i] = r;
        a->to.b[i] = sum[a->to.place[i]] = (float)(scale * r);
        IN_SLICE(rr) = r * r;
    }
    RESTRICT_SLICE(down, &a->to, 0, sum)
    SUM_OF_SLICE(cg->sums, CG_RR, b, rr)
}

/* z.r and z.d of slice b. */
ON_DEVICE void take(const struct cg_args *a, int64_t b)
{
    SLICE_VAR(double, rz);
    SLICE_VAR(double, zd);
    double alpha = a->stepped->alpha, norm = a->cycle ? sqrt(a->stepped->scale2) : 0;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        double z = a->cycle ? norm * a->cycle[i] : a->z[i];
        IN_SLICE(rz) = a->r[i] * z;
        IN_SLICE(zd) = -alpha * a->q[i] * z;
    }
    SUM_OF_SLICE(a->sums, CG_RZ, b, rz)
    SUM_OF_SLICE(a->sums, CG_ZD, b, zd)
}
SLICE_KERNEL(cg_take, struct cg_args) { if (!a->stepped->done) take(a, b); }

ON_DEVICE void smooth_take(const struct cg_last_args *a, int64_t b, const int kept)
{
    if (a->cg.stepped->done) return;
    smoothing(&a->last, b, false, kept, 0);
    take(&a->cg, b);
}
CROWDED_SLICE_KERNEL(cg_smooth_take, struct cg_last_args, 3) { smooth_take(a, b, USUAL_KEPT); }
CROWDED_SLICE_KERNEL(cg_smooth_take_short, struct cg_last_args, 4) { smooth_take(a, b, SHORT_KEPT); }
CROWDED_SLICE_KERNEL(cg_smooth_take_long, struct cg_last_args, 2) { smooth_take(a, b, LONG_KEPT); }
SLICE_KERNEL(cg_smooth_take_few, struct cg_last_args) { smooth_take(a, b, MOST_KEPT); }

/* Adds r.r itself if there is one rank. */
SLICE_KERNEL(cg_decide, struct cg_args)
{
    (void)b;
    double rr = sum_of(a, !a->sums.ranks, CG_RR);
    ONCE {
        struct cg_state *s = a->stepped;
        if (!s->done) {
            struct cg_verdict v = judge(a, s, rr);
            s->done = v.done;
            s->behind = v.done != 0;
            if (s->scale2 == 0) s->scale2 = rr;
            note_verdict(a, s, &v, 0);
        }
    }
}

SLICE_KERNEL(cg_finish, struct cg_args)
{
    SLICE_VAR(double, sum);
    const bool behind = a->stepped->behind;
    double alpha = a->stepped->alpha;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        double x = behind ? fma(alpha, a->p[i], a->x[i]) : a->x[i];
        a->x[i] = IN_SLICE(sum) = x;
    }
    SUM_OF_SLICE(a->sums, 0, b, sum)
}

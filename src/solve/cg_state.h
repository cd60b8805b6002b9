/* cg_state.h: for the bodies of CG's kernels: the scalars of an iteration, made from the sums of the slices. */
#ifndef POISE_CG_STATE_H
#define POISE_CG_STATE_H
#include "solve/cg_kernels.h"
#include "solve/finite.h"

/* Steps -1 (from r = b to b - A x) and 0 .. before-1, then one after every `every` of CG: x += M r. */
ON_DEVICE bool smoothing_step(const struct cg_state *s, int32_t step)
{
    return step < s->before || (s->every > 0 && (step - s->before) % (s->every + 1) == s->every);
}

/* The sum of a SLICE_VAR, valid in every lane. */
#define SUM_FOR_ALL(sum, v)                                                                                  \
    SHARED(double, sum##_shared, 1);                                                                         \
    double sum = slice_sum(v);                                                                               \
    PHASE(w) ONCE sum##_shared[0] = sum;                                                                     \
    sum = sum##_shared[0];

/* Every lane of the slice adds all partial sums by the tree of finish_sum(), or reads what finish_sum() left. */
ON_DEVICE double sum_of(const struct cg_args *a, int which)
{
    if (!a->fold) return a->total[which];
    SLICE_VAR(double, v);
    const double *partial = a->partial + which * (int64_t)a->a.n_slices;
    PHASE(w) LANES(t) IN_SLICE(v) = 0;
    PHASE(w) for (int32_t first = w * WARP; first < a->a.n_slices; first += SLICE)
        LANES(t) IN_SLICE(v) += first + t < a->a.n_slices ? partial[first + t] : 0;
    SUM_FOR_ALL(total, v)
    return total;
}

/* After q = A p: alpha. */
ON_DEVICE struct cg_state step_state(const struct cg_args *a, int64_t b)
{
    double pq = sum_of(a, CG_PQ);
    struct cg_state s = *a->searched;
    if (!s.done) {
        if (smoothing_step(&s, s.iteration)) s.alpha = 1;
        else if (!finite_number(pq)) s.done = 1 + LINEAR_NOT_FINITE;
        else if (pq <= 0) s.done = 1 + LINEAR_BREAKDOWN;
        else s.alpha = s.rz / pq;
    }
    if (b == 0) ONCE *a->stepped = s;
    return s;
}

/* After r -= alpha q: is it done?  If not, beta. */
ON_DEVICE struct cg_state search_state(const struct cg_args *a, int64_t b)
{
    double rr = sum_of(a, CG_RR), rz = sum_of(a, CG_RZ), zd = a->flexible ? sum_of(a, CG_ZD) : rz;
    struct cg_state s = *a->stepped;
    if (!s.done) {
        bool restart = smoothing_step(&s, s.iteration) || smoothing_step(&s, s.iteration + 1);
        s.iteration++;
        s.rr = rr;
        if (s.iteration == 0) {
            double relative = s.tolerance * s.tolerance * rr, absolute = s.absolute * s.absolute;
            s.initial = rr;
            s.limit = relative > absolute ? relative : absolute;
        }
        s.beta = restart ? 0 : zd / s.rz;
        s.rz = rz;
        if (!finite_number(rr) || !finite_number(rz)) s.done = 1 + LINEAR_NOT_FINITE;
        else if (rr <= s.limit) s.done = 1 + LINEAR_CONVERGED;
        else if (s.iteration >= s.max_iterations) s.done = 1 + LINEAR_MAX_ITERATIONS;
        else if (rz <= 0) s.done = 1 + LINEAR_BREAKDOWN;
    }
    if (b == 0) ONCE *a->searched = s;
    return s;
}
#endif

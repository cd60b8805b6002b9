/* cg_state.h: for the bodies of CG's kernels: the scalars of an iteration, computed from the sums of the slices. */
#ifndef POISE_CG_STATE_H
#define POISE_CG_STATE_H
#include "solve/cg_kernels.h"

/* Is this step a smoothing step, x += M r with step length 1?  Step -1 is one (it computes b - A x from r = b), steps 0
 * .. before-1 are, then one after every `every` steps of CG. */
ON_DEVICE bool smoothing_step(const struct cg_state *s, int32_t step)
{
    return step < s->before || (s->every > 0 && (step - s->before) % (s->every + 1) == s->every);
}

/* A sum over all slices; fold: added here from the partial sums; else the result of sums_finish().  fold is a->fold,
 * passed as a constant where that saves registers. */
ON_DEVICE double sum_of(const struct cg_args *a, bool fold, int which)
{
    return fold ? fold_sum(&a->sums, which) : a->sums.total[which];
}

/* The part of the state that the lanes need.  The state itself is written by one of them, field by field, to save
 * registers. */
struct cg_step { double length; bool done; };

/* After q = A p: computes alpha. */
ON_DEVICE struct cg_step step_state(const struct cg_args *a, int64_t b, bool fold)
{
    double pq = sum_of(a, fold, CG_PQ);
    const struct cg_state *from = a->searched;
    bool unit = smoothing_step(from, from->iteration);
    int32_t done = from->done                      ? from->done
                   : unit                          ? 0
                   : !finite_number(pq)            ? 1 + LINEAR_NOT_FINITE
                   : pq <= 0                       ? 1 + LINEAR_BREAKDOWN
                                                   : 0;
    double alpha = unit ? 1 : from->rz / pq;
    if (b == 0) ONCE {
        *a->stepped = *from;
        a->stepped->done = done;
        if (!done) a->stepped->alpha = alpha;
    }
    return (struct cg_step){alpha, done != 0};
}

/* The result of the convergence test after an iteration has computed r.r. */
struct cg_verdict { double rr, initial, limit; int32_t iteration, done; };

ON_DEVICE struct cg_verdict judge(const struct cg_args *a, const struct cg_state *from, double rr)
{
    struct cg_verdict v = {rr, from->initial, from->limit, from->iteration + 1, from->done};
    if (v.iteration == 0) {
        v.initial = a->first_rr ? *a->first_rr : rr;
        double relative = from->tolerance * from->tolerance * v.initial, absolute = from->absolute * from->absolute;
        v.limit = relative > absolute ? relative : absolute;
    }
    if (!v.done)
        v.done = !finite_number(rr)                             ? 1 + LINEAR_NOT_FINITE
                 : rr <= v.limit                                ? 1 + LINEAR_CONVERGED
                 : v.iteration >= from->max_iterations          ? 1 + LINEAR_MAX_ITERATIONS
                                                                : 0;
    return v;
}
ON_DEVICE void note_verdict(const struct cg_args *a, struct cg_state *to, const struct cg_verdict *v, double beta)
{
    to->iteration = v->iteration;
    to->rr = v->rr;
    to->initial = v->initial;
    to->limit = v->limit;
    if (a->history) a->history[v->iteration] = (struct linear_history){v->rr, to->alpha, beta};
}

/* After r -= alpha q and z = M r: tests convergence unless cg_decide() has done so, and computes beta if not
 * converged. */
ON_DEVICE struct cg_step search_state(const struct cg_args *a, int64_t b, bool fold)
{
    const struct cg_state *from = a->stepped;
    struct cg_verdict v = {from->rr, from->initial, from->limit, from->iteration, from->done};
    if (!a->cycle) v = judge(a, from, sum_of(a, fold, CG_RR));
    double rz = sum_of(a, fold, CG_RZ), zd = a->flexible ? sum_of(a, fold, CG_ZD) : rz;
    bool restart = smoothing_step(from, v.iteration - 1) || smoothing_step(from, v.iteration);
    double beta = restart ? 0 : zd / from->rz;
    int32_t done = from->done                ? from->done
                   : !finite_number(rz)      ? 1 + LINEAR_NOT_FINITE
                   : v.done                  ? v.done
                   : rz <= 0 && !restart     ? 1 + LINEAR_BREAKDOWN
                                             : 0;
    if (b == 0) ONCE {
        struct cg_state *to = a->searched;
        *to = *from;
        to->done = done;
        if (!from->done) {
            to->beta = beta;
            to->rz = rz;
            note_verdict(a, to, &v, beta);
        }
    }
    return (struct cg_step){beta, done != 0};
}
#endif

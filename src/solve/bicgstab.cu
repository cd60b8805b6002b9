/* Kernels of BiCGStab (bicgstab_kernels.h). */
#include "gpu/several_sums.h"
#include "solve/bicgstab_kernels.h"
#include "solve/pattern_row.h"

/* ---------------------------------------------------------------- scalars of component k */
/* total[i components + k]: sum which + i of component k. */
#define TOTALS(total, a, which, count)                                                                       \
    SHARED(double, total##_folded, (count) * MOST_COMPONENTS);                                               \
    const double *total = totals(a, which, count, total##_folded);
ON_DEVICE const double *totals(const struct bicgstab_args *a, int which, int count, double *folded)
{
    int first = which * a->components;
    if (!a->fold) return a->sums.total + first;
    fold_by_warps(&a->sums, first, count * a->components, folded);
    return folded;
}

ON_DEVICE struct bicgstab_state direction_state(const struct bicgstab_args *a, int64_t b, int k, const double *total)
{
    double rho = total[k], rr = total[a->components + k], norm = total[2 * a->components + k];
    struct bicgstab_state s = a->updated->of[k];
    if (!s.done) {
        s.iteration++;
        s.norm = norm;
        bool first = s.iteration == 0;
        if (first) {
            double relative = s.tolerance * s.tolerance * norm, absolute = s.absolute * s.absolute;
            s.initial = norm;
            s.limit = relative > absolute ? relative : absolute;
        }
        /* Below 1e-12 of the vectors' norms rho = r0.r consists of rounding error. */
        bool broken = !first && (s.alpha == 0 || s.omega == 0 || fabs(rho) <= 1e-12 * sqrt(s.rr0 * rr));
        if (!finite_number(norm) || !finite_number(rr)) s.done = 1 + LINEAR_NOT_FINITE;
        else if (norm <= s.limit) s.done = 1 + LINEAR_CONVERGED;
        else if (s.iteration >= s.max_iterations) s.done = 1 + LINEAR_MAX_ITERATIONS;
        else if (broken && s.fresh && !(rr < 0.999 * s.rr0)) s.done = 1 + LINEAR_BREAKDOWN;
        s.fresh = first || broken;
        s.beta = s.fresh ? 0 : rho / s.rho * (s.alpha / s.omega);
        s.rho = s.fresh ? rr : rho;
        if (s.fresh) s.rr0 = rr;
    }
    if (b == 0) ONCE {
        if (a->history && k == 0 && !a->updated->of[k].done)
            a->history[s.iteration] = (struct linear_history){norm, s.alpha, s.beta};
        a->directed->of[k] = s;
    }
    return s;
}

ON_DEVICE struct bicgstab_state half_state(const struct bicgstab_args *a, int64_t b, int k, double r0v)
{
    struct bicgstab_state s = a->directed->of[k];
    if (!s.done) s.alpha = r0v == 0 ? 0 : s.rho / r0v;
    if (b == 0) ONCE a->halved->of[k] = s;
    return s;
}

ON_DEVICE struct bicgstab_state update_state(const struct bicgstab_args *a, int64_t b, int k, double tr, double tt)
{
    struct bicgstab_state s = a->halved->of[k];
    if (!s.done) s.omega = tt == 0 ? 0 : tr / tt;
    if (b == 0) ONCE a->updated->of[k] = s;
    return s;
}

/* ---------------------------------------------------------------- kernels */
/* The unknowns of a row of blocks: i is the position of one of them in a component's vector. */
#define UNKNOWNS(m, u) for (int u = 0; u < (m).block; u++)
#define PLACE(m, u) ((u) * (m).p.pitch + ROW(b, w, t))
/* v = value for the first unknown, += value for the others. */
#define GATHER(v, n, u, value) IN_SLICE_AT(v, n) = (u) ? IN_SLICE_AT(v, n) + (value) : (value)

SLICE_KERNEL(bicgstab_direction, struct bicgstab_args)
{
    TOTALS(total, a, BICGSTAB_RHO, 3)
    for (int k = 0; k < a->components; k++) {
        struct bicgstab_state s = direction_state(a, b, k, total);
        if (s.done) continue;
        int64_t at = k * a->a.p.pitch;
        const double *r = a->r + at, *v = a->v + at;
        double *p = a->p + at, *r0 = a->r0 + at;
        UNKNOWNS(a->a, u) {
            if (s.fresh) PHASE(w) LANES(t) { int64_t i = PLACE(a->a, u); p[i] = r0[i] = r[i]; }
            else PHASE(w) LANES(t) { int64_t i = PLACE(a->a, u); p[i] = fma(s.beta, fma(-s.omega, v[i], p[i]), r[i]); }
        }
    }
}

SLICE_KERNEL(bicgstab_half, struct bicgstab_args)
{
    TOTALS(total, a, BICGSTAB_R0V, 1)
    for (int k = 0; k < a->components; k++) {
        struct bicgstab_state s = half_state(a, b, k, total[k]);
        if (s.done) continue;
        const double *v = a->v + k * a->a.p.pitch;
        double *r = a->r + k * a->a.p.pitch;
        UNKNOWNS(a->a, u) PHASE(w) LANES(t) { int64_t i = PLACE(a->a, u); r[i] = fma(-s.alpha, v[i], r[i]); }
    }
}

/* The sums of a residual: r0.r, r.r and |D r|^2. */
#define STORE_RESIDUAL(s)                                                                                    \
    slice_sums(sum, 3);                                                                                      \
    STORE_SUM((s)->sums, BICGSTAB_RHO * (s)->components + k, b, sum, 0)                                      \
    STORE_SUM((s)->sums, BICGSTAB_RR * (s)->components + k, b, sum, 1)                                       \
    STORE_SUM((s)->sums, BICGSTAB_NORM * (s)->components + k, b, sum, 2)

CROWDED_SLICE_KERNEL(bicgstab_update, struct bicgstab_args, 2)
{
    TOTALS(total, a, BICGSTAB_TR, 2)
    SLICE_ARRAY(double, sum, 3);
    for (int k = 0; k < a->components; k++) {
        struct bicgstab_state s = update_state(a, b, k, total[k], total[a->components + k]);
        if (s.done) continue;
        int64_t at = k * a->a.p.pitch;
        const double *mp = a->mp + at, *mr = a->mr + at, *v = a->v + at, *t_ = a->t + at, *r0 = a->r0 + at;
        double *x = a->x + at, *r = a->r + at;
        UNKNOWNS(a->a, u) PHASE(w) LANES(t) {
            int64_t i = PLACE(a->a, u);
            double before = a->together ? fma(-s.alpha, v[i], r[i]) : r[i], full = fma(-s.omega, t_[i], before);
            double scale = a->scaled ? a->a.diag[i] : 1.0;
            x[i] = fma(s.omega, a->together ? before : mr[i], fma(s.alpha, mp[i], x[i]));
            r[i] = full;
            GATHER(sum, 0, u, r0[i] * full);
            GATHER(sum, 1, u, full * full);
            GATHER(sum, 2, u, (scale * full) * (scale * full));
        }
        STORE_RESIDUAL(a)
    }
}

SLICE_KERNEL(bicgstab_begin, struct bicgstab_begin_args)
{
    SLICE_ARRAY(double, sum, 3);
    for (int k = 0; k < a->s.components; k++) {
        const struct bicgstab_args *s = &a->s;
        const double *v = s->v + k * s->a.p.pitch, *right = a->b + k * s->a.p.pitch;
        double *r = s->r + k * s->a.p.pitch;
        UNKNOWNS(s->a, u) PHASE(w) LANES(t) {
            int64_t i = PLACE(s->a, u);
            double d = s->scaled ? s->a.diag[i] : 1.0, first = right[i] / d - v[i];
            r[i] = first;
            GATHER(sum, 0, u, first * first);
            GATHER(sum, 1, u, first * first);
            GATHER(sum, 2, u, (d * first) * (d * first));
        }
        STORE_RESIDUAL(s)
    }
}

/* What a product multiplies: x; the direction p, from the previous r, v and p; or r - alpha v, from r and v. */
enum factor_kind { GIVEN, DIRECTION, HALF };
struct factor {
    const double *x, *v, *p;            /* x: or r */
    double beta[MOST_COMPONENTS], length[MOST_COMPONENTS];      /* length: omega, or alpha */
    bool fresh[MOST_COMPONENTS];
};
/* Component k, at position i. */
ON_DEVICE double factor_at(const struct factor *f, const enum factor_kind kind, int k, int64_t i)
{
    if (kind == GIVEN) return f->x[i];
    if (kind == HALF) return fma(-f->length[k], f->v[i], f->x[i]);
    return f->fresh[k] ? f->x[i] : fma(f->beta[k], fma(-f->length[k], f->v[i], f->p[i]), f->x[i]);
}

#define STAGE_ALL(window, f, kind, n, step)                                                                  \
    WINDOW(double, window, MOST_COMPONENTS * SLICE, lane, for (int k = 0; k < n; k++)                        \
           window[k * SLICE + lane] = factor_at(f, kind, k, k * step + b * SLICE + lane);)
#define FACTOR(window, f, kind, k, step, c) \
    FROM_WINDOW((c) < 0, window[k * SLICE - (c) - 1], factor_at(f, kind, k, k * step + COLUMN(b, c)))
#define OWN_FACTOR(window, f, kind, k, i) \
    FROM_WINDOW((kind) != GIVEN, window[k * SLICE + SLICE_LANE], factor_at(f, kind, k, i))

/* n and kind are constants in every call: the loops over components unroll and the sums stay in registers.  p, r0: for
 * DIRECTION, which stores the direction and the new r0. */
ON_DEVICE void product(const struct bicgstab_product_args *a, const struct factor *f, const enum factor_kind kind,
                       double *p, double *r0, int64_t b, const int n)
{
    SLICE_ARRAY(double, zy, MOST_COMPONENTS);
    SLICE_ARRAY(double, yy, MOST_COMPONENTS);
    const int64_t step = a->a.p.pitch;
    STAGE_ALL(window, f, kind, n, step)
    PHASE(w) {
        WARP_ARRAY(double, s, MOST_COMPONENTS);
        for (int k = 0; k < n; k++) LANES(t) IN_WARP_AT(s, k) = 0;
        ENTRIES(a->a.p, b, w, e)
            for (int k = 0; k < n; k++)
                LANES(t) {
                    int32_t c = a->a.p.col[e + t];
                    IN_WARP_AT(s, k) = fma(a->a.val[e + t], FACTOR(window, f, kind, k, step, c), IN_WARP_AT(s, k));
                }
        for (int k = 0; k < n; k++) LANES(t) {
            int64_t i = k * step + ROW(b, w, t);
            double d = a->a.diag[ROW(b, w, t)], sum = IN_WARP_AT(s, k), x = OWN_FACTOR(window, f, kind, k, i);
            double y = a->scaled ? x + sum / d : fma(d, x, sum);
            if (kind == DIRECTION) {
                p[i] = x;
                if (f->fresh[k]) r0[i] = x;
            }
            a->y[i] = y;
            IN_SLICE_AT(zy, k) = (kind == HALF ? x : a->z[i]) * y;
            IN_SLICE_AT(yy, k) = y * y;
        }
    }
    slice_sums(zy, n);
    for (int k = 0; k < n; k++) STORE_SUM(a->sums, a->first * n + k, b, zy, k)
    if (!a->squares) return;
    slice_sums(yy, n);
    for (int k = 0; k < n; k++) STORE_SUM(a->sums, (a->first + 1) * n + k, b, yy, k)
}

SLICE_KERNEL(bicgstab_products, struct bicgstab_product_args)
{
    SLICE_ARRAY(double, sum, 2);
    if (a->state->of[0].done) return;
    UNKNOWNS(a->a, u) PHASE(w) LANES(t) {
        double y = a->y[PLACE(a->a, u)];
        GATHER(sum, 0, u, a->z[PLACE(a->a, u)] * y);
        GATHER(sum, 1, u, y * y);
    }
    slice_sums(sum, 2);
    STORE_SUM(a->sums, a->first, b, sum, 0)
    if (a->squares) STORE_SUM(a->sums, a->first + 1, b, sum, 1)
}

#define FOR_COMPONENTS(n, call)                                                                              \
    if ((n) == 2) call(2);                                                                                   \
    else if ((n) == 3) call(3);                                                                              \
    else call(1);

CROWDED_SLICE_KERNEL(bicgstab_product, struct bicgstab_product_args, 3)
{
    const struct bicgstab_state *s = a->state->of;      /* no loop over them: it would cost the product registers */
    const int n = a->components;
    if (s[0].done && (n < 2 || s[1].done) && (n < 3 || s[2].done)) return;
    const struct factor f = {.x = a->x};
#define PRODUCT(n) product(a, &f, GIVEN, NULL, NULL, b, n)
    FOR_COMPONENTS(a->components, PRODUCT)
}

/* The results of these two for a component that is done are not used. */
ON_DEVICE void direction_product(const struct bicgstab_args *a, int64_t b, const int n, const double *total)
{
    struct factor f = {.x = a->r, .v = a->v_old, .p = a->p_old};
    const struct bicgstab_product_args p = {a->a, n, BICGSTAB_R0V, false, a->scaled, NULL, a->r0, a->v, a->sums, NULL};
    bool all_done = true;
    for (int k = 0; k < n; k++) {
        struct bicgstab_state s = direction_state(a, b, k, total);
        f.beta[k] = s.beta, f.length[k] = s.omega, f.fresh[k] = s.fresh;
        all_done = all_done && s.done;
    }
    if (!all_done) product(&p, &f, DIRECTION, a->p, a->r0, b, n);
}
ON_DEVICE void half_product(const struct bicgstab_args *a, int64_t b, const int n, const double *total)
{
    struct factor f = {.x = a->r, .v = a->v};
    const struct bicgstab_product_args p = {a->a, n, BICGSTAB_TR, true, a->scaled, NULL, NULL, a->t, a->sums, NULL};
    bool all_done = true;
    for (int k = 0; k < n; k++) {
        struct bicgstab_state s = half_state(a, b, k, total[k]);
        f.length[k] = s.alpha;
        all_done = all_done && s.done;
    }
    if (!all_done) product(&p, &f, HALF, NULL, NULL, b, n);
}

CROWDED_SLICE_KERNEL(bicgstab_direction_product, struct bicgstab_args, 2)
{
    TOTALS(total, a, BICGSTAB_RHO, 3)
#define WITH_DIRECTION(n) direction_product(a, b, n, total)
    FOR_COMPONENTS(a->components, WITH_DIRECTION)
}
CROWDED_SLICE_KERNEL(bicgstab_half_product, struct bicgstab_args, 2)
{
    TOTALS(total, a, BICGSTAB_R0V, 1)
#define WITH_HALF(n) half_product(a, b, n, total)
    FOR_COMPONENTS(a->components, WITH_HALF)
}

#include "solve/gmres_kernels.h"

/* Partial sums of w.w and of V_i.w for the vectors so far; those of the last tile that are none count the last one again. */
ON_DEVICE void sums_with_basis(const struct gmres_args *a, const struct sums *sums, int64_t b)
{
    SLICE_VAR(double, d0);
    SLICE_VAR(double, d1);
    SLICE_VAR(double, d2);
    SLICE_VAR(double, d3);
    const int32_t last = a->state->column;
    PHASE(w) LANES(t) { double v = a->w[ROW(b, w, t)]; IN_SLICE(d0) = v * v; }
    SUM_OF_SLICE(*sums, 0, b, d0)
    for (int32_t i = 0; i <= last; i += GMRES_TILE) {
        const double *v0 = a->v + i * a->length, *v1 = a->v + (i < last ? i + 1 : last) * a->length;
        const double *v2 = a->v + (i + 1 < last ? i + 2 : last) * a->length;
        const double *v3 = a->v + (i + 2 < last ? i + 3 : last) * a->length;
        PHASE(w) LANES(t) {
            int64_t k = ROW(b, w, t);
            double own = a->w[k];
            IN_SLICE(d0) = v0[k] * own;
            IN_SLICE(d1) = v1[k] * own;
            IN_SLICE(d2) = v2[k] * own;
            IN_SLICE(d3) = v3[k] * own;
        }
        SUM_OF_SLICE(*sums, i + 1, b, d0)
        SUM_OF_SLICE(*sums, i + 2, b, d1)
        SUM_OF_SLICE(*sums, i + 3, b, d2)
        SUM_OF_SLICE(*sums, i + 4, b, d3)
    }
}

/* v of warp w -= V (the products in `sums`). */
#define LESS_BASIS(v, sums)                                                                                  \
    for (int32_t i = 0; i <= a->state->column; i++) {                                                        \
        const double *one = a->v + i * a->length, part = (sums).total[i + 1];                                \
        LANES(t) IN_WARP(v) = fma(-part, one[ROW(b, w, t)], IN_WARP(v));                                     \
    }

SLICE_KERNEL(gmres_project, struct gmres_args)
{
    if (a->state->done) return;
    if (a->z) {
        double *kept = a->z + a->state->column * a->length;
        PHASE(w) LANES(t) kept[ROW(b, w, t)] = a->mu[ROW(b, w, t)];
    }
    sums_with_basis(a, &a->first, b);
}

SLICE_KERNEL(gmres_orthogonalise, struct gmres_args)
{
    if (a->state->done) return;
    PHASE(w) {
        WARP_VAR(double, v);
        LANES(t) IN_WARP(v) = a->w[ROW(b, w, t)];
        LESS_BASIS(v, a->first)
        LANES(t) a->w[ROW(b, w, t)] = IN_WARP(v);
    }
    sums_with_basis(a, &a->second, b);
}

/* What is left of w, a vector of that length before: 0 where it is rounding alone. */
ON_DEVICE double norm_left(const struct gmres_args *a)
{
    double square = a->second.total[0];
    for (int32_t i = 0; i <= a->state->column; i++) square = fma(-a->second.total[i + 1], a->second.total[i + 1], square);
    return square <= 1e-28 * a->first.total[0] ? 0 : sqrt(square);      /* what is not a number stays that */
}

SLICE_KERNEL(gmres_extend, struct gmres_args)
{
    if (a->state->done) return;
    double norm = norm_left(a), scale = norm == 0 ? 0 : 1 / norm;
    int32_t next = a->state->column + 1;
    double *basis = next < a->restart ? a->v + next * a->length : a->u;
    PHASE(w) {
        WARP_VAR(double, v);
        LANES(t) IN_WARP(v) = a->w[ROW(b, w, t)];
        LESS_BASIS(v, a->second)
        LANES(t) { int64_t k = ROW(b, w, t); a->u[k] = basis[k] = scale * IN_WARP(v); }
    }
}

INDEX_KERNEL(gmres_column, struct gmres_args)
{
    struct gmres_state *s = a->state;
    if (s->done) return;
    const int32_t k = s->column;
    double *r = a->r + (int64_t)k * a->restart, below = norm_left(a), above = a->first.total[1] + a->second.total[1];
    for (int32_t j = 0; j < k; j++) {           /* above: the entry that the next rotation turns into */
        double next = a->first.total[j + 2] + a->second.total[j + 2];
        r[j + i] = a->cosine[j] * above + a->sine[j] * next;
        above = a->cosine[j] * next - a->sine[j] * above;
    }
    double length = sqrt(above * above + below * below), g = a->g[k];
    s->iteration++;
    if (!finite_number(length)) s->done = 1 + LINEAR_NOT_FINITE;
    else if (length <= 1e-14 * sqrt(a->first.total[0])) s->done = 1 + LINEAR_BREAKDOWN;         /* this column has no part in y */
    else {
        a->cosine[k] = above / length, a->sine[k] = below / length;
        r[k] = length;
        a->g[k] = a->cosine[k] * g;
        a->g[k + 1] = -a->sine[k] * g;
        s->norm = a->g[k + 1] * a->g[k + 1];
        s->column++;
        if (s->norm <= s->limit) s->done = 1 + LINEAR_CONVERGED;
        else if (s->iteration >= s->max_iterations) s->done = 1 + LINEAR_MAX_ITERATIONS;
    }
    if (a->history) a->history[s->iteration] = (struct linear_history){s->norm, 0, 0};
}

/* ---------------------------------------------------------------- between cycles */
ON_DEVICE int is_over(const struct gmres_args *a) { return a->state->done && !a->last; }

INDEX_KERNEL(gmres_weights, struct gmres_args)
{
    struct gmres_state *s = a->state;
    if (is_over(a)) return;
    (void)i;
    s->weight = 0;
    for (int32_t k = s->column - 1; k >= 0; k--) {
        double y = a->g[k];
        for (int32_t j = k + 1; j < s->column; j++) y -= a->r[(int64_t)j * a->restart + k] * a->y[j];
        a->y[k] = y /= a->r[(int64_t)k * a->restart + k];
        s->weight += y * y;
    }
}

SLICE_KERNEL(gmres_combine, struct gmres_args)
{
    if (is_over(a)) return;
    const double *from = a->z ? a->z : a->v;
    bool to_x = a->z || a->left || a->mu == a->u;
    PHASE(w) {
        WARP_VAR(double, sum);
        LANES(t) IN_WARP(sum) = to_x ? a->x[ROW(b, w, t)] : 0;
        for (int32_t i = 0; i < a->state->column; i++) {
            const double *basis = from + i * a->length, y = a->y[i];
            LANES(t) IN_WARP(sum) = fma(y, basis[ROW(b, w, t)], IN_WARP(sum));
        }
        double *to = to_x ? a->x : a->u;
        LANES(t) to[ROW(b, w, t)] = IN_WARP(sum);
    }
}

SLICE_KERNEL(gmres_advance, struct gmres_args)
{
    if (is_over(a)) return;
    PHASE(w) LANES(t) a->x[ROW(b, w, t)] += a->mu[ROW(b, w, t)];
}

SLICE_KERNEL(gmres_residual, struct gmres_args)
{
    SLICE_VAR(double, square);
    if (a->state->done) return;
    double *to = a->left ? a->u : a->w;
    PHASE(w) LANES(t) {
        int64_t k = ROW(b, w, t);
        double r = a->b[k] - a->w[k];
        to[k] = r;
        IN_SLICE(square) = r * r;
    }
    SUM_OF_SLICE(a->first, 0, b, square)
}

INDEX_KERNEL(gmres_start, struct gmres_args)
{
    struct gmres_state *s = a->state;
    if (s->done) return;
    double norm = a->left ? a->second.total[0] : a->first.total[0];
    bool first = s->iteration < 0;
    if (first) {
        double relative = s->tolerance * s->tolerance * norm, absolute = s->absolute * s->absolute;
        s->iteration = 0;
        s->initial = norm;
        s->limit = relative > absolute ? relative : absolute;
    }
    else s->restarts++;
    s->norm = norm;
    if (!finite_number(norm)) s->done = 1 + LINEAR_NOT_FINITE;
    else if (norm <= s->limit) s->done = 1 + LINEAR_CONVERGED;
    else if (s->iteration >= s->max_iterations) s->done = 1 + LINEAR_MAX_ITERATIONS;
    else if (!first && norm >= (1 - 1e-10) * s->begin) s->done = 1 + LINEAR_MAX_ITERATIONS, s->stands = 1;
    s->begin = norm;
    s->column = 0;
    a->g[i] = sqrt(norm);
    if (a->history) a->history[s->iteration] = (struct linear_history){norm, 0, 0};
}

SLICE_KERNEL(gmres_basis, struct gmres_args)
{
    if (a->state->done) return;
    double scale = 1 / a->g[0];
    PHASE(w) LANES(t) { int64_t k = ROW(b, w, t); a->u[k] = a->v[k] = scale * a->w[k]; }
}

/* Kernels of GMRES (gmres_kernels.h). */
#include "gpu/several_sums.h"
#include "solve/gmres_kernels.h"

/* Vectors i .. i + 3 of V; the last one replaces vectors that do not exist. */
#define TILE(i, last)                                                                                        \
    const double *v0 = a->v + (i) * a->length, *v1 = a->v + ((i) < (last) ? (i) + 1 : (last)) * a->length;   \
    const double *v2 = a->v + ((i) + 1 < (last) ? (i) + 2 : (last)) * a->length;                             \
    const double *v3 = a->v + ((i) + 2 < (last) ? (i) + 3 : (last)) * a->length;

/* The unknowns of a row; position of one of them. */
#define UNKNOWNS(a, u) for (int u = 0; u < (a)->block; u++)
#define PLACE(a, u) ((u) * (a)->pitch + ROW(b, w, t))
/* v = value for the first unknown, += value for the others. */
#define GATHER(v, u, value) IN_SLICE(v) = (u) ? IN_SLICE(v) + (value) : (value)
#define GATHER_AT(v, k, u, value) IN_SLICE_AT(v, k) = (u) ? IN_SLICE_AT(v, k) + (value) : (value)

/* Partial sums of w.w and of V_i.w for the vectors so far.  If the last tile exceeds their number it repeats the last
 * vector, and these sums are not used. */
ON_DEVICE void sums_with_basis(const struct gmres_args *a, const struct sums *sums, int64_t b)
{
    SLICE_VAR(double, square);
    SLICE_ARRAY(double, d, GMRES_TILE);
    const int32_t last = a->state->column;
    UNKNOWNS(a, u) PHASE(w) LANES(t) { double v = a->w[PLACE(a, u)]; GATHER(square, u, v * v); }
    SUM_OF_SLICE(*sums, 0, b, square)
    for (int32_t i = 0; i <= last; i += GMRES_TILE) {
        TILE(i, last)
        UNKNOWNS(a, u) PHASE(w) LANES(t) {
            int64_t k = PLACE(a, u);
            double own = a->w[k];
            GATHER_AT(d, 0, u, v0[k] * own);
            GATHER_AT(d, 1, u, v1[k] * own);
            GATHER_AT(d, 2, u, v2[k] * own);
            GATHER_AT(d, 3, u, v3[k] * own);
        }
        slice_sums(d, GMRES_TILE);
        STORE_SUM(*sums, i + 1, b, d, 0)
        STORE_SUM(*sums, i + 2, b, d, 1)
        STORE_SUM(*sums, i + 3, b, d, 2)
        STORE_SUM(*sums, i + 4, b, d, 3)
    }
}

/* v -= V h for unknown u of a slice's rows, with h the products in `sums`.  Tile by tile over the whole slice: so a CPU
 * reads few vectors at a time, in long runs, and a GPU has four loads in flight at once. */
#define LESS_BASIS(v, u, sums)                                                                               \
    for (int32_t i = 0, last = a->state->column; i <= last; i += GMRES_TILE) {                               \
        TILE(i, last)                                                                                        \
        const double *h = (sums).total + i + 1, h0 = h[0], h1 = i + 1 <= last ? h[1] : 0;                    \
        const double h2 = i + 2 <= last ? h[2] : 0, h3 = i + 3 <= last ? h[3] : 0;                           \
        PHASE(w) LANES(t) {                                                                                  \
            int64_t k = PLACE(a, u);                                                                         \
            IN_SLICE(v) = fma(-h3, v3[k], fma(-h2, v2[k], fma(-h1, v1[k], fma(-h0, v0[k], IN_SLICE(v)))));   \
        }                                                                                                    \
    }

CROWDED_SLICE_KERNEL(gmres_project, struct gmres_args, 3)
{
    if (a->state->done) return;
    const int64_t kept = a->state->column * a->length;
    if (a->z) UNKNOWNS(a, u) PHASE(w) LANES(t) a->z[kept + PLACE(a, u)] = a->mu[PLACE(a, u)];
    if (a->z_single) UNKNOWNS(a, u) PHASE(w) LANES(t) a->z_single[kept + PLACE(a, u)] = (float)a->mu[PLACE(a, u)];
    sums_with_basis(a, &a->first, b);
}

CROWDED_SLICE_KERNEL(gmres_orthogonalise, struct gmres_args, 3)
{
    SLICE_VAR(double, v);
    if (a->state->done) return;
    UNKNOWNS(a, u) {
        PHASE(w) LANES(t) IN_SLICE(v) = a->w[PLACE(a, u)];
        LESS_BASIS(v, u, a->first)
        PHASE(w) LANES(t) a->w[PLACE(a, u)] = IN_SLICE(v);
    }
    sums_with_basis(a, &a->second, b);
}

/* The norm of the rest of w after both passes; 0 if that is only rounding error of the original w. */
ON_DEVICE double norm_left(const struct gmres_args *a)
{
    double square = a->second.total[0];
    for (int32_t i = 0; i <= a->state->column; i++)
        square = fma(-a->second.total[i + 1], a->second.total[i + 1], square);
    return square <= 1e-28 * a->first.total[0] ? 0 : sqrt(square);      /* NaN stays NaN */
}

CROWDED_SLICE_KERNEL(gmres_extend, struct gmres_args, 3)
{
    SLICE_VAR(double, v);
    if (a->state->done) return;
    double norm = norm_left(a), scale = norm == 0 ? 0 : 1 / norm;
    int32_t next = a->state->column + 1;
    double *basis = next < a->restart ? a->v + next * a->length : a->u;
    UNKNOWNS(a, u) {
        PHASE(w) LANES(t) IN_SLICE(v) = a->w[PLACE(a, u)];
        LESS_BASIS(v, u, a->second)
        PHASE(w) LANES(t) { int64_t k = PLACE(a, u); a->u[k] = basis[k] = scale * IN_SLICE(v); }
    }
}

INDEX_KERNEL(gmres_column, struct gmres_args)
{
    struct gmres_state *s = a->state;
    if (s->done) return;
    const int32_t k = s->column;
    double *r = a->r + (int64_t)k * a->restart, below = norm_left(a), above = a->first.total[1] + a->second.total[1];
    for (int32_t j = 0; j < k; j++) {           /* above: the entry that the next rotation changes to this */
        double next = a->first.total[j + 2] + a->second.total[j + 2];
        r[j + i] = a->cosine[j] * above + a->sine[j] * next;
        above = a->cosine[j] * next - a->sine[j] * above;
    }
    double length = sqrt(above * above + below * below), g = a->g[k];
    s->iteration++;
    if (!finite_number(length)) s->done = 1 + LINEAR_NOT_FINITE;
    else if (length <= 1e-14 * sqrt(a->first.total[0])) s->done = 1 + LINEAR_BREAKDOWN;     /* not used in y */
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

CROWDED_SLICE_KERNEL(gmres_combine, struct gmres_args, 3)
{
    if (is_over(a)) return;
    const double *from = a->z ? a->z : a->v;
    bool to_x = a->z || a->z_single || a->left || a->mu == a->u;
    double *to = to_x ? a->x : a->u;
    UNKNOWNS(a, u) PHASE(w) {
        WARP_VAR(double, sum);
        LANES(t) IN_WARP(sum) = to_x ? a->x[PLACE(a, u)] : 0;
        for (int32_t i = 0; i < a->state->column; i++) {
            const double y = a->y[i];
            const int64_t start = i * a->length;
            if (a->z_single) LANES(t) IN_WARP(sum) = fma(y, (double)a->z_single[start + PLACE(a, u)], IN_WARP(sum));
            else LANES(t) IN_WARP(sum) = fma(y, from[start + PLACE(a, u)], IN_WARP(sum));
        }
        LANES(t) to[PLACE(a, u)] = IN_WARP(sum);
    }
}

SLICE_KERNEL(gmres_advance, struct gmres_args)
{
    if (is_over(a)) return;
    UNKNOWNS(a, u) PHASE(w) LANES(t) a->x[PLACE(a, u)] += a->mu[PLACE(a, u)];
}

SLICE_KERNEL(gmres_residual, struct gmres_args)
{
    SLICE_VAR(double, square);
    if (a->state->done) return;
    double *to = a->left ? a->u : a->w;
    UNKNOWNS(a, u) PHASE(w) LANES(t) {
        int64_t k = PLACE(a, u);
        double r = a->b[k] - a->w[k];
        to[k] = r;
        GATHER(square, u, r * r);
    }
    SUM_OF_SLICE(a->first, 0, b, square)
}

SLICE_KERNEL(gmres_square, struct gmres_square_args)
{
    SLICE_VAR(double, square);
    UNKNOWNS(a, u) PHASE(w) LANES(t) { double v = a->v[PLACE(a, u)]; GATHER(square, u, v * v); }
    SUM_OF_SLICE(a->sums, 0, b, square)
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
    UNKNOWNS(a, u) PHASE(w) LANES(t) { int64_t k = PLACE(a, u); a->u[k] = a->v[k] = scale * a->w[k]; }
}

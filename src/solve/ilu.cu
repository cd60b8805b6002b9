/* Kernels of incomplete LU factorisations: factors, inverses, solution (ilu_kernels.h). */
#include "solve/ilu_kernels.h"
#include "solve/rows_ahead.h"
#include "solve/square.h"

/* Groups g of warp w in a level, and the entries k of a group's triangle (of lane 0). */
#define GROUPS(f, level, w, g)                                                                               \
    for (int64_t g = (f).level_group[level] + (w); g < (f).level_group[(level) + 1]; g += WARPS)
#define TRIANGLE(t, g, k) for (int64_t k = (t).start[g]; k < (t).start[(g) + 1]; k += WARP)

/* ---------------------------------------------------------------- the factors */
ON_DEVICE void begin(const struct ic_triangle *to, const struct matrix *a, int64_t g)
{
    const int n = a->block;
    TRIANGLE(*to, g, k) LANES(t) {
        int64_t from = to->from[k + t];
        for (int e = 0; e < n * n; e++)
            to->value[BLOCK_NUMBER(k + t, e, n * n)] =
                from < 0 ? 0 : a->val[BLOCK_NUMBER((from < 0 ? 0 : from), e, n * n)];
    }
}
WARP_KERNEL(ilu_begin_lower, struct ilu_args) { begin(&a->f.lower, &a->a, w); }
WARP_KERNEL(ilu_begin_upper, struct ilu_args) { begin(&a->f.upper, &a->a, w); }

/* The entry of a triangle's row, from `at` on, whose column is at or after `column`; the end of the row if there is
 * none. */
ON_DEVICE int64_t walk(const struct ic_triangle *t, int64_t at, int64_t end, int32_t column)
{
    while (at < end && t->from[at] != -1 && t->column[at] < column) at += WARP;
    return at;
}
ON_DEVICE int is_at(const struct ic_triangle *t, int64_t at, int64_t end, int32_t column)
{
    return at < end && t->from[at] != -1 && t->column[at] == column;
}

/* Lane t of group g eliminates the lower entries of its row one after the other, each by subtracting a multiple of the
 * row of the entry's column. */
ON_DEVICE void factor_row(const struct ilu_args *a, int64_t g, int t, const int n)
{
    const struct ic_triangle *l = &a->f.lower, *u = &a->f.upper;
    const int64_t p = g * WARP + t, l_end = l->start[g + 1], u_end = u->start[g + 1];
    const int32_t own = a->own[p];
    struct square d = square_load(a->a.diag, a->f.row[p], n);
    double most = square_largest(&d, n);
    for (int64_t k = l->start[g] + t; k < l_end && l->from[k] != -1; k += WARP) {
        const int32_t c = l->column[k], group = c / WARP;
        struct square before = square_load(l->value, k, n), inverse = square_load(a->f.inverse, c, n),
                      f = square_times(&before, &inverse, n);
        int64_t mine = k + WARP, above = u->start[g] + t;
        square_store(l->value, k, &f, n);
        for (int64_t o = u->start[group] + c % WARP; o < u->start[group + 1] && u->from[o] != -1; o += WARP) {
            const int32_t column = u->column[o];
            const struct square other = square_load(u->value, o, n);
            if (column == own) {
                square_take_away(&d, &f, &other, n);
                continue;
            }
            const struct ic_triangle *side = column < own ? l : u;
            int64_t at = column < own ? (mine = walk(l, mine, l_end, column)) : (above = walk(u, above, u_end, column));
            if (!is_at(side, at, column < own ? l_end : u_end, column)) continue;
            struct square v = square_load(side->value, at, n);
            square_take_away(&v, &f, &other, n);
            square_store(side->value, at, &v, n);
        }
    }
    double left = square_largest(&d, n);
    a->bad[p] = !invert_block(d.v, d.v, 1e-14 * (left > most ? left : most), n);
    square_store(a->f.inverse, p, &d, n);
}

SLICE_KERNEL(ilu_factor, struct ilu_args)
{
    int64_t block = a->first_block + b;
    for (int32_t level = a->f.block_level[block]; level < a->f.block_level[block + 1]; level++)
        PHASE(w) GROUPS(a->f, level, w, g) LANES(t) FOR_BLOCK(a->a.block, factor_row(a, g, t, n))
}

/* ---------------------------------------------------------------- the inverses */
/* Column j of the inverse of I + L or of D + U on its pattern, by substitution: x_i = -sum of l_im x_m over the
 * column's entries m before i, including its diagonal; upper: that times d_i^-1. */
ON_DEVICE void invert_column(const struct ilu_inverse_args *a, const struct ic_triangle *f, int64_t g, int t,
                             const int upper, const int n)
{
    const struct ic_triangle *c = &a->columns;
    const int64_t p = g * WARP + t, first = c->start[g] + t, end = c->start[g + 1];
    if (a->s.own[p] != p) return;               /* a lane that repeats another row */
    struct square one = square_load(a->s.f.inverse, p, n);
    if (!upper) for (int e = 0; e < n * n; e++) one.v[e] = e % (n + 1) == 0;
    for (int64_t k = first; k < end && c->from[k] != -1; k += WARP) {
        const int32_t i = c->column[k];
        const int64_t row_first = f->start[i / WARP] + i % WARP, row_end = f->start[i / WARP + 1];
        struct square x;
        for (int e = 0; e < n * n; e++) x.v[e] = 0;
        for (int64_t o = row_first; o < row_end && f->from[o] != -1; o += WARP) {
            const int32_t m = f->column[o];
            const struct square factor = square_load(f->value, o, n);
            if (m == p) square_take_away(&x, &factor, &one, n);
            for (int64_t before = first; before < k; before += WARP)
                if (c->column[before] == m) {
                    const struct square y = square_load(a->rows.value, c->from[before], n);
                    square_take_away(&x, &factor, &y, n);
                }
        }
        if (upper) {
            struct square inverse = square_load(a->s.f.inverse, i, n), scaled = square_times(&inverse, &x, n);
            x = scaled;
        }
        square_store(a->rows.value, c->from[k], &x, n);
    }
}

WARP_KERNEL(ilu_invert_lower, struct ilu_inverse_args)
{
    LANES(t) FOR_BLOCK(a->s.a.block, invert_column(a, &a->s.f.lower, w, t, 0, n))
}
WARP_KERNEL(ilu_invert_upper, struct ilu_inverse_args)
{
    LANES(t) FOR_BLOCK(a->s.a.block, invert_column(a, &a->s.f.upper, w, t, 1, n))
}

/* ---------------------------------------------------------------- solving */
/* sum -= (triangle) x, for group g. */
#define LESS(sum, triangle, x)                                                                                   \
    TRIANGLE(triangle, g, k)                                                                                     \
        for (int i = 0; i < n; i++)                                                                              \
            for (int j = 0; j < n; j++)                                                                          \
                LANES(t) {                                                                                       \
                    double v = (triangle).value[k * (n * n) + (i * n + j) * WARP + t];                           \
                    IN_WARP_AT(sum, i) = fma(-v, (x)[j * pitch + (triangle).column[k + t]], IN_WARP_AT(sum, i)); \
                }

ON_DEVICE void forward(const struct ilu_solve_args *a, int64_t g, const int n)
{
    const int64_t pitch = a->s.pitch, from = a->s.a.p.pitch;
    WARP_ARRAY(double, s, MOST_BLOCK);
    for (int i = 0; i < n; i++) LANES(t) IN_WARP_AT(s, i) = a->in[i * from + a->s.f.row[g * WARP + t]];
    LESS(s, a->s.f.lower, a->out)
    for (int i = 0; i < n; i++) LANES(t) a->out[i * pitch + g * WARP + t] = IN_WARP_AT(s, i);
}

/* z = x if the row has a target, and out = x if there is an out. */
ON_DEVICE void finish(const struct ilu_solve_args *a, int64_t g, int t, int i, double x)
{
    int32_t row = a->s.target[g * WARP + t];
    if (row >= 0) a->z[i * a->s.a.p.pitch + row] = x;
    if (a->out) a->out[i * a->s.pitch + g * WARP + t] = x;
}

ON_DEVICE void backward(const struct ilu_solve_args *a, int64_t g, const int n)
{
    const int64_t pitch = a->s.pitch;
    const double *inverse = a->s.f.inverse + g * WARP * n * n;
    WARP_ARRAY(double, s, MOST_BLOCK);
    for (int i = 0; i < n; i++) LANES(t) IN_WARP_AT(s, i) = a->in[i * pitch + g * WARP + t];
    LESS(s, a->s.f.upper, a->out)
    for (int i = 0; i < n; i++)
        LANES(t) {
            double x = 0;
            for (int j = 0; j < n; j++) x = fma(inverse[(i * n + j) * WARP + t], IN_WARP_AT(s, j), x);
            finish(a, g, t, i, x);
        }
}

/* The levels of a block in sequence. */
#define FORWARD(row)                                                                                         \
    for (int32_t level = a->s.f.block_level[a->s.first_block + b];                                           \
         level < a->s.f.block_level[a->s.first_block + b + 1]; level++)                                      \
        PHASE(w) GROUPS(a->s.f, level, w, g) row;
#define BACKWARD(row)                                                                                        \
    for (int32_t level = a->s.f.block_level[a->s.first_block + b + 1] - 1;                                   \
         level >= a->s.f.block_level[a->s.first_block + b]; level--)                                         \
        PHASE(w) GROUPS(a->s.f, level, w, g) row;

SLICE_KERNEL(ilu_forward_blocks, struct ilu_solve_args) { FORWARD(FOR_BLOCK(a->s.a.block, forward(a, g, n))) }
SLICE_KERNEL(ilu_backward_blocks, struct ilu_solve_args) { BACKWARD(FOR_BLOCK(a->s.a.block, backward(a, g, n))) }
SLICE_KERNEL(ilu_forward_numbers, struct ilu_solve_args)
{
    BY_LANE(solve_levels(a, a->s.first_block + b, 0);, FORWARD(forward(a, g, 1)))
}
SLICE_KERNEL(ilu_backward_numbers, struct ilu_solve_args)
{
    BY_LANE(solve_levels(a, a->s.first_block + b, 1);, BACKWARD(backward(a, g, 1)))
}

WARP_KERNEL(ilu_gather, struct ilu_solve_args)
{
    for (int i = 0; i < a->s.a.block; i++)
        LANES(t) a->out[i * a->s.pitch + w * WARP + t] = a->in[i * a->s.a.p.pitch + a->s.f.row[w * WARP + t]];
}

ON_DEVICE void apply_lower(const struct ilu_solve_args *a, int64_t g, const int n)
{
    const int64_t pitch = a->s.pitch;
    WARP_ARRAY(double, s, MOST_BLOCK);
    for (int i = 0; i < n; i++) LANES(t) IN_WARP_AT(s, i) = -a->in[i * pitch + g * WARP + t];
    LESS(s, a->n, a->in)
    for (int i = 0; i < n; i++) LANES(t) a->out[i * pitch + g * WARP + t] = -IN_WARP_AT(s, i);
}
WARP_KERNEL(ilu_apply_lower, struct ilu_solve_args) { FOR_BLOCK(a->s.a.block, apply_lower(a, w, n)) }

ON_DEVICE void apply_upper(const struct ilu_solve_args *a, int64_t g, const int n)
{
    const int64_t pitch = a->s.pitch;
    const double *inverse = a->s.f.inverse + g * WARP * n * n;
    WARP_ARRAY(double, s, MOST_BLOCK);
    for (int i = 0; i < n; i++) LANES(t) IN_WARP_AT(s, i) = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            LANES(t) {
                double entry = inverse[(i * n + j) * WARP + t];
                IN_WARP_AT(s, i) = fma(-entry, a->in[j * pitch + g * WARP + t], IN_WARP_AT(s, i));
            }
    LESS(s, a->n, a->in)
    for (int i = 0; i < n; i++) LANES(t) finish(a, g, t, i, -IN_WARP_AT(s, i));
}
WARP_KERNEL(ilu_apply_upper, struct ilu_solve_args) { FOR_BLOCK(a->s.a.block, apply_upper(a, w, n)) }

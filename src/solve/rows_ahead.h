/* rows_ahead.h: for ilu.cu, where lanes are threads: the triangular solves of scalar matrices, level by level.  The
 * data of a lane's next row are prefetched while the current row is computed and across the barrier between their
 * levels, because no other row changes them; their addresses are known one row earlier still.  So a level costs one
 * access to x through the cache, not three dependent memory accesses (the row's position, its columns, x).  Sums are in
 * the same order as in the kernels for block matrices and for CPUs: entry by entry. */
#ifndef POISE_ROWS_AHEAD_H
#define POISE_ROWS_AHEAD_H
#include "solve/ilu_kernels.h"

#if LANES_BRANCH
enum { KEPT = 8 };                      /* entries of a row in registers */

/* A lane's row: its group and level, -1 if there is none, its group's range of entries, and the row of the matrix, or
 * of z.  Prefetched values are not used in computations. */
struct found { int64_t group, first, end; int32_t level, row; };
/* The same row after loading; n: entries; begin: its right-hand side. */
struct ahead {
    int64_t group, first;
    int32_t level, row, n, column[KEPT];
    double value[KEPT], begin, inverse;
};

/* Iterates over a warp's groups in a block, level by level; left: remaining levels, including this one. */
struct walk { const struct ilu_solve_args *a; int32_t level, left; int64_t group; };

ON_DEVICE void walk_on(struct walk *k, int w, const int back)
{
    const int32_t *group = k->a->s.f.level_group;
    k->group += WARPS;
    UNROLL_BY(1) while (k->left && k->group >= group[k->level + 1]) {
        k->level += back ? -1 : 1;
        if (--k->left) k->group = group[k->level] + w;
    }
}

ON_DEVICE void find_row(struct found *r, const struct walk *k, int t, const int back)
{
    const struct ic_triangle *f = back ? &k->a->s.f.upper : &k->a->s.f.lower;
    r->level = k->left ? k->level : -1;
    if (!k->left) return;
    r->group = k->group, r->first = f->start[k->group], r->end = f->start[k->group + 1];
    r->row = (back ? k->a->s.target : k->a->s.f.row)[k->group * WARP + t];
}

/* Entries e .. e + KEPT - 1. */
ON_DEVICE void load_entries(struct ahead *r, const struct ic_triangle *f, int e)
{
    UNROLL
    for (int i = 0; i < KEPT; i++)
        if (e + i < r->n) {
            r->column[i] = f->column[r->first + (e + i) * WARP];
            r->value[i] = f->value[r->first + (e + i) * WARP];
        }
}

ON_DEVICE void load_row(struct ahead *r, const struct found *from, const struct ilu_solve_args *a, int t,
                        const int back)
{
    const int64_t p = from->group * WARP + t;
    r->level = from->level;
    if (r->level < 0) return;
    r->group = from->group, r->row = from->row;
    r->first = from->first + t, r->n = (int32_t)(from->end - from->first) / WARP;
    r->begin = back ? a->in[p] : a->in[r->row];
    if (back) r->inverse = a->s.f.inverse[p];
    load_entries(r, back ? &a->s.f.upper : &a->s.f.lower, 0);
}

ON_DEVICE void take_x(double *x, const struct ahead *r, int e, const double *from)
{
    UNROLL
    for (int i = 0; i < KEPT; i++) if (e + i < r->n) x[i] = from[r->column[i]];
}

ON_DEVICE void less_x(double *s, const double *x, const struct ahead *r, int e)
{
    UNROLL
    for (int i = 0; i < KEPT; i++) if (e + i < r->n) *s = fma(-r->value[i], x[i], *s);
}

ON_DEVICE void finish_row(struct ahead *r, double *x, const struct ilu_solve_args *a, int t, const int back)
{
    double s = r->begin;
    less_x(&s, x, r, 0);
    UNROLL_BY(1) for (int e = KEPT; e < r->n; e += KEPT) {
        load_entries(r, back ? &a->s.f.upper : &a->s.f.lower, e);
        take_x(x, r, e, a->out);
        less_x(&s, x, r, e);
    }
    if (back) s = fma(r->inverse, s, 0.0);
    if (back && r->row >= 0) a->z[r->row] = s;
    a->out[r->group * WARP + t] = s;
}

/* The levels of a block in sequence; back: those of the upper triangle, the last level first. */
ON_DEVICE void solve_levels(const struct ilu_solve_args *a, int64_t block, const int back)
{
    const int32_t lowest = a->s.f.block_level[block], n = a->s.f.block_level[block + 1] - lowest;
    const int w = SLICE_LANE / WARP, t = SLICE_LANE % WARP;
    const int32_t first = back ? lowest + n - 1 : lowest;
    struct walk walk = {a, first, n, a->s.f.level_group[first] + w - WARPS};
    struct ahead next;
    struct found then;
    walk_on(&walk, w, back), find_row(&then, &walk, t, back), load_row(&next, &then, a, t, back);
    walk_on(&walk, w, back), find_row(&then, &walk, t, back);
    UNROLL_BY(1) for (int32_t i = 0, level = first; i < n; i++, level += back ? -1 : 1) {
        UNROLL_BY(1) while (next.level == level) {
            struct ahead now = next;
            double x[KEPT];
            take_x(x, &now, 0, a->out);
            load_row(&next, &then, a, t, back);
            finish_row(&now, x, a, t, back);
            walk_on(&walk, w, back), find_row(&then, &walk, t, back);
        }
        BARRIER;
    }
}
#endif
#endif

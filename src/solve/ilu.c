/* Preconditioners ilu and block-isai: incomplete LU factorisations of block matrices, on the device (ilu_kernels.h).
 * ilu: ILU(k), its triangles solved exactly, level by level (Saad 2003, sections 10.3 and 11.6; Yang 2015, chapter 4).
 * block-isai: ILU(0), its triangles replaced by incomplete sparse approximate inverses (Anzt et al. 2018; Ma et al.
 * 2021): column j of N, with the rows J of column j of |L|^power, solves L(J, J) n_j = e_j, and likewise for D + U; z =
 * N_U N_L r.  Both can factor the whole matrix or overlapping parts of it, whose rows are then solved together, level
 * by level (ilu_rows.h). */
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "solve/ilu_kernels.h"
#include "solve/ilu_rows.h"
#include "solve/preconditioner.h"

struct ilu {
    struct preconditioner base;
    struct ilu_args args;
    struct ic_plan plan;
    bool isai;
    struct ic_triangle rows[2], columns[2];     /* isai: the inverses, lower and upper */
    double *y[2];               /* [block n_padded of the plan] */
    char why[160];
};

/* ---------------------------------------------------------------- creation */
/* Sorts the columns of each row by position, together with the sources of their values. */
static void sort_by_position(struct ic_rows *t, int32_t n, const int32_t *place)
{
    for (int32_t r = 0; r < n; r++)
        for (int64_t k = t->start[r] + 1; k < t->start[r + 1]; k++) {
            int32_t column = t->column[k];
            int64_t from = t->from[k], j = k;
            for (; j > t->start[r] && place[t->column[j - 1]] > place[column]; j--)
                t->column[j] = t->column[j - 1], t->from[j] = t->from[j - 1];
            t->column[j] = column, t->from[j] = from;
        }
}

/* The lower triangle of the graph of both factors together: levels are computed from it, so that rows of one level are
 * not neighbours in either factor. */
static struct lower_rows graph_of(const struct ilu_rows *r)
{
    struct lower_rows g = {.n = r->n, .order = r->row, .part = r->part};
    int64_t *end, n_entries = r->lower.start[r->n] + r->upper.start[r->n];
    NEW(g.start, r->n + (int64_t)1), NEW(end, r->n), NEW(g.column, n_entries);
    for (int32_t i = 0; i < r->n; i++) {
        g.start[i + 1] += r->lower.start[i + 1] - r->lower.start[i];
        for (int64_t k = r->upper.start[i]; k < r->upper.start[i + 1]; k++) g.start[r->upper.column[k] + 1]++;
    }
    for (int32_t i = 0; i < r->n; i++) end[i] = g.start[i], g.start[i + 1] += g.start[i];
    for (int32_t i = 0; i < r->n; i++) {
        for (int64_t k = r->lower.start[i]; k < r->lower.start[i + 1]; k++) g.column[end[i]++] = r->lower.column[k];
        for (int64_t k = r->upper.start[i]; k < r->upper.start[i + 1]; k++) g.column[end[r->upper.column[k]]++] = i;
    }
    free(end);
    return g;
}

/* The pattern of a triangle's approximate inverse, by rows and by columns.  t: the rows of the lower triangle, or the
 * columns of the upper one, whose transpose is lower. */
static void make_inverse(struct ilu *m, const struct ic_rows *t, int32_t n, int power, bool upper)
{
    struct lower_rows l = {.n = n, .start = t->start, .column = t->column}, p = lower_rows_power(&l, power);
    struct ic_rows one = {.start = p.start, .column = p.column}, rows, columns;
    int square = m->base.a.block * m->base.a.block;
    int64_t *stored;
    if (upper) {                                /* p has the columns */
        rows = ic_rows_transpose(&one, n);
        free(rows.from), rows.from = NULL;
        NEW(rows.from, rows.start[n]);
    } else {
        columns = ic_rows_transpose(&one, n);
        rows = ic_rows_transpose(&columns, n);
        ic_rows_free(&columns);
    }
    sort_by_position(&rows, n, m->plan.place);
    NEW(stored, rows.start[n]);
    ic_triangle_create(&m->rows[upper], &(struct ic_rows){rows.start, rows.column, NULL}, &m->plan, square, stored);
    for (int64_t k = 0; k < rows.start[n]; k++) rows.from[k] = stored[k];
    columns = ic_rows_transpose(&rows, n);
    sort_by_position(&columns, n, m->plan.place);
    for (int32_t r = 0; upper && r < n; r++)                    /* solved from the diagonal upwards */
        for (int64_t k = columns.start[r], e = columns.start[r + 1] - 1; k < e; k++, e--) {
            int32_t c = columns.column[k];
            int64_t from = columns.from[k];
            columns.column[k] = columns.column[e], columns.from[k] = columns.from[e];
            columns.column[e] = c, columns.from[e] = from;
        }
    ic_triangle_create(&m->columns[upper], &columns, &m->plan, 0, NULL);
    if (power > 1) free(p.start), free(p.column);
    ic_rows_free(&rows), ic_rows_free(&columns), free(stored);
}

/* once: -1 in lanes that repeat a row. */
static int32_t *by_position(const struct ic_plan *p, const int32_t *of_row, bool once)
{
    int32_t *v, *there;
    NEW(v, p->n_positions);
    for (int64_t i = 0; i < p->n_positions; i++) v[i] = once && p->place[p->row[i]] != i ? -1 : of_row[p->row[i]];
    there = device_copy_of(v, (size_t)p->n_positions * sizeof *v, "incomplete factorisation");
    free(v);
    return there;
}

static double *array(int64_t n) { return device_alloc((size_t)n * sizeof(double), "incomplete factorisation"); }

static void make_factors(struct ilu *m, struct ilu_rows *r, const struct linear_setting *s)
{
    int block = m->base.a.block, square = block * block;
    sort_by_position(&r->lower, r->n, m->plan.place), sort_by_position(&r->upper, r->n, m->plan.place);
    ic_triangle_create(&m->args.f.lower, &r->lower, &m->plan, square, NULL);
    ic_triangle_create(&m->args.f.upper, &r->upper, &m->plan, square, NULL);
    m->args.own = by_position(&m->plan, m->plan.place, false);
    m->args.target = by_position(&m->plan, r->target, true);
    m->args.pitch = m->plan.n_padded;
    m->args.bad = array(m->plan.n_padded);
    m->y[0] = array(block * m->plan.n_padded);
    if (!m->isai) return;
    struct ic_rows columns = ic_rows_transpose(&r->upper, r->n);
    m->y[1] = array(block * m->plan.n_padded);
    make_inverse(m, &r->lower, r->n, s->power, false);
    make_inverse(m, &columns, r->n, s->power, true);
    ic_rows_free(&columns);
}

/* ---------------------------------------------------------------- values */
static const char *check_pivots(struct ilu *m)
{
    const struct ic_plan *p = &m->plan;
    if (reduce_own(REDUCE_ABS_MAX, m->args.bad, NULL, p->n_padded) == 0) return NULL;
    double *bad;
    int32_t i = 0, row;
    NEW(bad, p->n_positions);
    device_download(bad, m->args.bad, (size_t)p->n_positions * sizeof *bad);
    while (bad[p->place[i]] == 0) i++;          /* the first one: later ones may be bad because of it */
    device_download(&row, m->args.f.row + p->place[i], sizeof row);
    snprintf(m->why, sizeof m->why, "row %d of %d (from 1, as the solver orders them): the pivot of incomplete LU is "
             "%s", row + 1, m->base.a.p.n, m->base.a.block > 1 ? "a singular block" : "zero");
    free(bad);
    return m->why;
}

static const char *refresh(struct preconditioner *p)
{
    struct ilu *m = (struct ilu *)p;
    struct ilu_args args = m->args;
    args.a = m->args.a = p->a;
    ilu_begin_lower(&args, m->plan.n_groups);
    ilu_begin_upper(&args, m->plan.n_groups);
    for (int i = 0; i < m->plan.n_launches; i++) {
        args.first_block = m->plan.launch_block[i];
        ilu_factor(&args, m->plan.launch_block[i + 1] - args.first_block);
    }
    const char *why = check_pivots(m);
    if (why || !m->isai) return why;
    struct ilu_inverse_args lower = {args, m->rows[0], m->columns[0]}, upper = {args, m->rows[1], m->columns[1]};
    ilu_invert_lower(&lower, m->plan.n_groups);
    ilu_invert_upper(&upper, m->plan.n_groups);
    return NULL;
}

static void apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    const struct ilu *m = (const struct ilu *)p;
    const int32_t *first = m->plan.launch_block;
    const bool numbers = p->a.block == 1;
    struct ilu_solve_args forward = {.s = m->args, .in = r, .out = m->y[0]};
    struct ilu_solve_args backward = {.s = m->args, .in = m->y[0], .out = m->y[0], .z = z};
    (void)norm2;
    for (int i = 0; i < m->plan.n_launches; i++) {
        forward.s.first_block = first[i];
        (numbers ? ilu_forward_numbers : ilu_forward_blocks)(&forward, first[i + 1] - first[i]);
    }
    for (int i = m->plan.n_launches; i-- > 0;) {
        backward.s.first_block = first[i];
        (numbers ? ilu_backward_numbers : ilu_backward_blocks)(&backward, first[i + 1] - first[i]);
    }
}

static void apply_inverses(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    const struct ilu *m = (const struct ilu *)p;
    struct ilu_solve_args gather = {.s = m->args, .in = r, .out = m->y[0]};
    struct ilu_solve_args lower = {.s = m->args, .n = m->rows[0], .in = m->y[0], .out = m->y[1]};
    struct ilu_solve_args upper = {.s = m->args, .n = m->rows[1], .in = m->y[1], .z = z};
    (void)norm2;
    ilu_gather(&gather, m->plan.n_groups);
    ilu_apply_lower(&lower, m->plan.n_groups);
    ilu_apply_upper(&upper, m->plan.n_groups);
}

/* ---------------------------------------------------------------- the rest */
static void release(struct preconditioner *p)
{
    struct ilu *m = (struct ilu *)p;
    ic_layout_free(&m->args.f, &m->plan);
    ic_triangles_free(&m->rows[0], &m->rows[1]), ic_triangles_free(&m->columns[0], &m->columns[1]);
    device_free((void *)m->args.own), device_free((void *)m->args.target), device_free(m->args.bad);
    device_free(m->y[0]), device_free(m->y[1]);
    free(m);
}

static struct preconditioner *create(const struct matrix *a, const struct linear_setting *s, int level, bool isai,
                                     struct error *e)
{
    struct ilu *m;
    struct ilu_rows rows;
    if (!ilu_rows_create(&rows, a, level, s, e)) return NULL;
    NEW(m, 1);
    m->isai = isai;
    m->base = (struct preconditioner){.refresh = refresh, .apply = isai ? apply_inverses : apply, .free = release,
                                      .a = *a, .variable = true};
    m->args.a = *a;
    struct lower_rows graph = graph_of(&rows);
    bool good = ic_schedule_create(&m->args.f, &m->plan, &graph, rows.n, rows.part ? IC_PARTS : IC_LEVELS,
                                   a->block * a->block);
    if (good) make_factors(m, &rows, s);
    free(graph.start), free(graph.column);
    if (!good) {
        refuse(e, EXIT_INPUT, "incomplete LU: in this order %d rows depend on each other in %d levels, so nothing can "
                              "be done in parallel; use factor_ordering = \"cuthill-mckee\" or \"multicolour\"", rows.n,
               m->plan.n_levels);
        release(&m->base);
    }
    ilu_rows_free(&rows);
    return good ? &m->base : NULL;
}

struct preconditioner *ilu_create(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    return create(a, s, s->level, false, e);
}

struct preconditioner *block_isai_create(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    return create(a, s, 0, true, e);
}

#include "solve/incomplete_cholesky.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/mod_sell_row.h"

/* A block of the machine's takes as many diagonal blocks as have BLOCK_ROWS rows, and one for every lane of a warp, so that
 * even levels of one row in each fill a group; LONGEST is the longest diagonal block it takes.  Groups up to which a level
 * is narrow: two a warp.  More levels than TOO_MANY, nearly all padding, are refused. */
enum { BLOCK_ROWS = 2048, LONGEST = 4096, NARROW_GROUPS = 2 * WARPS, TOO_MANY = 4096 };

/* A triangle while it is made on the host. */
struct rows { const int64_t *start; const int32_t *column; const int64_t *from; };

struct incomplete_cholesky {
    const struct mod_sell *a;
    struct ic_layout f;
    int32_t n_groups, n_levels, n_launches;
    int32_t *launch_block;      /* [n_launches + 1] first block of a launch */
    int32_t *place;             /* [n] position of a row, in the order of elimination */
    double *y[3];               /* [n_scratch] for the solve; SWEEPS: two more, for what goes to and fro */
    double *other_value, *other_inverse;        /* SWEEPS: the factor before a sweep */
    int64_t n_scratch;          /* positions, padded to slices */
    char why[160];
};

/* Both triangles as they stand in the matrix. */
static void download_rows(struct lower_rows *g, const struct mod_sell *a, int32_t block_rows)
{
    int64_t n_warps = a->n_padded / WARP, *warp;
    int32_t *col;
    NEW(warp, n_warps + 1), NEW(col, a->n_stored);
    NEW(g->start, a->n + 1), NEW(g->column, a->n_entries), NEW(g->place, a->n_entries);
    device_download(warp, a->warp_start, (size_t)(n_warps + 1) * sizeof *warp);
    device_download(col, a->col, (size_t)a->n_stored * sizeof *col);
    for (int32_t r = 0; r < a->n; r++) {
        int64_t at = g->start[r];
        for (int64_t k = warp[r / WARP] + r % WARP; k < warp[r / WARP + 1]; k += WARP) {
            int32_t c = COLUMN(r / SLICE, col[k]);
            if (col[k] == 0 || c / block_rows != r / block_rows) continue;
            g->column[at] = c;
            g->place[at++] = k;
        }
        g->start[r + 1] = at;
    }
    free(warp), free(col);
}

static int by_column(const void *x, const void *y)
{
    const int64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* First fit: no neighbours of one colour; in every block, rows by colours. */
static void order_colours(struct lower_rows *l, const struct lower_rows *g, int32_t block_rows)
{
    int32_t *colour, *taken, at = 0;            /* taken[colour]: last row with a neighbour of it, + 1 */
    NEW(colour, l->n), NEW(taken, l->n + 1);
    for (int32_t r = 0; r < l->n; r++) {
        for (int64_t e = g->start[r]; e < g->start[r + 1]; e++)
            if (g->column[e] < r) taken[colour[g->column[e]]] = r + 1;
        while (taken[colour[r]] == r + 1) colour[r]++;
    }
    for (int64_t first = 0; first < l->n; first += block_rows) {
        int64_t last = first + block_rows < l->n ? first + block_rows : l->n;
        for (int32_t c = 0; at < last; c++)
            for (int64_t r = first; r < last; r++)
                if (colour[r] == c) l->order[at++] = (int32_t)r;
    }
    free(colour), free(taken);
}

void lower_rows_create(struct lower_rows *l, const struct mod_sell *a, int32_t block_rows, enum factor_ordering ordering)
{
    struct lower_rows g;                        /* both triangles; its order: when a row comes */
    int64_t (*found)[2];
    download_rows(&g, a, block_rows);
    l->n = a->n;
    NEW(l->order, a->n), NEW(g.order, a->n), NEW(found, a->n_stored / WARP + 1);
    NEW(l->start, a->n + 1), NEW(l->column, g.start[a->n] / 2), NEW(l->place, g.start[a->n] / 2);
    for (int32_t r = 0; r < a->n; r++) l->order[r] = r;
    if (ordering == FACTOR_CUTHILL_MCKEE) order_cuthill_mckee(l->order, g.start, g.column, a->n);
    if (ordering == FACTOR_MULTICOLOUR) order_colours(l, &g, block_rows);
    for (int32_t r = 0; r < a->n; r++) g.order[l->order[r]] = r;
    for (int32_t r = 0; r < a->n; r++) {
        int64_t n = 0, at = l->start[r];
        for (int64_t e = g.start[l->order[r]]; e < g.start[l->order[r] + 1]; e++)
            if (g.order[g.column[e]] < r) found[n][0] = g.order[g.column[e]], found[n++][1] = g.place[e];
        qsort(found, (size_t)n, sizeof *found, by_column);
        for (int64_t i = 0; i < n; i++, at++) l->column[at] = (int32_t)found[i][0], l->place[at] = found[i][1];
        l->start[r + 1] = at;
    }
    lower_rows_free(&g);
    free(found);
}

void lower_rows_free(struct lower_rows *l) { free(l->order), free(l->start), free(l->column), free(l->place); }

/* ---------------------------------------------------------------- the schedule */
struct schedule { int32_t *row, *level_group, *block_level; int32_t n_groups, n_levels, n_blocks; bool narrow; };

/* A level of so many groups, in a block of its own or in the last one. */
static void add_level(struct schedule *s, int32_t groups, bool new_block)
{
    RESIZE(s->level_group, s->n_levels + 2);
    RESIZE(s->block_level, s->n_blocks + 2);
    s->level_group[s->n_levels] = s->n_groups;
    if (new_block) s->block_level[s->n_blocks++] = s->n_levels;
    s->level_group[++s->n_levels] = s->n_groups += groups;
    s->block_level[s->n_blocks] = s->n_levels;
}

/* Rows, already in their places behind the groups there are, become a level. */
static void take_level(struct incomplete_cholesky *f, struct schedule *s, int32_t n_rows, bool spread, bool new_block)
{
    int32_t groups = (n_rows + WARP - 1) / WARP, first = s->n_groups * WARP;
    for (int32_t i = n_rows; i < groups * WARP; i++) s->row[first + i] = s->row[first];
    bool wide = spread && groups > NARROW_GROUPS;
    if (!spread ? f->n_launches == 0 : wide || !s->narrow) {
        RESIZE(f->launch_block, f->n_launches + 2);
        f->launch_block[f->n_launches++] = s->n_blocks;
        new_block = true;
    }
    if (wide)
        for (int32_t g = 0; g < groups; g += WARPS) add_level(s, groups - g < WARPS ? groups - g : WARPS, true);
    else
        add_level(s, groups, new_block);
    s->narrow = !wide;
    f->launch_block[f->n_launches] = s->n_blocks;
}

/* Rows first .. last - 1 of the matrix, which need no others, sorted by level. */
static void take_rows(struct incomplete_cholesky *f, struct schedule *s, const struct lower_rows *l, int32_t first,
                      int32_t last, enum ic_schedule how)
{
    int32_t *level, *count, n_levels = 0;
    NEW(level, last - first), NEW(count, last - first + 1);
    for (int32_t r = first; r < last; r++) {
        int32_t *mine = &level[r - first];
        for (int64_t e = l->start[r]; how != IC_SWEEPS && e < l->start[r + 1]; e++)
            if (level[l->column[e] - first] >= *mine) *mine = level[l->column[e] - first] + 1;
        count[*mine]++;
        if (*mine >= n_levels) n_levels = *mine + 1;
    }
    if (n_levels > f->n_levels) f->n_levels = n_levels;
    int32_t *sorted, *at;
    NEW(sorted, last - first), NEW(at, n_levels + 1);
    for (int32_t k = 0; k < n_levels; k++) at[k + 1] = at[k] + count[k];
    for (int32_t r = first; r < last; r++) sorted[at[level[r - first]]++] = r;
    for (int32_t k = 0, done = 0; k < n_levels; done += count[k++]) {
        RESIZE(s->row, (int64_t)s->n_groups * WARP + count[k] + WARP);
        memcpy(s->row + (int64_t)s->n_groups * WARP, sorted + done, (size_t)count[k] * sizeof *sorted);
        take_level(f, s, count[k], how != IC_BLOCKS, k == 0);
    }
    free(level), free(count), free(sorted), free(at);
}

static struct schedule make_schedule(struct incomplete_cholesky *f, const struct lower_rows *l, int32_t block_rows,
                                     enum ic_schedule how)
{
    struct schedule s = {0};
    if (how == IC_BLOCKS && block_rows > LONGEST) how = IC_LEVELS;
    int64_t blocks = (BLOCK_ROWS + block_rows - 1) / block_rows, step = (blocks > WARP ? blocks : WARP) * (int64_t)block_rows;
    if (how != IC_BLOCKS) step = l->n;
    for (int64_t r = 0; r < l->n; r += step) take_rows(f, &s, l, (int32_t)r, (int32_t)(r + step < l->n ? r + step : l->n), how);
    return s;
}

/* ---------------------------------------------------------------- the triangles */
static void *upload(const void *from, size_t bytes)
{
    void *to = device_alloc(bytes, "incomplete Cholesky");
    device_upload(to, from, bytes);
    return to;
}

/* Widths of the groups; then the entries.  place: [position of a row]; stored, if not NULL: where each entry went. */
static void make_triangle(struct ic_triangle *t, const struct rows *rows, const struct schedule *s, const int32_t *place,
                          int64_t *stored)
{
    int64_t *start, *from;
    int32_t *column;
    NEW(start, s->n_groups + 1);
    for (int64_t p = 0; p < s->n_groups * (int64_t)WARP; p++) {
        int64_t g = p / WARP, length = rows->start[s->row[p] + 1] - rows->start[s->row[p]];
        if (p % WARP == 0) start[g + 1] = start[g];
        if (start[g] + WARP * length > start[g + 1]) start[g + 1] = start[g] + WARP * length;
    }
    t->n_stored = start[s->n_groups];
    NEW(column, t->n_stored), NEW(from, t->n_stored);
    for (int64_t g = 0; g < s->n_groups; g++) {
        int32_t any = 0;
        for (int lane = 0; lane < WARP; lane++) {
            int32_t r = s->row[g * WARP + lane];
            if (rows->start[r] < rows->start[r + 1]) any = place[rows->column[rows->start[r]]];
        }
        for (int64_t k = start[g]; k < start[g + 1]; k++) {
            int32_t r = s->row[g * WARP + (k - start[g]) % WARP];
            int64_t e = rows->start[r] + (k - start[g]) / WARP;
            bool there = e < rows->start[r + 1];
            column[k] = there ? place[rows->column[e]] : any;
            from[k] = there ? rows->from[e] : -1;
            if (there && stored) stored[e] = k;
        }
    }
    t->start = upload(start, (size_t)(s->n_groups + 1) * sizeof *start);
    t->column = upload(column, (size_t)t->n_stored * sizeof *column);
    t->from = upload(from, (size_t)t->n_stored * sizeof *from);
    t->value = device_alloc((size_t)t->n_stored * sizeof *t->value, "incomplete Cholesky");
    free(start), free(column), free(from);
}

static void free_triangle(struct ic_triangle *t)
{
    device_free((void *)t->start), device_free((void *)t->column), device_free((void *)t->from), device_free(t->value);
}

/* The lower triangle, and the upper one, whose values come from where the lower one's are stored. */
static void make_triangles(struct incomplete_cholesky *f, const struct lower_rows *l, const struct schedule *s)
{
    int64_t n_entries = l->start[l->n], *stored, *start, *from;
    int32_t *place, *column;
    NEW(f->place, l->n), NEW(stored, n_entries), NEW(start, l->n + 2), NEW(column, n_entries), NEW(from, n_entries);
    place = f->place;
    for (int32_t p = 0; p < s->n_groups * WARP; p++) place[s->row[p]] = p;
    struct rows lower = {l->start, l->column, l->place}, upper = {start, column, from};
    make_triangle(&f->f.lower, &lower, s, place, stored);
    for (int64_t e = 0; e < n_entries; e++) start[l->column[e] + 2]++;
    for (int32_t r = 0; r < l->n; r++) start[r + 2] += start[r + 1];
    for (int32_t r = 0; r < l->n; r++)
        for (int64_t e = l->start[r]; e < l->start[r + 1]; e++) {
            int64_t at = start[l->column[e] + 1]++;
            column[at] = r;
            from[at] = stored[e];
        }
    make_triangle(&f->f.upper, &upper, s, place, NULL);
    free(stored), free(start), free(column), free(from);
}

static void make_factor(struct incomplete_cholesky *f, const struct lower_rows *l, struct schedule *s, enum ic_schedule how)
{
    make_triangles(f, l, s);
    for (int64_t p = 0; p < s->n_groups * (int64_t)WARP; p++) s->row[p] = l->order[s->row[p]];
    f->f.row = upload(s->row, (size_t)s->n_groups * WARP * sizeof *s->row);
    f->f.level_group = upload(s->level_group, ((size_t)s->n_levels + 1) * sizeof *s->level_group);
    f->f.block_level = upload(s->block_level, ((size_t)s->n_blocks + 1) * sizeof *s->block_level);
    f->n_scratch = (s->n_groups * (int64_t)WARP + SLICE - 1) / SLICE * SLICE;
    size_t bytes = (size_t)f->n_scratch * sizeof(double);
    f->f.inverse = device_alloc(bytes, "incomplete Cholesky");
    for (int i = 0; i < (how == IC_SWEEPS ? 3 : 1); i++) f->y[i] = device_alloc(bytes, "incomplete Cholesky");
    if (how != IC_SWEEPS) return;
    f->other_inverse = device_alloc(bytes, "incomplete Cholesky");
    f->other_value = device_alloc((size_t)f->f.lower.n_stored * sizeof(double), "incomplete Cholesky");
}

struct incomplete_cholesky *incomplete_cholesky_create(const struct mod_sell *a, int32_t block_rows,
                                                       enum factor_ordering ordering, enum ic_schedule how,
                                                       struct error *e)
{
    struct incomplete_cholesky *f;
    struct lower_rows l;
    NEW(f, 1);
    f->a = a;
    lower_rows_create(&l, a, block_rows, ordering);
    struct schedule s = make_schedule(f, &l, block_rows, how);
    f->n_groups = s.n_groups;
    bool chain = f->n_levels > TOO_MANY && s.n_groups * (int64_t)WARP > 8 * (int64_t)a->n;
    if (chain)
        refuse(e, EXIT_INPUT, "incomplete Cholesky: in this order %d rows wait for each other in %d levels, so there is nothing "
               "to do at once; use factor_ordering = \"cuthill-mckee\", or triangular = \"fixed-point\" or \"host\"", a->n,
               f->n_levels);
    else
        make_factor(f, &l, &s, how);
    free(s.row), free(s.level_group), free(s.block_level);
    lower_rows_free(&l);
    if (!chain) return f;
    incomplete_cholesky_free(f);
    return NULL;
}
void incomplete_cholesky_free(struct incomplete_cholesky *f)
{
    free_triangle(&f->f.lower), free_triangle(&f->f.upper);
    device_free((void *)f->f.row), device_free((void *)f->f.level_group), device_free((void *)f->f.block_level);
    device_free(f->f.inverse), device_free(f->other_inverse), device_free(f->other_value);
    for (int i = 0; i < 3; i++) device_free(f->y[i]);
    free(f->launch_block), free(f->place);
    free(f);
}

int incomplete_cholesky_levels(const struct incomplete_cholesky *f) { return f->n_levels; }
int incomplete_cholesky_launches(const struct incomplete_cholesky *f) { return f->n_launches; }

/* ---------------------------------------------------------------- the factor */
/* The first row in the order of elimination: later ones may be bad because it is. */
static const char *check_pivots(struct incomplete_cholesky *f)
{
    int64_t n = f->n_groups * (int64_t)WARP;
    struct ic_check_args args = {f->f, f->a->diag, f->y[0]};
    ic_check(&args, n);
    if (reduce(REDUCE_ABS_MAX, f->y[0], NULL, f->n_scratch) == 0) return NULL;
    double *bad, *inverse;
    int32_t *row, i = 0;
    NEW(row, n), NEW(inverse, n), NEW(bad, n);
    device_download(row, f->f.row, (size_t)n * sizeof *row);
    device_download(inverse, f->f.inverse, (size_t)n * sizeof *inverse);
    device_download(bad, f->y[0], (size_t)n * sizeof *bad);
    while (bad[f->place[i]] == 0) i++;
    snprintf(f->why, sizeof f->why, IC_PIVOT_MESSAGE, row[f->place[i]] + 1, f->a->n, 1 / inverse[f->place[i]]);
    free(row), free(inverse), free(bad);
    return f->why;
}

/* One pass: rows from the ones in `in`, or in place. */
static void factor_rows(const struct incomplete_cholesky *f, const struct ic_layout *out, const struct ic_layout *in)
{
    for (int i = 0; i < f->n_launches; i++) {
        int32_t first = f->launch_block[i];
        struct ic_factor_args args = {*out, f->a->val, f->a->diag, in->lower.value, in->inverse, first};
        ic_factor(&args, f->launch_block[i + 1] - first);
    }
}

/* To and fro, so that the last sweep ends in the arrays that the solve knows. */
static void factor_by_sweeps(const struct incomplete_cholesky *f, int sweeps)
{
    struct ic_layout turn[2] = {f->f, f->f};
    turn[1].lower.value = f->other_value;
    turn[1].inverse = f->other_inverse;
    struct ic_begin_args begin = {turn[sweeps % 2], f->a->val, f->a->diag};
    ic_begin(&begin, f->f.lower.n_stored);
    ic_begin_pivots(&begin, f->n_groups * (int64_t)WARP);
    for (int s = sweeps; s > 0; s--) factor_rows(f, &turn[(s - 1) % 2], &turn[s % 2]);
}

const char *incomplete_cholesky_factor(struct incomplete_cholesky *f, int sweeps)
{
    if (f->other_value) factor_by_sweeps(f, sweeps);
    else factor_rows(f, &f->f, &f->f);
    ic_mirror(&f->f, f->f.upper.n_stored);
    return check_pivots(f);
}

/* ---------------------------------------------------------------- its triangles */
static void swap(double **x, double **y)
{
    double *was = *x;
    *x = *y;
    *y = was;
}

typedef void solve_kernel(const struct ic_solve_args *, int64_t);

static void launch(const struct incomplete_cholesky *f, int i, struct ic_solve_args args, solve_kernel *kernel)
{
    args.first_block = f->launch_block[i];
    kernel(&args, f->launch_block[i + 1] - args.first_block);
}

static void solve_by_sweeps(const struct incomplete_cholesky *f, const double *r, double *z, int sweeps)
{
    double *y = f->y[0], *in = f->y[1], *out = f->y[2];
    struct ic_solve_args scale = {f->f, r, NULL, y, NULL, 0};
    ic_scale(&scale, f->n_groups * (int64_t)WARP);
    for (int s = 0; s < sweeps; s++, swap(&y, &out))
        launch(f, 0, (struct ic_solve_args){f->f, r, y, out, NULL, 0}, ic_forward);
    for (int s = 1; s <= sweeps; s++, swap(&in, &out))
        launch(f, 0, (struct ic_solve_args){f->f, y, s == 1 ? y : in, out, s == sweeps ? z : NULL, 0}, ic_backward);
}

void incomplete_cholesky_solve(struct incomplete_cholesky *f, const double *r, double *z, int sweeps)
{
    if (f->other_value) {
        solve_by_sweeps(f, r, z, sweeps);
        return;
    }
    struct ic_solve_args forward = {f->f, r, f->y[0], f->y[0], NULL, 0}, backward = {f->f, f->y[0], f->y[0], f->y[0], z, 0};
    for (int i = 0; i < f->n_launches; i++) launch(f, i, forward, ic_forward);
    for (int i = f->n_launches; i-- > 0;) launch(f, i, backward, ic_backward);
}

int64_t incomplete_cholesky_bytes(const struct incomplete_cholesky *f, int sweeps)
{
    int64_t n = f->n_groups * (int64_t)WARP, entries = (f->f.lower.n_stored + f->f.upper.n_stored) * 12;
    int64_t swept = f->other_value ? sweeps : 1;
    /* forwards: right, row, inverse, in, out (in place: in is out); backwards: the same, and z. */
    int64_t forward = (8 + 4 + 8 + 8) * n, backward = (8 + 4 + 8 + 8) * n, in = f->other_value ? 8 * n : 0;
    return swept * (entries + forward + backward + 2 * in) + (f->other_value ? (8 + 4 + 8 + 8) * n : 0);
}

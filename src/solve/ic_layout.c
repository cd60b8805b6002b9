/* Groups and levels of the triangles of incomplete factorisations (ic_layout.h). */
#include "solve/ic_layout.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"

/* BLOCKS: a thread block handles as many diagonal blocks of the matrix as have BLOCK_ROWS rows, and at least one for
 * each lane of a warp, so that a level with a single row in each diagonal block still fills a group.  Matrices with
 * diagonal blocks longer than LONGEST use LEVELS.  PARTS: a block receives subdomains until they have BLOCK_ROWS rows.
 * A level is narrow up to NARROW_GROUPS groups, two per warp.  More levels than TOO_MANY, nearly all padding, are
 * rejected. */
enum { BLOCK_ROWS = 2048, LONGEST = 4096, NARROW_GROUPS = 2 * WARPS, TOO_MANY = 4096 };

/* ---------------------------------------------------------------- the schedule */
struct schedule { struct ic_plan *plan; int32_t *level_group, *block_level, n_levels, n_blocks; bool narrow; };

/* Adds a level of this many groups, to a new block or to the last one. */
static void add_level(struct schedule *s, int32_t groups, bool new_block)
{
    RESIZE(s->level_group, s->n_levels + 2);
    RESIZE(s->block_level, s->n_blocks + 2);
    s->level_group[s->n_levels] = s->plan->n_groups;
    if (new_block) s->block_level[s->n_blocks++] = s->n_levels;
    s->level_group[++s->n_levels] = s->plan->n_groups += groups;
    s->block_level[s->n_blocks] = s->n_levels;
}

/* Creates a level of n_rows rows, which are stored in plan->row after the existing groups. */
static void take_level(struct schedule *s, int32_t n_rows, bool spread, bool new_block)
{
    struct ic_plan *p = s->plan;
    int32_t groups = (n_rows + WARP - 1) / WARP, first = p->n_groups * WARP;
    for (int32_t i = n_rows; i < groups * WARP; i++) p->row[first + i] = p->row[first];
    bool wide = spread && groups > NARROW_GROUPS;
    if (spread ? wide || !s->narrow : p->n_launches == 0) {
        RESIZE(p->launch_block, p->n_launches + 2);
        p->launch_block[p->n_launches++] = s->n_blocks;
        new_block = true;
    }
    if (wide)
        for (int32_t g = 0; g < groups; g += WARPS) add_level(s, groups - g < WARPS ? groups - g : WARPS, true);
    else
        add_level(s, groups, new_block);
    s->narrow = !wide;
    p->launch_block[p->n_launches] = s->n_blocks;
}

/* Length of the chain of rows on which each row depends: [n]; the caller frees it. */
static int32_t *find_levels(const struct lower_rows *l, enum ic_schedule how)
{
    int32_t *level;
    NEW(level, l->n);
    for (int32_t r = 0; how != IC_SWEEPS && r < l->n; r++)
        for (int64_t e = l->start[r]; e < l->start[r + 1]; e++)
            if (level[l->column[e]] >= level[r]) level[r] = level[l->column[e]] + 1;
    return level;
}

/* Rows that depend on no others, and their order. */
struct chunk { const int32_t *row, *level; int32_t n; };

static int32_t count_levels(const struct chunk *c)
{
    int32_t most = 0;
    for (int32_t i = 0; i < c->n; i++) if (c->level[c->row[i]] > most) most = c->level[c->row[i]];
    return most + 1;
}

/* Schedules a chunk by levels.  False: too many levels. */
static bool take_rows(struct schedule *s, const struct chunk *c, enum ic_schedule how)
{
    struct ic_plan *p = s->plan;
    int32_t *sorted, *at, n_levels = count_levels(c);
    int64_t padded = 0;
    NEW(sorted, c->n), NEW(at, n_levels + 2);
    if (n_levels > p->n_levels) p->n_levels = n_levels;
    for (int32_t i = 0; i < c->n; i++) at[c->level[c->row[i]] + 2]++;
    for (int32_t k = 0; k < n_levels; k++) {
        padded += (at[k + 2] + WARP - 1) / WARP * WARP;
        at[k + 2] += at[k + 1];
    }
    bool chain = n_levels > TOO_MANY && padded > 8 * (int64_t)c->n;
    for (int32_t i = 0; i < c->n; i++) sorted[at[c->level[c->row[i]] + 1]++] = c->row[i];
    for (int32_t k = 0; !chain && k < n_levels; k++) {
        int32_t count = at[k + 1] - at[k];
        RESIZE(p->row, (int64_t)p->n_groups * WARP + count + WARP);
        memcpy(p->row + (int64_t)p->n_groups * WARP, sorted + at[k], (size_t)count * sizeof *sorted);
        take_level(s, count, how == IC_LEVELS || how == IC_SWEEPS, k == 0);
    }
    free(sorted), free(at);
    return !chain;
}

/* ---------------------------------------------------------------- assignment of rows to thread blocks */
struct chunks { int32_t *row, *start, n; };     /* rows, those of chunk i from start[i] on; chunks */

static struct chunks equal_chunks(int32_t n, int64_t step)
{
    struct chunks c = {.n = 0};
    NEW(c.row, n), NEW(c.start, n / step + 2);
    for (int32_t r = 0; r < n; r++) c.row[r] = r;
    for (int64_t r = 0; r < n; r += step) c.start[++c.n] = (int32_t)(r + step < n ? r + step : n);
    return c;
}

/* A chunk for each subdomain, or for several small ones. */
static struct chunks part_chunks(const struct lower_rows *l)
{
    struct chunks c = {.n = 0};
    int32_t *at, n_parts = 0;
    for (int32_t r = 0; r < l->n; r++) if (l->part[r] >= n_parts) n_parts = l->part[r] + 1;
    NEW(c.row, l->n), NEW(c.start, n_parts + 1), NEW(at, n_parts + 1);
    for (int32_t r = 0; r < l->n; r++) at[l->part[r] + 1]++;
    for (int32_t p = 0; p < n_parts; p++) {
        at[p + 1] += at[p];
        if (at[p + 1] - c.start[c.n] >= BLOCK_ROWS || (p + 1 == n_parts && at[p + 1] > c.start[c.n]))
            c.n++, c.start[c.n] = at[p + 1];
    }
    for (int32_t r = 0; r < l->n; r++) c.row[at[l->part[r]]++] = r;
    free(at);
    return c;
}

/* Are the chunks' levels narrow enough for one thread block? */
static bool are_narrow(const struct chunks *c, const int32_t *level)
{
    for (int32_t i = 0; i < c->n; i++) {
        struct chunk one = {c->row + c->start[i], level, c->start[i + 1] - c->start[i]};
        if (one.n > (int64_t)NARROW_GROUPS * WARP * count_levels(&one)) return false;
    }
    return true;
}

static struct chunks make_chunks(const struct lower_rows *l, int32_t block_rows, const int32_t *level,
                                 enum ic_schedule *how)
{
    if (*how == IC_PARTS) {
        struct chunks c = part_chunks(l);
        if (are_narrow(&c, level)) return c;
        free(c.row), free(c.start);
        *how = IC_LEVELS;
    }
    if (*how == IC_BLOCKS && block_rows > LONGEST) *how = IC_LEVELS;
    int64_t blocks = (BLOCK_ROWS + (int64_t)block_rows - 1) / block_rows;
    return equal_chunks(l->n, *how == IC_BLOCKS ? (blocks > WARP ? blocks : WARP) * block_rows : l->n);
}

static bool make_plan(struct schedule *s, const struct lower_rows *l, int32_t block_rows, enum ic_schedule how)
{
    struct ic_plan *p = s->plan;
    int32_t *level = find_levels(l, how);
    struct chunks c = make_chunks(l, block_rows, level, &how);
    bool good = true;
    for (int32_t i = 0; good && i < c.n; i++)
        good = take_rows(s, &(struct chunk){c.row + c.start[i], level, c.start[i + 1] - c.start[i]}, how);
    free(level), free(c.row), free(c.start);
    if (!good) return false;
    p->n = l->n;
    p->n_positions = p->n_groups * (int64_t)WARP;
    p->n_padded = (p->n_positions + SLICE - 1) / SLICE * SLICE;
    NEW(p->place, p->n);
    for (int64_t i = 0; i < p->n_positions; i++) p->place[p->row[i]] = (int32_t)i;
    return true;
}

/* ---------------------------------------------------------------- the triangles */
/* A triangle while it is built on the host. */
static void *upload(const void *from, size_t bytes) { return device_copy_of(from, bytes, "incomplete factorisation"); }

/* [n_groups + 1] where each group's entries begin; a group is as wide as its widest row. */
static int64_t *group_starts(const struct ic_plan *p, const struct ic_rows *rows)
{
    int64_t *start;
    NEW(start, p->n_groups + 1);
    for (int64_t i = 0; i < p->n_positions; i++) {
        int64_t g = i / WARP, length = rows->start[p->row[i] + 1] - rows->start[p->row[i]];
        if (i % WARP == 0) start[g + 1] = start[g];
        if (start[g] + WARP * length > start[g + 1]) start[g + 1] = start[g] + WARP * length;
    }
    return start;
}

void ic_triangle_create(struct ic_triangle *t, const struct ic_rows *rows, const struct ic_plan *p, int numbers,
                        int64_t *stored)
{
    int64_t *start = group_starts(p, rows), *from;
    int32_t *column;
    t->n_stored = start[p->n_groups];
    NEW(column, t->n_stored), NEW(from, t->n_stored);
    for (int64_t g = 0; g < p->n_groups; g++) {
        int32_t any = 0;
        for (int lane = 0; lane < WARP; lane++) {
            int32_t r = p->row[g * WARP + lane];
            if (rows->start[r] < rows->start[r + 1]) any = p->place[rows->column[rows->start[r]]];
        }
        for (int64_t k = start[g]; k < start[g + 1]; k++) {
            int32_t r = p->row[g * WARP + (k - start[g]) % WARP];
            int64_t e = rows->start[r] + (k - start[g]) / WARP;
            bool there = e < rows->start[r + 1];
            column[k] = there ? p->place[rows->column[e]] : any;
            from[k] = !there ? -1 : rows->from ? rows->from[e] : 0;
            if (there && stored) stored[e] = k;
        }
    }
    t->start = upload(start, (size_t)(p->n_groups + 1) * sizeof *start);
    t->column = upload(column, (size_t)t->n_stored * sizeof *column);
    t->from = upload(from, (size_t)t->n_stored * sizeof *from);
    t->value = device_alloc((size_t)(t->n_stored * numbers) * sizeof *t->value, "incomplete factorisation");
    free(start), free(column), free(from);
}

struct ic_rows ic_rows_transpose(const struct ic_rows *rows, int32_t n)
{
    struct ic_rows to;
    int64_t *end, n_entries = rows->start[n];
    NEW(to.start, n + (int64_t)1), NEW(end, n), NEW(to.column, n_entries), NEW(to.from, n_entries);
    for (int64_t k = 0; k < n_entries; k++) to.start[rows->column[k] + 1]++;
    for (int32_t i = 0; i < n; i++) end[i] = to.start[i], to.start[i + 1] += to.start[i];
    for (int32_t i = 0; i < n; i++)
        for (int64_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
            int64_t at = end[rows->column[k]]++;
            to.column[at] = i, to.from[at] = rows->from ? rows->from[k] : k;
        }
    free(end);
    return to;
}

void ic_rows_free(struct ic_rows *rows) { free(rows->start), free(rows->column), free(rows->from); }

void ic_triangles_create(struct ic_triangle *lower, struct ic_triangle *upper, const struct ic_plan *plan,
                         const struct lower_rows *l)
{
    struct ic_rows rows = {l->start, l->column, l->place};
    int64_t *stored;
    NEW(stored, l->start[l->n]);
    ic_triangle_create(lower, &rows, plan, 1, stored);
    rows.from = stored;
    struct ic_rows columns = ic_rows_transpose(&rows, l->n);
    ic_triangle_create(upper, &columns, plan, 1, NULL);
    ic_rows_free(&columns), free(stored);
}

static void free_triangle(struct ic_triangle *t)
{
    device_free((void *)t->start), device_free((void *)t->column), device_free((void *)t->from), device_free(t->value);
}
void ic_triangles_free(struct ic_triangle *lower, struct ic_triangle *upper)
{
    free_triangle(lower), free_triangle(upper);
}

/* ---------------------------------------------------------------- both */
static void take_schedule(struct ic_layout *f, const struct schedule *s, const struct lower_rows *l, int numbers)
{
    const struct ic_plan *p = s->plan;
    int32_t *row;
    NEW(row, p->n_positions);
    for (int64_t i = 0; i < p->n_positions; i++) row[i] = l->order[p->row[i]];
    f->row = upload(row, (size_t)p->n_positions * sizeof *row);
    f->level_group = upload(s->level_group, ((size_t)s->n_levels + 1) * sizeof *s->level_group);
    f->block_level = upload(s->block_level, ((size_t)s->n_blocks + 1) * sizeof *s->block_level);
    f->inverse = device_alloc((size_t)(p->n_padded * numbers) * sizeof *f->inverse, "incomplete factorisation");
    free(row);
}

bool ic_schedule_create(struct ic_layout *f, struct ic_plan *plan, const struct lower_rows *l, int32_t block_rows,
                        enum ic_schedule how, int numbers)
{
    struct schedule s = {.plan = plan};
    *f = (struct ic_layout){0};
    *plan = (struct ic_plan){0};
    bool good = make_plan(&s, l, block_rows, how);
    if (good) take_schedule(f, &s, l, numbers);
    free(s.level_group), free(s.block_level);
    return good;
}

bool ic_layout_create(struct ic_layout *f, struct ic_plan *plan, const struct lower_rows *l, int32_t block_rows,
                      enum ic_schedule how, struct error *e)
{
    if (ic_schedule_create(f, plan, l, block_rows, how, 1)) {
        ic_triangles_create(&f->lower, &f->upper, plan, l);
        return true;
    }
    refuse(e, EXIT_INPUT, "incomplete Cholesky: in this order %d rows depend on each other in %d levels, so nothing "
                          "can be done in parallel; use factor_ordering = \"cuthill-mckee\", or triangular = "
                          "\"fixed-point\" or \"host\"", l->n, plan->n_levels);
    ic_layout_free(f, plan);
    return false;
}

void ic_layout_free(struct ic_layout *f, struct ic_plan *plan)
{
    ic_triangles_free(&f->lower, &f->upper);
    device_free((void *)f->row), device_free((void *)f->level_group), device_free((void *)f->block_level);
    device_free(f->inverse);
    free(plan->launch_block), free(plan->row), free(plan->place);
}

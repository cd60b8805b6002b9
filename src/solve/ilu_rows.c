/* The pattern and the order of an incomplete LU factorisation (ilu_rows.h). */
#include "solve/ilu_rows.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "solve/rows.h"

/* Rows of the subdomains, stored consecutively, and the entries inside them: as rows_download(). */
struct local { int32_t n, *row, *target, *part, *column; int64_t *start, *place; };

static void local_free(struct local *l) { free(l->start), free(l->column), free(l->place); }

/* ---------------------------------------------------------------- subdomains */
/* Adds all neighbours to the rows of one part, `overlap` times; ascending.  member[i] is set if i is among them. */
static int32_t grow(int32_t *set, int32_t n, int overlap, const int64_t *start, const int32_t *neighbour, bool *member)
{
    int32_t done = 0;
    for (int32_t i = 0; i < n; i++) member[set[i]] = true;
    for (int layer = 0; layer < overlap; layer++)
        for (int32_t end = n; done < end; done++)
            for (int64_t k = start[set[done]]; k < start[set[done] + 1]; k++)
                if (!member[neighbour[k]]) member[neighbour[k]] = true, set[n++] = neighbour[k];
    return n;
}

/* Appends the rows `set` of the matrix `whole`; local: scratch, zero on entry and exit. */
static void add_rows(struct local *l, const struct local *whole, const int32_t *set, int32_t n, int32_t own,
                     const int32_t *part, int32_t *number)
{
    int64_t at = l->n ? l->start[l->n] : 0, entries = 0;
    for (int32_t i = 0; i < n; i++)
        number[set[i]] = l->n + i + 1, entries += whole->start[set[i] + 1] - whole->start[set[i]];
    RESIZE(l->row, l->n + n), RESIZE(l->target, l->n + n), RESIZE(l->part, l->n + n), RESIZE(l->start, l->n + n + 1);
    RESIZE(l->column, at + entries + 1), RESIZE(l->place, at + entries + 1);
    l->start[l->n] = at;
    for (int32_t i = 0; i < n; i++) {
        l->row[l->n] = set[i], l->target[l->n] = part[set[i]] == own ? set[i] : -1, l->part[l->n] = own;
        for (int64_t k = whole->start[set[i]]; k < whole->start[set[i] + 1]; k++)
            if (number[whole->column[k]])
                l->column[at] = number[whole->column[k]] - 1, l->place[at++] = whole->place[k];
        l->start[++l->n] = at;
    }
    for (int32_t i = 0; i < n; i++) number[set[i]] = 0;
}

/* The rows of each part, ascending; those of part p from first[p] on. */
static int32_t *sort_by_part(const int32_t *part, int32_t n, int parts, int32_t **first)
{
    int32_t *row, *at;
    NEW(row, n), NEW(*first, parts + 1), NEW(at, parts + 1);
    for (int32_t i = 0; i < n; i++) (*first)[part[i] + 1]++;
    for (int p = 0; p < parts; p++) (*first)[p + 1] += (*first)[p];
    memcpy(at, *first, (size_t)parts * sizeof *at);
    for (int32_t i = 0; i < n; i++) row[at[part[i]]++] = i;
    free(at);
    return row;
}

static void take_parts(struct local *l, const struct local *whole, int parts, int overlap, const int32_t *part,
                       const int64_t *start, const int32_t *neighbour)
{
    int32_t *set, *number, *first, n = whole->n, *row = sort_by_part(part, n, parts, &first);
    bool *member;
    NEW(set, n), NEW(number, n), NEW(member, n);
    for (int p = 0; p < parts; p++) {
        int32_t count = first[p + 1] - first[p];
        if (!count) continue;
        memcpy(set, row + first[p], (size_t)count * sizeof *set);
        count = grow(set, count, overlap, start, neighbour, member);
        each_once(set, count);                          /* ascending */
        for (int32_t i = 0; i < count; i++) member[set[i]] = false;
        add_rows(l, whole, set, count, p, part, number);
    }
    free(set), free(number), free(member), free(first), free(row);
}

static bool split(struct local *l, const struct local *whole, int parts, int overlap, struct error *e)
{
    int64_t *start;
    int32_t *neighbour, *part, n = whole->n;
    if (parts > n) parts = n;
    rows_graph(n, whole->start, whole->column, &start, &neighbour);
    NEW(part, n);
    bool good = order_parts(part, parts, start, neighbour, n, "parts", "use parts = 1", e);
    if (good) take_parts(l, whole, parts, overlap, part, start, neighbour);
    free(start), free(neighbour), free(part);
    return good;
}

/* ---------------------------------------------------------------- the order of elimination */
/* Renumbers rows and columns. */
static void put_in_order(struct local *l, enum factor_ordering ordering)
{
    struct local to = {.n = l->n};
    int64_t *start;
    int32_t *neighbour, *order, *when;
    if (ordering == FACTOR_MATRIX) return;
    rows_graph(l->n, l->start, l->column, &start, &neighbour);
    NEW(order, l->n), NEW(when, l->n);
    if (ordering == FACTOR_CUTHILL_MCKEE) order_cuthill_mckee(order, start, neighbour, l->n);
    else rows_by_colours(l->n, start, neighbour, l->n, order);
    NEW(to.row, l->n), NEW(to.target, l->n), NEW(to.start, l->n + (int64_t)1);
    if (l->part) NEW(to.part, l->n);
    NEW(to.column, l->start[l->n]), NEW(to.place, l->start[l->n]);
    for (int32_t i = 0; i < l->n; i++) when[order[i]] = i;
    for (int32_t i = 0; i < l->n; i++) {
        int64_t at = to.start[i], from = l->start[order[i]];
        to.row[i] = l->row[order[i]], to.target[i] = l->target[order[i]];
        if (l->part) to.part[i] = l->part[order[i]];
        for (; from < l->start[order[i] + 1]; from++, at++)
            to.column[at] = when[l->column[from]], to.place[at] = l->place[from];
        to.start[i + 1] = at;
    }
    local_free(l), free(l->row), free(l->target), free(l->part);
    free(start), free(neighbour), free(order), free(when);
    *l = to;
}

/* ---------------------------------------------------------------- pattern of the factors */
/* A row under construction: a list of its columns in ascending order, terminated by n. */
struct row_list { int32_t *next, *level; int64_t *from; };

static void insert(struct row_list *w, int32_t after, int32_t column, int32_t level, int64_t from)
{
    w->next[column] = w->next[after], w->next[after] = column;
    w->level[column] = level, w->from[column] = from;
}

/* Head of the list: n + 1. */
static void load_row(struct row_list *w, const struct local *l, int32_t r)
{
    w->next[l->n + 1] = l->n;
    insert(w, l->n + 1, r, 0, 0);
    for (int64_t k = l->start[r]; k < l->start[r + 1]; k++) {
        int32_t at = l->column[k] > r ? r : l->n + 1;
        while (w->next[at] < l->column[k]) at = w->next[at];
        insert(w, at, l->column[k], 0, l->place[k]);
    }
}

/* Merges the entries of row k right of its diagonal into the row; level: level of the row's entry k. */
static void take_row(struct row_list *w, const struct ic_rows *upper, const int32_t *upper_level, int32_t k,
                     int level)
{
    int32_t at = k;
    for (int64_t u = upper->start[k]; u < upper->start[k + 1]; u++) {
        int32_t column = upper->column[u], fill = w->level[k] + upper_level[u] + 1;
        if (fill > level) continue;
        while (w->next[at] < column) at = w->next[at];
        if (w->next[at] != column) insert(w, at, column, fill, ILU_FILL);
        else if (fill < w->level[column]) w->level[column] = fill;
    }
}

static int64_t append(struct ic_rows *t, int64_t *room, int64_t at, int32_t column, int64_t from)
{
    if (at == *room) {
        *room = 2 * at + 1024;
        RESIZE(t->column, *room), RESIZE(t->from, *room);
    }
    t->column[at] = column, t->from[at] = from;
    return at + 1;
}

static void find_entries(struct ilu_rows *f, const struct local *l, int level)
{
    struct row_list w;
    int64_t lower_room = 0, upper_room = 0, lower = 0, upper = 0, level_room = 0;
    int32_t *upper_level = NULL;
    NEW(w.next, l->n + (int64_t)2), NEW(w.level, l->n), NEW(w.from, l->n);
    NEW(f->lower.start, l->n + (int64_t)1), NEW(f->upper.start, l->n + (int64_t)1);
    for (int32_t r = 0; r < l->n; r++) {
        load_row(&w, l, r);
        for (int32_t k = w.next[l->n + 1]; k < r; k = w.next[k]) {
            if (w.level[k] < level) take_row(&w, &f->upper, upper_level, k, level);
            lower = append(&f->lower, &lower_room, lower, k, w.from[k]);
        }
        for (int32_t k = w.next[r]; k < l->n; k = w.next[k]) {
            if (upper == level_room) RESIZE(upper_level, level_room = 2 * upper + 1024);
            upper_level[upper] = w.level[k];
            upper = append(&f->upper, &upper_room, upper, k, w.from[k]);
        }
        f->lower.start[r + 1] = lower, f->upper.start[r + 1] = upper;
    }
    free(w.next), free(w.level), free(w.from), free(upper_level);
}

bool ilu_rows_create(struct ilu_rows *f, const struct matrix *a, int level, const struct linear_setting *s,
                     struct error *e)
{
    struct local whole = {.n = a->p.n}, l = {0};
    *f = (struct ilu_rows){0};
    rows_download(&a->p, &whole.start, &whole.column, &whole.place);
    if (s->parts > 1) {
        bool good = split(&l, &whole, s->parts, s->overlap, e);
        local_free(&whole);
        if (!good) return false;
    } else {
        l = whole;
        NEW(l.row, l.n), NEW(l.target, l.n);
        for (int32_t i = 0; i < l.n; i++) l.row[i] = l.target[i] = i;
    }
    put_in_order(&l, s->factor_ordering);
    f->n = l.n, f->row = l.row, f->target = l.target, f->part = l.part;
    find_entries(f, &l, level);
    local_free(&l);
    return true;
}

void ilu_rows_free(struct ilu_rows *f)
{
    free(f->row), free(f->target), free(f->part);
    ic_rows_free(&f->lower), ic_rows_free(&f->upper);
}

/* The two triangles of every slice, in an order of elimination (slice_triangles.h). */
#include "solve/slice_triangles.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "gpu/device.h"
#include "solve/rows.h"

/* Entries inside slices on the host, in CSR; place: position of each in the matrix's val. */
struct local_rows { int64_t *start, *place; int32_t *column; };

static struct local_rows local_rows(const struct pattern *p)
{
    struct local_rows l;
    int64_t *all, n = 0;
    rows_download(p, &all, &l.column, &l.place);
    NEW(l.start, p->n + (int64_t)1);
    for (int32_t i = 0; i < p->n; i++) {
        for (int64_t k = all[i]; k < all[i + 1]; k++)
            if (l.column[k] / SLICE == i / SLICE) l.column[n] = l.column[k], l.place[n++] = l.place[k];
        l.start[i + 1] = n;
    }
    free(all);
    return l;
}

/* The level of row i: above those of all neighbours that have one; or the first that none of them has. */
static int32_t level_of(int32_t i, const int64_t *start, const int32_t *neighbour, const int32_t *level, bool colours)
{
    bool taken[SLICE] = {false};
    int32_t l = 0;
    for (int64_t k = start[i]; k < start[i + 1]; k++) {
        int32_t other = level[neighbour[k]];
        if (other < 0) continue;
        taken[other] = true;
        if (!colours && other >= l) l = other + 1;
    }
    while (colours && taken[l]) l++;
    return l;
}

/* [n_padded]; 0 in the padding. */
static int32_t *find_levels(const struct pattern *p, const struct local_rows *l, enum factor_ordering ordering)
{
    int64_t *start;
    int32_t *neighbour, *order, *level;
    rows_graph(p->n, l->start, l->column, &start, &neighbour);
    NEW(order, p->n), NEW(level, p->n_padded);
    for (int32_t i = 0; i < p->n; i++) order[i] = i, level[i] = -1;
    if (ordering == FACTOR_CUTHILL_MCKEE) order_cuthill_mckee(order, start, neighbour, p->n);
    for (int32_t k = 0; k < p->n; k++)
        level[order[k]] = level_of(order[k], start, neighbour, level, ordering == FACTOR_MULTICOLOUR);
    free(start), free(neighbour), free(order);
    return level;
}

static void *on_device(const void *host, int64_t n, size_t size)
{
    return device_copy_of(host, (size_t)(n ? n : 1) * size, "triangles of slices");
}

/* Sorts the rows of every slice by level. */
static void arrange(struct slice_triangles *s, const struct pattern *p, const int32_t *level, uint16_t *order,
                    uint16_t *place)
{
    int32_t *first, *begin, n = 0;
    NEW(first, p->n_slices + 1), NEW(begin, p->n_padded + p->n_slices);
    for (int32_t b = 0; b < p->n_slices; b++) {
        const int64_t row = (int64_t)b * SLICE;
        int32_t most = 0, next[SLICE + 1] = {0};
        for (int i = 0; i < SLICE; i++) {
            most = level[row + i] > most ? level[row + i] : most;
            next[level[row + i] + 1]++;
        }
        for (int l = 0; l <= most; l++) next[l + 1] += next[l];
        memcpy(begin + n, next, (size_t)(most + 2) * sizeof *begin);
        first[b + 1] = n += most + 2;
        for (int i = 0; i < SLICE; i++) {
            place[row + i] = (uint16_t)next[level[row + i]]++;
            order[row + place[row + i]] = (uint16_t)i;
        }
    }
    s->first = on_device(first, p->n_slices + 1, sizeof *first), s->begin = on_device(begin, n, sizeof *begin);
    s->order = on_device(order, p->n_padded, sizeof *order), s->place = on_device(place, p->n_padded, sizeof *place);
    free(first), free(begin);
}

/* Does entry k of row i belong to the triangle? */
static bool is_of(const struct local_rows *l, const int32_t *level, int32_t i, int64_t k, bool upper)
{
    return upper ? level[l->column[k]] > level[i] : level[l->column[k]] < level[i];
}

static struct slice_triangle triangle(const struct pattern *p, int block, const struct local_rows *l,
                                      const int32_t *level, const uint16_t *order, const uint16_t *place, bool upper,
                                      bool approximate)
{
    int64_t *start, n_warps = p->n_padded / WARP;
    NEW(start, n_warps + 1);
    for (int64_t w = 0; w < n_warps; w++) {
        int64_t widest = 0;
        for (int64_t at = w * WARP; at < (w + 1) * WARP; at++) {
            int32_t i = (int32_t)(at / SLICE * SLICE) + order[at];
            int64_t width = 0;
            for (int64_t k = i < p->n ? l->start[i] : 0; i < p->n && k < l->start[i + 1]; k++)
                width += is_of(l, level, i, k, upper);
            widest = width > widest ? width : widest;
        }
        start[w + 1] = start[w] + WARP * widest;
    }
    int64_t n = start[n_warps];
    uint16_t *column;
    int32_t *from;
    NEW(column, n), NEW(from, n);
    for (int64_t at = 0; at < p->n_padded; at++) {
        int32_t i = (int32_t)(at / SLICE * SLICE) + order[at];
        int64_t to = start[at / WARP] + at % WARP;
        for (int64_t k = i < p->n ? l->start[i] : 0; i < p->n && k < l->start[i + 1]; k++)
            if (is_of(l, level, i, k, upper)) {
                column[to] = place[l->column[k]], from[to] = (int32_t)l->place[k];
                to += WARP;
            }
        for (; to < start[at / WARP + 1]; to += WARP) column[to] = (uint16_t)(at % SLICE), from[to] = -1;
    }
    struct slice_triangle t = {on_device(start, n_warps + 1, sizeof *start), on_device(column, n, sizeof *column),
                               on_device(from, n, sizeof *from), NULL, NULL};
    size_t size = (size_t)((n + 1) * block * block) * sizeof *t.val;
    t.val = device_alloc(size, "triangles of slices");
    if (approximate) t.approximate = device_alloc(size, "triangles of slices");
    free(start), free(column), free(from);
    return t;
}

struct slice_triangles slice_triangles_create(const struct pattern *p, int block, enum factor_ordering ordering,
                                              bool approximate)
{
    struct slice_triangles s;
    struct local_rows l = local_rows(p);
    int32_t *level = find_levels(p, &l, ordering);
    uint16_t *order, *place;
    NEW(order, p->n_padded), NEW(place, p->n_padded);
    arrange(&s, p, level, order, place);
    s.lower = triangle(p, block, &l, level, order, place, false, approximate);
    s.upper = triangle(p, block, &l, level, order, place, true, approximate);
    free(level), free(order), free(place), free(l.start), free(l.place), free(l.column);
    return s;
}

static void free_triangle(struct slice_triangle *t)
{
    device_free(t->start), device_free(t->column), device_free(t->from), device_free(t->val);
    device_free(t->approximate);
}

void slice_triangles_free(struct slice_triangles *s)
{
    device_free(s->first), device_free(s->begin), device_free(s->order), device_free(s->place);
    free_triangle(&s->lower), free_triangle(&s->upper);
    *s = (struct slice_triangles){0};
}

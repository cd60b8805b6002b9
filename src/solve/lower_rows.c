/* The pattern of a lower triangle in an order of its own (lower_rows.h). */
#include "solve/lower_rows.h"
#include <stdlib.h>
#include "base/memory.h"
#include "base/order.h"
#include "gpu/device.h"
#include "solve/pattern_row.h"

/* Makes g of both triangles, in the matrix's own order. */
static void download_rows(struct lower_rows *g, const struct matrix *a, int32_t block_rows)
{
    int64_t n_warps = a->p.n_padded / WARP, *warp;
    int32_t *col;
    NEW(warp, n_warps + 1), NEW(col, a->p.n_stored);
    NEW(g->start, a->p.n + 1), NEW(g->column, a->p.n_entries), NEW(g->place, a->p.n_entries);
    device_download(warp, a->p.warp_start, (size_t)(n_warps + 1) * sizeof *warp);
    device_download(col, a->p.col, (size_t)a->p.n_stored * sizeof *col);
    for (int32_t r = 0; r < a->p.n; r++) {
        int64_t at = g->start[r];
        for (int64_t k = warp[r / WARP] + r % WARP; k < warp[r / WARP + 1]; k += WARP) {
            int32_t c = COLUMN(r / SLICE, col[k]);
            if (col[k] == 0 || c >= a->p.n || c / block_rows != r / block_rows) continue;
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

/* Orders the rows of every block by colour.  A row has the first colour that no neighbour before it has. */
static void order_colours(struct lower_rows *l, const struct lower_rows *g, int32_t block_rows)
{
    int32_t *colour, *taken, at = 0;            /* taken[colour]: 1 + the last row with a neighbour of it */
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

void lower_rows_create(struct lower_rows *l, const struct matrix *a, int32_t block_rows,
                       enum factor_ordering ordering)
{
    struct lower_rows g;                        /* both triangles; g.order[r]: position of row r in the elimination */
    int64_t (*found)[2];
    download_rows(&g, a, block_rows);
    l->n = a->p.n;
    NEW(l->order, a->p.n), NEW(g.order, a->p.n), NEW(found, a->p.n_stored / WARP + 1);
    NEW(l->start, a->p.n + 1), NEW(l->column, g.start[a->p.n] / 2), NEW(l->place, g.start[a->p.n] / 2);
    for (int32_t r = 0; r < a->p.n; r++) l->order[r] = r;
    if (ordering == FACTOR_CUTHILL_MCKEE) order_cuthill_mckee(l->order, g.start, g.column, a->p.n);
    if (ordering == FACTOR_MULTICOLOUR) order_colours(l, &g, block_rows);
    for (int32_t r = 0; r < a->p.n; r++) g.order[l->order[r]] = r;
    for (int32_t r = 0; r < a->p.n; r++) {
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

static int by_number(const void *x, const void *y)
{
    const int32_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* The pattern of (I + L) p: row r is row r of p together with the rows of p whose numbers are columns of L in row r. */
static struct lower_rows times(const struct lower_rows *l, const struct lower_rows *p)
{
    struct lower_rows product = {.n = l->n};
    int32_t *seen;
    int64_t room = 0;
    NEW(product.start, l->n + 1), NEW(seen, l->n);
    for (int32_t r = 0; r < l->n; r++) {
        int64_t at = product.start[r], most = p->start[r + 1] - p->start[r];
        for (int64_t e = l->start[r]; e < l->start[r + 1]; e++)
            most += p->start[l->column[e] + 1] - p->start[l->column[e]];
        if (at + most >= room) RESIZE(product.column, room = 2 * (at + most) + 1);
        for (int64_t e = l->start[r] - 1; e < l->start[r + 1]; e++) {
            int32_t from = e < l->start[r] ? r : l->column[e];
            for (int64_t k = p->start[from]; k < p->start[from + 1]; k++) {
                if (seen[p->column[k]] == r + 1) continue;
                seen[p->column[k]] = r + 1;
                product.column[at++] = p->column[k];
            }
        }
        qsort(product.column + product.start[r], (size_t)(at - product.start[r]), sizeof *product.column, by_number);
        product.start[r + 1] = at;
    }
    free(seen);
    return product;
}

struct lower_rows lower_rows_power(const struct lower_rows *l, int power)
{
    struct lower_rows p = *l;
    for (int k = 1; k < power; k++) {
        struct lower_rows next = times(l, &p);
        if (k > 1) lower_rows_free(&p);
        p = next;
    }
    return p;
}

/* The pattern of a lower triangle in a separate order (lower_rows.h). */
#include "solve/lower_rows.h"
#include <stdlib.h>
#include "base/memory.h"
#include "base/order.h"
#include "solve/rows.h"

/* Stores both triangles in g, in the matrix's own order. */
static void download_rows(struct lower_rows *g, const struct matrix *a, int32_t block_rows)
{
    int64_t at = 0, from = 0;
    rows_download(&a->p, &g->start, &g->column, &g->place);
    for (int32_t r = 0; r < a->p.n; r++) {
        for (const int64_t end = g->start[r + 1]; from < end; from++)
            if (g->column[from] / block_rows == r / block_rows)
                g->column[at] = g->column[from], g->place[at++] = g->place[from];
        g->start[r + 1] = at;
    }
}

static int by_column(const void *x, const void *y)
{
    const int64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
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
    if (ordering == FACTOR_MULTICOLOUR) rows_by_colours(l->n, g.start, g.column, block_rows, l->order);
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

/* The pattern of (I + L) p: row r is the union of row r of p and the rows of p whose numbers are columns of L in row
 * r. */
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
        each_once(product.column + product.start[r], at - product.start[r]);            /* ascending */
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

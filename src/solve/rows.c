/* Reads a pattern back to the host (rows.h). */
#include "solve/rows.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/pattern_row.h"

/* Columns below `end` alone. */
static void download(const struct pattern *p, int64_t end, int64_t **start, int32_t **column, int64_t **place)
{
    int64_t n_warps = p->n_padded / WARP, *warp, at = 0;
    int32_t *col;
    NEW(warp, n_warps + 1), NEW(col, p->n_stored);
    NEW(*start, p->n + (int64_t)1), NEW(*column, p->n_stored), NEW(*place, p->n_stored);
    device_download(warp, p->warp_start, (size_t)(n_warps + 1) * sizeof *warp);
    device_download(col, p->col, (size_t)p->n_stored * sizeof *col);
    for (int32_t r = 0; r < p->n; r++) {
        for (int64_t k = warp[r / WARP] + r % WARP; k < warp[r / WARP + 1]; k += WARP)
            {
            int32_t c = col[k] ? COLUMN((int64_t)(r / SLICE), col[k]) : -1;
            if (c >= 0 && c < end) (*column)[at] = c, (*place)[at++] = k;
        }
        (*start)[r + 1] = at;
    }
    free(warp), free(col);
}

void rows_download(const struct pattern *p, int64_t **start, int32_t **column, int64_t **place)
{
    download(p, p->n, start, column, place);
}

void rows_download_with_halo(const struct pattern *p, int64_t **start, int32_t **column, int64_t **place)
{
    download(p, p->pitch, start, column, place);
}

static int ascending(const void *x, const void *y)
{
    const int32_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

void rows_graph(int32_t n, const int64_t *start, const int32_t *column, int64_t **graph_start, int32_t **neighbour)
{
    int64_t *end, at = 0, from = 0;             /* room for both directions of every entry, filled up to end[i] */
    int32_t *both;
    NEW(*graph_start, n + (int64_t)1), NEW(end, n + (int64_t)1), NEW(both, 2 * start[n]);
    for (int32_t i = 0; i < n; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++) end[i]++, end[column[k]]++;
    for (int32_t i = 0; i < n; i++) { int64_t count = end[i]; end[i] = at, at += count; }
    for (int32_t i = 0; i < n; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++) both[end[i]++] = column[k], both[end[column[k]]++] = i;
    at = 0;
    for (int32_t i = 0; i < n; from = end[i++]) {               /* sorted, and each kept once */
        int64_t first = at;
        if (end[i] > from) qsort(both + from, (size_t)(end[i] - from), sizeof *both, ascending);
        for (int64_t k = from; k < end[i]; k++)
            if (both[k] != i && (at == first || both[at - 1] != both[k])) both[at++] = both[k];
        (*graph_start)[i + 1] = at;
    }
    *neighbour = both;
    free(end);
}

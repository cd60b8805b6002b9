/* Reads a pattern back to the host (rows.h). */
#include "solve/rows.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "gpu/device.h"
#include "solve/pattern_row.h"

/* Only columns below `end`. */
static void download(const struct pattern *p, int64_t end, int64_t **start, int32_t **column, int64_t **place)
{
    int64_t n_warps = p->n_padded / WARP, *warp, at = 0;
    int32_t *col;
    NEW(warp, n_warps + 1), NEW(col, p->n_stored);
    NEW(*start, p->n + (int64_t)1), NEW(*column, p->n_stored), NEW(*place, p->n_stored);
    device_download(warp, p->warp_start, (size_t)(n_warps + 1) * sizeof *warp);
    device_download(col, p->col, (size_t)p->n_stored * sizeof *col);
    for (int32_t r = 0; r < p->n; r++) {
        for (int64_t k = warp[r / WARP] + r % WARP; k < warp[r / WARP + 1]; k += WARP) {
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

void rows_graph(int32_t n, const int64_t *start, const int32_t *column, int64_t **graph_start, int32_t **neighbour)
{
    int64_t *end, at = 0, from = 0;             /* room for both directions of every entry; filled up to end[i] */
    int32_t *both;
    NEW(*graph_start, n + (int64_t)1), NEW(end, n + (int64_t)1), NEW(both, 2 * start[n]);
    for (int32_t i = 0; i < n; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++) if (column[k] != i) end[i]++, end[column[k]]++;
    for (int32_t i = 0; i < n; i++) { int64_t count = end[i]; end[i] = at, at += count; }
    for (int32_t i = 0; i < n; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++)
            if (column[k] != i) both[end[i]++] = column[k], both[end[column[k]]++] = i;
    at = 0;
    for (int32_t i = 0; i < n; from = end[i++]) {
        int64_t count = each_once(both + from, end[i] - from);
        memmove(both + at, both + from, (size_t)count * sizeof *both);
        (*graph_start)[i + 1] = at += count;
    }
    *neighbour = both;
    free(end);
}

int32_t rows_colours(int32_t n, const int64_t *start, const int32_t *neighbour, int32_t *colour)
{
    int32_t *taken, n_colours = 0;              /* taken[colour]: 1 + the last row that has a neighbour of this
                                                   colour */
    NEW(taken, n + (int64_t)1);
    for (int32_t r = 0; r < n; r++) {
        for (int64_t e = start[r]; e < start[r + 1]; e++)
            if (neighbour[e] < r) taken[colour[neighbour[e]]] = r + 1;
        for (colour[r] = 0; taken[colour[r]] == r + 1;) colour[r]++;
        if (colour[r] >= n_colours) n_colours = colour[r] + 1;
    }
    free(taken);
    return n_colours;
}

void rows_by_colours(int32_t n, const int64_t *start, const int32_t *neighbour, int64_t block_rows, int32_t *order)
{
    int32_t *colour, at = 0;
    NEW(colour, n);
    rows_colours(n, start, neighbour, colour);
    for (int64_t first = 0; first < n; first += block_rows) {
        int64_t last = first + block_rows < n ? first + block_rows : n;
        for (int32_t c = 0; at < last; c++)
            for (int64_t r = first; r < last; r++)
                if (colour[r] == c) order[at++] = (int32_t)r;
    }
    free(colour);
}

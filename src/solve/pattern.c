/* Builds sparsity patterns, for one rank and for several (pattern.h). */
#include "solve/pattern.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/stale.h"

static int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

int64_t *pattern_warp_starts(int32_t n, int64_t n_warps, const int64_t *start)
{
    int64_t *warp;
    NEW(warp, n_warps + 1);
    for (int64_t w = 0; w < n_warps; w++) {
        int64_t widest = 0;
        for (int64_t r = w * WARP; r < (w + 1) * WARP && r < n; r++)
            if (start[r + 1] - start[r] > widest) widest = start[r + 1] - start[r];
        warp[w + 1] = warp[w] + WARP * widest;
    }
    return warp;
}

#ifndef PITCH_PAD
#define PITCH_PAD 0                     /* see the Makefile */
#endif
struct pattern pattern_of_rows(int32_t n)
{
    int64_t n_padded = round_up(n, SLICE);
    return (struct pattern){.n = n, .n_slices = (int32_t)(n_padded / SLICE), .n_global = n,
                            .n_padded = n_padded, .pitch = n_padded + PITCH_PAD};
}

void *pattern_alloc(const struct pattern *p, int64_t components, size_t size, const char *what)
{
    const int64_t from = p->pitch - PITCH_PAD;          /* ghosts of a new vector are zero, as its rows are */
    size_t gap = PITCH_PAD * size, all = (size_t)(components * p->pitch) * size;
    char *x = device_alloc(all, what), *nan;
    if (GHOSTS_NAN && p->halo) stale_watch(x, components, p->n_padded, p->pitch, size);
    if (!PITCH_PAD) return x;
    NEW(nan, gap);
    memset(nan, 0xff, gap);
    for (int64_t k = 0; k < components; k++)
        device_upload(x + (size_t)(k * p->pitch + from) * size, nan, gap);
    free(nan);
    return x;
}

/* Creates the arrays; columns from n_padded on are ghosts. */
static void fill(struct pattern *p, const int64_t *start, const int32_t *column, int64_t *place)
{
    int32_t n = p->n;
    int64_t n_warps = p->n_padded / WARP, *warp = pattern_warp_starts(n, n_warps, start);
    p->n_stored = warp[n_warps];
    p->n_entries = start[n];

    int32_t *col;
    NEW(col, p->n_stored);
    for (int32_t r = 0; r < n; r++)
        for (int64_t k = start[r]; k < start[r + 1]; k++) {
            int64_t at = warp[r / WARP] + WARP * (k - start[r]) + r % WARP;
            int32_t c = column[k];
            bool other = p->halo && c >= p->n_padded && c < p->pitch;
            if (c < 0 || (c >= n && !other) || c == r) die("row %d has column %d of %d", r, c, n);
            bool local = c / SLICE == r / SLICE;
            col[at] = local ? -(c % SLICE) - 1 : c + 1;
            p->n_local += local;
            if (place) place[k] = at;
        }
    int64_t *warp_on_device = device_alloc((size_t)(n_warps + 1) * sizeof *warp, "matrix pattern");
    int32_t *col_on_device = device_alloc((size_t)p->n_stored * sizeof *col, "matrix pattern");
    device_upload(warp_on_device, warp, (size_t)(n_warps + 1) * sizeof *warp);
    device_upload(col_on_device, col, (size_t)p->n_stored * sizeof *col);
    p->warp_start = warp_on_device;
    p->col = col_on_device;
    free(warp);
    free(col);
}

void pattern_create(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place)
{
    *p = pattern_of_rows(n);
    fill(p, start, column, place);
}

/* How this rank numbers the rows of all ranks: its own from 0, and others after the padding. */
struct numbering { int64_t first, end, behind; int32_t *other, n_other; };

static bool is_own(const struct numbering *m, int32_t row) { return row >= m->first && row < m->end; }

static int32_t number_here(const struct numbering *m, int32_t row)
{
    return (int32_t)(is_own(m, row) ? row - m->first : m->behind + find_number(m->other, m->n_other, row));
}

/* Lists the rows of other ranks that are columns or in `also`. */
static void list_others(struct numbering *m, int64_t n, const int32_t *column, const int32_t *also, int64_t n_also)
{
    int64_t count = 0;
    NEW(m->other, n + n_also);
    for (int64_t k = 0; k < n; k++) if (!is_own(m, column[k])) m->other[count++] = column[k];
    for (int64_t k = 0; k < n_also; k++) if (!is_own(m, also[k])) m->other[count++] = also[k];
    m->n_other = (int32_t)each_once(m->other, count);
}

void pattern_create_with_halo(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place,
                              const int32_t *near, int32_t n_near, int32_t n_more, int components)
{
    int64_t *all = ranks_first(n), first = all[ranks_own()];
    int32_t before = 0;
    if (first + n < all[ranks_count()] && n % SLICE) die("a rank of %d rows, which are no whole slices", n);
    *p = pattern_of_rows(n);
    p->n_global = all[ranks_count()], p->first = first;
    p->pitch += round_up(n_near + n_more, WARP);
    while (before < n_near && near[before] < first) before++;
    p->end_before = (int32_t)p->n_padded + before;
    p->halo = halo_create(all, near, n_near, p->n_padded, p->pitch, components);
    fill(p, start, column, place);
    free(all);
}

void pattern_create_of_ranks(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place,
                             int components)
{
    pattern_create_and_also(p, n, start, column, place, components, NULL, 0);
}

void pattern_create_and_also(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place,
                             int components, int32_t *also, int64_t n_also)
{
    if (ranks_count() == 1) return pattern_create(p, n, start, column, place);
    int64_t *all = ranks_first(n);
    struct numbering m = {.first = all[ranks_own()], .end = all[ranks_own() + 1], .behind = round_up(n, SLICE)};
    int32_t *local;
    list_others(&m, start[n], column, also, n_also);
    NEW(local, start[n]);
    for (int64_t k = 0; k < start[n]; k++) local[k] = number_here(&m, column[k]);
    for (int64_t k = 0; k < n_also; k++) if (also[k] >= 0) also[k] = number_here(&m, also[k]);
    pattern_create_with_halo(p, n, start, local, place, m.other, m.n_other, 0, components);
    free(all), free(m.other), free(local);
}

void pattern_free(struct pattern *p)
{
    halo_free((struct halo *)p->halo);
    device_free((void *)p->warp_start);
    device_free((void *)p->col);
    memset(p, 0, sizeof *p);
}

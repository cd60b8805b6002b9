#include "solve/mod_sell.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/mod_sell_row.h"

static int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

int64_t *mod_sell_warp_starts(int32_t n, int64_t n_warps, const int64_t *start)
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

void mod_sell_pattern(struct mod_sell *a, int32_t n, const int64_t *start, const int32_t *column, int64_t *place)
{
    memset(a, 0, sizeof *a);
    a->n = n;
    a->n_padded = round_up(n, SLICE);
    a->n_slices = (int32_t)(a->n_padded / SLICE);
    int64_t n_warps = a->n_padded / WARP, *warp = mod_sell_warp_starts(n, n_warps, start);
    a->n_stored = warp[n_warps];
    a->n_entries = start[n];

    int32_t *col;
    NEW(col, a->n_stored);
    for (int32_t r = 0; r < n; r++)
        for (int64_t k = start[r]; k < start[r + 1]; k++) {
            int64_t p = warp[r / WARP] + WARP * (k - start[r]) + r % WARP;
            int32_t c = column[k];
            if (c < 0 || c >= n || c == r) die("row %d has column %d of %d", r, c, n);
            bool local = c / SLICE == r / SLICE;
            col[p] = local ? -(c % SLICE) - 1 : c + 1;
            a->n_local += local;
            if (place) place[k] = p;
        }
    int64_t *warp_on_device = device_alloc((size_t)(n_warps + 1) * sizeof *warp, "matrix pattern");
    int32_t *col_on_device = device_alloc((size_t)a->n_stored * sizeof *col, "matrix pattern");
    device_upload(warp_on_device, warp, (size_t)(n_warps + 1) * sizeof *warp);
    device_upload(col_on_device, col, (size_t)a->n_stored * sizeof *col);
    a->warp_start = warp_on_device;
    a->col = col_on_device;
    free(warp);
    free(col);
}

void mod_sell_create(struct mod_sell *a, int32_t n, const int64_t *start, const int32_t *column, int64_t *place)
{
    mod_sell_pattern(a, n, start, column, place);
    mod_sell_like(a, a);
}

void mod_sell_like(struct mod_sell *a, const struct mod_sell *pattern)
{
    *a = *pattern;
    a->val = device_alloc((size_t)a->n_stored * sizeof *a->val, "matrix entries");
    a->diag = device_alloc((size_t)a->n_padded * sizeof *a->diag, "matrix diagonal");
    struct fill_args ones = {a->diag, 1.0};
    fill(&ones, a->n_padded);
}

void mod_sell_free_like(struct mod_sell *a)
{
    device_free(a->val);
    device_free(a->diag);
    memset(a, 0, sizeof *a);
}

void mod_sell_free(struct mod_sell *a)
{
    device_free((void *)a->warp_start);
    device_free((void *)a->col);
    mod_sell_free_like(a);
}

void mod_sell_download(const struct mod_sell *a, int64_t **start, int32_t **column, double **value)
{
    int64_t n_warps = a->n_padded / WARP, *warp, n = 0;
    int32_t *col;
    double *val, *diag;
    NEW(warp, n_warps + 1), NEW(col, a->n_stored), NEW(val, a->n_stored), NEW(diag, a->n);
    device_download(warp, a->warp_start, (size_t)(n_warps + 1) * sizeof *warp);
    device_download(col, a->col, (size_t)a->n_stored * sizeof *col);
    device_download(val, a->val, (size_t)a->n_stored * sizeof *val);
    device_download(diag, a->diag, (size_t)a->n * sizeof *diag);
    NEW(*start, a->n + 1), NEW(*column, a->n + a->n_entries), NEW(*value, a->n + a->n_entries);
    for (int32_t r = 0; r < a->n; r++) {
        (*start)[r] = n;
        (*column)[n] = r, (*value)[n++] = diag[r];
        for (int64_t k = warp[r / WARP] + r % WARP; k < warp[r / WARP + 1]; k += WARP)
            if (col[k]) (*column)[n] = COLUMN((int64_t)(r / SLICE), col[k]), (*value)[n++] = val[k];
    }
    (*start)[a->n] = n;
    free(warp), free(col), free(val), free(diag);
}

int64_t mod_sell_bytes(const struct mod_sell *a)
{
    return a->n_stored * 12 + a->n_padded / WARP * 8 + a->n_padded * 3 * 8;
}

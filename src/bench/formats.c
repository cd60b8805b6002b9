/* Builds matrices in the formats that are compared with mod.SELL (formats.h). */
#include "bench/formats.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"

static void *to_device(const void *host, size_t bytes) { return device_copy_of(host, bytes, "matrix"); }

static int64_t row_length(const struct peers_matrix *a, int64_t r)
{
    return r < a->n ? a->start[r + 1] - a->start[r] : 0;
}
static int64_t at_least_0(int64_t n) { return n > 0 ? n : 0; }

int32_t hec_width(const struct peers_matrix *a)
{
    enum { CSR_TO_ELL = 20 };
    int64_t widest = 0, *longer, rest = 0, least = INT64_MAX, best = 0;
    for (int32_t r = 0; r < a->n; r++)
        if (row_length(a, r) > widest) widest = row_length(a, r);
    NEW(longer, widest + 1);                    /* rows with more than w entries */
    for (int32_t r = 0; r < a->n; r++)
        if (row_length(a, r) > 0) longer[row_length(a, r) - 1]++;
    for (int64_t w = widest; w-- > 0;) longer[w] += longer[w + 1];
    for (int64_t w = widest; w >= 0; w--) {
        rest += longer[w];
        int64_t cost = a->n * w + CSR_TO_ELL * rest;
        if (cost < least) least = cost, best = w;
    }
    free(longer);
    return (int32_t)best;
}

/* Fills the ELL part with the first entries of every row.  warp: the start of each slice of 32 rows; NULL: all rows
 * have f->width entries. */
static void fill_ell(struct format_matrix *f, const struct peers_matrix *a, const int64_t *warp)
{
    int64_t step = warp ? WARP : f->p.n_padded;
    int32_t *column;
    double *value;
    NEW(column, f->p.n_stored), NEW(value, f->p.n_stored);
    for (int64_t r = 0; r < f->p.n_padded; r++) {
        int64_t at = warp ? warp[r / WARP] + r % WARP : r, end = warp ? warp[r / WARP + 1] : f->p.n_stored;
        for (int64_t k = 0; at < end; k++, at += step) {
            bool given = k < row_length(a, r);
            column[at] = given ? a->column[a->start[r] + k] : (int32_t)r;
            value[at] = given ? a->value[a->start[r] + k] : 0;
        }
    }
    f->p.col = to_device(column, (size_t)f->p.n_stored * sizeof *column);
    f->ell_value = to_device(value, (size_t)f->p.n_stored * sizeof *value);
    free(column), free(value);
}

/* Fills the CSR part with the entries beyond f->width. */
static void fill_csr(struct format_matrix *f, const struct peers_matrix *a)
{
    int32_t *start, *column;
    double *value;
    NEW(start, f->p.n_padded + 1);
    for (int64_t r = 0; r < f->p.n_padded; r++)
        start[r + 1] = start[r] + (int32_t)at_least_0(row_length(a, r) - f->width);
    f->n_csr = start[f->p.n_padded];
    NEW(column, f->n_csr), NEW(value, f->n_csr);
    for (int64_t r = 0; r < a->n; r++) {
        int64_t from = a->start[r + 1] - (start[r + 1] - start[r]);
        memcpy(column + start[r], a->column + from, (size_t)(a->start[r + 1] - from) * sizeof *column);
        memcpy(value + start[r], a->value + from, (size_t)(a->start[r + 1] - from) * sizeof *value);
    }
    f->row_start = to_device(start, (size_t)(f->p.n_padded + 1) * sizeof *start);
    f->csr_column = to_device(column, (size_t)f->n_csr * sizeof *column);
    f->csr_value = to_device(value, (size_t)f->n_csr * sizeof *value);
    free(start), free(column), free(value);
}

void format_create(struct format_matrix *f, enum format format, const struct peers_matrix *a)
{
    *f = (struct format_matrix){.p = pattern_of_rows(a->n)};
    if (format == FORMAT_SLICED_ELL) {
        int64_t n_warps = f->p.n_padded / WARP, *warp = pattern_warp_starts(a->n, n_warps, a->start);
        f->p.n_stored = warp[n_warps];
        fill_ell(f, a, warp);
        f->p.warp_start = to_device(warp, (size_t)(n_warps + 1) * sizeof *warp);
        free(warp);
        return;
    }
    if (format == FORMAT_HEC) {
        f->width = hec_width(a);
        f->p.n_stored = f->width * f->p.n_padded;
        fill_ell(f, a, NULL);
    }
    fill_csr(f, a);
}

void format_free(struct format_matrix *f)
{
    pattern_free(&f->p), device_free(f->ell_value);
    device_free(f->row_start), device_free(f->csr_column), device_free(f->csr_value);
}

int64_t format_bytes(const struct format_matrix *f)
{
    int64_t offsets = f->p.warp_start ? 8 * (f->p.n_padded / WARP + 1) : 4 * (f->p.n_padded + 1);
    return 12 * (f->p.n_stored + f->n_csr) + offsets;
}

void format_product(const struct format_args *args, enum format format)
{
    if (format == FORMAT_CSR) csr_spmv(args, args->f.p.n);
    else if (format == FORMAT_HEC) hec_spmv(args, args->f.p.n_slices);
    else sliced_ell_spmv(args, args->f.p.n_slices);
}

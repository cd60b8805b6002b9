#include "solve/matrix.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "solve/pattern_row.h"

void matrix_create(struct matrix *a, const struct pattern *p) { matrix_create_blocks(a, p, 1); }

void matrix_create_blocks(struct matrix *a, const struct pattern *p, int block)
{
    if (block < 1 || block > MOST_BLOCK) die("blocks of %d rows", block);
    size_t size = (size_t)block * (size_t)block * sizeof(double);
    *a = (struct matrix){.p = *p, .block = block};
    a->val = device_alloc((size_t)p->n_stored * size, "matrix entries");
    a->diag = device_alloc((size_t)p->n_padded * size, "matrix diagonal");
    matrix_identity(a, p->n_padded);
}

void matrix_free(struct matrix *a)
{
    device_free(a->val);
    device_free(a->diag);
    memset(a, 0, sizeof *a);
}

void matrix_create_alone(struct matrix *a, int32_t n, const int64_t *start, const int32_t *column, int64_t *place)
{
    struct pattern p;
    pattern_create(&p, n, start, column, place);
    matrix_create(a, &p);
}

void matrix_free_alone(struct matrix *a)
{
    pattern_free(&a->p);
    matrix_free(a);
}

void matrix_product(const struct matrix *a, const double *x, double *y)
{
    struct matrix_product_args args = {*a, x, y};
    halo_update(a->p.halo, x, a->block);
    (a->block == 1 ? matrix_multiply : matrix_multiply_blocks)(&args, a->p.n_slices);
}

int32_t matrix_invert_diagonal(const struct matrix *a, double *inverse, double *bad)
{
    struct matrix_invert_args args = {*a, inverse, bad};
    matrix_invert_blocks(&args, a->p.n_padded);
    if (reduce_own(REDUCE_ABS_MAX, bad, NULL, a->p.n_padded) == 0) return -1;
    double *there;
    int32_t row = 0;
    NEW(there, a->p.n_padded);
    device_download(there, bad, (size_t)a->p.n_padded * sizeof *there);
    while (there[row] == 0) row++;
    free(there);
    return row;
}

void matrix_scale(const struct matrix *a, const double *w, const double *x, double *y)
{
    struct matrix_scale_args args = {w, x, y, a->p.pitch, a->block};
    matrix_scale_blocks(&args, a->p.n_padded);
}

static void take_entry(const double *from, int64_t at, int square, double *to)
{
    for (int e = 0; e < square; e++) to[e] = from[matrix_at(at, e, square)];
}

void matrix_download(const struct matrix *a, int64_t **start, int32_t **column, double **value)
{
    int64_t n_warps = a->p.n_padded / WARP, *warp, n = 0;
    const int square = a->block * a->block;
    int32_t *col;
    double *val, *diag;
    NEW(warp, n_warps + 1), NEW(col, a->p.n_stored);
    NEW(val, square * a->p.n_stored), NEW(diag, square * a->p.n_padded);
    device_download(warp, a->p.warp_start, (size_t)(n_warps + 1) * sizeof *warp);
    device_download(col, a->p.col, (size_t)a->p.n_stored * sizeof *col);
    device_download(val, a->val, (size_t)(square * a->p.n_stored) * sizeof *val);
    device_download(diag, a->diag, (size_t)(square * a->p.n_padded) * sizeof *diag);
    NEW(*start, a->p.n + 1), NEW(*column, a->p.n + a->p.n_entries);
    NEW(*value, square * (a->p.n + a->p.n_entries));
    for (int32_t r = 0; r < a->p.n; r++) {
        (*start)[r] = n;
        take_entry(diag, r, square, *value + square * n);
        (*column)[n++] = r;
        for (int64_t k = warp[r / WARP] + r % WARP; k < warp[r / WARP + 1]; k += WARP)
            if (col[k]) {
                take_entry(val, k, square, *value + square * n);
                (*column)[n++] = COLUMN((int64_t)(r / SLICE), col[k]);
            }
    }
    (*start)[a->p.n] = n;
    free(warp), free(col), free(val), free(diag);
}

int64_t matrix_bytes(const struct matrix *a)
{
    int64_t square = a->block * a->block;
    return a->p.n_stored * (8 * square + 4) + a->p.n_padded / WARP * 8 + a->p.n_padded * (square + 2 * a->block) * 8;
}

/* Creates and frees matrices, and launches their product (matrix.h). */
#include "solve/matrix.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "solve/rows.h"

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

static float *arrow_numbers(int64_t n)
{
    return device_alloc((size_t)n * sizeof(float), "matrix entries");
}

void matrix_create_arrow(struct matrix *a, const struct pattern *p, int block)
{
    if (block < 3 || block > 4) die("arrow blocks of %d rows", block);
    *a = (struct matrix){.p = *p, .block = block};
    a->arrow.val = arrow_numbers(p->n_stored * (block + 1));
    a->arrow.diag = arrow_numbers(p->n_padded * block * block);
    a->arrow.excess = arrow_numbers(p->n_padded * block * block);
}

void matrix_free(struct matrix *a)
{
    device_free(a->val), device_free(a->diag);
    device_free(a->arrow.val), device_free(a->arrow.diag), device_free(a->arrow.excess);
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
    (a->arrow.val ? matrix_multiply_arrow : a->block == 1 ? matrix_multiply : matrix_multiply_blocks)
        (&args, a->p.n_slices);
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

/* The numbers of n blocks on the host, as full blocks in double precision. */
static double *arrow_download(const float *numbers, int64_t n, int block, bool whole)
{
    int count = whole ? block * block : block + 1, square = block * block;
    float *from;
    double *to;
    NEW(from, n * count), NEW(to, n * square);
    device_download(from, numbers, (size_t)(n * count) * sizeof *from);
    for (int64_t at = 0; at < n; at++)
        for (int e = 0; e < square; e++) {
            int k = whole ? e : ARROW_NUMBER(e, block);
            to[matrix_at(at, e, square)] = k < 0 ? 0 : from[matrix_at(at, k, count)];
        }
    free(from);
    return to;
}

static double *download_numbers(const double *numbers, int64_t n, int square)
{
    double *to;
    NEW(to, n * square);
    device_download(to, numbers, (size_t)(n * square) * sizeof *to);
    return to;
}

void matrix_download(const struct matrix *a, int64_t **start, int32_t **column, double **value)
{
    int64_t *from, *place, n = 0;
    int32_t *others;
    const int square = a->block * a->block;
    rows_download_with_halo(&a->p, &from, &others, &place);
    double *val = a->val ? download_numbers(a->val, a->p.n_stored, square)
                         : arrow_download(a->arrow.val, a->p.n_stored, a->block, false);
    double *diag = a->val ? download_numbers(a->diag, a->p.n_padded, square)
                          : arrow_download(a->arrow.diag, a->p.n_padded, a->block, true);
    NEW(*start, a->p.n + 1), NEW(*column, a->p.n + a->p.n_entries);
    NEW(*value, square * (a->p.n + a->p.n_entries));
    for (int32_t r = 0; r < a->p.n; r++) {
        take_entry(diag, r, square, *value + square * n);
        (*column)[n++] = r;
        for (int64_t k = from[r]; k < from[r + 1]; k++) {
            take_entry(val, place[k], square, *value + square * n);
            (*column)[n++] = others[k];
        }
        (*start)[r + 1] = n;
    }
    free(from), free(others), free(place), free(val), free(diag);
}

int64_t matrix_bytes(const struct matrix *a)
{
    int64_t square = a->block * a->block, vectors = a->p.n_padded * 2 * a->block * 8;
    if (a->arrow.val)
        return a->p.n_stored * 4 * (a->block + 2) + a->p.n_padded / WARP * 8 + a->p.n_padded * square * 4 + vectors;
    return a->p.n_stored * (8 * square + 4) + a->p.n_padded / WARP * 8 + a->p.n_padded * square * 8 + vectors;
}

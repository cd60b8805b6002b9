/* Kernels of the product of a matrix and a vector (matrix.h). */
#include "solve/matrix.h"
#include "solve/pattern_row.h"
#include "solve/square.h"

CROWDED_SLICE_KERNEL(matrix_multiply, struct matrix_product_args, 4)
{
    STAGE(double, window, a->x, b);
    PHASE(w) {
        WARP_VAR(double, s);
        LANES(t) { int64_t r = ROW(b, w, t); IN_WARP(s) = a->a.diag[r] * a->x[r]; }
        ENTRIES(a->a.p, b, w, k)
            LANES(t) {
                int32_t c = a->a.p.col[k + t];
                IN_WARP(s) = fma(a->a.val[k + t], AT_COLUMN(window, a->x, b, c), IN_WARP(s));
            }
        LANES(t) a->y[ROW(b, w, t)] = IN_WARP(s);
    }
}

INDEX_KERNEL(matrix_identity, struct matrix)
{
    int n = a->block;
    double *d = a->diag + (i - i % WARP) * n * n + i % WARP;
    for (int k = 0; k < n; k++) d[(k * n + k) * WARP] = 1;
}

/* n is a constant in every call: the loops over components unroll and the sums stay in registers. */
ON_DEVICE void multiply_blocks(const struct matrix_product_args *a, int64_t b, const int n)
{
    const int64_t step = a->a.p.pitch;
    PHASE(w) {
        WARP_ARRAY(double, s, MOST_BLOCK);
        const double *diag = a->a.diag + ROW(b, w, 0) * n * n;
        for (int i = 0; i < n; i++) {
            LANES(t) IN_WARP_AT(s, i) = 0;
            for (int j = 0; j < n; j++)
                LANES(t) {
                    double x = a->x[j * step + ROW(b, w, t)];
                    IN_WARP_AT(s, i) = fma(diag[(i * n + j) * WARP + t], x, IN_WARP_AT(s, i));
                }
        }
        ENTRIES(a->a.p, b, w, k) {
            const double *val = a->a.val + k * n * n;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    LANES(t) {
                        double x = a->x[j * step + COLUMN(b, a->a.p.col[k + t])];
                        IN_WARP_AT(s, i) = fma(val[(i * n + j) * WARP + t], x, IN_WARP_AT(s, i));
                    }
        }
        for (int i = 0; i < n; i++) LANES(t) a->y[i * step + ROW(b, w, t)] = IN_WARP_AT(s, i);
    }
}
SLICE_KERNEL(matrix_multiply_blocks, struct matrix_product_args)
{
    FOR_BLOCK(a->a.block, multiply_blocks(a, b, n))
}

/* n is a constant in every call. */
ON_DEVICE void multiply_arrow(const struct matrix_product_args *a, int64_t b, const int n)
{
    const int64_t step = a->a.p.pitch;
    PHASE(w) {
        WARP_ARRAY(double, s, 4);
        const float *diag = a->a.arrow.diag + ROW(b, w, 0) * n * n;
        for (int i = 0; i < n; i++) LANES(t) IN_WARP_AT(s, i) = 0;
        for (int j = 0; j < n; j++) {
            WARP_VAR(double, x);
            LANES(t) IN_WARP(x) = a->x[j * step + ROW(b, w, t)];
            for (int i = 0; i < n; i++)
                LANES(t) IN_WARP_AT(s, i) = fma((double)diag[(i * n + j) * WARP + t], IN_WARP(x), IN_WARP_AT(s, i));
        }
        ENTRIES(a->a.p, b, w, k) {
            const float *val = a->a.arrow.val + k * (n + 1);
            WARP_VAR(double, last);
            LANES(t) IN_WARP(last) = a->x[(n - 1) * step + COLUMN(b, a->a.p.col[k + t])];
            for (int i = 0; i < n - 1; i++)
                LANES(t) {
                    double x = a->x[i * step + COLUMN(b, a->a.p.col[k + t])], g = val[(1 + i) * WARP + t];
                    IN_WARP_AT(s, i) = fma(g, IN_WARP(last), fma((double)val[t], x, IN_WARP_AT(s, i)));
                    IN_WARP_AT(s, n - 1) = fma(g, x, IN_WARP_AT(s, n - 1));
                }
            LANES(t) IN_WARP_AT(s, n - 1) = fma((double)val[n * WARP + t], IN_WARP(last), IN_WARP_AT(s, n - 1));
        }
        for (int i = 0; i < n; i++) LANES(t) a->y[i * step + ROW(b, w, t)] = IN_WARP_AT(s, i);
    }
}
SLICE_KERNEL(matrix_multiply_arrow, struct matrix_product_args)
{
    if (a->a.block == 3) multiply_arrow(a, b, 3);
    else multiply_arrow(a, b, 4);
}

ON_DEVICE void invert_diagonal(const struct matrix_invert_args *a, int64_t i, const int n)
{
    struct square d = square_load(a->a.diag, i, n);
    a->bad[i] = !invert_block(d.v, d.v, 1e-14 * square_largest(&d, n), n);
    if (a->inverse) square_store(a->inverse, i, &d, n);
}
INDEX_KERNEL(matrix_invert_blocks, struct matrix_invert_args) { FOR_BLOCK(a->a.block, invert_diagonal(a, i, n)) }

ON_DEVICE void scale_block(const struct matrix_scale_args *a, int64_t i, const int n)
{
    const struct square w = square_load(a->w, i, n);
    for (int r = 0; r < n; r++) {
        double sum = w.v[r * n] * a->x[i];
        for (int c = 1; c < n; c++) sum = fma(w.v[r * n + c], a->x[c * a->pitch + i], sum);
        a->y[r * a->pitch + i] = sum;
    }
}
INDEX_KERNEL(matrix_scale_blocks, struct matrix_scale_args) { FOR_BLOCK(a->block, scale_block(a, i, n)) }

#include "solve/matrix.h"
#include "solve/pattern_row.h"

CROWDED_SLICE_KERNEL(matrix_multiply, struct matrix_product_args, 4)
{
    STAGE(window, a->x, b);
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

/* n is a constant at every call: the loops over components unroll and the sums stay in registers. */
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
    if (a->a.block == 2) multiply_blocks(a, b, 2);
    else if (a->a.block == 3) multiply_blocks(a, b, 3);
    else if (a->a.block == 4) multiply_blocks(a, b, 4);
    else if (a->a.block == 5) multiply_blocks(a, b, 5);
    else multiply_blocks(a, b, 1);
}

/* Elimination with partial pivoting. */
ON_DEVICE void eliminate(double m[MOST_BLOCK][MOST_BLOCK + 1], int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int r = k + 1; r < n; r++)
            if (fabs(m[r][k]) > fabs(m[best][k])) best = r;
        for (int c = k; c <= n; c++) {
            double swap = m[k][c];
            m[k][c] = m[best][c];
            m[best][c] = swap;
        }
        for (int r = k + 1; r < n; r++) {
            double factor = m[r][k] / m[k][k];
            for (int c = k + 1; c <= n; c++) m[r][c] = fma(-factor, m[k][c], m[r][c]);
        }
    }
}

INDEX_KERNEL(matrix_divide_blocks, struct matrix_product_args)
{
    int n = a->a.block;
    const double *d = a->a.diag + (i - i % WARP) * n * n + i % WARP;
    double m[MOST_BLOCK][MOST_BLOCK + 1];
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) m[r][c] = d[(r * n + c) * WARP];
        m[r][n] = a->x[r * a->a.p.pitch + i];
    }
    eliminate(m, n);
    for (int r = n - 1; r >= 0; r--) {
        double sum = m[r][n];
        for (int c = r + 1; c < n; c++) sum = fma(-m[r][c], a->y[c * a->a.p.pitch + i], sum);
        a->y[r * a->a.p.pitch + i] = sum / m[r][r];
    }
}

INDEX_KERNEL(matrix_check_blocks, struct matrix_product_args)
{
    int n = a->a.block, singular = 0;
    const double *d = a->a.diag + (i - i % WARP) * n * n + i % WARP;
    double m[MOST_BLOCK][MOST_BLOCK + 1], largest = 0;
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) {
            m[r][c] = d[(r * n + c) * WARP];
            largest = fabs(m[r][c]) > largest ? fabs(m[r][c]) : largest;
        }
        m[r][n] = 0;
    }
    eliminate(m, n);
    for (int k = 0; k < n; k++) singular |= !(fabs(m[k][k]) > 1e-14 * largest);
    a->y[i] = singular;
}

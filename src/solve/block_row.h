/* block_row.h: for kernel bodies on matrices of blocks of N x N floats (for_each_block.h): rows times vectors, and the
 * inverse of a block. Number e = i N + j of an entry or a row of which lane 0 stands at k: [k N N + e WARP + lane]. */
#ifndef POISE_BLOCK_ROW_H
#define POISE_BLOCK_ROW_H
#include "gpu/kept_entries.h"
#include "solve/matrix.h"
#include "solve/pattern_row.h"

/* Numbers of an entry, and where number e = i N + j of the entry or row at `at` stands (matrix.h). */
#define NUMBERS (ARROW ? N + 1 : N * N)

/* s += sign (entry at k) x, j being the row of x. */
#define ADD_ENTRY(a, k, j, s, sign, x, x_pitch)                                                                       \
    {                                                                                                                 \
        WARP_VAR(float, last);                                                                                        \
        const float *val = (a).val + (k) * NUMBERS;                                                                   \
        LANES(t) IN_WARP(last) = (x)[(N - 1) * (x_pitch) + IN_WARP(j)];                                               \
        for (int u = 0; u < (ARROW ? N - 1 : N); u++) {                                                               \
            WARP_VAR(float, xu);                                                                                      \
            LANES(t) IN_WARP(xu) = u < N - 1 ? (x)[u * (x_pitch) + IN_WARP(j)] : IN_WARP(last);                       \
            if (ARROW)                                                                                                \
                LANES(t) {                                                                                            \
                    const float g = sign val[(1 + u) * WARP + t];                                                     \
                    IN_WARP_AT(s, u) = fmaf(g, IN_WARP(last), fmaf(sign val[t], IN_WARP(xu), IN_WARP_AT(s, u)));      \
                    IN_WARP_AT(s, N - 1) = fmaf(g, IN_WARP(xu), IN_WARP_AT(s, N - 1));                                \
                }                                                                                                     \
            else                                                                                                      \
                for (int i = 0; i < N; i++)                                                                           \
                    LANES(t)                                                                                          \
                        IN_WARP_AT(s, i) = fmaf(sign val[(i * N + u) * WARP + t], IN_WARP(xu), IN_WARP_AT(s, i));     \
        }                                                                                                             \
        if (ARROW) LANES(t) IN_WARP_AT(s, N - 1) = fmaf(sign val[N * WARP + t], IN_WARP(last), IN_WARP_AT(s, N - 1)); \
    }
/* s += sign A x for warp w of all, without the diagonal.  row_of(j): where x has row j. */
#define ADD_ENTRIES(a, w, s, sign, x, x_pitch, row_of)                                                       \
    ENTRIES((a).p, 0, w, k) {                                                                                \
        WARP_VAR(int32_t, j);                                                                                \
        LANES(t) { int32_t c = (a).p.col[k + t]; IN_WARP(j) = row_of(COLUMN((w) / WARPS, c)); }              \
        ADD_ENTRY(a, k, j, s, sign, x, x_pitch)                                                              \
    }
/* The same in two parts, for kernels that wait for x: KEEP_ROWS() before there is x (measured: a twentieth of a cycle
 * on the GPU). */
#define KEEP_ROWS(kept, a, w, row_of) KEEP_PLACES(kept, a, w, c, row_of(COLUMN((w) / WARPS, c)))
#define ADD_KEPT_ENTRIES(kept, a, w, s, sign, x, x_pitch, row_of)                                            \
    EACH_PLACE(kept, a, w, c, row_of(COLUMN((w) / WARPS, c)), j,                                 \
               ADD_ENTRY(a, kept##_at, j, s, sign, x, x_pitch))
#define ITSELF(j) (j)

/* inverse = m^-1 of n x n numbers by Gauss-Jordan. The row with the largest pivot comes up by exchanges with every row
 * that has a larger one, so that no index depends on values. */
ON_DEVICE void invert_block(const double *block, double *inverse, const int n)
{
    double m[MOST_BLOCK][2 * MOST_BLOCK];
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) m[r][c] = block[r * n + c], m[r][n + c] = r == c;
    for (int k = 0; k < n; k++) {
        for (int r = k + 1; r < n; r++) {
            int larger = fabs(m[r][k]) > fabs(m[k][k]);
            for (int c = 0; c < 2 * n; c++) {
                double up = larger ? m[r][c] : m[k][c], down = larger ? m[k][c] : m[r][c];
                m[k][c] = up, m[r][c] = down;
            }
        }
        double pivot = 1 / m[k][k];
        for (int c = 0; c < 2 * n; c++) m[k][c] *= pivot;
        for (int r = 0; r < n; r++) {
            double factor = r == k ? 0 : m[r][k];
            for (int c = 0; c < 2 * n; c++) m[r][c] = fma(-factor, m[k][c], m[r][c]);
        }
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) inverse[r * n + c] = m[r][n + c];
}
#endif

/* block_row.h: for kernel bodies on matrices of blocks of N x N floats (for_each_block.h): products of rows and
 * vectors.  Number e = i N + j of an entry or row whose lane 0 is at k is stored at [k N N + e WARP + lane]. */
#ifndef POISE_BLOCK_ROW_H
#define POISE_BLOCK_ROW_H
#include "gpu/kept_entries.h"
#include "solve/matrix.h"
#include "solve/pattern_row.h"
#include "solve/square.h"

/* Count of stored numbers of an entry, and where number e = i N + j of the entry or row at `at` is stored
 * (matrix.h). */
#define NUMBERS (ARROW ? N + 1 : N * N)

/* s += sign (entry at k) x, where j is the row of x. */
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
/* s += sign A x for warp w of all, without the diagonal.  row_of(j): position of row j in x. */
#define ADD_ENTRIES(a, w, s, sign, x, x_pitch, row_of)                                                       \
    ENTRIES((a).p, 0, w, k) {                                                                                \
        WARP_VAR(int32_t, j);                                                                                \
        LANES(t) { int32_t c = (a).p.col[k + t]; IN_WARP(j) = row_of(COLUMN((w) / WARPS, c)); }              \
        ADD_ENTRY(a, k, j, s, sign, x, x_pitch)                                                              \
    }
/* The same in two parts, for kernels that wait for x: KEEP_ROWS() before x is available (measured: a twentieth of a
 * cycle on the GPU). */
#define KEEP_ROWS(kept, a, w, row_of) KEEP_PLACES(kept, a, w, c, row_of(COLUMN((w) / WARPS, c)))
#define ADD_KEPT_ENTRIES(kept, a, w, s, sign, x, x_pitch, row_of)                                            \
    EACH_PLACE(kept, a, w, c, row_of(COLUMN((w) / WARPS, c)), j,                                 \
               ADD_ENTRY(a, kept##_at, j, s, sign, x, x_pitch))
#define ITSELF(j) (j)

#endif

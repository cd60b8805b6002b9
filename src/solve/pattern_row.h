/* pattern_row.h: for kernel bodies: reads x at a column code.  On CUDA the slice's own part of x is staged in shared
 * memory; on the CPU it is in the cache already, and a branch-free index keeps the lanes' loop vectorised (measured on
 * one core, 96^3: 29 GB/s instead of 17 lane by lane). */
#ifndef POISE_PATTERN_ROW_H
#define POISE_PATTERN_ROW_H
#include "gpu/kernel.h"

#define STAGE(type, window, x, b) \
    WINDOW(type, window, SLICE, lane, window[lane] = (x)[(b) * (int64_t)SLICE + lane];)
#define AT_COLUMN(window, x, b, c) FROM_WINDOW((c) < 0, window[-(c) - 1], (x)[COLUMN(b, c)])
/* The row of a column code; 0 for padding, whose value is 0. */
#define COLUMN(b, c) ((c) < 0 ? (int32_t)((b) * SLICE) - (c) - 1 : (c) > 0 ? (c) - 1 : 0)
/* A row's place in the order of all ranks' rows, comparable with rows of this rank: -1 for rows of preceding ranks. */
#define PLACE_OF(p, row) ((row) >= (int32_t)(p).n_padded && (row) < (p).end_before ? -1 : (row))
/* Loops over the entries of warp w of slice b, for its 32 rows at once; k is the position of lane 0. */
#define ENTRIES(p, b, w, k) \
    for (int64_t k = (p).warp_start[(b) * WARPS + (w)]; k < (p).warp_start[(b) * WARPS + (w) + 1]; k += WARP)
/* The same for one row of a pattern, of matrix a, by one lane. */
#define PATTERN_ENTRIES(p, r, k)                                                                             \
    for (int64_t k = (p).warp_start[(r) / WARP] + (r) % WARP; k < (p).warp_start[(r) / WARP + 1]; k += WARP)
#define ROW_ENTRIES(a, r, k) PATTERN_ENTRIES((a).p, r, k)
#endif

/* pattern_row.h: for kernel bodies: how a lane finds x at a column code.
 * On CUDA the slice's own part of x is staged in shared memory; on the CPU it is in the cache already, and one index
 * without a branch keeps the lanes' loop vectorised (measured on one core, 96^3: 29 GB/s, against 17 lane by lane). */
#ifndef POISE_PATTERN_ROW_H
#define POISE_PATTERN_ROW_H
#include "gpu/kernel.h"

#ifdef __CUDACC__
#define STAGE(window, x, b)                                                                                  \
    __shared__ double window[SLICE];                                                                         \
    window[SLICE_LANE] = (x)[(b) * (int64_t)SLICE + SLICE_LANE];                                             \
    __syncthreads();
#define AT_COLUMN(window, x, b, c) ((c) < 0 ? window[-(c) - 1] : (x)[(c) > 0 ? (c) - 1 : 0])
#else
#define STAGE(window, x, b)
#define AT_COLUMN(window, x, b, c) ((x)[COLUMN(b, c)])
#endif
/* The row that a column code means; 0 for padding, whose value is 0. */
#define COLUMN(b, c) ((c) < 0 ? (int32_t)((b) * SLICE) - (c) - 1 : (c) > 0 ? (c) - 1 : 0)
/* A row's place in the order of all ranks' rows, compared with rows of this rank: -1 of one that comes before them. */
#define PLACE_OF(p, row) ((row) >= (int32_t)(p).n_padded && (row) < (p).end_before ? -1 : (row))
/* Loops over the entries of warp w of slice b, those of its 32 rows at once; k is the position of lane 0. */
#define ENTRIES(p, b, w, k) \
    for (int64_t k = (p).warp_start[(b) * WARPS + (w)]; k < (p).warp_start[(b) * WARPS + (w) + 1]; k += WARP)

/* The same for a matrix in single precision; body finds the column code c and the value v of each lane's entry.  On
 * CUDA `ahead` entries are loaded before they are used, which is what counts where rows are long and slices few. */
#ifdef __CUDACC__
#define ENTRIES_BY(ahead, a, b, w, c, v, body)                                                               \
    for (int64_t k = (a).p.warp_start[(b) * WARPS + (w)], end = (a).p.warp_start[(b) * WARPS + (w) + 1]; k < end;    \
         k += (ahead) * WARP)                                                                                \
        LANES(t) {                                                                                           \
            int32_t cols[ahead];                                                                             \
            float vals[ahead];                                                                               \
            _Pragma("unroll") for (int e = 0; e < (ahead); e++) {                                            \
                cols[e] = k + e * WARP < end ? (a).p.col[k + e * WARP + t] : 0;                              \
                vals[e] = k + e * WARP < end ? (a).val[k + e * WARP + t] : 0.0f;                             \
            }                                                                                                \
            _Pragma("unroll") for (int e = 0; e < (ahead); e++) { int32_t c = cols[e]; float v = vals[e]; body }     \
        }
#else
#define ENTRIES_BY(ahead, a, b, w, c, v, body)                                                               \
    ENTRIES((a).p, b, w, k) LANES(t) { int32_t c = (a).p.col[k + t]; float v = (a).val[k + t]; body }
#endif
#endif

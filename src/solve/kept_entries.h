/* kept_entries.h: for kernel bodies: the entries of a row of a matrix in single precision.  On CUDA the first ones of a
 * lane's row are loaded into registers at once, before anything else is known, and the others some at a time: that
 * counts where rows are long and slices few.  On the CPU all are read where they are used, from the cache.
 *
 *   KEPT_ENTRIES(k)                  declares them;
 *   KEEP(k, kept, a, b)              loads those of slice b, `kept` of a row (a constant);
 *   ENTRIES_OF_ROW(k, kept, ahead, a, b, w, c, v, body)
 *       loop over the entries of warp w's rows: body finds the column code c and the value v of each lane's entry;
 *   EACH_KEPT(k, e, kept), OTHERS(k, kept, ahead, a, c, v, body)
 *       on CUDA alone: its two parts, e being the number of a kept one, k##_col[e] and k##_val[e].  Whole parts that no
 *       row of the warp has are passed over. */
#ifndef POISE_KEPT_ENTRIES_H
#define POISE_KEPT_ENTRIES_H
#include "solve/pattern_row.h"

/* Entries of a row that stay in registers, where 4, 3 or 2 slices are to be on a multiprocessor at once; and nearly
 * all, where a level has a slice or two for each multiprocessor (FEW_SLICES) and waiting for memory is all that
 * counts. */
enum { SHORT_KEPT = 4, USUAL_KEPT = 6, LONG_KEPT = 16, MOST_KEPT = 32, KEPT_PART = 8 };

#ifdef __CUDACC__
#define KEPT_ENTRIES(k) int32_t k##_col[MOST_KEPT]; float k##_val[MOST_KEPT]; int64_t k##_start; int32_t k##_n;
#define EACH_KEPT(k, e, kept)                                                                                \
    _Pragma("unroll") for (int part = 0; part < MOST_KEPT; part += KEPT_PART)                                \
        if (part < (kept) && (part == 0 || part < k##_n))                                                    \
            _Pragma("unroll") for (int e = part; e < part + KEPT_PART; e++) if (e < (kept))
/* Loads entry first + e of the lane's row; a zero where the row has no more than n. */
#define LOAD(cols, vals, e, a, start, first, n)                                                              \
    cols[e] = (first) + e < (n) ? (a).p.col[(start) + ((first) + e) * WARP + t] : 0;                         \
    vals[e] = (first) + e < (n) ? (a).val[(start) + ((first) + e) * WARP + t] : 0.0f;
#define KEEP(k, kept, a, b)                                                                                  \
    {                                                                                                        \
        const int64_t *const of_warp = (a).p.warp_start + (b) * WARPS + SLICE_LANE / WARP;                   \
        const int t = SLICE_LANE % WARP;                                                                     \
        k##_start = of_warp[0], k##_n = (int32_t)(of_warp[1] - of_warp[0]) / WARP;                           \
        EACH_KEPT(k, e, kept) { LOAD(k##_col, k##_val, e, a, k##_start, 0, k##_n) }                          \
    }
#define OTHERS(k, kept, ahead, a, c, v, body)                                                                   \
    for (int first = (kept); first < k##_n; first += (ahead)) {                                                 \
        int32_t cols[ahead];                                                                                    \
        float vals[ahead];                                                                                      \
        _Pragma("unroll") for (int e = 0; e < (ahead); e++) { LOAD(cols, vals, e, a, k##_start, first, k##_n) } \
        _Pragma("unroll") for (int e = 0; e < (ahead); e++) { int32_t c = cols[e]; float v = vals[e]; body }    \
    }
#define ENTRIES_OF_ROW(k, kept, ahead, a, b, w, c, v, body)                                                  \
    LANES(t) {                                                                                               \
        EACH_KEPT(k, e, kept) { int32_t c = k##_col[e]; float v = k##_val[e]; body }                         \
        OTHERS(k, kept, ahead, a, c, v, body)                                                                \
    }
#else
#define KEPT_ENTRIES(k)
#define KEEP(k, kept, a, b) (void)(kept);
#define ENTRIES_OF_ROW(k, kept, ahead, a, b, w, c, v, body)                                                  \
    ENTRIES((a).p, b, w, k) LANES(t) { int32_t c = (a).p.col[k + t]; float v = (a).val[k + t]; body }
#endif
#endif

/* kept_entries.h: for kernel bodies: the entries of a row of a matrix, on the pattern of solve/pattern.h, in single
 * precision.  On CUDA the first ones of a lane's row are prefetched into registers at once, and the others a few at a
 * time, which matters if rows are long and slices few.  On the CPU all are read from the cache when they are used.
 *
 *   KEPT_ENTRIES(k)                  declares them;
 *   KEEP(k, kept, a, b)              loads those of slice b, `kept` per row (a constant);
 *   CHANGE_KEPT(k, kept, c, v, body) body may change column code c and value v of kept entries, if any;
 *   ENTRIES_OF_ROW(k, kept, ahead, a, b, w, c, v, body)
 *       loop over the entries of warp w's rows: body gets the column code c and the value v of each lane's entry;
 *   KEPT_AND_OTHERS(k, kept, ahead, a, b, w, c, v, of_kept, of_others)
 *       the same with one body for kept entries, which may change them, and one for the others.
 *
 *   KEEP_PLACES(kept, a, w, c, place)
 *       on matrices of blocks: evaluates the expression `place` in advance for the column codes c of the first entries
 *       of warp w (counted over all slices);
 *   EACH_PLACE(kept, a, w, c, place, j, body)
 *       loop over all of the warp's entries: body gets kept##_at, the index of lane 0's entry, and the value of
 *       `place`, the WARP_VAR j. */
#ifndef POISE_KEPT_ENTRIES_H
#define POISE_KEPT_ENTRIES_H
#include "gpu/kernel.h"

/* Entries of a row kept in registers, with 4, 3 or 2 slices resident on a multiprocessor; and nearly all of them, for
 * levels with one or two slices per multiprocessor (FEW_SLICES), where memory latency dominates. */
enum { SHORT_KEPT = 4, USUAL_KEPT = 6, LONG_KEPT = 16, MOST_KEPT = 32, KEPT_PART = 8 };

#if LANES_BRANCH
#define KEPT_ENTRIES(k) int32_t k##_col[MOST_KEPT]; float k##_val[MOST_KEPT]; int64_t k##_start; int32_t k##_n;
/* Skips whole parts that no row of the warp reaches. */
#define EACH_KEPT(k, e, kept)                                                                                \
    UNROLL for (int part = 0; part < MOST_KEPT; part += KEPT_PART)                                           \
        if (part < (kept) && (part == 0 || part < k##_n))                                                    \
            UNROLL for (int e = part; e < part + KEPT_PART; e++) if (e < (kept))
/* Loads entry first + e of the lane's row; zero if the row has only n entries. */
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
#define CHANGE_KEPT(k, kept, c, v, body)                                                                     \
    EACH_KEPT(k, e, kept) { int32_t &c = k##_col[e]; float &v = k##_val[e]; body }
#define OTHERS(k, kept, ahead, a, c, v, body)                                                                \
    for (int first = (kept); first < k##_n; first += (ahead)) {                                              \
        int32_t cols[ahead];                                                                                 \
        float vals[ahead];                                                                                   \
        UNROLL for (int e = 0; e < (ahead); e++) { LOAD(cols, vals, e, a, k##_start, first, k##_n) }         \
        UNROLL for (int e = 0; e < (ahead); e++) { int32_t c = cols[e]; float v = vals[e]; body }            \
    }
#define KEPT_AND_OTHERS(k, kept, ahead, a, b, w, c, v, of_kept, of_others)                                   \
    LANES(t) {                                                                                               \
        CHANGE_KEPT(k, kept, c, v, of_kept)                                                                  \
        OTHERS(k, kept, ahead, a, c, v, of_others)                                                           \
    }
#define ENTRIES_OF_ROW(k, kept, ahead, a, b, w, c, v, body)                                                  \
    LANES(t) {                                                                                               \
        EACH_KEPT(k, e, kept) { int32_t c = k##_col[e]; float v = k##_val[e]; body }                         \
        OTHERS(k, kept, ahead, a, c, v, body)                                                                \
    }
enum { KEPT_PLACES = 8 };
#define KEEP_PLACES(kept, a, w, c, place)                                                                    \
    int32_t kept[KEPT_PLACES];                                                                               \
    const int64_t kept##_end = (a).p.warp_start[(w) + 1];                                                    \
    int64_t kept##_at = (a).p.warp_start[w];                                                                 \
    UNROLL for (int e = 0; e < KEPT_PLACES; e++) {                                                           \
        const int64_t k = kept##_at + e * WARP;                                                              \
        const int32_t c = k < kept##_end ? (a).p.col[k + SLICE_LANE % WARP] : 0;                             \
        kept[e] = place;                                                                                     \
    }
#define EACH_PLACE(kept, a, w, c, place, j, body)                                                            \
    UNROLL for (int e = 0; e < KEPT_PLACES; e++, kept##_at += WARP)                                          \
        if (kept##_at < kept##_end) { const int32_t &j = kept[e]; body }                                     \
    for (; kept##_at < kept##_end; kept##_at += WARP) {                                                      \
        const int32_t c = (a).p.col[kept##_at + SLICE_LANE % WARP], j = place;                               \
        body                                                                                                 \
    }
#else
#define KEPT_ENTRIES(k)
#define KEEP(k, kept, a, b) (void)(kept);
#define CHANGE_KEPT(k, kept, c, v, body)
#define KEPT_AND_OTHERS(k, kept, ahead, a, b, w, c, v, of_kept, of_others)                                   \
    for (int64_t k = (a).p.warp_start[(b) * WARPS + (w)]; k < (a).p.warp_start[(b) * WARPS + (w) + 1]; k += WARP)  \
        LANES(t) { int32_t c = (a).p.col[k + t]; float v = (a).val[k + t]; of_others }
#define ENTRIES_OF_ROW(k, kept, ahead, a, b, w, c, v, body) KEPT_AND_OTHERS(k, kept, ahead, a, b, w, c, v, body, body)
#define KEEP_PLACES(kept, a, w, c, place)
#define EACH_PLACE(kept, a, w, c, place, j, body)                                                            \
    for (int64_t kept##_at = (a).p.warp_start[w]; kept##_at < (a).p.warp_start[(w) + 1]; kept##_at += WARP) { \
        WARP_VAR(int32_t, j);                                                                                \
        LANES(t) { int32_t c = (a).p.col[kept##_at + t]; IN_WARP(j) = place; }                               \
        body                                                                                                 \
    }
#endif
#endif

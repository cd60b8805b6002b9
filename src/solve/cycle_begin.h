/* cycle_begin.h: for kernel bodies: restriction of a right-hand side to the next level of multigrid. */
#ifndef POISE_CYCLE_BEGIN_H
#define POISE_CYCLE_BEGIN_H
#include "solve/pattern_row.h"
#include "solve/multigrid_kernels.h"

/* The range of a slice's sums that each lane adds: loaded together with everything else that a kernel begins with,
 * because the second load depends on the first.  Lanes without a coarse row have begin = end. */
#define RESTRICTION(k, a, slice)                                                                               \
    SLICE_VAR(int32_t, k##_row);                                                                               \
    SLICE_VAR(int32_t, k##_begin);                                                                             \
    SLICE_VAR(int32_t, k##_end);                                                                               \
    EACH_WARP(w) LANES(t) {                                                                                    \
        int32_t row = (a)->coarse_b ? (a)->slice_start[slice] + w * WARP + t : 0;                              \
        int32_t last = (a)->coarse_b ? (a)->slice_start[(slice) + 1] : 0, before = (int32_t)((slice) * SLICE); \
        IN_SLICE(k##_row) = row;                                                                               \
        IN_SLICE(k##_begin) = row < last ? (a)->child_start[row] - before : 0;                                 \
        IN_SLICE(k##_end) = row < last ? (a)->child_start[row + 1] - before : 0;                               \
    }
/* Adds component u of the right-hand side over the children of every coarse row that has its children in this slice.
 * sum: the right-hand side at the slice's rows, in the order of a->place, in which the children of one coarse row are
 * consecutive. */
#define RESTRICT_SLICE(k, a, u, sum)                                                                         \
    PHASE(w) LANES(t) {                                                                                      \
        float all = 0;                                                                                       \
        for (int32_t e = IN_SLICE(k##_begin); e < IN_SLICE(k##_end); e++) all += (sum)[e];                   \
        if (IN_SLICE(k##_begin) < IN_SLICE(k##_end))                                                         \
            (a)->coarse_b[(u) * (a)->coarse_pitch + IN_SLICE(k##_row)] = all;                                \
    }

/* n: a->block as a constant; awaited: as in wait_for_slices(), 0 in a kernel with only this step. */
ON_DEVICE void restrict_level(const struct restrict_args *a, const int n, int64_t slice, const int32_t awaited)
{
    SHARED(float, sum, SLICE);
    SLICE_VAR(int32_t, place);
    EACH_WARP(w) LANES(t) IN_SLICE(place) = a->place[ROW(slice, w, t)];
    RESTRICTION(down, a, slice)
    wait_for_slices(awaited);
    for (int u = 0; u < n; u++) {
        PHASE(w) LANES(t) sum[IN_SLICE(place)] = a->b[u * a->pitch + ROW(slice, w, t)];
        RESTRICT_SLICE(down, a, u, sum)
    }
}
#endif

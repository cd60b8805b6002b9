/* cycle_begin.h: for kernel bodies: how a right-hand side reaches the next level of multigrid. */
#ifndef POISE_CYCLE_BEGIN_H
#define POISE_CYCLE_BEGIN_H
#include "solve/pattern_row.h"
#include "solve/multigrid_kernels.h"

/* CHILDREN(c, a, slice) finds, of every coarse row that has its children in this slice, where these are in `sum`,
 * before anything is known of the right-hand side; RESTRICT(c, a, u, sum) then adds up component u of that over them.
 * sum: the right-hand side at the slice's rows, in the order of a->place, in which the children of one coarse row stand
 * together. */
#define CHILDREN(c, a, slice)                                                                                \
    const int32_t c##_first = (a)->coarse_b ? (a)->slice_start[slice] : 0;                                   \
    const int32_t c##_last = (a)->coarse_b ? (a)->slice_start[(slice) + 1] : 0;                              \
    SLICE_VAR(int32_t, c##_begin);                                                                           \
    SLICE_VAR(int32_t, c##_end);                                                                             \
    EACH_WARP(w) LANES(t) {                                                                                  \
        int32_t row = c##_first + w * WARP + t;                                                              \
        IN_SLICE(c##_begin) = row < c##_last ? (a)->child_start[row] - (int32_t)((slice) * SLICE) : 0;       \
        IN_SLICE(c##_end) = row < c##_last ? (a)->child_start[row + 1] - (int32_t)((slice) * SLICE) : 0;     \
    }
#define RESTRICT(c, a, u, sum)                                                                               \
    PHASE(w) LANES(t) {                                                                                      \
        int32_t row = c##_first + w * WARP + t;                                                              \
        if (row < c##_last) {                                                                                \
            float all = 0;                                                                                   \
            for (int32_t k = IN_SLICE(c##_begin); k < IN_SLICE(c##_end); k++) all += sum[k];                 \
            (a)->coarse_b[(u) * (a)->coarse_pitch + row] = all;                                              \
        }                                                                                                    \
    }

/* n: a->block as a constant; awaited: as wait_for_slices(), 0 in a kernel of this step alone. */
ON_DEVICE void restrict_level(const struct restrict_args *a, const int n, int64_t slice, const int32_t awaited)
{
    SHARED(float, sum, SLICE);
    SLICE_VAR(int32_t, place);
    CHILDREN(of, a, slice)
    EACH_WARP(w) LANES(t) IN_SLICE(place) = a->place[ROW(slice, w, t)];
    wait_for_slices(awaited);
    for (int u = 0; u < n; u++) {
        PHASE(w) LANES(t) sum[IN_SLICE(place)] = a->b[u * a->pitch + ROW(slice, w, t)];
        RESTRICT(of, a, u, sum)
    }
}
#endif

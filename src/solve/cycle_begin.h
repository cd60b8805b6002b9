/* cycle_begin.h: for kernel bodies: how a right-hand side reaches the next level of multigrid. */
#ifndef POISE_CYCLE_BEGIN_H
#define POISE_CYCLE_BEGIN_H
#include "solve/pattern_row.h"
#include "solve/multigrid_kernels.h"

/* Adds component u of the right-hand side over the children of every coarse row that has its children in this slice.
 * sum: the right-hand side at the slice's rows, in the order of a->place, in which the children of one coarse row stand
 * together. */
ON_DEVICE void restrict_slice(const struct restrict_args *a, int64_t slice, int u, const float *sum)
{
    if (!a->coarse_b) return;
    int32_t first = a->slice_start[slice], last = a->slice_start[slice + 1];
    PHASE(w) LANES(t) {
        int32_t c = first + w * WARP + t;
        if (c < last) {
            int32_t begin = a->child_start[c] - (int32_t)(slice * SLICE),
                    end = a->child_start[c + 1] - (int32_t)(slice * SLICE);
            float all = 0;
            for (int32_t k = begin; k < end; k++) all += sum[k];
            a->coarse_b[u * a->coarse_pitch + c] = all;
        }
    }
}

/* n: a->block as a constant; awaited: as wait_for_slices(), 0 in a kernel of this step alone. */
ON_DEVICE void restrict_level(const struct restrict_args *a, const int n, int64_t slice, const int32_t awaited)
{
    SHARED(float, sum, SLICE);
    SLICE_VAR(int32_t, place);
    EACH_WARP(w) LANES(t) IN_SLICE(place) = a->place[ROW(slice, w, t)];
    wait_for_slices(awaited);
    for (int u = 0; u < n; u++) {
        PHASE(w) LANES(t) sum[IN_SLICE(place)] = a->b[u * a->pitch + ROW(slice, w, t)];
        restrict_slice(a, slice, u, sum);
    }
}
#endif

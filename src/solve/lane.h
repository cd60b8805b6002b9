/* lane.h: for kernel bodies of the solvers. */
#ifndef POISE_LANE_H
#define POISE_LANE_H
#include <float.h>
#include <stdbool.h>
#include "gpu/kernel.h"

/* The row of a lane as a 64-bit index: cut to 32 bits, the compiler must assume that it wraps inside the warp, and on
 * the CPU reads row by row where it could read eight at once (measured: the whole product takes twice the time). */
#define ROW_OF(b, w, t) ((b) * SLICE + (w) * WARP + (t))

/* The sum of a SLICE_VAR as slice_sum() gives it, valid in ONCE, by another tree: lanes t of all warps by halving, then
 * the 32 lanes by halving.  The first part is made of whole vectors on the CPU (measured: a third of the time of
 * slice_sum()) and needs one warp and no shuffles on CUDA. */
#ifdef __CUDACC__
ON_DEVICE double sum_slice(double v)
{
    __shared__ double lane[SLICE];
    __syncthreads();
    lane[SLICE_LANE] = v;
    __syncthreads();
    if (SLICE_LANE < WARP) {
        double s[WARPS];
        for (int w = 0; w < WARPS; w++) s[w] = lane[w * WARP + SLICE_LANE];
        for (int h = WARPS / 2; h > 0; h /= 2)
            for (int w = 0; w < h; w++) s[w] += s[w + h];
        v = s[0];
        for (int h = WARP / 2; h > 0; h /= 2) v += __shfl_down_sync(0xffffffffu, v, h);
    }
    return v;
}
#else
ON_DEVICE double sum_slice(double *v)                           /* uses v as scratch */
{
    for (int h = WARPS / 2; h > 0; h /= 2)
        for (int i = 0; i < h * WARP; i++) v[i] += v[i + h * WARP];
    for (int h = WARP / 2; h > 0; h /= 2)
        for (int t = 0; t < h; t++) v[t] += v[t + h];
    return v[0];
}
#endif

ON_DEVICE bool finite_number(double v) { return fabs(v) <= DBL_MAX; }
#endif

/* Kernels of sweeps over a matrix, in both precisions (sweep.h). */
#include "solve/pattern_row.h"
#include "solve/sweep_kernels.h"

#define BODY "solve/sweep_body.h"
#include "gpu/both_precisions.h"

INDEX_KERNEL(sweep_split, struct sweep_split_args)
{
    int64_t start = a->p.warp_start[i], end = a->p.warp_start[i + 1], lower = start, upper = end;
    for (int64_t k = start; k < end; k++) {
        int32_t other = PLACE_OF(a->p, COLUMN(i / WARPS, a->p.col[k])), row = (int32_t)(i * WARP + (k - start) % WARP);
        int64_t first = k - (k - start) % WARP;
        if (!a->p.col[k]) continue;
        if (other < row) lower = first + WARP;
        else if (first < upper) upper = first;
    }
    a->lower_end[i] = lower;
    a->upper_begin[i] = upper;
}

INDEX_KERNEL(sweep_invert, struct sweep_invert_args)
{
    double d = a->diag_single ? (double)a->diag_single[i] : a->diag[i];
    if (a->inverse_single) a->inverse_single[i] = (float)(1 / d);
    else a->inverse[i] = 1 / d;
}

/* A kernel over slices computes one square root per warp, one over indices would compute one per row. */
SLICE_KERNEL(sweep_over_norm, struct sweep_over_norm_args)
{
    PHASE(w) {
        double scale = a->norm2 && *a->norm2 > 0 ? 1 / sqrt(*a->norm2) : 1.0;
        LANES(t) a->to[ROW(b, w, t)] = (float)(scale * a->from[ROW(b, w, t)]);
    }
}

/* The weights of the steps x' = x + momentum (x - the previous x) + length D^-1 (b - A x).  From zero the first x is a
 * multiple of D^-1 b and is not stored: its contribution goes into the weights of D^-1 b. */
INDEX_KERNEL(chebyshev_weigh, struct chebyshev_args)
{
    double theta = 0.5 * (*a->largest + *a->largest / a->ratio), delta = 0.5 * (*a->largest - *a->largest / a->ratio);
    double sigma = theta / delta, rho = 1 / sigma, momentum = 0, first = 1 / theta, length = first;
    struct sweep_weights *step = a->weight + i;
    if (!a->guess && a->degree == 1) *step = (struct sweep_weights){first, 0, 0, 0, 0};
    for (int32_t k = a->guess ? 0 : 1; k < a->degree; k++, step++) {
        if (k > 0) {
            double next = 1 / (2 * sigma - rho);
            momentum = next * rho;
            length = 2 * next / delta;
            rho = next;
        }
        struct sweep_weights w = {1 + momentum - length, length, -momentum, 0, length};
        if (k == 1 && !a->guess) w = (struct sweep_weights){fma(w.own, first, length), 0, 0, 0, length * first};
        if (k == 2 && !a->guess) w.right = fma(-momentum, first, length);
        *step = w;
    }
}

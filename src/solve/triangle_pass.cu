/* Kernels of the preconditioners that are polynomials in the triangles (triangle_pass.h). */
#include "solve/triangle_pass.h"
#include "solve/pattern_row.h"

/* s = T in for warp w, T being one strict triangle of A. */
#define LOWER(column, row) ((column) < (row))
#define UPPER(column, row) ((column) > (row))
#define TRIANGLE_SUM(s, side)                                                                                \
    WARP_VAR(double, s);                                                                                     \
    LANES(t) IN_WARP(s) = 0;                                                                                 \
    if (a->a.p.halo) TRIANGLE_ENTRIES(s, side, PLACE_OF(a->a.p, column))                                     \
    else TRIANGLE_ENTRIES(s, side, column)
#define TRIANGLE_ENTRIES(s, side, place)                                                                     \
    ENTRIES(a->a.p, b, w, k)                                                                                 \
        LANES(t) {                                                                                           \
            int32_t c = a->a.p.col[k + t], column = COLUMN(b, c);                                            \
            double v = side(place, (int32_t)ROW(b, w, t)) ? a->a.val[k + t] : 0;                             \
            IN_WARP(s) = fma(v, AT_COLUMN(window, a->in, b, c), IN_WARP(s));                                 \
        }

INDEX_KERNEL(triangle_scale, struct triangle_args) { a->out[i] = a->in[i] / a->a.diag[i]; }

CROWDED_SLICE_KERNEL(triangle_lower, struct triangle_args, 4)
{
    STAGE(double, window, a->in, b);
    PHASE(w) {
        TRIANGLE_SUM(s, LOWER)
        LANES(t) { int64_t r = ROW(b, w, t); a->out[r] = a->base[r] - IN_WARP(s) / a->a.diag[r]; }
    }
}

CROWDED_SLICE_KERNEL(triangle_upper, struct triangle_args, 4)
{
    STAGE(double, window, a->in, b);
    PHASE(w) {
        TRIANGLE_SUM(s, UPPER)
        LANES(t) { int64_t r = ROW(b, w, t); a->out[r] = a->base[r] - IN_WARP(s) / a->a.diag[r]; }
    }
}

CROWDED_SLICE_KERNEL(triangle_poisson_upper, struct triangle_args, 4)
{
    STAGE(double, window, a->in, b);
    PHASE(w) {
        TRIANGLE_SUM(s, UPPER)
        LANES(t) { int64_t r = ROW(b, w, t); a->out[r] = (a->base[r] - IN_WARP(s) / a->a.diag[r]) / a->a.diag[r]; }
    }
}

CROWDED_SLICE_KERNEL(triangle_poisson_lower, struct triangle_args, 4)
{
    STAGE(double, window, a->in, b);
    PHASE(w) {
        TRIANGLE_SUM(s, LOWER)
        LANES(t) { int64_t r = ROW(b, w, t); a->out[r] = a->a.diag[r] * a->base[r] - IN_WARP(s); }
    }
}

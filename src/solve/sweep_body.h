/* sweep_body.h: kernels of sweep.cu in one precision (gpu/both_precisions.h). */

/* x at a column: on CUDA the slice's own part is in shared memory. */
#ifdef __CUDACC__
#define AT(c) ((c) < 0 ? window[-(c) - 1] : scaled ? inverse[(c) > 0 ? (c) - 1 : 0] * x[(c) > 0 ? (c) - 1 : 0]      \
                                                   : x[(c) > 0 ? (c) - 1 : 0])
#else
#define AT(c) (scaled ? inverse[COLUMN(b, c)] * x[COLUMN(b, c)] : x[COLUMN(b, c)])
#endif

ON_DEVICE void OF(sweep)(const struct sweep_args *a, int64_t b, const enum sweep_part part, const bool scaled)
{
    const real *inverse = (const real *)a->inverse, *val = (const real *)a->val, *x = (const real *)a->x;
    const real *right = (const real *)a->b, *y = (const real *)a->y, *y2 = (const real *)a->y2;
    const struct sweep_weights s = *a->weight;
    real *out = (real *)a->out;
#ifdef __CUDACC__
    __shared__ real window[SLICE];
    window[SLICE_LANE] = (scaled ? inverse[b * SLICE + SLICE_LANE] : (real)1) * x[b * SLICE + SLICE_LANE];
    __syncthreads();
#endif
    PHASE(w) {
        WARP_VAR(real, v);
        LANES(t) IN_WARP(v) = 0;
        for (int64_t k = a->first[b * WARPS + w]; k < a->end[b * WARPS + w]; k += WARP)
            LANES(t) {
                int32_t c = a->col[k + t], other = COLUMN(b, c), row = (int32_t)ROW(b, w, t);
                bool in = part == SWEEP_ALL || (part == SWEEP_LOWER ? other < row : other > row);
                IN_WARP(v) = FMA(in ? val[k + t] : (real)0, AT(c), IN_WARP(v));
            }
        LANES(t) {
            int64_t i = ROW(b, w, t);
            real at = scaled ? inverse[i] * x[i] : x[i];
            IN_WARP(v) = FMA(-(real)s.product * inverse[i], IN_WARP(v), (real)s.own * at);
        }
        if (right) LANES(t) { int64_t i = ROW(b, w, t); IN_WARP(v) = FMA((real)s.right * inverse[i], right[i], IN_WARP(v)); }
        if (y) LANES(t) IN_WARP(v) = FMA((real)s.y, y[ROW(b, w, t)], IN_WARP(v));
        if (y2) LANES(t) IN_WARP(v) = FMA((real)s.y2, y2[ROW(b, w, t)], IN_WARP(v));
        if (a->z) {
            double norm = a->norm2 && *a->norm2 > 0 ? sqrt(*a->norm2) : 1.0;
            LANES(t) a->z[ROW(b, w, t)] = norm * (double)IN_WARP(v);
        } else {
            LANES(t) out[ROW(b, w, t)] = IN_WARP(v);
        }
    }
}
#undef AT

REAL_KERNEL(OF(sweep_all), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_ALL, false); }
REAL_KERNEL(OF(sweep_lower), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_LOWER, false); }
REAL_KERNEL(OF(sweep_upper), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_UPPER, false); }
REAL_KERNEL(OF(sweep_scaled_all), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_ALL, true); }
REAL_KERNEL(OF(sweep_scaled_lower), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_LOWER, true); }
REAL_KERNEL(OF(sweep_scaled_upper), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_UPPER, true); }

REAL_KERNEL(OF(sweep_row_bound), struct sweep_bound_args, 2)
{
    const real *val = (const real *)a->val, *inverse = (const real *)a->inverse;
    SLICE_VAR(double, bound);
    PHASE(w) {
        WARP_VAR(real, v);
        LANES(t) IN_WARP(v) = 0;
        ENTRIES(*a, b, w, k) LANES(t) IN_WARP(v) += val[k + t] < 0 ? -val[k + t] : val[k + t];
        LANES(t) IN_SLICE(bound) = 1 + (double)(inverse[ROW(b, w, t)] * IN_WARP(v));
    }
    double largest = slice_max(bound);
    ONCE a->partial[b] = largest;
}

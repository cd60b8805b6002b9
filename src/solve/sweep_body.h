/* sweep_body.h: kernels of sweep.cu in one precision (gpu/both_precisions.h).  Whether an entry belongs to the part P
 * is a factor 0 or 1, computed arithmetically: from a condition the compiler would generate jumps, or a choice between
 * addresses, and would not vectorise. */
#define IS_LESS(i, j) ((uint32_t)((i) - (j)) >> 31)                         /* 1 or 0 */

/* x at a column. */
#define AT(c, i) FROM_WINDOW((c) < 0, window[-(c) - 1], scaled ? inverse[i] * x[i] : x[i])

/* halo: columns may belong to preceding ranks, for which PLACE_OF() would need a condition. */
ON_DEVICE void OF(sweep_of)(const struct sweep_args *a, int64_t b, const enum sweep_part part, const bool scaled,
                            const bool halo)
{
    const int32_t n_padded = (int32_t)a->p.n_padded, end_before = a->p.end_before;
    const real *inverse = (const real *)a->inverse, *val = (const real *)a->val, *x = (const real *)a->x;
    const real *right = (const real *)a->b, *y = (const real *)a->y, *y2 = (const real *)a->y2;
    const struct sweep_weights s = *a->weight;
    real *out = (real *)a->out;
    WINDOW(real, window, SLICE, lane,
           window[lane] = (scaled ? inverse[b * SLICE + lane] : (real)1) * x[b * SLICE + lane];)
    PHASE(w) {
        WARP_VAR(real, v);
        LANES(t) IN_WARP(v) = 0;
        for (int64_t k = a->first[b * WARPS + w]; k < a->end[b * WARPS + w]; k += WARP)
            LANES(t) {
                int32_t c = a->p.col[k + t], other = COLUMN(b, c), row = (int32_t)ROW(b, w, t);
                int32_t before = -(int32_t)(IS_LESS(n_padded - 1, other) & IS_LESS(other, end_before));
                int32_t at = halo ? other | before : other;
                real in = (real)(part == SWEEP_ALL     ? 1
                                 : part == SWEEP_LOWER ? IS_LESS(at, row)
                                                       : IS_LESS(row, at));
                IN_WARP(v) = FMA(in * val[k + t], AT(c, other), IN_WARP(v));
            }
        LANES(t) {
            int64_t i = ROW(b, w, t);
            real at = scaled ? inverse[i] * x[i] : x[i];
            IN_WARP(v) = FMA(-(real)s.product * inverse[i], IN_WARP(v), (real)s.own * at);
        }
        if (right)
            LANES(t) {
                int64_t i = ROW(b, w, t);
                IN_WARP(v) = FMA((real)s.right * inverse[i], right[i], IN_WARP(v));
            }
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

ON_DEVICE void OF(sweep)(const struct sweep_args *a, int64_t b, const enum sweep_part part, const bool scaled)
{
    if (a->p.halo && part != SWEEP_ALL) OF(sweep_of)(a, b, part, scaled, true);
    else OF(sweep_of)(a, b, part, scaled, false);
}

REAL_KERNEL(OF(sweep_all), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_ALL, false); }
REAL_KERNEL(OF(sweep_lower), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_LOWER, false); }
REAL_KERNEL(OF(sweep_upper), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_UPPER, false); }
REAL_KERNEL(OF(sweep_scaled_all), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_ALL, true); }
REAL_KERNEL(OF(sweep_scaled_lower), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_LOWER, true); }
REAL_KERNEL(OF(sweep_scaled_upper), struct sweep_args, 3) { OF(sweep)(a, b, SWEEP_UPPER, true); }

/* The steps on the slice's own rows: out = own x + right s + y y + y2 y2 - product D^-1 P x with s = D^-1 b. */
#define BUFFER(id) (buffer + ((id) == SWEEP_SCALED ? 0 : (id) - SWEEP_GUESS) * SLICE)
#define LANE (w * WARP + t)
ON_DEVICE void OF(slice_step)(const struct sweep_slices_args *a, int64_t b, const struct sweep_step *step,
                              const struct sweep_weights *weight, real *buffer)
{
    const real *val = (const real *)a->val, *inverse = (const real *)a->inverse, *x = BUFFER(step->x);
    real own = (real)weight->own, right = (real)weight->right, product = (real)weight->product;
    real *out = BUFFER(step->out);
    enum sweep_part part = step->part;
    const bool all = part == SWEEP_ALL, lower = part == SWEEP_LOWER;
    PHASE(w) {
        int64_t warp = b * WARPS + w, begin = part == SWEEP_UPPER ? a->upper_begin[warp] : a->p.warp_start[warp];
        int64_t end = part == SWEEP_NONE ? begin : part == SWEEP_LOWER ? a->lower_end[warp] : a->p.warp_start[warp + 1];
        WARP_VAR(real, v);
        LANES(t) IN_WARP(v) = 0;
        for (int64_t k = begin; k < end; k += WARP)
            LANES(t) {
                int32_t c = a->p.col[k + t], other = c < 0 ? -c - 1 : 0;
                uint32_t side = lower ? IS_LESS(other, LANE) : IS_LESS(LANE, other);
                real in = (real)(all ? IS_LESS(c, 0) : IS_LESS(c, 0) & side);
                IN_WARP(v) = FMA(in * val[k + t], x[other], IN_WARP(v));
            }
        LANES(t) IN_WARP(v) = FMA(-product * inverse[ROW(b, w, t)], IN_WARP(v), own * x[LANE]);
        if (step->right) LANES(t) IN_WARP(v) = FMA(right, buffer[LANE], IN_WARP(v));
        if (step->y != SWEEP_ABSENT) LANES(t) IN_WARP(v) = FMA((real)weight->y, BUFFER(step->y)[LANE], IN_WARP(v));
        if (step->y2 != SWEEP_ABSENT) LANES(t) IN_WARP(v) = FMA((real)weight->y2, BUFFER(step->y2)[LANE], IN_WARP(v));
        LANES(t) out[LANE] = IN_WARP(v);
    }
}

REAL_KERNEL(OF(sweep_slices), struct sweep_slices_args, 2)
{
    SHARED(real, buffer, (SWEEP_BUFFERS - SWEEP_GUESS) * SLICE);
    const real *val = (const real *)a->val, *inverse = (const real *)a->inverse, *x = (const real *)a->x;
    const real *right = (const real *)a->b;
    PHASE(w) {
        WARP_VAR(real, v);
        LANES(t) IN_WARP(v) = right[ROW(b, w, t)];
        if (x) ENTRIES(a->p, b, w, k) LANES(t) IN_WARP(v) = FMA(-val[k + t], x[COLUMN(b, a->p.col[k + t])], IN_WARP(v));
        LANES(t) buffer[LANE] = inverse[ROW(b, w, t)] * IN_WARP(v);
        if (x) LANES(t) buffer[LANE] -= x[ROW(b, w, t)];
    }
    for (int32_t k = 0; k < a->n; k++) OF(slice_step)(a, b, a->step + k, a->weight + k, buffer);
    double norm = a->norm2 && *a->norm2 > 0 ? sqrt(*a->norm2) : 1.0;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        real v = x ? x[i] + BUFFER(SWEEP_RESULT)[LANE] : BUFFER(SWEEP_RESULT)[LANE];
        if (a->z) a->z[i] = norm * (double)v;
        else ((real *)a->out)[i] = v;
    }
}
#undef BUFFER
#undef LANE

REAL_KERNEL(OF(sweep_row_bound), struct sweep_bound_args, 2)
{
    const real *val = (const real *)a->val, *inverse = (const real *)a->inverse;
    SLICE_VAR(double, bound);
    PHASE(w) {
        WARP_VAR(real, v);
        LANES(t) IN_WARP(v) = 0;
        ENTRIES(a->p, b, w, k) LANES(t) IN_WARP(v) += val[k + t] < 0 ? -val[k + t] : val[k + t];
        LANES(t) IN_SLICE(bound) = 1 + (double)(inverse[ROW(b, w, t)] * IN_WARP(v));
    }
    LARGEST_OF_SLICE(a->sums, 0, b, bound)
}
#undef IS_LESS

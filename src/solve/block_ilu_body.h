/* block_ilu_body.h: kernel bodies for block_ilu.cu (for_each_block.h). */
#define SQUARE (N * N)
#define PLACED(at, e) BLOCK_NUMBER(at, e, SQUARE)

/* ---------------------------------------------------------------- values */
ON_DEVICE void OF(fill_triangle)(const struct slice_triangle *to, const float *val, int64_t w)
{
    for (int64_t k = to->start[w]; k < to->start[w + 1]; k += WARP)
        for (int e = 0; e < SQUARE; e++)
            LANES(t) {
                int64_t from = to->from[k + t];
                const int number = ARROW ? ARROW_NUMBER(e, N) : e;
                to->val[k * SQUARE + e * WARP + t] =
                    from < 0 || number < 0 ? 0.0f : val[BLOCK_NUMBER((from < 0 ? 0 : from), number, NUMBERS)];
            }
}
BLOCK_WARP_KERNEL(OF(block_triangles), struct block_factor_args)
{
    OF(fill_triangle)(&a->s.lower, a->a.val, w);
    OF(fill_triangle)(&a->s.upper, a->a.val, w);
}

#if !ARROW
/* column: column c of d^-1 v, of the blocks of a row and of an entry. */
ON_DEVICE void OF(divided_column)(double column[N], const float *d, int64_t row, const float *v, int64_t at, int c)
{
    for (int r = 0; r < N; r++) {
        column[r] = 0;
        for (int k = 0; k < N; k++)
            column[r] = fma((double)d[PLACED(row, r * N + k)], (double)v[PLACED(at, k * N + c)], column[r]);
    }
}

/* d -= a_ij d_j^-1 a_ji; the entries of the two triangles are at ij and at ji. */
ON_DEVICE void OF(take_away)(double d[SQUARE], const struct block_factor_args *a, int64_t ij, int64_t j, int64_t ji)
{
    for (int c = 0; c < N; c++) {
        double column[N];
        OF(divided_column)(column, a->inverse, j, a->s.upper.val, ji, c);
        for (int r = 0; r < N; r++)
            for (int k = 0; k < N; k++)
                d[r * N + c] = fma(-(double)a->s.lower.val[PLACED(ij, r * N + k)], column[k], d[r * N + c]);
    }
}

BLOCK_SLICE_KERNEL(OF(block_factor), struct block_factor_args)
{
    const struct slice_triangle *lower = &a->s.lower, *upper = &a->s.upper;
    for (int32_t l = a->s.first[b]; l < a->s.first[b + 1] - 1; l++)
        PHASE(w) LANES(t) if (IN_LEVEL(a->s, l)) {
            const int64_t i = ROW(b, w, t), row = b * SLICE + a->s.order[i];
            double d[SQUARE], inverse[SQUARE];
            for (int e = 0; e < SQUARE; e++) d[e] = a->a.diag[PLACED(row, e)];
            for (int64_t k = lower->start[i / WARP] + t; k < lower->start[i / WARP + 1]; k += WARP) {
                const int64_t j = b * SLICE + lower->column[k];
                if (lower->from[k] < 0) continue;
                for (int64_t m = upper->start[j / WARP] + j % WARP; m < upper->start[j / WARP + 1]; m += WARP)
                    if (upper->column[m] == w * WARP + t && upper->from[m] >= 0) OF(take_away)(d, a, k, j, m);
            }
            invert_block(d, inverse, 0, N);
            for (int e = 0; e < SQUARE; e++) a->inverse[PLACED(i, e)] = (float)inverse[e];
        }
}

/* n -= a scaled block: s (d^-1 v); s NULL: the unit block. */
ON_DEVICE void OF(less_scaled)(double n[SQUARE], const double *s, const float *d, int64_t row, const float *v,
                               int64_t at)
{
    for (int c = 0; c < N; c++) {
        double column[N];
        OF(divided_column)(column, d, row, v, at, c);
        for (int r = 0; r < N; r++)
            if (!s) n[r * N + c] -= column[r];
            else for (int k = 0; k < N; k++) n[r * N + c] = fma(-s[r * N + k], column[k], n[r * N + c]);
    }
}

/* One row, entry by entry, outwards from its own position; sign 1: upwards (U), -1: downwards (L). */
ON_DEVICE void OF(approximate_row)(const struct block_factor_args *a, const struct slice_triangle *s, int64_t i,
                                   int sign)
{
    const int64_t base = i - i % SLICE, first = s->start[i / WARP] + i % WARP, end = s->start[i / WARP + 1];
    for (int32_t last = (int32_t)(i % SLICE);;) {
        int64_t next = -1;
        for (int64_t k = first; k < end; k += WARP)
            if (s->from[k] >= 0 && sign * (s->column[k] - last) > 0 &&
                (next < 0 || sign * (s->column[k] - s->column[next]) < 0)) next = k;
        if (next < 0) return;
        last = s->column[next];
        double n[SQUARE], other[SQUARE];
        for (int e = 0; e < SQUARE; e++) n[e] = 0;
        OF(less_scaled)(n, NULL, a->inverse, i, s->val, next);
        for (int64_t k = first; k < end; k += WARP) {
            const int64_t row = base + s->column[k];
            if (s->from[k] < 0 || sign * (last - s->column[k]) <= 0) continue;
            for (int64_t m = s->start[row / WARP] + row % WARP; m < s->start[row / WARP + 1]; m += WARP) {
                if (s->from[m] < 0 || s->column[m] != last) continue;
                for (int e = 0; e < SQUARE; e++) other[e] = s->approximate[PLACED(k, e)];
                OF(less_scaled)(n, other, a->inverse, row, s->val, m);
            }
        }
        for (int e = 0; e < SQUARE; e++) s->approximate[PLACED(next, e)] = (float)n[e];
    }
}
BLOCK_INDEX_KERNEL(OF(block_approximate), struct block_factor_args)
{
    OF(approximate_row)(a, &a->s.lower, i, -1);
    OF(approximate_row)(a, &a->s.upper, i, 1);
}
#endif

/* ---------------------------------------------------------------- smoothing */
/* One level of a triangle; lower: x = D^-1 (x - L x); upper: x -= D^-1 U x.  x: of the slice, by position.  On the CPU
 * all 32 rows of a warp are computed, and those of the level are kept. */
ON_DEVICE void OF(eliminate)(const struct block_ilu_args *a, const struct slice_triangle *s, int64_t b, int w,
                             int32_t l, int lower, float *x)
{
    const int64_t warp = b * WARPS + w;
    const float *inverse = a->s.inverse + warp * WARP * SQUARE;
    WARP_ARRAY(float, v, N);
    LANES_IF(t, IN_LEVEL(a->t, l)) {
        for (int u = 0; u < N; u++) LANES(t) IN_WARP_AT(v, u) = lower ? x[u * SLICE + w * WARP + t] : 0.0f;
        for (int64_t k = s->start[warp]; k < s->start[warp + 1]; k += WARP) {
            const float *val = s->val + k * SQUARE;
            for (int c = 0; c < N; c++) {
                WARP_VAR(float, xc);
                LANES(t) IN_WARP(xc) = x[c * SLICE + s->column[k + t]];
                for (int u = 0; u < N; u++)
                    LANES(t) IN_WARP_AT(v, u) = fmaf(-val[(u * N + c) * WARP + t], IN_WARP(xc), IN_WARP_AT(v, u));
            }
        }
        for (int u = 0; u < N; u++)
            LANES(t) {
                float sum = 0, before = x[u * SLICE + w * WARP + t];
                UNROLL for (int c = 0; c < N; c++) sum = fmaf(inverse[(u * N + c) * WARP + t], IN_WARP_AT(v, c), sum);
                x[u * SLICE + w * WARP + t] = !IN_LEVEL(a->t, l) ? before : lower ? sum : before + sum;
            }
    }
}

/* x = D^-1 x for a warp of positions. */
ON_DEVICE void OF(divide)(const struct block_ilu_args *a, int64_t b, int w, float *x)
{
    const float *inverse = a->s.inverse + (b * WARPS + w) * WARP * SQUARE;
    WARP_ARRAY(float, v, N);
    for (int u = 0; u < N; u++) LANES(t) IN_WARP_AT(v, u) = x[u * SLICE + w * WARP + t];
    for (int u = 0; u < N; u++)
        LANES(t) {
            float sum = 0;
            UNROLL for (int c = 0; c < N; c++) sum = fmaf(inverse[(u * N + c) * WARP + t], IN_WARP_AT(v, c), sum);
            x[u * SLICE + w * WARP + t] = sum;
        }
}

/* y = (I + N) x for a warp of positions. */
ON_DEVICE void OF(multiply)(const struct slice_triangle *s, int64_t b, int w, const float *x, float *y)
{
    const int64_t warp = b * WARPS + w;
    WARP_ARRAY(float, v, N);
    for (int u = 0; u < N; u++) LANES(t) IN_WARP_AT(v, u) = x[u * SLICE + w * WARP + t];
    for (int64_t k = s->start[warp]; k < s->start[warp + 1]; k += WARP) {
        const float *n = s->approximate + k * SQUARE;
        for (int c = 0; c < N; c++) {
            WARP_VAR(float, xc);
            LANES(t) IN_WARP(xc) = x[c * SLICE + s->column[k + t]];
            for (int u = 0; u < N; u++)
                LANES(t) IN_WARP_AT(v, u) = fmaf(n[(u * N + c) * WARP + t], IN_WARP(xc), IN_WARP_AT(v, u));
        }
    }
    for (int u = 0; u < N; u++) LANES(t) y[u * SLICE + w * WARP + t] = IN_WARP_AT(v, u);
}

/* solve: applies the triangles to x, by position, which contains the residual. */
#define SMOOTH(row_of, solve)                                                                                     \
    SHARED(float, x, N * SLICE);                                                                                  \
    const struct smooth_args *s = &a->s;                                                                          \
    PHASE(w) {                                                                                                    \
        const int64_t warp = b * WARPS + w;                                                                       \
        const float *diag = s->a.diag + warp * WARP * SQUARE;                                                     \
        WARP_ARRAY(float, v, N);                                                                                  \
        for (int u = 0; u < N; u++) LANES(t) IN_WARP_AT(v, u) = s->b[u * s->a.p.pitch + warp * WARP + t];         \
        for (int c = 0; c < N; c++) {                                                                             \
            WARP_VAR(float, from);                                                                                \
            LANES(t) {                                                                                            \
                int64_t at = row_of(warp * WARP + t);                                                             \
                IN_WARP(from) = at < 0 ? 0.0f : s->from[c * s->from_pitch + at];                                  \
            }                                                                                                     \
            for (int u = 0; u < N; u++)                                                                           \
                LANES(t) IN_WARP_AT(v, u) = fmaf(-diag[(u * N + c) * WARP + t], IN_WARP(from), IN_WARP_AT(v, u)); \
        }                                                                                                         \
        ADD_ENTRIES(s->a, warp, v, -, s->from, s->from_pitch, row_of)                                             \
        for (int u = 0; u < N; u++) LANES(t) x[u * SLICE + a->t.place[warp * WARP + t]] = IN_WARP_AT(v, u);       \
    }                                                                                                             \
    solve                                                                                                         \
    PHASE(w)                                                                                                      \
        for (int u = 0; u < N; u++)                                                                               \
            LANES(t) {                                                                                            \
                int64_t i = ROW(b, w, t), at = row_of(i);                                                         \
                float from = at < 0 ? 0.0f : s->from[u * s->from_pitch + at];                                     \
                s->to[u * s->a.p.pitch + i] = fmaf(s->omega, x[u * SLICE + a->t.place[i]], from);                 \
            }
#define PARENT(j) s->parent[j]

#define BY_ELIMINATION                                                                                       \
    const int32_t first = a->t.first[b], end = a->t.first[b + 1] - 1;                                        \
    for (int32_t l = first; l < end; l++)                                                                    \
        PHASE(w) if (MEETS_LEVEL(a->t, l)) OF(eliminate)(a, &a->t.lower, b, w, l, 1, x);                     \
    for (int32_t l = end - 2; l >= first; l--)                                                               \
        PHASE(w) if (MEETS_LEVEL(a->t, l)) OF(eliminate)(a, &a->t.upper, b, w, l, 0, x);
#define BY_PRODUCTS                                                                                          \
    SHARED(float, y, N * SLICE);                                                                             \
    PHASE(w) OF(divide)(a, b, w, x);                                                                         \
    PHASE(w) OF(multiply)(&a->t.lower, b, w, x, y);                                                          \
    PHASE(w) OF(multiply)(&a->t.upper, b, w, y, x);

BLOCK_SLICE_KERNEL(OF(block_ilu), struct block_ilu_args) { SMOOTH(ITSELF, BY_ELIMINATION) }
BLOCK_SLICE_KERNEL(OF(block_ilu_prolonged), struct block_ilu_args) { SMOOTH(PARENT, BY_ELIMINATION) }
BLOCK_SLICE_KERNEL(OF(block_isai), struct block_ilu_args) { SMOOTH(ITSELF, BY_PRODUCTS) }
BLOCK_SLICE_KERNEL(OF(block_isai_prolonged), struct block_ilu_args) { SMOOTH(PARENT, BY_PRODUCTS) }

#undef SQUARE
#undef PLACED
#undef SMOOTH
#undef BY_ELIMINATION
#undef BY_PRODUCTS
#undef PARENT

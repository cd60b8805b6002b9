/* block_multigrid_body.h: kernel bodies of multigrid on blocks of N x N numbers, for block_multigrid.cu
 * (for_each_block.h). How entries are stored: block_row.h. */
#define SQUARE (N * N)
#define OWN(w, t) ((w) * WARP + (t))

/* ---------------------------------------------------------------- values */
#define PLACED(at, e) BLOCK_NUMBER(at, e, SQUARE)
#define ENTRY(at, e) BLOCK_NUMBER(at, e, NUMBERS)
/* The number of an entry that number e of a whole block is: here sum[OF_WHOLE(e)], or 0. */
#define OF_WHOLE(e) (ARROW ? ARROW_NUMBER(e, N) : (e))

#if !ARROW
/* Number by number: the sums of all of them would not fit into a lane's registers. */
BLOCK_WARP_KERNEL(OF(block_copy), struct block_copy_args)
{
    const int64_t own = w * WARP * SQUARE;
    for (int e = 0; e < SQUARE; e++) {
        WARP_VAR(double, excess);
        WARP_VAR(double, entries);
        LANES(t) { IN_WARP(excess) = a->from.diag[own + e * WARP + t]; IN_WARP(entries) = 0; }
        ENTRIES(a->from.p, 0, w, k)
            LANES(t) {
                double v = a->from.val[k * SQUARE + e * WARP + t];
                float single = (float)v;
                IN_WARP(excess) += v;
                IN_WARP(entries) += single;
                a->to.val[k * SQUARE + e * WARP + t] = single;
            }
        LANES(t) {
            a->to.excess[own + e * WARP + t] = (float)IN_WARP(excess);
            a->to.diag[own + e * WARP + t] = (float)(IN_WARP(excess) - IN_WARP(entries));
        }
    }
}

#endif

BLOCK_INDEX_KERNEL(OF(block_sum), struct block_sum_args)
{
    int64_t first = a->coarse.p.warp_start[i / WARP] + i % WARP, to = first - WARP,
            end = a->g.source_start[i / WARP + 1];
    double sums[NUMBERS];
    float sum[NUMBERS];
    for (int e = 0; e < NUMBERS; e++) sum[e] = 0, sums[e] = 0;
    for (int64_t k = a->g.source_start[i / WARP] + i % WARP; k < end; k += WARP) {
        uint32_t s = a->g.source[k];
        if (s == SOURCE_NONE) break;
        if (s & SOURCE_NEXT) {
            if (to >= first) for (int e = 0; e < NUMBERS; e++) a->coarse.val[ENTRY(to, e)] = sum[e];
            to += WARP;
            for (int e = 0; e < NUMBERS; e++) sums[e] += sum[e], sum[e] = 0;
        }
        int64_t from = s & ~SOURCE_NEXT;
        for (int e = 0; e < NUMBERS; e++) sum[e] += a->fine.val[ENTRY(from, e)];
    }
    if (to >= first) for (int e = 0; e < NUMBERS; e++) a->coarse.val[ENTRY(to, e)] = sum[e];
    UNROLL for (int e = 0; e < SQUARE; e++) {
        const int k = OF_WHOLE(e);
        double excess = i < a->coarse.p.n ? 0 : e % (N + 1) == 0;
        for (int32_t m = a->g.child_start[i]; m < a->g.child_start[i + 1]; m++)
            excess += a->fine.excess[PLACED((int64_t)a->g.child[m], e)];
        a->coarse.excess[PLACED(i, e)] = (float)excess;
        a->coarse.diag[PLACED(i, e)] = (float)(excess - (k < 0 ? 0 : sums[k] + sum[k]));
    }
}

#if !ARROW
BLOCK_INDEX_KERNEL(OF(block_invert), struct block_invert_args)
{
    double d[SQUARE], inverse[SQUARE];
    for (int e = 0; e < SQUARE; e++) d[e] = a->diag[PLACED(i, e)];
    invert_block(d, inverse, N);
    for (int e = 0; e < SQUARE; e++) a->inverse[PLACED(i, e)] = (float)inverse[e];
}

/* ---------------------------------------------------------------- the cycle */
BLOCK_WARP_KERNEL(OF(block_begin), struct block_convert_args)
{
    double norm2 = a->norm2 ? *a->norm2 : 0, scale = norm2 > 0 ? 1 / sqrt(norm2) : 1.0;
    for (int u = 0; u < N; u++)
        LANES(t) a->b[u * a->pitch + OWN(w, t)] = (float)(scale * a->r[u * a->pitch + OWN(w, t)]);
}

BLOCK_WARP_KERNEL(OF(block_end), struct block_convert_args)
{
    double norm2 = a->norm2 ? *a->norm2 : 0, scale = norm2 > 0 ? sqrt(norm2) : 1.0;
    for (int u = 0; u < N; u++)
        LANES(t) a->z[u * a->pitch + OWN(w, t)] = scale * a->x[u * a->pitch + OWN(w, t)];
}

BLOCK_INDEX_KERNEL(OF(block_restrict), struct block_restrict_args)
{
    double length = a->sums ? gcr_length(a->sums) : 1.0;
    for (int u = 0; u < N; u++) {
        float all = 0;
        for (int32_t m = a->child_start[i]; m < a->child_start[i + 1]; m++) {
            int64_t at = u * a->pitch + a->child[m];
            float v = a->b[at];
            if (a->w) a->b[at] = v = (float)fma(-length, (double)a->w[at], (double)v);
            all += v;
        }
        a->coarse_b[u * a->coarse_pitch + i] = all;
    }
}
#endif

#define PARENT(j) parent[j]
/* x += omega D^-1 (b - A x) = (1 - omega) x + omega D^-1 (b - the rest of the row), for warp w of all.  parent: where
 * `from` has row j, or NULL: at j. */
ON_DEVICE void OF(smooth_warp)(const struct level_matrix *m, const float *d, const float *b, const float *from,
                               int64_t from_pitch, const int32_t *parent, float omega, float *to, int64_t w)
{
    const int64_t pitch = m->p.pitch;
    const float *inverse = d + w * WARP * SQUARE, rest = 1 - omega;
    WARP_ARRAY(float, s, N);
    for (int u = 0; u < N; u++) LANES(t) IN_WARP_AT(s, u) = b[u * pitch + OWN(w, t)];
    if (parent) ADD_ENTRIES(*m, w, s, -, from, from_pitch, PARENT)
    else ADD_ENTRIES(*m, w, s, -, from, from_pitch, ITSELF)
    for (int i = 0; i < N; i++)
        LANES(t) {
            float x = 0;
            int64_t at = parent ? PARENT(OWN(w, t)) : OWN(w, t);
            UNROLL for (int u = 0; u < N; u++) x = fmaf(inverse[(i * N + u) * WARP + t], IN_WARP_AT(s, u), x);
            to[i * pitch + OWN(w, t)] = fmaf(omega, x, at < 0 ? 0.0f : rest * from[i * from_pitch + at]);
        }
}

#define SMOOTH(parent) \
    OF(smooth_warp)(&a->a, a->inverse, a->b, a->from, a->from_pitch, parent, a->omega, a->to, w);
BLOCK_WARP_KERNEL(OF(block_smooth), struct block_smooth_args) { SMOOTH(NULL) }
BLOCK_WARP_KERNEL(OF(block_smooth_prolonged), struct block_smooth_args) { SMOOTH(a->parent) }

/* Rows are few here, so padding is left alone: its right-hand side and its entries are zero already. */
BLOCK_SLICE_KERNEL(OF(block_bottom), struct block_bottom_args)
{
    (void)b;
    for (int l = 0; l + 1 < a->n_levels; l++) {
        const struct block_bottom_level *fine = &a->level[l], *coarse = &a->level[l + 1];
        PHASE(w) LANES(t) {
            const int64_t i = OWN(w, t);
            for (int u = 0; u < N && i < coarse->a.p.n; u++) {
                float all = 0;
                for (int32_t m = fine->child_start[i]; m < fine->child_start[i + 1]; m++)
                    all += fine->b[u * fine->a.p.pitch + fine->child[m]];
                coarse->b[u * coarse->a.p.pitch + i] = all;
            }
        }
    }
    dense_solve(&a->last);
    for (int l = a->n_levels - 2; l >= 0; l--) {
        const struct block_bottom_level *own = &a->level[l];
        const float *from = own[1].x;
        for (int k = a->smoothings; k > 0; k--) {
            float *to = k % 2 ? own->x : own->t;
            const bool first = k == a->smoothings;
            PHASE(w) if (w * WARP < own->a.p.n)
                OF(smooth_warp)(&own->a, own->inverse, own->b, from, first ? own[1].a.p.pitch : own->a.p.pitch,
                                first ? own->parent : NULL, a->omega, to, w);
            from = to;
        }
    }
}

BLOCK_SLICE_KERNEL(OF(block_gcr_product), struct block_gcr_args)
{
    const int64_t pitch = a->a.p.pitch;
    const float *x = a->second ? a->x : a->first;
    SLICE_VAR(double, vv);
    SLICE_VAR(double, vb);
    SLICE_VAR(double, vw);
    PHASE(w) {
        const int64_t warp = b * WARPS + w;
        const float *diag = a->a.diag + warp * WARP * SQUARE;
        WARP_ARRAY(float, v, N);
        for (int i = 0; i < N; i++) LANES(t) IN_WARP_AT(v, i) = 0;
        for (int u = 0; u < N; u++)
            for (int i = 0; i < N; i++)
                LANES(t) {
                    const float own = x[u * pitch + OWN(warp, t)];
                    IN_WARP_AT(v, i) = fmaf(diag[(i * N + u) * WARP + t], own, IN_WARP_AT(v, i));
                }
        ADD_ENTRIES(a->a, warp, v, , x, pitch, ITSELF)
        LANES(t) { IN_SLICE(vv) = 0; IN_SLICE(vb) = 0; IN_SLICE(vw) = 0; }
        for (int i = 0; i < N; i++)
            LANES(t) {
                int64_t at = i * pitch + OWN(warp, t);
                double own = IN_WARP_AT(v, i);
                IN_SLICE(vv) += own * own;
                IN_SLICE(vb) += own * a->b[at];
                IN_SLICE(vw) += a->second ? own * a->w[at] : 0.0;
                if (!a->second) a->w[at] = IN_WARP_AT(v, i);
            }
    }
    SUM_OF_SLICE(a->sums[a->second], GCR_VV, b, vv)
    SUM_OF_SLICE(a->sums[a->second], GCR_VB, b, vb)
    if (a->second) SUM_OF_SLICE(a->sums[1], GCR_VW, b, vw)
}

#if !ARROW
BLOCK_WARP_KERNEL(OF(block_gcr_combine), struct block_gcr_args)
{
    const int64_t pitch = a->a.p.pitch;
    const double *one = a->sums[0].total, *two = a->sums[1].total;
    double gamma = one[GCR_VV] > 0 ? two[GCR_VW] / one[GCR_VV] : 0, rest = two[GCR_VV] - gamma * two[GCR_VW];
    double first = gcr_length(one), second = rest > 1e-10 * two[GCR_VV] ? two[GCR_VB] / rest : 0;
    if (a->unit) first = second = 1, gamma = 0;
    for (int u = 0; u < N; u++)
        LANES(t) {
            int64_t at = u * pitch + OWN(w, t);
            a->x[at] = (float)fma(first - gamma * second, (double)a->first[at], second * a->x[at]);
        }
}
#endif

#undef SQUARE
#undef OWN
#undef PLACED
#undef ENTRY
#undef OF_WHOLE
#undef SMOOTH
#undef PARENT

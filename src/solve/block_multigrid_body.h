/* block_multigrid_body.h: kernel bodies of multigrid on blocks of N x N numbers, for block_multigrid.cu
 * (for_each_block.h). How entries are stored: block_row.h. */
#define SQUARE (N * N)
#define OWN(w, t) ((w) * WARP + (t))

/* ---------------------------------------------------------------- values */
#define PLACED(at, e) BLOCK_NUMBER(at, e, SQUARE)
#define ENTRY(at, e) BLOCK_NUMBER(at, e, NUMBERS)
/* Index into an entry's stored numbers of number e of a full block: here sum[OF_WHOLE(e)], or 0. */
#define OF_WHOLE(e) (ARROW ? ARROW_NUMBER(e, N) : (e))

#if !ARROW
/* Number by number, because the sums of all of them would not fit into a lane's registers. */
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
    invert_block(d, inverse, 0, N);
    for (int e = 0; e < SQUARE; e++) a->inverse[PLACED(i, e)] = (float)inverse[e];
}
#endif

BLOCK_INDEX_KERNEL(OF(block_damp), struct block_damp_args)
{
    const int64_t end = a->a.p.warp_start[i / WARP + 1];
    float row[N], column[N];
    double coupling = 0;
    for (int u = 0; u < N; u++) row[u] = column[u] = 0;
    for (int64_t k = a->a.p.warp_start[i / WARP] + i % WARP; k < end; k += WARP)
        for (int u = 0; u < N - 1; u++) {
            row[u] += fabsf(a->a.val[ENTRY(k, ARROW ? 1 + u : (N - 1) * N + u)]);
            column[u] += fabsf(a->a.val[ENTRY(k, ARROW ? 1 + u : u * N + N - 1)]);
        }
    for (int u = 0; u < N - 1; u++)
        coupling += fabs((double)row[u] / a->a.diag[PLACED(i, SQUARE - 1)] * column[u] /
                         a->a.diag[PLACED(i, u * (N + 1))]);
    const float own = (float)(1 / (1 + coupling));
    a->damping[i] = own < a->most ? own : a->most;
}

/* ---------------------------------------------------------------- the cycle */
#define EITHER(j) (prolonged ? s->parent[j] : (j))
/* x += omega D^-1 (b - A x) = (1 - omega) x + omega D^-1 (b - the rest of the row), for warp w; omega: the row's
 * damping. */
ON_DEVICE void OF(smooth_warp)(const struct smooth_args *s, int64_t w, const bool prolonged, const int32_t awaited)
{
    const int64_t pitch = s->a.p.pitch;
    const float *inverse = s->inverse + w * WARP * SQUARE, *omega = s->damping + w * WARP;
    WARP_VAR(int32_t, own);
    WARP_ARRAY(float, r, N);
    KEEP_ROWS(row, s->a, w, EITHER)
    LANES(t) IN_WARP(own) = EITHER(OWN(w, t));
    wait_for_slices(awaited);
    if (w * WARP >= s->a.p.n) return;   /* padding: its right-hand side and solution are zero already */
    for (int u = 0; u < N; u++) LANES(t) IN_WARP_AT(r, u) = s->b[u * pitch + OWN(w, t)];
    ADD_KEPT_ENTRIES(row, s->a, w, r, -, s->from, s->from_pitch, EITHER)
    for (int i = 0; i < N; i++)
        LANES(t) {
            float x = 0;
            UNROLL for (int u = 0; u < N; u++) x = fmaf(inverse[(i * N + u) * WARP + t], IN_WARP_AT(r, u), x);
            const float rest = IN_WARP(own) < 0 ? 0.0f : (1 - omega[t]) * s->from[i * s->from_pitch + IN_WARP(own)];
            s->to[i * pitch + OWN(w, t)] = fmaf(omega[t], x, rest);
        }
}
BLOCK_WARP_KERNEL(OF(block_smooth), struct smooth_args) { OF(smooth_warp)(a, w, false, 0); }
BLOCK_WARP_KERNEL(OF(block_smooth_prolonged), struct smooth_args) { OF(smooth_warp)(a, w, true, 0); }

ON_DEVICE void OF(smooth_slice)(const struct smooth_args *s, int64_t b, const bool prolonged, const int32_t awaited)
{
    EACH_WARP(w) OF(smooth_warp)(s, b * WARPS + w, prolonged, awaited);
}

ON_DEVICE void OF(product_of_slice)(const struct krylov_args *a, int64_t b, const int32_t awaited)
{
    SLICE_ARRAY(double, with, K_SUMS);
    const int64_t pitch = a->a.p.pitch;
    const float *x = a->second ? a->x : a->first;
    EACH_WARP(w) {
        const int64_t warp = b * WARPS + w;
        const float *diag = a->a.diag + warp * WARP * SQUARE;
        WARP_ARRAY(float, v, N);
        KEEP_ROWS(row, a->a, warp, ITSELF)
        wait_for_slices(awaited);
        for (int i = 0; i < N; i++) LANES(t) IN_WARP_AT(v, i) = 0;
        for (int u = 0; u < N; u++)
            for (int i = 0; i < N; i++)
                LANES(t) {
                    const float own = x[u * pitch + OWN(warp, t)];
                    IN_WARP_AT(v, i) = fmaf(diag[(i * N + u) * WARP + t], own, IN_WARP_AT(v, i));
                }
        ADD_KEPT_ENTRIES(row, a->a, warp, v, , x, pitch, ITSELF)
        LANES(t) { IN_SLICE_AT(with, K_XV) = 0; IN_SLICE_AT(with, K_XB) = 0; IN_SLICE_AT(with, K_XW) = 0; }
        for (int i = 0; i < N; i++)
            LANES(t) {
                int64_t at = i * pitch + OWN(warp, t);
                double own = IN_WARP_AT(v, i);
                IN_SLICE_AT(with, K_XV) += own * own;
                IN_SLICE_AT(with, K_XB) += own * a->down.b[at];
                IN_SLICE_AT(with, K_XW) += a->second ? own * a->w[at] : 0.0;
                if (!a->second) a->w[at] = IN_WARP_AT(v, i);
            }
    }
    if (a->second) SUMS_OF_SLICE(a->sums[0], K_SUMS, b, with)
    else SUMS_OF_SLICE(a->sums[0], K_XW, b, with)
}
BLOCK_SLICE_KERNEL(OF(block_krylov_product), struct krylov_args) { OF(product_of_slice)(a, b, 0); }

#if !ARROW
BLOCK_SLICE_KERNEL(OF(block_krylov_restrict), struct krylov_args) { krylov_restrict(a, N, b, 0); }
BLOCK_SLICE_KERNEL(OF(block_krylov_combine), struct krylov_args) { krylov_combine(a, N, b, 0); }
#endif

#include "solve/multigrid_steps_body.h"

#undef SQUARE
#undef OWN
#undef PLACED
#undef ENTRY
#undef OF_WHOLE
#undef EITHER

/* Block-Jacobi smoothing of a multigrid level (Wikberg 2024, section 4.3): the part of the other slices is taken off
 * the right-hand side once, then every slice's own system is swept over.  On CUDA the first entries of a row stay in
 * registers from the first sweep to the last and the others are read again; on the CPU all are read again, from the
 * cache. */
#include "solve/cycle_begin.h"
#include "solve/pattern_row.h"
#include "solve/multigrid_kernels.h"

#define LANE (w * WARP + t)
#ifdef __CUDACC__
#define LOCAL_COLUMN(c) ((c) < 0 ? -(c) - 1 : 0)
#define LOCAL_VALUE(c, v) ((c) < 0 ? (v) : 0.0f)
#else
/* Column and value of a local entry, else 0; minus the value of one that is not local, else 0; the row of either.  Not
 * by comparisons, of which the compiler makes branches: then it does not vectorise. */
#define IF_LOCAL(c) ((c) >> 31)                         /* all bits set, or none */
#define IF_GLOBAL(c) (-(c) >> 31)
#define LOCAL_COLUMN(c) (IF_LOCAL(c) & ~(c))
#define LOCAL_VALUE(c, v) ((float)-IF_LOCAL(c) * (v))
#define MINUS_GLOBAL_VALUE(c, v) ((float)IF_GLOBAL(c) * (v))
#define EITHER_ROW(b, c) ((IF_LOCAL(c) & ((int32_t)((b) * SLICE) + ~(c))) | (IF_GLOBAL(c) & ((c) - 1)))
#endif
/* The guess at row j of the level, a row of another slice. */
#define ELSEWHERE(j) (prolonged ? s->factor * from[s->parent[j]] : from[j])

/* Entries of a row that stay in registers: few where many slices must share a multiprocessor, nearly all where a
 * level has a slice or two for each of them (FEW_SLICES) and waiting for memory is all that counts. */
#define FEW_KEPT 6
#define MOST_KEPT 32

#ifdef __CUDACC__
#define KEPT_ENTRIES(k) int32_t k##_col[MOST_KEPT]; float k##_val[MOST_KEPT]; int64_t k##_start; int32_t k##_n;
#define EACH_KEPT(e, kept) _Pragma("unroll") for (int e = 0; e < MOST_KEPT; e++) if (e < (kept))
/* Loads entry first + e of the lane's row; a zero where the row has no more than n. */
#define LOAD(cols, vals, e, a, start, first, n)                                                              \
    cols[e] = (first) + e < (n) ? (a).p.col[(start) + ((first) + e) * WARP + t] : 0;                         \
    vals[e] = (first) + e < (n) ? (a).val[(start) + ((first) + e) * WARP + t] : 0.0f;
/* Loops over the entries behind those that are kept, four loads at a time. */
#define OTHERS(k, kept, a, c, v, body)                                                                       \
    for (int first = (kept); first < k##_n; first += 4) {                                                    \
        int32_t cols[4];                                                                                     \
        float vals[4];                                                                                       \
        _Pragma("unroll") for (int e = 0; e < 4; e++) { LOAD(cols, vals, e, a, k##_start, first, k##_n) }    \
        _Pragma("unroll") for (int e = 0; e < 4; e++) { int32_t c = cols[e]; float v = vals[e]; body }       \
    }
/* r -= the entries to other slices times the guess there; sum += the local entries times x; the local ones are kept. */
#define FIRST_PASS(k, kept, a, b, w, r, sum, x)                                                              \
    k##_start = (a).p.warp_start[(b) * WARPS + (w)];                                                         \
    k##_n = (int32_t)((a).p.warp_start[(b) * WARPS + (w) + 1] - k##_start) / WARP;                           \
    LANES(t) {                                                                                               \
        EACH_KEPT(e, kept) { LOAD(k##_col, k##_val, e, a, k##_start, 0, k##_n) }                             \
        EACH_KEPT(e, kept) {                                                                                 \
            int32_t c = k##_col[e];                                                                          \
            float v = k##_val[e];                                                                            \
            if (c > 0) r = fmaf(-v, ELSEWHERE(c - 1), r);                                                    \
            k##_col[e] = LOCAL_COLUMN(c), k##_val[e] = LOCAL_VALUE(c, v);                                    \
            sum = fmaf(k##_val[e], (x)[k##_col[e]], sum);                                                    \
        }                                                                                                    \
        OTHERS(k, kept, a, c, v, {                                                                           \
            if (c > 0) r = fmaf(-v, ELSEWHERE(c - 1), r);                                                    \
            sum = fmaf(LOCAL_VALUE(c, v), (x)[LOCAL_COLUMN(c)], sum);                                        \
        })                                                                                                   \
    }
/* sum += the local entries times x. */
#define LOCAL_PASS(k, kept, a, b, w, sum, x)                                                                 \
    LANES(t) {                                                                                               \
        EACH_KEPT(e, kept) sum = fmaf(k##_val[e], (x)[k##_col[e]], sum);                                     \
        OTHERS(k, kept, a, c, v, { sum = fmaf(LOCAL_VALUE(c, v), (x)[LOCAL_COLUMN(c)], sum); })              \
    }
#define UNROLLED _Pragma("unroll")
#else
#define KEPT_ENTRIES(k)
#define FIRST_PASS(k, kept, a, b, w, r, sum, x)                                                              \
    ENTRIES((a).p, b, w, at)                                                                                 \
        LANES(t) {                                                                                           \
            int32_t c = (a).p.col[at + t];                                                                   \
            float v = (a).val[at + t], there = ELSEWHERE(EITHER_ROW(b, c));                                  \
            r = fmaf(MINUS_GLOBAL_VALUE(c, v), there, r);                                                    \
            sum = fmaf(LOCAL_VALUE(c, v), there, sum);                                                       \
        }
#define LOCAL_PASS(k, kept, a, b, w, sum, x)                                                                 \
    ENTRIES((a).p, b, w, at)                                                                                 \
        LANES(t) {                                                                                           \
            int32_t c = (a).p.col[at + t];                                                                   \
            float v = (a).val[at + t];                                                                       \
            sum = fmaf(LOCAL_VALUE(c, v), (x)[LOCAL_COLUMN(c)], sum);                                        \
        }
#define UNROLLED _Pragma("GCC unroll 8")
#endif

/* Sweeps x += omega D^-1 (r - A x), omega being the roots of a Chebyshev polynomial: for four sweeps on [2/6, 2], for
 * eight on [2/20, 2].  D^-1 A has its eigenvalues in (0, 2) for a diagonally dominant matrix.  Measured: four against
 * three of omega = 0.9: a fifth fewer iterations where cells are stretched, as many elsewhere; eight against four:
 * there a tenth fewer again, for sweeps that take a CPU longer. */
#define PICK4(k, a, b, c, d) ((k) == 0 ? (a) : (k) == 1 ? (b) : (k) == 2 ? (c) : (d))
ON_DEVICE float sweep_weight(const int sweeps, int sweep)
{
    return sweeps == FEW_SWEEPS ? PICK4(sweep, 2.520370f, 1.179574f, 0.673143f, 0.516378f)
           : sweep < 4          ? PICK4(sweep, 8.456375f, 3.844618f, 1.914945f, 1.156518f)
                                : PICK4(sweep - 4, 0.809496f, 0.633797f, 0.543509f, 0.504606f);
}

/* One sweep of a row, s being the sum over its local entries. */
ON_DEVICE float swept(float omega, float x, float r, float s, float inverse)
{
    return fmaf(omega * inverse, r - s, (1 - omega) * x);
}

ON_DEVICE void smooth_by(const int sweeps, const struct smooth_args *s, int64_t b, const bool prolonged,
                         const int kept)
{
    const struct level_matrix *a = &s->a;
    const float *from = s->from;
    SHARED(float, x, 2 * SLICE);                        /* before a sweep and after it, in turn */
    SLICE_VAR(float, r);
    SLICE_VAR(float, inverse);
    KEPT_ENTRIES(row)
    (void)kept;
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        int32_t p = prolonged ? s->parent[i] : 0;
        x[LANE] = !prolonged ? from[i] : p < 0 ? 0.0f : s->factor * from[p];
        IN_SLICE(inverse) = 1 / a->diag[i];
        IN_SLICE(r) = s->b[i];
    }
    PHASE(w) {
        WARP_VAR(float, sum);
        LANES(t) IN_WARP(sum) = 0;
        FIRST_PASS(row, kept, *a, b, w, IN_SLICE(r), IN_WARP(sum), x)
        const float omega = sweep_weight(sweeps, 0);
        LANES(t) x[SLICE + LANE] = swept(omega, x[LANE], IN_SLICE(r), IN_WARP(sum), IN_SLICE(inverse));
    }
    UNROLLED for (int sweep = 1; sweep < sweeps; sweep++) {
        const float omega = sweep_weight(sweeps, sweep), *old = x + (sweep % 2) * SLICE;
        float *next = x + (1 - sweep % 2) * SLICE;
        PHASE(w) {
            WARP_VAR(float, sum);
            LANES(t) IN_WARP(sum) = 0;
            LOCAL_PASS(row, kept, *a, b, w, IN_WARP(sum), old)
            LANES(t) {
                float after = swept(omega, old[LANE], IN_SLICE(r), IN_WARP(sum), IN_SLICE(inverse));
                if (sweep < sweeps - 1) next[LANE] = after;
                else s->to[ROW(b, w, t)] = after;
            }
        }
    }
}

/* The number of sweeps is a constant in either: so their loop unrolls. */
ON_DEVICE void smoothing(const struct smooth_args *s, int64_t b, const bool prolonged, const int kept)
{
    if (s->sweeps == FEW_SWEEPS) smooth_by(FEW_SWEEPS, s, b, prolonged, kept);
    else smooth_by(MOST_SWEEPS, s, b, prolonged, kept);
}

INDEX_KERNEL(multigrid_prolong, struct smooth_args)
{
    a->to[i] = a->parent[i] < 0 ? 0.0f : a->factor * a->from[a->parent[i]];
}

CROWDED_SLICE_KERNEL(multigrid_smooth, struct smooth_args, 3) { smoothing(a, b, false, FEW_KEPT); }
CROWDED_SLICE_KERNEL(multigrid_smooth_prolonged, struct smooth_args, 3) { smoothing(a, b, true, FEW_KEPT); }
SLICE_KERNEL(multigrid_smooth_few, struct smooth_args) { smoothing(a, b, false, MOST_KEPT); }
SLICE_KERNEL(multigrid_smooth_prolonged_few, struct smooth_args) { smoothing(a, b, true, MOST_KEPT); }

ON_DEVICE void last_level(const struct dense_args *a)
{
    int32_t n = a->a.p.n;
    PHASE(w) LANES(t) {
        double sum = 0;
        if (LANE < n) for (int32_t j = 0; j < n; j++) sum = fma((double)a->inverse[j * n + LANE], (double)a->b[j], sum);
        a->x[LANE] = (float)sum;
    }
}

SLICE_KERNEL(multigrid_bottom_cycle, struct bottom_args)
{
    SHARED(float, sum, SLICE);
    (void)b;
    for (int i = 0; i < a->n; i++) {
        PHASE(w) LANES(t) sum[a->down[i].place[LANE]] = a->down[i].b[LANE];
        restrict_slice(&a->down[i], 0, sum);
    }
    last_level(&a->dense);
    for (int i = a->n - 1; i >= 0; i--) {
        smoothing(&a->up[i], 0, true, MOST_KEPT);
        if (a->again[i].to) smoothing(&a->again[i], 0, false, MOST_KEPT);
    }
}

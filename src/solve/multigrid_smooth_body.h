/* multigrid_smooth_body.h: for kernel bodies: block-Jacobi smoothing of a multigrid level (Wikberg 2024, section 4.3):
 * the other slices' contributions are subtracted from the right-hand side once, then each slice's own system is swept
 * several times.  On CUDA the first entries of a row stay in registers from the first sweep to the last and the others
 * are read again; on the CPU all are read again, from the cache. */
#ifndef POISE_MULTIGRID_SMOOTH_BODY_H
#define POISE_MULTIGRID_SMOOTH_BODY_H
#include "gpu/kept_entries.h"
#include "solve/multigrid_kernels.h"

/* Column and value of a local entry, else 0. */
#define LOCAL_COLUMN(c) IF_NEGATIVE(c, ~(c))
#define LOCAL_VALUE(c, v) TIMES_IF_NEGATIVE(c, v)
/* The guess at a row with this parent, -1 in the padding. */
ON_DEVICE float guess_of(const struct smooth_args *s, int32_t parent)
{
    return parent < 0 ? 0.0f : s->factor * s->from[parent];
}
/* The guess at row j of the level, a row of another slice. */
#define ELSEWHERE(j) (prolonged ? s->factor * from[s->parent[j]] : from[j])

/* Replaces column codes of other slices' rows by those of their parents, in the registers. */
#define FIND_PARENTS(k, kept) CHANGE_KEPT(k, kept, c, v, if (c > 0) c = s->parent[c - 1] + 1;)
/* r -= the entries to other slices times the guess there; sum += the local entries times x; entries in registers are
 * replaced by the local ones and zeros.  Branch-free: minus the value of a nonlocal entry, else 0, and one row for
 * either, whose guess is that in x. */
#define ALL_BITS_IF_GLOBAL(c) (-(c) >> 31)
#define EITHER_ROW(b, c)                                                                                     \
    (IF_NEGATIVE(c, (int32_t)((b) * SLICE) + ~(c)) | (ALL_BITS_IF_GLOBAL(c) & ((c) - 1)))
#define FIRST_PASS(k, kept, a, b, w, r, sum, x)                                                              \
    KEPT_AND_OTHERS(k, kept, 4, a, b, w, c, v, {                                                             \
        if (c > 0) r = fmaf(-v, prolonged ? s->factor * from[c - 1] : from[c - 1], r);                       \
        const int32_t code = c;                                                                              \
        c = LOCAL_COLUMN(code);                                                                              \
        v = LOCAL_VALUE(code, v);                                                                            \
        sum = fmaf(v, (x)[c], sum);                                                                          \
    }, BY_LANE({                                                                                             \
        if (c > 0) r = fmaf(-v, ELSEWHERE(c - 1), r);                                                        \
        sum = fmaf(LOCAL_VALUE(c, v), (x)[LOCAL_COLUMN(c)], sum);                                            \
    }, {                                                                                                     \
        const float there = ELSEWHERE(EITHER_ROW(b, c));                                                     \
        r = fmaf((float)ALL_BITS_IF_GLOBAL(c) * v, there, r);                                                \
        sum = fmaf(LOCAL_VALUE(c, v), there, sum);                                                           \
    }))
/* sum += the local entries times x. */
#define LOCAL_PASS(k, kept, a, b, w, sum, x)                                                                 \
    KEPT_AND_OTHERS(k, kept, 4, a, b, w, c, v, { sum = fmaf(v, (x)[c], sum); },                              \
                    { sum = fmaf(LOCAL_VALUE(c, v), (x)[LOCAL_COLUMN(c)], sum); })

/* Sweeps x += omega D^-1 (r - A x), with omega the roots of a Chebyshev polynomial on [2/6, 2], where D^-1 A has its
 * eigenvalues in (0, 2) for a diagonally dominant matrix.  Measured: four sweeps save a fifth of the iterations of
 * three with omega = 0.9 where cells are stretched, and none elsewhere; eight on [2/20, 2] save another tenth there,
 * but the sweeps take longer on a CPU. */
ON_DEVICE float sweep_weight(int sweep)
{
    return sweep == 0 ? 2.520370f : sweep == 1 ? 1.179574f : sweep == 2 ? 0.673143f : 0.516378f;
}

/* One sweep of a row, with s the sum over its local entries. */
ON_DEVICE float swept(float omega, float x, float r, float s, float inverse)
{
    return fmaf(omega * inverse, r - s, (1 - omega) * x);
}

ON_DEVICE void sweep_slice(const struct smooth_args *s, int64_t b, const bool prolonged, const int kept,
                           const int32_t awaited)
{
    const struct level_matrix *a = &s->a;
    const float *from = s->from;
    SHARED(float, x, 2 * SLICE);                        /* before and after a sweep, alternating */
    SLICE_VAR(float, r);
    SLICE_VAR(float, inverse);
    SLICE_VAR(int32_t, parent);
    KEPT_ENTRIES(row)
    KEEP(row, kept, *a, b)
    EACH_WARP(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        IN_SLICE(inverse) = 1 / a->diag[i];
        IN_SLICE(parent) = prolonged ? s->parent[i] : 0;
    }
    if (prolonged) { FIND_PARENTS(row, kept) }
    wait_for_slices(awaited);
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        x[w * WARP + t] = prolonged ? guess_of(s, IN_SLICE(parent)) : from[i];
        IN_SLICE(r) = s->b[i];
    }
    PHASE(w) {
        WARP_VAR(float, sum);
        LANES(t) IN_WARP(sum) = 0;
        FIRST_PASS(row, kept, *a, b, w, IN_SLICE(r), IN_WARP(sum), x)
        const float omega = s->weight > 0 ? s->weight : sweep_weight(0);
        LANES(t) x[SLICE + w * WARP + t] = swept(omega, x[w * WARP + t], IN_SLICE(r), IN_WARP(sum), IN_SLICE(inverse));
    }
    UNROLL for (int sweep = 1; sweep < SLICE_SWEEPS; sweep++) {
        const float omega = s->weight > 0 ? s->weight : sweep_weight(sweep);
        const float *old = x + (sweep % 2) * SLICE;
        float *next = x + (1 - sweep % 2) * SLICE;
        PHASE(w) {
            WARP_VAR(float, sum);
            LANES(t) IN_WARP(sum) = 0;
            LOCAL_PASS(row, kept, *a, b, w, IN_WARP(sum), old)
            LANES(t) {
                float after = swept(omega, old[w * WARP + t], IN_SLICE(r), IN_WARP(sum), IN_SLICE(inverse));
                if (sweep < SLICE_SWEEPS - 1) next[w * WARP + t] = after;
                else s->to[ROW(b, w, t)] = after;
            }
        }
    }
}

ON_DEVICE void bring_guess(const struct smooth_args *s, int64_t b, const bool prolonged, const int32_t awaited)
{
    SLICE_VAR(int32_t, from);
    EACH_WARP(w) LANES(t) IN_SLICE(from) = prolonged ? s->parent[ROW(b, w, t)] : 0;
    wait_for_slices(awaited);
    EACH_WARP(w) LANES(t) {
        int64_t i = ROW(b, w, t);
        s->to[i] = prolonged ? guess_of(s, IN_SLICE(from)) : s->from[i];
    }
}

/* awaited: as in wait_for_slices(), 0 in kernels of one step. */
ON_DEVICE void smoothing(const struct smooth_args *s, int64_t b, const bool prolonged, const int kept,
                         const int32_t awaited)
{
    if (s->half && b % 2 != (s->half == ODD_SLICES)) bring_guess(s, b, prolonged, awaited);
    else sweep_slice(s, b, prolonged, kept, awaited);
}
#endif

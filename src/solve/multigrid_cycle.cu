#include "solve/multigrid_krylov_body.h"
#include "solve/multigrid_smooth_body.h"

#ifdef __CUDACC__
#define EIGHT_AT_ONCE _Pragma("unroll 8")
#else
#define EIGHT_AT_ONCE
#endif

/* The inverse is read before there is a right-hand side. */
ON_DEVICE void last_level(const struct dense_args *a, const int32_t awaited)
{
    SHARED(float, inverse, DENSE_ROWS * DENSE_ROWS);
    SHARED(float, b, SLICE);
    const int32_t n = a->a.p.n;
    EACH_WARP(w) LANES(t) for (int32_t e = w * WARP + t; e < n * n; e += SLICE) inverse[e] = a->inverse[e];
    wait_for_slices(awaited);
    PHASE(w) LANES(t) b[w * WARP + t] = a->b[w * WARP + t];
    PHASE(w) LANES(t) {
        int32_t i = w * WARP + t;
        double sum = 0;
        if (i < n) {
            EIGHT_AT_ONCE
            for (int32_t j = 0; j < n; j++) sum = fma((double)inverse[j * n + i], (double)b[j], sum);
        }
        a->x[i] = (float)sum;
    }
}

ON_DEVICE void step_of_slice(const struct cycle_level *l, const struct cycle_step *s, int64_t b, int32_t awaited)
{
    if (s->what == STEP_RESTRICT) restrict_level(&l->k.down, b, awaited);
    else if (s->what == STEP_PROLONG || s->what == STEP_SMOOTH) {
        const struct smooth_args a = step_smoothing(l, s);
        smoothing(&a, b, s->what == STEP_PROLONG, MOST_KEPT, awaited);
    } else if (s->what == STEP_SOLVE) {
        const struct dense_args d = step_solution(l);
        last_level(&d, awaited);
    } else {
        const struct krylov_args k = step_krylov(l, s);
        if (s->what == STEP_PRODUCT) krylov_product(&k, b, MOST_KEPT, awaited);
        else if (s->what == STEP_CORRECT) krylov_restrict(&k, b, awaited);
        else krylov_combine(&k, b, awaited);
    }
}

CLUSTER_KERNEL(multigrid_steps, struct cycle_args)
{
    struct cycle_step s = a->step[0];
    FROM_MACHINE(struct cycle_level, level, a->level, a->n_levels, MOST_LEVELS)
    int32_t awaited = 0;
    for (int32_t i = 1; i <= a->n; i++) {
        const struct cycle_step next = a->step[i];      /* on its way while this step is done */
        SLICES(b, s.slices) {
            step_of_slice(&level[s.level], &s, b, awaited);
            awaited = 0;
        }
        wait_for_slices(awaited);                       /* whoever has no slice of this step */
        awaited = i == a->n ? 0 : s.slices > next.slices ? s.slices : next.slices;
        slices_done(awaited);
        s = next;
    }
}

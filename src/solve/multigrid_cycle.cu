#include "solve/multigrid_krylov_body.h"
#include "solve/multigrid_smooth_body.h"

ON_DEVICE void last_level(const struct dense_args *a)
{
    int32_t n = a->a.p.n;
    PHASE(w) LANES(t) {
        int32_t i = w * WARP + t;
        double sum = 0;
        if (i < n) for (int32_t j = 0; j < n; j++) sum = fma((double)a->inverse[j * n + i], (double)a->b[j], sum);
        a->x[i] = (float)sum;
    }
}

ON_DEVICE void step_of_slice(const struct cycle_level *l, const struct cycle_step *s, int64_t b)
{
    if (s->what == STEP_RESTRICT) restrict_level(&l->k.down, b);
    else if (s->what == STEP_PROLONG || s->what == STEP_SMOOTH) {
        const struct smooth_args a = step_smoothing(l, s);
        smoothing(&a, b, s->what == STEP_PROLONG, MOST_KEPT);
    } else if (s->what == STEP_SOLVE) {
        const struct dense_args d = step_solution(l);
        last_level(&d);
    } else {
        const struct krylov_args k = step_krylov(l, s);
        if (s->what == STEP_PRODUCT) krylov_product(&k, b);
        else if (s->what == STEP_CORRECT) krylov_restrict(&k, b);
        else krylov_combine(&k, b);
    }
}

CLUSTER_KERNEL(multigrid_steps, struct cycle_args)
{
    FROM_MACHINE(struct cycle_level, level, a->level, a->n_levels, MOST_LEVELS)
    struct cycle_step s = a->step[0];
    for (int32_t i = 1; i <= a->n; i++) {
        const struct cycle_step next = a->step[i];      /* on its way while this step is done */
        SLICES(b, s.slices) step_of_slice(&level[s.level], &s, b);
        if (i < a->n) wait_for_slices(s.slices > next.slices ? s.slices : next.slices);
        s = next;
    }
}

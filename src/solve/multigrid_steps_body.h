/* multigrid_steps_body.h: the kernel of many steps of a cycle, for blocks of N x N numbers, 1 x 1 too
 * (for_each_block.h).  Requires OF(smooth_slice)() and OF(product_of_slice)() to be defined. */

/* x = inverse b on the coarsest level.  For scalar matrices the inverse is loaded before the right-hand side is
 * available. */
OUT_OF_LINE void OF(solve_last)(const struct dense_args *a, const int32_t awaited)
{
    SHARED(float, read, N == 1 ? DENSE_ROWS * DENSE_ROWS : 1);
    SHARED(float, b, SLICE);
    const int32_t rows = a->a.p.n, size = N * rows;
    const float *inverse = N == 1 ? read : a->inverse;
    if (N == 1) EACH_WARP(w) LANES(t)
        for (int32_t e = w * WARP + t; e < size * size; e += SLICE) read[e] = a->inverse[e];
#define UNKNOWN(i) (N == 1 ? (i) : (i) / rows * a->a.p.pitch + (i) % rows)
    wait_for_slices(awaited);
    PHASE(w) LANES(t) {
        int32_t i = w * WARP + t;
        if (i < size) b[i] = a->b[UNKNOWN(i)];
    }
    PHASE(w) LANES(t) {
        int32_t i = w * WARP + t;
        double sum = 0;
        if (i < size) {
            UNROLL_BY(8) for (int32_t j = 0; j < size; j++) sum = fma((double)inverse[j * size + i], (double)b[j], sum);
            a->x[UNKNOWN(i)] = (float)sum;
        }
    }
#undef UNKNOWN
}

OUT_OF_LINE void OF(smoothing_step)(const struct smooth_args *a, int64_t b, const bool prolonged,
                                    const int32_t awaited)
{
    OF(smooth_slice)(a, b, prolonged, awaited);
}

OUT_OF_LINE void OF(krylov_step)(const struct krylov_args *k, int what, int64_t b, const int32_t awaited)
{
    if (what == STEP_PRODUCT) OF(product_of_slice)(k, b, awaited);
    else if (what == STEP_CORRECT) krylov_restrict(k, N, b, awaited);
    else krylov_combine(k, N, b, awaited);
}

ON_DEVICE void OF(step_of_slice)(const struct cycle_level *l, const struct cycle_step *s, int64_t b, int32_t awaited)
{
    if (s->what == STEP_RESTRICT) restrict_level(&l->k.down, N, b, awaited);
    else if (s->what == STEP_PROLONG || s->what == STEP_SMOOTH) {
        const struct smooth_args a = step_smoothing(l, s);
        OF(smoothing_step)(&a, b, s->what == STEP_PROLONG, awaited);
    } else if (s->what == STEP_SOLVE) {
        const struct dense_args d = step_solution(l);
        OF(solve_last)(&d, awaited);
    } else {
        const struct krylov_args k = step_krylov(l, s);
        OF(krylov_step)(&k, s->what, b, awaited);
    }
}

#define STEPS_KERNEL(name, args) CLUSTER_KERNEL(name, args)             /* OF() is expanded first */
STEPS_KERNEL(OF(multigrid_steps), struct cycle_args)
{
    struct cycle_step s = a->step[0];
    FROM_MACHINE(struct cycle_level, level, a->level, a->n_levels, MOST_LEVELS)
    int32_t awaited = 0;
    for (int32_t i = 1; i <= a->n; i++) {
        const struct cycle_step next = a->step[i];      /* loaded while this step runs */
        SLICES(b, s.slices) {
            OF(step_of_slice)(&level[s.level], &s, b, awaited);
            awaited = 0;
        }
        wait_for_slices(awaited);                       /* blocks without a slice in this step */
        awaited = i == a->n ? 0 : s.slices > next.slices ? s.slices : next.slices;
        slices_done(awaited);
        s = next;
    }
}
#undef STEPS_KERNEL

/* Multigrid on matrices of blocks: values, and the cycle. */
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/multigrid_levels.h"

enum { SMOOTHINGS = 2 };
static const double JACOBI_DAMPING = 0.7, ILU_DAMPING = 0.8, ISAI_DAMPING = 0.6;

static bool is_isai(const struct multigrid *m) { return m->setting.smoother == SMOOTHER_ISAI; }
/* Exactly, or by approximate inverses? */
static bool is_ilu(const struct multigrid *m) { return m->setting.smoother == SMOOTHER_ILU || is_isai(m); }

/* ---------------------------------------------------------------- values */
void block_strengths(const struct multigrid *m)
{
    struct block_strength_args args = {m->a, m->level[0].a};
    block_strength(&args, m->a.p.n_padded / WARP);
}

void block_levels_allocate(struct multigrid *m)
{
    const struct arrow_blocks *given = &m->a.arrow;
    const int n = m->a.block;
    for (int i = 0; i < m->n_levels; i++) {
        struct level *l = &m->level[i];
        if (i || !given->val) level_matrix_allocate(&l->a, n, given->val);
        else {
            level_matrix_free_values(&l->a);
            l->a.block = n, l->a.arrow = true;
            l->a.val = given->val, l->a.diag = given->diag, l->a.excess = given->excess;
        }
        l->inverse = device_alloc((size_t)(l->a.p.n_padded * n * n) * sizeof *l->inverse, "multigrid diagonal");
        if (l->regroup) regroup_make_blocks(l->regroup, n, given->val);
        if (is_ilu(m)) l->triangles = slice_triangles_create(&l->a.p, n, m->setting.factor_ordering, is_isai(m));
    }
}

static struct block_dense_args coarsest(const struct multigrid *m)
{
    const struct level *l = &m->level[m->n_levels - 1];
    return (struct block_dense_args){l->a, m->singular, m->work, m->inverse, l->b, l->x};
}

void block_levels_refresh(const struct multigrid *m)
{
    struct block_copy_args copy = {m->a.block, m->a, m->level[0].a};
    if (m->a.val) block_copy(&copy, m->a.p.n_padded / WARP);
    for (int i = 0; i < m->n_levels; i++) {
        const struct level *l = &m->level[i];
        struct block_invert_args invert = {m->a.block, l->a.diag, l->inverse};
        struct block_factor_args factor = {m->a.block, l->a, l->triangles, l->inverse};
        if (is_ilu(m)) block_triangles(&factor, l->a.p.n_padded / WARP), block_factor(&factor, l->a.p.n_slices);
        else block_invert(&invert, l->a.p.n_padded);
        if (is_isai(m)) block_approximate(&factor, l->a.p.n_padded);
        if (i == m->n_levels - 1) break;
        const struct level_matrix *coarse = multigrid_coarse_matrix(m, i);
        struct block_sum_args sum = {m->a.block, l->a, *coarse, l->to_coarse};
        block_sum(&sum, coarse->p.n_padded);
        if (l->regroup) regroup_values(l->regroup, &l[1].a);
    }
    struct block_dense_args dense = coarsest(m);
    if (m->dense) block_dense_invert(&dense, 1);
}

/* ---------------------------------------------------------------- the cycle */
static float *other(const struct level *l, float *out) { return out == l->t ? l->x : l->t; }

static int smoothings(const struct multigrid *m) { return m->setting.smoothings ? m->setting.smoothings : SMOOTHINGS; }
static float damping(const struct multigrid *m)
{
    double own = m->setting.smoothing_damping;
    return (float)(own > 0 ? own : is_isai(m) ? ISAI_DAMPING : is_ilu(m) ? ILU_DAMPING : JACOBI_DAMPING);
}

/* b of the next level from that of level i; w, sums: after GCR's first step on level i. */
static void restrict_from(const struct multigrid *m, int i, const float *w, const double *sums)
{
    const struct level *l = &m->level[i];
    struct block_restrict_args down = {m->a.block, l->a.p.pitch,
                                       l->regroup ? regroup_pitch(l->regroup) : l[1].a.p.pitch,
                                       l->to_coarse.child_start, l->to_coarse.child, l->b, multigrid_coarse_b(m, i), w,
                                       sums};
    block_restrict(&down, l->to_coarse.coarse_padded);
    multigrid_hand_on(m, i);
}

/* out = the guess that is given, smoothed `times` times; guess NULL: the next level's x. */
static void smooth(const struct multigrid *m, int i, const float *guess, int times, float *out)
{
    const struct level *l = &m->level[i];
    for (int k = 0; k < times; k++) {
        float *to = (times - k) % 2 ? out : other(l, out);
        bool prolong = !guess;
        struct block_smooth_args s = {m->a.block, l->a, l->inverse, l->b, prolong ? l[1].x : guess,
                                      prolong ? l->to_coarse.parent : NULL, prolong ? l[1].a.p.pitch : l->a.p.pitch,
                                      damping(m), to};
        halo_update_single(prolong ? l[1].a.p.halo : l->a.p.halo, s.from, m->a.block);
        struct block_ilu_args ilu = {m->a.block, s, l->triangles};
        if (is_isai(m)) (prolong ? block_isai_prolonged : block_isai)(&ilu, l->a.p.n_slices);
        else if (is_ilu(m)) (prolong ? block_ilu_prolonged : block_ilu)(&ilu, l->a.p.n_slices);
        else (prolong ? block_smooth_prolonged : block_smooth)(&s, l->a.p.n_padded / WARP);
        guess = to;
    }
}

/* The solve on the last level where that is too large for an inverse, because the matrix does not coarsen. */
static void smooth_last(const struct multigrid *m, int i, float *out)
{
    const struct level *l = &m->level[i];
    float *zero = smoothings(m) % 2 ? other(l, out) : out;
    struct fill_args fill_zero = {(double *)zero, 0};
    fill(&fill_zero, m->a.block * l->a.p.pitch / 2);
    smooth(m, i, zero, smoothings(m), out);
}

static void gcr(const struct multigrid *m, int i);

/* The cycle from level i = bottom on. */
static void bottom_cycle(const struct multigrid *m, int i, float *out)
{
    struct block_bottom_args args = {.block = m->a.block, .n_levels = m->n_levels - i, .smoothings = smoothings(m),
                                     .omega = damping(m), .last = coarsest(m)};
    for (int k = 0; k < args.n_levels; k++) {
        const struct level *l = &m->level[i + k];
        args.level[k] = (struct block_bottom_level){l->a, l->inverse, l->b, l->x, l->t, l->to_coarse.parent,
                                                    l->to_coarse.child_start, l->to_coarse.child};
    }
    args.level[0].x = out, args.level[0].t = other(&m->level[i], out);
    block_bottom(&args, 1);
}

/* out approximates the solution on level i for its b, whose restriction, above the bottom, is in the next level's b. */
static void cycle(const struct multigrid *m, int i, float *out)
{
    if (i == m->bottom) {
        bottom_cycle(m, i, out);
        return;
    }
    if (i == m->n_levels - 1) {
        struct block_dense_args dense = coarsest(m);
        dense.x = out;
        if (m->dense) block_dense_solve(&dense, 1);
        else smooth_last(m, i, out);
        return;
    }
    if (multigrid_is_k(m, i + 1)) gcr(m, i + 1);
    else {
        if (i + 2 < m->n_levels && i + 1 < m->bottom) restrict_from(m, i + 1, NULL, NULL);
        cycle(m, i + 1, m->level[i + 1].x);
    }
    smooth(m, i, NULL, smoothings(m), out);
}

static void gcr_step(const struct block_gcr_args *k)
{
    halo_update_single(k->a.p.halo, k->second ? k->x : k->first, k->block);
    block_gcr_product(k, k->a.p.n_slices);
    sums_finish(&k->sums[k->second], 0, k->second ? GCR_SUMS : GCR_VW);
}

static void gcr(const struct multigrid *m, int i)
{
    const struct level *l = &m->level[i];
    struct block_gcr_args k = {.block = m->a.block, .a = l->a, .b = l->b, .first = l->first, .x = l->x, .w = l->w,
                               .unit = m->setting.cycle == CYCLE_W, .sums = {l->sums[0], l->sums[1]}};
    restrict_from(m, i, NULL, NULL);
    cycle(m, i, l->first);
    gcr_step(&k);
    restrict_from(m, i, l->w, k.unit ? NULL : l->sums[0].total);
    cycle(m, i, l->x);
    k.second = 1;
    if (!k.unit) gcr_step(&k);
    block_gcr_combine(&k, l->a.p.n_padded / WARP);
}

void block_levels_apply(const struct multigrid *m, const double *r, const double *norm2, double *z)
{
    const struct level *l = &m->level[0];
    struct block_convert_args convert = {m->a.block, l->a.p.pitch, norm2, r, l->b, l->x, z};
    block_begin(&convert, l->a.p.n_padded / WARP);
    if (m->n_levels > 1) restrict_from(m, 0, NULL, NULL);
    cycle(m, 0, l->x);
    block_end(&convert, l->a.p.n_padded / WARP);
}

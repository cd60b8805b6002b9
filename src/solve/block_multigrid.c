/* Multigrid on block matrices: values and smoothing. */
#include "gpu/device.h"
#include "solve/multigrid_levels.h"

static const double JACOBI_DAMPING = 0.7, ILU_DAMPING = 0.8, ISAI_DAMPING = 0.6;

static bool is_isai(const struct multigrid *m) { return m->setting.smoother == SMOOTHER_ISAI; }
/* Incomplete LU, solved exactly or by approximate inverses? */
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
        else l->damping = device_alloc((size_t)l->a.p.n_padded * sizeof *l->damping, "multigrid diagonal");
    }
}

void block_levels_refresh(const struct multigrid *m)
{
    struct block_copy_args copy = {m->a, m->level[0].a};
    if (m->a.val) block_copy(&copy, m->a.p.n_padded / WARP);
    for (int i = 0; i < m->n_levels; i++) {
        const struct level *l = &m->level[i];
        struct block_invert_args invert = {m->a.block, l->a.diag, l->inverse};
        struct block_damp_args damp = {l->a, l->damping, block_damping(m)};
        struct block_factor_args factor = {l->a, l->triangles, l->inverse};
        if (is_ilu(m)) block_triangles(&factor, l->a.p.n_padded / WARP), block_factor(&factor, l->a.p.n_slices);
        else block_invert(&invert, l->a.p.n_padded), block_damp(&damp, l->a.p.n_padded);
        if (is_isai(m)) block_approximate(&factor, l->a.p.n_padded);
        if (i == m->n_levels - 1) break;
        const struct level_matrix *coarse = multigrid_coarse_matrix(m, i);
        struct block_sum_args sum = {l->a, *coarse, l->to_coarse};
        block_sum(&sum, coarse->p.n_padded);
        if (l->regroup) regroup_values(l->regroup, &l[1].a);
    }
    struct dense_args dense = multigrid_last_level(m);
    if (m->dense) block_dense_invert(&dense, 1);
}

/* ---------------------------------------------------------------- the cycle */
float block_damping(const struct multigrid *m)
{
    double own = m->setting.smoothing_damping;
    return (float)(own > 0 ? own : is_isai(m) ? ISAI_DAMPING : is_ilu(m) ? ILU_DAMPING : JACOBI_DAMPING);
}

void block_level_smooth(const struct multigrid *m, const struct level *l, const struct smooth_args *a, bool prolonged)
{
    struct block_ilu_args ilu = {*a, l->triangles};
    if (is_isai(m)) (prolonged ? block_isai_prolonged : block_isai)(&ilu, l->a.p.n_slices);
    else if (is_ilu(m)) (prolonged ? block_ilu_prolonged : block_ilu)(&ilu, l->a.p.n_slices);
    else (prolonged ? block_smooth_prolonged : block_smooth)(a, l->a.p.n_padded / WARP);
}

/* The cycle (multigrid.h): the list of its steps, and how they are launched. */
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/multigrid_levels.h"

/* On every level, unless the case sets another number. */
enum { BLOCK_SMOOTHINGS = 2 };

static struct restrict_args down_from(const struct multigrid *m, int i)
{
    const struct level *l = &m->level[i];
    const struct aggregation *g = &l->to_coarse;
    const int64_t block = m->a.block, pitch = l->a.p.pitch;
    if (i == m->n_levels - 1)
        return (struct restrict_args){.place = m->own_place, .b = l->b, .block = block, .pitch = pitch};
    return (struct restrict_args){g->slice_start, g->child_start, g->place, l->b, multigrid_coarse_b(m, i), block,
                                  pitch, l->regroup ? regroup_pitch(l->regroup) : l[1].a.p.pitch};
}

struct restrict_args multigrid_entrance(const struct multigrid *m) { return down_from(m, 0); }

static struct cycle_level cycle_level(const struct multigrid *m, int i)
{
    const struct level *l = &m->level[i];
    const bool last = i == m->n_levels - 1;
    struct krylov_args k = {l->a, down_from(m, i), l->first, l->x, l->w, 0, m->setting.cycle == CYCLE_W,
                            m->setting.nonsymmetric, !multigrid_is_shared(l) && l->a.p.n_slices <= FOLDED_SLICES,
                            {l->sums[0], l->sums[1]}};
    return (struct cycle_level){.k = k, .coarse_x = last ? NULL : l[1].x, .parent = l->to_coarse.parent, .guess = l->t,
                                .inverse = m->inverse, .diagonal = l->inverse,
                                .coarse_pitch = last ? 0 : l[1].a.p.pitch, .omega = block_damping(m),
                                .damping = l->damping, .factor = (float)m->choice.factor,
                                .weight = (float)m->choice.weight,
                                .odd = (int32_t)(l->a.p.first / SLICE % 2)};
}

/* ---------------------------------------------------------------- the list */
static void add_from(struct multigrid *m, enum cycle_what what, int level, enum cycle_vector vector,
                     enum cycle_vector from, enum half half)
{
    RESIZE(m->step, m->n_steps + 1);
    m->step[m->n_steps++] = (struct cycle_step){what, level, vector, from, half, m->level[level].a.p.n_slices};
}

static void add(struct multigrid *m, enum cycle_what what, int level, enum cycle_vector vector)
{
    add_from(m, what, level, vector, vector, ALL_SLICES);
}

/* Is level i smoothed by halves, first the even slices, then the odd ones? */
static bool by_halves(const struct multigrid *m, int i)
{
    return m->a.block == 1 && !m->level[i].smoother && i < m->n_levels - 1 &&
           (i == 0 || (i == 1 && m->choice.second_once));
}

/* Number of smoothings on level i.  For scalar matrices one smoothing of the third level and lower ones is as good as
 * two (measured). */
int multigrid_smoothings(const struct multigrid *m, int i)
{
    if (m->a.block > 1) return m->setting.smoothings ? m->setting.smoothings : BLOCK_SMOOTHINGS;
    if (i == m->n_levels - 1) return 1;
    return i == 0 || (i == 1 && !m->choice.second_once) ? 2 : 1;
}

/* They alternate between the level's guess and the vector, where they end; without a coarser level they start from
 * zero. */
static void add_smoothings(struct multigrid *m, int i, enum cycle_vector vector)
{
    const bool last = i == m->n_levels - 1, halves = by_halves(m, i);
    const int times = multigrid_smoothings(m, i) * (halves ? 2 : 1);
    enum cycle_vector from = times % 2 ? GUESS : vector, to;
    if (last) add(m, STEP_CLEAR, i, from);
    for (int k = times; k > 0; k--, from = to) {
        to = k % 2 ? vector : GUESS;
        add_from(m, k == times && !last ? STEP_PROLONG : STEP_SMOOTH, i, to, from,
                 !halves ? ALL_SLICES : k % 2 ? ODD_SLICES : EVEN_SLICES);
    }
}

static void add_krylov(struct multigrid *m, int i);

/* Computes in the vector of level i an approximate solution for its right-hand side b, whose restriction is in the next
 * level's b. */
static void add_cycle(struct multigrid *m, int i, enum cycle_vector vector)
{
    if (i == m->n_levels - 1) {
        if (m->dense) add(m, STEP_SOLVE, i, vector);
        else add_smoothings(m, i, vector);      /* a matrix that does not coarsen: positive definite however strongly
                                                 * slices are coupled; more smoothings might diverge */
        return;
    }
    if (m->level[i].regroup) add(m, STEP_HAND_ON, i, vector);
    if (multigrid_is_k(m, i + 1)) add_krylov(m, i + 1);
    else {
        if (i + 2 < m->n_levels) add(m, STEP_RESTRICT, i + 1, SOLUTION);
        add_cycle(m, i + 1, SOLUTION);
    }
    add_smoothings(m, i, vector);
}

static void add_krylov(struct multigrid *m, int i)
{
    add(m, STEP_RESTRICT, i, SOLUTION);
    add_cycle(m, i, FIRST_SOLUTION);
    add(m, STEP_PRODUCT, i, FIRST_SOLUTION);
    add(m, STEP_CORRECT, i, FIRST_SOLUTION);
    add_cycle(m, i, SOLUTION);
    if (m->setting.cycle != CYCLE_W) add(m, STEP_PRODUCT, i, SOLUTION);
    add(m, STEP_COMBINE, i, SOLUTION);
}

void multigrid_list_steps(struct multigrid *m)
{
    struct cycle_level level[MOST_LEVELS];
    add_cycle(m, 0, SOLUTION);
    RESIZE(m->step, m->n_steps + 1);
    m->step[m->n_steps] = (struct cycle_step){0};
    for (int i = 0; i < m->n_levels; i++) level[i] = cycle_level(m, i);
    m->levels_there = device_copy_of(level, (size_t)m->n_levels * sizeof *level, "multigrid");
    m->steps_there = device_copy_of(m->step, (size_t)(m->n_steps + 1) * sizeof *m->step, "multigrid");
}

void multigrid_forget_steps(struct multigrid *m)
{
    device_free(m->levels_there), device_free(m->steps_there);
    free(m->step);
}

/* ---------------------------------------------------------------- launches */
static void clear(const struct level *l, float *x)
{
    fill(&(struct fill_args){(double *)x, 0}, l->a.block * l->a.p.pitch / 2);
}

static void apply_smoother(const struct level *l, const struct smooth_args *a, bool prolonged)
{
    struct smooth_args up = *a;
    up.to = l->t;
    if (prolonged) multigrid_prolong(&up, l->a.p.n_padded);
    smoother_apply(l->smoother, prolonged ? SMOOTH_AFTER : SMOOTH_BEFORE, l->b, prolonged ? l->t : l->u,
                   a->to == l->t ? l->u : a->to);
}

static void smooth(const struct multigrid *m, const struct level *l, const struct smooth_args *a, bool prolonged)
{
    if (prolonged || !l->smoother)                      /* parents may be coarse rows of other ranks */
        halo_update_single(l[prolonged].a.p.halo, a->from, m->a.block);
    if (m->a.block > 1) block_level_smooth(m, l, a, prolonged);
    else if (l->smoother) apply_smoother(l, a, prolonged);
    else (prolonged ? multigrid_smooth_prolonged_shaped : multigrid_smooth_shaped)(a, &l->a.p);
}

static void product(const struct krylov_args *k)
{
    halo_update_single(k->a.p.halo, k->second ? k->x : k->first, k->a.block);
    (k->a.block > 1 ? block_krylov_product : multigrid_krylov_product)(k, k->a.p.n_slices);
    if (!k->fold) sums_finish(&k->sums[k->second], 0, k->second ? K_SUMS : K_XW);
}

static void launch_step(const struct multigrid *m, const struct cycle_step *s)
{
    const bool blocks = m->a.block > 1;
    const struct level *l = &m->level[s->level];
    const struct cycle_level c = cycle_level(m, s->level);
    const struct smooth_args a = step_smoothing(&c, s);
    const struct krylov_args k = step_krylov(&c, s);
    switch ((enum cycle_what)s->what) {
    case STEP_RESTRICT: multigrid_restrict(&c.k.down, s->slices); break;
    case STEP_PROLONG: smooth(m, l, &a, true); break;
    case STEP_SMOOTH: smooth(m, l, &a, false); break;
    case STEP_PRODUCT: product(&k); break;
    case STEP_CORRECT: (blocks ? block_krylov_restrict : multigrid_krylov_restrict)(&k, s->slices); break;
    case STEP_COMBINE: (blocks ? block_krylov_combine : multigrid_krylov_combine)(&k, s->slices); break;
    case STEP_CLEAR: clear(l, step_vector(&c, s->vector)); break;
    case STEP_HAND_ON: multigrid_hand_on(m, s->level); break;
    case STEP_SOLVE: die("the last level's solution is never launched alone");
    }
}

static void launch(const struct multigrid *m, int n)
{
    for (int i = 0, first; i < n;) {
        for (first = i; i < n && m->step[i].level >= m->bottom; i++) continue;
        struct cycle_args c = {m->levels_there, m->steps_there + first, m->n_levels, i - first, m->a.block,
                               m->level[0].a.arrow};
        if (c.n) (c.block > 1 ? multigrid_steps : multigrid_steps_1)(&c, m->level[m->bottom].a.p.n_slices);
        else launch_step(m, &m->step[i++]);
    }
}

void multigrid_cycle(struct multigrid *m) { launch(m, m->n_steps); }

bool multigrid_cycle_but_last(struct multigrid *m, struct smooth_args *last)
{
    const struct cycle_step *s = &m->step[m->n_steps - 1];
    const struct level *l = &m->level[0];
    const bool left = s->what == STEP_SMOOTH && m->bottom > 0 && !l->smoother;
    launch(m, m->n_steps - left);
    if (!left) return false;
    const struct cycle_level c = cycle_level(m, 0);
    *last = step_smoothing(&c, s);
    halo_update_single(l->a.p.halo, last->from, 1);
    return true;
}

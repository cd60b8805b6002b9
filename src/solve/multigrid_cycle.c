/* The cycle on matrices of numbers (multigrid.h). */
#include "gpu/vector.h"
#include "solve/multigrid_levels.h"

/* Up to so many slices a level has one or two for each multiprocessor. */
enum { FEW_SLICES = 264 };

static struct restrict_args down_from(const struct multigrid *m, int i)
{
    const struct level *l = &m->level[i];
    const struct aggregation *g = &l->to_coarse;
    if (i == m->n_levels - 1) return (struct restrict_args){.place = m->own_place, .b = l->b};
    return (struct restrict_args){g->slice_start, g->child_start, g->place, l->b, multigrid_coarse_b(m, i)};
}

struct restrict_args multigrid_entrance(const struct multigrid *m) { return down_from(m, 0); }

static struct smooth_args smoothing(const struct multigrid *m, const struct level *l, float *from, float *out)
{
    return (struct smooth_args){.a = l->a, .b = l->b, .from = from, .to = out, .factor = 1, .sweeps = m->choice.sweeps};
}
static struct smooth_args prolonging(const struct multigrid *m, const struct level *l, float *out)
{
    struct smooth_args s = smoothing(m, l, l[1].x, out);
    s.parent = l->to_coarse.parent, s.factor = (float)m->choice.factor;
    return s;
}

static void bottom(const struct multigrid *m)
{
    struct bottom_args b = {.n = m->n_levels - 1 - m->bottom, .dense = multigrid_last_level(m)};
    for (int i = 0; i < b.n; i++) {
        const struct level *l = &m->level[m->bottom + i];
        b.down[i] = down_from(m, m->bottom + i);
        bool twice = m->bottom + i < TWICE_SMOOTHED;
        b.up[i] = prolonging(m, l, twice ? l->t : l->x), b.again[i] = smoothing(m, l, l->t, twice ? l->x : NULL);
    }
    multigrid_bottom_cycle(&b, 1);
}

/* The solve on the last level where that is too large for an inverse, because the matrix does not coarsen: one
 * smoothing from zero.  It is positive definite however strongly slices are coupled; more of them might diverge. */
static void smooth_last(const struct multigrid *m, const struct level *l)
{
    struct fill_args zero = {(double *)l->t, 0};
    struct smooth_args s = smoothing(m, l, l->t, l->x);
    fill(&zero, l->a.p.n_padded / 2);
    multigrid_smooth(&s, l->a.p.n_slices);
}

/* out = the solution of the next level, prolonged to this one and smoothed. */
static void smooth_level(const struct multigrid *m, const struct level *l, bool twice, float *out)
{
    struct smooth_args up = prolonging(m, l, twice || l->smoother ? l->t : out), again = smoothing(m, l, l->t, out);
    bool few = l->a.p.n_slices <= FEW_SLICES;
    halo_update_single(l[1].a.p.halo, l[1].x, 1);          /* parents may be coarse rows of other ranks */
    if (l->smoother) {
        multigrid_prolong(&up, l->a.p.n_padded);
        smoother_apply(l->smoother, SMOOTH_AFTER, l->b, l->t, twice ? l->u : out);
        if (twice) smoother_apply(l->smoother, SMOOTH_BEFORE, l->b, l->u, out);
    } else {
        (few ? multigrid_smooth_prolonged_few : multigrid_smooth_prolonged)(&up, l->a.p.n_slices);
        if (!twice) return;
        halo_update_single(l->a.p.halo, l->t, 1);
        (few ? multigrid_smooth_few : multigrid_smooth)(&again, l->a.p.n_slices);
    }
}

static void krylov(struct multigrid *m, int i);

/* out approximates the solution on level i for its right-hand side b, whose restriction is in the next level's b. */
static void cycle(struct multigrid *m, int i, float *out)
{
    struct level *l = &m->level[i], *coarse = l + 1;
    if (i >= m->bottom) {
        bottom(m);
        return;
    }
    if (i == m->n_levels - 1) {
        smooth_last(m, l);
        return;
    }
    multigrid_hand_on(m, i);
    if (coarse->first) krylov(m, i + 1);
    else {
        struct restrict_args down = down_from(m, i + 1);
        if (down.coarse_b && i + 1 < m->bottom) multigrid_restrict(&down, coarse->a.p.n_slices);
        cycle(m, i + 1, coarse->x);
    }
    smooth_level(m, l, i < TWICE_SMOOTHED, out);
}

static void krylov_step(const struct krylov_args *k)
{
    halo_update_single(k->a.p.halo, k->second ? k->x : k->first, 1);
    multigrid_krylov_product(k, k->a.p.n_slices);
    if (!k->fold) sums_finish(&k->sums[k->second], 0, k->second ? K_SUMS : K_XW);
}

static void krylov(struct multigrid *m, int i)
{
    struct level *l = &m->level[i];
    struct krylov_args k = {l->a, down_from(m, i), l->first, l->x, l->w, 0, m->setting.cycle == CYCLE_W,
                            !multigrid_is_shared(l) && l->a.p.n_slices <= FOLDED_SLICES, {l->sums[0], l->sums[1]}};
    multigrid_restrict(&k.down, l->a.p.n_slices);
    cycle(m, i, l->first);
    krylov_step(&k);
    multigrid_krylov_restrict(&k, l->a.p.n_slices);
    cycle(m, i, l->x);
    k.second = 1;
    if (!k.unit) krylov_step(&k);
    multigrid_krylov_combine(&k, l->a.p.n_slices);
}

void multigrid_cycle(struct multigrid *m) { cycle(m, 0, m->level[0].x); }

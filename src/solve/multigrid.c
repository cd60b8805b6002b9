/* Builds the hierarchy of multigrid and the solution of its coarsest level (multigrid.h). */
#include "solve/multigrid_levels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"

enum { STRONG_SMOOTHINGS = 4 };         /* with incomplete LU instead of block-Jacobi; see multigrid_strengthen() */

static float *vector(const struct level *l)
{
    return pattern_alloc(&l->a.p, l->a.block, sizeof(float), "multigrid vectors");
}

static void copy_values(const struct multigrid *m)
{
    struct copy_level_args copy = {m->a, m->level[0].a};
    multigrid_copy_level(&copy, m->a.p.n_slices);
}

struct dense_args multigrid_last_level(const struct multigrid *m)
{
    const struct level *l = &m->level[m->n_levels - 1];
    return (struct dense_args){l->a, m->setting.singular, m->setting.nonsymmetric, m->work, m->inverse, l->b, l->x};
}

static uint16_t *own_places(int64_t n_padded)
{
    uint16_t *host, *place = device_alloc((size_t)n_padded * sizeof *place, "coarsest level");
    NEW(host, n_padded);
    for (int64_t i = 0; i < n_padded; i++) host[i] = (uint16_t)(i % SLICE);
    device_upload(place, host, (size_t)n_padded * sizeof *host);
    free(host);
    return place;
}

static void allocate_vectors(struct multigrid *m)
{
    for (int i = 0; i < m->n_levels; i++) {
        struct level *l = &m->level[i];
        l->b = vector(l), l->x = vector(l), l->t = vector(l);
        if (!multigrid_is_k(m, i)) continue;
        l->first = vector(l), l->w = vector(l);
        l->sums[0] = l->sums[1] = (multigrid_is_shared(l) ? sums_create : sums_create_own)
                                  (2 * K_SUMS, l->a.p.n_slices, "multigrid sums");
        l->sums[1].total += K_SUMS;
    }
    int32_t n = m->level[m->n_levels - 1].a.p.n * m->a.block;
    m->own_place = own_places(m->level[m->n_levels - 1].a.p.n_padded);
    if (!m->dense) return;
    if (m->a.block > 1) m->work = device_alloc((size_t)n * (size_t)n * sizeof *m->work, "coarsest level");
    m->inverse = device_alloc((size_t)n * (size_t)n * sizeof *m->inverse, "coarsest level");
}

/* Maximum number of rows of the last level, which is inverted. */
static int dense_rows(const struct multigrid *m) { return m->a.block == 1 ? DENSE_ROWS : DENSE_UNKNOWNS / m->a.block; }

/* Creates the next level from parents of all rows of this one, numbered over all ranks. */
static bool given_level(struct level *l, const int32_t *parents)
{
    const int32_t n = l->a.p.n, *here = parents + l->a.p.first;
    int32_t *own, first = here[0];
    NEW(own, n);
    for (int32_t i = 0; i < n; i++) first = here[i] < first ? here[i] : first;
    for (int32_t i = 0; i < n; i++) own[i] = here[i] - first;
    bool good = aggregate_given(&l->a, own, aggregate_rows(own, n), &l->to_coarse, &l[1].a);
    free(own);
    return good;
}

/* Creates the coarse levels, from the values of the finest level or from n given parents. */
static void make_levels(struct multigrid *m, const int32_t *parents, int64_t n)
{
    const struct cycle_choice *c = &m->choice;
    for (m->n_levels = 1; m->n_levels < MOST_LEVELS; m->n_levels++) {
        struct level *l = &m->level[m->n_levels - 1];
        if (parents ? n <= 0 : l->a.p.n_global <= dense_rows(m)) return;
        int pairings = m->n_levels == 1 ? c->first_pairings : c->pairings;
        if (!(parents ? given_level(l, parents) : aggregate(&l->a, pairings, &l->to_coarse, &l[1].a))) return;
        if (parents) parents += l->a.p.n_global, n -= l->a.p.n_global;
        if (multigrid_is_shared(l)) l->regroup = regroup_create(&l->a, &l->to_coarse, &l[1].a, m->a.block);
    }
}

/* The first of the levels whose part of the cycle is one launch: those with few slices, complete on this rank.
 * smooths: can that kernel smooth, or only solve on the last level? */
static int bottom_of(const struct multigrid *m, bool smooths)
{
    int bottom = m->n_levels - 1;
    if (!m->dense) return m->n_levels;
    while (smooths && bottom > 0 && m->level[bottom - 1].a.p.n_slices <= device_cluster_slices() &&
           !multigrid_is_shared(&m->level[bottom - 1])) bottom--;
    return bottom;
}

/* Creates everything that depends on the structure. */
static void make(struct multigrid *m, const int32_t *parents, int64_t n)
{
    const struct matrix *a = &m->a;
    const struct linear_setting *s = &m->setting;
    const bool blocks = a->block > 1, first = !m->choice.pairings, in_slices = s->smoother == SMOOTHER_BLOCK_JACOBI;
    struct level_matrix *fine = &m->level[0].a;
    *fine = (struct level_matrix){.p = a->p, .block = 1};
    level_matrix_allocate(fine, 1, false);
    (blocks ? block_strengths : copy_values)(m);
    /* With dominant convection each row would propose to its upstream neighbour, and no two rows to each other. */
    if (s->nonsymmetric && !blocks) multigrid_mean_entries(&(struct copy_level_args){m->a, *fine}, a->p.n);
    if (first) m->choice = choose_pairings(s, blocks);
    make_levels(m, parents, n);
    if (first && !blocks) choose_steps(&m->choice, a, fine, m->n_levels > 1 ? &m->level[1].a : NULL, s);
    if (blocks) block_levels_allocate(m);
    m->dense = m->level[m->n_levels - 1].a.p.n_global <= dense_rows(m);
    m->bottom = bottom_of(m, in_slices);
    allocate_vectors(m);
    for (int i = 0; !in_slices && !blocks && i + 1 < m->n_levels; i++) {
        m->level[i].smoother = smoother_create(&m->level[i].a, s);
        m->level[i].u = vector(&m->level[i]);
    }
    multigrid_list_steps(m);
}

static void unmake(struct multigrid *m)
{
    for (int i = 0; i < m->n_levels; i++) {
        struct level *l = &m->level[i];
        float *const vectors[] = {l->b, l->x, l->t, l->first, l->w, l->u, l->inverse, l->damping};
        smoother_free(l->smoother);
        slice_triangles_free(&l->triangles);
        for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) device_free(vectors[k]);
        sums_free(&l->sums[0]);
        regroup_free(l->regroup);
        aggregation_free(&l->to_coarse);
        if (l->a.arrow && i == 0) l->a.val = l->a.diag = l->a.excess = NULL;
        level_matrix_free(&l->a, i > 0);
    }
    device_free(m->work), device_free(m->inverse), device_free(m->own_place);
    multigrid_forget_steps(m);
    *m = (struct multigrid){.a = m->a, .setting = m->setting, .choice = m->choice, .may_strengthen = m->may_strengthen};
}

struct multigrid *multigrid_create(const struct matrix *a, const struct linear_setting *s, bool singular)
{
    struct multigrid *m;
    NEW(m, 1);
    *m = (struct multigrid){.a = *a, .setting = *s};
    m->setting.singular = singular;
    m->may_strengthen = s->smoother == SMOOTHER_AUTO;
    if (m->may_strengthen) m->setting.smoother = SMOOTHER_BLOCK_JACOBI;
    make(m, NULL, 0);
    return m;
}

bool multigrid_rebuild(struct multigrid *m, const int32_t *parents, int64_t n)
{
    int64_t used = 0;
    int32_t rows = (int32_t)m->a.p.n_global;
    for (int level = 1; parents && used < n; level++) {
        if (level == MOST_LEVELS || n - used < rows) return false;
        int32_t coarse = aggregate_rows(parents + used, rows);
        if (!coarse) return false;
        used += rows, rows = coarse;
    }
    unmake(m);
    make(m, parents, n);
    return true;
}

/* The parents of all rows of a level, numbered over all ranks. */
static void parents_of_all(const struct level *l, int32_t *parents)
{
    const struct aggregation *g = &l->to_coarse;
    const size_t size = sizeof *parents, n = (size_t)l->a.p.n;
    int32_t *child, *start, *own;
    int64_t *made = multigrid_is_shared(l) ? ranks_first(g->n_coarse) : NULL, first = made ? made[ranks_own()] : 0;
    NEW(child, n), NEW(start, g->n_coarse + 1), NEW(own, n);
    device_download(child, g->child, n * size);
    device_download(start, g->child_start, (size_t)(g->n_coarse + 1) * size);
    for (int32_t c = 0; c < g->n_coarse; c++)
        for (int32_t k = start[c]; k < start[c + 1]; k++) own[child[k]] = (int32_t)first + c;
    int32_t *all = made ? ranks_collect(own, (int64_t)n, size, NULL) : own;
    memcpy(parents, all, (size_t)l->a.p.n_global * size);
    if (made) free(all), free(made);
    free(child), free(start), free(own);
}

int64_t multigrid_parents(const struct multigrid *m, int32_t *parents)
{
    int64_t n = 0;
    for (int i = 0; i + 1 < m->n_levels; n += m->level[i++].a.p.n_global)
        if (parents) parents_of_all(&m->level[i], parents + n);
    return n;
}

bool multigrid_may_strengthen(const struct multigrid *m) { return m->may_strengthen; }

void multigrid_strengthen(struct multigrid *m)
{
    int32_t *parents;
    int64_t n = multigrid_parents(m, NULL);
    NEW(parents, n + 1);
    multigrid_parents(m, parents);
    m->may_strengthen = false;
    m->setting.smoother = SMOOTHER_ILU, m->setting.factor_ordering = FACTOR_MULTICOLOUR;
    if (!m->setting.smoothings) m->setting.smoothings = STRONG_SMOOTHINGS;
    multigrid_rebuild(m, parents, n);
    free(parents);
}

void multigrid_set_matrix(struct multigrid *m, const struct matrix *a) { m->a = *a; }

void multigrid_refresh(struct multigrid *m)
{
    if (m->a.block > 1) {
        block_levels_refresh(m);
        return;
    }
    copy_values(m);
    for (int i = 0; i + 1 < m->n_levels; i++) {
        aggregate_values(&m->level[i].a, &m->level[i].to_coarse, multigrid_coarse_matrix(m, i));
        if (m->level[i].regroup) regroup_values(m->level[i].regroup, &m->level[i + 1].a);
    }
    for (int i = 0; m->level[i].smoother; i++) smoother_refresh(m->level[i].smoother);
    struct dense_args dense = multigrid_last_level(m);
    if (m->dense) multigrid_dense_invert(&dense, 1);
}

void multigrid_apply(struct multigrid *m, const double *r, const double *norm2, double *z)
{
    struct begin_args begin = {multigrid_entrance(m), r, norm2};
    struct end_args end = {multigrid_result(m), norm2, z, m->a.block, m->a.p.pitch};
    multigrid_begin(&begin, m->a.p.n_slices);
    multigrid_cycle(m);
    multigrid_end(&end, m->a.p.n_slices);
}

const float *multigrid_result(const struct multigrid *m) { return m->level[0].x; }
int multigrid_levels(const struct multigrid *m) { return m->n_levels; }
int64_t multigrid_rows(const struct multigrid *m, int level) { return m->level[level].a.p.n_global; }

void multigrid_describe(const struct multigrid *m, char *text, size_t size)
{
    const struct cycle_choice *c = &m->choice;
    const bool blocks = m->a.block > 1, in_slices = !blocks && m->setting.smoother == SMOOTHER_BLOCK_JACOBI;
    FILE *out = fmemopen(text, size, "w");
    int n = 0;
    if (!out) die("no memory stream for multigrid's choice");
    while (multigrid_is_k(m, n + 1)) n++;
    fprintf(out, "%d level%s by two steps", n, n == 1 ? "" : "s");
    if (blocks) fprintf(out, ", %d smoothings", multigrid_smoothings(m, 0));
    else fprintf(out, ", over-correction %g", c->factor);
    if (in_slices) fprintf(out, ", %d sweeps", SLICE_SWEEPS);
    if (in_slices && c->weight > 0) fprintf(out, " of weight %g", c->weight);
    if (c->second_once) fprintf(out, ", level 2 smoothed once");
    fprintf(out, ", aggregates of %d", 1 << c->first_pairings);
    if (c->first_pairings != c->pairings) fprintf(out, ", then %d", 1 << c->pairings);
    fclose(out);
}

double multigrid_complexity(const struct multigrid *m)
{
    double stored = 0;
    for (int i = 0; i < m->n_levels; i++) stored += (double)m->level[i].a.p.n_stored;
    return stored / (double)m->level[0].a.p.n_stored;
}

void multigrid_free(struct multigrid *m)
{
    if (!m) return;
    unmake(m);
    free(m);
}

#include "solve/multigrid.h"
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/smoother.h"

/* Below the first two levels one smoothing does as well as two (measured: as many iterations). */
enum { MOST_LEVELS = 16, FEW_SLICES = 264, K_LEVELS = 2, TWICE_SMOOTHED = 2 };

struct level {
    struct level_matrix a;
    struct aggregation to_coarse;       /* not on the last level */
    float *b, *x, *t;           /* [pitch] right-hand side, solution, the guess that is being smoothed */
    float *first, *w;           /* [pitch] K-cycle: solution of the first step, and its product; else NULL */
    struct sums sums[2];        /* K_SUMS each, of the first and of the second step; the partial ones are all levels' */
    struct level_smoother *smoother;    /* NULL: block-Jacobi */
    float *u;                   /* [pitch] between two smoothings by it */
};

struct multigrid {
    struct matrix a;                    /* whose values are taken */
    int n_levels;
    struct level level[MOST_LEVELS];
    int bottom;                         /* from this level on one launch does the cycle; n_levels: on none */
    struct linear_setting setting;
    bool singular, dense;
    double *partial, *work;             /* partial: scratch for the levels' sums */
    float *inverse;
    uint16_t *own_place;                /* [n_padded] of the last level, where nothing is restricted: row in its slice */
};

static float *vector(const struct level *l) { return pattern_alloc(&l->a.p, 1, sizeof(float), "multigrid vectors"); }

static void copy_values(struct multigrid *m)
{
    struct copy_level_args copy = {m->a, m->level[0].a};
    multigrid_copy_level(&copy, m->a.p.n_slices);
}

static struct dense_args last_level(const struct multigrid *m)
{
    const struct level *l = &m->level[m->n_levels - 1];
    return (struct dense_args){l->a, m->singular, m->work, m->inverse, l->b, l->x};
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
    m->partial = device_alloc(K_SUMS * (size_t)m->level[0].a.p.n_slices * sizeof *m->partial, "multigrid sums");
    for (int i = 0; i < m->n_levels; i++) {
        struct level *l = &m->level[i];
        l->b = vector(l), l->x = vector(l), l->t = vector(l);
        if (i == 0 || i > K_LEVELS || i >= m->bottom || i == m->n_levels - 1 || m->setting.cycle == CYCLE_V) continue;
        l->first = vector(l), l->w = vector(l);
        double *total = device_alloc(2 * K_SUMS * sizeof *total, "multigrid sums");
        for (int step = 0; step < 2; step++)
            l->sums[step] = (struct sums){.partial = m->partial, .total = total + step * K_SUMS, .n_slices = l->a.p.n_slices};
    }
    int32_t n = m->level[m->n_levels - 1].a.p.n;
    m->own_place = own_places(m->level[m->n_levels - 1].a.p.n_padded);
    if (!m->dense) return;
    m->work = device_alloc((size_t)n * (size_t)n * sizeof *m->work, "coarsest level");
    m->inverse = device_alloc((size_t)n * (size_t)n * sizeof *m->inverse, "coarsest level");
}

/* Makes the coarse levels, from the values that the finest level has or from n given parents. */
static void make_levels(struct multigrid *m, const int32_t *parents, int64_t n)
{
    for (m->n_levels = 1; m->n_levels < MOST_LEVELS; m->n_levels++) {
        struct level *l = &m->level[m->n_levels - 1];
        if (parents ? n <= 0 : l->a.p.n_global <= DENSE_ROWS) return;
        if (parents) {
            if (!aggregate_given(&l->a, parents, aggregate_rows(parents, l->a.p.n), &l->to_coarse, &l[1].a)) return;
            parents += l->a.p.n, n -= l->a.p.n;
        } else if (!aggregate(&l->a, &l->to_coarse, &l[1].a)) return;
    }
}

/* Makes everything that depends on the structure. */
static void make(struct multigrid *m, const int32_t *parents, int64_t n)
{
    const struct matrix *a = &m->a;
    const struct linear_setting *s = &m->setting;
    struct level_matrix *fine = &m->level[0].a;
    *fine = (struct level_matrix){.p = a->p, .block = 1};
    fine->val = device_alloc((size_t)fine->p.n_stored * sizeof *fine->val, "multigrid entries");
    fine->diag = device_alloc((size_t)fine->p.n_padded * sizeof *fine->diag, "multigrid diagonal");
    fine->excess = device_alloc((size_t)fine->p.n_padded * sizeof *fine->excess, "multigrid diagonal");
    copy_values(m);
    make_levels(m, parents, n);
    m->dense = m->level[m->n_levels - 1].a.p.n_global <= DENSE_ROWS;
    m->bottom = m->n_levels - 1;
    int last_k = s->cycle == CYCLE_V ? -1 : K_LEVELS;
    bool own = s->smoother == SMOOTHER_BLOCK_JACOBI;
    while (own && m->bottom > last_k + 1 && m->n_levels - m->bottom < BOTTOM_LEVELS &&
           m->level[m->bottom - 1].a.p.n_slices == 1) m->bottom--;
    if (!m->dense) m->bottom = m->n_levels;
    allocate_vectors(m);
    for (int i = 0; !own && i + 1 < m->n_levels; i++) {
        m->level[i].smoother = smoother_create(&m->level[i].a, s);
        m->level[i].u = vector(&m->level[i]);
    }
}

static void unmake(struct multigrid *m)
{
    for (int i = 0; i < m->n_levels; i++) {
        struct level *l = &m->level[i];
        float *const vectors[] = {l->b, l->x, l->t, l->first, l->w, l->u};
        smoother_free(l->smoother);
        for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) device_free(vectors[k]);
        device_free(l->sums[0].total);
        aggregation_free(&l->to_coarse);
        level_matrix_free(&l->a, i > 0);
    }
    device_free(m->partial), device_free(m->work), device_free(m->inverse), device_free(m->own_place);
    *m = (struct multigrid){.a = m->a, .singular = m->singular, .setting = m->setting};
}

struct multigrid *multigrid_create(const struct matrix *a, const struct linear_setting *s, bool singular)
{
    struct multigrid *m;
    NEW(m, 1);
    *m = (struct multigrid){.a = *a, .singular = singular, .setting = *s};
    make(m, NULL, 0);
    return m;
}

bool multigrid_rebuild(struct multigrid *m, const int32_t *parents, int64_t n)
{
    int64_t used = 0;
    int32_t rows = m->a.p.n;
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

int64_t multigrid_parents(const struct multigrid *m, int32_t *parents)
{
    int64_t n = 0;
    for (int i = 0; i + 1 < m->n_levels; n += m->level[i++].a.p.n)
        if (parents) device_download(parents + n, m->level[i].to_coarse.parent, (size_t)m->level[i].a.p.n * sizeof *parents);
    return n;
}

void multigrid_set_matrix(struct multigrid *m, const struct matrix *a) { m->a = *a; }

void multigrid_refresh(struct multigrid *m)
{
    copy_values(m);
    for (int i = 0; i + 1 < m->n_levels; i++) aggregate_values(&m->level[i].a, &m->level[i].to_coarse, &m->level[i + 1].a);
    for (int i = 0; m->level[i].smoother; i++) smoother_refresh(m->level[i].smoother);
    struct dense_args dense = last_level(m);
    if (m->dense) multigrid_dense_invert(&dense, 1);
}

static struct restrict_args down_from(const struct multigrid *m, int i)
{
    const struct level *l = &m->level[i];
    const struct aggregation *g = &l->to_coarse;
    if (i == m->n_levels - 1) return (struct restrict_args){.place = m->own_place, .b = l->b};
    return (struct restrict_args){g->slice_start, g->child_start, g->place, l->b, l[1].b};
}

struct restrict_args multigrid_entrance(const struct multigrid *m) { return down_from(m, 0); }

static struct smooth_args prolonging(const struct level *l, float *out)
{
    return (struct smooth_args){l->a, l->b, l[1].x, l->to_coarse.parent, out};
}
static struct smooth_args smoothing(const struct level *l, float *from, float *out)
{
    return (struct smooth_args){l->a, l->b, from, NULL, out};
}

static void bottom(const struct multigrid *m)
{
    struct bottom_args b = {.n = m->n_levels - 1 - m->bottom, .dense = last_level(m)};
    for (int i = 0; i < b.n; i++) {
        const struct level *l = &m->level[m->bottom + i];
        b.down[i] = down_from(m, m->bottom + i);
        bool twice = m->bottom + i < TWICE_SMOOTHED;
        b.up[i] = prolonging(l, twice ? l->t : l->x), b.again[i] = smoothing(l, l->t, twice ? l->x : NULL);
    }
    multigrid_bottom_cycle(&b, 1);
}

/* The solve on the last level where that is too large for an inverse, because the matrix does not coarsen: one
 * smoothing from zero.  It is positive definite however strongly slices are coupled; more of them might diverge. */
static void smooth_last(const struct level *l)
{
    struct fill_args zero = {(double *)l->t, 0};
    struct smooth_args s = smoothing(l, l->t, l->x);
    fill(&zero, l->a.p.n_padded / 2);
    multigrid_smooth(&s, l->a.p.n_slices);
}

/* out = the solution of the next level, prolonged to this one and smoothed. */
static void smooth_level(const struct level *l, bool twice, float *out)
{
    struct smooth_args up = prolonging(l, twice || l->smoother ? l->t : out), again = smoothing(l, l->t, out);
    bool few = l->a.p.n_slices <= FEW_SLICES;
    if (l->smoother) {
        multigrid_prolong(&up, l->a.p.n_padded);
        smoother_apply(l->smoother, SMOOTH_AFTER, l->b, l->t, twice ? l->u : out);
        if (twice) smoother_apply(l->smoother, SMOOTH_BEFORE, l->b, l->u, out);
    } else {
        halo_update_single(l[1].a.p.halo, l[1].x, 1);      /* neighbours' parents are coarse rows of other ranks */
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
        smooth_last(l);
        return;
    }
    if (coarse->first) krylov(m, i + 1);
    else {
        struct restrict_args down = down_from(m, i + 1);
        if (down.coarse_b && i + 1 < m->bottom) multigrid_restrict(&down, coarse->a.p.n_slices);
        cycle(m, i + 1, coarse->x);
    }
    smooth_level(l, i < TWICE_SMOOTHED, out);
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
                            l->a.p.n_slices <= FOLDED_SLICES, {l->sums[0], l->sums[1]}};
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

const float *multigrid_result(const struct multigrid *m) { return m->level[0].x; }
int multigrid_levels(const struct multigrid *m) { return m->n_levels; }
int64_t multigrid_rows(const struct multigrid *m, int level) { return m->level[level].a.p.n_global; }

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

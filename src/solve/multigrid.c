#include "solve/multigrid.h"
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/multigrid_kernels.h"

enum { MOST_LEVELS = 16, K_LEVELS = 2, LAST_SMOOTHINGS = 16 };

struct level {
    struct level_matrix a;
    struct aggregation to_coarse;       /* not on the last level */
    float *b, *x, *t;           /* [n_padded] right-hand side, solution, the guess that is being smoothed */
    float *first, *w, *v;       /* [n_padded] K-cycle */
    double *total;              /* [2 K_SUMS] */
};

struct multigrid {
    const struct mod_sell *a;
    int n_levels;
    struct level level[MOST_LEVELS];
    bool singular, dense;
    double *partial, *work;
    float *inverse;
};

static float *vector(const struct level *l) { return device_alloc((size_t)l->a.n_padded * sizeof(float), "multigrid vectors"); }

static void copy_values(struct multigrid *m)
{
    struct level_matrix *fine = &m->level[0].a;
    struct to_single_args entries = {m->a->val, fine->val, NULL}, diagonal = {m->a->diag, fine->diag, NULL};
    to_single(&entries, fine->n_stored);
    to_single(&diagonal, fine->n_padded);
}

static struct dense_args last_level(const struct multigrid *m)
{
    const struct level *l = &m->level[m->n_levels - 1];
    return (struct dense_args){l->a, m->singular, m->work, m->inverse, l->b, l->x};
}

static void allocate_vectors(struct multigrid *m)
{
    for (int i = 0; i < m->n_levels; i++) {
        struct level *l = &m->level[i];
        l->b = vector(l), l->x = vector(l), l->t = vector(l);
        if (i == 0 || i > K_LEVELS || i == m->n_levels - 1) continue;
        l->first = vector(l), l->w = vector(l), l->v = vector(l);
        l->total = device_alloc(2 * K_SUMS * sizeof *l->total, "multigrid sums");
    }
    m->partial = device_alloc(K_SUMS * (size_t)m->level[0].a.n_slices * sizeof *m->partial, "multigrid sums");
    int32_t n = m->level[m->n_levels - 1].a.n;
    m->dense = n <= DENSE_ROWS;
    if (!m->dense) return;
    m->work = device_alloc((size_t)n * (size_t)n * sizeof *m->work, "coarsest level");
    m->inverse = device_alloc((size_t)n * (size_t)n * sizeof *m->inverse, "coarsest level");
}

struct multigrid *multigrid_create(const struct mod_sell *a, bool singular)
{
    struct multigrid *m;
    NEW(m, 1);
    m->a = a;
    m->singular = singular;
    struct level_matrix *fine = &m->level[0].a;
    *fine = (struct level_matrix){.n = a->n, .n_slices = a->n_slices, .n_padded = a->n_padded, .n_stored = a->n_stored,
                                  .warp_start = a->warp_start, .col = a->col};
    fine->val = device_alloc((size_t)fine->n_stored * sizeof *fine->val, "multigrid entries");
    fine->diag = device_alloc((size_t)fine->n_padded * sizeof *fine->diag, "multigrid diagonal");
    copy_values(m);
    for (m->n_levels = 1; m->n_levels < MOST_LEVELS; m->n_levels++) {
        struct level *l = &m->level[m->n_levels - 1];
        if (l->a.n <= DENSE_ROWS || !aggregate(&l->a, &l->to_coarse, &l[1].a)) break;
    }
    allocate_vectors(m);
    return m;
}

void multigrid_refresh(struct multigrid *m)
{
    copy_values(m);
    for (int i = 0; i + 1 < m->n_levels; i++) aggregate_values(&m->level[i].a, &m->level[i].to_coarse, &m->level[i + 1].a);
    struct dense_args dense = last_level(m);
    if (m->dense) dense_invert(&dense, 1);
}

static void smooth_once(const struct level *l, const float *from, float *to)
{
    struct smooth_args s = {l->a, l->b, from, to};
    (from ? smooth : smooth_from_zero)(&s, l->a.n_slices);
}

static void krylov(struct multigrid *m, int i);

/* level[i].x = about the solution for level[i].b. */
static void cycle(struct multigrid *m, int i)
{
    struct level *l = &m->level[i], *coarse = l + 1;
    if (i == m->n_levels - 1) {
        struct dense_args dense = last_level(m);
        if (m->dense) dense_solve(&dense, 1);
        else for (int k = 0; k < LAST_SMOOTHINGS; k++) smooth_once(l, k ? (k % 2 ? l->t : l->x) : NULL, k % 2 ? l->x : l->t);
        return;
    }
    smooth_once(l, NULL, l->t);
    const struct aggregation *g = &l->to_coarse;
    struct restrict_args down = {l->a, l->b, l->t, g->slice_start, g->child, g->child_start, coarse->b};
    residual_restrict(&down, l->a.n_slices);
    if (coarse->first) krylov(m, i + 1);
    else cycle(m, i + 1);
    struct prolong_args up = {g->parent, coarse->x, l->t};
    prolong(&up, l->a.n);
    smooth_once(l, l->t, l->x);
}

static void krylov(struct multigrid *m, int i)
{
    struct level *l = &m->level[i];
    struct krylov_args k = {l->a, l->x, l->b, l->first, l->w, l->v, 0, m->partial, l->total};
    struct finish_args sums = {m->partial, l->total, l->a.n_slices};
    cycle(m, i);
    krylov_product(&k, l->a.n_slices);
    finish_sum(&sums, K_SUMS);
    krylov_step(&k, l->a.n_padded);
    cycle(m, i);
    k.second = 1;
    sums.total = l->total + K_SUMS;
    krylov_product(&k, l->a.n_slices);
    finish_sum(&sums, K_SUMS);
    krylov_combine(&k, l->a.n_padded);
}

void multigrid_cycle(struct multigrid *m, const double *r, const double *norm2)
{
    struct to_single_args start = {r, m->level[0].b, norm2};
    to_single(&start, m->level[0].a.n_padded);
    cycle(m, 0);
}

const float *multigrid_result(const struct multigrid *m) { return m->level[0].x; }
int multigrid_levels(const struct multigrid *m) { return m->n_levels; }
int64_t multigrid_rows(const struct multigrid *m, int level) { return m->level[level].a.n; }

double multigrid_complexity(const struct multigrid *m)
{
    double stored = 0;
    for (int i = 0; i < m->n_levels; i++) stored += (double)m->level[i].a.n_stored;
    return stored / (double)m->level[0].a.n_stored;
}

void multigrid_free(struct multigrid *m)
{
    if (!m) return;
    for (int i = 0; i < m->n_levels; i++) {
        struct level *l = &m->level[i];
        float *const vectors[] = {l->b, l->x, l->t, l->first, l->w, l->v};
        for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) device_free(vectors[k]);
        device_free(l->total);
        aggregation_free(&l->to_coarse);
        level_matrix_free(&l->a, i > 0);
    }
    device_free(m->partial), device_free(m->work), device_free(m->inverse);
    free(m);
}

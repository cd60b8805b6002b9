/* Preconditioner ic0: incomplete Cholesky without fill, M^-1 = L D^-1 L^T (incomplete_cholesky.h).  `triangular`
 * selects how the factor is computed and its triangles are solved: level by level; by fixed-point and Jacobi sweeps; by
 * fixed-point sweeps and sparse approximate inverses; or on the host, row after row, as a reference. */
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/study/incomplete_cholesky.h"
#include "solve/preconditioner.h"

struct ic0 {
    struct preconditioner base;
    struct incomplete_cholesky *factor;
};

static const char *refresh(struct preconditioner *p)
{
    return incomplete_cholesky_factor(((struct ic0 *)p)->factor, &p->a);
}

static void apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    (void)norm2;
    incomplete_cholesky_solve(((struct ic0 *)p)->factor, r, z);
}

static void release(struct preconditioner *p)
{
    incomplete_cholesky_free(((struct ic0 *)p)->factor);
    free(p);
}

static struct preconditioner *on_device(const struct matrix *a, int32_t block_rows, enum ic_schedule schedule,
                                         const struct linear_setting *s, struct error *e)
{
    struct incomplete_cholesky *factor = incomplete_cholesky_create(a, block_rows, schedule, s, e);
    struct ic0 *m;
    if (!factor) return NULL;
    NEW(m, 1);
    m->factor = factor;
    m->base = (struct preconditioner){.refresh = refresh, .apply = apply, .free = release};
    return &m->base;
}

/* ---------------------------------------------------------------- on the host */
struct host_ic0 {
    struct preconditioner base;
    struct lower_rows l;
    double *value, *pivot;      /* of the entries; of the rows */
    double *x, *other;          /* [n] in the order of elimination; in the matrix's order */
    char why[160];
};

static const char *host_refresh(struct preconditioner *p)
{
    struct host_ic0 *m = (struct host_ic0 *)p;
    const struct lower_rows *l = &m->l;
    double *val, *of;                           /* of: l_ij of row i, by column */
    NEW(val, p->a.p.n_stored), NEW(of, l->n);
    device_download(val, p->a.val, (size_t)p->a.p.n_stored * sizeof *val);
    device_download(m->other, p->a.diag, (size_t)l->n * sizeof *m->other);
    for (int32_t r = 0; r < l->n; r++) m->pivot[r] = m->other[l->order[r]];
    int32_t i = 0;
    for (bool positive = true; i < l->n && positive; i += positive) {
        double least = 1e-14 * m->pivot[i];
        for (int64_t e = l->start[i]; e < l->start[i + 1]; e++) {
            int32_t j = l->column[e];
            double v = val[l->place[e]];
            for (int64_t o = l->start[j]; o < l->start[j + 1]; o++)
                v -= of[l->column[o]] * m->value[o] / m->pivot[l->column[o]];
            m->value[e] = of[j] = v;
            m->pivot[i] -= v * v / m->pivot[j];
        }
        for (int64_t e = l->start[i]; e < l->start[i + 1]; e++) of[l->column[e]] = 0;
        positive = m->pivot[i] > 0 && m->pivot[i] > least;
    }
    free(val), free(of);
    if (i == l->n) return NULL;
    snprintf(m->why, sizeof m->why, IC_PIVOT_MESSAGE, l->order[i] + 1LL, (long long)l->n, m->pivot[i]);
    return m->why;
}

static void host_apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    struct host_ic0 *m = (struct host_ic0 *)p;
    const struct lower_rows *l = &m->l;
    double *x = m->x;
    (void)norm2;
    device_download(m->other, r, (size_t)l->n * sizeof *x);
    for (int32_t i = 0; i < l->n; i++) {
        x[i] = m->other[l->order[i]];
        for (int64_t e = l->start[i]; e < l->start[i + 1]; e++) x[i] -= m->value[e] * x[l->column[e]];
        x[i] /= m->pivot[i];
    }
    for (int32_t i = l->n; i-- > 0;)
        for (int64_t e = l->start[i]; e < l->start[i + 1]; e++)
            x[l->column[e]] -= m->value[e] * x[i] / m->pivot[l->column[e]];
    for (int32_t i = 0; i < l->n; i++) m->other[l->order[i]] = x[i];
    device_upload(z, m->other, (size_t)l->n * sizeof *x);
}

static void host_release(struct preconditioner *p)
{
    struct host_ic0 *m = (struct host_ic0 *)p;
    lower_rows_free(&m->l);
    free(m->value), free(m->pivot), free(m->x), free(m->other);
    free(m);
}

static struct preconditioner *on_host(const struct matrix *a, enum factor_ordering ordering)
{
    struct host_ic0 *m;
    NEW(m, 1);
    lower_rows_create(&m->l, a, a->p.n, ordering);
    NEW(m->value, m->l.start[a->p.n]), NEW(m->pivot, a->p.n), NEW(m->x, a->p.n), NEW(m->other, a->p.n);
    m->base = (struct preconditioner){.refresh = host_refresh, .apply = host_apply, .free = host_release,
                                      .on_host = true};
    return &m->base;
}

struct preconditioner *ic0_create(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    if (s->triangular == TRIANGULAR_HOST) return on_host(a, s->factor_ordering);
    return on_device(a, a->p.n, s->triangular == TRIANGULAR_LEVELS ? IC_LEVELS : IC_SWEEPS, s, e);
}

/* Block-IC(g) (Gupta et al. 2011, section 3.1): the same for the diagonal blocks of g consecutive rows, all at once.
 * With several ranks each block must be on one rank. */
struct preconditioner *block_ic_create(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    if (a->p.first % s->block_rows)
        return refuse(e, EXIT_INPUT, "block-ic: blocks of %d rows are cut where a rank's part ends; expected block_rows"
                      " that divides %d", s->block_rows, SLICE), NULL;
    return on_device(a, s->block_rows, IC_BLOCKS, s, e);
}

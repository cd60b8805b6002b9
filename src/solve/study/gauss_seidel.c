/* Gauss-Seidel on the host, row after row (Wikberg 2024, section 4.2; Thomas et al. 2021, section 6.1.1): the reference
 * for the parallel methods.  x_i = (1 - omega) x_i + omega (b_i - sum of a_ij x_j) / a_ii, from zero, forwards, or
 * forwards and backwards: the latter is symmetric, and positive definite for 0 < omega < 2. */
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/preconditioner.h"

struct gauss_seidel {
    struct preconditioner base;
    int sweeps;
    bool symmetric;
    double damping;
    int64_t *start;             /* CSR, the diagonal first in each row */
    int32_t *column;
    double *value, *b, *x;
};

static const char *refresh(struct preconditioner *base)
{
    struct gauss_seidel *g = (struct gauss_seidel *)base;
    free(g->start), free(g->column), free(g->value);
    matrix_download(&g->base.a, &g->start, &g->column, &g->value);
    return NULL;
}

static void relax(const struct gauss_seidel *g, int32_t i)
{
    double sum = g->b[i];
    for (int64_t k = g->start[i] + 1; k < g->start[i + 1]; k++) sum -= g->value[k] * g->x[g->column[k]];
    g->x[i] += g->damping * (sum / g->value[g->start[i]] - g->x[i]);
}

static void apply(struct preconditioner *base, const double *r, const double *norm2, double *z)
{
    const struct gauss_seidel *g = (struct gauss_seidel *)base;
    size_t bytes = (size_t)g->base.a.p.n * sizeof *g->x;
    (void)norm2;
    device_download(g->b, r, bytes);
    for (int32_t i = 0; i < g->base.a.p.n; i++) g->x[i] = 0;
    for (int s = 0; s < g->sweeps; s++) {
        for (int32_t i = 0; i < g->base.a.p.n; i++) relax(g, i);
        for (int32_t i = g->base.a.p.n - 1; g->symmetric && i >= 0; i--) relax(g, i);
    }
    device_upload(z, g->x, bytes);
}

static void free_preconditioner(struct preconditioner *base)
{
    struct gauss_seidel *g = (struct gauss_seidel *)base;
    free(g->start), free(g->column), free(g->value), free(g->b), free(g->x), free(g);
}

struct preconditioner *gauss_seidel_create(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    struct gauss_seidel *g;
    (void)e;
    NEW(g, 1);
    g->base = (struct preconditioner){.refresh = refresh, .apply = apply, .free = free_preconditioner, .on_host = true,
                                      .variable = s->direction == DIRECTION_FORWARD};
    g->sweeps = s->sweeps;
    g->symmetric = s->direction == DIRECTION_SYMMETRIC;
    g->damping = s->damping;
    NEW(g->b, a->p.n), NEW(g->x, a->p.n);
    return &g->base;
}

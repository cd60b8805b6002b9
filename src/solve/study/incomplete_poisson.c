/* Preconditioner incomplete-poisson (Ament et al. 2010; Gupta et al. 2011, section 3.2), two passes over the matrix:
 *     M = (I - L D^-1)(I - D^-1 L^T),                                       scaling none
 *     M = D^-1/2 (I - L')(I - L'^T) D^-1/2,  L' = D^-1/2 L D^-1/2           scaling diagonal,
 * L the strict lower triangle of A, D its diagonal.  The second one is q = D^-1 r, w = q - D^-1 L^T q, z = w - D^-1 L
 * w; the first one w = r - D^-1 L^T r, y = D^-1 w, z = D (y - D^-1 L y). */
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/sweep.h"

/* out = x - D^-1 P x. */
static void less(struct sweep_list *l, enum sweep_part part, int x, int out)
{
    struct scaled_vector v = {x, 1};
    struct sweep_step s = sweep_begin(part, v, 1);
    sweep_term(&s, v, 1);
    sweep_add(l, s, out);
}

void incomplete_poisson_steps(struct sweep_list *l)
{
    less(l, SWEEP_UPPER, SWEEP_SCALED, SWEEP_OWN);
    less(l, SWEEP_LOWER, SWEEP_OWN, SWEEP_RESULT);
}

/* ---------------------------------------------------------------- unscaled */
struct unscaled {
    struct preconditioner base;
    struct sweeps sweeps;
    struct sweep_list upper, lower;
    double *w;                  /* [pitch] */
};

static const char *refresh(struct preconditioner *p)
{
    struct unscaled *m = (struct unscaled *)p;
    m->sweeps.val = p->a.val, m->sweeps.diag = p->a.diag;
    sweeps_refresh(&m->sweeps);
    return NULL;
}

static void apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    const struct unscaled *m = (const struct unscaled *)p;
    struct divide_args times_diagonal = {z, m->sweeps.inverse, z};
    (void)norm2;
    sweeps_run(&m->sweeps, &m->upper, r, r, m->w, NULL, NULL);
    sweeps_run(&m->sweeps, &m->lower, m->w, NULL, z, NULL, NULL);
    divide(&times_diagonal, p->a.p.n_padded);
}

static void release(struct preconditioner *p)
{
    struct unscaled *m = (struct unscaled *)p;
    sweeps_free(&m->sweeps);
    sweep_list_free(&m->upper), sweep_list_free(&m->lower);
    device_free(m->w);
    free(m);
}

struct preconditioner *incomplete_poisson_create(const struct matrix *a, const struct linear_setting *s,
                                                 struct error *e)
{
    struct unscaled *m;
    if (s->scaling == SCALING_DIAGONAL) return sweep_preconditioner(a, s, e);
    NEW(m, 1);
    less(&m->upper, SWEEP_UPPER, SWEEP_GUESS, SWEEP_RESULT);
    less(&m->lower, SWEEP_LOWER, SWEEP_SCALED, SWEEP_RESULT);
    m->sweeps = (struct sweeps){.p = a->p, .val = a->val, .diag = a->diag};
    sweeps_create(&m->sweeps, (struct sweep_list *[]){&m->upper, &m->lower}, 2);
    m->w = pattern_alloc(&a->p, 1, sizeof *m->w, "incomplete Poisson");
    m->base = (struct preconditioner){.refresh = refresh, .apply = apply, .free = release};
    return &m->base;
}

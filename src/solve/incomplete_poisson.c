/* Preconditioner incomplete-poisson (Ament et al. 2010; Gupta et al. 2011, section 3.2), two passes over the matrix:
 *     M = (I - L D^-1)(I - D^-1 L^T),                                       scaling none
 *     M = D^-1/2 (I - L')(I - L'^T) D^-1/2,  L' = D^-1/2 L D^-1/2           scaling diagonal,
 * L the strict lower triangle of A, D its diagonal.  The second one is q = D^-1 r, w = q - D^-1 L^T q, z = w - D^-1 L
 * w. */
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/preconditioner.h"
#include "solve/triangle_pass.h"

struct incomplete_poisson {
    struct preconditioner base;
    double *w, *q;              /* [pitch]; q: NULL without scaling */
};

static const char *refresh(struct preconditioner *p)
{
    (void)p;
    return NULL;
}

static void apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    struct incomplete_poisson *m = (struct incomplete_poisson *)p;
    struct triangle_args scale = {m->base.a, NULL, r, m->q},
                         upper = {m->base.a, m->q ? m->q : r, m->q ? m->q : r, m->w},
                         lower = {m->base.a, m->w, m->w, z};
    (void)norm2;
    if (m->q) triangle_scale(&scale, m->base.a.p.n_padded);
    halo_update(m->base.a.p.halo, upper.in, 1);
    (m->q ? triangle_upper : triangle_poisson_upper)(&upper, m->base.a.p.n_slices);
    halo_update(m->base.a.p.halo, lower.in, 1);
    (m->q ? triangle_lower : triangle_poisson_lower)(&lower, m->base.a.p.n_slices);
}

static void release(struct preconditioner *p)
{
    struct incomplete_poisson *m = (struct incomplete_poisson *)p;
    device_free(m->w), device_free(m->q);
    free(m);
}

struct preconditioner *incomplete_poisson_create(const struct matrix *a, const struct linear_setting *s,
                                                 bool singular, struct error *e)
{
    struct incomplete_poisson *m;
    bool scaled = s->scaling == SCALING_DIAGONAL;
    int64_t x = 8 * a->p.n_padded;
    (void)singular, (void)e;
    NEW(m, 1);
    m->base = (struct preconditioner){.refresh = refresh, .apply = apply, .free = release,
                                      .bytes = 2 * matrix_bytes(a) + (scaled ? 3 * x : 0)};
    m->w = pattern_alloc(&a->p, 1, sizeof *m->w, "incomplete Poisson");
    if (scaled) m->q = pattern_alloc(&a->p, 1, sizeof *m->q, "incomplete Poisson");
    return &m->base;
}

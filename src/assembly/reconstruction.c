#include "assembly/reconstruction.h"
#include <string.h>
#include "assembly/gradient.h"
#include "assembly/reconstruction_kernels.h"
#include "assembly/reconstruction_setup.h"
#include "gpu/device.h"

void reconstruction_create(struct reconstruction *r, const struct stencil *s, const struct boundary *b, const struct mesh *m)
{
    int dim = s->dim;
    memset(r, 0, sizeof *r);
    r->s = *s, r->b = *b;
    r->n_second = dim * (dim + 1) / 2;
    r->regular = s->orthogonal && s->unskewed;
    reconstruction_setup(r, m);
    r->wall = device_alloc((size_t)dim * (size_t)s->n_boundary * sizeof(double), "wall shear");
    r->wall_own = device_alloc((size_t)s->n_boundary * sizeof(double), "wall shear");
    struct reconstruction_args own = {.r = *r};
    reconstruct_wall_own(&own, s->n_boundary_cells);
    if (r->regular) return;
    size_t cells = (size_t)s->n_padded * sizeof(double), faces = (size_t)s->n_internal * sizeof(double);
    r->mean = device_alloc((size_t)(dim * dim) * cells, "mean gradient");
    r->second = device_alloc((size_t)(dim * r->n_second) * cells, "second derivatives");
    r->through = device_alloc(faces, "flux correction");
    r->deferred = device_alloc((size_t)dim * faces, "viscous correction");
}

void reconstruction_free(struct reconstruction *r)
{
    const void *arrays[] = {r->own, r->error, r->matrix, r->listed, r->moment, r->bend, r->cell, r->start, r->column, r->coefficient,
                            r->mean, r->second, r->through, r->deferred, r->wall, r->wall_own};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free((void *)arrays[i]);
    memset(r, 0, sizeof *r);
}

void reconstruct(struct reconstruction *r, const double *u, double *result)
{
    const struct stencil *s = &r->s;
    struct reconstruction_args a = {.r = *r, .u = u};
    if (r->regular) {
        if (result) gradient(s, GRADIENT_LEAST_SQUARES, s->dim, u, r->b.velocity, result, NULL);
        reconstruct_listed(&a, r->n_listed);
        return;
    }
    a.gradient = r->averaged ? result : r->mean;
    gradient(s, GRADIENT_LEAST_SQUARES, s->dim, u, r->b.velocity, a.gradient, NULL);
    reconstruct_listed(&a, r->n_listed);
    if (r->averaged) reconstruct_mean(&a, s->n_slices);
    a.gradient = result;
    reconstruct_second(&a, s->n_slices);
}

void reconstruct_at_faces(struct reconstruction *r, const double *u, const double *gradient, const struct reconstruction_fluid *fluid)
{
    struct reconstruction_args a = {.r = *r, .with_deferred = fluid != NULL, .u = u, .gradient = (double *)gradient};
    if (fluid) a.fluid = *fluid;
    if (!r->regular) reconstruct_faces(&a, r->s.n_internal);
}

#include "assembly/reconstruction.h"
#include <string.h>
#include "assembly/gradient.h"
#include "assembly/reconstruction_kernels.h"
#include "assembly/reconstruction_setup.h"
#include "gpu/device.h"

int64_t reconstruction_work(const struct stencil *s)
{
    int n_second = s->dim * (s->dim + 1) / 2;           /* in single precision; n_padded is even */
    return s->orthogonal && s->unskewed ? 0 : s->dim * s->dim * s->n_padded + s->dim * n_second * s->n_padded / 2;
}

void reconstruction_create(struct reconstruction *r, const struct stencil *s, const struct boundary *b,
                           const struct mesh *m, double *work)
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
    size_t faces = (size_t)s->n_internal * sizeof(double);
    r->listed_second = device_alloc((size_t)(dim * r->n_second) * (size_t)r->n_listed * sizeof(float), "second derivatives");
    r->mean = work;
    r->second = (float *)(work + dim * dim * s->n_padded);
    r->through = device_alloc(faces, "flux correction");
    r->deferred = device_alloc((size_t)dim * faces, "viscous correction");
}

void reconstruction_free(struct reconstruction *r)
{
    const void *arrays[] = {r->own, r->error.value, r->error.scale, r->matrix.value, r->matrix.scale, r->listed_second,
                            r->moment.value, r->moment.scale, r->cell, r->start, r->column, r->coefficient,
                            r->through, r->deferred, r->wall, r->wall_own};
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
    reconstruct_listed_second(&a, r->n_listed);
}

void reconstruct_at_faces(struct reconstruction *r, const double *u, const double *gradient,
                          const struct reconstruction_fluid *fluid)
{
    static void (*const faces[3][3])(const struct reconstruction_args *, int64_t) = {
        {faces_2d_flux, faces_2d_forces, faces_2d_mixture}, {faces_3d_flux, faces_3d_forces, faces_3d_mixture},
        {faces_bent_flux, faces_bent_forces, faces_bent_mixture}};
    struct reconstruction_args a = {.r = *r, .u = u, .gradient = (double *)gradient};
    if (r->regular) return;
    if (fluid) a.fluid = *fluid;
    faces[r->s.dim == 2 ? 0 : r->s.bend ? 2 : 1][!fluid ? 0 : fluid->viscosity_faces ? 2 : 1](&a, r->s.n_internal);
    if (r->s.skew_part) limit_through(&a, r->s.n_internal);
}

/* Allocates the quadratic reconstruction and launches its kernels (reconstruction.h). */
#include "assembly/reconstruction.h"
#include <string.h>
#include "assembly/gradient.h"
#include "assembly/reconstruction_setup.h"
#include "gpu/device.h"
#include "gpu/stale.h"

static bool is_regular(const struct stencil *s) { return s->orthogonal && s->unskewed; }

int reconstruction_work(const struct stencil *s, enum accuracy accuracy)
{
    int n_second = s->dim * (s->dim + 1) / 2;           /* stored as floats, two in the space of a double */
    if (is_regular(s)) return 0;
    return s->dim * s->dim + (accuracy == ACCURACY_HIGH ? s->dim * n_second / 2 : 0);
}

void reconstruction_create(struct reconstruction *r, const struct stencil *s, const struct boundary *b,
                           const struct mesh *m, enum accuracy accuracy, double *work)
{
    int dim = s->dim;
    memset(r, 0, sizeof *r);
    r->s = *s, r->b = *b;
    r->n_second = dim * (dim + 1) / 2;
    r->regular = is_regular(s);
    r->quadratic = !r->regular && accuracy == ACCURACY_HIGH;
    reconstruction_setup(r, m);
    r->wall = device_alloc((size_t)dim * (size_t)s->n_boundary * sizeof(double), "wall shear");
    if (r->regular) return;
    r->mean = work;
    r->through = device_alloc((size_t)s->n_faces * sizeof(double), "flux correction");
    r->outlet = device_alloc((size_t)dim * (size_t)s->n_boundary * sizeof(double), "velocity at outlets");
    r->deferred = device_alloc((size_t)dim * (size_t)s->n_internal * sizeof(double), "viscous correction");
    if (!r->quadratic) return;
    r->listed_second = device_alloc((size_t)(dim * r->n_second * r->list.n) * sizeof(float), "second derivatives");
    r->second = (float *)(work + dim * dim * s->pitch);
}

void reconstruction_free(struct reconstruction *r)
{
    const void *arrays[] = {
        r->own, r->error.value, r->error.scale, r->matrix.value, r->matrix.scale, r->moment.value, r->moment.scale,
        r->list.row, r->list.start, r->list.column, r->slope, r->bow, r->listed_second,
        r->walls.row, r->walls.start, r->walls.column, r->shear, r->wall, r->wall_own, r->through, r->outlet,
        r->deferred};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free((void *)arrays[i]);
    memset(r, 0, sizeof *r);
}

static int64_t warps_of(const struct fits *f) { return (f->n + WARP - 1) / WARP; }

/* a from the plain gradients. */
static void average(const struct reconstruction *r, const double *plain, double *averaged)
{
    const int count = r->s.dim * r->s.dim;
    halo_update(r->s.pattern.halo, plain, count);
    gradient_mean(&(struct gradient_mean_args){.s = r->s, .own = r->own, .count = count, .plain = plain,
                                               .mean = averaged}, r->s.n_slices);
}

/* The gradients without second derivatives: least-squares gradients, averaged with the neighbours or not. */
static void linear(struct reconstruction *r, const double *u, double *result)
{
    if (!result) return;
    gradient(&r->s, GRADIENT_LEAST_SQUARES, r->s.dim, u, r->b.velocity, r->averaged ? r->mean : result, NULL);
    if (r->averaged) average(r, r->mean, result);
}

/* `second` is in single precision; the solver uses the same memory for vectors in double precision (gpu/stale.h). */
static void second_is_other(const struct reconstruction *r)
{
    if (GHOSTS_NAN && r->quadratic)
        stale_forget(r->second, (size_t)(r->s.dim * r->n_second * r->s.pitch) * sizeof *r->second);
}

static void quadratic(struct reconstruction *r, const double *u, double *result)
{
    const struct stencil *s = &r->s;
    const struct halo *h = s->pattern.halo;
    struct reconstruction_args a = {.r = *r, .u = u, .averaged = r->mean, .gradient = result};
    a.plain = r->averaged ? result : r->mean;
    gradient(s, GRADIENT_LEAST_SQUARES, s->dim, u, r->b.velocity, a.plain, NULL);
    halo_update(s->far, u, s->dim);
    reconstruct_listed(&a, warps_of(&r->list));
    if (r->averaged) average(r, a.plain, a.averaged);
    halo_update(h, a.averaged, s->dim * s->dim);
    second_is_other(r);
    reconstruct_second(&a, s->n_slices);
    reconstruct_listed_second(&a, r->list.n);
}

void reconstruct(struct reconstruction *r, const double *u, double *result)
{
    struct reconstruction_args a = {.r = *r, .u = u};
    if (r->quadratic) quadratic(r, u, result);
    else linear(r, u, result);
    if (!result) halo_update(r->s.pattern.halo, u, r->s.dim);           /* else gradient() has done so */
    if (!r->quadratic) halo_update(r->s.far, u, r->s.dim);
    reconstruct_walls(&a, warps_of(&r->walls));
}

void reconstruct_at_faces(struct reconstruction *r, const double *u, const double *gradient,
                          const struct reconstruction_fluid *fluid)
{
    static void (*const faces[2][3][2])(const struct reconstruction_args *, int64_t) = {
        {{linear_2d_flux, linear_2d_forces}, {linear_3d_flux, linear_3d_forces},
         {linear_bent_flux, linear_bent_forces}},
        {{faces_2d_flux, faces_2d_forces}, {faces_3d_flux, faces_3d_forces}, {faces_bent_flux, faces_bent_forces}}};
    struct reconstruction_args a = {.r = *r, .u = u, .gradient = (double *)gradient};
    int dim = r->s.dim, kind = dim == 2 ? 0 : r->s.bend ? 2 : 1;
    const struct halo *h = r->s.pattern.halo;
    if (r->regular) return;
    halo_update(h, gradient, dim * dim);
    if (r->s.bend) halo_update(h, u, dim);
    if (r->quadratic) halo_update_single(h, r->second, dim * r->n_second);
    if (fluid) a.fluid = *fluid;
    faces[r->quadratic][kind][fluid != NULL](&a, r->s.n_active);
    reconstruct_outlets(&a, r->s.n_boundary);
    second_is_other(r);
    if (r->s.skew_part) limit_through(&a, r->s.n_active);
}

void reconstruct_at_outlets(const struct reconstruction *r, const double *u, const double *gradient, double *outlet)
{
    struct reconstruction_args a = {.r = *r, .u = u, .gradient = (double *)gradient};
    if (r->regular) return;
    a.r.outlet = outlet;
    reconstruct_outlets(&a, r->s.n_boundary);
    second_is_other(r);
}

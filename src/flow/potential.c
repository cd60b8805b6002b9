/* Solves for a potential flow as the initial velocity (potential.h). */
#include "flow/potential.h"
#include <math.h>
#include <stdlib.h>
#include "assembly/boundary_parts.h"
#include "assembly/gradient.h"
#include "assembly/pressure.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "gpu/vector.h"

static const double tolerance = 1e-4;           /* of a solve: the rest is a small error of the initial field */
enum { CORRECTORS = 3 };                        /* if cells are not orthogonal: an odd number, as in SIMPLE */

struct potential {
    struct flow *f;
    struct boundary b;          /* with the potential at outlets as `pressure` */
    double *q, *one, *coefficient, *flat, *slope, *cross;
};

static double *zeros(int64_t n)
{
    double *x = device_alloc((size_t)n * sizeof *x, "potential");
    fill(&(struct fill_args){x, 0}, n);
    return x;
}

/* Pressures alone drive this part of the mesh: the potential has a difference there. */
static bool is_pulled(const struct flow *f, int32_t part)
{
    const struct boundary_parts *parts = f->b.parts;
    return parts->pulled[part] && parts->low[part] < parts->high[part] && !f->c->initial.values;
}

static bool is_any_pulled(const struct flow *f)
{
    for (int32_t k = 0; k < f->b.parts->n; k++) if (is_pulled(f, k)) return true;
    return false;
}

/* The given pressures of these parts less the lowest of each, [n_boundary]. */
static void give_potential(const struct flow *f, double *potential)
{
    const struct boundary_parts *parts = f->b.parts;
    const int32_t n = f->s.n_boundary;
    double *q;
    NEW(q, n);
    device_download(q, f->b.given_pressure, (size_t)n * sizeof *q);
    for (int32_t i = 0; i < n; i++) {
        const int32_t k = boundary_part_at(parts, f->given.m, f->s.n_internal + i);
        q[i] = is_pulled(f, k) ? q[i] - parts->low[k] : 0;
    }
    device_upload(potential, q, (size_t)n * sizeof *q);
    free(q);
}

static double square_of(const struct flow *f, const double *u, int32_t cell)
{
    double square = 0;
    for (int k = 0; k < f->s.dim; k++) square += u[k * f->s.pitch + cell] * u[k * f->s.pitch + cell];
    return square;
}

/* The velocity's factor in every part, [n]: its fastest cell becomes as fast as the pressures allow. */
static double *factors(const struct flow *f, const double *u)
{
    const struct boundary_parts *parts = f->b.parts;
    double *scale;
    NEW(scale, parts->n);
    for (int32_t c = 0; c < f->s.n_cells; c++) {
        double *most = &scale[boundary_part(parts, f->given.m, c)];
        *most = fmax(*most, square_of(f, u, c));
    }
    largest_over_ranks(scale, parts->n);
    for (int32_t k = 0; k < parts->n; k++)
        scale[k] = is_pulled(f, k) && scale[k] > 0
                 ? boundary_part_speed(parts, k, f->c->fluid.density) / sqrt(scale[k]) : 1;
    return scale;
}

/* The shape of the flow is now right, its size arbitrary.  The pressure follows by Bernoulli's equation from the
 * largest one given. */
static void scale_flow(struct flow *f)
{
    const struct stencil *s = &f->s;
    const struct mesh *m = f->given.m;
    const struct boundary_parts *parts = f->b.parts;
    double *u, *p, *flux;
    NEW(u, s->dim * s->pitch), NEW(p, s->n_cells), NEW(flux, s->n_faces);
    device_download(u, f->u, (size_t)(s->dim * s->pitch) * sizeof *u);
    device_download(p, f->p, (size_t)s->n_cells * sizeof *p);
    device_download(flux, f->flux, (size_t)s->n_faces * sizeof *flux);
    double *scale = factors(f, u);
    for (int32_t i = 0; i < s->n_faces; i++) flux[i] *= scale[boundary_part_at(parts, m, i)];
    for (int32_t c = 0; c < s->n_cells; c++) {
        const int32_t part = boundary_part(parts, m, c);
        for (int k = 0; k < s->dim; k++) u[k * s->pitch + c] *= scale[part];
        if (is_pulled(f, part)) p[c] = parts->high[part] - 0.5 * f->c->fluid.density * square_of(f, u, c);
    }
    device_upload(f->u, u, (size_t)(s->dim * s->pitch) * sizeof *u);
    device_upload(f->flux, flux, (size_t)s->n_faces * sizeof *flux);
    if (!f->c->initial.pressure_given) device_upload(f->p, p, (size_t)s->n_cells * sizeof *p);
    halo_update(s->pattern.halo, f->u, s->dim), halo_update(s->pattern.halo, f->p, 1);
    free(u), free(p), free(flux), free(scale);
}

static void create(struct potential *w, struct flow *f)
{
    const struct stencil *s = &f->s;
    *w = (struct potential){.f = f, .b = f->b, .q = flow_cells(f, 1, "potential"),
                            .one = flow_cells(f, 1, "potential"), .flat = flow_cells(f, s->dim, "potential"),
                            .slope = flow_cells(f, s->dim, "potential"), .coefficient = zeros(s->n_faces),
                            .cross = zeros(s->n_faces)};
    w->b.pressure = zeros(s->n_boundary);
    if (is_any_pulled(f)) give_potential(f, w->b.pressure);
    fill(&(struct fill_args){w->one, 1}, s->n_cells);
    halo_update(s->pattern.halo, w->one, 1), halo_update(s->pattern.halo, f->u, s->dim);
}

static void free_all(struct potential *w)
{
    double *const arrays[] = {w->q, w->one, w->flat, w->slope, w->coefficient, w->cross, w->b.pressure};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
}

/* The flux of the present velocity, and the system of q. */
static void assemble(const struct potential *w)
{
    struct flow *f = w->f;
    const struct stencil *s = &f->s;
    struct face_flux_args flux = {.s = *s, .b = w->b, .relaxation = 1, .v = f->u, .p = w->q, .grad_p = w->flat,
                                  .rhie = w->one, .correct = w->one, .response = w->one, .flux = f->flux,
                                  .coefficient = w->coefficient};
    face_flux(&flux, s->n_active), boundary_flux(&flux, s->n_boundary);
    flow_assemble_pressure(f, w->coefficient);
}

static void make_slope(const struct potential *w)
{
    struct flow *f = w->f;
    struct boundary_args at = {.s = f->s, .b = w->b, .u = f->u, .p = w->q, .grad_p = w->slope};
    stencil_update_far(&f->s, w->q, 1);
    boundary_pressure(&at, f->s.n_boundary), wall_pressure(&at, w->b.n_wall_cells);
    gradient(&f->s, GRADIENT_GREEN_GAUSS, 1, w->q, w->b.pressure, w->slope, f->scratch);
}

static bool project(struct flow *f, bool of_velocity, struct error *e)
{
    const struct stencil *s = &f->s;
    const struct solver_setup setup = {.singular = f->b.closed, .values_follow = true};
    struct linear_setting setting = f->c->solver.pressure;
    struct potential w;
    setting.tolerance = tolerance;
    struct solver *solver = solver_create(&f->pressure, &setting, &setup, e);
    if (!solver) return false;
    create(&w, f);
    assemble(&w);
    solver_solve_from_zero(solver, &f->pressure, w.q, f->rhs);
    make_slope(&w);
    for (int i = 0; i < CORRECTORS && !s->orthogonal; i++) {
        struct cross_flux_args cross = {.s = *s, .coefficient = w.coefficient, .grad_change = w.slope,
                                        .cross = w.cross, .flux = f->flux};
        halo_update(s->pattern.halo, w.slope, s->dim);
        cross_flux(&cross, s->n_active);
        flow_net_flux(f, f->rhs);
        solver_solve_again(solver, &f->pressure, w.q, f->rhs);
        make_slope(&w);
    }
    struct correct_args change = {.s = *s, .coefficient = w.coefficient, .change = w.q, .relaxation = 1,
                                  .flux = f->flux, .grad_old = w.flat, .grad_new = w.slope, .correct = w.one,
                                  .u = f->u};
    halo_update(s->pattern.halo, w.q, 1);
    correct_flux(&change, s->n_active), correct_boundary_flux(&change, s->n_boundary);
    if (of_velocity) {
        correct_velocity(&change, s->n_padded);
        if (is_any_pulled(f)) scale_flow(f);
        struct boundary_args at = flow_at_boundary(f);
        boundary_velocity(&at, s->n_boundary);
    }
    free_all(&w);
    solver_free(solver);
    return true;
}

bool potential_start(struct flow *f, struct error *e) { return project(f, true, e); }
bool potential_start_flux(struct flow *f, struct error *e) { return project(f, false, e); }

/* Solves for a potential flow as the initial velocity (potential.h). */
#include "flow/potential.h"
#include <stdlib.h>
#include "assembly/gradient.h"
#include "assembly/pressure.h"
#include "base/memory.h"
#include "gpu/device.h"
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

/* An inlet of total pressure drives the flow, and none has a given velocity: the potential has a difference there. */
static bool is_fed(const struct flow *f)
{
    const struct flow_setting *c = f->c;
    bool fed = false, given = false;
    for (int i = 0; i < c->boundary.n; i++) {
        fed |= boundary_feeds(c->boundary.item[i].type);
        given |= boundary_gives_flux(c->boundary.item[i].type);
    }
    return fed && !given && f->b.speed > 0 && !c->initial.values;
}

/* The pressure of the velocity by Bernoulli's equation, from the largest pressure given at boundaries. */
static void start_pressure(struct flow *f)
{
    const int64_t pitch = f->s.pitch;
    double *u, *p, low, high;
    NEW(u, f->s.dim * pitch), NEW(p, pitch);
    device_download(u, f->u, (size_t)(f->s.dim * pitch) * sizeof *u);
    given_extremes(&f->given, f->b.given_pressure, &low, &high);
    for (int32_t i = 0; i < f->s.n_cells; i++) {
        double square = 0;
        for (int k = 0; k < f->s.dim; k++) square += u[k * pitch + i] * u[k * pitch + i];
        p[i] = high - 0.5 * f->c->fluid.density * square;
    }
    device_upload(f->p, p, (size_t)pitch * sizeof *p);
    free(u), free(p);
}

/* The shape of the flow is now right, its size arbitrary: the fastest cell becomes as fast as the pressures allow. */
static void scale_flow(struct flow *f)
{
    const double fastest = flow_fastest(f), scale = f->b.speed / fastest;
    if (!(fastest > 0)) return;
    combine(&(struct combine_args){f->u, scale, f->u, 0, f->u}, f->s.dim * f->s.pitch);
    combine(&(struct combine_args){f->flux, scale, f->flux, 0, f->flux}, f->s.n_faces);
    if (!f->c->initial.pressure_given) start_pressure(f);
}

static void create(struct potential *w, struct flow *f)
{
    const struct stencil *s = &f->s;
    *w = (struct potential){.f = f, .b = f->b, .q = flow_cells(f, 1, "potential"),
                            .one = flow_cells(f, 1, "potential"), .flat = flow_cells(f, s->dim, "potential"),
                            .slope = flow_cells(f, s->dim, "potential"), .coefficient = zeros(s->n_faces),
                            .cross = zeros(s->n_faces)};
    w->b.pressure = zeros(s->n_boundary);
    if (is_fed(f)) copy_array(w->b.pressure, f->b.given_pressure, s->n_boundary);
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
        if (is_fed(f)) scale_flow(f);
        struct boundary_args at = flow_at_boundary(f);
        boundary_velocity(&at, s->n_boundary);
    }
    free_all(&w);
    solver_free(solver);
    return true;
}

bool potential_start(struct flow *f, struct error *e) { return project(f, true, e); }
bool potential_start_flux(struct flow *f, struct error *e) { return project(f, false, e); }

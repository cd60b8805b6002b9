#include "flow/transient.h"
#include <math.h>
#include <string.h>
#include "assembly/gradient.h"
#include "assembly/transport.h"
#include "assembly/pressure.h"
#include "base/timer.h"
#include "flow/phases.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"

static double *numbers(int64_t n, const char *what) { return device_alloc((size_t)n * sizeof(double), what); }

/* The net flux of a cell in a step, as a part of its volume, below which no solver need go. */
#define ROUNDING 1e-13

/* ---------------------------------------------------------------- memory and start */
static void allocate(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    const struct flow *f = &t->f;
    t->u_old = flow_cells(f, s->dim, "old velocity"), t->u_older = flow_cells(f, s->dim, "older velocity");
    t->flux_old = numbers(s->n_faces, "old flux"), t->flux_older = numbers(s->n_faces, "older flux");
    t->marks = sums_create(2, s->n_slices, "Courant numbers");
    if (t->f.interface) t->fraction_old = flow_cells(f, 1, "old fraction");
    if (flow_is_advection(t->f.c)) return;
    t->acceleration = flow_cells(f, s->dim, "acceleration");
    t->hat = flow_cells(f, s->dim, "velocity without pressure");
    t->inverse = flow_cells(f, 1, "inverse coefficients"), t->inertia = flow_cells(f, 1, "inertia");
    t->balance = flow_cells(f, 1, "net flux");
    t->through = numbers(s->n_faces, "flux without pressure"), t->coefficient = numbers(s->n_faces, "pressure coefficients");
    t->mass_flux = numbers(s->n_faces, "mass flux"), t->face_step = numbers(s->n_faces, "steps of the pressure");
    if (!s->unskewed) t->along = flow_cells(f, s->dim, "steps along the cells");
    if (!t->f.interface) return;
    t->density = flow_cells(f, 1, "density");
    t->viscosity = numbers(s->n_faces, "viscosity");
    t->outlet_pressure = numbers(s->n_boundary, "outlet pressure");
    copy(t->outlet_pressure, t->f.b.pressure, s->n_boundary);
}

void transient_free(struct transient *t)
{
    double *const arrays[] = {t->u_old, t->u_older, t->flux_old, t->flux_older, t->acceleration, t->hat, t->inverse, t->inertia,
                              t->through, t->coefficient, t->balance, t->mass_flux, t->face_step, t->along, t->fraction_old,
                              t->density, t->viscosity, t->outlet_pressure};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    sums_free(&t->marks);
    if (t->f.interface) interface_free(&t->interface);
    if (flow_is_advection(t->f.c)) prescribed_free(&t->prescribed);
    flow_free(&t->f);
}

void transient_fields(struct transient *t)
{
    struct flow *f = &t->f;
    int dim = f->s.dim;
    flow_fields(f);
    if (f->c->second_fluid.given) interface_fields(&t->interface, &f->fields, &f->s);
    const struct field own[] = {
        {.name = "time", .use = FIELD_CHECKPOINT, .components = 1, .pitch = 1, .number = &t->time},
        {.name = "last_step", .use = FIELD_CHECKPOINT, .components = 1, .pitch = 1, .number = &t->step},
        {.name = "old_velocity", .use = FIELD_CHECKPOINT, .components = dim, .pitch = f->s.pitch,
         .length = f->s.n_padded, .value = &t->u_old},
        {.name = "old_flux", .use = FIELD_CHECKPOINT, .components = 1, .pitch = f->s.n_faces, .value = &t->flux_old},
        {.name = "acceleration", .use = FIELD_CHECKPOINT, .components = dim, .pitch = f->s.pitch,
         .length = f->s.n_padded, .value = &t->acceleration}};
    int n = sizeof own / sizeof *own - flow_is_advection(f->c);         /* which has no acceleration */
    for (int i = 0; i < n; i++) fields_add(&f->fields, &own[i]);
    equations_fields(f);
}

void transient_restored(struct transient *t)
{
    if (t->f.interface) interface_reconstruct(&t->interface);
}

/* ---------------------------------------------------------------- a step */
static struct time_step coefficients(const struct transient *t, double dt)
{
    struct time_step k = {.c = 1 / dt, .h1 = 1 / dt, .h2 = 0, .old = t->u_old, .older = t->u_older,
                          .flux_old = t->flux_old, .flux_older = t->flux_older};
    if (t->f.c->time.scheme == TIME_CRANK_NICOLSON) k.c = k.h1 = 2 / dt;
    if (t->f.c->time.scheme == TIME_BDF2 && t->steps > 0) {
        double r = dt / t->step;
        k.c = (1 + 2 * r) / (1 + r) / dt, k.h1 = (1 + r) / dt, k.h2 = -r * r / (1 + r) / dt;
    }
    return k;
}

static void swap(double **a, double **b) { double *x = *a; *a = *b, *b = x; }

/* The time, as a part of the step, to which velocity and flux are extrapolated from the last two steps at its
 * start.  With one fluid it is the time of w.  With two fluids that flux also moves the interface: it is the middle
 * of the step (BDF2), or the start, the old flux, so that interface and velocity take turns. */
static double guessed_ahead(const struct transient *t)
{
    enum time_scheme scheme = t->f.c->time.scheme;
    if (scheme == TIME_EULER) return 0;
    return !t->f.interface ? implicit_part(t) : scheme == TIME_BDF2 ? 0.5 : 0;
}

static void start_step(struct transient *t, double dt)
{
    const struct stencil *s = &t->f.s;
    swap(&t->u_older, &t->u_old);
    copy(t->u_old, t->f.u, s->dim * s->pitch);               /* u stays where it is: the solver's graph is recorded with it */
    swap(&t->flux_older, &t->flux_old), swap(&t->flux_old, &t->f.flux);
    double ahead = t->steps > 0 ? guessed_ahead(t) * dt / t->step : 0;
    struct combine_args u = {t->f.u, 1 + ahead, t->u_old, -ahead, t->u_older};
    combine(&u, s->dim * s->pitch);
    struct combine_args flux = {t->f.flux, 1 + ahead, t->flux_old, -ahead, t->flux_older};
    combine(&flux, s->n_faces);
    if (t->f.interface) copy(t->fraction_old, t->interface.fraction, s->n_padded);
}

/* Of what transient_through() and transient_flux() read. */
static void update_halos(const struct transient_flux_args *a)
{
    const struct halo *h = a->s.pattern.halo;
    int dim = a->s.dim;
    halo_update(h, a->hat, dim), halo_update(h, a->acceleration, dim), halo_update(h, a->t.old, dim);
    if (a->t.h2 != 0) halo_update(h, a->t.older, dim);
    halo_update(h, a->inverse, 1), halo_update(h, a->inertia, 1);
}

static void end_phase(struct transient *t, enum phase phase, double *clock)
{
    double now = wall_seconds();
    t->f.seconds[phase] += now - *clock;
    *clock = now;
}

static void predict(struct transient *t, const struct time_step *k, struct transient_report *r, double *clock)
{
    const struct flow_setting *c = t->f.c;
    const struct stencil *s = &t->f.s;
    if (!t->f.interface) {
        struct combine_args mass = {t->mass_flux, c->fluid.density, t->f.flux, 0, t->f.flux};
        combine(&mass, s->n_faces);
    }
    struct reconstruction_fluid fluid = {.viscosity = c->fluid.viscosity, .density = t->f.interface ? 0 : c->fluid.density, .viscosity_faces = t->viscosity};
    flow_reconstruct_faces(&t->f, &fluid);
    const struct reconstruction *r_u = &t->f.reconstruction;
    struct transport m = {.s = *s, .a = t->f.momentum, .components = s->dim, .boundary = boundary_of_velocity(&t->f.b, r_u->wall, r_u->wall_own),
                          .diffusivity = c->fluid.viscosity, .diffusivity_faces = t->viscosity, .relaxation = 1, .x = t->f.u, .gradient = t->f.grad_u,
                          .deferred = r_u->deferred, .flux = t->mass_flux, .source = t->f.source, .rhs = t->f.rhs};
    transport_assemble(&m, c->solver.convection);
    if (t->f.interface) {
        struct transpose_args x = {.s = *s, .viscosity = {c->fluid.viscosity, c->second_fluid.viscosity},
                                   .fraction = t->interface.fraction, .viscosity_faces = t->viscosity,
                                   .grad_u = t->f.grad_u, .rhs = t->f.rhs};
        halo_update(s->pattern.halo, t->f.grad_u, s->dim * s->dim);
        viscous_transpose(&x, s->n_slices);
    }
    struct transport_time_args time = {.s = *s, .a = t->f.momentum, .components = s->dim, .t = *k, .capacity = c->fluid.density,
                                       .capacity_cells = t->density, .rhs = t->f.rhs};
    transport_time(&time, s->n_cells);
    struct piso_coefficients_args piso = {.s = *s, .a = t->f.momentum, .density = c->fluid.density, .mixture = t->density,
                                          .acceleration = t->acceleration, .rhs = t->f.rhs, .predicted = t->hat,
                                          .inverse = t->inverse, .inertia = t->inertia};
    piso_coefficients(&piso, s->n_cells);
    end_phase(t, PHASE_MOMENTUM_ASSEMBLY, clock);
    struct linear_result solve = solver_solve(t->f.velocity_solver, &t->f.momentum, t->f.u, t->hat);
    solve.iterations += r->velocity_solve.iterations;
    r->velocity_solve = solve;
    end_phase(t, PHASE_MOMENTUM_SOLVE, clock);
}

/* Solves for the pressure and corrects the faces.  The case's tolerance is relative to the first residual of the
 * step, since later correctors begin with smaller ones. */
static void solve_pressure(struct transient *t, double dt, struct transient_report *r)
{
    const struct stencil *s = &t->f.s;
    struct pressure_args p = {.s = *s, .a = t->f.pressure, .coefficient = t->coefficient, .flux = t->f.flux, .rhs = t->balance};
    pressure_matrix(&p, s->n_slices);
    pressure_boundary(&p, s->n_boundary_cells);
    double first = r->pressure_solve.initial;
    solver_set_absolute(t->f.pressure_solver, fmax(fmax(t->f.c->solver.pressure.absolute, t->finest / dt), t->f.c->solver.pressure.tolerance * first));
    struct linear_result solve = solver_solve(t->f.pressure_solver, &t->f.pressure, t->f.p, t->balance);
    if (first > 0) solve.initial = first;
    solve.iterations += r->pressure_solve.iterations;
    if (!solve.note) solve.note = r->pressure_solve.note;
    r->pressure_solve = solve;
    struct correct_faces_args faces = {.s = *s, .b = t->f.b, .p = t->f.p,
                                       .force = t->f.interface ? t->interface.force : NULL,
                                       .coefficient = t->coefficient, .through = t->through, .inverse = t->inverse,
                                       .inertia = t->inertia, .acceleration = t->acceleration, .flux = t->f.flux,
                                       .step = t->face_step};
    halo_update(s->pattern.halo, t->f.p, 1);             /* which wall_pressure() reads too */
    correct_faces(&faces, s->n_internal);
    correct_boundary_faces(&faces, s->n_boundary);
    if (t->f.interface) return;
    struct boundary_args walls = {.s = *s, .b = t->f.b, .u = t->f.u, .p = t->f.p, .grad_p = t->f.grad_p};
    wall_pressure(&walls, t->f.b.n_wall_cells);
    wall_steps(&faces, t->f.b.n_wall_cells);
}

static void correct_velocity_cells(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    struct correct_cells_args a = {.s = *s, .density = t->f.c->fluid.density, .mixture = t->density, .hat = t->hat,
                                   .inverse = t->inverse, .inertia = t->inertia, .step = t->face_step,
                                   .along = t->along, .u = t->f.u, .acceleration = t->acceleration};
    if (t->density) halo_update(s->pattern.halo, t->density, 1);
    if (t->along) {
        steps_along(&a, s->n_slices);
        boundary_steps_along(&a, s->n_boundary_cells);
        halo_update(s->pattern.halo, t->along, s->dim);
    }
    correct_cells(&a, s->n_slices);
    correct_boundary_cells(&a, s->n_boundary_cells);
}

/* One pressure corrector; solves once more for every non-orthogonal corrector. */
static void correct(struct transient *t, const struct time_step *k, double dt, struct transient_report *r, double *clock)
{
    const struct stencil *s = &t->f.s;
    struct without_pressure_args hat = {.s = *s, .a = t->f.momentum, .u = t->f.u, .rhs = t->f.rhs, .hat = t->hat};
    halo_update(s->pattern.halo, t->f.u, s->dim);
    without_pressure(&hat, s->n_slices);
    struct transient_flux_args flux = {.s = *s, .b = t->f.b, .t = *k, .hat = t->hat, .inverse = t->inverse,
                                       .inertia = t->inertia, .acceleration = t->acceleration,
                                       .reconstructed = t->f.reconstruction.through,
                                       .force = t->f.interface ? t->interface.force : NULL, .density = t->f.c->fluid.density,
                                       .through = t->through, .flux = t->f.flux, .coefficient = t->coefficient};
    update_halos(&flux);
    transient_through(&flux, s->n_internal);
    int solves = 1 + (s->orthogonal ? 0 : t->f.c->solver.non_orthogonal_correctors);
    for (int i = 0; i < solves; i++) {
        transient_boundary_flux(&flux, s->n_boundary);
        if (i > 0) halo_update(s->pattern.halo, t->acceleration, s->dim);
        transient_flux(&flux, s->n_internal);
        end_phase(t, PHASE_PRESSURE_ASSEMBLY, clock);
        solve_pressure(t, dt, r);
        end_phase(t, PHASE_PRESSURE_SOLVE, clock);
        correct_velocity_cells(t);
    }
    struct boundary_args b = {.s = *s, .b = t->f.b, .u = t->f.u, .p = t->f.p, .grad_p = t->f.grad_p};
    boundary_velocity(&b, s->n_boundary);
    end_phase(t, PHASE_CORRECTION, clock);
}

/* Makes the flux of the initial velocity free of divergence, because the midpoint rule keeps whatever divergence it
 * starts with. */
static void start_flux_without_divergence(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    struct transient_report r = {0};
    struct time_step none = {.c = 0, .h1 = 0, .h2 = 0, .old = t->f.u, .older = t->f.u, .flux_old = t->f.flux,
                             .flux_older = t->f.flux};
    struct fill_args one = {t->inverse, 1}, pressure = {t->f.p, 0};
    fill(&one, s->n_cells);
    fill(&pressure, s->n_cells);
    flow_reconstruct(&t->f);
    flow_reconstruct_faces(&t->f, NULL);
    struct transient_flux_args flux = {.s = *s, .b = t->f.b, .t = none, .hat = t->f.u, .inverse = t->inverse,
                                       .inertia = t->inertia, .acceleration = t->acceleration,
                                       .reconstructed = t->f.reconstruction.through, .density = t->f.c->fluid.density,
                                       .through = t->through, .flux = t->f.flux, .coefficient = t->coefficient};
    update_halos(&flux);
    transient_through(&flux, s->n_internal);
    transient_boundary_flux(&flux, s->n_boundary);
    transient_flux(&flux, s->n_internal);
    solve_pressure(t, t->f.c->time.step, &r);
    pressure.value = t->f.c->initial.pressure;
    fill(&pressure, s->n_cells);
}

/* From the velocity at the time of w to the one at the end of the step. */
static void finish_step(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    double over = 1 / implicit_part(t);
    if (over == 1) return;
    struct combine_args u = {t->f.u, over, t->f.u, 1 - over, t->u_old};
    combine(&u, s->dim * s->pitch);
    struct combine_args flux = {t->f.flux, over, t->f.flux, 1 - over, t->flux_old};
    combine(&flux, s->n_faces);
    struct boundary_args b = {.s = *s, .b = t->f.b, .u = t->f.u, .p = t->f.p, .grad_p = t->f.grad_p};
    boundary_velocity(&b, s->n_boundary);
}

static double continuity(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    struct pressure_args p = {.s = *s, .a = t->f.pressure, .coefficient = t->coefficient, .flux = t->f.flux, .rhs = t->balance};
    pressure_rhs(&p, s->n_slices);
    pressure_boundary_rhs(&p, s->n_boundary_cells);
    double gross;
    return continuity_error(&t->f.pressure_residual, s, t->f.flux, t->balance, &gross);
}

static void flow_step(struct transient *t, double dt, struct transient_report *r)
{
    double clock = wall_seconds();
    start_step(t, dt);
    struct time_step k = coefficients(t, dt);
    for (int outer = 0; outer < t->f.c->solver.outer_correctors; outer++) {
        flow_reconstruct(&t->f);
        end_phase(t, PHASE_MOMENTUM_ASSEMBLY, &clock);
        if (t->f.interface) transient_move_interface(t, dt, outer, r);
        end_phase(t, PHASE_INTERFACE, &clock);
        predict(t, &k, r, &clock);
        if (t->f.reconstruction.through) {              /* of the predicted velocity */
            flow_reconstruct(&t->f);
            flow_reconstruct_faces(&t->f, NULL);
        }
        for (int i = 0; i < t->f.c->solver.correctors; i++) correct(t, &k, dt, r, &clock);
    }
    finish_step(t);
    r->continuity = continuity(t);
    end_phase(t, PHASE_CORRECTION, &clock);
    if (!equations_there(&t->f)) return;
    struct equation_step step = {.dt = dt, .midpoint = t->f.c->time.scheme != TIME_EULER, .flux = t->f.flux, .flux_old = t->flux_old,
                                 .mass_flux = t->mass_flux, .fraction_old = t->fraction_old};
    equations_advance(&t->f, &step);
    end_phase(t, PHASE_EQUATIONS, &clock);
}

/* A step of algorithm "advection", by the velocity in the middle of the step. */
static void advection_step(struct transient *t, double dt)
{
    double clock = wall_seconds();
    prescribed_set(&t->prescribed, t->time + dt / 2, t->f.u, t->f.flux, t->f.b.velocity);
    flow_reconstruct(&t->f);
    interface_advance(&t->interface, t->f.flux, t->f.u, t->f.grad_u, dt);
    end_phase(t, PHASE_INTERFACE, &clock);
}

void transient_advance(struct transient *t, double dt, struct transient_report *r)
{
    memset(r, 0, sizeof *r);
    if (flow_is_advection(t->f.c)) advection_step(t, dt);
    else flow_step(t, dt, r);
    r->courant = t->courant * dt, r->interface_courant = t->interface_courant * dt;
    if (t->f.interface) interface_summarise(&t->interface, &r->interface);
    t->step = dt, t->time += dt, t->steps++;
}

bool transient_create(struct transient *t, const struct flow_setting *c, const struct mesh *m, struct error *e)
{
    memset(t, 0, sizeof *t);
    if (!flow_create(&t->f, c, m, e)) return false;
    if (c->second_fluid.given) {
        const struct interface_inputs in = flow_interface_inputs(c);
        if (!interface_create(&t->interface, &in, &c->shapes, m, &t->f.s, &t->f.b, e)) return transient_free(t), false;
        t->f.interface = &t->interface;
        if (!flow_is_advection(t->f.c) && !phases_create_solver(&t->f, t->interface.fraction, e)) return transient_free(t), false;
    }
    allocate(t);
    equations_create(&t->f, m);
    transient_fields(t);
    if (flow_is_advection(t->f.c)) {
        if (!prescribed_create(&t->prescribed, &c->prescribed, m, &t->f.s, e)) return transient_free(t), false;
        prescribed_set(&t->prescribed, 0, t->f.u, t->f.flux, t->f.b.velocity);
        return true;
    }
    double padding = (double)(t->f.s.n_padded - t->f.s.n_cells);         /* rows of padding have volume 1 */
    t->finest = ROUNDING * sqrt(reduce(REDUCE_DOT, t->f.s.volume, t->f.s.volume, t->f.s.n_padded) - padding);
    start_flux_without_divergence(t);
    flow_create_velocity_solver(&t->f);
    return true;
}

/* Pressure correctors of a step in time. */
#include <math.h>
#include "assembly/pressure.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"

/* Of what transient_through() and transient_flux() read. */
static void update_halos(const struct transient_flux_args *a)
{
    int dim = a->s.dim;
    halo_update_together(a->s.pattern.halo, {a->hat, dim}, {a->acceleration, dim}, {a->t.old, dim},
                         {a->t.h2 != 0 ? a->t.older : NULL, dim}, {a->inverse, 1}, {a->inertia, 1});
}

/* Solves for the pressure and corrects the faces.  The case's tolerance is relative to the first residual of the
 * step, since later correctors begin with smaller ones.  again: the coefficients, and so the matrix, are those of the
 * last solve. */
static void solve_pressure(struct transient *t, double dt, bool again, struct transient_report *r)
{
    const struct stencil *s = &t->f.s;
    struct pressure_args p = {.s = *s, .a = t->f.pressure, .coefficient = t->coefficient, .flux = t->f.flux,
                              .rhs = t->balance};
    (again ? pressure_rhs : pressure_matrix)(&p, s->n_slices);
    (again ? pressure_boundary_rhs : pressure_boundary)(&p, s->n_boundary_cells);
    double first = r->pressure_solve.initial;
    solver_set_absolute(t->f.pressure_solver, fmax(fmax(t->f.c->solver.pressure.absolute, t->finest / dt),
                                                   t->f.c->solver.pressure.tolerance * first));
    struct linear_result solve = (again ? solver_solve_again : solver_solve)(t->f.pressure_solver, &t->f.pressure,
                                                                             t->f.p, t->balance);
    if (first > 0) solve.initial = first;
    solve.iterations += r->pressure_solve.iterations;
    if (!solve.note) solve.note = r->pressure_solve.note;
    r->pressure_solve = solve;
    struct correct_faces_args faces = {.s = *s, .b = t->f.b, .p = t->f.p,
                                       .force = t->f.interface ? t->interface.force : NULL,
                                       .coefficient = t->coefficient, .through = t->through, .inverse = t->inverse,
                                       .inertia = t->inertia, .acceleration = t->acceleration, .flux = t->f.flux,
                                       .step = t->face_step};
    stencil_update_far(s, t->f.p, 1);                   /* wall_pressure() reads it too */
    correct_faces(&faces, s->n_active);
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

void transient_correct(struct transient *t, const struct time_step *k, double dt, int corrector,
                       struct transient_report *r)
{
    const struct stencil *s = &t->f.s;
    struct without_pressure_args hat = {.s = *s, .a = t->f.momentum, .u = t->f.u, .rhs = t->f.rhs, .hat = t->hat};
    halo_update(s->pattern.halo, t->f.u, s->dim);
    without_pressure(&hat, s->n_slices);
    struct transient_flux_args flux = {.s = *s, .b = t->f.b, .t = *k, .hat = t->hat, .inverse = t->inverse,
                                       .inertia = t->inertia, .acceleration = t->acceleration,
                                       .reconstructed = t->f.reconstruction.through,
                                       .force = t->f.interface ? t->interface.force : NULL,
                                       .density = t->f.c->fluid.density, .through = t->through, .flux = t->f.flux,
                                       .coefficient = t->coefficient};
    update_halos(&flux);
    transient_through(&flux, s->n_active);
    int solves = 1 + (s->orthogonal ? 0 : t->f.c->solver.non_orthogonal_correctors);
    for (int i = 0; i < solves; i++) {
        transient_boundary_flux(&flux, s->n_boundary);
        if (i > 0) halo_update(s->pattern.halo, t->acceleration, s->dim);
        transient_flux(&flux, s->n_active);
        stopwatch_lap(&t->f.watch, PHASE_PRESSURE_ASSEMBLY);
        solve_pressure(t, dt, corrector > 0 || i > 0, r);
        stopwatch_lap(&t->f.watch, PHASE_PRESSURE_SOLVE);
        correct_velocity_cells(t);
    }
    struct boundary_args b = flow_at_boundary(&t->f);
    boundary_velocity(&b, s->n_boundary);
    stopwatch_lap(&t->f.watch, PHASE_CORRECTION);
}

void transient_start_flux(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    struct transient_report r = {0};
    struct time_step none = {.c = 0, .h1 = 0, .h2 = 0, .old = t->f.u, .older = t->f.u, .flux_old = t->f.flux,
                             .flux_older = t->f.flux};
    /* What is solved for is a potential of velocities, no pressure: at outlets it is 0, whatever is given there. */
    double *given = t->f.b.pressure;
    t->f.b.pressure = device_alloc((size_t)s->n_boundary * sizeof *given, "potential at the start");
    struct fill_args one = {t->inverse, 1}, pressure = {t->f.p, 0}, outlets = {t->f.b.pressure, 0};
    fill(&one, s->n_cells);
    fill(&pressure, s->n_cells);
    fill(&outlets, s->n_boundary);
    flow_reconstruct(&t->f);
    flow_reconstruct_faces(&t->f, NULL);
    struct transient_flux_args flux = {.s = *s, .b = t->f.b, .t = none, .hat = t->f.u, .inverse = t->inverse,
                                       .inertia = t->inertia, .acceleration = t->acceleration,
                                       .reconstructed = t->f.reconstruction.through, .density = t->f.c->fluid.density,
                                       .through = t->through, .flux = t->f.flux, .coefficient = t->coefficient};
    update_halos(&flux);
    transient_through(&flux, s->n_active);
    transient_boundary_flux(&flux, s->n_boundary);
    transient_flux(&flux, s->n_active);
    solve_pressure(t, t->f.c->time.step, false, &r);
    device_free(t->f.b.pressure);
    t->f.b.pressure = given;
    pressure.value = t->f.c->initial.pressure;
    fill(&pressure, s->n_cells);
}

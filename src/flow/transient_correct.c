/* Pressure correctors of a transient step. */
#include <math.h>
#include "assembly/gradient.h"
#include "assembly/interface_stress.h"
#include "assembly/pressure.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* With outlets without backflow: faces where fluid flows in after a solve are shut, and the pressure solved again. */
enum { GATE_PASSES = 2 };

static const double *excess(const struct transient *t) { return t->slips ? t->slip_excess : NULL; }

static struct corrector_flux_args flux_args(const struct transient *t, const struct time_step *k)
{
    return (struct corrector_flux_args){
        .s = t->f.s, .b = t->f.b, .t = *k, .u = t->f.u, .diagonal = t->diagonal, .excess = excess(t),
        .before = t->before,
        .acceleration = t->before, .step = t->face_step, .reconstructed = t->f.reconstruction.through,
        .force = t->f.face_force, .properties = t->f.properties, .predicted = t->predicted,
        .through = t->through, .coefficient = t->coefficient, .p = t->f.p, .flux = t->f.flux,
        .friction = t->stress ? t->stress + STRESS_FRICTION * t->f.s.pitch : NULL};
}

/* The steps y of the present pressure, and the flux unless it is rotated. */
static void correct_at_faces(struct transient *t, double c, bool rotated)
{
    const struct stencil *s = &t->f.s;
    struct correct_faces_args faces = {.s = *s, .b = t->f.b, .c = c, .properties = t->f.properties,
                                       .change = t->change, .p = t->f.p,
                                       .force = t->f.face_force, .diagonal = t->diagonal,
                                       .excess = excess(t),
                                       .coefficient = t->coefficient, .predicted = t->predicted, .through = t->through,
                                       .before = t->before, .acceleration = t->acceleration, .flux = t->f.flux,
                                       .step = t->face_step, .rotated = rotated};
    stencil_update_far(s, t->f.p, 1);                   /* wall_pressure() reads it too */
    correct_faces(&faces, s->n_active);
    correct_boundary_faces(&faces, s->n_boundary);
    if (t->f.interface) return;
    struct boundary_args walls = flow_at_boundary(&t->f);
    wall_pressure(&walls, t->f.b.n_wall_cells);
    wall_steps(&faces, t->f.b.n_wall_cells);
}

/* Solves for the change of the pressure.  The tolerance is relative to the first residual of the step, since later
 * correctors begin with smaller ones; where viscosity dominates, to that of this solve, since the first corrector
 * balances the forces without viscosity, by velocities that may be many times the result.  share > 0: it is this part
 * of the present residual.  The right-hand side is c times the net flux, so that the matrix does not depend on the
 * step.  With Crank-Nicolson that of the step's end shall vanish, not that of w: else errors would return in every step
 * with the other sign, and add up. */
static void solve_pressure(struct transient *t, double c, double share, struct transient_report *r)
{
    const struct stencil *s = &t->f.s;
    struct pressure_args system = {.s = *s, .a = t->f.pressure, .coefficient = t->coefficient, .flux = t->f.flux,
                                   .scale = c, .rhs = t->balance};
    (t->assembled ? pressure_rhs : pressure_matrix)(&system, s->n_slices);
    (t->assembled ? pressure_boundary_rhs : pressure_boundary)(&system, s->n_boundary_cells);
    if (!t->assembled) flow_pin_pressure(&t->f);
    struct combine_args end = {t->balance, 1, t->balance, c * (t->part - 1), t->left};
    if (t->part < 1) combine(&end, s->n_cells);
    double first = t->viscous ? 0 : r->pressure_solve.initial;
    double absolute = fmax(t->f.c->solver.pressure.absolute, transient_rounding(t, c));
    double tolerance = t->f.c->solver.pressure.tolerance * t->sharpness;
    if (share > 0) tolerance = share, first = 0;
    solver_set_bounds(t->f.pressure_solver, tolerance, fmax(c * absolute, tolerance * first));
    struct fill_args zero = {t->change, 0};
    fill(&zero, s->pitch);
    struct linear_result solve = (t->assembled ? solver_solve_again : solver_solve)(t->f.pressure_solver,
                                                                                    &t->f.pressure, t->change,
                                                                                    t->balance);
    struct combine_args p_new = {t->f.p, 1, t->f.p, 1, t->change};
    combine(&p_new, s->n_cells);
    halo_update(s->pattern.halo, t->change, 1);
    t->assembled = true;
    if (r->pressure_solve.initial > 0) solve.initial = r->pressure_solve.initial;
    solve.iterations += r->pressure_solve.iterations;
    if (!solve.note) solve.note = r->pressure_solve.note;
    r->pressure_solve = solve;
}

/* The acceleration in cells from the present steps, and the velocity unless the pressure is rotated. */
static void correct_at_cells(struct transient *t, double c, bool rotated)
{
    const struct stencil *s = &t->f.s;
    struct correct_cells_args a = {.s = *s, .c = c, .step = t->face_step, .along = t->along,
                                   .acceleration = t->acceleration, .hat = t->hat, .u = rotated ? NULL : t->f.u};
    if (t->along) {
        gradient_of_steps(s, t->face_step, t->along);
        halo_update(s->pattern.halo, t->along, s->dim);
    }
    correct_cells(&a, s->n_slices);
    correct_boundary_cells(&a, s->n_boundary_cells);
}

/* The rotational part of the pressure's change, and the resulting acceleration for the next predictor. */
static void rotate(struct transient *t, double c)
{
    const struct stencil *s = &t->f.s;
    struct pressure_args net = {.s = *s, .a = t->f.pressure, .flux = t->predicted, .scale = 1, .rhs = t->balance};
    struct rotate_args a = {.s = *s, .b = t->f.b, .c = c, .properties = t->f.properties, .diagonal = t->diagonal,
                            .excess = excess(t),
                            .predicted = t->predicted, .flux = t->f.flux, .balance = t->balance,
                            .outlets = t->outlets, .p = t->f.p};
    pressure_rhs(&net, s->n_slices);
    predicted_boundary_balance(&a, s->n_boundary_cells);
    halo_update(s->pattern.halo, t->balance, 1);
    rotate_pressure(&a, s->n_slices);
    correct_at_faces(t, c, true);
    correct_at_cells(t, c, true);
}

static void predict_flux(struct transient *t, const struct corrector_flux_args *flux)
{
    const struct stencil *s = &t->f.s;
    int dim = s->dim;
    int64_t vector = dim * s->pitch;
    copy_array(t->before, t->acceleration, vector);
    struct combine_args hat = {t->hat, 1, t->f.u, 1 / flux->t.c, t->acceleration};
    combine(&hat, vector);
    halo_update_together(s->pattern.halo, {t->f.u, dim}, {t->before, dim}, {flux->t.old, dim},
                         {flux->t.h2 != 0 ? flux->t.older : NULL, dim}, {t->diagonal, 1},
                         {t->slips ? t->slip_excess : NULL, dim});
    predicted_flux(flux, s->n_active);
    boundary_predicted_flux(flux, s->n_boundary);
}

/* What is missing of the flow through the boundaries, over what may be: MISSING of the largest flow so far, and of
 * that of the largest speed, in case next to nothing passes. */
static double missing(struct transient *t)
{
    static const double MISSING = 1e-5, MISSING_OF_SPEED = 1e-7;
    const double *last = t->f.passing.last;
    double sum[N_PASSING];
    if (!t->f.passing.row) return 0;
    flow_passing(&t->f, sum);
    t->passing[PASSING_MOST] = 0.5 * sum[PASSING_GROSS];
    t->passing[PASSING_LEFT] = (sum[PASSING_NET] - (1 - t->part) * last[PASSING_LEFT]) / t->part;
    return fabs(t->passing[PASSING_LEFT]) / (MISSING * fmax(last[PASSING_MOST], t->passing[PASSING_MOST]) +
                                     MISSING_OF_SPEED * t->fastest * sum[PASSING_AREA]);
}

/* Solves for the pressure and corrects the flux.  The solver's norm of the residual does not bound its sum, the mass
 * that is missing: along a channel of n cells the sum may be n^(1/2) times as much of the flow.  So the solve is
 * continued until the sum is small, too. */
static void solve_for_flux(struct transient *t, const struct drive_correction *driven, struct transient_report *r)
{
    enum { MOST_SOLVES = 4 };
    double share = 0;
    for (int i = 0; i < MOST_SOLVES; i++) {
        solve_pressure(t, driven->c, share, r);
        drive_correct(&t->f, driven);
        stopwatch_lap(&t->f.watch, PHASE_PRESSURE_SOLVE);
        correct_at_faces(t, driven->c, false);
        double excess = missing(t);
        if (!(excess > 1)) return;
        share = 0.5 / excess;
    }
}

void transient_correct(struct transient *t, const struct time_step *k, struct transient_report *r)
{
    const struct stencil *s = &t->f.s;
    struct corrector_flux_args flux = flux_args(t, k);
    flux.kept = 1 - t->part;
    predict_flux(t, &flux);
    struct drive_correction driven = {.c = k->c, .part = t->part, .coefficient = t->coefficient, .change = t->change};
    int solves = 1 + (s->orthogonal ? 0 : t->f.c->solver.non_orthogonal_correctors);
    if (t->f.b.gate) solves += GATE_PASSES;
    for (int i = 0; i < solves; i++) {
        if (i > 0) {
            halo_update(s->pattern.halo, t->acceleration, s->dim);
            flux.acceleration = t->acceleration;
            flow_gate(&t->f, t->flux_old, flux.kept, t->face_step, t->coefficient);
            if (t->f.b.gate) t->assembled = false;
        }
        known_flux(&flux, s->n_active);
        boundary_known_flux(&flux, s->n_boundary);
        stopwatch_lap(&t->f.watch, PHASE_PRESSURE_ASSEMBLY);
        solve_for_flux(t, &driven, r);
        correct_at_cells(t, k->c, false);
    }
    rotate(t, k->c);
    struct boundary_args b = flow_at_boundary(&t->f);
    boundary_velocity(&b, s->n_boundary);
    stopwatch_lap(&t->f.watch, PHASE_CORRECTION);
}

/* Solves for a velocity potential instead of a pressure: with c = 1 and without memory; at outlets it is 0, regardless
 * of the pressure given there. */
void transient_start_flux(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    struct transient_report r = {0};
    struct time_step none = {.c = 1, .h1 = 0, .h2 = 0, .old = t->f.u, .older = t->f.u, .flux_old = t->f.flux,
                             .flux_older = t->f.flux};
    double *given = t->f.b.pressure;
    t->sharpness = t->part = 1;
    t->f.b.pressure = device_alloc((size_t)s->n_boundary * sizeof *given, "potential at the start");
    struct fill_args no_memory = {t->diagonal, INFINITY}, pressure = {t->f.p, 0}, outlets = {t->f.b.pressure, 0},
                     steps = {t->face_step, 0};
    fill(&no_memory, s->n_padded);
    fill(&pressure, s->n_cells);
    fill(&outlets, s->n_boundary);
    flow_reconstruct(&t->f);
    flow_reconstruct_faces(&t->f, NULL);
    struct corrector_flux_args flux = flux_args(t, &none);
    flux.force.acts = false, flux.properties.time_density = flux.properties.inertia = NULL;
    halo_update_together(s->pattern.halo, {t->f.u, s->dim}, {t->diagonal, 1}, {t->f.p, 1});
    predicted_flux(&flux, s->n_active);
    boundary_predicted_flux(&flux, s->n_boundary);
    boundary_known_flux(&flux, s->n_boundary);
    known_flux(&flux, s->n_active);
    solve_pressure(t, 1, 0, &r);
    correct_at_faces(t, 1, false);
    device_free(t->f.b.pressure);
    t->f.b.pressure = given;
    t->assembled = false;
    struct error e;
    if (!flow_start_pressure(&t->f, &e)) die("%s", e.text);     /* has been checked */
    halo_update(s->pattern.halo, t->f.p, 1);
    fill(&steps, s->n_faces);
}

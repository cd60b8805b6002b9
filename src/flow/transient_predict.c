/* The predictor of a step: the momentum equation and its solution (transient_parts.h). */
#include <float.h>
#include <math.h>
#include "assembly/transport.h"
#include "assembly/viscosity.h"
#include "base/timer.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* ---------------------------------------------------------------- slip boundaries */
/* nu dt sum g / V below which they need no matrices of their own: the acceleration in the cell is less wrong than 1 %.
 * Two fluids never have them, since waves on a level surface then grow four times as fast. */
#define SLIP_NUMBER 0.01

static struct slip_args slip_args(const struct transient *t)
{
    return (struct slip_args){.s = t->f.s, .velocity_rule = t->f.b.velocity_rule, .properties = t->f.properties,
                              .u = t->f.u, .excess = t->slip_excess, .rhs = t->f.rhs};
}

void transient_predictor_create(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    struct slip_args a = slip_args(t);
    struct fill_args zero = {t->change, 0};
    a.rate = t->change;
    fill(&zero, s->pitch);
    slip_rate(&a, s->n_boundary_cells);
    t->slip_rate = reduce(REDUCE_ABS_MAX, a.rate, NULL, s->n_padded);
    if (t->f.interface) t->slip_rate = 0;
    if (t->slip_rate == 0) return;
    t->slip_diagonal = flow_cells(&t->f, 1, "diagonal of a component");
    t->slip_excess = flow_cells(&t->f, s->dim, "friction of slip boundaries");
}

struct matrix transient_momentum(struct transient *t, int k)
{
    struct matrix own = t->f.momentum;
    if (!t->slips) return own;
    own.diag = t->slip_diagonal;
    struct combine_args diagonal = {own.diag, 1, t->f.momentum.diag, -1, t->slip_excess + k * t->f.s.pitch};
    combine(&diagonal, t->f.s.n_padded);
    return own;
}

/* ---------------------------------------------------------------- the equation */
/* Fraction of the implicit viscous terms that is added on both sides, on meshes with explicit corrections.  Relative to
 * the implicit terms the corrections have eigenvalues down to -0.2, on flat tetrahedra of 80 degrees -0.38; an
 * extrapolated guess is stable down to -1/3 (docs/explanation/numerics.md, "Flow in time"). */
#define SPLIT 0.1

/* A viscosity that varies as s^a with the shear rate s also has the transposed stress and its own change as explicit
 * terms, up to 1 + 2 a times the implicit ones, with the same sign. */
static double split_part(const struct transient *t)
{
    const struct properties *p = &t->f.properties;
    return (t->f.reconstruction.deferred ? SPLIT : 0) + (p->transposed ? 0.5 : 0) + 1.5 * p->steepest;
}

/* Adds the explicit viscous terms, when the momentum equation has its time terms. */
static void split_viscous_terms(struct transient *t, double dt)
{
    const struct stencil *s = &t->f.s;
    struct momentum_args split = {.s = *s, .a = t->f.momentum, .velocity_rule = t->f.b.velocity_rule,
                                  .part = split_part(t), .properties = t->f.properties, .u = t->f.u,
                                  .rhs = t->f.rhs, .diagonal = t->diagonal};
    momentum_diagonal(&split, s->n_cells);
    if (split.part > 0) {
        split_viscosity(&split, s->n_slices);
        split_boundary_viscosity(&split, s->n_boundary_cells);
    }
    if (t->f.properties.transposed) viscosity_add_transposed(s, t->f.properties.transposed, t->f.rhs);
    else if (t->f.properties.viscosity_faces) transient_add_stress(t, dt);
}

void transient_assemble(struct transient *t, const struct time_step *k, double dt)
{
    const struct flow_setting *c = t->f.c;
    const struct properties *p = &t->f.properties;
    const struct stencil *s = &t->f.s;
    flow_back(&t->f, t->flux_old, t->mass_flux, dt);
    struct reconstruction_fluid fluid = {.viscosity = p->viscosity[0],
                                         .density = t->f.interface ? 0 : p->density[0],
                                         .viscosity_faces = p->viscosity_faces};
    flow_reconstruct_faces(&t->f, &fluid);
    const struct reconstruction *r_u = &t->f.reconstruction;
    /* With two fluids a velocity extrapolated across the interface would create energy at inflow. */
    bool extrapolated = c->solver.convection != CONVECTION_UPWIND && !t->f.interface;
    struct transport m = {.s = *s, .a = t->f.momentum, .components = s->dim,
                          .boundary = boundary_of_velocity(&t->f.b, r_u, extrapolated),
                          .diffusivity = p->viscosity[0], .diffusivity_faces = p->viscosity_faces, .relaxation = 1,
                          .capped = t->f.interface != NULL, .x = t->f.u, .gradient = t->f.grad_u,
                          .deferred = r_u->deferred, .density = t->mass_flux ? 1 : p->density[0],
                          .flux = t->mass_flux ? t->mass_flux : t->f.flux, .source = t->f.source,
                          .sink = t->f.sink, .rhs = t->f.rhs};
    if (t->convected) m.convected = t->convected;
    if (t->convected && t->convected_gradient) m.gradient = t->convected_gradient;
    if (t->convected && m.boundary.beyond) m.boundary.beyond = t->convected_outlet;
    transport_assemble(&m, c->solver.convection);
    struct transport_time_args time = {.s = *s, .a = t->f.momentum, .components = s->dim, .t = *k,
                                       .capacity = p->density[0], .capacity_cells = p->time_density, .rhs = t->f.rhs};
    transport_time(&time, s->n_cells);
    struct combine_args force = {t->f.rhs, 1, t->f.rhs, 1, t->f.cell_force};
    if (t->f.cell_force) combine(&force, s->dim * s->pitch);
    split_viscous_terms(t, dt);
    const bool unknown = t->pass && t->steps == 0;          /* the viscosity, which is not that of a flow yet */
    t->slips = t->slip_rate > 0 && (unknown || t->slip_rate * transient_viscosity(t) * dt > SLIP_NUMBER);
    struct slip_args slip = slip_args(t);
    if (t->slips) slip_split(&slip, s->n_boundary_cells);
}

/* ---------------------------------------------------------------- its solution */
static void add_result(struct linear_result *all, const struct linear_result *one)
{
    if (one->status > all->status) all->status = one->status;
    if (one->iterations > all->iterations) all->iterations = one->iterations;
    all->initial = fmax(all->initial, one->initial), all->final = fmax(all->final, one->final);
    if (one->note) all->note = one->note;
}

/* The components one after the other, each with its own matrix. */
static struct linear_result solve_components(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    struct linear_result all = {.status = LINEAR_CONVERGED};
    for (int k = 0; k < s->dim; k++) {
        struct matrix own = transient_momentum(t, k);
        struct linear_result one = solver_solve_component(t->f.velocity_solver, &own, t->f.u + k * s->pitch,
                                                          t->hat + k * s->pitch);
        add_result(&all, &one);
    }
    return all;
}

static struct linear_result solve_once(struct transient *t, bool again)
{
    if (t->slips) return solve_components(t);
    return (again ? solver_solve_again : solver_solve)(t->f.velocity_solver, &t->f.momentum, t->f.u, t->hat);
}

/* As for other quantities (solve_finely() in equation_time.c): where viscosity acts on thin cells the first residual is
 * theirs, and at a part of it the velocity may still be wrong along the others. */
#define VISCOUS 10                      /* nu dt / h^2 of such steps, h the thickness of the thinnest cell */
#define PART 1e-4                       /* of the velocity's change */

static void solve_on(struct transient *t, struct linear_result *r)
{
    const double number = transient_viscosity(t) * t->f.s.conductance / t->c, *density = t->f.properties.density;
    const double rounding = t->c * number * fmax(density[0], density[1]) * t->fastest * t->finest;
    if (number < VISCOUS || !(r->final > rounding)) return;
    struct transport_change_args change = {.s = t->f.s, .components = t->f.s.dim, .c = t->c, .capacity = density[0],
                                           .capacity_cells = t->f.properties.time_density, .x = t->f.u,
                                           .old = t->u_old, .sums = t->errors};
    const double most = fmax(PART * transport_change_norm(&change), rounding);
    if (!(r->final > most)) return;
    solver_set_bounds(t->f.velocity_solver, DBL_EPSILON, fmax(t->f.c->solver.velocity.absolute, most));
    const struct linear_result more = solve_once(t, true);
    r->iterations += more.iterations, r->final = more.final, r->status = more.status;
    if (!r->note) r->note = more.note;
}

void transient_predict(struct transient *t, bool again, struct transient_report *r)
{
    const struct stencil *s = &t->f.s;
    struct predictor_args a = {.s = *s, .properties = t->f.properties,
                               .acceleration = t->acceleration, .rhs = t->f.rhs, .predicted = t->hat};
    predictor_rhs(&a, s->n_cells);
    const struct linear_setting *set = &t->f.c->solver.velocity;
    solver_set_bounds(t->f.velocity_solver, set->tolerance * t->sharpness, set->absolute);
    stopwatch_lap(&t->f.watch, PHASE_MOMENTUM_ASSEMBLY);
    struct linear_result solved = solve_once(t, again);
    solve_on(t, &solved);
    solved.iterations += r->velocity_solve.iterations;
    r->velocity_solve = solved;
    stopwatch_lap(&t->f.watch, PHASE_MOMENTUM_SOLVE);
    if (!t->f.reconstruction.through) return;
    flow_reconstruct(&t->f);
    flow_reconstruct_faces(&t->f, NULL);
}

#include "flow/scalar_parts.h"
#include "assembly/gradient.h"
#include "assembly/limiter.h"
#include "assembly/scalar_step.h"
#include "flow/flow.h"
#include "gpu/vector.h"
#include "flow/anderson.h"
#include "interface/interface.h"

/* ---------------------------------------------------------------- parts of the equation */
static void copy(double *to, const double *from, int64_t n)
{
    combine(&(struct combine_args){.x = to, .a = 1, .y = from, .b = 0, .z = from}, n);
}

void scalar_take_fluid(const struct scalar *q, const double *fraction, double *capacity, double *diffusivity_faces)
{
    const struct flow *f = q->all->f;
    struct scalar_fluid_args a = {.s = f->s, .diffusivity = q->set->diffusivity,
                                  .second = q->set->fluid == SCALAR_IN_SECOND, .fraction = fraction,
                                  .capacity = capacity, .diffusivity_faces = diffusivity_faces};
    scalar_capacity(&a, f->s.n_padded);
    halo_update(f->s.pattern.halo, capacity, 1);
    if (diffusivity_faces) scalar_diffusivity(&a, f->s.n_faces);
}

static struct face_values at_boundary(const struct scalar *q)
{
    return (struct face_values){.rule = q->rule, .value = q->value, .wall = q->wall, .through = q->through,
                                .mixed = q->mixed};
}

void scalar_look_between(const struct scalar *q, const double *x, double *value, double diffusivity,
                         const double *diffusivity_faces)
{
    const struct stencil *s = &q->all->f->s;
    struct transport_faces_args a = {.s = *s, .boundary = at_boundary(q), .diffusivity = diffusivity,
                                     .diffusivity_faces = diffusivity_faces, .x = x, .gradient = q->gradient,
                                     .value = value, .wall = q->wall};
    for (int i = 0; i < 2; i++) {
        gradient(s, GRADIENT_LEAST_SQUARES, 1, x, value, q->gradient, NULL);
        transport_boundary(&a, s->n_boundary);
    }
}

/* Corrections at internal faces to upwind convection and to diffusion by two points, from x and the gradient as they
 * stand. */
static void correct_faces_of(const struct scalar *q, enum convection scheme, const double *x, const double *flux,
                             double diffusivity, const double *diffusivity_faces)
{
    const struct scalars *all = q->all;
    struct transport_faces_args a = {.s = all->f->s, .boundary = at_boundary(q), .scheme = scheme,
                                     .diffusivity = diffusivity, .diffusivity_faces = diffusivity_faces, .x = x,
                                     .gradient = q->gradient, .flux = flux, .correction = all->correction};
    halo_update(all->f->s.pattern.halo, q->gradient, all->f->s.dim);    /* that of x: gradient() */
    transport_correction(&a, all->f->s.n_active);
}

static enum convection scheme_of(const struct scalar *q)
{
    return q->set->convection == SCALAR_LIMITED ? CONVECTION_LINEAR_UPWIND : (enum convection)q->set->convection;
}

/* Faces where the flux decides what the rule is. */
static void follow_flux(const struct scalar *q, const double *flux)
{
    struct scalar_rules_args a = {.n_internal = q->all->f->s.n_internal, .entering = q->entering, .given = q->given,
                                  .flux = flux, .rule = q->rule, .value = q->value};
    scalar_rules(&a, q->all->f->s.n_boundary);
}

static struct limiter_args limiter_of(const struct scalar *q, const double *x, const double *weight)
{
    struct scalars *all = q->all;
    return (struct limiter_args){.s = all->f->s, .boundary = at_boundary(q), .x = x, .capacity = q->capacity,
                                 .least = SCALAR_LEAST, .weight = weight, .part = 1, .correction = all->correction,
                                 .lowest = all->lowest, .highest = all->highest, .plus = all->plus, .minus = all->minus,
                                 .sum = all->sum};
}

/* ---------------------------------------------------------------- steady */
/* Once the flow no longer changes the equation is linear but for the limiter; only the corrections, which are lagged,
 * need some relaxation.  They make the iteration slow at high Peclet numbers: upwind convection has hundreds of times
 * the diffusion of the whole scheme, and what only diffusion brings to the centre of a vortex comes in steps as small
 * as that ratio.  Hence Anderson's mixing, which finds such slow modes.
 * How much less, in the coupled algorithm, whose flow has converged after tens of iterations: with 0.97 what diffuses
 * across a channel of n cells takes some n^2 / 20 of them.  SIMPLE's take hundreds anyway, and cost less with more. */
static double relaxation_of(const struct flow *f) { return flow_is_coupled(f->c) ? 0.999 : 0.97; }

static void iterate_scalar(const struct scalar *q, double *residual)
{
    struct scalars *all = q->all;
    struct flow *f = all->f;
    double diffusivity = q->unit * q->set->diffusivity;
    follow_flux(q, f->flux);
    scalar_look_between(q, q->x, q->value, diffusivity, NULL);
    correct_faces_of(q, scheme_of(q), q->x, f->flux, diffusivity, NULL);
    fill(&(struct fill_args){.x = all->correction + f->s.n_internal, .value = 0}, f->s.n_boundary);
    struct transport t = {.s = f->s, .a = f->momentum, .components = 1, .boundary = at_boundary(q),
                          .diffusivity = diffusivity, .relaxation = relaxation_of(f), .x = q->x, .flux = f->flux,
                          .source = q->source, .rhs = f->rhs};
    transport_assemble(&t, CONVECTION_UPWIND);
    struct limiter_args limiter = limiter_of(q, q->x, f->momentum.diag);
    limiter.part = 0.5;
    if (q->bounded) limit_corrections(&limiter);
    sum_corrections(&limiter);
    combine(&(struct combine_args){.x = f->rhs, .a = 1, .y = f->rhs, .b = 1, .z = all->sum}, f->s.n_cells);
    residual_normalised(&f->residual, OF_CELLS, &f->momentum, q->x, f->rhs, false, 0, residual);
    anderson_begin(q->anderson);
    solver_solve(all->solver, &f->momentum, q->x, f->rhs);
    anderson_end(q->anderson);
}

double *scalars_iterate(void *state, double *residual)
{
    struct scalars *all = state;
    for (int i = 0; i < all->n; i++) iterate_scalar(&all->item[i], residual++);
    return residual;
}

/* ---------------------------------------------------------------- in time */
/* Volume per time that carries q in this step, into all->flux. */
static void carry(const struct scalar *q, const struct equation_step *step)
{
    const struct scalars *all = q->all;
    const struct flow *f = all->f;
    struct combine_args flux = {.x = all->flux, .a = step->midpoint ? 0.5 : 1, .y = step->flux,
                                .b = step->midpoint ? 0.5 : 0, .z = step->flux_old};
    double first = f->c->fluid.density, second = f->c->second_fluid.density;
    if (q->capacity) {                          /* of the fluid: mass_flux = first flux_1 + second carried / dt */
        flux.y = step->mass_flux, flux.z = f->interface->carried;
        flux.a = q->set->fluid == SCALAR_IN_FIRST ? 1 / first : 0;
        flux.b = (q->set->fluid == SCALAR_IN_FIRST ? -second / first : 1) / step->dt;
    }
    combine(&flux, f->s.n_faces);
}

/* Solves capacity c (x - old) / dt + transport = corrections, into `to`; corrections [pitch], or NULL: none. */
static void solve_in_time(const struct scalar *q, double c, double dt, const double *capacity,
                          const double *diffusivity_faces, const double *corrections, double *to)
{
    struct scalars *all = q->all;
    struct flow *f = all->f;
    struct face_values boundary = at_boundary(q);
    if (!corrections) boundary.wall = NULL;
    struct transport t = {.s = f->s, .a = f->momentum, .components = 1, .boundary = boundary,
                          .diffusivity = q->set->diffusivity, .diffusivity_faces = diffusivity_faces, .relaxation = 1,
                          .x = q->x, .flux = all->flux, .source = q->source, .rhs = f->rhs};
    transport_assemble(&t, CONVECTION_UPWIND);
    struct transport_time_args time = {.s = f->s, .a = f->momentum, .components = 1,
                                       .t = {.c = c / dt, .h1 = c / dt, .old = all->old}, .capacity = 1,
                                       .capacity_cells = capacity, .rhs = f->rhs};
    transport_time(&time, f->s.n_cells);
    struct combine_args add = {.x = f->rhs, .a = 1, .y = f->rhs, .b = 1, .z = corrections};
    if (corrections) combine(&add, f->s.n_cells);
    solver_solve(all->solver, &f->momentum, to, f->rhs);
}

static void keep_extremes(const struct scalar_step_args *a)
{
    scalar_size(a, a->s.n_slices);
    sums_finish_largest(&a->sums, SCALAR_SIZE, 1);
    scalar_extremes(a, a->s.n_slices);
    sums_finish_largest(&a->sums, SCALAR_HIGHEST, 2);
    if (a->bounded) scalar_clip(a, a->s.n_cells);
}

static void conserve(const struct scalar_step_args *a)
{
    fill(&(struct fill_args){.x = a->sum, .value = 0}, a->s.n_padded);
    scalar_inflow(a, a->s.n_boundary_cells);
    scalar_missing(a, a->s.n_slices);
    sums_finish(&a->sums, SCALAR_MISSING, 2);
    scalar_spread(a, a->s.n_cells);
}

/* On meshes that are not regular w is solved for twice, the second time with corrections of diffusion from the first
 * one: the midpoint rule damps nothing, so that an error of the first guess would grow from step to step. */
static void advance_scalar(struct scalar *q, const struct equation_step *step)
{
    struct scalars *all = q->all;
    struct flow *f = all->f;
    const struct stencil *s = &f->s;
    int32_t n = s->n_cells;
    double *diffusivity_faces = q->capacity ? all->diffusivity_faces : NULL;
    double *capacity_old = q->capacity ? all->capacity_old : NULL;
    double part = step->midpoint ? 0.5 : 1;             /* where in the step w is */
    carry(q, step);
    follow_flux(q, all->flux);
    if (q->capacity) {
        scalar_take_fluid(q, f->interface->fraction_old, capacity_old, NULL);
        struct scalar_amount_args was = {.capacity = capacity_old, .x = q->x, .amount = q->amount};
        scalar_from_amount(&was, n);
        scalar_take_fluid(q, f->interface->fraction, q->capacity, diffusivity_faces);
    }
    copy(all->old, q->x, n), copy(all->low, q->x, n);
    solve_in_time(q, 1, step->dt, capacity_old, diffusivity_faces, NULL, all->low);
    struct scalar_step_args a = {.s = *s, .boundary = at_boundary(q), .diffusivity = q->set->diffusivity,
                                 .diffusivity_faces = diffusivity_faces, .flux = all->flux, .w = all->w,
                                 .old = all->old, .low = all->low, .x = q->x, .capacity = q->capacity,
                                 .capacity_old = capacity_old, .correction = all->correction, .sum = all->sum,
                                 .dt = step->dt, .source = q->source,
                                 .bounded = q->bounded && !q->through && !q->source,
                                 .given_lowest = q->given_lowest, .given_highest = q->given_highest,
                                 .weight = all->w, .sums = all->sums};
    keep_extremes(&a);
    combine(&(struct combine_args){.x = all->w, .a = 1 - part, .y = all->old, .b = part, .z = all->low}, n);
    struct limiter_args limiter = limiter_of(q, all->low, all->w);
    const double *capacity = capacity_old;
    if (q->capacity && step->midpoint) {
        struct combine_args middle = {.x = all->lowest, .a = 0.5, .y = capacity_old, .b = 0.5, .z = q->capacity};
        combine(&middle, n);
        capacity = all->lowest;
    }
    for (int i = 0; i < (s->orthogonal && s->unskewed ? 1 : 2); i++) {
        scalar_look_between(q, all->w, q->value, q->set->diffusivity, diffusivity_faces);
        correct_faces_of(q, scheme_of(q), all->w, all->flux, q->set->diffusivity, diffusivity_faces);
        if (q->capacity) scalar_near_interface(&a, s->n_active);
        fill(&(struct fill_args){.x = all->correction + s->n_internal, .value = 0}, s->n_boundary);
        sum_corrections(&limiter);
        solve_in_time(q, 1 / part, step->dt, capacity, diffusivity_faces, all->sum, all->w);
    }
    halo_update(s->pattern.halo, all->low, 1), halo_update(s->pattern.halo, all->w, 1);
    scalar_beyond(&a, s->n_faces);
    scalar_weight(&a, n);
    if (q->bounded) limit_corrections(&limiter);
    sum_corrections(&limiter);
    scalar_update(&a, n);
    conserve(&a);
    struct scalar_amount_args is = {.capacity = q->capacity, .x = q->x, .amount = q->amount};
    if (q->capacity) scalar_to_amount(&is, n);
}

void scalars_advance(void *state, const struct equation_step *step)
{
    struct scalars *all = state;
    for (int i = 0; i < all->n; i++) advance_scalar(&all->item[i], step);
}

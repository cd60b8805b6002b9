#include "flow/scalar.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/gradient.h"
#include "assembly/limiter.h"
#include "assembly/scalar_step.h"
#include "base/memory.h"
#include "flow/flow.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "interface/interface.h"

/* ---------------------------------------------------------------- memory */
static double *faces(const struct flow *f, const char *what) { return device_alloc((size_t)f->s.n_faces * sizeof(double), what); }

/* Capacity and, unless faces is NULL, diffusivities, from a fraction of the second fluid. */
static void take_fluid(const struct scalar *q, const double *fraction, double *capacity, double *diffusivity_faces)
{
    const struct flow *f = q->all->f;
    struct scalar_fluid_args a = {.s = f->s, .diffusivity = q->set->diffusivity, .second = q->set->fluid == SCALAR_IN_SECOND,
                                  .fraction = fraction, .capacity = capacity, .diffusivity_faces = diffusivity_faces};
    scalar_capacity(&a, f->s.n_padded);
    if (diffusivity_faces) scalar_diffusivity(&a, f->s.n_faces);
}

static void create_scalar(struct scalar *q, struct scalars *all, const struct scalar_setting *set, const struct mesh *m)
{
    const struct flow *f = all->f;
    *q = (struct scalar){.set = set, .all = all, .unit = flow_is_transient(f->c) ? 1 : f->c->fluid.density};
    q->bounded = set->convection == SCALAR_LIMITED || set->convection == CONVECTION_UPWIND;
    q->x = q->amount = flow_cells(f, 1, set->name), q->gradient = flow_cells(f, f->s.dim, "gradient of a scalar");
    fill(&(struct fill_args){.x = q->x, .value = set->initial}, f->s.n_cells);
    scalar_create_boundary(q, f, m);
    if (set->fluid == SCALAR_IN_BOTH) return;
    q->capacity = flow_cells(f, 1, "part of a fluid"), q->amount = flow_cells(f, 1, set->name);
    take_fluid(q, f->interface->fraction, q->capacity, NULL);
    scalar_to_amount(&(struct scalar_amount_args){.capacity = q->capacity, .x = q->x, .amount = q->amount}, f->s.n_cells);
}

static void *scalars_create(struct flow *f, const struct mesh *m)
{
    const struct scalar_settings *set = &f->c->scalars;
    struct scalars *all;
    struct error e;
    if (!set->n) return NULL;
    NEW(all, 1), NEW(all->item, set->n);
    all->f = f, all->n = set->n;
    double **cells[] = {&all->low, &all->w, &all->old, &all->capacity_old, &all->lowest, &all->highest, &all->plus, &all->minus, &all->sum};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) *cells[i] = flow_cells(f, 1, "scalars");
    all->flux = faces(f, "flux of a scalar"), all->correction = faces(f, "corrections of a scalar");
    all->diffusivity_faces = f->interface ? faces(f, "diffusivity") : NULL;
    all->sums = sums_create(N_SCALAR_SUMS, f->s.n_slices, "sums of scalars");
    for (int i = 0; i < all->n; i++) create_scalar(&all->item[i], all, &set->item[i], m);
    struct linear_setting linear = f->c->solver.velocity;
    linear.method = METHOD_BICGSTAB, linear.preconditioner = PRECONDITIONER_JACOBI;
    if (flow_is_transient(f->c)) linear.tolerance = 1e-12, linear.max_iterations = 1000;       /* bounds hold as well as it is solved */
    all->solver = solver_create(&f->momentum, &linear, &(struct solver_setup){.components = 1, .nonsymmetric = true, .work = f->work}, &e);
    if (!all->solver) die("%s", e.text);
    return all;
}

static void scalars_free(void *state)
{
    struct scalars *all = state;
    for (struct scalar *q = all->item; q < all->item + all->n; q++) {
        void *arrays[] = {q->x, q->amount == q->x ? NULL : q->amount, q->gradient, q->capacity, q->rule, q->entering, q->value, q->shown, q->given, q->wall,
                          q->through, q->mixed};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    }
    double *const work[] = {all->flux, all->correction, all->diffusivity_faces, all->low, all->w, all->old, all->capacity_old,
                            all->lowest, all->highest, all->plus, all->minus, all->sum};
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) device_free(work[i]);
    sums_free(&all->sums);
    solver_free(all->solver);
    free(all->item), free(all);
}

/* ---------------------------------------------------------------- parts of the equation */
static void copy(double *to, const double *from, int64_t n)
{
    combine(&(struct combine_args){.x = to, .a = 1, .y = from, .b = 0, .z = from}, n);
}

static struct face_values at_boundary(const struct scalar *q)
{
    return (struct face_values){.rule = q->rule, .value = q->value, .wall = q->wall, .through = q->through, .mixed = q->mixed};
}

/* The gradient of x and boundary values, which each are made with the other, from the values as they were; and `wall`. */
static void look_between(const struct scalar *q, const double *x, double *value, double diffusivity, const double *diffusivity_faces)
{
    const struct stencil *s = &q->all->f->s;
    struct transport_faces_args a = {.s = *s, .boundary = at_boundary(q), .diffusivity = diffusivity, .diffusivity_faces = diffusivity_faces,
                                     .x = x, .gradient = q->gradient, .value = value, .wall = q->wall};
    for (int i = 0; i < 2; i++) {
        gradient(s, GRADIENT_LEAST_SQUARES, 1, x, value, q->gradient, NULL);
        transport_boundary(&a, s->n_boundary);
    }
}

/* Corrections at inner faces to upwind convection and two-point diffusion, from x and the gradient as they stand. */
static void correct_faces_of(const struct scalar *q, enum convection scheme, const double *x, const double *flux, double diffusivity,
                             const double *diffusivity_faces)
{
    const struct scalars *all = q->all;
    struct transport_faces_args a = {.s = all->f->s, .boundary = at_boundary(q), .scheme = scheme, .diffusivity = diffusivity,
                                     .diffusivity_faces = diffusivity_faces, .x = x, .gradient = q->gradient, .flux = flux,
                                     .correction = all->correction};
    transport_correction(&a, all->f->s.n_internal);
}

static enum convection scheme_of(const struct scalar *q)
{
    return q->set->convection == SCALAR_LIMITED ? CONVECTION_LINEAR_UPWIND : (enum convection)q->set->convection;
}

/* Faces where the flux decides what the rule is. */
static void follow_flux(const struct scalar *q, const double *flux)
{
    struct scalar_rules_args a = {.n_internal = q->all->f->s.n_internal, .entering = q->entering, .given = q->given, .flux = flux,
                                  .rule = q->rule, .value = q->value};
    scalar_rules(&a, q->all->f->s.n_boundary);
}

static struct limiter_args limiter_of(const struct scalar *q, const double *x, const double *weight)
{
    struct scalars *all = q->all;
    return (struct limiter_args){.s = all->f->s, .boundary = at_boundary(q), .x = x, .capacity = q->capacity, .least = SCALAR_LEAST, .weight = weight, .part = 1,
                                 .correction = all->correction, .lowest = all->lowest, .highest = all->highest, .plus = all->plus,
                                 .minus = all->minus, .sum = all->sum};
}

/* ---------------------------------------------------------------- steady */
/* The equation is linear once the flow stands, so that corrections alone need some. */
#define RELAXATION 0.97

static void iterate_scalar(const struct scalar *q, double *residual)
{
    struct scalars *all = q->all;
    struct flow *f = all->f;
    double diffusivity = q->unit * q->set->diffusivity;
    follow_flux(q, f->flux);
    look_between(q, q->x, q->value, diffusivity, NULL);
    correct_faces_of(q, scheme_of(q), q->x, f->flux, diffusivity, NULL);
    fill(&(struct fill_args){.x = all->correction + f->s.n_internal, .value = 0}, f->s.n_boundary);
    struct transport t = {.s = f->s, .a = f->momentum, .components = 1, .boundary = at_boundary(q), .diffusivity = diffusivity,
                          .relaxation = RELAXATION, .x = q->x, .flux = f->flux, .rhs = f->rhs};
    transport_assemble(&t, CONVECTION_UPWIND);
    struct limiter_args limiter = limiter_of(q, q->x, f->momentum.diag);
    limiter.part = 0.5;
    if (q->bounded) limit_corrections(&limiter);
    sum_corrections(&limiter);
    combine(&(struct combine_args){.x = f->rhs, .a = 1, .y = f->rhs, .b = 1, .z = all->sum}, f->s.n_cells);
    struct relax_limited_args relax = {.limiter = limiter, .diagonal = f->momentum.diag, .rhs = f->rhs};
    if (q->bounded) relax_limited(&relax, f->s.n_cells);
    residual_normalised(&f->pressure_residual, &f->momentum, q->x, f->rhs, false, 0, residual);
    solver_solve(all->solver, &f->momentum, q->x, f->rhs);
}

static double *scalars_iterate(void *state, double *residual)
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
    struct combine_args flux = {.x = all->flux, .a = step->midpoint ? 0.5 : 1, .y = step->flux, .b = step->midpoint ? 0.5 : 0, .z = step->flux_old};
    double first = f->c->fluid.density, second = f->c->second_fluid.density;
    if (q->capacity) {                                  /* of the fluid: mass_flux = first flux_1 + second carried / dt */
        flux.y = step->mass_flux, flux.z = f->interface->carried;
        flux.a = q->set->fluid == SCALAR_IN_FIRST ? 1 / first : 0;
        flux.b = (q->set->fluid == SCALAR_IN_FIRST ? -second / first : 1) / step->dt;
    }
    combine(&flux, f->s.n_faces);
}

/* Solves with c / dt in time; the corrections in all->sum, or none. */
static void solve_in_time(const struct scalar *q, double c, double dt, const double *capacity, const double *diffusivity_faces,
                          const double *corrections, double *to)
{
    struct scalars *all = q->all;
    struct flow *f = all->f;
    struct face_values boundary = at_boundary(q);
    if (!corrections) boundary.wall = NULL;
    struct transport t = {.s = f->s, .a = f->momentum, .components = 1, .boundary = boundary, .diffusivity = q->set->diffusivity,
                          .diffusivity_faces = diffusivity_faces, .relaxation = 1, .x = q->x, .flux = all->flux, .rhs = f->rhs};
    transport_assemble(&t, CONVECTION_UPWIND);
    struct transport_time_args time = {.s = f->s, .a = f->momentum, .components = 1, .t = {.c = c / dt, .h1 = c / dt, .old = all->old},
                                       .capacity = 1, .capacity_cells = capacity, .rhs = f->rhs};
    transport_time(&time, f->s.n_cells);
    if (corrections) combine(&(struct combine_args){.x = f->rhs, .a = 1, .y = f->rhs, .b = 1, .z = corrections}, f->s.n_cells);
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

/* On meshes that are not regular corrections of diffusion are made once more, with what the first ones gave: the midpoint rule
 * damps nothing, so that what a first guess has too much of would grow. */
static void advance_scalar(struct scalar *q, const struct equation_step *step)
{
    struct scalars *all = q->all;
    struct flow *f = all->f;
    const struct stencil *s = &f->s;
    int32_t n = s->n_cells;
    double *diffusivity_faces = q->capacity ? all->diffusivity_faces : NULL, *capacity_old = q->capacity ? all->capacity_old : NULL;
    double part = step->midpoint ? 0.5 : 1;             /* where in the step w is */
    carry(q, step);
    follow_flux(q, all->flux);
    if (q->capacity) {
        take_fluid(q, step->fraction_old, capacity_old, NULL);
        scalar_from_amount(&(struct scalar_amount_args){.capacity = capacity_old, .x = q->x, .amount = q->amount}, n);
        take_fluid(q, f->interface->fraction, q->capacity, diffusivity_faces);
    }
    copy(all->old, q->x, n), copy(all->low, q->x, n);
    solve_in_time(q, 1, step->dt, capacity_old, diffusivity_faces, NULL, all->low);
    struct scalar_step_args a = {.s = *s, .boundary = at_boundary(q), .diffusivity = q->set->diffusivity, .diffusivity_faces = diffusivity_faces,
                                 .flux = all->flux, .w = all->w, .old = all->old, .low = all->low, .x = q->x, .capacity = q->capacity,
                                 .capacity_old = capacity_old, .correction = all->correction, .sum = all->sum, .dt = step->dt,
                                 .bounded = q->bounded && !q->through, .given_lowest = q->given_lowest, .given_highest = q->given_highest,
                                 .weight = all->w, .sums = all->sums};
    keep_extremes(&a);
    combine(&(struct combine_args){.x = all->w, .a = 1 - part, .y = all->old, .b = part, .z = all->low}, n);
    struct limiter_args limiter = limiter_of(q, all->low, all->w);
    const double *capacity = capacity_old;
    if (q->capacity && step->midpoint) {
        combine(&(struct combine_args){.x = all->lowest, .a = 0.5, .y = capacity_old, .b = 0.5, .z = q->capacity}, n);
        capacity = all->lowest;
    }
    for (int i = 0; i < (s->orthogonal && s->unskewed ? 1 : 2); i++) {
        look_between(q, all->w, q->value, q->set->diffusivity, diffusivity_faces);
        correct_faces_of(q, scheme_of(q), all->w, all->flux, q->set->diffusivity, diffusivity_faces);
        if (q->capacity) scalar_near_interface(&a, s->n_internal);
        fill(&(struct fill_args){.x = all->correction + s->n_internal, .value = 0}, s->n_boundary);
        sum_corrections(&limiter);
        solve_in_time(q, 1 / part, step->dt, capacity, diffusivity_faces, all->sum, all->w);
    }
    scalar_beyond(&a, s->n_faces);
    scalar_weight(&a, n);
    if (q->bounded) limit_corrections(&limiter);
    sum_corrections(&limiter);
    scalar_update(&a, n);
    conserve(&a);
    if (q->capacity) scalar_to_amount(&(struct scalar_amount_args){.capacity = q->capacity, .x = q->x, .amount = q->amount}, n);
}

static void scalars_advance(void *state, const struct equation_step *step)
{
    struct scalars *all = state;
    for (int i = 0; i < all->n; i++) advance_scalar(&all->item[i], step);
}

/* ---------------------------------------------------------------- fields */
static const double *gradient_of(void *scalar)
{
    struct scalar *q = scalar;
    copy(q->shown, q->value, q->all->f->s.n_boundary);
    look_between(q, q->x, q->shown, q->unit * q->set->diffusivity, NULL);
    return q->gradient;
}

static void scalars_fields(void *state, const struct flow *f, struct fields *list)
{
    const struct scalars *all = state;
    unsigned use = FIELD_OUTPUT | FIELD_CHECKPOINT | FIELD_SAMPLE | FIELD_DIGEST | (flow_is_transient(f->c) ? 0 : FIELD_RESIDUAL);
    for (int i = 0; i < f->c->scalars.n; i++) {
        const struct scalar_setting *set = &f->c->scalars.item[i];
        struct scalar *q = all ? &all->item[i] : NULL;
        struct field field = {.name = set->name, .use = use, .components = 1, .pitch = f->s.pitch, .length = f->s.n_padded, .owner = q};
        if (q) field.value = &q->amount;
        if (q) snprintf(q->boundary_name, sizeof q->boundary_name, "%s.boundary", set->name);
        if (q && !q->capacity)                          /* in one of two fluids a cell has its value everywhere */
            field.make_gradient = gradient_of, field.boundary = &q->shown, field.rule = (const uint8_t *const *)&q->rule;
        fields_add(list, &field);
        struct field boundary = {.use = FIELD_CHECKPOINT, .components = 1, .pitch = f->s.n_boundary};
        if (q) boundary.name = q->boundary_name, boundary.value = &q->value;
        if (q) fields_add(list, &boundary);
    }
}

const struct equation_kind scalar_equation = {.create = scalars_create, .fields = scalars_fields, .iterate = scalars_iterate,
    .advance = scalars_advance, .free = scalars_free};

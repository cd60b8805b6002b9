/* An iteration, or a time step, of a quantity transported by the flow. */
#include "flow/equation_step.h"
#include <math.h>
#include "assembly/gradient.h"
#include "assembly/limiter.h"
#include "assembly/scalar_step.h"
#include "flow/anderson.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* ---------------------------------------------------------------- memory */
static bool shares_memory(const struct equation_work *k) { return k->s == &k->f->s; }
static bool owns_matrix(const struct equation_work *k) { return flow_is_transient(k->f->c) || !shares_memory(k); }

static double *cells(const struct stencil *s) { return pattern_alloc(&s->pattern, 1, sizeof(double), "scalars"); }

/* Conduction in solids is not dominated by the diagonal, as the velocity's equation is.  Multigrid reduces all of its
 * error alike, so that in steady flow a tighter tolerance saves no iterations. */
static void use_multigrid(struct linear_setting *linear, bool steady)
{
    static const char *const standard[] = {"method=fgmres", "restart=10", "max_iterations=100"};
    const struct linear_setting velocity = *linear;
    struct error e;
    if (!linear_setting_read(linear, "multigrid", NULL, standard, 3, &e)) die("%s", e.text);
    linear->tolerance = steady ? 0.1 : velocity.tolerance, linear->absolute = velocity.absolute;
}

bool equation_work_create(struct equation_work *k, struct flow *f, const struct stencil *s,
                          const struct matrix *structure, struct error *e)
{
    double **array[] = {&k->low, &k->w, &k->old, &k->lowest, &k->highest, &k->plus, &k->minus, &k->sum};
    k->f = f, k->s = s, k->a = f->momentum, k->rhs = f->rhs, k->residual = &f->residual;
    if (owns_matrix(k)) matrix_create(&k->a, &s->pattern);
    if (!shares_memory(k)) {
        k->rhs = cells(s), k->residual = &k->own;
        residual_create(&k->own, s);
        k->stage = cells(s);
    }
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) *array[i] = cells(s);
    k->correction = device_alloc((size_t)s->n_faces * sizeof(double), "corrections of a scalar");
    k->sums = sums_create(N_SCALAR_SUMS, s->n_slices, "sums of scalars");
    struct linear_setting linear = f->c->solver.velocity;
    const struct equation_setting *set = &flow_algorithm(f->c)->equation;
    linear.tolerance = fmin(linear.tolerance, set->tolerance);
    if (!shares_memory(k)) use_multigrid(&linear, !flow_is_transient(f->c));
    if (linear.max_iterations < set->max_iterations) linear.max_iterations = set->max_iterations;
    struct solver_setup setup = {.components = 1, .nonsymmetric = true, .values_follow = true,
                                 .work = shares_memory(k) ? f->work : NULL};
    k->tolerance = linear.tolerance, k->absolute = linear.absolute;
    k->solver = solver_create(structure, &linear, &setup, e);
    if (!k->solver) equation_work_free(k);
    return k->solver;
}

void equation_work_free(struct equation_work *k)
{
    double *const arrays[] = {k->correction, k->low, k->w, k->old, k->stage, k->lowest, k->highest, k->plus, k->minus,
                              k->sum};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    if (k->f && owns_matrix(k)) matrix_free(&k->a);
    if (k->f && !shares_memory(k)) device_free(k->rhs), residual_free(&k->own);
    sums_free(&k->sums);
    solver_free(k->solver);
    *k = (struct equation_work){0};
}

/* ---------------------------------------------------------------- parts of the equation */
static struct face_values at_boundary(const struct equation *q)
{
    return (struct face_values){.rule = q->rule, .value = q->value, .wall = q->wall, .through = q->through,
                                .mixed = q->mixed};
}

static struct contact_args at_contacts(const struct equation *q, const struct stencil *s, const double *x,
                                       double *correction)
{
    struct contact_args a = {.s = *s, .diffusivity_faces = q->diffusivity_faces, .x = x, .boundary = q->value,
                             .gradient = q->gradient, .correction = correction};
    if (q->contacts) a.k = *q->contacts;
    return a;
}

void equation_gradient(const struct equation *q, const struct stencil *s, const double *x)
{
    struct transport_faces_args a = {.s = *s, .boundary = at_boundary(q), .diffusivity = q->diffusivity,
                                     .diffusivity_faces = q->diffusivity_faces, .x = x, .gradient = q->gradient,
                                     .value = q->value, .wall = q->wall};
    const struct contact_args c = at_contacts(q, s, x, NULL);
    for (int i = 0; i < 2; i++) {
        gradient(s, GRADIENT_LEAST_SQUARES, 1, x, q->value, q->gradient, NULL);
        if (q->contacts) contact_gradient(&c, q->contacts->n_cells);
        transport_boundary(&a, s->n_boundary);
        if (q->contacts) contact_sides(&c, q->contacts->n);
    }
}

/* Corrections at internal faces to upwind convection and to two-point diffusion, from x and the present gradient. */
static void correct_faces_of(const struct equation *q, const struct equation_work *k, const double *x)
{
    const struct stencil *s = k->s;
    struct transport_faces_args a = {.s = *s, .boundary = at_boundary(q), .scheme = q->convection,
                                     .diffusivity = q->diffusivity, .diffusivity_faces = q->diffusivity_faces, .x = x,
                                     .gradient = q->gradient, .flux = q->flux, .correction = k->correction};
    halo_update(s->pattern.halo, q->gradient, s->dim);  /* x was updated by equation_gradient() */
    transport_correction(&a, s->n_active);
    const struct contact_args c = at_contacts(q, s, x, k->correction);
    if (q->contacts) contact_correction(&c, q->contacts->n);
}

/* Sets the rule of faces where it depends on the flux. */
static void follow_flux(const struct equation *q, const struct stencil *s)
{
    struct scalar_rules_args a = {.n_internal = s->n_internal, .entering = q->entering, .given = q->given,
                                  .flux = q->flux, .rule = q->rule, .value = q->value};
    scalar_rules(&a, s->n_boundary);
}

static struct limiter_args limiter_of(const struct equation *q, struct equation_work *k, const double *x,
                                      const double *weight)
{
    return (struct limiter_args){.s = *k->s, .boundary = at_boundary(q), .x = x, .capacity = q->capacity,
                                 .least = SCALAR_LEAST, .weight = weight, .part = 1, .correction = k->correction,
                                 .lowest = k->lowest, .highest = k->highest, .plus = k->plus, .minus = k->minus,
                                 .sum = k->sum};
}

static struct transport transport_of(const struct equation *q, const struct equation_work *k, double relaxation)
{
    return (struct transport){.s = *k->s, .a = k->a, .components = 1, .boundary = at_boundary(q),
                              .diffusivity = q->diffusivity, .diffusivity_faces = q->diffusivity_faces,
                              .relaxation = relaxation, .x = q->x, .density = 1, .flux = q->flux,
                              .source = q->source, .sink = q->sink, .rhs = k->rhs};
}

/* Fixes cells with a prescribed value, after everything else has been assembled. */
static void fix_cells(const struct equation *q, struct transport *t)
{
    t->fixed = q->fixed;
    if (t->fixed) transport_fix(t, t->s.n_slices);
}

/* ---------------------------------------------------------------- steady */
static double relaxation_of(const struct equation_work *k)
{
    const struct flow *f = k->f;
    const struct equation_setting *set = &flow_algorithm(f->c)->equation;
    if (!flow_acting_scalar(f->c) || set->acting_steps == 0) return set->relaxation;
    return 1 - set->acting_steps / pow((double)k->s->pattern.n_global, 1.0 / k->s->dim);
}

/* While the flow is farther from its solution than x, an iteration of x need not be accurate. */
static const double waiting_tolerance = 0.1;

static void iterate(const struct equation *q, struct equation_work *k, double *residual)
{
    const struct stencil *s = k->s;
    equation_gradient(q, s, q->x);
    correct_faces_of(q, k, q->x);
    fill(&(struct fill_args){.x = k->correction + s->n_internal, .value = 0}, s->n_boundary);
    struct transport t = transport_of(q, k, relaxation_of(k));
    transport_assemble(&t, CONVECTION_UPWIND);
    if (q->contacts) {
        struct solid_rows_args solid = {.first = q->contacts->first_solid, .a = k->a, .relaxation = t.relaxation,
                                        .x = q->x, .rhs = k->rhs};
        solid_unrelax(&solid, s->n_cells - solid.first);
    }
    struct limiter_args limiter = limiter_of(q, k, q->x, k->a.diag);
    limiter.part = 0.5;
    if (q->bounded) limit_corrections(&limiter);
    sum_corrections(&limiter);
    combine(&(struct combine_args){.x = k->rhs, .a = 1, .y = k->rhs, .b = 1, .z = k->sum}, s->n_cells);
    fix_cells(q, &t);
    residual_normalised(k->residual, OF_CELLS, &k->a, q->x, k->rhs, false, 0, residual);
    bool waits = q->may_wait && *residual < k->f->worst_residual;
    solver_set_bounds(k->solver, waits ? fmax(k->tolerance, waiting_tolerance) : k->tolerance, k->absolute);
    if (q->anderson) anderson_begin(q->anderson);
    solver_solve(k->solver, &k->a, q->x, k->rhs);
    if (q->anderson) anderson_end(q->anderson);
}

/* ---------------------------------------------------------------- in time */
/* Solves capacity c (x - old) / dt + transport = corrections, into `to`; corrections [pitch], or NULL: none.  again:
 * the matrix is that of the last solve. */
static void solve_in_time(const struct equation *q, struct equation_work *k, double c, double dt, const double *old,
                          const double *capacity, const double *corrections, double *to, bool again)
{
    struct transport t = transport_of(q, k, 1);
    if (!corrections) t.boundary.wall = NULL;
    transport_assemble(&t, CONVECTION_UPWIND);
    struct transport_time_args time = {.s = *k->s, .a = k->a, .components = 1,
                                       .t = {.c = c / dt, .h1 = c / dt, .old = old}, .capacity = 1,
                                       .capacity_cells = capacity, .rhs = k->rhs};
    transport_time(&time, k->s->n_cells);
    struct combine_args add = {.x = k->rhs, .a = 1, .y = k->rhs, .b = 1, .z = corrections};
    if (corrections) combine(&add, k->s->n_cells);
    fix_cells(q, &t);
    (again ? solver_solve_again : solver_solve)(k->solver, &k->a, to, k->rhs);
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

/* The first guess of w, low, is then no part of the result: x follows from w alone, x = old + (w - old) / part, which
 * is what w's fluxes make of old. */
static bool follows_w(const struct equation *q) { return !q->bounded && !q->dissolved && !q->sink && !q->fixed; }

/* Of its two solves, in proportion to the velocity's.  The guess is used in w's corrections only.  Where materials of
 * different capacities share one norm of the residual the solves remain tight. */
static const double guess_tolerance = 10, final_tolerance = 1e-4;

static void set_tolerance(const struct equation *q, const struct equation_work *k, double of_velocity)
{
    if (!follows_w(q) || q->capacity) of_velocity = 0;
    double tolerance = fmax(k->tolerance, of_velocity * k->f->c->solver.velocity.tolerance);
    solver_set_bounds(k->solver, tolerance, k->absolute);
}

/* x from low and the difference of the fluxes, as limited. */
static void correct_low(const struct equation *q, const struct scalar_step_args *a, const struct limiter_args *limiter)
{
    halo_update(a->s.pattern.halo, a->low, 1);
    scalar_beyond(a, a->s.n_faces);
    scalar_weight(a, a->s.n_cells);
    if (q->bounded) limit_corrections(limiter);
    sum_corrections(limiter);
    scalar_update(a, a->s.n_cells);
}

/* Solves for w, capacity c (w - old) / dt = transport with all corrections, from the guess in w.  On irregular meshes
 * twice, the second time with corrections of diffusion from the first solution: the midpoint rule has no damping, so an
 * error of the first guess would grow from step to step. */
static void solve_corrected(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                            double c, const double *old, const double *capacity, bool again)
{
    const struct stencil *s = k->s;
    struct limiter_args sum = limiter_of(q, k, k->low, k->w);
    for (int i = 0; i < (s->orthogonal && s->unskewed ? 1 : 2); i++) {
        equation_gradient(q, s, k->w);
        correct_faces_of(q, k, k->w);
        if (q->dissolved) scalar_near_interface(a, s->n_active);
        fill(&(struct fill_args){.x = k->correction + s->n_internal, .value = 0}, s->n_boundary);
        sum_corrections(&sum);
        solve_in_time(q, k, c, a->dt, old, capacity, k->sum, k->w, again || i > 0);
    }
}

/* With solids a step has two stages of implicit Runge-Kutta (Alexander 1977), of second order and L-stable, each with
 * part = 1 - 1/sqrt(2) of the step: x1 = old + part dt F(x1), x = old + dt F(w), w = (1 - part) x1 + part x.  So w is
 * the solution of (w - stage) / (part dt) = F(w), stage = (1 - part) x1 + part old, with the matrix of the first. */
static const double stage_part = 0.29289321881345247560;

/* The first of the two stages: sets k->stage and the first guess of w, which is in the middle of the step. */
static void first_stage(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a)
{
    int32_t n = k->s->n_cells;
    double guess = 0.5 / stage_part;
    solve_corrected(q, k, a, 1 / stage_part, k->old, q->capacity, false);
    combine(&(struct combine_args){.x = k->stage, .a = 1 - stage_part, .y = k->w, .b = stage_part, .z = k->old}, n);
    combine(&(struct combine_args){.x = k->w, .a = guess, .y = k->w, .b = 1 - guess, .z = k->old}, n);
}

/* x at the end of the step, from w at a time within it. */
static void advance(const struct equation *q, struct equation_work *k, double dt, bool midpoint)
{
    const struct stencil *s = k->s;
    int32_t n = s->n_cells;
    bool stages = midpoint && q->contacts;
    double part = stages ? stage_part : midpoint ? 0.5 : 1;     /* midpoint, Euler: time of w in the step */
    const double *start = stages ? k->stage : k->old;
    bool known = !q->sink && !q->fixed;                 /* whether the change of the amount is known */
    copy_array(k->old, q->x, n), copy_array(k->low, q->x, n);
    set_tolerance(q, k, guess_tolerance);
    if (!follows_w(q) || !q->contacts) solve_in_time(q, k, 1, dt, k->old, q->capacity_old, NULL, k->low, false);
    struct scalar_step_args a = {.s = *s, .boundary = at_boundary(q), .diffusivity = q->diffusivity,
                                 .diffusivity_faces = q->diffusivity_faces, .flux = q->flux, .w = k->w,
                                 .old = k->old, .low = k->low, .x = q->x, .capacity = q->capacity,
                                 .capacity_old = q->capacity_old, .correction = k->correction, .sum = k->sum,
                                 .dt = dt, .source = q->source,
                                 .bounded = q->bounded && !q->through && !q->source && known,
                                 .given_lowest = q->given_lowest, .given_highest = q->given_highest,
                                 .fixed = q->fixed, .weight = k->w, .inflow = q->inflow, .sums = k->sums};
    if (!follows_w(q)) keep_extremes(&a);
    double late = q->contacts ? 0 : part;               /* with solids a steady temperature must remain as it is */
    combine(&(struct combine_args){.x = k->w, .a = 1 - late, .y = k->old, .b = late, .z = k->low}, n);
    struct limiter_args limiter = limiter_of(q, k, k->low, k->w);
    const double *capacity = q->capacity_old;
    if (q->capacity != q->capacity_old && midpoint) {
        struct combine_args middle = {.x = k->lowest, .a = 0.5, .y = q->capacity_old, .b = 0.5, .z = q->capacity};
        combine(&middle, n);
        capacity = k->lowest;
    }
    set_tolerance(q, k, final_tolerance);
    if (stages) first_stage(q, k, &a);
    solve_corrected(q, k, &a, 1 / part, start, capacity, stages);
    halo_update(s->pattern.halo, k->w, 1);
    if (follows_w(q)) {
        combine(&(struct combine_args){.x = q->x, .a = 1 / part, .y = k->w, .b = 1 - 1 / part, .z = start}, n);
        if (stages) {
            combine(&(struct combine_args){.x = k->stage, .a = 1, .y = k->old, .b = -1, .z = k->stage}, n);
            combine(&(struct combine_args){.x = q->x, .a = 1, .y = q->x, .b = 1, .z = k->stage}, n);
        }
        scalar_beyond(&a, s->n_faces);                  /* for conserve(): corrections at boundary faces */
    } else correct_low(q, &a, &limiter);
    if (known) conserve(&a);
}

void equation_step(const struct equation *q, struct equation_work *k, double dt, bool midpoint, double *residual)
{
    follow_flux(q, k->s);
    if (dt > 0) advance(q, k, dt, midpoint);
    else iterate(q, k, residual);
}

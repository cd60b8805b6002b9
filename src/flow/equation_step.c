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

/* Whether values at boundaries and diffusion do not depend on the gradient. */
static bool is_simple(const struct equation *q, const struct stencil *s)
{
    return s->orthogonal && s->unskewed && !q->contacts;
}

void equation_gradient(const struct equation *q, const struct stencil *s, const double *x)
{
    struct transport_faces_args a = {.s = *s, .boundary = at_boundary(q), .diffusivity = q->diffusivity,
                                     .diffusivity_faces = q->diffusivity_faces, .x = x, .gradient = q->gradient,
                                     .value = q->value, .wall = q->wall};
    const struct contact_args c = at_contacts(q, s, x, NULL);
    if (is_simple(q, s)) {
        a.gradient = NULL;
        transport_boundary(&a, s->n_boundary);
        gradient(s, GRADIENT_LEAST_SQUARES, 1, x, q->value, q->gradient, NULL);
        return;
    }
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

/* On regular meshes the assembly itself can compute the scheme, where no limiter needs the corrections. */
static bool scheme_is_assembled(const struct equation *q, const struct stencil *s)
{
    return is_simple(q, s) && !q->bounded && !q->dissolved;
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
                              .relaxation = relaxation, .x = q->x, .gradient = q->gradient, .density = 1,
                              .flux = q->flux, .source = q->source, .sink = q->sink, .rhs = k->rhs};
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

/* A solve need not be accurate while the flow is farther from its solution than x, or where it is as loose: flow and x
 * that wait for each other take as many iterations with it (convection at Ra 1e4 to 1e6, 1600 to 14400 cells). */
static const double loose_tolerance = 0.1;

static double tolerance_now(const struct equation *q, const struct equation_work *k, double residual)
{
    const struct flow *f = k->f;
    bool together = flow_acting_scalar(f->c) && flow_algorithm(f->c)->equation.acting_steps == 0;
    bool loose = together || (q->may_wait && residual < f->worst_residual);
    return loose ? fmax(k->tolerance, loose_tolerance) : k->tolerance;
}

/* Adds the scheme's corrections to the upwind equation, limited if it is bounded. */
static void add_corrections(const struct equation *q, struct equation_work *k)
{
    const struct stencil *s = k->s;
    correct_faces_of(q, k, q->x);
    fill(&(struct fill_args){.x = k->correction + s->n_internal, .value = 0}, s->n_boundary);
    struct limiter_args limiter = limiter_of(q, k, q->x, k->a.diag);
    limiter.part = 0.5;
    if (q->bounded) limit_corrections(&limiter);
    sum_corrections(&limiter);
    combine(&(struct combine_args){.x = k->rhs, .a = 1, .y = k->rhs, .b = 1, .z = k->sum}, s->n_cells);
}

static void iterate(const struct equation *q, struct equation_work *k, double *residual)
{
    const struct stencil *s = k->s;
    bool assembled = scheme_is_assembled(q, s);
    equation_gradient(q, s, q->x);
    struct transport t = transport_of(q, k, relaxation_of(k));
    transport_assemble(&t, assembled ? q->convection : CONVECTION_UPWIND);
    if (q->contacts) {
        struct solid_rows_args solid = {.first = q->contacts->first_solid, .a = k->a, .relaxation = t.relaxation,
                                        .x = q->x, .rhs = k->rhs};
        solid_unrelax(&solid, s->n_cells - solid.first);
    }
    if (!assembled) add_corrections(q, k);
    fix_cells(q, &t);
    residual_normalised(k->residual, OF_CELLS, &k->a, q->x, k->rhs, false, 0, residual);
    solver_set_bounds(k->solver, tolerance_now(q, k, *residual), k->absolute);
    if (q->anderson) anderson_begin(q->anderson);
    solver_solve(k->solver, &k->a, q->x, k->rhs);
    if (q->anderson) anderson_end(q->anderson);
}

/* ---------------------------------------------------------------- in time */
/* capacity c (x - old) / dt + transport = corrections */
struct in_time {
    double c, dt;
    const double *old, *capacity;       /* [pitch]; capacity NULL: 1 */
};

/* Solves it into `to`.  corrected: with corrections, from k->w and its gradient, or as summed in k->sum.  again: the
 * matrix is that of the last solve. */
static struct linear_result solve_in_time(const struct equation *q, struct equation_work *k, const struct in_time *e,
                                          bool corrected, double *to, bool again)
{
    bool assembled = corrected && scheme_is_assembled(q, k->s);
    struct transport t = transport_of(q, k, 1);
    if (!corrected) t.boundary.wall = NULL;
    if (assembled) t.x = k->w;
    transport_assemble(&t, assembled ? q->convection : CONVECTION_UPWIND);
    struct transport_time_args time = {.s = *k->s, .a = k->a, .components = 1,
                                       .t = {.c = e->c / e->dt, .h1 = e->c / e->dt, .old = e->old}, .capacity = 1,
                                       .capacity_cells = e->capacity, .rhs = k->rhs};
    transport_time(&time, k->s->n_cells);
    struct combine_args add = {.x = k->rhs, .a = 1, .y = k->rhs, .b = 1, .z = k->sum};
    if (corrected && !assembled) combine(&add, k->s->n_cells);
    fix_cells(q, &t);
    return (again ? solver_solve_again : solver_solve)(k->solver, &k->a, to, k->rhs);
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
    if (a->heat.law) scalar_settle_heat(a, a->s.n_cells);
    for (int i = 0; i < (a->heat.law ? 3 : 1); i++) {
        scalar_missing(a, a->s.n_slices);
        sums_finish(&a->sums, SCALAR_MISSING, 2);
        scalar_spread(a, a->s.n_cells);
    }
}

/* x follows from w alone: x = old + (w - old) / part. */
static bool follows_w(const struct equation *q) { return !q->bounded && !q->dissolved && !q->sink && !q->fixed; }

/* Tolerances of w's guess and of w, in proportion to the velocity's: what remains is too little to be seen beside the
 * error in time, and conserve() makes the amount exact.  Where different materials share one norm of the residual, the
 * same residual is a larger error of x in one of them, by their contrast. */
static const double guess_tolerance = 10, final_tolerance = 0.1;

static double final_bound(const struct equation *q, const struct equation_work *k)
{
    double loose = final_tolerance * k->f->c->solver.velocity.tolerance;
    if (q->capacity) loose = q->contrast > 0 ? loose / q->contrast : 0;
    return fmax(k->tolerance, loose);
}

/* With contacts; rough: another solve follows, with corrections from this one's solution. */
static const double rough_tolerance = 0.01;

static void set_bounds(const struct equation *q, const struct equation_work *k, bool rough)
{
    double tolerance = rough ? rough_tolerance : k->enough > 0 ? k->tolerance : final_bound(q, k);
    solver_set_bounds(k->solver, tolerance, fmax(k->absolute, k->enough));
}

/* x from low and the difference of the fluxes, as limited. */
static void correct_low(const struct equation *q, const struct scalar_step_args *a, const struct limiter_args *limiter)
{
    halo_update(a->s.pattern.halo, a->low, 1);
    scalar_beyond(a, a->s.n_internal);
    scalar_beyond_boundary(a, a->s.n_boundary);
    scalar_weight(a, a->s.n_cells);
    if (q->bounded) limit_corrections(limiter);
    sum_corrections(limiter);
    scalar_update(a, a->s.n_cells);
}

/* Solves for w with all corrections, from the guess in w.  On irregular meshes twice, the second time with corrections
 * of diffusion from the first solution: the midpoint rule has no damping, so an error of the first guess would grow
 * from step to step. */
static void solve_corrected(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                            const struct in_time *e, bool again)
{
    const struct stencil *s = k->s;
    const int n = s->orthogonal && s->unskewed ? 1 : 2;
    struct limiter_args sum = limiter_of(q, k, k->low, k->w);
    for (int i = 0; i < n; i++) {
        equation_gradient(q, s, k->w);
        if (!scheme_is_assembled(q, s)) {
            correct_faces_of(q, k, k->w);
            if (q->dissolved) scalar_near_interface(a, s->n_active);
            fill(&(struct fill_args){.x = k->correction + s->n_internal, .value = 0}, s->n_boundary);
            sum_corrections(&sum);
        }
        if (q->contacts) set_bounds(q, k, i + 1 < n);
        struct linear_result r = solve_in_time(q, k, e, true, k->w, again || i > 0);
        if (q->contacts && !(k->enough > 0)) k->enough = final_bound(q, k) * r.initial;
    }
}

/* With solids a step has two stages of implicit Runge-Kutta (Alexander 1977), of second order and L-stable, each with
 * part = 1 - 1/sqrt(2) of the step: x1 = old + part dt F(x1), x = old + dt F(w), w = (1 - part) x1 + part x.  So w is
 * the solution of (w - stage) / (part dt) = F(w), stage = (1 - part) x1 + part old, with the matrix of the first.  F
 * has the values given at part of the step in the first stage, and in the second their mean with those at the end, as
 * w is a mean. */
static const double stage_part = EQUATION_STAGE;

/* Sets k->stage and the first guess of w, which is in the middle of the step. */
void equation_first_stage(const struct equation *q, struct equation_work *k, double dt)
{
    const struct scalar_step_args a = {.s = *k->s, .dt = dt};
    const struct in_time e = {1 / stage_part, dt, k->old, q->capacity};
    int32_t n = k->s->n_cells;
    double guess = 0.5 / stage_part;
    follow_flux(q, k->s);
    copy_array(k->old, q->x, n), copy_array(k->w, q->x, n);
    k->enough = 0;
    solve_corrected(q, k, &a, &e, false);
    combine(&(struct combine_args){.x = k->stage, .a = 1 - stage_part, .y = k->w, .b = stage_part, .z = k->old}, n);
    combine(&(struct combine_args){.x = k->w, .a = guess, .y = k->w, .b = 1 - guess, .z = k->old}, n);
}

/* The guess of w is the solution with upwind convection, with the matrix of w.  With solids it is `old`, so that a
 * steady temperature remains as it is. */
static void guess(const struct equation *q, struct equation_work *k, const struct in_time *e)
{
    double loose = q->capacity ? k->tolerance : guess_tolerance * k->f->c->solver.velocity.tolerance;
    solver_set_bounds(k->solver, fmax(k->tolerance, loose), k->absolute);
    struct linear_result r = solve_in_time(q, k, e, false, k->w, false);
    solver_set_bounds(k->solver, k->tolerance, fmax(k->absolute, final_bound(q, k) * r.initial));
}

/* w from its guess; again: with the matrix of the last solve.  e: in: of w's equation, out: of its last stage.
 * stages: the first one has been made. */
static void find_w(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                   struct in_time *e, bool stages, bool again)
{
    if (stages) e->old = k->stage;
    else k->enough = 0;
    solve_corrected(q, k, a, e, again);
    halo_update(k->s->pattern.halo, k->w, 1);
}

/* Without bounds: x from w alone. */
static void advance_by_w(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                         struct in_time e, bool stages)
{
    int32_t n = k->s->n_cells;
    if (!stages) copy_array(k->w, k->old, n), solver_set_bounds(k->solver, k->tolerance, k->absolute);
    if (!q->contacts) guess(q, k, &e);
    find_w(q, k, a, &e, stages, stages ? !q->varies_within : !q->contacts);
    combine(&(struct combine_args){.x = q->x, .a = e.c, .y = k->w, .b = 1 - e.c, .z = e.old}, n);
    if (stages) {
        combine(&(struct combine_args){.x = k->stage, .a = 1, .y = k->old, .b = -1, .z = k->stage}, n);
        combine(&(struct combine_args){.x = q->x, .a = 1, .y = q->x, .b = 1, .z = k->stage}, n);
    }
    scalar_beyond_boundary(a, k->s->n_boundary);        /* for conserve() */
}

/* low, then x from it and from w's fluxes, as limited. */
static void advance_from_low(const struct equation *q, struct equation_work *k, const struct scalar_step_args *a,
                             struct in_time e, bool stages)
{
    int32_t n = k->s->n_cells;
    double late = q->contacts ? 0 : 1 / e.c;
    struct limiter_args limiter = limiter_of(q, k, k->low, k->w);
    copy_array(k->low, k->old, n);
    solver_set_bounds(k->solver, k->tolerance, k->absolute);
    solve_in_time(q, k, &(struct in_time){1, e.dt, k->old, q->capacity_old}, false, k->low, false);
    solver_set_bounds(k->solver, final_bound(q, k), k->absolute);
    keep_extremes(a);
    if (!stages) combine(&(struct combine_args){.x = k->w, .a = 1 - late, .y = k->old, .b = late, .z = k->low}, n);
    find_w(q, k, a, &e, stages, false);
    correct_low(q, a, &limiter);
}

/* The capacity at the time where the equation of w holds. */
static const double *capacity_of_w(const struct equation *q, struct equation_work *k, bool midpoint)
{
    struct combine_args middle = {.x = k->lowest, .a = 0.5, .y = q->capacity_old, .b = 0.5, .z = q->capacity};
    if (q->capacity == q->capacity_old || !midpoint) return q->capacity_old;
    combine(&middle, k->s->n_cells);
    return k->lowest;
}

/* x at the end of the step, from w at a time within it. */
static void advance(const struct equation *q, struct equation_work *k, double dt, bool midpoint)
{
    const struct stencil *s = k->s;
    bool by_w = follows_w(q), known = !q->sink && !q->fixed;    /* known: the change of the amount */
    bool stages = midpoint && q->contacts;
    double part = stages ? stage_part : midpoint ? 0.5 : 1;     /* of the step, until w's time */
    struct scalar_step_args a = {.s = *s, .boundary = at_boundary(q), .diffusivity = q->diffusivity,
                                 .diffusivity_faces = q->diffusivity_faces, .flux = q->flux, .w = k->w,
                                 .old = k->old, .low = by_w ? k->w : k->low, .x = q->x, .capacity = q->capacity,
                                 .capacity_old = q->capacity_old, .heat = q->heat, .volume_flux = q->volume_flux,
                                 .correction = k->correction, .sum = k->sum,
                                 .dt = dt, .source = q->source,
                                 .bounded = q->bounded && !q->through && !q->source && known,
                                 .given_lowest = q->given_lowest, .given_highest = q->given_highest,
                                 .fixed = q->fixed, .weight = k->w, .inflow = q->inflow, .sums = k->sums};
    copy_array(k->old, q->x, s->n_cells);
    const struct in_time e = {1 / part, dt, k->old, capacity_of_w(q, k, midpoint)};
    (by_w ? advance_by_w : advance_from_low)(q, k, &a, e, stages);
    if (known) conserve(&a);
}

void equation_step(const struct equation *q, struct equation_work *k, double dt, bool midpoint, double *residual)
{
    follow_flux(q, k->s);
    if (dt > 0) advance(q, k, dt, midpoint);
    else iterate(q, k, residual);
}

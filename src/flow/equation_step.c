/* A quantity transported by the flow: its memory, the parts of its equation, an iteration in steady flow. */
#include "flow/equation_parts.h"
#include <math.h>
#include "assembly/gradient.h"
#include "assembly/limiter.h"
#include "assembly/scalar_step.h"
#include "assembly/slope.h"
#include "flow/anderson.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* ---------------------------------------------------------------- memory */
static bool shares_memory(const struct equation_work *k) { return k->s == &k->f->s; }
static bool owns_matrix(const struct equation_work *k) { return flow_is_transient(k->f->c) || !shares_memory(k); }

static double *cells(const struct stencil *s) { return pattern_alloc(&s->pattern, 1, sizeof(double), "scalars"); }

/* Multigrid for steady equations, which diffusion dominates in much of the domain, as the velocity's equation is not,
 * and for long steps, from this diffusivity step / size^2 on (docs/explanation/solvers.md). */
static const double DIFFUSIVE = 20;
/* From this on equations with bounds are stiff: flux correction would reject differences that are tiny compared with
 * the diffusion through a cell.  So are all on irregular meshes: what a second pass of corrections of diffusion leaves
 * of an error grows from step to step by the midpoint rule, which has no damping. */
static const double CORRECTED_STIFF = 0.2;

static void use_multigrid(struct linear_setting *linear)
{
    static const char *const standard[] = {"method=fgmres", "restart=10", "max_iterations=100"};
    const struct linear_setting velocity = *linear;
    struct error e;
    if (!linear_setting_read(linear, "multigrid", NULL, standard, 3, &e)) die("%s", e.text);
    linear->tolerance = velocity.tolerance, linear->absolute = velocity.absolute;
}

bool equation_work_create(struct equation_work *k, struct flow *f, const struct stencil *s,
                          const struct matrix *structure, double diffusion, double across, bool bounded,
                          struct error *e)
{
    double **array[] = {&k->low, &k->w, &k->old, &k->lowest, &k->highest};
    k->f = f, k->s = s, k->a = f->momentum, k->rhs = f->rhs, k->residual = &f->residual;
    if (owns_matrix(k)) matrix_create(&k->a, &s->pattern);
    if (!shares_memory(k)) {
        k->rhs = cells(s), k->residual = &k->own;
        residual_create(&k->own, s, k->region, k->n_regions);
    }
    k->stiff = across >= (bounded || !equation_is_regular(s) ? CORRECTED_STIFF : DIFFUSIVE);
    if (flow_is_transient(f->c)) k->stage = cells(s);
    if (f->interface) k->between = cells(s);
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) *array[i] = cells(s);
    k->smooth = pattern_alloc(&s->pattern, 3, sizeof(double), "scalars");
    k->plus = k->smooth, k->minus = k->plus + s->pitch, k->sum = k->minus + s->pitch;
    k->correction = device_alloc((size_t)s->n_faces * sizeof(double), "corrections of a scalar");
    k->sums = sums_create(N_SCALAR_SUMS, s->n_slices, "sums of scalars");
    struct linear_setting linear = f->c->solver.velocity;
    const struct equation_setting *set = &flow_algorithm(f->c)->equation;
    const bool steady = !flow_is_transient(f->c);
    if (steady || diffusion >= DIFFUSIVE) use_multigrid(&linear);
    linear.tolerance = steady ? set->tolerance : fmin(linear.tolerance, set->tolerance);
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
    double *const arrays[] = {k->correction, k->low, k->w, k->old, k->stage, k->between, k->lowest, k->highest,
                              k->smooth, k->tried, k->best};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    if (k->f && owns_matrix(k)) matrix_free(&k->a);
    if (k->f && !shares_memory(k)) device_free(k->rhs), residual_free(&k->own);
    anderson_free(k->anderson);
    sums_free(&k->sums);
    solver_free(k->solver);
    *k = (struct equation_work){0};
}

/* ---------------------------------------------------------------- parts of the equation */
struct face_values equation_at_boundary(const struct equation *q)
{
    return (struct face_values){.rule = q->rule, .value = q->value, .wall = q->wall, .through = q->through,
                                .mixed = q->mixed};
}

static struct contact_args at_contacts(const struct equation *q, const struct stencil *s, const double *x,
                                       double *correction)
{
    struct contact_args a = {.s = *s, .diffusivity_faces = q->diffusivity_faces, .x = x,
                             .at = equation_at_boundary(q), .gradient = q->gradient, .correction = correction};
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
    struct transport_faces_args a = {.s = *s, .boundary = equation_at_boundary(q), .diffusivity = q->diffusivity,
                                     .diffusivity_faces = q->diffusivity_faces, .x = x, .gradient = q->gradient,
                                     .value = q->value, .wall = q->wall, .within = q->walled, .bounds = q->bounds};
    const struct contact_args c = at_contacts(q, s, x, NULL);
    if (is_simple(q, s)) {
        a.gradient = NULL;
        transport_boundary(&a, s->n_boundary);
        gradient(s, GRADIENT_LEAST_SQUARES, 1, x, q->value, q->gradient, NULL);
        return;
    }
    gradient_within(s, x, q->gradient);
    slope_boundary(&a, s->n_boundary_cells);
    for (int i = 0; i < 2 && q->contacts; i++) {        /* the sides depend on the gradients, and these on them */
        contact_gradient(&c, q->contacts->n_cells), halo_update(s->pattern.halo, q->gradient, s->dim);
        contact_sides(&c, q->contacts->n);
    }
    transport_boundary(&a, s->n_boundary);
}

/* The gradient for convection: with least-squares gradients linear-upwind has growing modes on tetrahedra and on
 * distorted cells of other kinds (docs/explanation/numerics.md, "Passive scalars").  Beside the interface of two fluids
 * the neighbours' gradients are meaningless. */
static const double *smooth_gradient(const struct equation *q, const struct equation_work *k)
{
    const struct stencil *s = k->s;
    if (!s->smooth || q->dissolved || q->convection == CONVECTION_UPWIND) return NULL;
    gradient_mean(&(struct gradient_mean_args){.s = *s, .count = s->dim, .plain = q->gradient, .mean = k->smooth},
                  s->n_slices);
    struct contact_args c = at_contacts(q, s, q->x, NULL);
    c.smooth = k->smooth;
    if (q->contacts) contact_mean(&c, q->contacts->n_cells);
    halo_update(s->pattern.halo, k->smooth, s->dim);
    return k->smooth;
}

void equation_correct_faces(const struct equation *q, const struct equation_work *k, const double *x)
{
    const struct stencil *s = k->s;
    struct transport_faces_args a = {.s = *s, .boundary = equation_at_boundary(q), .scheme = q->convection,
                                     .diffusivity = q->diffusivity, .diffusivity_faces = q->diffusivity_faces, .x = x,
                                     .gradient = q->gradient, .flux = q->flux, .correction = k->correction};
    halo_update(s->pattern.halo, q->gradient, s->dim);  /* x was updated by equation_gradient() */
    a.smooth = smooth_gradient(q, k);
    transport_correction(&a, s->n_active);
    const struct contact_args c = at_contacts(q, s, x, k->correction);
    if (q->contacts) contact_correction(&c, q->contacts->n);
}

bool equation_scheme_is_assembled(const struct equation *q, const struct stencil *s)
{
    return is_simple(q, s) && !s->smooth && !equation_is_limited(q) && !q->dissolved;
}

void equation_follow_flux(const struct equation *q, const struct stencil *s)
{
    struct scalar_rules_args a = {.n_internal = s->n_internal, .entering = q->entering, .given = q->given,
                                  .flux = q->flux, .rule = q->rule, .value = q->value};
    scalar_rules(&a, s->n_boundary);
}

struct limiter_args equation_limiter(const struct equation *q, struct equation_work *k, const double *x,
                                     const double *weight)
{
    return (struct limiter_args){.s = *k->s, .boundary = equation_at_boundary(q), .x = x, .capacity = q->capacity,
                                 .least = SCALAR_LEAST, .weight = weight, .part = 1, .first_free = k->s->n_cells,
                                 .within = q->within, .bounds = q->bounds,
                                 .correction = k->correction, .lowest = k->lowest, .highest = k->highest,
                                 .plus = k->plus, .minus = k->minus, .sum = k->sum};
}

/* After eight passes a steady solution leaves its bounds by less than 1e-8 of their difference, on sheared slivers,
 * too, where it is 1e-5 after seven.  In time it is cut off at them, and with six a step's corrections converge less
 * often (tests/regression/solids.sh, tests/test_conduction.c). */
static const int steady_passes = 8, passes_in_time = 4;

/* Nothing is carried in solids, so that all of their corrections are diffusion's, without which it is not exact. */
static void limit(const struct equation *q, const struct equation_work *k, struct limiter_args *a)
{
    struct contact_args c = at_contacts(q, k->s, a->x, k->correction);
    if (q->contacts) a->first_free = q->contacts->first_solid;
    if (q->contacts && q->walled) a->a = &k->a, a->rhs = k->rhs;
    a->passes = flow_is_transient(k->f->c) ? passes_in_time : steady_passes;
    limit_corrections(a);
    if (!q->contacts) return;
    c.plus = a->plus, c.minus = a->minus, c.solids_limit = a->a != NULL;
    contact_correction(&c, q->contacts->n);
    contact_limit(&c, q->contacts->n);
}

/* Without convection, on such a mesh, all corrections are 0. */
static bool needs_none(const struct equation *q, const struct stencil *s)
{
    return q->conducts && equation_is_regular(s);
}

void equation_add_corrections(const struct equation *q, struct equation_work *k, const double *x, const double *weight,
                              double per_volume, bool limited)
{
    struct limiter_args a = equation_limiter(q, k, x, weight);
    a.part = 0.5;
    if (equation_is_regular(k->s) && !q->within) a.flux = q->flux, a.per_volume = per_volume;
    if (limited && !needs_none(q, k->s)) limit(q, k, &a);
    sum_corrections(&a);
    combine(&(struct combine_args){.x = k->rhs, .a = 1, .y = k->rhs, .b = 1, .z = k->sum}, k->s->n_cells);
}

struct transport equation_transport(const struct equation *q, const struct equation_work *k, double relaxation)
{
    return (struct transport){.s = *k->s, .a = k->a, .components = 1, .boundary = equation_at_boundary(q),
                              .diffusivity = q->diffusivity, .diffusivity_faces = q->diffusivity_faces,
                              .relaxation = relaxation, .x = q->x, .gradient = q->gradient, .density = 1,
                              .flux = q->flux, .source = q->source, .sink = q->sink, .rhs = k->rhs};
}

void equation_fix_cells(const struct equation *q, struct transport *t)
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

/* Adds the scheme's corrections to the upwind equation, limited if it is bounded. */
static void add_corrections(const struct equation *q, struct equation_work *k)
{
    const struct stencil *s = k->s;
    equation_correct_faces(q, k, q->x);
    fill(&(struct fill_args){.x = k->correction + s->n_internal, .value = 0}, s->n_boundary);
    equation_add_corrections(q, k, q->x, k->a.diag, 0, equation_is_limited(q));
}

static void iterate(const struct equation *q, struct equation_work *k, double *residual)
{
    const struct stencil *s = k->s;
    bool assembled = equation_scheme_is_assembled(q, s);
    equation_gradient(q, s, q->x);
    struct transport t = equation_transport(q, k, relaxation_of(k));
    transport_assemble(&t, assembled ? q->convection : CONVECTION_UPWIND);
    if (q->contacts) {
        struct solid_rows_args solid = {.first = q->contacts->first_solid, .a = k->a, .relaxation = t.relaxation,
                                        .x = q->x, .rhs = k->rhs};
        solid_unrelax(&solid, s->n_cells - solid.first);
    }
    if (!assembled) add_corrections(q, k);
    equation_fix_cells(q, &t);
    k->residual->size = q->size;
    residual_normalised(k->residual, OF_CELLS, &k->a, q->x, k->rhs, false, 0, residual);
    if (q->anderson) anderson_begin(q->anderson);
    solver_solve(k->solver, &k->a, q->x, k->rhs);
    if (q->anderson) anderson_end(q->anderson);
}

void equation_step(const struct equation *q, struct equation_work *k, double dt, bool midpoint, double *residual)
{
    equation_follow_flux(q, k->s);
    if (dt > 0) equation_advance(q, k, dt, midpoint);
    else iterate(q, k, residual);
}

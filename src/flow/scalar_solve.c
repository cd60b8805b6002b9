/* Scalars as equations: their flux and capacity, in one fluid or in one of two. */
#include <math.h>
#include "assembly/mixture.h"
#include "assembly/scalar_step.h"
#include "flow/scalar_parts.h"
#include "gpu/vector.h"
#include "interface/interface.h"

void scalar_take_fluid(const struct scalar *q, const double *fraction, double *capacity, double *diffusivity_faces)
{
    const struct flow *f = q->all->f;
    if (q->set->fluid == SCALAR_HEAT) {
        const struct fluid_value diffusivity[2] = {{.number = q->set->diffusivity},
                                                   {.number = q->set->second_diffusivity}};
        mixture_capacity(&(struct capacity_args){q->set->second_capacity, fraction, capacity}, f->s.n_padded);
        halo_update(f->s.pattern.halo, capacity, 1);
        if (diffusivity_faces && !q->varying)
            interface_layers(f->interface, diffusivity, NULL, NULL, diffusivity_faces);
        return;
    }
    struct scalar_fluid_args a = {.s = f->s, .diffusivity = q->set->diffusivity,
                                  .second = q->set->fluid == SCALAR_IN_SECOND, .fraction = fraction,
                                  .capacity = capacity, .diffusivity_faces = diffusivity_faces};
    scalar_capacity(&a, f->s.n_padded);
    halo_update(f->s.pattern.halo, capacity, 1);
    if (diffusivity_faces) scalar_diffusivity(&a, f->s.n_faces);
}

/* From this Courant number on steps have two stages, too: the midpoint rule would ring. */
static const double LONG_COURANT = 1;
/* Of two fluids what is dissolved in one takes the midpoint rule, as its capacity may vanish. */
static bool is_stiff(const struct scalar *q)
{
    const struct scalars *all = q->all;
    if (q->amount != q->x) return false;
    return all->solids || all->work.stiff || (all->work.courant > LONG_COURANT && !all->f->interface);
}

/* The level from which its amount is counted. */
static double reference_of(const struct scalar *q)
{
    return q->set->capacity > 0 ? q->all->f->c->heat.reference : q->set->initial.number;
}

int scalar_sides(const struct scalar *q)
{
    const double *const adds[] = {q->through, q->source};
    double least = q->sink ? -INFINITY : 0, most = q->sink ? INFINITY : 0, low, high;
    for (int i = 0; i < 2; i++) {
        given_extremes(&q->all->given, adds[i], &low, &high);
        if (adds[i] && low <= high) least = fmin(least, low), most = fmax(most, high);
    }
    return (least < 0 ? 0 : KEEPS_LOWEST) | (most > 0 ? 0 : KEEPS_HIGHEST);
}

struct equation scalar_as_equation(const struct scalar *q, double *value, const double *flux)
{
    const struct scalars *all = q->all;
    const struct solids *solids = all->solids;
    const int scheme = q->set->convection;
    const bool linear = scheme == SCALAR_LIMITED || scheme == SCALAR_BOUNDED, two = q->set->fluid != SCALAR_IN_BOTH,
               steps = flow_is_transient(all->f->c);
    const int sides = scalar_sides(q);
    double lowest, highest;
    given_extremes(&all->given, q->given, &lowest, &highest);
    const bool keeps = sides && !two && (steps || lowest <= highest);   /* the extremes are bounds */
    const bool walled = keeps && (scheme == SCALAR_BOUNDED || (q->bounded && all->s->smooth));
    return (struct equation){.x = q->x, .gradient = q->gradient, .rule = q->rule, .entering = q->entering,
                             .value = value, .wall = q->wall, .given = q->given, .through = q->through,
                             .mixed = q->mixed, .given_lowest = lowest, .given_highest = highest,
                             .diffusivity = q->set->diffusivity,
                             .diffusivity_faces = solids        ? solids->diffusivity_faces
                                                  : two || q->varying ? all->diffusivity_faces
                                                                    : NULL,
                             .contacts = solids ? &solids->contacts : NULL,
                             .flux = q->heat.law ? q->carries : flux, .heat = q->heat, .volume_flux = flux,
                             .size = scalar_size_imposed(q),
                             .reference = two ? 0 : reference_of(q),
                             .conducts = flow_is_absent(all->f->c),
                             .capacity = solids ? solids->capacity : q->capacity,
                             .contrast = solids && !q->capacity_laws.n && !q->varying ? solids->contrast : 0,
                             .capacity_old = solids ? solids->capacity : two ? all->capacity_old : q->capacity,
                             .convection = linear ? CONVECTION_LINEAR_UPWIND : (enum convection)scheme,
                             .bounded = q->bounded,
                             .within = scheme == SCALAR_BOUNDED && keeps,
                             .walled = walled,
                             .bounds = {lowest, highest, steps ? all->work.sums.total + SCALAR_SIZE : NULL,
                                        walled ? sides : 0},
                             .sides = sides,
                             .stiff = is_stiff(q),
                             .dissolved = q->amount != q->x, .source = q->source,
                             .varies_within = (q->varying || q->exchange) && given_in_time(&all->given),
                             .sink = q->sink, .anderson = q->anderson, .inflow = q->inflow};
}

/* A heat capacity that depends on the temperature is first that at the start of the step, then that of the last pass:
 * so the step is of second order from the second pass on. */
enum { HEAT_PASSES = 2 };

/* Of a stiff equation; given values, which are those of this stage, become those of the next one.  again: they are so
 * already, and become those of this stage first. */
static void first_stage(const struct scalar *q, const struct equation *equation, const struct equation_time *step,
                        bool again)
{
    struct scalars *all = q->all;
    if (again) given_mean(&all->given, -EQUATION_STAGE / (1 - EQUATION_STAGE));
    if (again && equation->varies_within) scalar_follow_diffusivity(q, q->value, step);
    equation_first_stage(equation, &all->work, step->dt);
    given_mean(&all->given, EQUATION_STAGE);
    if (equation->varies_within) scalar_follow_diffusivity(q, q->value, step);
}

/* step: NULL in steady flow. */
static void solve(const struct scalar *q, const double *flux, const struct equation_time *step, double *residual)
{
    struct scalars *all = q->all;
    if (all->solids) solids_carry(all->solids, flux, all->flux), flux = all->flux;
    const struct equation equation = scalar_as_equation(q, q->value, flux);
    const double part = step && step->midpoint ? 0.5 : 1;
    scalar_follow_diffusivity(q, q->value, step);
    scalar_follow_capacity(q, flux, q->x, part);
    for (int pass = 0; pass < (step && q->heat.law ? HEAT_PASSES : 1); pass++) {
        if (pass) copy_array(q->x, all->work.old, all->s->n_cells);
        if (equation.stiff && step && step->midpoint) first_stage(q, &equation, step, pass);
        equation_step(&equation, &all->work, step ? step->dt : 0, step && step->midpoint, residual);
        if (step) scalar_follow_capacity(q, flux, all->work.old, part);
    }
    if (q->passed) copy_array(q->passed, equation.flux + all->s->n_internal, all->s->n_boundary);
    if (all->solids)
        solids_to_boundary(all->solids, q->value, q->rule, q->flow_value, q->flow_rule);
}

void scalars_to_flow(const struct flow *f)
{
    const struct scalar *q = f->temperature ? f->temperature->item : NULL;
    if (q && q->flow_x) solids_to_cells(q->all->solids, q->x, q->flow_x);
}

static bool follows_only(const struct flow *f) { return !flow_follows_scalars(f->c) && f->worst_residual > 0; }

bool scalars_wait(const struct flow *f) { return follows_only(f) && f->worst_residual >= f->c->solver.tolerance; }

/* While scalars wait they are solved in every tenth iteration, then until they have converged too. */
enum { LONGEST_WAIT = 10 };
static void iterate(struct scalar *q)
{
    const struct flow *f = q->all->f;
    const bool waits = scalars_wait(f);
    if (q->wait[0] > 0 && waits) { q->wait[0]--; return; }
    q->wait[0] = waits ? LONGEST_WAIT - 1 : 0;
    q->shows_x = false;
    for (int i = follows_only(f) && !waits ? LONGEST_WAIT : 1; i > 0; i--) {
        solve(q, f->flux, NULL, &q->wait[1]);
        if (q->wait[1] < f->c->solver.tolerance) break;
    }
}

double *scalars_iterate(void *state, double *residual)
{
    struct scalars *all = state;
    for (struct scalar *q = all->item; q < all->item + all->n; q++) iterate(q), *residual++ = q->wait[1];
    return residual;
}

/* The volume per time that transports q in this step, into all->flux. */
static void carry(const struct scalar *q, const struct equation_time *step)
{
    const struct scalars *all = q->all;
    const struct flow *f = all->f;
    struct combine_args flux = {.x = all->solids ? all->flow_flux : all->flux, .a = step->midpoint ? 0.5 : 1,
                                .y = step->flux, .b = step->midpoint ? 0.5 : 0, .z = step->flux_old};
    double first = f->properties.density[0], second = f->properties.density[1];
    if (q->set->fluid != SCALAR_IN_BOTH) {      /* of the fluid: mass_flux = first flux_1 + second carried / dt */
        bool of_first = q->set->fluid != SCALAR_IN_SECOND;
        double of_second = q->set->fluid == SCALAR_IN_FIRST ? 0 : q->set->fluid == SCALAR_HEAT ?
                           q->set->second_capacity : 1;
        flux.y = step->mass_flux, flux.z = f->interface->carried;
        flux.a = of_first ? 1 / first : 0;
        flux.b = ((of_first ? -second / first : 0) + of_second) / step->dt;
    }
    combine(&flux, f->s.n_faces);
}

/* What scalar_balance.h needs of this step before the next scalar overwrites it. */
static void note_balance(const struct scalar *q)
{
    const struct scalars *all = q->all;
    const struct stencil *s = all->s;
    const struct equation as = scalar_as_equation(q, q->value, all->flux);
    const struct scalar_step_args a = {.s = *s, .x = q->x, .old = all->work.old, .capacity = as.capacity,
                                       .capacity_old = as.capacity_old, .heat = q->heat, .sums = q->stored};
    scalar_change(&a, s->n_slices);
    copy_array(q->inflow + s->n_boundary, all->flux + s->n_internal, s->n_boundary);
}

static void advance_scalar(struct scalar *q, const struct equation_time *step)
{
    struct scalars *all = q->all;
    int32_t n = all->f->s.n_cells;
    carry(q, step);
    q->heat.per_step = 1 / step->dt;
    if (q->set->fluid != SCALAR_IN_BOTH) {
        scalar_take_fluid(q, all->f->interface->fraction_old, all->capacity_old, NULL);
        struct scalar_amount_args was = {.capacity = all->capacity_old, .x = q->x, .amount = q->amount};
        if (q->amount != q->x) scalar_from_amount(&was, n);
        scalar_take_fluid(q, all->f->interface->fraction, q->capacity, all->diffusivity_faces);
    }
    if (all->f->interface && is_stiff(q)) equation_courant(&all->work, all->flux, q->capacity, step->dt);
    solve(q, all->solids ? all->flow_flux : all->flux, step, NULL);
    note_balance(q);
    struct scalar_amount_args is = {.capacity = q->capacity, .x = q->x, .amount = q->amount};
    if (q->amount != q->x) scalar_to_amount(&is, n);
}

/* At faces where fluid enters: those at the end of the step. */
static void end_values(struct scalars *all)
{
    given_end(&all->given);
    for (const struct scalar *q = all->item; q < all->item + all->n && given_in_time(&all->given); q++) {
        struct scalar_rules_args a = {.entering = q->entering, .given = q->given, .rule = q->rule, .value = q->value};
        scalar_entering(&a, all->s->n_boundary);
    }
}

/* Given values are those at the time at which the equation holds: if it is stiff that of each stage, else, by the
 * midpoint rule, the middle of the step.  The stages of a scalar leave the list at the last one. */
bool scalars_advance(void *state, const struct equation_time *step, struct error *e)
{
    struct scalars *all = state;
    all->work.unsolved = all->work.oblique = all->work.lagged = false;
    if (!all->f->interface) {
        carry(&all->item[0], step);
        if (all->solids) solids_carry(all->solids, all->flow_flux, all->flux);
        equation_courant(&all->work, all->flux, all->solids ? all->solids->capacity : NULL, step->dt);
    }
    double given = NAN;                                 /* the time of the values at hand; stages leave others */
    for (int i = 0; i < all->n; i++) {
        const bool stages = is_stiff(&all->item[i]);
        const double at = step->start + (stages ? EQUATION_STAGE : 0.5) * step->dt;
        if (step->midpoint && at != given && !given_stage(&all->given, at, e)) return false;
        given = stages ? NAN : at;
        advance_scalar(&all->item[i], step);
    }
    for (int i = 0; i < all->n; i++) scalar_widen_imposed(&all->item[i]);
    if (step->midpoint) end_values(all);
    all->dt = step->dt;
    return true;
}

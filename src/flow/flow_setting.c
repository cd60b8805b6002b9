/* Checks of the flow algorithms' settings, and numbers that follow from settings (flow_setting.h). */
#include "flow/flow_setting.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/dense.h"
#include "flow/start_values.h"
#include "solve/linear_section.h"
#include "solve/solver.h"

/* ---------------------------------------------------------------- checks */
const char flow_in_time[] = ", or set solver.algorithm = \"piso\" or \"pimple\"";

void flow_drop_setting(struct case_reader *r, const struct flow_setting *c, const char *group, const char *name,
                       const char *advice)
{
    char why[200];
    snprintf(why, sizeof why, "algorithm \"%s\"; remove it%s", algorithm_words[c->solver.algorithm], advice);
    case_drop(r, case_group(r, group), name, why);
}

static void drop_coupled(struct case_reader *r, const struct flow_setting *c)
{
    flow_drop_setting(r, c, "solver", "coupled", ", or set solver.algorithm = \"coupled\"");
}

static void drop_time(struct case_reader *r, const struct flow_setting *c)
{
    flow_drop_setting(r, c, "", "time", flow_in_time);
    flow_drop_setting(r, c, "", "second_fluid", flow_in_time);
    flow_drop_setting(r, c, "", "prescribed", "");
}

static void check_segregated(struct case_reader *r, struct flow_setting *c) { drop_coupled(r, c), drop_time(r, c); }

/* It solves for velocity and pressure at once; scalars keep the velocity's solver. */
static void check_coupled(struct case_reader *r, struct flow_setting *c)
{
    c->solver.relaxation_velocity = 0.9;
    c->solver.non_orthogonal_correctors = 0;
    flow_drop_setting(r, c, "solver", "pressure", ": its linear solver is solver.coupled");
    if (!c->scalars.n && !heat_is_given(c))
        flow_drop_setting(r, c, "solver", "velocity", ": its linear solver is solver.coupled");
    linear_setting_check(r, case_group(r, "solver.coupled"), &c->solver.coupled);
    drop_time(r, c);
}

void flow_check_time(struct case_reader *r, const struct flow_setting *c)
{
    config_setting_t *time = case_group(r, "time");
    if (!c->time.given)
        case_complain(r, case_setting(r, "solver.algorithm"),
                      "time = { ... } is missing: algorithm \"%s\" needs it, like time = { end = 1.0; step = 0.001; }",
                      algorithm_words[c->solver.algorithm]);
    if (!time) return;
    const struct time_setting *limit = &c->time;
    const bool limited = limit->courant > 0 || limit->interface_courant > 0 || limit->tolerance > 0 ||
                         (limit->capillary > 0 && flow_wave_step(c, 1) < INFINITY);
    if (c->time.step > c->time.end && c->time.end > 0 && !limited)
        case_complain(r, case_setting(r, "time.step"), "time.step = %g is longer than the whole run, time.end = %g",
                      c->time.step, c->time.end);
    if (!c->second_fluid.given)
        case_drop(r, time, "interface_courant", "a case without second_fluid = { ... }; remove it");
    if (flow_wave_step(c, 1) == INFINITY)
        case_drop(r, time, "capillary", "a case without surface tension, and without gravity on two densities; "
                  "remove it");
}

static void check_in_time(struct case_reader *r, struct flow_setting *c)
{
    drop_coupled(r, c), flow_check_time(r, c);
    flow_drop_setting(r, c, "", "prescribed", "");
}

static void check_advection(struct case_reader *r, struct flow_setting *c)
{
    static const struct { const char *group, *name; } useless[] = {
        {"solver", "pressure"}, {"solver", "velocity"}, {"fluid", "gravity"}, {"fluid", "acceleration"},
        {"fluid", "viscosity_model"}, {"second_fluid", "viscosity_model"},
        {"", "driven"}, {"time", "scheme"}, {"time", "capillary"}, {"time", "tolerance"}, {"", "scalars"},
        {"", "sources"}, {"initial", "field"}, {"initial", "velocity"}, {"initial", "pressure"}};
    config_setting_t *algorithm = case_setting(r, "solver.algorithm");
    drop_coupled(r, c), flow_check_time(r, c);
    c->time.scheme = TIME_EULER;                        /* it has no momentum equation */
    if (!c->prescribed.given)
        case_complain(r, algorithm, "prescribed = { ... } is missing: algorithm \"advection\" needs a velocity, like "
                      "prescribed = { field = \"vortex\"; period = 8.0; }");
    if (!c->second_fluid.given)
        case_complain(r, algorithm, "second_fluid = { ... } is missing: algorithm \"advection\" moves its interface");
    for (int i = 0; i < c->boundary.n; i++) {
        char group[NAME_LENGTH + 16];
        snprintf(group, sizeof group, "boundary.%s", c->boundary.item[i].name);
        if (boundary_gives_pressure(c->boundary.item[i].type)) flow_drop_setting(r, c, group, "backflow", "");
    }
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++)
        flow_drop_setting(r, c, useless[i].group, useless[i].name, "");
}

/* Steady equations: once the flow no longer changes they are linear except for the limiter, and solved without
 * relaxation.  Lagged corrections slow the iteration down at high Peclet numbers: upwind convection has hundreds of
 * times the diffusion of the whole scheme, so a quantity that reaches the centre of a vortex only by diffusion
 * converges in steps as small as that ratio.  Anderson's mixing finds such slow modes.  With buoyancy flow and scalar
 * wait for each other, so the scalar advances in steps like the flow's.  The coupled algorithm converges in so few
 * iterations that with looser solves it needs twice as many.  In transient flow the tolerance is that where no looser
 * one is known to suffice (final_bound() of equation_time.c). */
#define SEGREGATED_KIND {.solves = true, .pressure_solver = true, .matrices = 1, .check = check_segregated, \
                         .equation = {.tolerance = 0.03, .relaxation = 1, .acting_steps = 0.4, .depth = 10}}
#define MARCHING_KIND {.in_time = true, .solves = true, .pressure_solver = true, .matrices = 2, \
                       .check = check_in_time, .equation = {.tolerance = 1e-12, .max_iterations = 1000}}
const struct algorithm_kind algorithm_kinds[N_ALGORITHMS] = {
    [ALGORITHM_SIMPLE] = SEGREGATED_KIND, [ALGORITHM_SIMPLEC] = SEGREGATED_KIND,
    [ALGORITHM_COUPLED] = {.solves = true, .matrices = 1, .check = check_coupled,
                           .equation = {.tolerance = 0.01, .relaxation = 1, .acting_steps = 0.4, .depth = 10}},
    [ALGORITHM_PISO] = MARCHING_KIND, [ALGORITHM_PIMPLE] = MARCHING_KIND,
    [ALGORITHM_ADVECTION] = {.in_time = true, .matrices = 1, .check = check_advection},
    [ALGORITHM_CONDUCTION] = {.check = conduction_check,
                              .equation = {.tolerance = 0.1, .relaxation = 1, .depth = 10}},
    [ALGORITHM_TRANSIENT_CONDUCTION] = {.in_time = true, .check = conduction_check,
                                        .equation = {.tolerance = 1e-12, .max_iterations = 1000}}};

static void check_velocity(struct case_reader *r, const struct linear_setting *s)
{
    const struct solver_setup setup = {.components = MOST_COMPONENTS, .nonsymmetric = true};
    config_setting_t *group = case_group(r, "solver.velocity"), *at = case_setting(r, "solver.velocity.preconditioner");
    struct error e;
    linear_setting_check(r, group, s);
    if (group && !solver_allows(s, &setup, false, false, &e))
        case_complain(r, at ? at : case_setting(r, "solver.velocity.method"), "solver.velocity: %s", e.text);
}

/* The lowest and the highest number given as a pressure at boundaries; false: there is none. */
static bool given_pressures(const struct flow_setting *c, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < c->boundary.n; i++) {
        const struct boundary_setting *b = &c->boundary.item[i];
        if (boundary_gives_pressure(b->type) && !b->pressure.text)
            *low = fmin(*low, b->pressure.number), *high = fmax(*high, b->pressure.number);
    }
    return *low <= *high;
}

static double length_of(const double v[3]) { return sqrt(dot(v, v)); }

static double speed_of(const struct value_setting v[3])
{
    return length_of((double[]){v[0].number, v[1].number, v[2].number});
}

bool flow_has_mean_heads(const struct flow_setting *c)
{
    bool found = false;
    for (int i = 0; i < c->boundary.n; i++) {
        const struct boundary_setting *b = &c->boundary.item[i];
        found |= b->total && boundary_gives_pressure(b->type) && !boundary_feeds(b->type);
    }
    return found;
}

bool flow_has_gates(const struct flow_setting *c)
{
    bool found = false;
    for (int i = 0; i < c->boundary.n; i++)
        found |= boundary_gives_pressure(c->boundary.item[i].type) && c->boundary.item[i].backflow == BACKFLOW_NONE;
    return found;
}

bool flow_has_expressions(const struct flow_setting *c)
{
    const struct value_setting *v = c->initial.velocity;
    bool found = v[0].text || v[1].text || v[2].text;
    for (int i = 0; i < c->boundary.n; i++) {
        const struct boundary_setting *b = &c->boundary.item[i];
        v = b->velocity;
        found = found || v[0].text || v[1].text || v[2].text || b->pressure.text || b->flow_rate.text;
        found = found || b->flow_rate.number != 0 || b->rotation.speed.text || b->rotation.speed.number != 0;
    }
    return found;
}

double flow_given_speed(const struct flow_setting *c)
{
    double most = c->initial.field == INITIAL_TAYLOR_GREEN ? 1 : speed_of(c->initial.velocity);
    if (c->initial.values) most = c->initial.values->speed;
    for (int i = 0; i < c->boundary.n; i++) most = fmax(most, speed_of(c->boundary.item[i].velocity));
    return most;
}

double flow_imposed_speed(const struct flow_setting *c)
{
    double low, high, most = flow_given_speed(c);
    return given_pressures(c, &low, &high) ? fmax(most, sqrt(2 * (high - low) / c->fluid.density)) : most;
}

double flow_density_ratio(const struct flow_setting *c)
{
    double a = c->fluid.density, b = c->second_fluid.given ? c->second_fluid.density : a;
    return fmax(a / b, b / a);
}

double flow_wave_step(const struct flow_setting *c, double size)
{
    return flow_wave_step_of(c, size, c->second_fluid.surface_tension);
}

double flow_wave_step_of(const struct flow_setting *c, double size, double tension)
{
    const struct second_fluid_setting *second = &c->second_fluid;
    double k = M_PI / size, all[3];
    for (int j = 0; j < 3; j++) all[j] = c->fluid.gravity[j] + c->fluid.acceleration[j].number;
    double weight = fabs(c->fluid.density - second->density) * length_of(all);
    double stiffness = second->given ? k * (weight + tension * k * k) : 0;
    return M_PI / 2 * sqrt((c->fluid.density + second->density) / stiffness);
}

static double viscosity_of(const struct viscosity_setting *v, double constant, double shear_rate)
{
    return v->given ? viscosity_at_rate(v, fmax(shear_rate, 1e-12)) : constant;
}

bool flow_is_thinning(const struct flow_setting *c)
{
    const struct viscosity_setting *set = &c->fluid.viscosity_model;
    bool thins = false;
    if (!set->given || set->law == VISCOSITY_OF_PLACE || set->law == VISCOSITY_OF_FIELD) return false;
    for (double rate = 1e-8; rate < 1e8; rate *= 10)
        thins |= viscosity_at_rate(set, 10 * rate) < 0.99 * viscosity_at_rate(set, rate);
    return thins;
}

double flow_longest_step(const struct flow_setting *c, double size, double speed)
{
    double step = c->time.step;
    if (c->time.courant > 0 && speed > 0) step = fmin(step, c->time.courant * size / speed);
    if (c->time.capillary > 0) step = fmin(step, c->time.capillary * flow_wave_step(c, size));
    return step;
}

double flow_viscous_number(const struct flow_setting *c, double size, double speed)
{
    const struct second_fluid_setting *second = &c->second_fluid;
    double rate = speed / (10 * size);                  /* the imposed velocity changes across ten cells */
    double viscosity = viscosity_of(&c->fluid.viscosity_model, c->fluid.viscosity, rate) / c->fluid.density;
    if (second->given)
        viscosity = fmax(viscosity, viscosity_of(&second->viscosity_model, second->viscosity, rate) / second->density);
    return viscosity * flow_longest_step(c, size, speed) / (size * size);
}

/* The density of what enters through inlets with a mass flow. */
static void check_mass_flows(struct case_reader *r, struct flow_setting *c)
{
    for (int i = 0; i < c->boundary.n; i++) {
        struct boundary_setting *b = &c->boundary.item[i];
        double second = c->second_fluid.given ? b->fraction.number : 0;
        if (b->weighed && c->second_fluid.given && b->fraction.text)
            case_complain(r, case_named(r, "boundary", i, "mass_flow"), "boundary.%s.mass_flow needs a fraction "
                          "that is a number, which gives the density of the inflow; use flow_rate", b->name);
        b->entering_density = c->fluid.density + second * (c->second_fluid.density - c->fluid.density);
    }
}

static void check_initial(struct case_reader *r, struct initial_setting *s)
{
    config_setting_t *group = case_group(r, "initial"), *file = case_setting(r, "initial.file");
    const config_setting_t *step = case_setting(r, "initial.step");
    if (!step) s->step = -1;
    if (!file) {
        case_drop(r, group, "step", "a case without initial.file; remove it");
        return;
    }
    s->place = case_place_of(r, file);
    case_drop(r, group, "field", "a case with initial.file, which has the velocity; remove one");
    case_drop(r, group, "velocity", "a case with initial.file, which has the velocity; remove one");
    if (step && strlen(s->file) > 3 && !strcmp(s->file + strlen(s->file) - 3, ".h5"))
        case_complain(r, step, "initial.step: %s is one step already; remove it, or name the output directory",
                      s->file);
    case_join_folder(r, file, s->file);
}

void flow_setting_check(struct case_reader *r, struct flow_setting *c)
{
    check_mass_flows(r, c);
    c->time.given = case_setting(r, "time") != NULL;
    check_initial(r, &c->initial);
    if (c->solver.algorithm != ALGORITHM_PIMPLE) c->solver.outer_correctors = 1;
    flow_algorithm(c)->check(r, c);
    if (without_fluid.holds(r) && !flow_is_absent(c))
        case_complain(r, case_setting(r, "solver.algorithm"), "solver.algorithm = \"%s\" is that of a flow, but the "
                      "case has no fluid = { ... }; remove it, or add that", algorithm_words[c->solver.algorithm]);
    linear_setting_check(r, case_group(r, "solver.pressure"), &c->solver.pressure);
    check_velocity(r, &c->solver.velocity);
}

void flow_setting_check_mesh(const struct flow_setting *c, struct case_place whole, struct findings *f)
{
    find_length(f, whole, c->initial.velocity_length, "initial.velocity");
    driven_setting_check_mesh(&c->driven, f);
}

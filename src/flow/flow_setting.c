/* Keys of the flow algorithms, defaults that depend on the case, checks (flow_setting.h). */
#include "flow/flow_setting.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/dense.h"
#include "flow/start_values.h"
#include "mesh/mesh_setting.h"
#include "solve/linear_section.h"
#include "solve/solver.h"

const char *const algorithm_words[N_ALGORITHMS] = {
    [ALGORITHM_SIMPLE] = "simple", [ALGORITHM_SIMPLEC] = "simplec", [ALGORITHM_COUPLED] = "coupled",
    [ALGORITHM_PISO] = "piso", [ALGORITHM_PIMPLE] = "pimple", [ALGORITHM_ADVECTION] = "advection",
    [ALGORITHM_CONDUCTION] = "conduction", [ALGORITHM_TRANSIENT_CONDUCTION] = "transient-conduction"};
#define SEGREGATED (BIT(ALGORITHM_SIMPLE) | BIT(ALGORITHM_SIMPLEC))
#define STEADY (SEGREGATED | BIT(ALGORITHM_COUPLED))
#define ITERATED (STEADY | BIT(ALGORITHM_CONDUCTION))
#define MARCHING (BIT(ALGORITHM_PISO) | BIT(ALGORITHM_PIMPLE))

static const struct key initial_keys[] = {
    {"field", KEY_WORD, OFFSET(initial_setting, field), .standard = "uniform",
     WORDS([INITIAL_UNIFORM] = "uniform", [INITIAL_TAYLOR_GREEN] = "taylor-green",
           [INITIAL_POTENTIAL] = "potential"),
     .help = "of the velocity at the start; taylor-green: (-cos x sin y, sin x cos y); potential: the irrotational "
             "flow from inlets to outlets"},
    {"velocity", KEY_VALUES, OFFSET(initial_setting, velocity), OFFSET(initial_setting, velocity_length),
     "length/time", .standard = "", WORDS("x", "y", "z"), .kinds = BIT(INITIAL_UNIFORM),
     .help = "everywhere at the start (not given: zero)"},
    {"pressure", KEY_VALUE, OFFSET(initial_setting, pressure), OFFSET(initial_setting, pressure_given),
     "mass/(length time^2)", .standard = "", WORDS("x", "y", "z"),
     .help = "everywhere at the start (not given: that of the outlets, halfway between the lowest and the highest; "
             "without outlets 0)"},
    {"temperature", KEY_VALUE, OFFSET(initial_setting, temperature), OFFSET(initial_setting, temperature_given),
     "temperature", .standard = "", WORDS("x", "y", "z"),
     .help = "everywhere at the start (not given: halfway between the lowest and the highest at boundaries)"},
    {"file", KEY_PATH, OFFSET(initial_setting, file), .standard = "",
     .help = "output directory of another run, on this mesh or another one, or one of its fields/NNNNNN.h5, relative "
             "to the case's folder: velocity, pressure, scalars and fraction start with its fields"},
    {"step", KEY_INTEGER, OFFSET(initial_setting, step), .range = "[0, inf)", .standard = "",
     .help = "with file: the iteration or time step of that run (not given: the last one written)"},
    {0}};
static const struct key time_keys[] = {
    {"end", KEY_REAL, OFFSET(time_setting, end), .unit = "time", .range = "(0, inf)",
     .help = "end of the run, which starts at time 0"},
    {"step", KEY_REAL, OFFSET(time_setting, step), .unit = "time", .range = "(0, inf)",
     .help = "the step; with one of the limits below the largest step, and the first one"},
    {"scheme", KEY_WORD, OFFSET(time_setting, scheme), .standard = "bdf2",
     WORDS([TIME_EULER] = "euler", [TIME_BDF2] = "bdf2", [TIME_CRANK_NICOLSON] = "crank-nicolson"),
     .help = "first order, and two of second order; the last one damps least, its equations hold in the middle of "
             "the step, or nearer to the end if that is unstable"},
    {"courant", KEY_REAL, OFFSET(time_setting, courant), .range = "[0, inf)", .standard = "0",
     .help = "limit of the step: the largest Courant number of the flow; 0: none"},
    {"interface_courant", KEY_REAL, OFFSET(time_setting, interface_courant), .range = "[0, inf)", .standard = "0",
     .help = "limit of the step: the largest Courant number in cells that the interface cuts; 0: none"},
    {"capillary", KEY_REAL, OFFSET(time_setting, capillary), .range = "[0, inf)", .standard = "0",
     .help = "limit of the step, as a multiple of that of the shortest waves on the interface: without gravity "
             "sqrt((density + density_2) h^3 / (4 pi surface_tension)), h the smallest cell's size; the largest "
             "stable values are 2 to 8 (docs/explanation/two-fluids.md); 0: none"},
    {"tolerance", KEY_REAL, OFFSET(time_setting, tolerance), .range = "[0, 1)", .standard = "0",
     .help = "the allowed error of a step, relative to the velocity, like 1e-3: steps are chosen for it, up to "
             "time.step, and repeated if it is larger; the first is at most a thousandth of time.step; 0: any"},
    {"max_steps", KEY_INTEGER, OFFSET(time_setting, max_steps), .range = "[1, inf)", .standard = "",
     .help = "the run ends unfinished (exit status 2) after so many (not given: no limit)"},
    {0}};
static const struct key solver_keys[] = {
    {"algorithm", KEY_WORD, OFFSET(solver_setting, algorithm), .standard = "simplec",
     WORDS_OF(algorithm_words),
     .help = "simple, simplec: steady flow; coupled: steady flow with velocity and pressure in one system, in far "
     "fewer iterations; piso, pimple: transient flow, with time; advection: only of the interface, with prescribed; "
     "conduction, transient-conduction: heat in solids without a fluid"},
    {"tolerance", KEY_REAL, OFFSET(solver_setting, tolerance), .range = "(0, 1)", .standard = "1e-6", .kinds = ITERATED,
     .help = "the run has converged when all normalised residuals are below this"},
    {"max_iterations", KEY_INTEGER, OFFSET(solver_setting, max_iterations), .range = "[1, inf)", .standard = "5000",
     .kinds = ITERATED,
     .help = "the run ends unconverged (exit status 2) after so many"},
    {"stall_limit", KEY_INTEGER, OFFSET(solver_setting, stall_limit), .range = "[0, inf)", .standard = "1500",
     .kinds = ITERATED,
     .help = "the run ends as stalled (exit status 5) when its residuals have stalled for so many iterations; 0: "
             "it continues"},
    {"relaxation_velocity", KEY_REAL, OFFSET(solver_setting, relaxation_velocity), .range = "(0, 1]", .standard = "0.9",
     .kinds = SEGREGATED, .help = "under-relaxation of the momentum equations"},
    {"relaxation_pressure", KEY_REAL, OFFSET(solver_setting, relaxation_pressure), .range = "(0, 1]", .standard = "1.0",
     .kinds = SEGREGATED, .help = "under-relaxation of the pressure"},
    {"acceleration", KEY_INTEGER, OFFSET(solver_setting, acceleration), .range = "[0, 20]", .standard = "0",
     .kinds = STEADY,
     .help = "Anderson's: the fields of this many earlier iterations are mixed with those of the last, such that the "
             "velocity changes least; 0: none; 10 mostly needs a third to two thirds of the iterations, and 350 bytes "
             "more per cell in 2-D, 500 in 3-D"},
    {"newton", KEY_REAL, OFFSET(solver_setting, newton), .range = "[0, 1]", .standard = "0.5",
     .kinds = BIT(ALGORITHM_COUPLED),
     .help = "coupled: once an iteration changes the velocity by less than this fraction, the next system has as "
             "much of Newton's terms as the linear solver can handle; 0: never"},
    {"non_orthogonal_correctors", KEY_INTEGER, OFFSET(solver_setting, non_orthogonal_correctors), .range = "[0, 20]",
     .standard = "0", .kinds = SEGREGATED | MARCHING,
     .help = "further pressure solves in an iteration or a correction; the default is one where the mesh "
             "needs it; if a run diverges set 3 (in time below 70 degrees: 1), not 2, because errors change sign from "
             "one to the next"},
    {"correctors", KEY_INTEGER, OFFSET(solver_setting, correctors), .range = "[0, 20]", .standard = "0",
     .kinds = MARCHING,
     .help = "how often a step solves for velocity and pressure; 0: once; in steps of one fluid with viscosity step / "
             "size^2 over 100 up to 8 times, until both agree; twice if gravity and surface tension make two fluids "
             "unstable otherwise"},
    {"outer_correctors", KEY_INTEGER, OFFSET(solver_setting, outer_correctors), .range = "[1, 100]", .standard = "2",
     .kinds = BIT(ALGORITHM_PIMPLE),
     .help = "how often a time step is computed, each time with its last result as the guess (piso: once)"},
    {"convection", KEY_WORD, OFFSET(solver_setting, convection), .standard = "linear-upwind",
     .kinds = STEADY | MARCHING,
     WORDS_OF(convection_words),
     .help = "scheme of the convected velocity; upwind: first order, robust; the others: second order"},
    {"convection_temperature", KEY_WORD, OFFSET(solver_setting, convection_temperature), .standard = "linear-upwind",
     .kinds = STEADY | MARCHING, WORDS_OF(scalar_scheme_words),
     .help = "scheme of the convected temperature; limited: linear-upwind without new extremes, in time for steps of "
             "diffusivity step / size^2 < 1; the others as for the velocity"},
    {"gradient", KEY_WORD, OFFSET(solver_setting, gradient), .standard = "least-squares",
     .kinds = STEADY | MARCHING | BIT(ALGORITHM_ADVECTION), WORDS_OF(gradient_words),
     .help = "scheme of the velocity's cell gradients (the pressure's are Green-Gauss)"},
    {"accuracy", KEY_WORD, OFFSET(solver_setting, accuracy), .standard = "high", .kinds = STEADY | MARCHING,
     WORDS_OF(accuracy_words),
     .help = "on skewed or non-orthogonal meshes; high: velocity, pressure and shear at walls of second "
             "order; "
     "standard: only the velocity, for up to a third less time and memory"},
    {0}};

/* ---------------------------------------------------------------- defaults that depend on the case */
static bool algorithm_is(struct case_reader *r, const char *word)
{
    const config_setting_t *s = case_setting(r, "solver.algorithm");
    const char *found = s ? config_setting_get_string(s) : NULL;
    return found && !strcmp(found, word);
}

static bool is_simple(struct case_reader *r) { return algorithm_is(r, algorithm_words[ALGORITHM_SIMPLE]); }

/* An iteration of SIMPLE moves each cell by relaxation / (1 - relaxation) of the time in which fluid crosses it.  In
 * periodic flow, which no inlet renews, small moves need many iterations, and disturbances of shear layers grow in
 * them: on triangles at Reynolds number 1e4 with relaxation 0.7 and below, from the exact solution too, by SIMPLEC as
 * well.  Iterations on squares and triangles, 16 cells across, to 1e-7 at Reynolds numbers 100; 1000: with 0.7 and 0.3
 * 203, 524; 1459, 3675, with 0.9 and 0.1 115, 203; 369, 1021. */
static bool drives_simple(struct case_reader *r) { return is_simple(r) && case_setting(r, "driven"); }

static bool is_coupled(struct case_reader *r) { return algorithm_is(r, algorithm_words[ALGORITHM_COUPLED]); }

static bool is_marching(struct case_reader *r)
{
    return algorithm_is(r, algorithm_words[ALGORITHM_PISO]) || algorithm_is(r, algorithm_words[ALGORITHM_PIMPLE]);
}

/* The interface must not cross more than a cell per step. */
static bool lacks_courant(struct case_reader *r)
{
    return is_marching(r) && case_group(r, "second_fluid") && !case_setting(r, "time.interface_courant");
}

/* Surface tension and weight of the interface are explicit: in longer steps the shortest waves grow. */
static bool has_waves(struct case_reader *r)
{
    const config_setting_t *s = case_setting(r, "second_fluid.surface_tension");
    bool tension = s && (config_setting_get_string(s) || config_setting_get_float(s) > 0 ||
                         config_setting_get_int64(s) > 0);
    return is_marching(r) && case_group(r, "second_fluid") && (tension || case_setting(r, "fluid.gravity") ||
                                                                   case_setting(r, "fluid.acceleration"));
}

/* In slivers the corrections of SIMPLEC overshoot; SIMPLE converges on all tested meshes
 * (docs/explanation/numerics.md).  A few slivers among many cells do no harm.  A relaxation factor given by the case is
 * meant for SIMPLEC. */
static bool on_slivers(struct case_reader *r)
{
    const struct mesh_facts *mesh = case_known(r);
    return mesh && mesh->slivers && !case_setting(r, "solver.relaxation_velocity") &&
           !case_setting(r, "solver.relaxation_pressure");
}

/* On these one corrector is unstable in steps of nu dt / h^2 < 1. */
static bool on_slivers_in_time(struct case_reader *r)
{
    const struct mesh_facts *mesh = case_known(r);
    return mesh && mesh->slivers && is_marching(r);
}

/* On these a transient step without a corrector is unstable (flat tetrahedra).  Beyond 85 degrees the part of the flux
 * added by a corrector is over ten times the rest, and repeating it amplifies it. */
static bool on_steep_mesh(struct case_reader *r)
{
    const struct mesh_facts *mesh = case_known(r);
    return mesh && mesh->steep && is_marching(r);
}

static bool is_given(struct case_reader *r, const char *path)
{
    const config_setting_t *s = case_setting(r, path);
    return s && !case_is_standard(s);
}

/* Jacobi's iterations grow as the root of the viscous number; multigrid needs 4 to 10 (docs/explanation/solvers.md). */
static bool is_viscous(struct case_reader *r)
{
    const struct mesh_facts *mesh = case_known(r);
    return mesh && mesh->viscous && is_marching(r) && !is_given(r, "solver.velocity.preconditioner") &&
           !is_given(r, "solver.velocity.method");
}

/* Without a corrector SIMPLE and SIMPLEC diverge on sheared quadrilaterals, at smaller angles on finer meshes: at 45
 * degrees with 16 cells across a channel, at 25 with 128 (docs/explanation/numerics.md).  A corrector costs little
 * elsewhere. */
static bool on_sheared_mesh(struct case_reader *r)
{
    const struct mesh_facts *mesh = case_known(r);
    return mesh && mesh->sheared && !is_coupled(r) && !is_marching(r) && !algorithm_is(r, "advection");
}

/* The first solve of the coupled algorithm then includes convection: a step takes 34 iterations instead of 52
 * (docs/explanation/numerics.md).  The first pressure correction of SIMPLE and SIMPLEC produces nearly that flow: their
 * iterations do not change, but for SIMPLEC almost without viscosity (run/advice.c, of_start()). */
static bool starts_with_potential(struct case_reader *r)
{
    const config_setting_t *all = case_group(r, "boundary");
    bool inlet = false;
    for (int i = 0; all && i < config_setting_length(all); i++) {
        const char *type = NULL;
        config_setting_lookup_string(config_setting_get_elem(all, (unsigned)i), "type", &type);
        inlet |= type && !strcmp(type, "inlet");
    }
    return inlet && is_coupled(r) && !case_setting(r, "initial.velocity") &&
           !case_setting(r, "initial.file");
}

/* From rest the first flow between given pressures would be far too fast. */
static bool starts_fed(struct case_reader *r)
{
    const config_setting_t *all = case_group(r, "boundary");
    bool fed = false;
    for (int i = 0; all && i < config_setting_length(all); i++) {
        const config_setting_t *one = config_setting_get_elem(all, (unsigned)i);
        const char *type = NULL;
        config_setting_lookup_string(one, "type", &type);
        fed |= type && !strcmp(type, "inlet") && config_setting_get_member(one, "total_pressure");
    }
    return fed && !is_marching(r) && !algorithm_is(r, "advection") && !case_setting(r, "initial.velocity") &&
           !case_setting(r, "initial.file");
}

/* Anderson's least squares cannot distinguish the error of a loose solve from the steps of the fields. */
static bool is_accelerated(struct case_reader *r)
{
    const config_setting_t *s = case_setting(r, "solver.acceleration");
    return s && (config_setting_get_int64(s) > 0 || config_setting_get_float(s) > 0);
}

static bool conducts_in_time(struct case_reader *r) { return without_fluid.holds(r) && case_setting(r, "time"); }

static const struct condition without_fluid_in_time = {"solids, no fluid, with time", conducts_in_time};
static const struct condition accelerated = {"with acceleration", is_accelerated};
static const struct condition slivers = {"if more than one cell in 1000 is a sliver, no relaxation given", on_slivers};
static const struct condition no_limit = {"two fluids, no interface_courant", lacks_courant};
static const struct condition with_waves = {"two fluids with surface tension or gravity", has_waves};
static const struct condition slivers_in_time = {"in time, if more than one cell in 1000 is a sliver",
                                                 on_slivers_in_time};
static const struct condition sheared_mesh = {
    "steady, on meshes of 30 to 85 degrees (docs/explanation/numerics.md)", on_sheared_mesh};
static const struct condition steep_mesh = {"in time, on meshes of 70 to 85 degrees", on_steep_mesh};
static const struct condition viscous = {"in time, viscosity step / size^2 from 100 on, neither given", is_viscous};
static const struct condition with_simple = {"algorithm simple", is_simple};
static const struct condition driven_simple = {"algorithm simple, with driven", drives_simple};
static const struct condition with_coupled = {"algorithm coupled", is_coupled};
static const struct condition in_time = {"piso, pimple", is_marching};
static const struct condition potential = {"algorithm coupled, with an inlet, no velocity, no file",
                                           starts_with_potential};
static const struct condition fed = {"steady, with an inlet of total pressure, no velocity, no file", starts_fed};
static const struct other_standard initial_others[] = {{"field", &potential, "potential"},
                                                       {"field", &fed, "potential"}, {0}};
static const struct other_standard time_others[] = {{"courant", &no_limit, "0.5"},
                                                    {"capillary", &with_waves, "0.8"}, {0}};
static const struct other_standard solver_others[] = {{"algorithm", &without_fluid_in_time, "transient-conduction"},
                                                      {"algorithm", &without_fluid, "conduction"},
                                                      {"algorithm", &slivers, "simple"},
                                                      {"non_orthogonal_correctors", &sheared_mesh, "1"},
                                                      {"non_orthogonal_correctors", &steep_mesh, "1"},
                                                      {"correctors", &slivers_in_time, "2"},
                                                      {"relaxation_velocity", &driven_simple, "0.9"},
                                                      {"relaxation_velocity", &with_simple, "0.7"},
                                                      {"relaxation_pressure", &driven_simple, "0.1"},
                                                      {"relaxation_pressure", &with_simple, "0.3"},
                                                      {"stall_limit", &with_coupled, "500"},
                                                      {"acceleration", &with_coupled, "10"},
                                                      {"convection", &with_second_fluid, "van-leer"},
                                                      {"convection_temperature", &with_second_fluid, "limited"}, {0}};
static const struct other_standard pressure_others[] = {{"tolerance", &in_time, "1e-4"}, {0}};
static const struct other_standard velocity_others[] = {{"tolerance", &in_time, "1e-4"},
                                                        {"tolerance", &accelerated, "0.03"},
                                                        {"max_iterations", &in_time, "1000"},
                                                        {"preconditioner", &viscous, "multigrid"},
                                                        {"method", &viscous, "fgmres"},
                                                        {"restart", &viscous, "10"}, {0}};
static const struct other_standard coupled_others[] = {{"method", NULL, "fgmres"}, {"restart", NULL, "10"},
                                                       {"smoother", NULL, "auto"},
                                                       {"max_iterations", NULL, "60"}, {0}};

const struct section initial_section = {.path = "initial", .key = initial_keys, .other = initial_others,
    .help = "where the run starts"};
const struct section time_section = {.path = "time", .key = time_keys, .other = time_others, .optional = true,
    .help = "transient: end, step and its limits"};
const struct section solver_section = {.path = "solver", .key = solver_keys, .other = solver_others,
    .help = "algorithm and schemes"};
const struct section pressure_section = {.path = "solver.pressure", .key = linear_keys, .gone = linear_gone,
    .other = pressure_others, .help = "linear solver of the pressure"};
const struct section velocity_section = {.path = "solver.velocity", .key = linear_velocity_keys,
    .other = velocity_others, .help = "linear solver of the velocity"};
const struct section coupled_section = {.path = "solver.coupled", .key = linear_keys, .gone = linear_gone,
    .other = coupled_others, .help = "with algorithm coupled: linear solver of velocity and pressure"};

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
    if (c->time.step > c->time.end && c->time.end > 0)
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

/* Steady equations: once the flow no longer changes they are linear except for the limiter; only the lagged corrections
 * need some relaxation.  They slow the iteration down at high Peclet numbers: upwind convection has hundreds of times
 * the diffusion of the whole scheme, so a quantity that reaches the centre of a vortex only by diffusion converges in
 * steps as small as that ratio.  Anderson's mixing finds such slow modes.  The factor is near to 1, as with 0.97
 * diffusion across a channel of n cells takes some n^2 / 20 iterations.  With buoyancy flow and scalar wait for each
 * other, so the scalar advances in steps like the flow's.  The coupled algorithm converges in so few iterations that
 * with looser solves it needs twice as many.  In transient flow bounds hold only to the accuracy of the solve. */
#define SEGREGATED_KIND {.solves = true, .pressure_solver = true, .matrices = 1, .check = check_segregated, \
                         .equation = {.tolerance = 0.03, .relaxation = 0.999, .acting_steps = 0.4, .depth = 10}}
#define MARCHING_KIND {.in_time = true, .solves = true, .pressure_solver = true, .matrices = 2, \
                       .check = check_in_time, .equation = {.tolerance = 1e-12, .max_iterations = 1000}}
const struct algorithm_kind algorithm_kinds[N_ALGORITHMS] = {
    [ALGORITHM_SIMPLE] = SEGREGATED_KIND, [ALGORITHM_SIMPLEC] = SEGREGATED_KIND,
    [ALGORITHM_COUPLED] = {.solves = true, .matrices = 1, .check = check_coupled,
                           .equation = {.tolerance = 0.01, .relaxation = 0.999,
                                        .acting_steps = 0.4, .depth = 10}},
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

double flow_imposed_speed(const struct flow_setting *c)
{
    double most = c->initial.field == INITIAL_TAYLOR_GREEN ? 1 : speed_of(c->initial.velocity), low, high;
    if (c->initial.values) most = c->initial.values->speed;
    for (int i = 0; i < c->boundary.n; i++) most = fmax(most, speed_of(c->boundary.item[i].velocity));
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

double flow_viscosity(const struct flow_setting *c, double shear_rate)
{
    return fmax(viscosity_of(&c->fluid.viscosity_model, c->fluid.viscosity, shear_rate),
                viscosity_of(&c->second_fluid.viscosity_model, c->second_fluid.viscosity, shear_rate));
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
    double low, high;
    check_mass_flows(r, c);
    if (!c->initial.pressure_given && given_pressures(c, &low, &high))
        c->initial.pressure.number = low + (high - low) / 2;
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

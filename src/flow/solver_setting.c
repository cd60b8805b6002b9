/* Keys of initial, time and solver, and their defaults, which depend on the case (flow_setting.h). */
#include "flow/flow_setting.h"
#include <string.h>
#include "mesh/mesh_setting.h"
#include "solve/linear_section.h"

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
     .help = "everywhere at the start (not given: that of the outlets of each connected part of the mesh, halfway "
             "between the lowest and the highest; without outlets 0).  Steady flow adds a constant where all of it is "
             "above or below the pressures of the outlets"},
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
     .help = "the allowed error in time, like 1e-3, relative to velocity, temperature and every scalar, while these "
             "change by their own size: steps are chosen for it, up to time.step, and repeated if it is larger; the "
             "first is at most a thousandth of time.step; 0: any"},
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
     .help = "the run has converged when all normalised residuals are below this, also after division by "
             "1 - the rate at which they fall (times up to 6): the fields are then within about ten times it"},
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
             "unstable otherwise. Not with 1: steps of two fluids of different viscosity, with viscosity step / "
             "size^2 over 1, up to 60 times, until the stress at the interface agrees, too"},
    {"outer_correctors", KEY_INTEGER, OFFSET(solver_setting, outer_correctors), .range = "[1, 100]", .standard = "2",
     .kinds = BIT(ALGORITHM_PIMPLE),
     .help = "how often a time step is computed, each time with its last result as the guess (piso: once); long steps "
             "of one fluid whose viscosity varies are repeated further while that changes the velocity by 0.1 %"},
    {"convection", KEY_WORD, OFFSET(solver_setting, convection), .standard = "linear-upwind",
     .kinds = STEADY | MARCHING,
     WORDS_OF(convection_words),
     .help = "scheme of the convected velocity; upwind: first order, robust; the others: second order"},
    {"convection_temperature", KEY_WORD, OFFSET(solver_setting, convection_temperature), .standard = "bounded",
     .kinds = STEADY | MARCHING, WORDS_OF(scalar_scheme_words),
     .help = "scheme of the convected temperature; bounded: linear-upwind, but between the extremes of the given "
             "temperatures (in time: and of those at the start); limited: linear-upwind without new extremes; the "
             "others as for the velocity.  Heat sources and fluxes that are nowhere negative lead beyond the highest "
             "only, those nowhere positive beyond the lowest only; of both signs: no bounds"},
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

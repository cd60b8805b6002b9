/* flow_setting.h: the settings of an algorithm: those of flow and of the lower folders.  Members have the paths of the
 * case file: c->solver.pressure.tolerance is solver = { pressure = { tolerance = ...; }; }. */
#ifndef POISE_FLOW_SETTING_H
#define POISE_FLOW_SETTING_H
#include <stdbool.h>
#include "assembly/boundary_setting.h"
#include "assembly/fluid_setting.h"
#include "assembly/scheme_setting.h"
#include "flow/buoyancy_setting.h"
#include "flow/driven_setting.h"
#include "flow/heat_setting.h"
#include "flow/scalar_setting.h"
#include "flow/solid_setting.h"
#include "flow/source_setting.h"
#include "interface/interface_setting.h"
#include "solve/linear_setting.h"

/* Steady: SIMPLE, SIMPLEC, coupled, conduction; the others are transient.  Advection: only of the interface, in a
 * prescribed velocity.  Conduction: in solids, without a fluid. */
enum algorithm { ALGORITHM_SIMPLE, ALGORITHM_SIMPLEC, ALGORITHM_COUPLED, ALGORITHM_PISO, ALGORITHM_PIMPLE,
                 ALGORITHM_ADVECTION, ALGORITHM_CONDUCTION, ALGORITHM_TRANSIENT_CONDUCTION, N_ALGORITHMS };
extern const char *const algorithm_words[N_ALGORITHMS];
enum time_scheme { TIME_EULER, TIME_BDF2, TIME_CRANK_NICOLSON };
enum initial_field { INITIAL_UNIFORM, INITIAL_TAYLOR_GREEN, INITIAL_POTENTIAL };

struct solver_setting {
    enum algorithm algorithm;
    double tolerance;           /* of the normalised residuals */
    int max_iterations, stall_limit;
    double relaxation_velocity, relaxation_pressure;    /* coupled: the velocity's has simplec's default, so that
                                                           residuals are comparable */
    int acceleration;           /* Anderson's depth; 0: none */
    double newton;              /* coupled: Newton's terms below this relative change of the velocity; 0: never */
    int non_orthogonal_correctors;
    int correctors;             /* piso, pimple: solves for velocity and pressure per step (or outer corrector); 0: see
                                   transient_correctors() */
    int outer_correctors;       /* piso: 1 */
    enum convection convection;
    int convection_temperature; /* as scalar_setting.convection */
    enum gradient gradient;
    enum accuracy accuracy;
    struct linear_setting pressure, velocity, coupled;
};

struct time_setting {           /* given: the algorithm is transient */
    bool given;
    double end;                 /* the run starts at 0 */
    double step;                /* fixed, or the largest one if a limit is set */
    enum time_scheme scheme;
    double courant, interface_courant;  /* largest Courant number anywhere, in cells of the interface; 0: no limit */
    double capillary;           /* limit as a multiple of flow_wave_step() of the smallest cell; 0: no limit */
    double tolerance;           /* of a step's error, relative to the velocity; 0: not controlled */
    int max_steps;              /* the run ends unfinished after this many; 0: no limit */
};

struct start_values;
struct initial_setting {
    enum initial_field field;
    struct value_setting velocity[3], pressure;
    int velocity_length;        /* number of components given */
    int pressure_given;         /* 0: see flow_start_pressure() */
    struct value_setting temperature;
    int temperature_given;      /* 0: likewise */
    char file[PATH_LENGTH];     /* the output of another run, relative to the working directory, or "" */
    int step;                   /* of that run; -1: the last one written */
    struct case_place place;    /* of file */
    struct start_values *values;        /* of file, by run/initial_file.h; NULL: not read */
};

struct case_reader;
struct flow_setting {
    struct fluid_setting fluid;
    struct second_fluid_setting second_fluid;
    struct interface_setting interface;
    struct shape_settings shapes;
    struct boundary_settings boundary;
    struct initial_setting initial;
    struct time_setting time;
    struct prescribed_setting prescribed;
    struct solver_setting solver;
    struct scalar_settings scalars;     /* the last one is the temperature, if there is one */
    struct heat_setting heat;
    struct source_settings sources;
    struct buoyancy_setting buoyancy;
    struct solid_settings solids;
    struct driven_setting driven;
};

/* How additional equations (equation_step.h) are solved with an algorithm. */
struct equation_setting {
    double tolerance;           /* of their linear solver; in time an upper bound of it */
    int max_iterations;         /* lower bound */
    double relaxation;
    double acting_steps;        /* if it acts on the flow: pseudo-time steps of this many cells; 0: relaxation */
    int depth;                  /* of Anderson's acceleration; 0: none */
};

/* The properties of an algorithm. */
struct algorithm_kind {
    bool in_time;               /* transient; else it iterates to a steady flow */
    bool solves;                /* for velocity and pressure; else they are prescribed, or zero */
    bool pressure_solver;       /* for the pressure only */
    int matrices;               /* number of matrices of the flow with values at the same time */
    struct equation_setting equation;
    void (*check)(struct case_reader *r, struct flow_setting *c);
};
extern const struct algorithm_kind algorithm_kinds[N_ALGORITHMS];

static inline const struct algorithm_kind *flow_algorithm(const struct flow_setting *c)
{
    return &algorithm_kinds[c->solver.algorithm];
}
static inline bool flow_is_solved(const struct flow_setting *c) { return flow_algorithm(c)->solves; }
static inline bool flow_is_advection(const struct flow_setting *c)
{
    return c->solver.algorithm == ALGORITHM_ADVECTION;
}
/* Only heat is computed, in solids. */
static inline bool flow_is_absent(const struct flow_setting *c)
{
    return c->solver.algorithm == ALGORITHM_CONDUCTION || c->solver.algorithm == ALGORITHM_TRANSIENT_CONDUCTION;
}
/* The scalar that acts on the flow, or NULL. */
static inline const char *flow_acting_scalar(const struct flow_setting *c)
{
    return c->buoyancy.given ? c->buoyancy.scalar : NULL;
}
/* Whether velocity and pressure depend on a scalar, in steady flow. */
static inline bool flow_follows_scalars(const struct flow_setting *c)
{
    return flow_acting_scalar(c) || c->fluid.viscosity_model.law == VISCOSITY_OF_FIELD;
}
static inline bool flow_is_coupled(const struct flow_setting *c) { return c->solver.algorithm == ALGORITHM_COUPLED; }
static inline bool flow_is_transient(const struct flow_setting *c) { return flow_algorithm(c)->in_time; }

/* The field that the surface tension depends on, or NULL. */
static inline const char *flow_tension_field(const struct flow_setting *c)
{
    return tension_varies(&c->second_fluid) ? "temperature" : NULL;
}

/* The largest velocity given by boundaries and initial fields, as far as they are numbers; 0: none.
 * flow_imposed_speed(): or caused by the difference of given pressures (by Bernoulli's equation), whether or not it
 * acts within one connected part of the mesh.  struct flow has the speed of the parts, with expressions. */
double flow_given_speed(const struct flow_setting *c);
double flow_imposed_speed(const struct flow_setting *c);
/* Has an outlet a given total pressure?  Does one admit no backflow? */
bool flow_has_mean_heads(const struct flow_setting *c);
bool flow_has_gates(const struct flow_setting *c);
/* Is one of them an expression, a flow rate or a rotation? */
bool flow_has_expressions(const struct flow_setting *c);
/* The larger density over the smaller one; 1 for one fluid.  Schemes that overshoot fail at high ratios. */
double flow_density_ratio(const struct flow_setting *c);
enum { HIGH_DENSITY_RATIO = 20 };
/* Two fluids: a quarter of the period of the shortest waves on the interface, two cells of this size long, with surface
 * tension and gravity without viscosity.  Without gravity that is sqrt((rho_1 + rho_2) h^3 / (4 pi sigma)) (Brackbill,
 * Kothe & Zemach 1992).  Infinite: no such waves. */
double flow_wave_step(const struct flow_setting *c, double size);
/* The same for another surface tension. */
double flow_wave_step_of(const struct flow_setting *c, double size, double tension);
/* Does the viscosity decrease somewhere over 16 decades of the shear rate, as with a yield stress? */
bool flow_is_thinning(const struct flow_setting *c);
/* Of the time steps allowed by the limits that are known before the run.  speed: the largest velocity that the case
 * gives. */
double flow_longest_step(const struct flow_setting *c, double size, double speed);
/* viscosity step / (density size^2) of cells of this size, for the fluid with the larger value, in the longest step; 0:
 * steady. */
double flow_viscous_number(const struct flow_setting *c, double size, double speed);

static inline struct interface_inputs flow_interface_inputs(const struct flow_setting *c)
{
    return (struct interface_inputs){.fluid = &c->fluid, .gravity = c->fluid.gravity, .second_fluid = &c->second_fluid,
                                     .interface = &c->interface, .boundary = &c->boundary,
                                     .returns = c->solver.outer_correctors > 1};
}

extern const struct section initial_section, time_section, solver_section, pressure_section, velocity_section,
                            coupled_section;
struct findings;
/* Checks all settings of this folder against each other and against those of lower folders, checked before. */
void flow_setting_check(struct case_reader *r, struct flow_setting *c);
void flow_setting_check_mesh(const struct flow_setting *c, struct case_place whole, struct findings *f);
/* Rejects a setting of another algorithm: group.name, or name if group is "".  advice: ends the message, after "remove
 * it". */
void flow_drop_setting(struct case_reader *r, const struct flow_setting *c, const char *group, const char *name,
                       const char *advice);
/* Checks the section `time` of a transient algorithm. */
void flow_check_time(struct case_reader *r, const struct flow_setting *c);
/* Rejects settings of a flow in a case with solids alone (conduction_setting.c). */
void conduction_check(struct case_reader *r, struct flow_setting *c);
extern const char flow_in_time[];               /* such an advice: to choose a transient algorithm */
#endif

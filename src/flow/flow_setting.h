/* flow_setting.h: what an algorithm needs of a case: the settings of flow and of the rooms below it.  Members have the
 * paths of the case file: c->solver.pressure.tolerance is solver = { pressure = { tolerance = ...; }; }. */
#ifndef POISE_FLOW_SETTING_H
#define POISE_FLOW_SETTING_H
#include <stdbool.h>
#include "assembly/boundary_setting.h"
#include "assembly/fluid_setting.h"
#include "assembly/scheme_setting.h"
#include "flow/buoyancy_setting.h"
#include "flow/scalar_setting.h"
#include "interface/interface_setting.h"
#include "solve/linear_setting.h"

/* Steady: SIMPLE, SIMPLEC, coupled; the others march in time.  Advection: of the interface alone, in a prescribed
 * velocity. */
enum algorithm { ALGORITHM_SIMPLE, ALGORITHM_SIMPLEC, ALGORITHM_COUPLED, ALGORITHM_PISO, ALGORITHM_PIMPLE,
                 ALGORITHM_ADVECTION, N_ALGORITHMS };
extern const char *const algorithm_words[N_ALGORITHMS];
enum time_scheme { TIME_EULER, TIME_BDF2, TIME_CRANK_NICOLSON };
enum initial_field { INITIAL_UNIFORM, INITIAL_TAYLOR_GREEN, INITIAL_POTENTIAL };

struct solver_setting {
    enum algorithm algorithm;
    double tolerance;           /* of the normalised residuals */
    int max_iterations, stall_limit;
    double relaxation_velocity, relaxation_pressure;    /* coupled: of velocity: simplec's standard, for
                                   residuals that mean the same */
    int acceleration;           /* Anderson's depth; 0: none */
    double newton;              /* coupled: Newton's terms below this change of the velocity; 0: never */
    int non_orthogonal_correctors;
    int correctors;             /* piso, pimple: solves for velocity and pressure in a step (or in an outer corrector);
                                   0: as transient_correctors() says */
    int outer_correctors;       /* piso: 1 */
    enum convection convection;
    enum gradient gradient;
    enum accuracy accuracy;
    struct linear_setting pressure, velocity, coupled;
};

struct time_setting {           /* given: the algorithm marches in time */
    bool given;
    double end;                 /* the run starts at 0 */
    double step;                /* fixed, or the largest one where a limit is set */
    enum time_scheme scheme;
    double courant, interface_courant;  /* largest Courant number anywhere, in cells of the interface; 0: no limit */
    double capillary;           /* limit as a multiple of flow_wave_step() of the smallest cell; 0: no limit */
    double tolerance;           /* of a step's error, relative to the velocity; 0: steps have any */
    int max_steps;              /* the run ends unfinished after so many; 0: no limit */
};

struct initial_setting {
    enum initial_field field;
    double velocity[3], pressure;
    int velocity_length;        /* numbers given */
    int pressure_given;         /* 0: the pressure is the mean of the lowest and the highest that boundaries give */
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
    struct scalar_settings scalars;
    struct buoyancy_setting buoyancy;
};

/* How further equations (equation_step.h) are solved beside an algorithm. */
struct equation_setting {
    double tolerance;           /* of their linear solver, at most */
    int max_iterations;         /* at least so many */
    double relaxation;
    double acting_steps;        /* one that acts on the flow takes steps of so many cells; 0: relaxation */
    int depth;                  /* of Anderson's acceleration; 0: none */
};

/* What an algorithm is and needs. */
struct algorithm_kind {
    bool in_time;               /* it marches in time; else it iterates to a steady flow */
    bool solves;                /* for velocity and pressure; else they are prescribed */
    bool pressure_solver;       /* for the pressure alone */
    int matrices;               /* with values at the same time */
    struct equation_setting equation;
    void (*check)(struct case_reader *r, struct flow_setting *c);
};
extern const struct algorithm_kind algorithm_kinds[N_ALGORITHMS];

static inline const struct algorithm_kind *flow_algorithm(const struct flow_setting *c)
{
    return &algorithm_kinds[c->solver.algorithm];
}
static inline bool flow_is_advection(const struct flow_setting *c) { return !flow_algorithm(c)->solves; }
/* The scalar that acts on the flow, or NULL. */
static inline const char *flow_acting_scalar(const struct flow_setting *c)
{
    return c->buoyancy.given ? c->buoyancy.scalar : NULL;
}
static inline bool flow_is_coupled(const struct flow_setting *c) { return c->solver.algorithm == ALGORITHM_COUPLED; }
static inline bool flow_is_transient(const struct flow_setting *c) { return flow_algorithm(c)->in_time; }

/* The lowest and the highest pressure that boundaries give; false: none gives one. */
bool flow_given_pressures(const struct flow_setting *c, double *low, double *high);
/* The largest velocity that boundaries, initial fields and the difference of given pressures (by Bernoulli's equation)
 * impose; 0: none. */
double flow_imposed_speed(const struct flow_setting *c);
/* The larger density over the smaller one; of one fluid 1.  Schemes that overshoot do not go with a high one. */
double flow_density_ratio(const struct flow_setting *c);
enum { HIGH_DENSITY_RATIO = 20 };
/* Two fluids: the step in which the shortest waves on the interface, two cells of this size long, go a quarter of their
 * period, by surface tension and gravity without viscosity.  Without gravity that is sqrt((rho_1 + rho_2) h^3 / (4 pi
 * sigma)) (Brackbill, Kothe & Zemach 1992).  Infinite: there are no such waves. */
double flow_wave_step(const struct flow_setting *c, double size);
/* viscosity step / (density size^2) of cells of this size: of the fluid that has the larger one, in the longest step
 * that limits allow, as far as they are known before the run; 0: steady. */
double flow_viscous_number(const struct flow_setting *c, double size);

static inline struct interface_inputs flow_interface_inputs(const struct flow_setting *c)
{
    return (struct interface_inputs){.fluid = &c->fluid, .second_fluid = &c->second_fluid, .interface = &c->interface,
                                     .boundary = &c->boundary};
}

extern const struct section initial_section, time_section, solver_section, pressure_section, velocity_section,
                            coupled_section;
struct findings;
/* All settings of this room against each other and against those of rooms below; the latter are checked before. */
void flow_setting_check(struct case_reader *r, struct flow_setting *c);
void flow_setting_check_mesh(const struct flow_setting *c, struct case_place whole, struct findings *f);
/* What belongs to another algorithm: group.name, or name where group is "".  advice: ends the message, after "remove
 * it". */
void flow_drop_setting(struct case_reader *r, const struct flow_setting *c, const char *group, const char *name,
                       const char *advice);
extern const char flow_in_time[];               /* such an advice: to choose an algorithm that marches in time */
#endif

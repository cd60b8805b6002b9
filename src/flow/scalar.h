/* scalar.h: passive scalars: an additional equation (equation.h) for each of scalars.NAME.  They are transported by the
 * flux of velocity and pressure, and act on it only through buoyancy.c.
 *
 * equation_step() advances them, in transient flow by the midpoint rule if the flow's scheme is of second order, else
 * by Euler's.  A scalar dissolved in one of two fluids has the value x in that fluid, and capacity is the fraction of a
 * cell filled by that fluid.  Output is capacity x, the amount per unit of the cell's volume.
 *
 * The temperature of two fluids has the capacity 1 + (r - 1) alpha, r the second fluid's heat capacity per volume over
 * the first one's, and is transported by F_1 + r F_2, the volumes of both fluids that pass a face in the step: so a
 * uniform temperature stays uniform, and equation_step() conserves the heat. */
#ifndef POISE_SCALAR_H
#define POISE_SCALAR_H
#include "flow/equation_step.h"
#include "flow/region_laws.h"
#include "flow/scalar_setting.h"
#include "flow/solids.h"

struct anderson;
struct scalars;
struct varying;
struct scalar {
    const struct scalar_setting *set;
    struct scalars *all;
    double *x, *amount;         /* [pitch] x and capacity x; the same array unless dissolved in one of two fluids */
    double *capacity;           /* [pitch] dissolved in one of two fluids, or the temperature of two: at the end of the
                                   last step; or the heat capacity, of which solids have their own, if it depends on the
                                   temperature: mean over it; else NULL */
    struct region_laws capacity_laws;   /* of the heat capacity, where it is an expression; and if it depends on the */
    struct heat_laws heat;              /* temperature: */
    double *carries;            /* [n_faces] the flux that carries it */
    double *gradient;           /* [dim pitch] */
    double *source, *sink;      /* [pitch] per volume and time; sink: times the scalar, >= 0; or NULL */
    /* at boundaries, [n_boundary] */
    uint8_t *rule, *entering;   /* entering: the rule follows the flux, and the inflow has the value `given` */
    double *value, *given, *wall, *through, *mixed;     /* through, mixed: NULL if nothing is given */
    double *exchange;           /* with mixed: of struct exchange_args */
    struct varying *varying;    /* the diffusivity varies (scalar_diffusivity.c); else NULL */
    double *inflow;             /* in time: [2 n_boundary] what enters per time in the last step, in the unit of x; then
                                   the flux that carried it */
    struct sums stored;         /* in time: of the last step, the increase in all cells, in that unit */
    double *shown;              /* a copy of value for files and probes, made on demand */
    /* With solids: value, shown and rule at the boundary of the flow, solids included. */
    double *flow_value, *flow_shown;
    double *flow_x;             /* [pitch of the flow] several ranks: x in its cells, by scalars_to_flow() */
    double *kept_side;          /* [2 contacts] the temperatures at solids, while a gradient is made for output */
    uint8_t *flow_rule;
    double *passed;             /* steady: [n_boundary] the flux of the last solve, which set `rule` */
    char imposed_name[NAME_LENGTH + 10];
    char wait_name[NAME_LENGTH + 10], passed_name[NAME_LENGTH + 10];    /* of `wait` and `passed` in checkpoints */
    char boundary_name[NAME_LENGTH + 10];       /* of value; with solids of flow_value, and: */
    char all_name[NAME_LENGTH + 10], side_name[NAME_LENGTH + 10];       /* of value, and of temperatures at solids */
    double wait[2];             /* steady: iterations until its next one, and the residual before its last one */
    bool shows_x;               /* steady: the gradient and `shown` are those of x, which has waited since */
    bool bounded;               /* its scheme creates no new extremes */
    double imposed[3];          /* extremes of the values given so far and of those at the start of the run; 1: known */
    struct anderson *anderson;  /* in steady flow */
    char anderson_name[NAME_LENGTH + 15];       /* name of its state in checkpoints */
};

struct scalars {                /* all of them, and memory shared by their solves */
    struct flow *f;
    /* Cells and faces, and values given there: those of the flow, or of a mesh with solids. */
    const struct stencil *s;
    struct given_list given;
    struct solids *solids;      /* of a temperature, or NULL */
    struct scalar *item;
    int n;
    struct equation_work work;
    double *flux;               /* [n_faces] */
    double *flow_flux;          /* with solids: the same at the faces of the flow */
    double *shown_flux;         /* with solids or two fluids: [n_faces] that of scalar_through(), for files */
    double *entered;            /* [n_boundary] of scalar_entered() */
    double dt;                  /* of the last step; 0: there was none */
    double *diffusivity_faces;  /* [n_faces] where one varies, or has a capacity */
    double *capacity_old;       /* [pitch] where scalars have a capacity */
};

/* Before the flow reads the temperature in its cells, which on several ranks are not those of a mesh with solids. */
void scalars_to_flow(const struct flow *f);

extern const struct equation_kind scalar_equation, temperature_equation;

/* Steady: scalars on which the flow does not depend wait until it is near enough to its solution. */
bool scalars_wait(const struct flow *f);
#endif

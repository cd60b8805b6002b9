/* scalar.h: passive scalars: a further equation (equation.h) for each of scalars.NAME.  They are carried by the flux
 * that velocity and pressure have made, and do not act on it, but by buoyancy.c.
 *
 * equation_step() advances them, in time by the midpoint rule where the flow's scheme is of second order, else by
 * Euler's.
 * A scalar dissolved in one of two fluids has x in that fluid, and capacity is the part of a cell that is of that
 * fluid.  What files show is capacity x, the amount in a unit of the cell's volume. */
#ifndef POISE_SCALAR_H
#define POISE_SCALAR_H
#include "flow/equation_step.h"
#include "flow/scalar_setting.h"

struct anderson;
struct scalars;
struct scalar {
    const struct scalar_setting *set;
    struct scalars *all;
    double *x, *amount;         /* [pitch] x and capacity x; the same array unless it is in one of two fluids */
    double *capacity;           /* [pitch] in one of two fluids: at the end of the last step; else NULL */
    double *gradient;           /* [dim pitch] */
    double *source, *sink;      /* [pitch] per volume and time; sink: times the scalar, >= 0; or NULL */
    /* at boundaries, [n_boundary] */
    uint8_t *rule, *entering;   /* entering: the rule follows the flux, and what flows in has the value `given` */
    double *value, *given, *wall, *through, *mixed;     /* through, mixed: NULL where nothing is given */
    double *shown;              /* a copy of value for files and probes, made when they ask */
    char boundary_name[NAME_LENGTH + 10];       /* of value in checkpoints */
    double given_lowest, given_highest;
    bool bounded;               /* its scheme makes no new extremes */
    struct anderson *anderson;  /* in steady flow */
    char anderson_name[NAME_LENGTH + 15];       /* of what it keeps, in checkpoints */
};

struct scalars {                /* all of them, and the memory in which they are solved one after the other */
    struct flow *f;
    struct scalar *item;
    int n;
    struct equation_work work;
    double *flux;               /* [n_faces] */
    /* in one of two fluids: [n_faces], [pitch] */
    double *diffusivity_faces, *capacity_old;
};

extern const struct equation_kind scalar_equation;
#endif

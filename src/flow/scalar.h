/* scalar.h: passive scalars: a further equation (equation.h) for each of scalars.NAME.  They are carried by the flux that
 * velocity and pressure have made, and do not act on it.
 *
 * Steady: one solve after every iteration.  In time: two, and what flux correction leaves of their difference
 * (assembly/scalar_step.h), by Euler's rule or, where the flow's is of second order, the midpoint rule.
 * Of a scalar in one of two fluids the field is the amount in a unit of the cell's volume: capacity x, capacity being the
 * part of the cell that is of that fluid. */
#ifndef POISE_SCALAR_H
#define POISE_SCALAR_H
#include "flow/equation.h"
#include "flow/scalar_setting.h"
#include "gpu/sums.h"
#include "solve/solver.h"

struct scalars;
struct scalar {
    const struct scalar_setting *set;
    struct scalars *all;
    double *x, *amount;         /* [pitch] one array, but in one of two fluids */
    double *capacity;           /* [pitch] in one of two fluids: at the end of the last step; else NULL */
    double unit;                /* the flux is this times the volume flux: the density in steady flow */
    double *gradient;           /* [dim pitch] */
    /* at boundaries, [n_boundary] */
    uint8_t *rule, *entering;   /* entering: what flows in has `given` */
    double *value, *given, *wall, *through, *mixed;     /* through, mixed: NULL where nothing is given */
    double *shown;              /* value for those who look */
    char boundary_name[NAME_LENGTH + 10];       /* of value in checkpoints */
    double given_lowest, given_highest;
    bool bounded;               /* it promises that no new extremes arise */
};

struct scalars {                /* work of all of them */
    struct flow *f;
    struct scalar *item;
    int n;
    struct solver *solver;
    double *flux, *correction;  /* [n_faces] */
    double *diffusivity_faces;  /* [n_faces] in one of two fluids */
    double *low, *w, *old, *capacity_old, *lowest, *highest, *plus, *minus, *sum;       /* [pitch] */
    struct sums sums;
};

/* Its arrays at boundaries, from q->set and q->unit. */
void scalar_create_boundary(struct scalar *q, const struct flow *f, const struct mesh *m);
extern const struct equation_kind scalar_equation;
#endif

/* equation_step.h: one iteration or one step in time of any quantity x that the flow carries:
 *
 *     capacity dx/dt + sum_f F (x_f - x_P) - sum_f D (grad x)_f . S = (source - sink x) V
 *
 * Steady: one solve, with Anderson acceleration if there is one.  In time: two solves a step, one bounded and one of
 * second order, and of their difference what the limiter leaves (assembly/scalar_step.h). */
#ifndef POISE_EQUATION_STEP_H
#define POISE_EQUATION_STEP_H
#include "assembly/scheme_setting.h"
#include "flow/flow.h"
#include "gpu/sums.h"
#include "solve/solver.h"

struct anderson;
struct equation {               /* all arrays are its owner's */
    double *x;                  /* [pitch] */
    double *gradient;           /* [dim pitch] work, for the next step's beginning too */
    /* at boundaries, [n_boundary]; see struct face_values */
    uint8_t *rule;
    const uint8_t *entering;    /* 1: the rule follows the flux, and what flows in has the value `given` */
    double *value, *wall;
    const double *given, *through, *mixed;
    double given_lowest, given_highest;         /* extremes of the given values; 1 and -1 where there are none */
    double diffusivity;
    double *diffusivity_faces;  /* [n_faces] in its place, or NULL */
    const double *flux;         /* [n_faces] F; in time of the whole step */
    const double *capacity, *capacity_old;      /* [pitch] in time, at the end and at the start; NULL: 1 */
    const double *source, *sink;                /* [pitch] per volume, sink >= 0; NULL: none */
    const uint8_t *fixed;       /* [pitch] 1: x is given in this cell, and stays as it is; NULL: none */
    enum convection convection;
    bool bounded;               /* no new extremes, but by sources */
    struct anderson *anderson;  /* of a steady equation, or NULL */
};

struct equation_work {          /* memory that equations share, one after the other */
    struct flow *f;             /* lends its momentum matrix and its right-hand side */
    struct solver *solver;
    double *correction;         /* [n_faces] */
    double *low, *w, *old, *lowest, *highest, *plus, *minus, *sum;      /* [pitch] */
    struct sums sums;
};
/* False with a message: the solver's preconditioner cannot be had for this mesh; nothing is left then. */
bool equation_work_create(struct equation_work *k, struct flow *f, struct error *e);
void equation_work_free(struct equation_work *k);

/* dt: 0 in steady flow, where residual [1] is filled with the one before the solve.  midpoint: in time, the equation
 * holds in the middle of the step. */
void equation_step(const struct equation *q, struct equation_work *k, double dt, bool midpoint, double *residual);
/* The gradient of x, and the values at boundaries and `wall`.  Gradient and values are each made with the other, so
 * both are made twice, beginning with the values as they were. */
void equation_gradient(const struct equation *q, const struct stencil *s, const double *x);
#endif

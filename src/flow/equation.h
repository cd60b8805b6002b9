/* equation.h: equations solved in addition to those of velocity and pressure, with the resulting flux, after every
 * iteration or step.  A kind of equation is one line in the table of equation.c. */
#ifndef POISE_EQUATION_H
#define POISE_EQUATION_H
#include "assembly/field.h"
#include "base/error.h"

struct flow;
struct mesh;

struct equation_time {          /* a time step */
    double start, dt;           /* its time at the start, and its length */
    double ahead;               /* from the last step's end to where an equation should hold, over that step; 0: Euler's
                                   scheme, or no last step */
    bool midpoint;              /* the flow's time scheme is of second order: an equation should hold in the middle of
                                   the step, not at its end */
    const double *flux, *flux_old;      /* [n_faces] volume per time at the end and at the start of the step */
    const double *mass_flux;            /* two fluids: [n_faces] mass per time in this step */
};

/* The extremes of a quantity after an iteration or a step. */
struct equation_range {
    const char *name;
    double lowest, highest;     /* in all cells */
    bool finite;                /* every value is a number */
    double imposed_lowest, imposed_highest;     /* of the values given and at the start */
    bool low_imposed, high_imposed;     /* no source or flux can lead below the lowest, above the highest of these */
    bool bounded;               /* its scheme creates no new extremes */
    bool unsolved;              /* in time: in the last step a linear solver used up its iterations */
    bool oblique;               /* in time: in the last step corrections of diffusion did not converge */
    bool lagged;                /* likewise of the scheme */
};

struct equation_kind {
    /* Creates the state, which stays NULL if the case has no such equation.  Called last: the rest of the flow exists.
     * False with a message: it cannot be created; nothing remains allocated then. */
    bool (*create)(void **state, struct flow *f, const struct mesh *m, struct error *e);
    /* Adds its fields; state NULL: nothing has been created, only names are needed (to check a case). */
    void (*fields)(void *state, const struct flow *f, struct fields *all);
    /* Steady: one solve.  residual: out, one number for each of its fields with FIELD_RESIDUAL, before the solve;
     * returns the address after them. */
    double *(*iterate)(void *state, double *residual);
    /* One time step.  False with a message: a value given within it is not a number, or outside its range. */
    bool (*advance)(void *state, const struct equation_time *step, struct error *e);
    /* Before the first iteration or step, when the fields have their values: reads those imposed. */
    void (*begin)(void *state);
    /* One for each of its quantities, r: out; returns their number. */
    int (*ranges)(void *state, struct equation_range *r);
    void (*free)(void *state);
};

enum { MOST_EQUATIONS = 8 };
/* The same for all kinds, in the order of the table; their states are in f->equation. */
bool equations_create(struct flow *f, const struct mesh *m, struct error *e);
void equations_fields(struct flow *f);
void equations_iterate(struct flow *f, double *residual);
bool equations_advance(struct flow *f, const struct equation_time *step, struct error *e);
void equations_begin(struct flow *f);
/* r: out, [equations_quantities()]; waits for the device.  All ranks call it together. */
void equations_ranges(struct flow *f, struct equation_range *r);
int equations_quantities(const struct flow *f);
bool equations_there(const struct flow *f);
void equations_free(struct flow *f);
#endif

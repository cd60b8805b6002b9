/* equation.h: what is solved for beside velocity and pressure, with the flux that they have made, after every iteration or
 * step.  A kind of equation is one line in the table of equation.c. */
#ifndef POISE_EQUATION_H
#define POISE_EQUATION_H
#include "assembly/field.h"

struct flow;
struct mesh;

struct equation_step {          /* in time */
    double dt;
    bool midpoint;              /* the flow's rule in time is of second order: the middle of the step is what counts */
    const double *flux, *flux_old;      /* [n_faces] volume per time at the end and at the start of the step */
    const double *mass_flux;            /* two fluids: [n_faces] by which density and interface were moved */
    const double *fraction_old;         /* two fluids: [pitch] at the start of the step */
};

struct equation_kind {
    /* NULL where the case has none.  The rest of the flow is there. */
    void *(*create)(struct flow *f, const struct mesh *m);
    /* Adds its fields; state NULL: there is no memory, names are wanted. */
    void (*fields)(void *state, const struct flow *f, struct fields *all);
    /* Steady.  residual: of its columns FIELD_RESIDUAL, before it is solved; returns what follows them. */
    double *(*iterate)(void *state, double *residual);
    void (*advance)(void *state, const struct equation_step *step);
    void (*free)(void *state);
};

enum { MOST_EQUATIONS = 8 };
/* All of them, in the order of the table; what each has made is in f->equation. */
void equations_create(struct flow *f, const struct mesh *m);
void equations_fields(struct flow *f);
void equations_iterate(struct flow *f, double *residual);
void equations_advance(struct flow *f, const struct equation_step *step);
bool equations_there(const struct flow *f);
void equations_free(struct flow *f);
#endif

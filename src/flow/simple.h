/* simple.h: steady incompressible flow by SIMPLE (Patankar & Spalding 1972), SIMPLEC (Van Doormaal & Raithby 1984) or
 * the coupled algorithm (coupled.h), which shares fields and assembly: simple_create() picks the algorithm from the
 * case.  (flow.h: fields and matrix.) */
#ifndef POISE_SIMPLE_H
#define POISE_SIMPLE_H
#include "flow/anderson.h"
#include "flow/flow.h"

struct simple {
    struct flow f;
    /* state in addition to f.u, f.p, f.flux, f.grad_p, f.b.velocity, f.b.pressure */
    double gross_flux;          /* sum of |flux| over the internal faces */
    double rest;                /* state of rest.h */
    struct coupled *coupled;    /* additional data of the coupled algorithm (coupled.h), or NULL */
    const struct mesh *m;
    /* work; coupled: without grad_next, u_old, correct and the arrays of p' */
    double *grad_next;
    double *u_old;              /* [dim pitch] */
    double *rhie, *correct;     /* [pitch] D and D' of pressure.h */
    double *boundary_part;      /* [n_boundary_cells] see transport.h */
    /* with a force at faces, [n_faces] and [dim pitch]: the rest of the pressure's differences and gradient */
    double *step, *balanced;
    double *change;             /* [pitch] p' */
    double *coefficient;        /* [n_faces] of the p' equation */
    double *cross;              /* [n_internal] non-orthogonal part of the corrector's flux, or NULL */
    double *change_boundary;    /* [n_boundary] p' at boundary faces, with cross */
    struct anderson *anderson;  /* or NULL */
};

enum { MOST_RESIDUALS = 64 };
struct simple_report {          /* one iteration */
    double residual[MOST_RESIDUALS];    /* normalised, before the solves: columns FIELD_RESIDUAL of f.fields */
    double continuity;                  /* after the correction */
    /* pressure: last corrector, sum of the iterations; coupled: of both, and none of the velocity's */
    struct linear_result velocity_solve, pressure_solve;
    enum anderson_action acceleration;
    double step;                /* of accelerated ones: anderson_last_step(), of fluid nearly at rest as a part of the
                                   velocity whose terms are FORCE_FLOOR times the forces */
    long long inner;            /* coupled: Krylov iterations of the run so far, each with a multigrid cycle */
    int refused;                /* coupled: changes rejected as too large */
    double inertia;             /* coupled: of the pseudo-time step of the accepted change; 0: none */
};

bool simple_create(struct simple *w, const struct flow_setting *c, const struct mesh *m, struct error *e);
void simple_iterate(struct simple *w, struct simple_report *r);
/* The first half of the next iteration: solves momentum, assembles the pressure system into f.pressure and f.rhs.  The
 * fields are then in the middle of an iteration. */
void simple_assemble_pressure(struct simple *w);
/* Its first part: assembles momentum for the present fields into f.momentum and f.rhs, with D and D', and the
 * velocity's residuals, which are read at the iteration's end. */
void simple_assemble_momentum(struct simple *w);
/* Fills f.fields, which needs only f.c and f.s.  Called by simple_create(), and alone to
 * list the names of the fields. */
void simple_fields(struct simple *w);
void simple_free(struct simple *w);
#endif

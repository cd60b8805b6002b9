/* transient.h: unsteady incompressible flow of one fluid or of two by an incremental pressure correction
 * (assembly/time_step.h), under the names PISO and PIMPLE (the same with outer iterations), and an interface in a
 * prescribed velocity (algorithm "advection").  docs/explanation/numerics.md has the equations.
 *
 * A step: the interface moves by the present flux; density, viscosity, mass flux and the forces on faces follow from
 * it; the momentum equation predicts a velocity; the corrector solves for the pressure (without its hydrostatic part,
 * interface/forces.h) that makes the flux divergence-free. */
#ifndef POISE_TRANSIENT_H
#define POISE_TRANSIENT_H
#include "assembly/time_step.h"
#include "flow/anderson.h"
#include "flow/equation_error.h"
#include "flow/flow.h"
#include "interface/energy.h"
#include "interface/forces.h"
#include "interface/interface.h"
#include "interface/prescribed.h"

struct transient {
    struct flow f;
    double time, step, older_step;      /* step: the last one; older_step: the one before */
    int64_t steps;              /* since time 0 */
    double courant, interface_courant;  /* per unit of time, of the present flux: times dt they are Courant numbers */
    double tension;             /* the largest surface tension of a cut cell, if it depends on the temperature */
    double viscosity;           /* the largest of the last step */
    /* state in addition to f.u, f.p, f.flux */
    double *u_old, *u_older;    /* [dim pitch] between steps: u^(n-1) in u_old, u^(n-2) in u_older */
    double *flux_old, *flux_older;      /* [n_faces] likewise */
    double *acceleration;       /* [dim pitch] by pressure and forces, in cells and at faces: a and y of time_step.h */
    double *face_step;          /* [n_faces] */
    /* work */
    struct prescribed prescribed;
    /* as in assembly/time_step.h */
    double *hat, *diagonal, *before, *predicted, *through, *coefficient, *change, *balance, *along;
    double *mass_flux;          /* [n_faces] of two fluids, or NULL */
    double *convected;          /* the guess for convection, in hat; NULL: the same as for all else */
    double *convected_gradient, *convected_outlet;      /* grad_u and `outlet` of reconstruction.h of it; may be NULL */
    double slip_rate;           /* the largest sum of g / V of a cell's slip faces */
    bool slips;                 /* in this step every component has a matrix of its own, see struct slip_args */
    double *slip_diagonal, *slip_excess;        /* [pitch] its diagonal, and excess; NULL: no slip boundaries */
    double part, sharpness;     /* transient_implicit_part() and transient_sharpness() of the step */
    bool viscous;               /* correctors are iterations of Uzawa's method: see transient_correctors() */
    double *pass, *carried;     /* [dim pitch] if the viscosity varies, else NULL: the velocity before the present pass,
                                   and the convected one of the passes of transient_repeats() */
    double moved;               /* the change in the last pass */
    int passes;                 /* two fluids: predictors and correctors of this step at most, until the stress agrees
                                   with the velocity; 0: the stress is that of the guess */
    double settled;             /* at which change they agree */
    double *stress;             /* of two fluids with different viscosities (interface_stress.h), else NULL */
    double *unstressed, *tried; /* [dim pitch] of such steps, else NULL: rhs without the stress, the velocity before a
                                   pass */
    struct anderson *anderson;  /* likewise */
    bool assembled;             /* the pressure's matrix is that of the step; with one fluid it never changes */
    struct sums marks;          /* see TOLD_COURANT to TOLD_VISCOSITY */
    double *rate;               /* one fluid: [2 pitch] of struct courant_args, for the present flux */
    /* the error of a step (transient_error.c) */
    struct sums errors;
    double c;                   /* of the last step's equations; 0: no step yet */
    double splitting;           /* transient_splitting() of the last step; -1: not computed yet */
    double speed;               /* that conditions and forces can cause, or 0: limits the first step.  Set by the
                                   owner */
    double fastest;             /* the largest speed of a cell at the end of all steps so far.  A thousandth of the
                                   larger of these two is the least velocity that an error is compared with: a flow
                                   that has come to rest has no error */
    double *bend;               /* with time.tolerance: [dim pitch] second divided difference of the velocity in time */
    struct equation_errors equations;   /* with time.tolerance */
    double control[2];          /* the next step allowed by the tolerance, and for how many steps `bend` is known */
    struct { double **array; int n; } kept;     /* the state at the start of a step */
    double *told;               /* values copied to the host together at a step's end (transient_parts.h) */
    double passing[2];          /* f.passing.last of this step alone */
    double *outlets;            /* of struct rotate_args */
    double *left;               /* [pitch] Crank-Nicolson: minus the net flux of cells at the start of the step */
    bool measured;              /* the Courant numbers are those of the present flux */
    struct error fault;         /* the last one of a given value */
    double finest;              /* ROUNDING times the 2-norm of the volumes; over dt: the smallest residual required */
};

struct transient_report {
    double courant, interface_courant;  /* largest in the step just made */
    double speed;                       /* largest of a cell at its end */
    double continuity;                  /* sum of |net flux| of the cells over the sum of |flux| */
    bool above_rounding;                /* the net flux is over ten thousand times its rounding error */
    struct linear_result velocity_solve, pressure_solve;        /* the last; iterations of all */
    double unsettled;           /* two fluids, steps with passes: what the last one changed of the velocity, over the
                                   step's change (transient_stress.c) */
    double error;               /* with time.tolerance: what is compared with it (transient_error.c) */
    int rejected;               /* with time.tolerance: how often the step was repeated with a shorter length */
    struct interface_summary interface;
    double energy[N_ENERGIES];          /* of two fluids, at its end; see transient_energy() */
    const struct error *fault;  /* a given value is invalid in the step or at its end, and the run must end; or NULL */
};

bool transient_create(struct transient *t, const struct flow_setting *c, const struct mesh *m, struct error *e);
/* flow_wave_step() of the smallest cell; infinite with one fluid. */
double transient_wave_step(const struct transient *t);
/* The next step by the case's limits, such that steps end on `until`. */
double transient_choose_step(struct transient *t, double until);
/* Makes a step of dt; with time.tolerance a shorter one if its error is too large.  t->step: its length. */
void transient_advance(struct transient *t, double dt, struct transient_report *r);
/* The splitting error of velocity and pressure in the last step: the 2-norm, over the mass, of the velocity's error by
 * the residual of the momentum equation, over that of the velocity.  0 if there was no step. */
double transient_splitting(struct transient *t);
/* Energies of two fluids at the present time (interface/energy.h).  False: they are not known, because other forces act
 * than gravity, a constant surface tension and momentum sources, or there is no flow of two fluids. */
bool transient_energy(struct transient *t, double energy[N_ENERGIES]);
/* Fills f.fields, which needs only f.c and f.s.  Called by transient_create(), and alone
 * to list the names of the fields. */
void transient_fields(struct transient *t);
/* Called when the state has been read from a checkpoint and t->steps is set. */
void transient_restored(struct transient *t);
void transient_free(struct transient *t);
#endif

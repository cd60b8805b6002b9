/* transient_parts.h: private to the files transient*.c. */
#ifndef POISE_TRANSIENT_PARTS_H
#define POISE_TRANSIENT_PARTS_H
#include "flow/transient.h"

/* In t->told: the two Courant numbers, the square of the largest velocity, the largest surface tension and viscosity,
 * the two sums of the continuity error, the interface's ledger, its energies. */
enum { TOLD_COURANT = 0, TOLD_SPEED = 2, TOLD_TENSION = 3, TOLD_VISCOSITY = 4, TOLD_CONTINUITY = 5, TOLD_LEDGER = 7,
       TOLD_ENERGY = TOLD_LEDGER + N_LEDGER, N_TOLD = TOLD_ENERGY + N_ENERGIES };
/* Computes the Courant numbers, the square of the largest velocity, the largest surface tension and viscosity, in
 * t->told, and t->rate. */
void transient_measure(struct transient *t);
/* Computes the energies of two fluids in t->told, if they are known. */
void transient_measure_energy(struct transient *t);
/* Sets the Courant numbers of the present flux and the others in t, if they are out of date. */
void transient_read_courant(struct transient *t);

/* Number of Euler steps at the start of Crank-Nicolson (Rannacher 1984).  Without them a start that does not satisfy
 * the equations, such as a fluid at rest beside a moving wall, leaves undamped oscillations from step to step.  The
 * order in time remains two, since their number is fixed. */
enum { DAMPED_STEPS = 4 };

/* The scheme of the present step. */
static inline enum time_scheme step_scheme(const struct transient *t)
{
    enum time_scheme scheme = t->f.c->time.scheme;
    return scheme == TIME_CRANK_NICOLSON && t->steps < DAMPED_STEPS ? TIME_EULER : scheme;
}

/* The time in a step at which the equation holds: 1 at its end, 1/2 in its middle.  Crank-Nicolson's midpoint is
 * shifted towards the end if more damping is needed: by 1/2 n / (n + 1000) at a viscous number n, which is of the order
 * of the step, so that the scheme remains of second order; on slivers and between fluids of very different density,
 * where it is unstable otherwise, by a fixed amount (docs/explanation/numerics.md, "Flow in time"). */
double transient_implicit_part(const struct transient *t, double dt);

/* Whether convection may need a guess of its own. */
bool transient_convects(const struct flow_setting *c);
/* The start of a step: velocities and fluxes change places, and their guess. */
void transient_start(struct transient *t, double dt);
/* 2-norm of the net fluxes that no solver has to reduce further: ROUNDING of the cells' volumes times c, the inverse of
 * the step, or, in steps with smaller Courant numbers, times the rate at which the largest speed crosses a cell. */
double transient_rounding(const struct transient *t, double c);
/* The predictor (transient_predict.c).  create: with the boundaries' rules.  assemble: the momentum equation of a step.
 * predict: solves it with the present acceleration; again: the matrix is that of the last solve.  momentum: the matrix
 * of component k. */
void transient_predictor_create(struct transient *t);
void transient_assemble(struct transient *t, const struct time_step *k, double dt);
void transient_predict(struct transient *t, bool again, struct transient_report *r);
struct matrix transient_momentum(struct transient *t, int k);
/* The transposed viscous stress of a mixture, explicit in t->f.rhs (struct transpose_args): that of the guess, and in
 * long steps of two viscosities that of every pass (transient_stress.c).  Sets t->passes. */
void transient_add_stress(struct transient *t, double dt);
/* After corrector `number`, from 0 on: true if velocity, pressure and stress agree, or no pass is left.  Otherwise
 * prepares the next one: mixes the results of the passes, and updates the stress in t->f.rhs. */
bool transient_stress_agrees(struct transient *t, int number, struct transient_report *r);
void transient_free_stress(struct transient *t);
/* A pressure corrector, after the momentum equation has been solved with the present acceleration; solves once more for
 * every non-orthogonal corrector. */
void transient_correct(struct transient *t, const struct time_step *k, struct transient_report *r);
/* Factor of the linear solvers' tolerances in a step of dt: 1, and above transient_wave_step() the inverse square of dt
 * over that.  The forces of the interface are explicit, and in a longer step a solver's error moves the interface
 * correspondingly farther. */
double transient_sharpness(const struct transient *t, double dt);
/* The larger viscosity over the larger density; times dt, over the square of the smallest cell's size; the same across
 * the thinnest cells. */
double transient_viscosity(const struct transient *t);
double transient_viscous_number(const struct transient *t, double dt);
double transient_thin_number(const struct transient *t, double dt);
/* The number of correctors of a step: the case's, or, if that is 0, one; two if one is unstable.  *free: at most this
 * many, until velocity and pressure agree. */
int transient_correctors(struct transient *t, double dt, bool *free);
/* Before the pass of this number of a step whose viscosity varies. */
void transient_keep_pass(struct transient *t, int number);
/* After so many passes of a step whose viscosity varies: whether to make another one, because the last one changed
 * the velocity, and with it the shear rate and the explicit viscous terms, too much. */
bool transient_repeats(struct transient *t, double dt, int passes);
/* After a corrector: whether they agree. */
bool transient_is_settled(struct transient *t);
/* time.tolerance; without it these do nothing, accept every step and allow any length.  begin: before a step.  accept:
 * after one of *dt; false: its error was too large, the previous state is restored, and *dt is the step to try next. */
void transient_begin(struct transient *t);
bool transient_accept(struct transient *t, double *dt, struct transient_report *r);
double transient_tolerated_step(const struct transient *t);
void transient_kept_free(struct transient *t);
/* Makes the flux of the initial velocity divergence-free, because the midpoint rule preserves its initial
 * divergence. */
void transient_start_flux(struct transient *t);
#endif

/* drive.h: what moves a flow besides its boundaries, as a model: fluid.acceleration, gravity along periodic directions,
 * and a mean pressure gradient or flow rate in a periodic direction (driven_setting.h).
 *
 * Forces.  All of them act at faces, in the units of g (p_N - p_P), so that the pressure balances their potential part
 * to rounding:
 *     acceleration a of every mass: g (rho_N a.(d - x) + rho_P a.x), x from P's centre to the interface at the face
 *                                   (forces.h), which is the hydrostatic pressure of both fluids between the two cells;
 *                                   equal densities: g rho a.d
 *     mean gradient G along the unit vector n: g G n.d, the same for both fluids, as of a pressure -G n.x.
 * Gravity across all periodic directions is not among them: the hydrostatic pressure contains it (flow.h: gravity).
 *
 * A given flow rate.  The volume flow is R = sum over internal faces of F n.d, by Gauss's theorem the integral of u.n
 * over the volume if the flux F is divergence-free; R over the period's length is the flow through every section.  G is
 * one more unknown.  The equations are linear in it, so that the solution for G + step is that for G plus step times
 * the response to a unit of G, and step = (given R - R) / (R of the response):
 *     SIMPLE    response of the predicted velocity: D' n, of the flux: interp(D') n.S, before the pressure equation; R
 *               is as given when the iteration has converged.  With relaxation alpha a uniform velocity responds to a
 *               force by 1 / (1 - alpha) times SIMPLE's D', so that G changes by (1 - alpha) step only; SIMPLEC's D'
 *               is that response
 *     coupled   response by a second solve of the coupled system, which starts from that of the last iteration: R is as
 *               given after every iteration
 *     in time   response of the pressure phi by a second solve of its equation, once if the matrix is constant (one
 *               fluid), else from that of the last step; flux g / rho_f (n.d - (phi_N - phi_P)) / c: R is as given at
 *               the end of every step
 * Everything is on the device; G is part of the checkpoint. */
#ifndef POISE_DRIVE_H
#define POISE_DRIVE_H
#include <stdbool.h>
#include "assembly/table_map.h"
#include "gpu/sums.h"

struct error;
struct expression;
struct flow;
struct flow_setting;
struct matrix;
struct mesh;

/* Given: a, with gravity along periodic directions; G or R. */
enum drive_value { DRIVE_CAUSE = 3, N_DRIVE_VALUES };

struct drive {
    double direction[3];        /* n; 0: neither a gradient nor a flow rate is given */
    double period;              /* length of the mesh's period along it */
    double volume;              /* of the mesh */
    bool accelerates;           /* a is given */
    bool holds_rate;            /* R is given, else G */
    struct expression *expression[N_DRIVE_VALUES];      /* of time, or */
    struct table_map map[N_DRIVE_VALUES];       /* from a table; neither: constant */
    bool in_time;               /* there is one */
    double value[2][N_DRIVE_VALUES];    /* at the start and at the end of the step */
    double *number;             /* [N_DRIVE_NUMBERS] on the device */
    double *pull;               /* [n_faces] g n.d */
    double *response;           /* [pitch] phi, or [(dim + 1) pitch] change of velocity and pressure; or NULL */
    double *flux;               /* [n_faces] response of the flux; in time without its factor 1 / c */
    double *trial;              /* coupled: [n_faces] flux after the change */
    double *rhs;                /* of the response's equation */
    double known[2];            /* whether the response is that of the matrix; size of its right-hand side, 0: no solve
                                   so far */
    struct sums sums;           /* R of the flux, and of the response */
};
/* G, its last step, R of the old flux; the given values at the time of the momentum equation, R at the step's end. */
enum { DRIVE_GRADIENT, DRIVE_STEP, DRIVE_OLD_RATE, DRIVE_GIVEN, N_DRIVE_NUMBERS = DRIVE_GIVEN + N_DRIVE_VALUES };

/* The part of v across all periodic directions of the mesh. */
void drive_across(const struct mesh *m, const double v[3], double across[3]);
/* The velocity of a uniform flow with the flow rate given at time 0, [3]; false: none is given. */
bool drive_mean_velocity(const struct flow *f, double u[3]);

/* Does anything act besides gravity across periodic directions? */
bool drive_acts(const struct flow *f);
/* Bounds of the accelerations that are given, gravity included, component by component (a given gradient accelerates
 * the lighter fluid), and of the mean velocity. */
void drive_limits(const struct flow *f, double acceleration[3], double *speed);
/* The given values for a step from one time to another.  False with a message: one is not finite. */
bool drive_update(struct flow *f, double from, double to, struct error *e);

/* Of the functions below all but drive_measure() do nothing if no flow rate is given. */
/* SIMPLE: after the flux of the predicted velocity: corrects f->u, f->flux and G, with D' = correct. */
void drive_predict(struct flow *f, const double *correct);
/* Coupled: adds step times the response to `change`; a: the matrix of the last solve; unit, rhie: as in struct
 * coupled_change_args.  Returns the iterations of the response.  drive_accept(): the change is used, G += step. */
int drive_couple(struct flow *f, const struct matrix *a, const double *rhie, double unit, double *change);
void drive_accept(struct flow *f);
/* In time.  drive_start(): before a step: the flux that is solved for has `part` of the given R, the rest is that of
 * flux_old.  drive_correct(): after the pressure equation: corrects flux, pressure, force at faces and G. */
void drive_start(struct flow *f, const double *flux_old);
struct drive_correction { double c, part; const double *coefficient, *change; };        /* as in time_step.h */
void drive_correct(struct flow *f, const struct drive_correction *x);
/* G, with *direction = n and *period; 0: nothing but boundaries and accelerations drives the flow.  Waits for the
 * device. */
double drive_gradient(const struct flow *f, const double **direction, double *period);
/* G and R / period of the present flux; waits for the device. */
void drive_measure(struct flow *f, double *gradient, double *flow_rate);

/* Private to drive.c and drive_values.c.  create: reads the values at time 0; start: uploads them; act: uploads those
 * that depend on time, `part` of the step after its start. */
bool drive_values_create(struct drive *d, const struct flow *f, struct error *e);
void drive_values_start(const struct drive *d);
void drive_values_act(const struct drive *d, double part);
void drive_values_free(struct drive *d);
#endif

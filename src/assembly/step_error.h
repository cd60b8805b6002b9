/* step_error.h: estimates of the error of a time step, as sums over all cells.
 *
 * Time error: the error of the scheme's equation times the step, from divided differences of the last velocities or
 * values: dt^2 u'' / 2 (Euler), dt^2 (dt + dt_old) u''' / 6 (BDF2), (part - 1/2) dt^2 u'' + dt^3 u''' / 12
 * (Crank-Nicolson and the midpoint rule); Hairer, Norsett & Wanner 1993, III.5.
 * Splitting error: the corrector changes the velocity by d after the momentum equation has been solved, which leaves
 * the residual (M - rho c V) d with the momentum matrix M; divided by rho c V it is a velocity. */
#ifndef POISE_STEP_ERROR_H
#define POISE_STEP_ERROR_H
#include "assembly/properties.h"
#include "assembly/stencil.h"
#include "gpu/sums.h"

enum { ERROR_MASS, ERROR_VELOCITY, ERROR_TIME, ERROR_CHANGE, ERROR_SPLITTING, ERROR_MOMENTUM,
       N_ERROR_SUMS = ERROR_MOMENTUM + 3 };

struct step_times {
    double step, old;           /* time steps between the last three times; old 0: there are only two, no time error */
    double second, third;       /* the error is second times the second difference, plus third times its change */
};

struct step_error_args {
    struct stencil s;
    const double *u, *old, *older;      /* [dim pitch] velocity at the current and the two previous times */
    struct step_times times;
    double *bend;                       /* [dim pitch] in: second divided difference of the velocity at the previous
                                           time; out: at this one; NULL: no time error */
    const double *change, *product;     /* [dim pitch] d and M d */
    double c;
    struct properties properties;
    struct sums sums;                   /* [N_ERROR_SUMS] out: of rho V, and of rho V times the square of the velocity,
                                           of the time error, of d and of the residual's velocity */
};
KERNEL(step_error, struct step_error_args)              /* over slices */

/* The change of the velocity in a pass of a step.  There are fewer sums than for the error of a step. */
enum { PASS_VOLUME, PASS_SQUARE, PASS_CHANGE, PASS_VELOCITY, N_PASS_SUMS = PASS_VELOCITY + 3 };

struct pass_change_args {
    struct stencil s;
    const double *u, *before;           /* [dim pitch] the velocity after and before the pass */
    struct sums sums;                   /* [N_PASS_SUMS] out: of V, and of V times the square of the velocity, that of
                                           its change, and the components of the velocity */
};
KERNEL(pass_change, struct pass_change_args)            /* over slices */

/* The time error of a transported value. */
enum { VALUE_WEIGHT, VALUE_AMOUNT, VALUE_SPREAD, VALUE_ERROR, N_VALUE_SUMS };

struct value_error_args {
    struct stencil s;
    const double *x, *old, *older;      /* [pitch] as above */
    struct step_times times;
    double *bend;                       /* [pitch] as above */
    const double *capacity;             /* [pitch] NULL: 1 */
    double reference;
    struct sums sums;                   /* [N_VALUE_SUMS] out: of capacity V, and of it times x, (x - reference)^2 and
                                           the square of the time error */
};
KERNEL(value_error, struct value_error_args)            /* over slices */
#endif

/* step_error.h: how far a step in time is from the solution of its equations, as sums over all cells.
 *
 * Of the time: the local error of the scheme by divided differences of the last velocities: dt^2 u'' / 2 (Euler),
 * u''' / 6 dt (dt + dt_old) / c (BDF2), (part - 1/2) dt^2 u'' + dt^3 u''' / 12 (Crank-Nicolson); Hairer, Norsett &
 * Wanner 1993, III.5.
 * Of the splitting: the corrector changes the velocity by d after the momentum equation has been solved, which leaves
 * the residual (M - rho c V) d of its matrix M; over rho c V that is a velocity. */
#ifndef POISE_STEP_ERROR_H
#define POISE_STEP_ERROR_H
#include "assembly/properties.h"
#include "assembly/stencil.h"
#include "gpu/sums.h"

enum { ERROR_MASS, ERROR_VELOCITY, ERROR_TIME, ERROR_CHANGE, ERROR_SPLITTING, N_ERROR_SUMS };

struct step_error_args {
    struct stencil s;
    const double *u, *old, *older;      /* [dim pitch] velocity now and at the two times before */
    double step, step_old;              /* between these */
    double *bend;                       /* [dim pitch] in: second divided difference of the velocity at the time before;
                                           out: at this one; NULL: no error of the time */
    double second, third;               /* the error is second times the second difference, plus third times what it
                                           has changed by */
    const double *change, *product;     /* [dim pitch] d and M d */
    double c;
    struct properties properties;
    struct sums sums;                   /* [N_ERROR_SUMS] out: of rho V, and of rho V times the square of the velocity,
                                           of the error of the time, of d and of the residual's velocity */
};
KERNEL(step_error, struct step_error_args)              /* over slices */
#endif

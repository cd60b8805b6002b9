/* step_error.h: estimates of the error of a time step, as sums over all cells.
 *
 * Time error: the local error of the scheme from divided differences of the last velocities: dt^2 u'' / 2 (Euler),
 * u''' / 6 dt (dt + dt_old) / c (BDF2), (part - 1/2) dt^2 u'' + dt^3 u''' / 12 (Crank-Nicolson); Hairer, Norsett &
 * Wanner 1993, III.5.
 * Splitting error: the corrector changes the velocity by d after the momentum equation has been solved, which leaves
 * the residual (M - rho c V) d with the momentum matrix M; divided by rho c V it is a velocity. */
#ifndef POISE_STEP_ERROR_H
#define POISE_STEP_ERROR_H
#include "assembly/properties.h"
#include "assembly/stencil.h"
#include "gpu/sums.h"

enum { ERROR_MASS, ERROR_VELOCITY, ERROR_TIME, ERROR_CHANGE, ERROR_SPLITTING, N_ERROR_SUMS };

struct step_error_args {
    struct stencil s;
    const double *u, *old, *older;      /* [dim pitch] velocity at the current and the two previous times */
    double step, step_old;              /* time steps between these */
    double *bend;                       /* [dim pitch] in: second divided difference of the velocity at the previous
                                           time; out: at this one; NULL: no time error */
    double second, third;               /* the error is second times the second difference, plus third times its
                                           change */
    const double *change, *product;     /* [dim pitch] d and M d */
    double c;
    struct properties properties;
    struct sums sums;                   /* [N_ERROR_SUMS] out: of rho V, and of rho V times the square of the velocity,
                                           of the time error, of d and of the residual's velocity */
};
KERNEL(step_error, struct step_error_args)              /* over slices */
#endif

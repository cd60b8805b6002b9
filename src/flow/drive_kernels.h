/* drive_kernels.h: private to drive.c and drive.cu. */
#ifndef POISE_DRIVE_KERNELS_H
#define POISE_DRIVE_KERNELS_H
#include "assembly/boundary.h"
#include "assembly/properties.h"
#include "gpu/sums.h"
#include "interface/curvature.h"

/* Forces at faces (drive.h). */
struct drive_force_args {
    struct stencil s;
    struct properties properties;
    struct pieces pieces;       /* of two fluids */
    const double *vector;       /* [3] a */
    double *force;              /* [n_faces] */
};
KERNEL(drive_weight, struct drive_force_args)           /* over n_faces: adds the force of a */

/* Response of the flux. */
struct drive_flux_args {
    struct stencil s;
    struct boundary b;
    double direction[3];
    const double *correct;      /* [pitch] D' */
    const double *coefficient;  /* [n_faces] g / rho_f, 0 at closed boundaries */
    const double *response;     /* [pitch] phi; NULL: 0 */
    double *flux;               /* [n_faces] */
};
KERNEL(drive_pull, struct drive_flux_args)              /* over n_faces: g n.d */
KERNEL(drive_predicted_flux, struct drive_flux_args)            /* over internal faces: interp(D') n.S */
KERNEL(drive_predicted_boundary_flux, struct drive_flux_args)   /* over boundary faces */
KERNEL(drive_pressure_flux, struct drive_flux_args)             /* over internal faces: in time */
KERNEL(drive_pressure_boundary_flux, struct drive_flux_args)    /* over boundary faces */

/* b = V n in the rows of the velocity, 0 in that of the pressure. */
struct drive_unit_args { struct stencil s; double direction[3]; double *rhs; };
KERNEL(drive_unit, struct drive_unit_args)              /* over n_cells */

/* Sum 0: R of the flux, less coefficient (change_N - change_P) / c where there is a change; sum 1: of the response. */
struct drive_rate_args {
    struct stencil s;
    double direction[3], c;
    const double *flux, *coefficient, *change, *response;
    struct sums sums;
};
KERNEL(drive_rates, struct drive_rate_args)             /* over slices */

/* The step from these sums, with the rate part given + (1 - part) old rate; scale: of the response's sum. */
struct drive_step_args { const double *sum; double *number; double part, scale; };
KERNEL(drive_step, struct drive_step_args)              /* over 1 */

struct drive_add_args { double *x; const double *y; const double *number; double factor; };
KERNEL(drive_add, struct drive_add_args)                /* x += factor number[0] y */
#endif

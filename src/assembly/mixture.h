/* mixture.h: two fluids: what density, viscosity, mass flux and pressure at outlets are between them. */
#ifndef POISE_MIXTURE_H
#define POISE_MIXTURE_H
#include "assembly/boundary.h"
#include "assembly/properties.h"
#include "assembly/stencil.h"

/* Density and viscosity of two fluids. */
struct mixture_args {
    struct stencil s;
    struct properties properties;       /* in: fraction; out: the other arrays */
    double weight;                      /* of the old fraction in the density: theta, see flow/two_fluids.c */
    const double *fraction_old;         /* [pitch] */
};
KERNEL(mixture_density, struct mixture_args)            /* over n_padded */
KERNEL(mixture_viscosity, struct mixture_args)          /* over all faces */
/* BDF2: mass that came into a cell in the last step has no older velocity there; the one on record is that of the fluid
 * which it displaced.  With that the scheme would extrapolate the velocity of all that is in the cell now, and a drop
 * smaller than a cell would gain speed in every cell that it enters.  So of u^n - u^(n-1) only the share of the mass
 * that was there before counts, rho^(n-1) / rho^n where that is below 1.  For the rest stands the mean of the cells
 * around, by the mass m that was in each of them at both times: sum m (u^n - u^(n-1)) / max(sum m, rho^n), which is
 * nothing where all of them are light.  `older` moves by what that removes, and the older flux with it. */
struct history_args {
    struct stencil s;
    double density[2];
    const double *fraction, *fraction_old;      /* [pitch] of `old` and of `older` */
    const double *old;                  /* [dim pitch] u^n */
    double *older;                      /* [dim pitch] u^(n-1) */
    double *removed;                    /* [dim pitch] out: what `older` has to move by */
    double *flux_older;                 /* [n_faces] */
};
KERNEL(mixture_history, struct history_args)            /* over n_cells */
KERNEL(mixture_face_history, struct history_args)       /* over all faces, when the ghosts of `removed` are there */
KERNEL(mixture_older, struct history_args)              /* over n_cells */
/* Outside an outlet the first fluid is at rest, so that the pressure that is solved for (interface/forces.h) is there
 *     given - (rho_2 - rho_1) fraction (gravity . x - bottom) */
struct outlet_pressure_args {
    struct stencil s;
    struct boundary b;                  /* out: pressure at outlets */
    double density_step, gravity[3], bottom;
    const double *given;                /* [n_boundary] */
    const double *fraction, *centre;    /* [pitch]; [dim pitch] of the cells */
};
KERNEL(outlet_pressure, struct outlet_pressure_args)    /* over boundary faces */
/* rhs += sum_f (mu_f - mu_P) (grad u)^T . S: the transposed part of the viscous stress, of which nothing is left
 * where the viscosity is constant.  It is explicit.  Where |mu_f - mu_P| g exceeds the inertia c rho V of the heavier
 * of the two cells, the excess is added to the diagonal, and times old + ahead (old - older) to rhs: otherwise waves
 * along the interface grow at nu dt / h^2 above 7.  With an infinite c there is no such
 * part. */
struct transpose_args {
    struct stencil s;
    struct matrix a;
    struct properties properties;
    double c;                           /* of struct time_step */
    const double *old, *older;          /* [dim pitch] velocities of the last two steps */
    double ahead;                       /* time of w, from that of `old` on, over the last step */
    const double *grad_u;               /* [dim dim pitch] of the guess */
    double *rhs;
};
KERNEL(viscous_transpose, struct transpose_args)        /* over slices: internal faces */
KERNEL(boundary_viscous_transpose, struct transpose_args)       /* over boundary cells: rhs alone */
#endif

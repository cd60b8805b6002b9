/* mixture.h: two fluids: what density, viscosity, mass flux and pressure at outlets are between them. */
#ifndef POISE_MIXTURE_H
#define POISE_MIXTURE_H
#include "assembly/boundary.h"
#include "assembly/stencil.h"

/* Density and viscosity of two fluids; fraction: of the second. */
struct mixture_args {
    struct stencil s;
    double density[2], viscosity[2];
    double weight;                      /* of the old fraction in the density: theta, see flow/transient_interface.c */
    const double *fraction, *fraction_old;      /* [pitch] */
    double *density_cells;              /* [pitch] */
    double *viscosity_faces;            /* [n_faces] */
};
KERNEL(mixture_density, struct mixture_args)            /* over n_padded */
KERNEL(mixture_viscosity, struct mixture_args)          /* over all faces */
/* mass = density[0] volume flux + (density[1] - density[0]) carried / dt. */
struct mass_flux_args { double density[2], dt; const double *flux, *carried; double *mass; };
KERNEL(mixture_mass_flux, struct mass_flux_args)        /* over all faces */
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
 * where the viscosity is constant. */
struct transpose_args {
    struct stencil s;
    double viscosity[2];
    const double *fraction, *viscosity_faces, *grad_u;
    double *rhs;
};
KERNEL(viscous_transpose, struct transpose_args)        /* over slices */
#endif

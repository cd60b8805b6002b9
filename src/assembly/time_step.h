/* time_step.h: one time step of the momentum equation and the correction of the flux by the pressure, by splitting of
 * operators (PISO, Issa 1986), with forces on faces that the pressure gradient balances (Francois et al. 2006).
 *
 * Time: the unknown is w, the velocity at the time where the equation holds:
 *     rho (c w - h) + sum_f m (w_f - w_P) / V = viscous + force - grad p,   h = h1 u^n + h2 u^(n-1),   A = rho c + a_P / V,
 * with c and h of transport.h.
 * Faces: through = interp(u^) . S + (rho / A)_f (h_F - interp(h) . S), u^ = (rhs - sum a_N w_N) / a_P: without pressure, and with
 *     what the face's own flux remembers of earlier steps in place of what the cells' velocities do (Choi 1999, as a part rho c / A of it)
 *     flux = through - D [g (p_N - p_P) - force] - (S - g d) . (rho / A acceleration)_f,   D = 1 / interp(A), with the acceleration by
 *     pressure and forces of the corrector before.  One fluid: (rho / A)_f = rho D, and interp(rho / A acceleration) . S
 *     - rho D g interp(acceleration) . d instead of the last term, so that at rest nothing is left of the step where A differs from
 *     cell to cell.  Two fluids: (rho / A)_f = interp(rho / A); rho D of a face between densities of 1000 : 1 was unstable.
 *     y = p_N - p_P - force / g: what is left of the pressure's step where the force has taken its part
 * Cells: w = u^ - sum over faces x_P S / (A V), x_P: the share of y from the cell to the face and, where the mesh is skewed, what the
 *     least-squares vector of this corrector's own steps (`along`) makes along s: Green-Gauss of what is left, which is conservative
 *     (docs/numerics.md), and zero where the pressure balances the force.
 */
#ifndef POISE_TIME_STEP_H
#define POISE_TIME_STEP_H
#include "assembly/boundary.h"
#include "assembly/transport.h"
#include "gpu/sums.h"

/* What the correctors need of the velocity's matrix, time in it, and of its right-hand side: inverse = 1 / A, inertia = rho / A,
 * [pitch]; predicted = rhs - rho V acceleration: the right-hand side of the predictor. */
struct piso_coefficients_args {
    struct stencil s;
    struct matrix a;
    double density;
    const double *mixture;              /* [pitch] density of a mixture, or NULL */
    const double *acceleration;         /* [dim pitch] by pressure and forces, of the last step */
    const double *rhs;
    double *predicted, *inverse, *inertia;
};
KERNEL(piso_coefficients, struct piso_coefficients_args)        /* over n_cells */

struct without_pressure_args { struct stencil s; struct matrix a; const double *u, *rhs; double *hat; };
KERNEL(without_pressure, struct without_pressure_args)  /* u^, over slices */

struct transient_flux_args {
    struct stencil s;
    struct boundary b;
    struct time_step t;
    const double *hat, *inverse, *inertia, *acceleration;
    const double *reconstructed;        /* [n_internal] `through` of reconstruction.h, or NULL */
    const double *force;                /* [n_faces] as g (p_N - p_P); NULL: one fluid */
    double density;                     /* of one fluid */
    double *through, *flux, *coefficient;       /* [n_faces]; flux: without the pressure's part */
};
KERNEL(transient_through, struct transient_flux_args)   /* over internal faces: through and coefficient */
KERNEL(transient_flux, struct transient_flux_args)      /* over internal faces: flux */
KERNEL(transient_boundary_flux, struct transient_flux_args)     /* over boundary faces: all three */

/* After the pressure is known: the flux, and x above.  At a closed boundary x is what stops the flow through it, in wall cells
 * (boundary.h) of one fluid the step to the pressure there: what stops the velocity of the cell's centre is off by A u.n h, for
 * u.n = O(h^2) of the centre is right. */
struct correct_faces_args {
    struct stencil s;
    struct boundary b;
    const double *p, *force, *coefficient, *through, *inverse, *inertia, *acceleration;
    double *flux;               /* [n_faces] */
    double *step;               /* [n_faces] y; at boundaries x = y / A */
};
KERNEL(correct_faces, struct correct_faces_args)        /* over internal faces */
KERNEL(correct_boundary_faces, struct correct_faces_args)       /* over boundary faces */
KERNEL(wall_steps, struct correct_faces_args)           /* over n_wall_cells, after it and wall_pressure; one fluid */

struct correct_cells_args {
    struct stencil s;
    double density;
    const double *mixture;              /* [pitch] density of a mixture, or NULL */
    const double *hat, *inverse, *inertia, *step;
    double *along;              /* [dim pitch] least-squares vector of the steps, over the density; NULL: the mesh is not skewed */
    double *u, *acceleration;
};
KERNEL(steps_along, struct correct_cells_args)          /* `along`, over slices */
KERNEL(boundary_steps_along, struct correct_cells_args) /* over boundary cells, after it */
KERNEL(correct_cells, struct correct_cells_args)        /* over slices */
KERNEL(correct_boundary_cells, struct correct_cells_args)       /* over boundary cells, after it */

/* Per cell half the sum of |flux| over its volume, the Courant number of a unit step: the largest of all cells and of those
 * where marked > 0 (or NULL): numbers 0 and 1. */
struct courant_args { struct stencil s; const double *flux, *marked; struct sums sums; };
KERNEL(courant_numbers, struct courant_args)            /* over slices */

/* Two fluids. fraction: of the second. */
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
/* Outside an outlet the first fluid is at rest: the second one meets p - rho gravity . x = given - (rho_2 - rho_1) fraction gravity . x. */
struct outlet_pressure_args {
    struct stencil s;
    struct boundary b;                  /* out: pressure at outlets */
    double density_step, gravity[3];
    const double *given;                /* [n_boundary] */
    const double *fraction, *centre;    /* [pitch]; [dim pitch] of the cells */
};
KERNEL(outlet_pressure, struct outlet_pressure_args)    /* over boundary faces */
/* rhs += sum_f (mu_f - mu_P) (grad u)^T . S: the part of the viscous stress that varying viscosity leaves of it. */
struct transpose_args { struct stencil s; double viscosity[2]; const double *fraction, *viscosity_faces, *grad_u; double *rhs; };
KERNEL(viscous_transpose, struct transpose_args)        /* over slices */
#endif

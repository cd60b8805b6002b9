/* time_step.h: one time step of the momentum equation and the correction of the flux by the pressure, by splitting of
 * operators (PISO, Issa 1986), with forces on faces that the pressure gradient balances (Francois et al. 2006).
 *
 * Time: the unknown is w, the velocity at the time where the equation holds:
 *     rho (c w - h) + sum_f m (w_f - w_P) / V = viscous + force - grad p,
 *     h = h1 u^n + h2 u^(n-1),   A = rho c + a_P / V,
 * with c and h of transport.h.
 *
 * Faces, with u^ = (rhs - sum a_N w_N) / a_P, the velocity that there would be without pressure, and D = 1 / interp(A):
 *     through = interp(u^) . S + (rho / A)_f (h_F - interp(h) . S)
 *     flux = through - D [g (p_N - p_P) - force] - (S - g d) . (rho / A acceleration)_f
 *     y = p_N - p_P - force / g
 * h_F is h made of the face's own old fluxes.  It takes the place of the cells' h, so that the steady flux does not
 * depend on the step (Choi 1999).  acceleration: by pressure and forces, of the corrector before.  y is what is left
 * of the pressure's difference where the force has taken its part.
 *     One fluid: (rho / A)_f = rho D, and in place of the last term of the flux stands
 *     - interp(rho / A acceleration) . S + rho D g interp(acceleration) . d: at rest the flux then has nothing of the
 *     step's size in it, also where A differs from cell to cell.
 *     Two fluids: (rho / A)_f = interp(rho / A), since rho D at a face between densities of 1000 : 1 was unstable.
 *     D = max(1 / interp(A), interp(rho / A) / interp(rho)): the second value is the mean response of the two cells'
 *     velocities to y, by their shares x_P below.  Where the response of the flux is weaker than that, long waves of an
 *     interface that lies on a line of the mesh grow.  That is so between two light cells if one of them has a face
 *     with the heavy, viscous fluid, whose viscosity makes its A many times its neighbour's.
 *
 * Cells: w = u^ - sum over faces x_P S / (A V).  x_P is the part of y that lies between the cell's centre and the
 * face; where the mesh is skewed, what the least-squares vector of this corrector's y (`along`) makes along s is
 * added.  This is a Green-Gauss gradient of what the force leaves of the pressure: conservative (docs/numerics.md,
 * "Gradients"), and zero where the pressure balances the force. */
#ifndef POISE_TIME_STEP_H
#define POISE_TIME_STEP_H
#include "assembly/boundary.h"
#include "assembly/transport.h"
#include "gpu/sums.h"

/* What the correctors need of the velocity's matrix, which has its time terms by now: inverse = 1 / A and inertia =
 * rho / A, [pitch].  predicted = rhs - rho V acceleration, [dim pitch], is the right-hand side of the predictor. */
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
    const double *reconstructed;        /* [n_faces] `through` of reconstruction.h, or NULL */
    const double *force;                /* [n_faces] as g (p_N - p_P); NULL: one fluid */
    double density;                     /* of one fluid */
    double *through, *flux, *coefficient;       /* [n_faces]; flux: without the pressure's part */
};
KERNEL(transient_through, struct transient_flux_args)   /* over internal faces: through and coefficient */
KERNEL(transient_flux, struct transient_flux_args)      /* over internal faces: flux */
KERNEL(transient_boundary_flux, struct transient_flux_args)     /* over boundary faces: all three */

/* When the pressure is known: the flux, and at faces y above.  At a closed boundary the step is y / A, as large as
 * stops the flow of the cell's velocity through the face.  That is off by A u.n h, since at the centre u.n = O(h^2)
 * is right and not zero; so in wall cells (boundary.h) of one fluid wall_steps() puts the step to the extrapolated
 * pressure in its place. */
struct correct_faces_args {
    struct stencil s;
    struct boundary b;
    const double *p, *force, *coefficient, *through, *inverse, *inertia, *acceleration;
    double *flux;               /* [n_faces] */
    double *step;               /* [n_faces] y; at boundaries y / A */
};
KERNEL(correct_faces, struct correct_faces_args)        /* over internal faces */
KERNEL(correct_boundary_faces, struct correct_faces_args)       /* over boundary faces */
KERNEL(wall_steps, struct correct_faces_args)           /* over n_wall_cells, after it and wall_pressure; one fluid */

struct correct_cells_args {
    struct stencil s;
    double density;
    const double *mixture;              /* [pitch] density of a mixture, or NULL */
    const double *hat, *inverse, *inertia, *step;
    double *along;  /* [dim pitch] least-squares vector of the steps, over the density; NULL: the mesh is not skewed */
    double *u, *acceleration;
};
KERNEL(steps_along, struct correct_cells_args)          /* `along`, over slices */
KERNEL(boundary_steps_along, struct correct_cells_args) /* over boundary cells, after it */
KERNEL(correct_cells, struct correct_cells_args)        /* over slices */
KERNEL(correct_boundary_cells, struct correct_cells_args)       /* over boundary cells, after it */

/* Half the sum of |flux| over the volume of a cell is its Courant number for a step of 1.  Sums: number 0 is the
 * largest of all cells, number 1 the largest of those where marked > 0; marked may be NULL. */
struct courant_args { struct stencil s; const double *flux, *marked; struct sums sums; };
KERNEL(courant_numbers, struct courant_args)            /* over slices */

#endif

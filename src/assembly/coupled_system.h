/* coupled_system.h: the equations of velocity and pressure as one matrix of (dim + 1) x (dim + 1) blocks, solved for
 * changes of both.
 *
 *     momentum of cell P:  a_P du_P + sum_N a_N du_N + sum_f dp_f S             = rhs - a_P u_P - sum_N a_N u_N
 *     continuity of P:     s (sum_f du_f . S - sum_f c (dp_N - dp_P))           = -s sum_f F
 *
 * a_P, a_N, rhs: from the momentum equations of transport.h with the current pressure; a_P on the left before
 * relaxation.  du_f, dp_f: interpolated linearly; F: the current Rhie-Chow flux of pressure.h with relaxation 1; c = D
 * g.  The contributions of gradients to the flux, to dp_f and to the viscous force, and the change of D, are in the
 * right-hand side and not in the matrix: when the changes vanish, the fields solve the same equations as with SIMPLE.
 * With newton > 0 the momentum of P also has theta rho V du_P . grad u, Newton's terms for the cell's own velocity.
 * theta <= 1 limits them to `newton` times a_P (Frobenius norm): with larger ones the diagonal blocks would no longer
 * dominate their rows, as smoothing requires.
 * With buoyancy the momentum of P also has the weight of a change dx of the quantity x that the density depends on,
 * where that acts against du_P: where the fluid gets lighter upwards.  dx is that by the convection of x by du_P alone,
 * in a pseudo-time step set by `part`:
 *     dx = -V du_P . grad x / (part sum_N b_N),   b_N = D g + inflow: that row's coefficients.
 * At boundaries: dp_f = dp_P where the pressure is extrapolated, 0 where it is given; where F is free (flux_rule), it
 * changes by dF = (du_P . S + c dp_P) / (1 + c k), and dp_f = k dF with k the stiffness of boundary.h, mostly 0.
 * s makes the rows of continuity as large as those of momentum.  Unknowns of a cell: dim components of the velocity,
 * then the pressure in units of s, which makes the border of every block symmetric, so that arrow blocks
 * (solve/matrix.h) represent it completely; vectors are [(dim + 1) pitch]. */
#ifndef POISE_COUPLED_SYSTEM_H
#define POISE_COUPLED_SYSTEM_H
#include "assembly/boundary.h"
#include "assembly/properties.h"
#include "assembly/stencil.h"
#include "gpu/sums.h"

struct coupled_args {
    struct stencil s;
    struct boundary b;
    struct matrix momentum;
    double relaxation;          /* of its diagonal; its term on the right-hand side cancels in the residual */
    struct properties properties;
    double scale;               /* s */
    double inertia;             /* pseudo-time: a_P times this is added to the momentum's diagonal; */
    double most_viscous;        /* of cells more viscous than this in proportion less; 0: no limit */
    const double *u, *rhs;      /* [dim pitch] */
    double newton;              /* bound of Newton's terms, relative to a_P; 0: none */
    const double *grad_u;       /* [dim dim pitch]; with newton > 0 */
    /* Buoyancy: change of the density per unit of x; 0: none.  The rest is not read then */
    double lighter, gravity[3], diffusivity, part;
    const double *grad_x;       /* [dim pitch] */
    const double *rhie;         /* [pitch] D = V / a_P */
    const double *flux;         /* [n_faces] F */
    struct matrix a;            /* out: with arrow blocks or full blocks */
    double *residual;           /* out: right-hand side */
};
KERNEL(coupled_matrix, struct coupled_args)             /* over slices: internal faces */
KERNEL(coupled_boundary, struct coupled_args)           /* over boundary cells, after it */
KERNEL(coupled_pin, struct coupled_args)                /* over the pins of boundary.h, after it: as pressure_pin() */

/* Adds `more` to the inertia of an assembled matrix. */
struct coupled_hold_args { struct stencil s; struct matrix a; const double *rhie; double more; };
KERNEL(coupled_hold, struct coupled_hold_args)          /* over n_cells */
/* Numbers 0 and 1 of sums: sum over cells of V |u|^2 before the change, and of V |change|^2. */
struct coupled_norms_args { struct stencil s; const double *u, *change; struct sums sums; };
KERNEL(coupled_norms, struct coupled_norms_args)        /* over slices */

/* Numbers 0 and 1 of sums: sum of the momentum's diagonal, and of V / viscosity. */
struct coupled_size_args { struct stencil s; struct matrix momentum; struct properties properties; struct sums sums; };
KERNEL(coupled_size, struct coupled_size_args)          /* over slices */

struct coupled_change_args {
    struct stencil s;
    struct boundary b;
    const double *rhie;
    double unit;                /* s, unit of the pressure's change */
    const double *change;       /* [(dim + 1) pitch] */
    double *u, *p, *flux;
};
KERNEL(coupled_change, struct coupled_change_args)              /* u and p; over n_padded */
KERNEL(coupled_change_flux, struct coupled_change_args)         /* over internal faces */
KERNEL(coupled_change_boundary_flux, struct coupled_change_args)        /* over boundary faces */
#endif

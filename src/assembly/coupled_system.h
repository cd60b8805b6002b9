/* coupled_system.h: the equations of velocity and pressure as one matrix of (dim + 1) x (dim + 1) blocks, for changes
 * of both.
 *
 *     momentum of cell P:  a_P du_P + sum_N a_N du_N + sum_f dp_f S             = rhs - a_P u_P - sum_N a_N u_N
 *     continuity of P:     s (sum_f du_f . S - sum_f c (dp_N - dp_P))           = -s sum_f F
 *
 * a_P, a_N, rhs: of the momentum equations as transport.h assembles them, with the force of the present pressure; a_P
 * on the left before relaxation.  du_f, dp_f: interpolated linearly; F: the present flux by Rhie & Chow, pressure.h
 * with relaxation 1; c = D g.  What gradients add to the flux, to dp_f and to the viscous force is left out of the
 * matrix, not out of the right-hand side, and so is the change of D: when the changes vanish, the fields solve the very
 * equations that SIMPLE solves.
 * With newton > 0 momentum of P has theta rho V du_P . grad u too, Newton's terms for the cell's own velocity.  theta
 * <= 1 is such that they are at most `newton` times a_P (Frobenius norm): beyond that the diagonal blocks would no
 * longer dominate their rows, on which smoothing depends.
 * At boundaries: dp_f = dp_P where the pressure is extrapolated, 0 where it is given; F changes where it is free
 * (flux_rule), by du_P . S + c dp_P.
 * s makes the rows of continuity as large as those of momentum.  Unknowns of a cell: dim components of the velocity,
 * then the pressure in units of s, with which the border of an entry is the same number in its row and its column,
 * so that arrow blocks (solve/matrix.h) hold all there is; vectors are [(dim + 1) pitch]. */
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
    double relaxation;          /* of its diagonal; what is on the right-hand side for it cancels in the residual */
    struct properties properties;
    double scale;               /* s */
    double inertia;             /* of the pseudo-time: a_P times this is added to the momentum's diagonal */
    const double *u, *rhs;      /* [dim pitch] */
    double newton;              /* bound of Newton's terms, relative to a_P; 0: none */
    const double *grad_u;       /* [dim dim pitch]; with newton > 0 */
    const double *rhie;         /* [pitch] D */
    const double *flux;         /* [n_faces] F */
    struct matrix a;            /* out: of arrow blocks or of whole ones */
    double *residual;           /* out: right-hand side */
};
KERNEL(coupled_matrix, struct coupled_args)             /* over slices: internal faces */
KERNEL(coupled_boundary, struct coupled_args)           /* over boundary cells, after it */

/* Adds `more` to the inertia of a matrix that is there. */
struct coupled_hold_args { struct stencil s; struct matrix a; const double *rhie; double more; };
KERNEL(coupled_hold, struct coupled_hold_args)          /* over n_cells */
/* Numbers 0 and 1 of sums: sum over cells of V |u|^2 before the change, and of V |change|^2. */
struct coupled_norms_args { struct stencil s; const double *u, *change; struct sums sums; };
KERNEL(coupled_norms, struct coupled_norms_args)        /* over slices */

/* Number 0 of sums: sum of the momentum's diagonal. */
struct coupled_size_args { struct matrix momentum; struct sums sums; };
KERNEL(coupled_size, struct coupled_size_args)          /* over slices */

struct coupled_change_args {
    struct stencil s;
    struct boundary b;
    const double *rhie;
    double unit;                /* s, that of the pressure's change */
    const double *change;       /* [(dim + 1) pitch] */
    double *u, *p, *flux;
};
KERNEL(coupled_change, struct coupled_change_args)              /* u and p; over n_padded */
KERNEL(coupled_change_flux, struct coupled_change_args)         /* over internal faces */
KERNEL(coupled_change_boundary_flux, struct coupled_change_args)        /* over boundary faces */
#endif

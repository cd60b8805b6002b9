/* time_step.h: one time step of the momentum equation and the correction of its flux by the pressure: an incremental
 * pressure correction in rotational form (Guermond, Minev & Shen 2006, section 3) with forces on faces that the
 * pressure gradient balances (Francois et al. 2006).
 *
 * Time: the unknown is w, the velocity at the time where the equation holds:
 *     rho (c w - h) + sum_f m (w_f - w_P) / V = viscous + force - grad p,
 *     h = h1 u^n + h2 u^(n-1),   A = rho c + a_P / V,
 * with c and h of transport.h.
 *
 * State: minus the acceleration by pressure and forces: a in cells; at faces
 *     y = (p_N - p_P - force / g) / rho_f,   rho_f = interp(rho),
 * so that g y is the acceleration of the face's flux.  In a and y rho is the larger of the cell's densities at both
 * ends of the step, since the fluid that enters or leaves a cell takes part in its inertia; in A and in rho_f h below
 * it is the density of the time term.
 *
 * Predictor: w* solves the momentum equation with the old a.
 * Corrector: acts on the change of the acceleration,
 *     w = w* - (a_new - a) / c
 *     F = F* - g (y_new - y) / c - interp(a_last - a) . (S - g d) / c
 *     F* = interp(w*) . S + R + [rho_f (h_F - interp(h) . S - c R) - g (rho_f y - interp(rho a) . d)] / interp(A)
 * R is the reconstruction's correction to linear interpolation (reconstruction.h), h_F is h computed from the face's
 * old fluxes, a_last that of the last non-orthogonal corrector.  div F = 0 is the equation for p_new - p: in a steady
 * flow its right-hand side is at the level of rounding errors of p, which no solver could reduce if it solved for p.
 *     The bracket is the interpolation of Rhie & Chow (1983) with old face fluxes (Choi 1999).  A steady flux is
 *     interp(w) . S + R - g (rho_f y - interp(rho a) . d) / interp(a_P / V), independent of the time step, with one
 *     fluid and two. The mean must be that of the force rho a: with rho_f interp(a) the acceleration of a light cell
 *     would act on the face of a heavy one, amplified by the ratio of densities.
 *     The corrector's coefficients depend only on c and the densities.  With a_P in them, as in PISO (Issa 1986), the
 *     first corrector leaves a part of the old pressure, of relative size a_P / (rho c V), that further correctors only
 *     remove where off-diagonal terms and projection commute: steps with nu dt / h^2 above 10 are then unstable.  With
 *     one fluid the matrix is the same in every step.
 *
 * Rotational part: afterwards p -= K div F*, averaged over neighbours, K = 0.75 mu or less.  In the limit of large
 * viscosity this is Uzawa's iteration with the preconditioner of Cahouet & Chabard (1988); without it a pressure of
 * wavenumber k converges in mu k^2 / (rho c) steps.  Then y and a are computed again from the new pressure; w is
 * unchanged.
 *
 * Cells: a = 1 / V times the sum over faces of S times the part of y between the cell's centre and the face; on skewed
 * meshes, plus the least-squares vector of y (`along`) times the skewness.  This is a Green-Gauss gradient of the
 * pressure minus the force: conservative (docs/explanation/numerics.md, "Gradients"), and zero where the pressure
 * balances the force. */
#ifndef POISE_TIME_STEP_H
#define POISE_TIME_STEP_H
#include "assembly/boundary.h"
#include "assembly/properties.h"
#include "assembly/transport.h"
#include "gpu/sums.h"

/* The momentum equation, after its time terms.  The explicit corrections of the viscous terms are extrapolated in time,
 * and become unstable if they exceed a third of the implicit terms with the opposite sign.  So `part` times the
 * implicit terms is added on the left, and on the right with the guess of the velocity. */
struct momentum_args {
    struct stencil s;
    struct matrix a;
    const uint8_t *velocity_rule;       /* [n_boundary] */
    double part;
    struct properties properties;
    const double *u;                    /* [dim pitch] the guess */
    double *rhs;                        /* [dim pitch] */
    double *diagonal;                   /* [pitch] out: A */
};
KERNEL(momentum_diagonal, struct momentum_args)         /* over n_cells: before these two */
KERNEL(split_viscosity, struct momentum_args)           /* over slices */
KERNEL(split_boundary_viscosity, struct momentum_args)  /* over boundary cells, after it */

/* Slip boundaries.  All components have one matrix (transport.cu, add_slip()), whose tangential friction there is taken
 * back with the guess: like more inertia, 1 + 2 nu dt / h^2 times in cells of thickness h, by which long steps in thin
 * cells are far too slow.  So component k has a matrix of its own, with the friction D g |n_k| sum_j |n_j| of a slip
 * face with the normal n instead of D g: 0 along a face and all of it across, if n is an axis.  What is taken back with
 * the guess is then positive semidefinite for any n, as it must be.  A of a face is n . A n with the A of the
 * components. */
struct slip_args {
    struct stencil s;
    const uint8_t *velocity_rule;
    struct properties properties;
    const double *u;                    /* [dim pitch] the guess */
    double *excess;                     /* [dim pitch] by how much the common diagonal is larger; 0 off boundaries */
    double *rhs;                        /* [dim pitch] */
    double *rate;                       /* [pitch] */
};
KERNEL(slip_rate, struct slip_args)     /* over boundary cells: sum of g / V of slip faces */
KERNEL(slip_split, struct slip_args)    /* over boundary cells: excess, and rhs for the components' matrices */

/* predicted = rhs - rho V acceleration, [dim pitch]: the right-hand side of the predictor. */
struct predictor_args {
    struct stencil s;
    struct properties properties;
    const double *acceleration;         /* [dim pitch] a */
    const double *rhs;
    double *predicted;
};
KERNEL(predictor_rhs, struct predictor_args)            /* over n_cells */

struct corrector_flux_args {
    struct stencil s;
    struct boundary b;
    struct time_step t;
    const double *u;                    /* [dim pitch] w* */
    const double *diagonal;             /* [pitch] A */
    const double *excess;               /* of struct slip_args, or NULL */
    const double *before, *acceleration;        /* [dim pitch] a, a_last */
    const double *step;                 /* [n_faces] y */
    const double *reconstructed;        /* [n_faces] `through` of reconstruction.h, or NULL */
    struct face_force force;
    struct properties properties;
    const double *friction;             /* [pitch] STRESS_FRICTION of interface_stress.h, or NULL */
    double *predicted;                  /* [n_faces] F*; at closed faces the flux of the cell's velocity */
    double *through;                    /* [n_faces] F* + g y / c */
    double *coefficient;                /* [n_faces] g / rho_f: in the equation for p */
    const double *p;                    /* [pitch] current */
    double *flux;                       /* [n_faces] F with this p instead of p_new */
    double kept;                        /* of flux_old at shut outlets: see outlet_gate.h */
};
KERNEL(predicted_flux, struct corrector_flux_args)      /* over internal faces: all but flux */
KERNEL(boundary_predicted_flux, struct corrector_flux_args)     /* over boundary faces, likewise */
KERNEL(known_flux, struct corrector_flux_args)          /* over internal faces, after it: flux */
KERNEL(boundary_known_flux, struct corrector_flux_args) /* over boundary faces, likewise */

/* After the pressure equation: y and the flux.  At a closed boundary, y cancels the flux of the cell's velocity through
 * the face.  Its error is A u.n h, since at the centre u.n = O(h^2) and not zero; so in wall cells (boundary.h) of one
 * fluid wall_steps() replaces it by the step to the extrapolated pressure. */
struct correct_faces_args {
    struct stencil s;
    struct boundary b;
    double c;                           /* of struct time_step */
    struct properties properties;
    const double *change;               /* [pitch] of p, from the equation for p_new */
    struct face_force force;
    const double *p, *diagonal, *excess, *coefficient, *predicted, *through, *before, *acceleration;
    double *flux;                       /* [n_faces] in and out */
    double *step;                       /* [n_faces] y */
    int rotated;                        /* p includes its rotational part: flux is unchanged */
};
KERNEL(correct_faces, struct correct_faces_args)        /* over internal faces */
KERNEL(correct_boundary_faces, struct correct_faces_args)       /* over boundary faces */
KERNEL(wall_steps, struct correct_faces_args)           /* over n_wall_cells, after it and wall_pressure; one fluid */

/* The rotational part: p -= K (3/4 q + 1/4 mean of q over the neighbours), q = div F*.
 *     The bracket of F* responds to a checkerboard pressure twice as strongly as the velocities respond to a smooth
 *     one.  The mean halves such a wave, so that on uniform cells mu q is between 0 and the error of p for all
 *     wavenumbers.
 *     K = mu / max(1, theta / 0.75), theta = mu / V sum_f g / interp(a_P / V) over inner faces and outlets, where F*
 *     depends on p; mu is the viscosity of the cell or, with two fluids, the least of it and those of its inner faces:
 *     with a larger one layers in shear explode from nu dt / h^2 = 200 on.  The limit is for cells whose velocities
 *     respond more strongly, such as slivers and thin cells at outlets, whose velocities have no friction across
 *     these.  On uniform cells theta is 1 and K = 0.75 mu. */
struct rotate_args {
    struct stencil s;
    struct boundary b;
    double c;
    struct properties properties;
    const double *diagonal, *excess, *predicted, *flux;
    double *balance;                    /* [pitch] minus the net flux of F*, without boundaries; out: with them */
    double *outlets;                    /* [pitch] the outlets' part of the sum in theta, in boundary cells by the first
                                           kernel; 0 in others; NULL: no outlets */
    double *p;
};
KERNEL(predicted_boundary_balance, struct rotate_args)  /* over boundary cells */
KERNEL(rotate_pressure, struct rotate_args)             /* over slices, after it */

struct correct_cells_args {
    struct stencil s;
    double c;
    const double *step;                 /* [n_faces] y */
    const double *along;        /* [dim pitch] gradient_of_steps() of y; NULL: the mesh is not skewed */
    double *acceleration;               /* [dim pitch] out: a */
    const double *hat;                  /* [dim pitch] w* + a / c, with the old a */
    double *u;                          /* [dim pitch] out: hat - a / c; NULL: not computed */
};
KERNEL(correct_cells, struct correct_cells_args)        /* over slices */
KERNEL(correct_boundary_cells, struct correct_cells_args)       /* over boundary cells, after it */

/* Half the sum of |flux| divided by the cell's volume is its Courant number for a step of 1.  Sums: number 0 is the
 * largest of all cells, number 1 the largest where marked > 0 (marked may be NULL), number 2 the largest square of a
 * cell's velocity u, number 3 the largest surface tension where marked > 0, 0 if it is constant, number 4 the largest
 * viscosity. */
struct courant_args {
    struct stencil s;
    const double *flux, *marked, *u;
    struct properties properties;
    struct tension tension;
    double *rate;               /* [2 pitch] out: Courant number and viscous number nu dt / h^2 of a step of 1, h^2 = 2
                                   dim V / sum of g; NULL: not computed */
    struct sums sums;
};
KERNEL(courant_numbers, struct courant_args)            /* over slices */

/* The guess of the velocity for the explicit terms.  It is sum (now + share ahead) times the velocities of the last
 * three times; [3]: old, older, oldest.  Full extrapolation (share 1) is of second order, but with central or
 * linear-upwind convection waves grow if the Courant number C is large and the viscous number n small; a quarter of it
 * is always stable.  So for convection
 *     share = 1/4 + 3/4 min(1, (viscous n + calm) / C^2)
 * (docs/explanation/numerics.md, "Flow in time"): of second order for small steps.  All other terms have share 1. */
struct guess_args {
    struct stencil s;
    const double *old, *older;
    double now[3], ahead[3];
    double dt;
    double viscous, calm;               /* calm: square of the Courant number below which no wave grows */
    const double *rate;
    double *u;                  /* [dim pitch] in: oldest; out: the guess */
    double *convected;          /* [dim pitch] out: that for convection; NULL: not needed */
};
KERNEL(guess_velocity, struct guess_args)               /* over cells */

#endif

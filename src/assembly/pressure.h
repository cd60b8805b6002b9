/* pressure.h: volume flux by Rhie & Chow (1983), the pressure-correction equation, the corrections of SIMPLE/SIMPLEC.
 *
 * Flux:  F = interp(u* - (1-a) u_old) . S + a reconstructed + (1-a) F_old
 *            - a D g [(p_N - p_P - force / g) - interp(grad p) . d]
 *        a is the velocity's relaxation factor, D = V / a_P with a_P before relaxation (Majumdar 1988): so the
 *        converged flux does not depend on a.  With a force at faces (face_force.h) grad p is the pressure gradient
 *        minus the force: computed from the steps p_N - p_P - force / g, as in correct_cells() of time_step.h.
 * p':    sum_f c (p'_P - p'_N) = - sum_f F,  c = D' g: symmetric, positive (semi-)definite.
 * Then   F -= c (p'_N - p'_P),  p += alpha_p p',  u -= D' (grad p_new - grad p_old) / alpha_p. */
#ifndef POISE_PRESSURE_H
#define POISE_PRESSURE_H
#include "assembly/boundary.h"
#include "assembly/stencil.h"

/* Coefficients for the flux and the corrections, from the velocity's matrix: rhie = D = V / a_P, with a_P before
 * relaxation (rAU); correct = D' = V / (a_P / alpha), in SIMPLEC V / (a_P / alpha - sum |a_N|).  SIMPLEC does not
 * subtract the contributions of boundary faces and sinks to a_P: they have no neighbour whose correction could equal
 * the cell's. */
struct simple_coefficients_args {
    struct stencil s;
    struct matrix a;
    double relaxation;          /* of velocity */
    int64_t simplec;
    const double *boundary_part;        /* [n_boundary_cells] of transport.h */
    const double *sink;         /* [pitch] of transport.h, or NULL */
    double *rhie, *correct;     /* [pitch] out */
};
KERNEL(simple_coefficients, struct simple_coefficients_args)            /* over n_padded */
KERNEL(simple_boundary_coefficients, struct simple_coefficients_args)   /* over boundary cells, after it; SIMPLEC */

struct face_flux_args {
    struct stencil s;
    struct boundary b;
    double relaxation;          /* of velocity */
    const double *v;            /* [dim pitch] u* - (1 - relaxation) u_old */
    const double *reconstructed;        /* [n_faces] `through` of reconstruction.h, or NULL */
    const double *p, *grad_p, *rhie, *correct;
    const double *response;     /* [pitch] D of the change of F with a boundary's pressure that depends on F */
    struct face_force force;
    double *flux;               /* [n_faces] in: old, out: new */
    double *coefficient;        /* [n_faces] out: c above */
};
KERNEL(face_flux, struct face_flux_args)                /* over internal faces */
KERNEL(boundary_flux, struct face_flux_args)            /* over boundary faces */

/* Pressure differences minus the force: p_N - p_P - force / g. */
struct pressure_steps_args {
    struct stencil s;
    const double *p, *boundary; /* [pitch]; [n_boundary] */
    struct face_force force;
    double *step;               /* [n_faces] out */
};
KERNEL(pressure_steps, struct pressure_steps_args)      /* over internal faces */
KERNEL(boundary_pressure_steps, struct pressure_steps_args)     /* over boundary faces */

struct pressure_args {
    struct stencil s;
    struct matrix a;
    const double *coefficient, *flux;
    double scale;               /* of the right-hand side */
    double *rhs;                /* [pitch] -scale times the net outflow */
};
KERNEL(pressure_matrix, struct pressure_args)           /* over slices: matrix and right-hand side of internal faces */
KERNEL(pressure_boundary, struct pressure_args)         /* over boundary cells, after it */
KERNEL(pressure_rhs, struct pressure_args)              /* the right-hand side alone, likewise */
KERNEL(pressure_boundary_rhs, struct pressure_args)
/* Sets the level of the pressure where no boundary does: doubles the diagonal in these cells, in which the solution is
 * then zero to rounding, because the right-hand sides of their part of the mesh sum to zero. */
struct pressure_pin_args { struct matrix a; const int32_t *cell; };
KERNEL(pressure_pin, struct pressure_pin_args)          /* over the pins of boundary.h, after pressure_boundary() */

struct correct_args {
    struct stencil s;
    const double *coefficient;
    const double *change;       /* [pitch] p' */
    double relaxation;          /* of pressure */
    double *flux;
    const double *grad_old, *grad_new, *correct;        /* of p */
    double *u;                  /* [dim pitch] */
};
KERNEL(correct_flux, struct correct_args)               /* over internal faces */
KERNEL(correct_boundary_flux, struct correct_args)      /* over boundary faces */
KERNEL(correct_velocity, struct correct_args)           /* over n_padded */

/* Non-orthogonal corrector: subtracts from the flux the part of p' across d, c / g interp(grad p') . (S - g d).  cross
 * stores that part between calls, and the flux changes by the difference to the previous one. */
struct cross_flux_args { struct stencil s; const double *coefficient, *grad_change; double *cross, *flux; };
KERNEL(cross_flux, struct cross_flux_args)              /* over internal faces */

/* For initial values: the flux of a velocity field by linear interpolation. */
struct start_flux_args {
    struct stencil s;
    const double *u, *boundary_velocity;
    const uint8_t *flux_rule;
    double *flux;
};
KERNEL(start_flux, struct start_flux_args)              /* over all faces */
#endif

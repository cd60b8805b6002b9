/* momentum.h: the steady momentum equation, assembled row by row into mod.SELL, one matrix for all components.
 *
 *   sum_f F (u_f - u_P) - sum_f mu (grad u)_f . S = (- grad p + source) V,   F: mass flux through the face, out of the cell
 *
 * Convection: upwind in the matrix, the rest of the scheme deferred to the right-hand side (Khosla & Rubin 1974).
 * Subtracting u_P sum F keeps the diagonal dominant while the flux still has a residue; it is zero when converged.
 * Diffusion: over-relaxed (Jasak 1996), the rest of the force of the reconstructed velocity on the right-hand side.
 * The matrix is relaxed implicitly (Patankar 1980): a_P / alpha, + (1 - alpha) / alpha a_P u on the right. */
#ifndef POISE_MOMENTUM_H
#define POISE_MOMENTUM_H
#include "assembly/boundary.h"
#include "assembly/stencil.h"
#include "base/case.h"

struct momentum {
    struct stencil s;
    struct boundary b;
    struct matrix a;          /* out: matrix */
    double viscosity, relaxation;
    int simplec;
    const double *u;            /* [dim pitch] */
    const double *grad_u;       /* [dim dim pitch]; may be NULL where momentum_needs_gradient() is false */
    const double *deferred, *wall, *wall_own;   /* of reconstruction.h: [dim n_internal], NULL on regular meshes; [dim n_boundary]; [n_boundary] */
    const double *grad_p;       /* [dim pitch], or NULL: without the pressure */
    const double *flux;         /* [n_faces] mass flux, out of the owner */
    const double *source;       /* [dim pitch] force per volume, or NULL */
    double *rhs;                /* [dim pitch] out */
    double *u_old;              /* [dim pitch] out: u as it was */
    double *rhie;               /* [pitch] out: V / a_P, not relaxed: for the Rhie-Chow flux */
    double *correct;            /* [pitch] out: V / (a_P / alpha), SIMPLEC: V / (a_P / alpha - sum |a_N|) */
    const double *viscosity_faces;      /* [n_faces] of a mixture, in place of viscosity; or NULL */
};

bool momentum_needs_gradient(const struct stencil *s, enum convection scheme);
void momentum_assemble(const struct momentum *m, enum convection scheme);
#endif

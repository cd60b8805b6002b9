/* boundary.h: boundary conditions as values at boundary faces, kept on the machine.
 *
 * wall      velocity given (tangential), no flux, pressure extrapolated: p_b = p_P + grad p . r
 * inlet     velocity given (uniform or a profile), flux rho u.S, pressure extrapolated
 * outlet    pressure given, velocity of the cell, flux by Rhie-Chow
 * symmetry  no flux, no shear: velocity of the cell without its normal part, pressure extrapolated
 * Periodic boundaries are internal faces by then (mesh.h). */
#ifndef POISE_BOUNDARY_H
#define POISE_BOUNDARY_H
#include "assembly/stencil.h"
#include "base/case.h"

struct mesh;

struct boundary {
    const uint8_t *type;        /* [n_boundary] enum boundary_type */
    double *velocity;           /* [dim n_boundary] */
    double *pressure;           /* [n_boundary] */
    int closed;                 /* no outlet: pressure is known up to a constant */
};

/* From the case; refused: a wall that moves through itself, inflow without an outlet that does not sum up to zero.
 * e: messages name the case file and line. */
bool boundary_create(struct boundary *b, const struct stencil *s, const struct mesh *m, const struct case_settings *c,
                     struct error *e);
void boundary_free(struct boundary *b);

/* Values that follow the cells: velocity at outlets and symmetry; pressure where it is extrapolated. */
struct boundary_args { struct stencil s; struct boundary b; const double *u, *p, *grad_p; };
KERNEL(boundary_velocity, struct boundary_args)         /* over n_boundary */
KERNEL(boundary_pressure, struct boundary_args)         /* over n_boundary */
#endif

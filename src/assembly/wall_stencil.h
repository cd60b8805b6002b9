/* wall_stencil.h: the least-squares stencils of boundary.h's wall cells, made on the host once; private to
 * boundary.c. */
#ifndef POISE_WALL_STENCIL_H
#define POISE_WALL_STENCIL_H
#include "assembly/boundary.h"
#include "mesh/mesh.h"

/* rule: of the pressure, [n_boundary] on the host.  Left out are cells whose two layers do not span all directions and
 * those of mesh_steep(): what was extrapolated from such neighbours made flat tetrahedra of 80 degrees diverge, steady
 * and in time. */
void wall_stencil_create(struct boundary *b, const struct mesh *m, const uint8_t *rule);
#endif

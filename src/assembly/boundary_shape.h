/* boundary_shape.h: conditions that depend on the shape of a boundary: profiles of inlets, planes of symmetry. */
#ifndef POISE_BOUNDARY_SHAPE_H
#define POISE_BOUNDARY_SHAPE_H
#include "assembly/boundary_setting.h"
#include "mesh/mesh.h"

/* The inlet's profile at the faces of the patch, copies too, 1 in the middle and 0 at the rim of every connected piece
 * of the boundary.  2-D, a straight piece of half length R: 1 - (distance / R)^2.  3-D, a plane piece along two axes:
 * parabolic, a rectangle: the product of both parabolas; paraboloid, a disc: 1 - (distance / R)^2, R half the smaller
 * extent of its vertices.  m may be a rank's part.  place: of the setting, for messages.  False: a piece has another
 * shape. */
bool boundary_profile(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                      const char *place, double *shape, struct error *e);
/* Do the patch's faces lie in planes?  Those that meet at 30 degrees or more count as planes with an edge; at less, as
 * a curved boundary, which is refused. */
bool boundary_check_planes(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                           const char *place, struct error *e);
#endif

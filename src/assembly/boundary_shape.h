/* boundary_shape.h: conditions that depend on the shape of a boundary: profiles of inlets, planes of symmetry. */
#ifndef POISE_BOUNDARY_SHAPE_H
#define POISE_BOUNDARY_SHAPE_H
#include "assembly/boundary_setting.h"
#include "mesh/mesh.h"

/* The inlet's profile at the faces of the patch, including copies: 1 in the middle and 0 at the rim of every connected
 * part of the boundary.  2-D, a straight part of half length R: 1 - (distance / R)^2.  3-D, a plane part along two
 * axes: parabolic, a rectangle: the product of both parabolas; paraboloid, a disc: 1 - (distance / R)^2, R half the
 * smaller extent of its vertices.  m may be a rank's part.  place: of the setting, for messages.  False: a part has
 * another shape. */
bool boundary_profile(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                      const char *place, double *shape, struct error *e);
/* Do the patch's faces lie in planes?  Neighbouring faces at 30 degrees or more to each other are planes with an edge;
 * at smaller angles they are a curved boundary, which is rejected. */
bool boundary_check_planes(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                           const char *place, struct error *e);
#endif

/* boundary_shape.h: conditions that depend on the shape of a boundary: profiles of inlets, planes of symmetry. */
#ifndef POISE_BOUNDARY_SHAPE_H
#define POISE_BOUNDARY_SHAPE_H
#include "assembly/boundary_setting.h"
#include "mesh/mesh.h"

/* The inlet's profile at the faces of the patch, including copies, as the mean over each face: 1 in the middle and 0 at
 * the rim of every connected part of the boundary.  2-D, a straight part of half length R: 1 - (distance / R)^2.  3-D,
 * a rectangle along two axes, parabolic: the product of both parabolas; a disc, paraboloid: 1 - (distance / R)^2, R the
 * radius of the circle through the rim's vertices.  The values are scaled such that the mean over every part is that of
 * the profile: 2/3, 4/9 and 1/2.  m may be a rank's part.  place: of the setting, for messages.  False: a part has
 * another shape. */
bool boundary_profile(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                      const char *place, double *shape, struct error *e);
/* A wall's velocity at a rotation of 1 radian per time, at the faces of the patch including copies: velocity
 * [dim faces], along each face; spin [3 faces]: the unit vector of the axis.  False: the wall is not a surface of
 * revolution about the axis, except for the facets of its faces. */
bool boundary_rotation(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                       double *velocity, double *spin, struct error *e);
/* Do the patch's faces lie in planes?  Neighbouring faces at 30 degrees or more to each other are planes with an edge;
 * at smaller angles they are a curved boundary, which is rejected. */
bool boundary_check_planes(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                           const char *place, struct error *e);
#endif

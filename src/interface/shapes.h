/* shapes.h: initial volume fractions of the cells, from the case's shapes.
 *
 * The second fluid is the union of all shapes (with their copies) minus those with `remove`.  Boxes and half-spaces cut
 * the cells' simplices exactly; a sphere in a tetrahedron and a circle in a triangle have closed forms: the common
 * volume is a sum of signed cones from the sphere's centre over the faces (as in Strobl, Formella & Poeschel 2016, J.
 * Comput. Phys. 311, 158, but integrated over the angle around the foot of the perpendicular on each face).
 * If two spheres intersect inside a simplex it is cut by the plane of their intersection, so this is exact too
 * (docs/explanation/two-fluids.md). */
#ifndef POISE_SHAPES_H
#define POISE_SHAPES_H
#include "interface/shape_setting.h"
#include "mesh/mesh.h"

/* fraction: host, [n_cells], solver's order; in [0, 1], exactly 0 or 1 in cells that no surface crosses; all 0 if the
 * case has no shapes.  The same bits with any number of threads.  False, naming file and line: a shape or copy outside
 * the mesh, a zero radius, an empty box, a zero normal, vectors of another dimension than the mesh's, shapes that
 * remove everything. */
bool shapes_fraction(const struct shape_settings *shapes, const struct mesh *m, double *fraction, struct error *e);

/* Part of a ball in a polyhedron, one call per face: the signed volume of its cone from the ball's centre. corner: of a
 * triangle, relative to the centre, anticlockwise seen from outside. */
double ball_under_triangle(double corner[3][3], double radius);
/* In 2-D: part of the circle under the edge from a to b, relative to the centre, anticlockwise about the polygon. */
double circle_under_edge(const double a[2], const double b[2], double radius);
#endif

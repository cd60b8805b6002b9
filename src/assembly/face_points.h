/* face_points.h: points on a face with weights, for means over it: exact for polynomials of degree 2, in 2-D, and on
 * parallelograms in each of the two directions, of degree 3. */
#ifndef POISE_FACE_POINTS_H
#define POISE_FACE_POINTS_H
#include "mesh/mesh.h"

/* How many points face f has, divided into so many pieces along each of its directions, for values that jump; each has
 * 2 in 2-D; 3 on a triangle, 4 on a quadrilateral, else 3 for each corner.  m may be a rank's part. */
int face_points_count(const struct mesh *m, int32_t f, int pieces);
/* Point i of the face: x[dim stride], component k at [k stride + i], and its weight; the sum of the weights is 1.  No
 * point is on the rim. */
void face_points(const struct mesh *m, int32_t f, int pieces, double *x, int64_t stride, double *weight);
#endif

/* blend.h: which cells contribute to the value at a point, and with which weights, so that the interpolated field is
 * continuous and has its given value at a wall.
 *
 * A cell is divided into triangles or tetrahedra between its centre, its vertices and, in 3-D, the centres of its
 * faces.  The value at a point x is the cell's own polynomial times the centre's barycentric coordinate, plus the
 * values of the vertices times theirs (the centre of a face counts as its vertices in equal parts).  The value of a
 * vertex is the mean of the polynomials of the cells around it, each evaluated at x, weighted by 1 / s^6, where s is
 * the distance of x from the cell's centre, 1 on its faces.  So the value is the same from both sides of a face, and
 * exact where the polynomials are.
 *
 * The polynomial of cell P is x_P + g . a, a = x - P.  Near a wall with given value u_w it is
 *     (1 - t^2) x_P + (1 - t) g . a + t^2 u_w,   t = 1 - distance of x from the wall / that of P,
 * which along the normal is the quadratic through the cell's value and gradient and the wall's value, and along the
 * wall fades to the given value. */
#ifndef POISE_BLEND_H
#define POISE_BLEND_H
#include "mesh/mesh.h"

struct blend {
    int32_t n;                  /* points */
    int64_t *start;             /* [n + 1] */
    int32_t *cell;              /* [start[n]] */
    int32_t *wall;              /* [start[n]] a nearby boundary face whose given value is used, or -1 */
    double *part;               /* [start[n]] t, if there is a wall */
    double *weight;             /* [start[n]] their sum is 1 at every point */
    double *arm;                /* [3 start[n]] from the cell's centre to the point */
};

/* cell: [n] the cell that contains each point, or one of the solids around the mesh, which contributes alone; point:
 * [3 n]. */
void blend_points(struct blend *b, const struct mesh *m, const int32_t *cell, const double *point, int32_t n);
void blend_free(struct blend *b);
#endif

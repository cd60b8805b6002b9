/* blend.h: which cells make the value at a point, and with what weights, so that fields are continuous from cell to
 * cell and are at a wall what they are there.
 *
 * A cell is divided into triangles or tetrahedra between its centre, its vertices and, in 3-D, the centres of its
 * faces.  The value at a point x is that of the cell's own polynomial, times the centre's barycentric coordinate, plus
 * that of the vertices, times theirs (the centre of a face counts as its vertices in equal parts); a vertex has the
 * mean of the polynomials of the cells around it, each taken at x, weighted by 1 / s^6, s being how far x is from the
 * cell's centre, 1 on its faces.  So the value is the same from both sides of a face, and exact where the polynomials
 * are.
 *
 * The polynomial of cell P is x_P + g . a, a = x - P.  Near a wall whose value u_w is given it is
 *     (1 - t^2) x_P + (1 - t) g . a + t^2 u_w,   t = 1 - distance of x from the wall / that of P,
 * which along the normal is the quadratic that has the cell's value and slope and the wall's value, and along the wall
 * fades to what is given there. */
#ifndef POISE_BLEND_H
#define POISE_BLEND_H
#include "mesh/mesh.h"

struct blend {
    int32_t n;                  /* points */
    int64_t *start;             /* [n + 1] */
    int32_t *cell;              /* [start[n]] */
    int32_t *wall;              /* [start[n]] a boundary face of the wall that is near, whose value counts, or -1 */
    double *part;               /* [start[n]] t, where there is a wall */
    double *weight;             /* [start[n]] they sum up to 1 at every point */
    double *arm;                /* [3 start[n]] from the cell's centre to the point */
};

/* cell: [n] the cell that each point is in; point: [3 n]. */
void blend_points(struct blend *b, const struct mesh *m, const int32_t *cell, const double *point, int32_t n);
void blend_free(struct blend *b);
#endif

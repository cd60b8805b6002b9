/* contour.h: the area (2-D: length) of the surface where a quantity of the cells is zero, cell by cell, on the host.
 *
 * The values go to the vertices with weights that keep linear functions exact (pseudo-Laplacian: Holmes & Connell 1989, AIAA
 * paper 89-1932), the cells are simplices about their middle, and the function is linear in each: a surface without gaps.  Means
 * of a curved function are off by B = O(h^2), at the vertices once and in the middles twice; the difference to the value in the
 * cell shows 2 B, and three quarters of it, given back, leave -B/2 and B/2.
 * The pieces of PLIC, each for itself, are too short by a fixed part of a cell wherever the interface touches a line of the mesh:
 * a circle of 20 cells a diameter loses 3 per cent of its length. */
#ifndef POISE_CONTOUR_H
#define POISE_CONTOUR_H
#include "mesh/mesh.h"

struct contour {
    const struct mesh *m;
    int64_t *start;             /* [n_vertices + 1] cells around each vertex */
    int32_t *cell;
    double *weight;             /* sum up to 1 at each vertex */
    double *level;              /* [n_vertices] work */
    double *rest;               /* [n_cells] work: the value less the mean of the levels around */
};

void contour_create(struct contour *k, const struct mesh *m);
/* value, area: [n_cells], solver's order.  far: values of this size and above are known by their sign alone.  The same bits on
 * any number of threads. */
void contour_area(struct contour *k, const double *value, double far, double *area);
void contour_free(struct contour *k);
#endif

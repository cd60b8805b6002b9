/* contour.h: the area (2-D: length) of the surface where a quantity of the cells is zero, cell by cell, on the host.
 *
 * The values are brought to the vertices with weights that keep linear functions exact (pseudo-Laplacian: Holmes &
 * Connell 1989, AIAA paper 89-1932); where there are none, as at the boundary, by a linear function through the values
 * of the cells around and of their near cells.  The cells are divided into simplices about their middle, and the
 * function is linear in each: so the surface has no gaps.  A mean of a curved function is off by some B = O(h^2): the
 * levels at the vertices are means, the level in the middle of a cell is a mean of means, off by 2 B.  Its difference
 * to the cell's own value shows 2 B; three quarters of that are taken back, which leaves errors of -B/2 at the vertices
 * and B/2 in the middles.
 *
 * The sum of the interface's pieces (PLIC) is no such area: it is too short by a fixed part of a cell wherever the
 * interface touches a line of the mesh; a circle of 20 cells a diameter loses 3 per cent of its length. */
#ifndef POISE_CONTOUR_H
#define POISE_CONTOUR_H
#include "interface/collect.h"
#include "mesh/mesh.h"

struct contour {
    const struct mesh *m;
    int64_t *start;             /* [n_vertices + 1] cells around each vertex */
    int32_t *cell;
    double *weight;             /* sum up to 1 at each vertex */
    double *level;              /* [n_vertices] work */
    int32_t *vertex;            /* [n_vertices] work: those of the cells that are asked for */
    uint8_t *listed;            /* [n_vertices] work: 0 between calls */
    uint8_t *outer;             /* [n_vertices] 1: no weights make linear functions exact, as at the boundary */
    double *rest;               /* [n_cells] work: the value less what the levels around say; NAN between calls */
};

void contour_create(struct contour *k, const struct mesh *m);
/* value, area: [n_cells], solver's order.  far: values of this size and above are known by their sign alone.  Areas
 * are made in these cells, from the values there and in the cells that share a vertex with them, of which those outside
 * of the list have values of that size.  The same bits on any number of threads. */
void contour_area(struct contour *k, const double *value, double far, const struct cell_list *cells, double *area);
void contour_free(struct contour *k);
#endif

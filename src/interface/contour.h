/* contour.h: the area (2-D: length) of the surface where a quantity of the cells is zero, cell by cell, on the host.
 *
 * The values are interpolated to the vertices with weights that are exact for linear functions (pseudo-Laplacian:
 * Holmes & Connell 1989, AIAA paper 89-1932); where these do not exist, as at the boundary, with a linear fit to the
 * values of the surrounding cells and their near cells.  The cells are divided into simplices around their middle, and
 * the function is linear in each: so the surface has no gaps.  The mean of a curved function has an error B = O(h^2):
 * levels at vertices are means, the level in the middle of a cell is a mean of means, with an error of 2 B.  Its
 * difference to the cell's own value estimates 2 B; three quarters of that are subtracted, which leaves errors of -B/2
 * at vertices and B/2 in middles.
 *
 * The sum of the interface's facets (PLIC) is less accurate: it loses a fixed part of a cell wherever the interface
 * touches a mesh line; a circle with 20 cells per diameter loses 3 per cent of its length. */
#ifndef POISE_CONTOUR_H
#define POISE_CONTOUR_H
#include "interface/collect.h"
#include "mesh/mesh.h"

struct contour {
    const struct mesh *m;
    int64_t *start;             /* [n_vertices + 1] cells around each vertex */
    int32_t *cell;
    double *weight;             /* sum to 1 at each vertex */
    double *level;              /* [n_vertices] work */
    int32_t *vertex;            /* [n_vertices] work: those of the requested cells */
    uint8_t *listed;            /* [n_vertices] work: 0 between calls */
    uint8_t *outer;             /* [n_vertices] 1: no weights are exact for linear functions, as at the boundary */
    double *rest;               /* [n_cells] work: the value minus that interpolated from the vertices; NAN between
                                   calls */
};

void contour_create(struct contour *k, const struct mesh *m);
/* value, area: [n_cells], solver's order.  far: of values of this magnitude and above only the sign is known.  Computes
 * the areas in the listed cells, from the values there and in the cells that share a vertex with them; those outside of
 * the list must have values of that magnitude.  The same bits with any number of threads. */
void contour_area(struct contour *k, const double *value, double far, const struct cell_list *cells, double *area);
void contour_free(struct contour *k);
#endif

/* laplacian.h: the cell-centred Laplacian of a mesh. */
#ifndef POISE_LAPLACIAN_H
#define POISE_LAPLACIAN_H
#include "mesh/mesh.h"
#include "system/linear_system.h"

/* Each face: k |S|^2 / (S.d), k the harmonic mean of its cells' coefficients, weighted by their parts of d.  Rows are
 * in the mesh's cell order; centre is filled, rhs is not.  coefficient: [n_cells] or NULL (1).  wall: [n_patches], 0:
 * no flux through the patch; 1: fixed value at its faces; 0.5: fixed value at twice the distance of its faces; NULL: 1
 * everywhere. */
void laplacian(struct linear_system *s, const struct mesh *m, const double *coefficient, const double *wall);
#endif

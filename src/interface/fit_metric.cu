/* Kernels that compute the mean shape of the cells around a cell, and from it the metric of distances in fits of
 * curvature (curvature.h). */
#include "interface/curvature.h"
#include "interface/fit_extent.h"

#define REACH_2D 2.5                    /* relative to the root mean square distance of near cells in their metric */
#define REACH_3D 2.43
/* fit_metric; less rounded, curvatures of balls on tetrahedra are off by up to 1.9 % instead of 1.6 %, and at walls
 * with a contact angle of 120 degrees by more than 3.4 %. */
#define ROUND 2.0
#define ROUND_TRIANGLES 5.0
#define ROUND_TETRAHEDRA 6.0

/* Adds the shape of cell c: the mean of x x^T over its vertices, x from its centre. */
ON_DEVICE void add_cell_shape(const struct geometry *g, int32_t c, double *shape, const int dim)
{
    double sum[6] = {0}, x[3];
    int n = 0;
    for (; n < g->most_vertices; n++) {
        const int32_t v = CELL_VALUE(g->s, g->cell_vertex, n, c);
        if (v < 0) break;
        for (int i = 0; i < dim; i++)
            x[i] = g->vertex[(int64_t)i * g->n_vertices + v] - CELL_VALUE(g->s, g->centre, i, c);
        for (int i = 0; i < dim; i++)
            for (int j = 0; j <= i; j++) sum[PACKED(i, j)] = fma(x[i], x[j], sum[PACKED(i, j)]);
    }
    for (int k = 0; k < dim * (dim + 1) / 2; k++) shape[k] += sum[k] / n;
}

/* Sum over the cell and its near cells. */
ON_DEVICE void add_near_shapes(const struct geometry *g, int32_t c, double *shape, const int dim)
{
    add_cell_shape(g, c, shape, dim);
    for (int64_t k = g->near_start[c]; k < g->near_start[c + 1]; k++) add_cell_shape(g, g->near[k], shape, dim);
}

HEAVY_INDEX_KERNEL(mean_shape, struct shape_args)
{
    const int dim = a->g.s.dim;
    double shape[6] = {0}, cells = (double)(a->g.near_start[i + 1] - a->g.near_start[i] + 1);
    add_near_shapes(&a->g, (int32_t)i, shape, dim);
    for (int k = 0; k < dim * (dim + 1) / 2; k++) CELL_VALUE(a->g.s, a->shape, k, i) = shape[k] / cells;
}

/* The least eigenvalue of a packed symmetric positive matrix.  The adjugate has the same eigenvectors, and its largest
 * eigenvalue there: high powers of it, divided by their trace, are the projection on them. */
ON_DEVICE double least_eigenvalue(const double *m, const int dim)
{
    enum { SQUARINGS = 12 };
    double p[6], square[6], sum = 0;
    packed_adjugate(m, p, dim);
    for (int n = 0; n < SQUARINGS; n++) {
        const double trace = packed_trace(p, dim);
        for (int k = 0; k < dim * (dim + 1) / 2; k++) p[k] /= trace;
        for (int i = 0; i < dim; i++)
            for (int j = 0; j <= i; j++) {
                square[PACKED(i, j)] = 0;
                for (int k = 0; k < dim; k++)
                    square[PACKED(i, j)] = fma(p[PACKED(i, k)], p[PACKED(k, j)], square[PACKED(i, j)]);
            }
        for (int k = 0; k < dim * (dim + 1) / 2; k++) p[k] = square[k];
    }
    for (int i = 0; i < dim; i++)
        for (int k = 0; k < dim; k++) sum = fma(p[PACKED(i, k)], m[PACKED(i, k)], sum);
    return sum / packed_trace(p, dim);
}

/* Let T be the mean shape of the cell and its near cells.  R^2 is REACH^2 times the mean square distance of near cells
 * in the metric T^-1, so that the reach is the same number of cells in all directions, and REACH times their root mean
 * square distance on squares and cubes.  Then T is rounded: (T + ROUND least eigenvalue) / (1 + ROUND).  This keeps the
 * reach where cells are short, and takes fewer where they are long: the facets of a ball in a long and narrow
 * neighbourhood lie on a curve, and a fit to them would not separate slopes from curvatures.  Triangles and tetrahedra
 * divide the interface into smaller facets and are rounded more; tetrahedra keep the trace of T, so that the reach
 * remains as long on average.  On triangles that was too long for waves along the short sides, whose curvature got the
 * wrong sign from 3 : 1 on; without it drops in a fluid of the same density burst.  The root of it does neither. */
HEAVY_INDEX_KERNEL(fit_metric, struct curvature_args)
{
    const struct geometry *g = &a->p.g;
    const int dim = g->s.dim, terms = dim * (dim + 1) / 2,
              simplex = g->most_vertices == dim + 1 || CELL_VALUE(g->s, g->cell_vertex, dim + 1, i) < 0;
    const int64_t first = g->near_start[i], last = g->near_start[i + 1];
    double shape[6] = {0}, adjugate[6], x[3], square = 0, factor = dim == 2 ? REACH_2D : REACH_3D,
           round = !simplex ? ROUND : dim == 2 ? ROUND_TRIANGLES : ROUND_TETRAHEDRA;
    add_near_shapes(g, (int32_t)i, shape, dim);
    double determinant = packed_adjugate(shape, adjugate, dim), least = least_eigenvalue(shape, dim),
           trace = packed_trace(shape, dim);
    for (int64_t k = first; k < last; k++) {
        near_offset(g, i, k, x);
        square += fit_moment(adjugate, x, x, dim);
    }
    square = last > first ? factor * factor * square / (determinant * (double)(last - first)) : 1;
    for (int k = 0; k < terms; k++) shape[k] /= 1 + round;
    for (int k = 0; k < dim; k++) shape[PACKED(k, k)] += round / (1 + round) * least;
    if (simplex) square *= dim == 2 ? sqrt(trace / packed_trace(shape, dim)) : trace / packed_trace(shape, dim);
    determinant = packed_adjugate(shape, adjugate, dim);
    for (int k = 0; k < terms; k++) CELL_VALUE(g->s, a->k.metric, k, i) = adjugate[k] / (determinant * square);
}

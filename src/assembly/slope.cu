/* Least-squares gradients of a scalar in cells at boundaries (slope.h). */
#include "assembly/slope.h"

/* The matrix of the internal faces and of boundary faces by d, whose inverse the stencil has. */
ON_DEVICE void invert_packed(const double *inverse, double *matrix, int dim)
{
    for (int k = 0; k < dim; k++) {
        double column[3] = {0}, unit[3] = {k == 0, k == 1, k == 2};
        solve_packed(inverse, unit, column, dim);
        for (int l = 0; l <= k; l++) matrix[PACKED(k, l)] = column[l];
    }
}

INDEX_KERNEL(slope_boundary, struct transport_faces_args)
{
    const struct stencil *s = &a->s;
    const int dim = s->dim, length = dim * (dim + 1) / 2;
    const int32_t row = s->boundary_cell[i];
    int exchanged = 0;
    double inverse[6] = {0}, matrix[6] = {0}, less[6] = {0}, more[6] = {0}, none[3] = {0}, sum[3] = {0}, slope[3] = {0};
    for (int k = 0; k < length; k++) inverse[k] = CELL_VALUE(*s, s->lsq, k, row);
    for (int k = 0; k < dim; k++) slope[k] = CELL_VALUE(*s, a->gradient, k, row);
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        const int32_t face = s->boundary_face[k], f = s->n_internal + face;
        double way[3] = {0}, d[3] = {0};
        double right = boundary_row(s, &a->boundary, a->diffusivity_faces ? a->diffusivity_faces[f] : a->diffusivity,
                                    f, a->x[row], a->value[face], way);
        for (int j = 0; j < dim; j++) d[j] = FACE_VECTOR(*s, d, j, f);
        add_row(less, none, d, 0, dim);
        add_row(more, sum, way, right, dim);
        exchanged |= a->boundary.rule[face] != RULE_VALUE;
    }
    if (exchanged) {
        invert_packed(inverse, matrix, dim);
        solve_packed(inverse, slope, none, dim);
        for (int k = 0; k < length; k++) matrix[k] += more[k] - less[k];
        for (int k = 0; k < dim; k++) sum[k] += none[k];
        solve_packed(matrix, sum, slope, dim);
    } else
        for (int k = 0; k < dim; k++)
            for (int j = 0; j < dim; j++) slope[k] = fma(inverse[PACKED(k, j)], sum[j], slope[k]);
    for (int k = 0; k < dim; k++) CELL_VALUE(*s, a->gradient, k, row) = slope[k];
}

#include "flow/flow_kernels.h"

INDEX_KERNEL(sample_points, struct sample_args)
{
    const struct stencil *s = &a->s;
    int32_t cell = a->cell[i];
    for (int c = 0; c <= s->dim; c++) {
        double value = c < s->dim ? CELL_VALUE(*s, a->u, c, cell) : a->p[cell];
        const double *gradient = c < s->dim ? a->grad_u + (int64_t)c * s->dim * s->n_padded : a->grad_p;
        for (int k = 0; k < s->dim; k++) value = fma(CELL_VALUE(*s, gradient, k, cell), a->arm[(int64_t)k * a->n + i], value);
        a->value[(int64_t)c * a->n + i] = value;
    }
}

/* Force of the fluid on the boundary: p S - mu (grad u + grad u^T) . S, S out of the fluid.  The gradient at the face is
 * the cell's, made to agree with the face value along r, as in the momentum equation. */
INDEX_KERNEL(force_faces, struct force_args)
{
    const struct stencil *s = &a->s;
    int32_t face = a->face[i], f = s->n_internal + face, cell = s->owner[f];
    double gradient[3][3], area[3], across = 0;
    for (int k = 0; k < s->dim; k++) {
        area[k] = FACE_VECTOR(*s, area, k, f);
        across = fma(area[k], FACE_VECTOR(*s, r, k, f), across);
    }
    for (int c = 0; c < s->dim; c++) {
        double miss = a->b.velocity[(int64_t)c * s->n_boundary + face] - CELL_VALUE(*s, a->u, c, cell);
        for (int k = 0; k < s->dim; k++) {
            gradient[c][k] = CELL_VALUE(*s, a->grad_u, c * s->dim + k, cell);
            miss = fma(-gradient[c][k], FACE_VECTOR(*s, r, k, f), miss);
        }
        for (int k = 0; k < s->dim; k++) gradient[c][k] = fma(miss / across, area[k], gradient[c][k]);
    }
    for (int c = 0; c < s->dim; c++) {
        double viscous = 0;
        for (int k = 0; k < s->dim; k++) viscous = fma(gradient[c][k] + gradient[k][c], area[k], viscous);
        a->force[(int64_t)c * a->n + i] = a->b.pressure[face] * area[c];
        a->force[(int64_t)(s->dim + c) * a->n + i] = -a->viscosity * viscous;
    }
}

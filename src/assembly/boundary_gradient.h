/* boundary_gradient.h: for kernel bodies: the velocity's gradient at a boundary face. */
#ifndef POISE_BOUNDARY_GRADIENT_H
#define POISE_BOUNDARY_GRADIENT_H
#include "assembly/boundary.h"

/* Derivative d u_c / d x_k of the rotation w x r of a wall. */
ON_DEVICE double wall_rotation(const struct boundary *b, const struct stencil *s, int32_t face, int c, int k)
{
    if (!b->spin || c == k) return 0;
    double w = b->spin[(int64_t)(3 - c - k) * s->n_boundary + face];
    return (k - c + 3) % 3 == 1 ? -w : w;
}

/* The cell's gradient, corrected so that grad u . S is that of the momentum equation where the velocity is given, and
 * so that it agrees with the face's value along r elsewhere.  Along a wall it is that of the wall's rotation, mostly
 * zero: the cell's is not if the wall is curved, and would make the shear wrong by the centre's distance over the
 * radius.  wall_shear: [dim n_boundary], `wall` of reconstruction.h. */
ON_DEVICE void boundary_gradient(const struct stencil *s, const struct boundary *b, const double *u,
                                 const double *grad_u, const double *wall_shear, int32_t face, double gradient[3][3])
{
    int32_t f = s->n_internal + face, cell = s->owner[f];
    double area[3], across = 0;
    int given = b->velocity_rule[face] == RULE_VALUE, wall = given && b->flux_rule[face] == FLUX_NONE;
    for (int k = 0; k < s->dim; k++) {
        area[k] = FACE_VECTOR(*s, area, k, f);
        across = fma(area[k], FACE_VECTOR(*s, r, k, f), across);
    }
    for (int c = 0; c < s->dim; c++) {
        double step = b->velocity[(int64_t)c * s->n_boundary + face] - CELL_VALUE(*s, u, c, cell);
        double stress = fma(s->g[f], step, wall_shear[(int64_t)c * s->n_boundary + face]), along = 0, through = 0;
        double square = 0;
        for (int k = 0; k < s->dim; k++) {
            gradient[c][k] = wall ? wall_rotation(b, s, face, c, k) : CELL_VALUE(*s, grad_u, c * s->dim + k, cell);
            along = fma(gradient[c][k], FACE_VECTOR(*s, r, k, f), along);
            through = fma(gradient[c][k], area[k], through);
            square = fma(area[k], area[k], square);
        }
        double miss = given ? (stress - through) / square : (step - along) / across;
        for (int k = 0; k < s->dim; k++) gradient[c][k] = fma(miss, area[k], gradient[c][k]);
    }
}
#endif

/* forces_kernels.h: private to forces.c and zero_sum.c, and to their kernels. */
#ifndef POISE_INTERFACE_FORCES_KERNELS_H
#define POISE_INTERFACE_FORCES_KERNELS_H
#include "interface/curvature.h"

struct forces_args {
    struct pieces p;
    const int32_t *band, *mark;
    double *curvature, *force;
    double tension, jump[3];    /* sigma; (rho_2 - rho_1) gravity */
    double bottom;              /* (rho_2 - rho_1) gravity.x at the mesh's lowest point */
    const int32_t *number;      /* of zero_sum.h; NULL: curvatures as they are */
    const double *tilt;
};
KERNEL(spread_curvature, struct forces_args)            /* over the band: from cut cells to those near them */
KERNEL(interface_face_forces, struct forces_args)       /* over internal faces */

/* The curvature of the interface at a face between two different fractions, and its normal as an average of the same
 * weights: by the areas of the pieces on both sides; between a full and an empty cell the face is the interface. */
ON_DEVICE double face_curvature(const struct forces_args *a, int64_t f, double n[3])
{
    const struct stencil *s = &a->p.g.s;
    int32_t P = s->owner[f], N = s->neighbour[f];
    double of_p = a->p.area[P], of_n = a->p.area[N], all = of_p + of_n;
    n[0] = n[1] = n[2] = 0;
    if (all > 0) {
        of_p /= all, of_n /= all;
        for (int k = 0; k < s->dim; k++)
            n[k] = fma(of_p, CELL_VALUE(*s, a->p.normal, k, P), of_n * CELL_VALUE(*s, a->p.normal, k, N));
        return fma(of_p, a->curvature[P], of_n * a->curvature[N]);
    }
    double square = 0, sign = a->p.fraction[N] > a->p.fraction[P] ? -1 : 1;
    for (int k = 0; k < s->dim; k++) n[k] = FACE_VECTOR(*s, area, k, f), square = fma(n[k], n[k], square);
    for (int k = 0; k < s->dim; k++) n[k] *= sign / sqrt(square);
    return 0.5 * (a->curvature[P] + a->curvature[N]);
}
#endif

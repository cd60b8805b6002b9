/* forces.h: curvature of the interface, and the force that surface tension and gravity make at faces.
 *
 *     force_f = potential_f g_f (alpha_N - alpha_P),
 *     potential = sigma kappa - (rho_2 - rho_1) (gravity.x_Gamma - bottom)
 *
 * the same form as the difference of pressures across the face, g_f (p_N - p_P): where the potential is one
 * constant, a pressure that jumps by it balances the force exactly (Francois et al. 2006, J. Comput. Phys. 213,
 * 141).  x_Gamma is on the interface, the mean of the centroids of both cells' pieces weighted by their areas, and a
 * flat surface at rest is balanced exactly.  kappa is weighted likewise.  Between a full and an empty cell the face is
 * the interface; a wisp that has no piece is taken to be where the pieces around it are.  Through a periodic joint
 * x_Gamma is as the owner sees it: gravity along a periodic direction has no such potential.
 *
 * The pressure that is solved for is
 *
 *     p - rho_1 gravity.x - (rho - rho_1) (gravity.x - bottom),
 *
 * so that gravity acts at the interface alone.  bottom is gravity.x at the mesh's lowest point, where it is largest:
 * counted from the origin, the potential would jump by a large number where the mesh is far from there, and this jump
 * is only balanced to rounding.  The lowest point is the same one however the case is turned or moved; the corner of a
 * box along the axes would not be.  The weight of the first fluid counts from the origin, because outlets are given
 * that way; it makes no force. */
#ifndef POISE_INTERFACE_FORCES_H
#define POISE_INTERFACE_FORCES_H
#include "interface/curvature.h"

struct interface;

/* Uses i->in, i->g and the arrays of pieces. */
void forces_create(struct interface *i, const struct mesh *m);
void forces_free(struct interface *i);

/* Makes i->curvature from the fractions and pieces as they are. */
void interface_curvature(struct interface *i);
/* The same, and adds what follows from it to force [n_faces].  It has the dimension of g_f (p_N - p_P), and its sign:
 * positive from owner to neighbour along d; nothing is added at boundaries, and nothing without a second fluid. */
void interface_forces(struct interface *i, double *force);

/* The pieces for curvature.h. */
struct pieces interface_pieces(const struct interface *i);

/* Kernels, private to forces.c, zero_sum.c and their kernels. */
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

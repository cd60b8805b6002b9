/* forces.h: curvature of the interface, and the forces of surface tension and gravity at faces.
 *
 *     force_f = potential_f g_f (alpha_N - alpha_P),
 *     potential = sigma kappa - (rho_2 - rho_1) (gravity.x_Gamma - bottom)
 *
 * the same form as the pressure difference across the face, g_f (p_N - p_P): if the potential is constant, a pressure
 * that jumps by it balances the force exactly (Francois et al. 2006, J. Comput. Phys. 213, 141).  x_Gamma is on the
 * interface: the mean of the centroids of both cells' facets weighted by their areas; so a flat surface at rest is
 * balanced exactly.  kappa has the same weights.  Between a full and an empty cell the face is the interface; the
 * position of debris without a facet is that of the facets around it.  At a periodic face x_Gamma is seen from the
 * owner: gravity along a periodic direction has no such potential, and is not included (flow/drive.h).  Where sigma
 * depends on the temperature it is that of the face, and cells get a force of their own (marangoni.h).
 *
 * The pressure is solved for in the reduced form
 *
 *     p - rho_1 gravity.x - (rho - rho_1) (gravity.x - bottom),
 *
 * so that gravity acts only at the interface.  bottom is gravity.x at the mesh's lowest point, where it is largest:
 * relative to the origin, the potential would have a large jump if the mesh is far from it, and this jump is only
 * balanced to rounding.  The lowest point remains the same if the case is rotated or translated, unlike the corner of a
 * bounding box.  The term of the first fluid is relative to the origin, because outlet pressures are given that way; it
 * makes no force. */
#ifndef POISE_INTERFACE_FORCES_H
#define POISE_INTERFACE_FORCES_H
#include "interface/curvature.h"
#include "interface/marangoni.h"

struct interface;

/* Uses i->in, i->g and the arrays of facets. */
void forces_create(struct interface *i, const struct mesh *m);
void forces_free(struct interface *i);

/* Computes i->curvature from the current fractions and facets. */
void interface_curvature(struct interface *i);
/* The same, and adds the resulting forces to force [n_faces].  They have the dimension and sign of g_f (p_N - p_P):
 * positive from owner to neighbour along d; nothing is added at boundaries, and nothing without a second fluid.  Also
 * computes i->pull where the tension varies. */
void interface_forces(struct interface *i, double *force);

/* The facets, for curvature.h. */
struct pieces interface_pieces(const struct interface *i);

/* Kernels, private to forces.c, zero_sum.c and their kernels. */
struct forces_args {
    struct pieces p;
    const int32_t *band, *mark;
    double *curvature, *force;
    struct tension tension;
    const double *pull;         /* [dim pitch] where the tension varies; else NULL */
    double jump[3];             /* (rho_2 - rho_1) gravity */
    double bottom;              /* (rho_2 - rho_1) gravity.x at the mesh's lowest point */
    const int32_t *number;      /* from zero_sum.h; NULL: curvatures are not corrected */
    const double *tilt;
};
KERNEL(spread_curvature, struct forces_args)            /* over the band: from cut cells to near cells */
KERNEL(interface_face_forces, struct forces_args)       /* over internal faces */

/* The interface at a face between two different fractions, from the owner's centre: the mean of the centroids of both
 * cells' facets, weighted by their areas.  Without facets the face is the interface; but debris belongs to the facets
 * around it. */
ON_DEVICE void interface_at_face(const struct pieces *p, int64_t f, double x[3])
{
    const struct stencil *s = &p->g.s;
    int32_t P = s->owner[f], N = s->neighbour[f];
    double of_p = p->area[P], of_n = p->area[N], all = of_p + of_n;
    if (all > 0) {
        of_p /= all, of_n /= all;
        for (int k = 0; k < s->dim; k++)
            x[k] = fma(of_p, CELL_VALUE(*s, p->centroid, k, P),
                       of_n * (FACE_VECTOR(*s, d, k, f) + CELL_VALUE(*s, p->centroid, k, N)));
    } else {
        int wisp = fabs(p->fraction[N] - p->fraction[P]) < 0.5;
        for (int k = 0; k < s->dim; k++)
            x[k] = !wisp ? FACE_VECTOR(*s, r, k, f) :
                   0.5 * (CELL_VALUE(*s, p->centroid, k, P) + FACE_VECTOR(*s, d, k, f) +
                          CELL_VALUE(*s, p->centroid, k, N));
    }
}

/* The curvature of the interface at a face between two different fractions, and its normal as a mean with the same
 * weights: the areas of the facets on both sides; between a full and an empty cell the face is the interface. */
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

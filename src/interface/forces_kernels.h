/* forces_kernels.h: private to forces.c and zero_sum.c and their kernels. */
#ifndef POISE_INTERFACE_FORCES_KERNELS_H
#define POISE_INTERFACE_FORCES_KERNELS_H
#include "interface/curvature.h"

/* Sums of a part of the interface: F [dim], N [dim dim], and how many of its cells touch a boundary. */
enum { ZERO_SUMS_MOST = 13 };
#define ZERO_SUMS(dim) ((dim) + (dim) * (dim) + 1)

struct zero_sum {               /* zero_sum.h */
    int32_t *root;              /* [pitch] of a cell of the band the lowest cell of its part (of several ranks: of its
                                   part on this one); else -1 */
    int32_t *number;            /* [pitch] the same, counted in the whole mesh; copies of other ranks' cells too */
    int64_t *sum;               /* [ZERO_SUMS(dim) pitch] at the roots */
    double *tilt;               /* [dim pitch] b in cells of the band */
    int32_t *cross;             /* [2 n_cross] own cell and copy of another rank's beside it */
    int32_t *pair;              /* [2 n_cross] work: the numbers of their roots */
    int32_t n_cross;
};

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

struct zero_sum_args {
    struct forces_args f;
    struct zero_sum z;
    const int32_t *band_mark, *boundary_row;
    int32_t n_band;
    int32_t first;              /* number of this rank's first cell in the whole mesh */
    double per_force, per_area; /* what F and N are multiplied by before they are made whole numbers */
    const int32_t *cell;        /* of several ranks: roots, and their sums side by side */
    int64_t *packed;
    int32_t n_packed;
};
KERNEL(part_start, struct zero_sum_args)                /* over all cells and copies */
KERNEL(part_join, struct zero_sum_args)                 /* over the band */
KERNEL(part_finish, struct zero_sum_args)               /* over the band */
KERNEL(part_sums, struct zero_sum_args)                 /* over runs of PART_RUN cells of the band */
KERNEL(part_tilt, struct zero_sum_args)                 /* over the band */
KERNEL(part_number, struct zero_sum_args)               /* over all cells */
KERNEL(part_pairs, struct zero_sum_args)                /* over n_cross */
KERNEL(part_pack, struct zero_sum_args)                 /* over n_packed ZERO_SUMS(dim) */
KERNEL(part_unpack, struct zero_sum_args)               /* likewise */
enum { PART_RUN = 8 };

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

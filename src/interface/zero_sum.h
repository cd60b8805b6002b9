/* zero_sum.h: surface tension exerts no net force on a closed interface.
 *
 * The integral of kappa n over a closed surface is zero.  Curvatures computed facet by facet leave a net force of about
 * 1e-6 sigma D on a drop, which no change of its shape can balance: a drop at rest drifts.  Here the
 * curvature is corrected to
 *
 *     kappa + b.n,        sum over faces of (kappa + b.n) (alpha_N - alpha_P) S = 0
 *
 * (where sigma varies it is a factor of the bracket, and the forces of marangoni.h are in the sum)
 * with one vector b for each connected part of the interface.  This is the smallest correction with zero sum in the
 * 2-norm over the surface (b is the Lagrange multiplier).  A part that touches a boundary is not corrected, because the
 * wall carries a share of the force.
 *
 * Parts are the components, connected over faces, of the band (interface.h): interfaces two cells apart count as one.
 * They are labelled by union-find (ECL-CC: Jaiganesh & Burtscher 2018, High-Performance Parallel and Distributed
 * Computing, 92).  The sums are sums of integers, multiples of 2^-40 of a face's size.  Neither depends on the order
 * of the threads.  With several ranks, each labels the parts of its own cells, and the host merges parts that span
 *
 ranks. */
#ifndef POISE_INTERFACE_ZERO_SUM_H
#define POISE_INTERFACE_ZERO_SUM_H
#include "interface/geometry.h"
#include "interface/forces.h"

/* Sums of a part of the interface: F [dim], N [dim dim], number of its cells that touch a boundary. */
enum { ZERO_SUMS_MOST = 13 };
#define ZERO_SUMS(dim) ((dim) + (dim) * (dim) + 1)

struct zero_sum_ranks;          /* of several ranks */
struct zero_sum {
    int32_t *root;              /* [pitch] in the band: the lowest cell of the part (among this rank's cells); -1
                                   elsewhere */
    int32_t *number;            /* [pitch] the same in the numbering of the whole mesh, including ghost cells */
    int64_t *sum;               /* [ZERO_SUMS(dim) pitch] at the roots */
    double *tilt;               /* [dim pitch] b in cells of the band */
    struct zero_sum_ranks *ranks;       /* NULL with one rank */
};

/* Allocates; m: this rank's mesh. */
void zero_sum_create(struct zero_sum *z, const struct geometry *g, const struct mesh *m);
void zero_sum_free(struct zero_sum *z);
/* Computes z->number and z->tilt, for interface_face_forces(), from the current curvature and facets.  band_mark:
 * [pitch] 1 in the n_band cells f->band; boundary_row: of curvature.h; size: a length like that of the largest cells.
 * With one rank nothing is allocated and nothing is copied to the host. */
void zero_sum_make(struct zero_sum *z, const struct forces_args *f, const int32_t *band_mark,
                   const int32_t *boundary_row, int32_t n_band, double size);

/* Kernels, private to zero_sum.c and zero_sum.cu. */
struct zero_sum_args {
    struct forces_args f;
    struct zero_sum z;
    const int32_t *band_mark, *boundary_row;
    int32_t n_band;
    int32_t first;              /* number of this rank's first cell in the whole mesh */
    double per_force, per_area; /* factors of F and N before conversion to integers */
    /* for several ranks */ const int32_t *cross;       /* [2 n_cross] own cell and ghost cell of faces between ranks */
    int32_t *pair;              /* [2 n_cross] out: the numbers of their roots; -1: no pair */
    const int32_t *cell;        /* [n_packed] roots */
    int64_t *packed;            /* [ZERO_SUMS(dim) n_packed] their sums, number by number over all roots */
    int32_t n_packed;
};
KERNEL(part_start, struct zero_sum_args)                /* over own cells */
KERNEL(part_join, struct zero_sum_args)                 /* over the band */
KERNEL(part_finish, struct zero_sum_args)               /* over the band */
KERNEL(part_sums, struct zero_sum_args)                 /* over runs of PART_RUN cells of the band */
KERNEL(part_tilt, struct zero_sum_args)                 /* over the band */
KERNEL(part_number, struct zero_sum_args)               /* over own cells */
KERNEL(part_pairs, struct zero_sum_args)                /* over n_cross */
KERNEL(part_pack, struct zero_sum_args)                 /* over n_packed ZERO_SUMS(dim) */
KERNEL(part_unpack, struct zero_sum_args)               /* likewise */
enum { PART_RUN = 8 };
#endif

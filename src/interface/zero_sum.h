/* zero_sum.h: surface tension moves no closed interface as a whole.
 *
 * The integral of kappa n over a closed surface is zero.  Curvatures made piece by piece leave some 1e-6 of it, a force
 * on the whole drop, which no change of its shape can balance: a drop at rest drifts away.  Here the curvature becomes
 *
 *     kappa + b.n,        sum over faces of (kappa + b.n) (alpha_N - alpha_P) S = 0
 *
 * with a vector b for each connected part of the interface: of all changes that make the sum zero it is the least one,
 * in the 2-norm over the surface (n is the normal, so the terms that a Lagrange multiplier b adds are b.n).  A part
 * that touches a boundary stays as it is, because there the wall has a share in the sum.
 *
 * A connected part is one of the band's (interface.h), over faces: interfaces two cells apart are one part.  Its cells
 * are found by union-find (ECL-CC: Jaiganesh & Burtscher 2018, High-Performance Parallel and Distributed Computing,
 * 92); sums are of whole numbers, multiples of 2^-40 of a face's size: neither depends on the order in which threads
 * come.
 */
#ifndef POISE_INTERFACE_ZERO_SUM_H
#define POISE_INTERFACE_ZERO_SUM_H
#include "interface/forces_kernels.h"

/* Allocates; m: of this rank. */
void zero_sum_create(struct zero_sum *z, const struct geometry *g, const struct mesh *m);
void zero_sum_free(struct zero_sum *z);
/* Makes z->number and z->tilt, for interface_face_forces(), from curvature and pieces as they are.  band_mark: [pitch]
 * 1 in the n_band cells f->band; boundary_row: of curvature.h; size: a length like that of the largest cells. */
void zero_sum_make(struct zero_sum *z, const struct forces_args *f, const int32_t *band_mark,
                   const int32_t *boundary_row, int32_t n_band, double size);
#endif

/* multigrid.h: algebraic multigrid by aggregation, a preconditioner for symmetric positive (semi-)definite matrices of
 * diffusion type.  The hierarchy's structure is made once, from the values that the matrix has then; with new values
 * only sums over children are redone.  Everything is in single precision: the cycle only has to point the right way, the
 * residual it starts from and the iteration around it are in double precision.
 *
 * One cycle: block-Jacobi smoothing before and after (blocks = slices of 512 rows, Jacobi sweeps inside), the coarse
 * problem on the first levels by two steps of flexible conjugate gradients preconditioned by the next level (K-cycle,
 * Notay & Vassilevski 2008), below them by one cycle; the coarsest one by its inverse. */
#ifndef POISE_MULTIGRID_H
#define POISE_MULTIGRID_H
#include <stdbool.h>
#include <stdint.h>
#include "solve/mod_sell.h"

struct multigrid;
/* a: the values it has now decide what is strong; the pattern is shared and must outlive this. singular: constants are
 * in the null space. */
struct multigrid *multigrid_create(const struct mod_sell *a, bool singular);
/* The matrix has new values. */
void multigrid_refresh(struct multigrid *m);
/* One cycle from zero for r over its norm, so that no r is too small or too large for single precision; the result,
 * over the norm too, is read as multigrid_result().  r: [n_padded]; norm2: r.r, on the machine.  Launches only; after
 * multigrid_refresh(). */
void multigrid_cycle(struct multigrid *m, const double *r, const double *norm2);
const float *multigrid_result(const struct multigrid *m);
int multigrid_levels(const struct multigrid *m);
int64_t multigrid_rows(const struct multigrid *m, int level);
/* Stored entries of all levels over those of the finest. */
double multigrid_complexity(const struct multigrid *m);
void multigrid_free(struct multigrid *m);
#endif

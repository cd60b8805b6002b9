/* multigrid.h: algebraic multigrid by aggregation, a preconditioner for symmetric positive (semi-)definite matrices
 * of diffusion type, for M-matrices that are not symmetric, and for matrices of blocks of velocity and pressure.
 * The structure of the hierarchy, that is which rows become one, is made from the values that the matrix has at that
 * moment, and kept; with new values only sums over children are redone, until iterations grow (rebuild.h; of numbers
 * only where the matrix is symmetric). Everything is in single precision: the cycle only has to point the right way,
 * the residual it starts from and the iteration around it are in double precision.
 *
 * One cycle: the right-hand side is restricted, the coarse problem solved: on the first levels by two steps of
 * flexible conjugate gradients preconditioned by the next level (K-cycle, Notay & Vassilevski 2008), below them by
 * one cycle, the coarsest one by its inverse; then prolonged and smoothed twice.  Two smoothings after and none
 * before converge like one before and one after, and read the matrix once less; the cycle is then no symmetric
 * operator, which the flexible iteration around it does not ask for.  Smoothing: block-Jacobi, blocks = slices of
 * 512 rows (multigrid_smooth.cu); on the finest level block-Gauss-Seidel of two colours, which reads no more: first the
 * slices of even number among those of all ranks, then the others with what these have.  The next level is smoothed
 * twice, or once like the finest one (multigrid_choice.c), all below it once.
 *
 * Of a matrix of numbers that is not symmetric, convection with upwind differences and diffusion, the two steps are
 * GCR's, and all sweeps in a slice have one weight (multigrid_choice.c).
 *
 * Of a matrix of blocks the last unknown, the pressure, decides which rows become one, for all unknowns alike; coarse
 * blocks are sums of blocks; the two steps are GCR's, because the matrix is not symmetric; x += omega D^-1 (b - A x)
 * with the diagonal's blocks D smooths (block_multigrid.c).  For these there is multigrid_apply() alone, no entrance
 * and result. */
#ifndef POISE_MULTIGRID_H
#define POISE_MULTIGRID_H
#include <stdbool.h>
#include <stdint.h>
#include "solve/linear_setting.h"
#include "solve/matrix.h"
#include "solve/multigrid_kernels.h"

/* So many levels below the finest are solved by two steps, where no key and no better choice says otherwise. */
enum { K_LEVELS = 2 };

struct multigrid;
/* a: the values it has now decide what is strong; the pattern is shared and must outlive this. singular: constants are
 * in the null space, of blocks those of the last unknown. */
struct multigrid *multigrid_create(const struct matrix *a, const struct linear_setting *s, bool singular);
/* From now on the values are those of a, another matrix on the same pattern. */
void multigrid_set_matrix(struct multigrid *m, const struct matrix *a);
/* The matrix has new values. */
void multigrid_refresh(struct multigrid *m);
/* Makes the structure anew, from the values that the matrix has now or from parents (n of them, NULL: none given).
 * What multigrid_result() and multigrid_entrance() returned before is freed, and multigrid_refresh() must come
 * next.  False: these are not parents of a hierarchy for this matrix, and it stays as it was. */
bool multigrid_rebuild(struct multigrid *m, const int32_t *parents, int64_t n);
/* With smoother "auto": incomplete LU with its rows in colours and four smoothings, unless the setting gives another
 * number, take the place of block-Jacobi.  As multigrid_rebuild() but for the parents, which stay. */
bool multigrid_may_strengthen(const struct multigrid *m);
void multigrid_strengthen(struct multigrid *m);
/* How many parents there are: rows of all levels but the last.  Unless NULL, into parents: level by level, the
 * coarse row of every row. */
int64_t multigrid_parents(const struct multigrid *m, int32_t *parents);
/* Where a cycle's right-hand side goes, with its sums over children.  It is in single precision, so what is put in
 * is r divided by about its norm, so that no r is too small or too large.  The kernel multigrid_begin() does it, or
 * any kernel that does RESTRICT_SLICE(). */
struct restrict_args multigrid_entrance(const struct multigrid *m);
/* One cycle from zero for what was put in; the result is read as multigrid_result(), [pitch].  Launches only; after
 * multigrid_refresh(). */
void multigrid_cycle(struct multigrid *m);
/* The same but for a last smoothing of the finest level, which is left to a kernel of the caller's: false where there
 * is none to leave, and all is done. */
bool multigrid_cycle_but_last(struct multigrid *m, struct smooth_args *last);
const float *multigrid_result(const struct multigrid *m);
/* z = M r, [block pitch] each, and norm2 as in preconditioner.h: entrance, cycle and result in one, of blocks too. */
void multigrid_apply(struct multigrid *m, const double *r, const double *norm2, double *z);
int multigrid_levels(const struct multigrid *m);
int64_t multigrid_rows(const struct multigrid *m, int level);
/* How a cycle on numbers goes: "1 level by two steps, over-correction 1.5, 4 sweeps". */
void multigrid_describe(const struct multigrid *m, char *text, size_t size);
/* Stored entries of all levels over those of the finest. */
double multigrid_complexity(const struct multigrid *m);
void multigrid_free(struct multigrid *m);
#endif

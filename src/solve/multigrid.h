/* multigrid.h: algebraic multigrid by aggregation, a preconditioner for symmetric positive (semi-)definite matrices of
 * diffusion type, for M-matrices that are not symmetric, and for block matrices of velocity and pressure.  The
 * structure of the hierarchy, that is which rows are aggregated, is determined from the values at creation and kept;
 * for new values only the sums over children are recomputed, until iteration counts grow (rebuild.h; for scalar
 * matrices only symmetric ones).  Everything is in single precision, because the cycle only needs a good direction; the
 * residual and the iteration around it are in double precision.
 *
 * One cycle: the right-hand side is restricted and the coarse problem solved: on the first levels by two steps of
 * flexible conjugate gradients preconditioned by the next level (K-cycle, Notay & Vassilevski 2008), on lower levels by
 * one cycle, on the coarsest one by its inverse; then the result is prolonged and smoothed twice.  Two smoothings after
 * and none before converge like one before and one after, and read the matrix once less; the cycle is then not a
 * symmetric operator, but the flexible iteration around it does not require one.  Smoothing: block-Jacobi, blocks =
 * slices of 512 rows (multigrid_smooth.cu); on the finest level two-colour block-Gauss-Seidel at the same memory
 * traffic: first the slices of even number among those of all ranks, then the others with the new values.  The next
 * level is smoothed twice, or once like the finest one (multigrid_choice.c), lower levels once.
 *
 * For a nonsymmetric scalar matrix (upwind convection and diffusion) the two steps are GCR's, and all sweeps in a slice
 * have the same weight (multigrid_choice.c).
 *
 * For a block matrix the last unknown, the pressure, determines the aggregates for all unknowns; coarse blocks are sums
 * of blocks; the two steps are GCR's, because the matrix is not symmetric; the smoother is x += omega D^-1 (b - A x)
 * with the diagonal's blocks D (block_multigrid.c).  For these there is only multigrid_apply(), no multigrid_entrance()
 * and multigrid_result(). */
#ifndef POISE_MULTIGRID_H
#define POISE_MULTIGRID_H
#include <stdbool.h>
#include <stdint.h>
#include "solve/linear_setting.h"
#include "solve/matrix.h"
#include "solve/multigrid_kernels.h"

/* Default number of levels below the finest that are solved by two steps, if neither a key nor multigrid_choice.c sets
 * it. */
enum { K_LEVELS = 2 };

struct multigrid;
/* a: its present values determine which entries are strong; the pattern is shared and must outlive this object.
 * singular: constants are in the null space, for block matrices constants of the last unknown. */
struct multigrid *multigrid_create(const struct matrix *a, const struct linear_setting *s, bool singular);
/* Changes the matrix to a, another one on the same pattern. */
void multigrid_set_matrix(struct multigrid *m, const struct matrix *a);
/* Recomputes all levels for new values of the matrix. */
void multigrid_refresh(struct multigrid *m);
/* Rebuilds the structure from the matrix's present values or from parents (n of them; NULL: from the values). Frees
 * what multigrid_result() and multigrid_entrance() returned before; multigrid_refresh() must be called next.  False:
 * these are not parents of a hierarchy for this matrix; nothing is changed. */
bool multigrid_rebuild(struct multigrid *m, const int32_t *parents, int64_t n);
/* With smoother "auto": replaces block-Jacobi by incomplete LU with multicolour ordering and, unless the setting gives
 * another number, four smoothings.  Then as after multigrid_rebuild(), but the parents stay. */
bool multigrid_may_strengthen(const struct multigrid *m);
void multigrid_strengthen(struct multigrid *m);
/* Number of parents: rows of all levels except the last.  parents, unless NULL, receives the coarse row of every row,
 * level by level. */
int64_t multigrid_parents(const struct multigrid *m, int32_t *parents);
/* Where a cycle's right-hand side is stored, with its sums over children.  It is in single precision, so r is stored
 * divided by approximately its norm, to avoid overflow and underflow.  Written by the kernel multigrid_begin() or any
 * kernel that uses RESTRICT_SLICE(). */
struct restrict_args multigrid_entrance(const struct multigrid *m);
/* One cycle from a zero guess for this right-hand side; the result is multigrid_result(), [pitch].  Only launches
 * kernels; after multigrid_refresh(). */
void multigrid_cycle(struct multigrid *m);
/* The same without the last smoothing of the finest level, which is left to a kernel of the caller; false if there is
 * none to leave, and the cycle is complete. */
bool multigrid_cycle_but_last(struct multigrid *m, struct smooth_args *last);
const float *multigrid_result(const struct multigrid *m);
/* z = M r, [block pitch] each, norm2 as in preconditioner.h: entrance, cycle and result in one call, also for block
 * matrices. */
void multigrid_apply(struct multigrid *m, const double *r, const double *norm2, double *z);
int multigrid_levels(const struct multigrid *m);
int64_t multigrid_rows(const struct multigrid *m, int level);
/* Describes the cycle for scalar matrices: "1 level by two steps, over-correction 1.5, 4 sweeps". */
void multigrid_describe(const struct multigrid *m, char *text, size_t size);
/* Stored entries of all levels divided by those of the finest. */
double multigrid_complexity(const struct multigrid *m);
void multigrid_free(struct multigrid *m);
#endif

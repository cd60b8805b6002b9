/* solver.h: linear solvers: a Krylov method and a preconditioner, each from a table (krylov.h, preconditioner.h),
 * combined by a setting.  A solver is created for a pattern and receives the matrix with each solve.  Everything an
 * iteration needs is allocated when the solver is created; the loop runs on the device, the host reads the residual
 * once every few iterations. */
#ifndef POISE_SOLVER_H
#define POISE_SOLVER_H
#include <stdbool.h>
#include <stdint.h>
#include "solve/linear_setting.h"
#include "base/error.h"
#include "solve/matrix.h"

enum linear_status { LINEAR_CONVERGED, LINEAR_MAX_ITERATIONS, LINEAR_BREAKDOWN, LINEAR_NOT_FINITE, LINEAR_REFUSED };

struct linear_result {
    enum linear_status status;
    int iterations;
    double initial, final;      /* 2-norms of the residual b - A x; several components: the largest of theirs; GMRES
                                   with left preconditioning: of M (b - A x) */
    const char *note;           /* NULL, or one sentence: why the preconditioner rejected the values (status REFUSED),
                                   why it was replaced by Jacobi, why multigrid's structure was rebuilt, or that GMRES
                                   stagnates (status MAX_ITERATIONS); valid until the next note */
    int restarts;               /* GMRES: number of restarts */
};

struct solver_setup {
    int components;             /* systems with one matrix solved at once, component k of x and b at [k pitch]; 0: 1.
                                   More than one, at most 3, only with 1 x 1 blocks: BiCGStab, all in one pass, and
                                   GMRES, one after the other; iterations are those of the component that took most */
    bool nonsymmetric;          /* the matrix may be nonsymmetric */
    bool values_follow;         /* the values at creation are not those to solve with: a 0 on their diagonal is
                                   accepted */
    bool singular;              /* the constant vector is the null space; it is projected out of the right-hand side and
                                   of the solution (over the n rows, all with the same weight); for block matrices the
                                   constant of the last unknown, e.g. a pressure */
    const int32_t *phase;       /* [n] on the host, arbitrary numbers, or NULL: level-set deflation uses connected rows
                                   of one phase as subdomains.  NULL: phases end where the diagonal jumps, in the values
                                   that the matrix has when the solver is created */
    double *work;               /* BiCGStab, 1 x 1 blocks: [BICGSTAB_VECTORS components pitch] on the device, which
                                   others may use between solves; NULL: it allocates its own */
};
enum { BICGSTAB_VECTORS = 5, MOST_COMPONENTS = 3 };

/* a: a matrix on the pattern, which must outlive the solver; some preconditioners also read its values (multigrid:
 * which entries are strong).  NULL with a message: a mathematically invalid combination, or a preconditioner or
 * subdomains that are not available for this pattern. */
struct solver;
struct solver *solver_create(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                             struct error *e);
/* Is this combination mathematically valid?  solver_create() calls it first, before there is a matrix; blocks: it has
 * blocks; ranks: there are several.  False with a message. */
bool solver_allows(const struct linear_setting *s, const struct solver_setup *setup, bool blocks, bool ranks,
                   struct error *e);
/* Solves a x = b.  a: any matrix on the pattern that the solver was created for; everything derived from its values is
 * recomputed.  x: in: initial guess, out: solution.  b is overwritten in a singular system (projection).  [components
 * pitch] each; block matrices as in matrix.h: [block pitch].  If the tolerance is tight, conjugate gradients compute
 * the true residual b - A x at the end, and continue from there if r has drifted from it by rounding.  If a
 * preconditioner in single precision breaks down (multigrid), this solve uses Jacobi instead: note. */
struct linear_result solver_solve(struct solver *s, const struct matrix *a, double *x, double *b);
/* The same if the matrix and its values are those of the last solve: nothing derived from them is recomputed. */
struct linear_result solver_solve_again(struct solver *s, const struct matrix *a, double *x, double *b);
/* As solver_solve() for one system only, x and b [pitch], by a solver for several. */
struct linear_result solver_solve_component(struct solver *s, const struct matrix *a, double *x, double *b);
/* As solver_solve(), with zero as the initial guess, ignoring x. */
struct linear_result solver_solve_from_zero(struct solver *s, const struct matrix *a, double *x, double *b);
/* Replaces the setting's `tolerance` and `absolute` for later solves. */
void solver_set_bounds(struct solver *s, double tolerance, double absolute);
/* The first step of solver_solve() separately (for timing): computes everything that is derived from the values.
 * Returns NULL, or why the preconditioner rejects them. */
const char *solver_refresh(struct solver *s, const struct matrix *a);
/* tell() is called from time to time during later solves with the iterations and the residual relative to the initial
 * one. */
void solver_watch(struct solver *s, void (*tell)(void *context, int iterations, double residual), void *context);
/* To be called when the phases have moved: recomputes the subdomains; does nothing unless deflation is by level set.
 * False with a message: the subdomains are unchanged. */
bool solver_set_phase(struct solver *s, const int32_t *phase, struct error *e);
int32_t solver_deflation_vectors(const struct solver *s);       /* number of vectors; 0: no deflation */
/* Describes multigrid's cycle: the settings that no key sets are chosen from the matrix that the solver was created
 * for. NULL without multigrid, and for block matrices.  Valid as long as the solver. */
const char *solver_choice(const struct solver *s);
/* Bytes of device memory that a solver for p will use in addition to a, x and b; an estimate for multigrid's coarse
 * levels (0.4 of the finest), and for methods that store a factor (the size of the matrix). */
int64_t solver_forecast(const struct pattern *p, int32_t block, const struct linear_setting *s);
/* Multigrid's structure and the state that decides when to rebuild it (rebuild.h), so that another solver for this
 * matrix continues with the same bits: n numbers; the caller frees them; NULL and 0 without multigrid. */
int32_t *solver_structure(const struct solver *s, int64_t *n);
/* Restores it.  Does nothing without multigrid, or with n = 0.  False: not a structure for this matrix; nothing is
 * changed. */
bool solver_set_structure(struct solver *s, const int32_t *structure, int64_t n);
/* Requests the history of every later solve, iteration by iteration (of the first component); to be called before the
 * first one. */
struct linear_history { double rr, alpha, beta; };      /* r.r, the step that led to it, beta of the next direction */
void solver_keep_history(struct solver *s);
/* Host copy of the last solve's history: [iterations + 1]; the caller frees it. */
struct linear_history *solver_history(const struct solver *s);
/* z = M r with the preconditioner of the last solve or refresh, [block pitch] each (for timing). */
void solver_precondition(struct solver *s, const double *r, double *z);
void solver_free(struct solver *s);
#endif

/* solver.h: linear solvers: a Krylov method and a preconditioner, each from a table (krylov.h, preconditioner.h), put
 * together by a setting. A solver is made for a pattern and handed the matrix that it solves. Everything an iteration
 * needs is allocated when the solver is made; the loop runs on the machine, the host looks at the residual once every
 * few iterations. */
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
                                   preconditioned from the left: of M (b - A x) */
    const char *note;           /* NULL, or one sentence: why the preconditioner refused the values (status REFUSED), or
                                   why it was given up for Jacobi, or why multigrid's structure was made anew, or that
                                   GMRES stands still (status MAX_ITERATIONS); valid until the next note */
    int restarts;               /* GMRES: how often it began anew */
};

struct solver_setup {
    int components;             /* systems of one matrix solved at once, component k of x and b at [k pitch]; 0: 1.
                                   more than one, at most 3, of 1 x 1 blocks: BiCGStab, all in one pass, and GMRES, one
                                   after the other; iterations are those of the one that took most */
    bool nonsymmetric;          /* the matrix need not be symmetric */
    bool values_follow;         /* those that it has when the solver is made are not solved with: a 0 on the diagonal of
                                   them is not refused */
    bool singular;              /* the constant vector is the null space; it is projected out of the right-hand side and
                                   of the solution (over the n rows, all with the same weight); of blocks the constant
                                   of the last unknown, as of a pressure */
    const int32_t *phase;       /* [n] on the host, any numbers, or NULL: level-set deflation makes its subdomains of
                                   connected rows of one phase.  NULL: they are found where the diagonal jumps, in the
                                   values that the matrix has when the solver is made */
    double *work;               /* BiCGStab, 1 x 1 blocks: [BICGSTAB_VECTORS components pitch] on the machine,
                                   which others may use between solves; NULL: it has its own */
};
enum { BICGSTAB_VECTORS = 5, MOST_COMPONENTS = 3 };

/* a: a matrix on the pattern, which must outlive the solver; some preconditioners look at its values too (multigrid:
 * which entries are strong).  NULL with a message: a combination that mathematics does not allow, or a
 * preconditioner or subdomains that cannot be had for this pattern. */
struct solver;
struct solver *solver_create(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                             struct error *e);
/* Does mathematics allow this combination?  What solver_create() asks first, before there is a matrix; blocks: it has
 * blocks; ranks: there are several.  False with a message. */
bool solver_allows(const struct linear_setting *s, const struct solver_setup *setup, bool blocks, bool ranks,
                   struct error *e);
/* Solves a x = b. a: any matrix on the pattern that the solver was made for; what is derived from its values is
 * redone.  x: in: first guess, out: solution.  b is overwritten in a singular system (projection).
 * [components pitch] each; of blocks as in matrix.h: [block pitch].  Where the tolerance is tight, conjugate gradients
 * make the true residual b - A x at the end, and go on from there if rounding had carried r away from it.  A
 * preconditioner in single precision that breaks down (multigrid) is given up for Jacobi in this solve: note. */
struct linear_result solver_solve(struct solver *s, const struct matrix *a, double *x, double *b);
/* The same where the matrix and its values are those of the last solve: what is derived from them is not redone. */
struct linear_result solver_solve_again(struct solver *s, const struct matrix *a, double *x, double *b);
/* As solver_solve(), from the guess zero, whatever x is. */
struct linear_result solver_solve_from_zero(struct solver *s, const struct matrix *a, double *x, double *b);
/* Other bounds than the setting's `tolerance` and `absolute` for later solves. */
void solver_set_bounds(struct solver *s, double tolerance, double absolute);
/* What solver_solve() does first, by itself (to be timed): all that is derived from the values.  NULL, or why the
 * preconditioner does not take them. */
const char *solver_refresh(struct solver *s, const struct matrix *a);
/* tell() is called now and then during later solves: iterations, and the residual over the first one. */
void solver_watch(struct solver *s, void (*tell)(void *context, int iterations, double residual), void *context);
/* To be called when the phases have moved: makes the subdomains anew; does nothing where deflation is not by level set.
 * False with a message: the subdomains stay as they were. */
bool solver_set_phase(struct solver *s, const int32_t *phase, struct error *e);
int32_t solver_deflation_vectors(const struct solver *s);       /* how many there are; 0: not deflated */
/* How multigrid's cycle goes, in words: what the keys leave open is chosen from the matrix that the solver was made
 * for.  NULL without multigrid, and on blocks.  Valid as long as the solver. */
const char *solver_choice(const struct solver *s);
/* Bytes on the machine that a solver for p will take beside a, x and b; an estimate for multigrid's coarse levels
 * (0.4 of the finest), and for methods that keep a factor (the matrix once more). */
int64_t solver_forecast(const struct pattern *p, int32_t block, const struct linear_setting *s);
/* Multigrid's structure and what decides when it is made anew (rebuild.h), so that another solver for this matrix
 * goes on with the same bits: n numbers, the caller's to free; NULL and 0 without multigrid. */
int32_t *solver_structure(const struct solver *s, int64_t *n);
/* Does nothing without multigrid, or with n = 0.  False: not a structure for this matrix; nothing is changed. */
bool solver_set_structure(struct solver *s, const int32_t *structure, int64_t n);
/* Asks for the history of every later solve, iteration by iteration (of the first component); to be called before the
 * first one. */
struct linear_history { double rr, alpha, beta; };      /* r.r, the step that led there, the next direction's beta */
void solver_keep_history(struct solver *s);
/* Host copy of the last solve's: [iterations + 1], the caller frees it. */
struct linear_history *solver_history(const struct solver *s);
/* z = M r with the preconditioner of the last solve or refresh, [block pitch] each (to be timed). */
void solver_precondition(struct solver *s, const double *r, double *z);
void solver_free(struct solver *s);
#endif

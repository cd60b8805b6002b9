/* linear.h: Krylov solvers on mod.SELL matrices.  Everything an iteration needs is allocated when the solver is made;
 * the loop runs on the machine, the host looks at the residual once every few iterations. */
#ifndef POISE_LINEAR_H
#define POISE_LINEAR_H
#include <stdbool.h>
#include <stdint.h>
#include "base/case.h"
#include "solve/matrix.h"

enum linear_status { LINEAR_CONVERGED, LINEAR_MAX_ITERATIONS, LINEAR_BREAKDOWN, LINEAR_NOT_FINITE, LINEAR_REFUSED };

struct linear_result {
    enum linear_status status;
    int iterations;
    double initial, final;      /* 2-norms of the residual b - A x; BiCGStab: the largest of the components' */
    const char *note;           /* NULL, or one sentence: why the preconditioner refused the values (status REFUSED), or
                                   why it was given up for Jacobi, or why multigrid's structure was made anew; valid
                                   until the next note */
};

/* Conjugate gradients for a symmetric positive (semi-)definite matrix, or the stationary iteration x += M (b - A x).
 * singular: the constant vector is the null space; it is projected out of the right-hand side and of the solution (over
 * the n rows, all with the same weight).  NULL with a message when the preconditioner cannot be had for this pattern. */
struct cg;
struct cg *cg_create(const struct matrix *a, const struct linear_setting *s, bool singular, struct error *e);
/* The same with the phase of each row ([n] on the host, any numbers, or NULL), which level-set deflation makes its
 * subdomains of: connected rows of one phase.  Without it they are found where the diagonal jumps, in the values that a has
 * now.  NULL also when no subdomains can be had. */
struct cg *cg_create_with_phase(const struct matrix *a, const struct linear_setting *s, bool singular,
                                const int32_t *phase, struct error *e);
/* The phases have moved; does nothing where deflation is not by level set.  False: as it was, with a message. */
bool cg_set_phase(struct cg *cg, const int32_t *phase, struct error *e);
int32_t cg_deflation_vectors(const struct cg *cg);      /* how many there are; 0: not deflated */
/* The matrix's values may have changed since the last call (the pattern may not): what is derived from them is redone.
 * x: in: first guess, out: solution.  b is overwritten in a singular system (projection).  [n_padded] each.
 * Where the tolerance is tight the true residual b - A x is made at the end, and the iteration goes on from there if rounding
 * had carried r away from it.  Multigrid that breaks down (values beyond single precision) is given up for Jacobi: note. */
struct linear_result cg_solve(struct cg *cg, double *x, double *b);
/* Another bound than the setting's `absolute` for later solves. */
void cg_set_absolute(struct cg *cg, double absolute);
/* What cg_solve() does first, by itself (to be timed): all that is derived from the matrix's values.  NULL, or why the
 * preconditioner does not take them. */
const char *cg_refresh(struct cg *cg);
/* tell() is called now and then during later solves: iterations, and the residual over the first one. */
void cg_watch(struct cg *cg, void (*tell)(void *context, int iterations, double residual), void *context);
/* Bytes on the machine that a solver for a will take beside a, x and b; an estimate for multigrid's coarse levels (0.4 of
 * the finest), and for methods that keep a factor (the matrix once more). */
int64_t cg_forecast(const struct pattern *p, const struct linear_setting *s);
/* Multigrid's structure and what decides when it is made anew (rebuild.h), so that another solver for this matrix goes on
 * with the same bits: n numbers, the caller's to free; NULL and 0 without multigrid. */
int32_t *cg_structure(const struct cg *cg, int64_t *n);
/* Does nothing without multigrid, or with n = 0.  False: not a structure for this matrix; nothing is changed. */
bool cg_set_structure(struct cg *cg, const int32_t *structure, int64_t n);
/* What every later solve did, iteration by iteration; call it before the first one. */
struct cg_history { double rr, alpha, beta; };          /* r.r, the step that led there, the next direction's beta */
void cg_keep_history(struct cg *cg);
/* Host copy of the last solve's: [iterations + 1], the caller frees it. */
struct cg_history *cg_history(const struct cg *cg);
/* Bytes that one iteration moves at the least (block-Jacobi: with the local coefficients read once). */
int64_t cg_bytes(const struct cg *cg);
void cg_free(struct cg *cg);

/* BiCGStab with Jacobi preconditioning for n_components systems of one matrix (no symmetry needed), all components in
 * one pass over the matrix; each component stops for itself.  x, b: component k at [k * n_padded]. */
struct bicgstab;
/* work: [BICGSTAB_VECTORS n_components n_padded] on the machine, anybody else's between solves; NULL: of its own. */
enum { BICGSTAB_VECTORS = 5 };
struct bicgstab *bicgstab_create(const struct matrix *a, const struct linear_setting *s, int n_components, double *work);
struct linear_result bicgstab_solve(struct bicgstab *s, double *x, const double *b);
void bicgstab_free(struct bicgstab *s);
#endif

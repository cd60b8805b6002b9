/* condition.h: the condition number of a preconditioned symmetric positive definite matrix M A. */
#ifndef POISE_CONDITION_H
#define POISE_CONDITION_H
#include <stdbool.h>
#include "solve/solver.h"
#include "solve/preconditioner.h"

/* Eigenvalues of the symmetric tridiagonal matrix with diagonal[n] and off_diagonal[n - 1]: the least (0) to the most
 * (n - 1), to the last bits, by bisection with Sturm's count (Parlett 1998, section 3.5). */
double tridiagonal_eigenvalue(const double *diagonal, const double *off_diagonal, int n, int which);

struct condition {
    double least, most;         /* eigenvalues of M A */
    int steps;                  /* of Lanczos */
    bool converged;
};

/* What the iterations of one solve by conjugate gradients have seen: extreme eigenvalues of its Lanczos matrix (Saad
 * 2003, section 6.7.3), inside the spectrum and the nearer to its ends the longer it ran.  h: solver_history(). */
struct condition condition_from_cg(const struct linear_history *h, int iterations);

/* By Lanczos on A M with every vector made orthogonal to all before (in the scalar product u.M v), from a fixed
 * start, until the residuals of both extreme Ritz pairs are below tolerance times their values, or the Krylov space
 * is full, or after max_steps.  For small matrices: it stores all vectors, twice, and takes O(n steps^2) operations
 * on the host. p: NULL for A alone; refreshed.  singular: constants are the null space; the eigenvalues are then
 * those of the rest. */
struct condition condition_by_lanczos(const struct matrix *a, struct preconditioner *p, bool singular,
                                      double tolerance, int max_steps);
#endif

/* condition.h: the condition number of a preconditioned symmetric positive definite matrix M A. */
#ifndef POISE_CONDITION_H
#define POISE_CONDITION_H
#include "solve/solver.h"

/* Eigenvalues of the symmetric tridiagonal matrix with diagonal[n] and off_diagonal[n - 1]: the least (0) to the most
 * (n - 1), to the last bits, by bisection with Sturm's count (Parlett 1998, section 3.5). */
double tridiagonal_eigenvalue(const double *diagonal, const double *off_diagonal, int n, int which);

struct condition { double least, most; };      /* eigenvalues of M A */

/* What the iterations of one solve by conjugate gradients have seen: extreme eigenvalues of its Lanczos matrix (Saad
 * 2003, section 6.7.3), inside the spectrum and the nearer to its ends the longer it ran.  h: solver_history(). */
struct condition condition_from_cg(const struct linear_history *h, int iterations);
#endif

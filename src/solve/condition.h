/* condition.h: the condition number of a preconditioned symmetric positive definite matrix M A. */
#ifndef POISE_CONDITION_H
#define POISE_CONDITION_H
#include "solve/solver.h"

/* Eigenvalues of the symmetric tridiagonal matrix with diagonal[n] and off_diagonal[n - 1], from the smallest (0) to
 * the largest (n - 1), to full precision, by bisection with Sturm's count (Parlett 1998, section 3.5). */
double tridiagonal_eigenvalue(const double *diagonal, const double *off_diagonal, int n, int which);

struct condition { double least, most; };      /* eigenvalues of M A */

/* Estimates from the iterations of one solve by conjugate gradients: extreme eigenvalues of its Lanczos matrix (Saad
 * 2003, section 6.7.3).  They lie inside the spectrum, closer to its ends the longer the solve was.  h:
 * solver_history(). */
struct condition condition_from_cg(const struct linear_history *h, int iterations);
#endif

/* ruiz.h: the Ruiz preconditioner, private to the solvers. */
#ifndef POISE_RUIZ_H
#define POISE_RUIZ_H
#include "solve/matrix.h"

/* Ruiz equilibration (Wikberg 2024, algorithm 4; Ruiz 2001): D such that the rows of D^-1 A D^-1 have 2-norm 1.
 * Conjugate gradients on the scaled matrix are the same iteration as on A with the preconditioner D D, so only that
 * diagonal is kept: weight = D D [pitch].  The deviation from 1 halves with every sweep; RUIZ_SWEEPS leave about 1e-3
 * of it, which no iteration count can distinguish from 0.  The sweeps work on squares, and roots are taken of two
 * sweeps at once, so that a matrix times a power of two gives the same bits.  scratch: [pitch]. */
enum { RUIZ_SWEEPS = 10 };
void ruiz_weight(const struct matrix *a, double *weight, double *scratch);

struct ruiz_args { struct matrix a; const double *inverse; double *out; };
KERNEL(ruiz_sweep, struct ruiz_args)                    /* one sweep on D^-2; over slices */
KERNEL(ruiz_finish, struct ruiz_args)                   /* out = 1 / inverse; over n_padded */
#endif

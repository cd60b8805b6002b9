/* triangle_pass.h: kernels of the preconditioners that are polynomials in the triangles of A = L + D + L^T:
 * neumann.c and incomplete_poisson.c.  They read the matrix as it is: an entry is of the lower triangle if its
 * column is before the row's own.  All over slices; base and in may be the same. */
#ifndef POISE_TRIANGLE_PASS_H
#define POISE_TRIANGLE_PASS_H
#include "solve/matrix.h"

struct triangle_args { struct matrix a; const double *base, *in; double *out; };
KERNEL(triangle_scale, struct triangle_args)            /* out = D^-1 in; over n_padded */
KERNEL(triangle_lower, struct triangle_args)            /* out = base - D^-1 L in */
KERNEL(triangle_upper, struct triangle_args)            /* out = base - D^-1 L^T in */
KERNEL(triangle_poisson_upper, struct triangle_args)    /* out = D^-1 (base - D^-1 L^T in) */
KERNEL(triangle_poisson_lower, struct triangle_args)    /* out = D base - L in */
#endif

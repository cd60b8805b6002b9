/* incomplete_cholesky.h: the factor of A = L D^-1 L^T - R with l_ii = d_i, L with the pattern of the lower triangle of
 * A (or of its diagonal blocks), R zero on that pattern (Meijerink & van der Vorst 1977; Gupta et al. 2011, section
 * 3.1):
 *     l_ij = a_ij - sum over k < j of l_ik l_jk / d_k,     d_i = a_ii - sum over k < i of l_ik^2 / d_k,
 * no square roots; and z = (L D^-1 L^T)^-1 r by L y = r, D^-1 L^T z = y.  Everything is on the device, in double
 * precision, with the same bits for any number of threads.  Schedules: ic_layout.h; with SWEEPS,
 *     the factor     by fixed-point sweeps from the lower triangle of A (Chow & Patel 2015; synchronous),
 *     its triangles  by Jacobi sweeps from D^-1 r, and from y (Anzt, Chow & Dongarra 2015), or
 *     isai           by their incomplete sparse approximate inverses (Anzt et al. 2018; Ma et al. 2021, scalar):
 *                    P approximates (D^-1 L)^-1: it has the pattern of L^power, and D^-1 L P = I on that pattern;
 *                    z = D^-1 P^T D P D^-1 r.  Stored as V = D (I - P): a product with P is a Jacobi sweep with V
 *                    instead of L. */
#ifndef POISE_INCOMPLETE_CHOLESKY_H
#define POISE_INCOMPLETE_CHOLESKY_H
#include <stdbool.h>
#include "solve/ic_layout.h"

#define IC_PIVOT_MESSAGE                                                                                     \
    "row %lld of %lld (from 1, as the solver orders them): the pivot of incomplete Cholesky, %.3g, is not positive"

struct incomplete_cholesky;
/* For the pattern of a.  block_rows: >= a->n for the whole triangle.  s: order, triangular, sweeps and isai_power.
 * NULL with a message: as for ic_layout_create(). */
struct incomplete_cholesky *incomplete_cholesky_create(const struct matrix *a, int32_t block_rows,
                                                       enum ic_schedule schedule, const struct linear_setting *s,
                                                       struct error *e);
/* Computes the factor of a, a matrix on that pattern.  Returns NULL, or which row has a pivot that is not positive,
 * valid until the next call. */
const char *incomplete_cholesky_factor(struct incomplete_cholesky *f, const struct matrix *a);
/* z = (L D^-1 L^T)^-1 r.  Only launches kernels. */
void incomplete_cholesky_solve(const struct incomplete_cholesky *f, const double *r, double *z);
const struct ic_plan *incomplete_cholesky_plan(const struct incomplete_cholesky *f);
void incomplete_cholesky_free(struct incomplete_cholesky *f);

struct ic_factor_args {
    struct ic_layout f;
    const double *val, *diag;   /* of the matrix */
    const double *value_in, *inverse_in;        /* values of other rows are read from these; they are the factor itself
                                                   except with SWEEPS */
    int32_t first_block;
};
struct ic_begin_args { struct ic_layout f; const double *val, *diag; };
struct ic_solve_args { struct ic_layout f; const double *right, *in; double *out, *z; int32_t first_block; };
struct ic_check_args { struct ic_layout f; const double *diag; double *bad; };
struct ic_isai_args { struct ic_layout f; struct ic_triangle lower, upper; };
KERNEL(ic_factor, struct ic_factor_args)                /* over the blocks of a launch; writes f's lower and inverse */
KERNEL(ic_begin, struct ic_begin_args)                  /* L = lower triangle of A; over its stored entries */
KERNEL(ic_begin_pivots, struct ic_begin_args)           /* D = diagonal of A; over positions */
KERNEL(ic_mirror, struct ic_layout)                     /* upper from lower; over its stored entries */
KERNEL(ic_check, struct ic_check_args)                  /* bad = 1 where the pivot is not positive, else 0 */
KERNEL(ic_isai, struct ic_isai_args)                    /* V, one column per position; over positions */
KERNEL(ic_scale, struct ic_solve_args)                  /* out = D^-1 right; over positions */
KERNEL(ic_forward, struct ic_solve_args)                /* out = D^-1 (right - L in); over the blocks of a launch */
KERNEL(ic_backward, struct ic_solve_args)               /* out and z = right - D^-1 L^T in, levels backwards */
#endif

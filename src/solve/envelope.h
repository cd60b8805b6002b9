/* envelope.h: a small symmetric positive definite matrix on the host, factored as L D L^T (Cholesky without square
 * roots) inside its envelope: row i is stored from its first entry on, and L has no entry before it (Jennings 1966).
 * LAPACK would be faster where the envelope is full, but its bits depend on the computer; these are the same
 * everywhere. */
#ifndef POISE_ENVELOPE_H
#define POISE_ENVELOPE_H
#include <stdint.h>

struct envelope {
    int32_t n;
    int32_t *first;             /* [n] first column of a row, <= the row */
    int64_t *start;             /* [n + 1] entry (i, j), j < i, is at lower[start[i] + j - first[i]] */
    double *lower, *diag;       /* the matrix, then L (unit diagonal) and D */
};

/* All entries zero.  first: [n], owned and freed by e from now on. */
void envelope_create(struct envelope *e, int32_t n, int32_t *first);
double *envelope_at(const struct envelope *e, int32_t i, int32_t j);    /* i > j, inside the envelope */
/* Factors the leading n_factored rows, in place.  Returns -1, or the first row whose pivot is not positive (apart from
 * rounding). */
int32_t envelope_factor(struct envelope *e, int32_t n_factored);
/* inverse: [ld n] the inverse of the leading n_factored rows and columns, symmetric to the last bit, zero
 * elsewhere.  ld: n rounded up to whole warps. */
void envelope_inverse(const struct envelope *e, int32_t n_factored, double *inverse, int64_t ld);
void envelope_free(struct envelope *e);
#endif

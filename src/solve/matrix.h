/* matrix.h: a sparse matrix: a pattern, and values on it. */
#ifndef POISE_MATRIX_H
#define POISE_MATRIX_H
#include "solve/pattern.h"

/* The members of every matrix; the C type of its values is their precision, so that no kernel is handed the wrong one. */
#define MATRIX_MEMBERS(real)                                                                                 \
    struct pattern p;                                                                                        \
    real *val;                  /* [n_stored] */                                                             \
    real *diag                  /* [n_padded] */

/* In double precision.  What kernels see; pointers into the machine's memory. */
struct matrix { MATRIX_MEMBERS(double); };

/* Values of its own on the pattern: val zero, diag one.  matrix_free() leaves the pattern alone. */
void matrix_create(struct matrix *a, const struct pattern *p);
void matrix_free(struct matrix *a);
/* The same with a pattern of its own, for a matrix that stands alone: arguments as in pattern_create(). */
void matrix_create_alone(struct matrix *a, int32_t n, const int64_t *start, const int32_t *column, int64_t *place);
void matrix_free_alone(struct matrix *a);
/* The matrix on the host, in CSR: the diagonal first in each row, then the columns in the order in which they are stored
 * (zeros between them too).  start: [n + 1]; all three are the caller's to free. */
void matrix_download(const struct matrix *a, int64_t **start, int32_t **column, double **value);
/* Bytes that one product with this matrix moves at the least: entries, diagonal, x once, y once. */
int64_t matrix_bytes(const struct matrix *a);
/* y = A x, [n_padded] each, one launch. */
void matrix_product(const struct matrix *a, const double *x, double *y);

struct matrix_product_args { struct matrix a; const double *x; double *y; };
KERNEL(matrix_multiply, struct matrix_product_args)     /* over slices; private to matrix.c */
#endif

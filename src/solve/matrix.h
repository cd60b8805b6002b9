/* matrix.h: a sparse matrix: a pattern and values. */
#ifndef POISE_MATRIX_H
#define POISE_MATRIX_H
#include "solve/pattern.h"

/* The members of every matrix.  The C type of its values is the precision, so that no kernel receives the wrong one.
 *
 * An entry is a square of block x block numbers, 1 x 1 unless stated otherwise.  Those of 32 consecutive entries are
 * stored component after component, so that a warp reads them contiguously: with lane = at % WARP, component (i, j) of
 *     the entry that is stored at `at`      val[(at - lane) block^2 + (i block + j) WARP + lane],
 *     the diagonal of row `at`              diag[ the same ].
 * Component i of row r of a vector is at [i pitch + r]. */
#define MATRIX_MEMBERS(real)                                                                                 \
    struct pattern p;                                                                                        \
    int32_t block;              /* 1 .. MOST_BLOCK */                                                        \
    real *val;                  /* [n_stored block^2] */                                                     \
    real *diag                  /* [n_padded block^2] */
enum { MOST_BLOCK = 5 };
/* Position of number e = i block + j of an entry; square: block^2. */
static inline int64_t matrix_at(int64_t at, int e, int square)
{
    return (at - at % WARP) * square + (int64_t)e * WARP + at % WARP;
}

/* Blocks with one number a for all unknowns except the last, whose row and column are equal: the contribution of a face
 * with interpolated velocity and pressure.  Off-diagonal blocks
 *     | a      g0 |                              as n + 1 numbers a, g0 .. , c, laid out like those of whole blocks:
 *     |    a   g1 |  n x n, here 3 x 3,          number k of the entry at `at` is val[matrix_at(at, k, n + 1)].
 *     | g0 g1  c  |
 * Diagonal blocks are stored in full.  Everything is in single precision, the diagonal together with its row sums, as
 * multigrid needs them (level_matrix, aggregate.h). */
struct arrow_blocks { float *val, *diag, *excess; };
/* Index of number i n + j of such a block among the n + 1; -1: it is 0. */
#define ARROW_NUMBER(e, n)                                                                                   \
    ((e) / (n) == (e) % (n) ? ((e) / (n) == (n) - 1 ? (n) : 0)                                               \
                            : (e) % (n) == (n) - 1 ? 1 + (e) / (n) : (e) / (n) == (n) - 1 ? 1 + (e) % (n) : -1)

/* In double precision, or arrow.val is set and val and diag are NULL.  What kernels see; pointers to device memory. */
struct matrix { MATRIX_MEMBERS(double); struct arrow_blocks arrow; };

/* Allocates values on the pattern: val zero, diag one.  matrix_free() does not free the pattern. */
void matrix_create(struct matrix *a, const struct pattern *p);
void matrix_create_blocks(struct matrix *a, const struct pattern *p, int block);
/* With arrow blocks of 3 or 4 rows, all zero: for multigrid or no preconditioner. */
void matrix_create_arrow(struct matrix *a, const struct pattern *p, int block);
void matrix_free(struct matrix *a);
/* The same with a pattern of its own; arguments as in pattern_create(). */
void matrix_create_alone(struct matrix *a, int32_t n, const int64_t *start, const int32_t *column, int64_t *place);
void matrix_free_alone(struct matrix *a);
/* The matrix on the host, in CSR: the diagonal first in each row, then the columns in the order in which they are
 * stored (including stored zeros), each block row by row.  start: [n + 1]; the caller frees all three. */
void matrix_download(const struct matrix *a, int64_t **start, int32_t **column, double **value);
/* The least number of bytes that one product with this matrix moves: entries, diagonal, x once, y once. */
int64_t matrix_bytes(const struct matrix *a);
/* y = A x; [block pitch] each, one launch. */
void matrix_product(const struct matrix *a, const double *x, double *y);

/* The inverses of the diagonal blocks, [n_padded block^2], stored like these; NULL: not wanted.  Returns the first row
 * of this rank whose block is singular up to rounding; -1: none.  bad: [n_padded], scratch.  Waits. */
int32_t matrix_invert_diagonal(const struct matrix *a, double *inverse, double *bad);
/* y = W x with a block for each row, stored as the diagonal is; x, y [block pitch], one launch. */
void matrix_scale(const struct matrix *a, const double *w, const double *x, double *y);

struct matrix_product_args { struct matrix a; const double *x; double *y; };
struct matrix_invert_args { struct matrix a; double *inverse, *bad; };
struct matrix_scale_args { const double *w, *x; double *y; int64_t pitch; int32_t block; };
KERNEL(matrix_multiply, struct matrix_product_args)     /* these are private to matrix.c; over slices */
KERNEL(matrix_multiply_blocks, struct matrix_product_args)      /* over slices */
KERNEL(matrix_multiply_arrow, struct matrix_product_args)       /* over slices */
KERNEL(matrix_invert_blocks, struct matrix_invert_args)         /* bad: is the block singular?; these over n_padded */
KERNEL(matrix_scale_blocks, struct matrix_scale_args)
KERNEL(matrix_identity, struct matrix)                  /* diag = 1 */
#endif

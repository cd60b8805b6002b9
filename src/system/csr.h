/* csr.h: sparse rows on the host, of numbers or of blocks, and what is done with them before they are a linear
 * system. */
#ifndef POISE_SYSTEM_CSR_H
#define POISE_SYSTEM_CSR_H
#include <stdbool.h>
#include <stdint.h>

/* n rows and columns of blocks of block x block numbers (0: 1), each block row by row; the arrays belong to it. */
struct csr { int32_t n; int block; int64_t *start; int32_t *column; double *value; };

static inline int csr_square(const struct csr *a) { return a->block > 1 ? a->block * a->block : 1; }
/* Rows become columns, the blocks themselves are left as they are; the rows of the result have their columns in
 * ascending order. */
struct csr csr_transpose(const struct csr *a);
/* Equal places of rows in ascending order are summed; zeros away from the diagonal go, whole blocks of zeros stay. */
void csr_compress(struct csr *a);
/* Rows without an entry on the diagonal get one, zero, at their end. */
void csr_complete(struct csr *a);
/* The diagonal, which every row has, before the others. */
void csr_diagonal_first(struct csr *a);
/* Rows of `block` consecutive rows each, with a block wherever one of its entries is and on the diagonal, which comes
 * first; the other columns ascend.  n is a multiple of block; a: of numbers. */
struct csr csr_regroup(const struct csr *a, int block);
/* The columns of row i without i itself, and the rows that have i in a column: ascending, each once. */
void csr_graph(const struct csr *a, int64_t **start, int32_t **column);
void csr_free(struct csr *a);
#endif

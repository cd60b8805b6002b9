/* csr.h: sparse matrices on the host, of numbers or of blocks, and operations on them before they become a linear
 * system. */
#ifndef POISE_SYSTEM_CSR_H
#define POISE_SYSTEM_CSR_H
#include <stdbool.h>
#include <stdint.h>

/* n rows and columns of blocks of block x block numbers (0: 1), each block stored row by row; owns its arrays. */
struct csr { int32_t n; int block; int64_t *start; int32_t *column; double *value; };

static inline int csr_square(const struct csr *a) { return a->block > 1 ? a->block * a->block : 1; }
/* Transposes the pattern without transposing the blocks; the columns of the result are in ascending order. */
struct csr csr_transpose(const struct csr *a);
/* Sorts the columns of each row and sums duplicates; off-diagonal zeros are removed, whole blocks of zeros are kept. */
void csr_compress(struct csr *a);
/* Appends a zero to rows without a diagonal entry. */
void csr_complete(struct csr *a);
/* Moves the diagonal, which every row has, to the front. */
void csr_diagonal_first(struct csr *a);
/* Combines every `block` consecutive rows, with a block wherever it has an entry and on the diagonal, which comes
 * first; the other columns ascend.  n is a multiple of block; a has single numbers. */
struct csr csr_regroup(const struct csr *a, int block);
void csr_free(struct csr *a);
#endif

/* overlap.h: a rank's overlapped block: its own rows and, behind them, those of other ranks that it reaches in a few
 * steps along the matrix's entries, with all entries between these rows.  It is a matrix of this rank alone, whose
 * vectors no other rank sees. */
#ifndef POISE_OVERLAP_H
#define POISE_OVERLAP_H
#include "solve/matrix.h"

struct overlap;
/* layers: steps.  All ranks together, as below. */
struct overlap *overlap_create(const struct matrix *a, int layers);
/* The block; the columns of its rows are in the order of all ranks' rows. */
const struct matrix *overlap_matrix(const struct overlap *o);
/* Fetches the values that a has now. */
void overlap_refresh(struct overlap *o, const struct matrix *a);
/* r of the pattern of a to r of the block, with other ranks' rows; launches and messages, for graphs too. */
void overlap_extend(const struct overlap *o, const double *r, double *extended);
/* Back, of this rank's rows alone; likewise. */
void overlap_restrict(const struct overlap *o, const double *extended, double *r);
void overlap_free(struct overlap *o);

/* Kernels, private to overlap.c and overlap.cu.  Value i is from[i]: -1 - row: that diagonal of a; below a's n_stored:
 * the entry stored there; then the number of one received; OVERLAP_NONE: zero. */
#define OVERLAP_NONE INT64_MAX
struct overlap_args { struct matrix a; const double *received; const int64_t *from; double *to; };
KERNEL(overlap_pack, struct overlap_args)       /* one value after the other, as they are sent */
KERNEL(overlap_take, struct overlap_args)       /* as a matrix has them (matrix_at()) */
#endif

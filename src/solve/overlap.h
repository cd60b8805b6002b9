/* overlap.h: a rank's overlapped block: its own rows, followed by those of other ranks within a few steps along the
 * matrix's entries, with all entries between these rows.  It is a matrix of this rank alone, whose vectors have no
 * ghosts. */
#ifndef POISE_OVERLAP_H
#define POISE_OVERLAP_H
#include "solve/matrix.h"

struct overlap;
/* layers: number of steps.  All ranks together, as for the functions below. */
struct overlap *overlap_create(const struct matrix *a, int layers);
/* The block; the columns of its rows are sorted in the order of all ranks' rows. */
const struct matrix *overlap_matrix(const struct overlap *o);
/* Fetches the current values of a. */
void overlap_refresh(struct overlap *o, const struct matrix *a);
/* Copies r from the pattern of a to the block, with other ranks' rows; launches and messages, also inside graphs. */
void overlap_extend(const struct overlap *o, const double *r, double *extended);
/* Copies back, only this rank's rows; likewise. */
void overlap_restrict(const struct overlap *o, const double *extended, double *r);
void overlap_free(struct overlap *o);

/* Kernels, private to overlap.c and overlap.cu.  Source from[i] of value i: -1 - row: that diagonal of a; less than a's
 * n_stored: the entry stored there; larger: the number of a received one; OVERLAP_NONE: zero. */
#define OVERLAP_NONE INT64_MAX
struct overlap_args { struct matrix a; const double *received; const int64_t *from; double *to; };
KERNEL(overlap_pack, struct overlap_args)       /* packs values contiguously for sending */
KERNEL(overlap_take, struct overlap_args)       /* in the layout of a matrix (matrix_at()) */
#endif

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
#endif

/* subdomains.h: which rows of a matrix share a deflation vector (deflation.h). */
#ifndef POISE_SUBDOMAINS_H
#define POISE_SUBDOMAINS_H
#include "solve/linear_setting.h"
#include "solve/matrix.h"

enum { MOST_DOMAINS = 4096 };

/* domain[i] (host, [n]) = subdomain of row i.  Returns the number of subdomains, none of them empty; 0 with a message
 * if there are none.  By s->deflation, s->deflation_vectors of them unless the matrix has fewer:
 *   stripes     equally many consecutive rows each: layers of a grid that is numbered line by line
 *   blocks      consecutive whole slices of SLICE rows: blocks of a matrix in Hilbert or METIS order
 *   metis       METIS parts of the matrix graph
 *   level-set   connected rows of one phase: every bubble, and every region between; if there are more than
 *               deflation_vectors, the largest, and the rest combined.  phase: [n] on the host, any numbers; NULL:
 *               taken from the values that the matrix has now, a phase ends where the diagonal jumps by a factor JUMP
 *   jumps       connected rows without the entries that cross a jump: those under a hundredth of the largest one of
 *               either row, in the values that the matrix has now; more than deflation_vectors: rejected
 *   level-set-blocks    level-set, the regions divided into runs of rows of about equal length (Tang &
 *               Vuik 2007, subdomain-levelset deflation) */
#define JUMP 4.0
int32_t subdomains(const struct matrix *a, const struct linear_setting *s, const int32_t *phase, int32_t *domain,
                   struct error *e);
#endif

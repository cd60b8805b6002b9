/* deflation.h: conjugate gradients deflated by constants on subdomains (Vuik, Segal & Meijerink 1999; Gupta, van
 * Gijzen & Vuik 2011, section 4 and algorithm 1).  Column k of Z is 1 on the rows of subdomain k and 0 elsewhere;
 *     E = Z^T A Z,   Q = Z E^-1 Z^T,   P = I - A Q.
 * CG iterates on P A, from a first guess and to a solution that Q has corrected: x + Q (b - A x) = Q b + P^T x.
 *
 * A Z is stored by rows as differences between subdomains: with s_i the sum of row i of A,
 *     (A Z y)_i = s_i y_own + sum over the row's other subdomains d of (A Z)_id (y_d - y_own),
 * so a warp of rows without neighbours in another subdomain costs nothing where its rows add up to zero, and a singular
 * A has A Z 1 = 0 to the last bit.  E is summed on the machine, factored on the host (envelope.h), solved on the
 * machine.  In a singular system (constants) one vector is left out: the others give the same P (Tang & Vuik 2007). */
#ifndef POISE_DEFLATION_H
#define POISE_DEFLATION_H
#include <stdbool.h>
#include "solve/linear_setting.h"
#include "gpu/sums.h"
#include "solve/matrix.h"

struct deflation;
/* domain[i] (host, [n], copied): subdomain of row i, 0 .. n_domains - 1 < MOST_DOMAINS (subdomains.h), none empty.
 * For the pattern of a, which must outlive it; values are not looked at. */
struct deflation *deflation_create(const struct matrix *a, const struct linear_setting *s, const int32_t *domain,
                                   int32_t n_domains, bool singular);
/* For these values on the pattern (waits).  NULL, or why they do not suit, valid until the next call. */
const char *deflation_refresh(struct deflation *d, const struct matrix *a);
/* The rest launches only, after deflation_refresh(); vectors are [pitch] on the machine, zero in the padding.
 * v = P v.  p.v after the projection becomes number 0 of pv, to be finished.  done: nothing is done when *done, or
 * NULL. */
void deflation_project(struct deflation *d, double *v, const double *p, const struct sums *pv, const int32_t *done);
/* x += Q (b - A x).  before: gets the square of the residual b - A x of the x that was given, on the machine.  q, r,
 * number 0 of scratch: scratch. */
void deflation_correct(struct deflation *d, double *x, const double *b, double *q, double *r,
                       const struct sums *scratch, double *before);
int32_t deflation_vectors(const struct deflation *d);
void deflation_free(struct deflation *d);
#endif

/* deflation.h: conjugate gradients deflated by constants on subdomains (Vuik, Segal & Meijerink 1999; Gupta, van Gijzen
 * & Vuik 2011, section 4 and algorithm 1).  Column k of Z is 1 on the rows of subdomain k and 0 elsewhere;
 *     E = Z^T A Z,   Q = Z E^-1 Z^T,   P = I - A Q.
 * CG iterates on P A; Q corrects both the initial guess and the solution: x + Q (b - A x) = Q b + P^T x.
 *
 * A Z is stored by rows as differences between subdomains: with s_i the sum of row i of A,
 *     (A Z y)_i = s_i y_own + sum over the row's other subdomains d of (A Z)_id (y_d - y_own),
 * so a warp of rows without neighbours in another subdomain costs nothing if its rows sum to zero, and a singular A has
 * A Z 1 = 0 to the last bit.  E is summed on the device, factored on the host (envelope.h), and solved on the device.
 * In a singular system (constants) one vector is omitted: the others give the same P (Tang & Vuik 2007). */
#ifndef POISE_DEFLATION_H
#define POISE_DEFLATION_H
#include <stdbool.h>
#include "solve/linear_setting.h"
#include "gpu/sums.h"
#include "solve/matrix.h"

struct deflation;
/* domain[i] (host, [n], copied): subdomain of row i, 0 .. n_domains - 1 < MOST_DOMAINS (subdomains.h), none empty.  For
 * the pattern of a, which must outlive it; values are not read. */
struct deflation *deflation_create(const struct matrix *a, const struct linear_setting *s, const int32_t *domain,
                                   int32_t n_domains, bool singular);
/* Computes E and A Z for new values on the pattern (waits).  Returns NULL, or why they are unsuitable, valid until the
 * next call. */
const char *deflation_refresh(struct deflation *d, const struct matrix *a);
/* The other functions only launch kernels, after deflation_refresh(); vectors are [pitch] on the device, zero in the
 * padding.
 * v = P v.  The partial sums of p.v after the projection become number 0 of pv, before sums_finish().  Does nothing if
 * done is not NULL and *done is set. */
void deflation_project(struct deflation *d, double *v, const double *p, const struct sums *pv, const int32_t *done);
/* x += Q (b - A x).  before: receives the square of the residual b - A x of the given x, on the device.  q, r and
 * number 0 of `scratch` are scratch. */
void deflation_correct(struct deflation *d, double *x, const double *b, double *q, double *r,
                       const struct sums *scratch, double *before);
int32_t deflation_vectors(const struct deflation *d);
void deflation_free(struct deflation *d);
#endif

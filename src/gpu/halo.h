/* halo.h: the one door for values of rows that other ranks have.
 *
 * A rank has its own rows, n_padded of them with the padding, and behind them in every component of a vector room for
 * copies of the rows of other ranks that its own have as neighbours; so components are pitch >= n_padded apart
 * (solve/pattern.h).  Columns may point at these copies, but no kernel writes them: halo_update() fetches them.
 *
 * The rule: whoever launches a kernel that reads a vector at neighbours (COLUMN(), AT_COLUMN(), owner[] and neighbour[] of
 * a face) calls halo_update() for it before, unless nothing has written it since the last time.  An update between two
 * kernels may be recorded in a graph with them.
 *
 * There is one rank so far: its halo is NULL, and the call is a test of a pointer. */
#ifndef POISE_HALO_H
#define POISE_HALO_H
#include <stddef.h>

/* Which rows go to which rank, and where what comes from there is put; NULL: there is no other rank. */
struct halo;

/* Each of the components, [pitch] numbers of so many bytes, on the machine. */
void halo_exchange(const struct halo *h, void *x, int components, size_t size);

static inline void halo_update(const struct halo *h, double *x, int components)
{
    if (h) halo_exchange(h, x, components, sizeof *x);
}
static inline void halo_update_single(const struct halo *h, float *x, int components)
{
    if (h) halo_exchange(h, x, components, sizeof *x);
}
#endif

/* halo.h: the one door for values of rows that other ranks have.
 *
 * A rank has its own rows, n_padded of them with the padding, and behind them in every component of a vector room for
 * copies of the rows of other ranks that its own have as neighbours; so components are pitch >= n_padded apart
 * (solve/pattern.h).  Columns may point at these copies, but no kernel writes them: halo_update() fetches them.
 *
 * The rule: whoever launches a kernel that reads an array of rows or cells at neighbours (COLUMN(), AT_COLUMN(),
 * STAGE(), owner[] and neighbour[] of a face, near[] and wall_neighbour[] cells, columns of fits) calls halo_update() for
 * that array before, unless nothing has written it since the last time.  A call between two kernels may be recorded in a graph with them.
 *
 * There is one rank so far: its halo is NULL, and the call is the test of a pointer. */
#ifndef POISE_HALO_H
#define POISE_HALO_H
#include <stddef.h>
#include <stdint.h>

/* Which rows go to which rank, and where what comes from there is put; NULL: there is no other rank. */
struct halo;

/* x: [components pitch] of numbers of so many bytes, on the machine.  The rank's own rows stay as they are. */
void halo_exchange(const struct halo *h, const void *x, int components, size_t size);

static inline void halo_update(const struct halo *h, const double *x, int components)
{
    if (h) halo_exchange(h, x, components, sizeof *x);
}
/* In single precision. */
static inline void halo_update_single(const struct halo *h, const float *x, int components)
{
    if (h) halo_exchange(h, x, components, sizeof *x);
}
/* Of whole numbers, one component. */
static inline void halo_update_whole(const struct halo *h, const int32_t *x)
{
    if (h) halo_exchange(h, x, 1, sizeof *x);
}
#endif

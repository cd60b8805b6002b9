/* halo.h: the only way to get values of rows that belong to other ranks (processes that share a mesh).
 *
 * A rank has its own rows, n_padded of them with the padding.  They are followed, in every component of a vector, by
 * ghosts: copies of rows of other ranks that are neighbours of its own; so the pitch between components is at least
 * n_padded (solve/pattern.h).  Columns of a matrix may refer to ghosts.  Kernels read them and never write them;
 * halo_update() fetches them.
 *
 * The rule: before launching a kernel that reads an array of rows or cells at neighbours (COLUMN(), AT_COLUMN(),
 * STAGE(), owner[] and neighbour[] of a face, near[] and wall_neighbour[] cells, columns of fits), call halo_update()
 * for that array, unless it has not been written since the last call.  A call between two kernels may be recorded in a
 * graph with them.  In builds with GHOSTS=nan a missing call results in NaN (stale.h).
 *
 * With one rank the halo is NULL, and a call costs one test of a pointer.  With several ranks all of them make the
 * call: a kernel packs the rows to send, and one message goes to every neighbouring rank, in the order of the row
 * numbers. */
#ifndef POISE_HALO_H
#define POISE_HALO_H
#include <stddef.h>
#include <stdint.h>
#include "gpu/ranks.h"

/* Which rows are sent to which rank, and where received rows are stored; NULL: there is only one rank. */
struct halo;

/* For rows numbered over all ranks, those of a rank from first[rank] on ([ranks + 1], as from ranks_first()): fetches
 * the n_wanted rows `wanted` of other ranks, in ascending order, into the places from `place` on of every component of
 * a vector of this pitch.  components: the most that one call fetches, of 8 bytes.  Called by all ranks together, each
 * with its own rows; NULL with one rank. */
struct halo *halo_create(const int64_t *first, const int32_t *wanted, int32_t n_wanted, int64_t place, int64_t pitch,
                         int components);
/* The same with a place for each row: wanted[i] is stored at place[i]. */
struct halo *halo_create_at(const int64_t *first, const int32_t *wanted, const int32_t *place, int32_t n_wanted,
                            int64_t pitch, int components);
/* The first step: finds the ranks that this one sends to and receives from, counted in rows, and the rows of this rank,
 * numbered from 0, that they receive.  The caller frees the arrays. */
struct ranks_peers halo_peers(const int64_t *first, const int32_t *wanted, int32_t n_wanted, int32_t **row);
void halo_free(struct halo *h);
int64_t halo_rows(const struct halo *h);       /* number of rows that it fetches */

/* Fetches the ghosts of one component of x contiguously into the separate array `to`. */
void halo_bring(const struct halo *h, const double *x, double *to);
/* x: [components pitch] numbers of `size` bytes, on the device.  The rank's own rows are unchanged. */
void halo_exchange(const struct halo *h, const void *x, int components, size_t size);

static inline void halo_update(const struct halo *h, const double *x, int components)
{
    if (h) halo_exchange(h, x, components, sizeof *x);
}
/* Several vectors in one message: halo_update_together(h, {x, components}, {y, 1}, ...); NULL vectors are skipped.  Up
 * to 6 vectors, with at most as many components in total as the halo was created for. */
struct halo_part { const double *x; int components; };
void halo_exchange_together(const struct halo *h, const struct halo_part *part, int n_parts);
#define halo_update_together(h, ...)                                                                         \
    do if (h)                                                                                                \
        halo_exchange_together(h, (const struct halo_part[]){__VA_ARGS__},                                   \
                               sizeof((const struct halo_part[]){__VA_ARGS__}) / sizeof(struct halo_part));  \
    while (0)
/* In single precision. */
static inline void halo_update_single(const struct halo *h, const float *x, int components)
{
    if (h) halo_exchange(h, x, components, sizeof *x);
}
/* The same for one component [pitch] on the host, by way of the device. */
void halo_update_host(const struct halo *h, void *x, size_t size);
/* For int32_t, one component. */
static inline void halo_update_whole(const struct halo *h, const int32_t *x)
{
    if (h) halo_exchange(h, x, 1, sizeof *x);
}
#endif

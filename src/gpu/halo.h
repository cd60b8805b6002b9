/* halo.h: the one way to get values of rows that belong to other ranks (processes that share a mesh).
 *
 * A rank has its own rows, n_padded of them with the padding.  Behind them every component of a vector has room for
 * copies of those rows of other ranks that are neighbours of its own; so components are pitch >= n_padded numbers
 * apart (solve/pattern.h).  Columns of a matrix may point at these copies.  Kernels read them and never write them;
 * halo_update() fetches them.
 *
 * The rule: whoever launches a kernel that reads an array of rows or cells at neighbours (COLUMN(), AT_COLUMN(),
 * STAGE(), owner[] and neighbour[] of a face, near[] and wall_neighbour[] cells, columns of fits) calls halo_update()
 * for that array before, unless nothing has written it since the last time.  A call between two kernels may be recorded
 * in a graph with them.  In builds with GHOSTS=nan a call that is missing gives NaN (stale.h).
 *
 * Of one rank the halo is NULL, and a call costs the test of a pointer.  Of several a call is made by all ranks: a
 * kernel packs what goes out, one message goes to every rank that is a neighbour, in the order of the rows' numbers. */
#ifndef POISE_HALO_H
#define POISE_HALO_H
#include <stddef.h>
#include <stdint.h>
#include "gpu/ranks.h"

/* Which rows go to which rank, and where what comes from there is put; NULL: there is no other rank. */
struct halo;

/* For rows that are numbered over all ranks, those of a rank one after the other from first[rank] on ([ranks + 1], as
 * ranks_first() makes it): fetches the n_wanted rows `wanted` of other ranks, which ascend, and puts them at `place`
 * and behind it into every component of a vector of this pitch.  components: the most that one call fetches, of 8
 * bytes. All ranks together, each with rows of its own choice; NULL where there is one rank. */
struct halo *halo_create(const int64_t *first, const int32_t *wanted, int32_t n_wanted, int64_t place, int64_t pitch,
                         int components);
/* The same for rows that do not stand side by side: row wanted[i] at place[i]. */
struct halo *halo_create_at(const int64_t *first, const int32_t *wanted, const int32_t *place, int32_t n_wanted,
                            int64_t pitch, int components);
/* What it finds out first: the ranks that it sends to and receives from, counted in rows, and the rows of this rank,
 * from 0, that they are sent.  All arrays are the caller's to free. */
struct ranks_peers halo_peers(const int64_t *first, const int32_t *wanted, int32_t n_wanted, int32_t **row);
void halo_free(struct halo *h);
int64_t halo_rows(const struct halo *h);       /* that it fetches */

/* One component of x, whose rows of other ranks come to `to`, side by side, and not behind its own. */
void halo_bring(const struct halo *h, const double *x, double *to);
/* x: [components pitch] numbers of `size` bytes, on the machine.  The rank's own rows stay as they are. */
void halo_exchange(const struct halo *h, const void *x, int components, size_t size);

static inline void halo_update(const struct halo *h, const double *x, int components)
{
    if (h) halo_exchange(h, x, components, sizeof *x);
}
/* Several vectors in one message: halo_update_together(h, {x, components}, {y, 1}, ...); those that are NULL are left
 * out.  Up to 6, of at most as many components together as the halo was made for. */
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
/* Of whole numbers, one component. */
static inline void halo_update_whole(const struct halo *h, const int32_t *x)
{
    if (h) halo_exchange(h, x, 1, sizeof *x);
}
#endif

/* halo_kernels.h: private to halo.c and halo.cu: between vectors [components pitch] and messages [rows components]. */
#ifndef POISE_HALO_KERNELS_H
#define POISE_HALO_KERNELS_H
#include "gpu/kernel.h"

enum { MOST_TOGETHER = 6 };             /* vectors in one message */
/* row: [rows] of the vectors; NULL: contiguous from `place` on.  A message contains the components of vector 0, then
 * those of vector 1, ...: vector v from component first[v] on; components: the total. */
struct halo_args {
    void *x[MOST_TOGETHER], *message;
    const int32_t *row;
    int64_t place, pitch;
    int32_t first[MOST_TOGETHER], n_vectors, components;
};
/* For number i of a message: its vector *v, and the returned index in that vector. */
ON_DEVICE int64_t halo_place(const struct halo_args *a, int64_t i, int *v)
{
    const int64_t row = a->components == 1 ? i : i / a->components;
    const int32_t component = (int32_t)(i - row * a->components);
    int k = a->n_vectors - 1;
    while (component < a->first[k]) k--;
    *v = k;
    return (component - a->first[k]) * a->pitch + (a->row ? a->row[row] : a->place + row);
}

/* The whole exchange in one launch (ranks_halo_kernel()), over the 8-byte words of the longest message that a rank
 * receives: rows are sent from where `out` says, and received rows are stored where `in` says; neither has a message
 * buffer.  Of the rows to send, the n rows from `from` on go to this rank, which receives them as numbers `at` and
 * following; own_n rows of that rank are received as numbers own_at and following, and stored in the places from
 * own_from on.  What a rank sends begins at an even number, so that rows of 4 bytes travel in pairs. */
struct halo_peer { int32_t rank; uint32_t n, from, at, own_n, own_from, own_at; };
struct halo_stores_args { struct halo_args out, in; const struct halo_peer *peer; int64_t n_peers; };

/* Launched over the numbers of the message; for types of 8 and 4 bytes. */
KERNEL(halo_pack_double, struct halo_args)
KERNEL(halo_pack_single, struct halo_args)
KERNEL(halo_unpack_double, struct halo_args)
KERNEL(halo_unpack_single, struct halo_args)
#endif

/* halo_kernels.h: private to halo.c and halo.cu: between vectors [components pitch] and messages [rows components]. */
#ifndef POISE_HALO_KERNELS_H
#define POISE_HALO_KERNELS_H
#include "gpu/kernel.h"

enum { MOST_TOGETHER = 6 };             /* vectors in one message */
/* row: [rows] of the vectors; NULL: those from `place` on, one after the other.  A message has the components of
 * vector 0, then those of vector 1, ...: vector v from component first[v] on; components: of all. */
struct halo_args {
    void *x[MOST_TOGETHER], *message;
    const int32_t *row;
    int64_t place, pitch;
    int32_t first[MOST_TOGETHER], n_vectors, components;
};
/* Number i of a message: the vector that it is of, *v, and where it stands in that. */
ON_DEVICE int64_t halo_place(const struct halo_args *a, int64_t i, int *v)
{
    const int64_t row = a->components == 1 ? i : i / a->components;
    const int32_t component = (int32_t)(i - row * a->components);
    int k = a->n_vectors - 1;
    while (component < a->first[k]) k--;
    *v = k;
    return (component - a->first[k]) * a->pitch + (a->row ? a->row[row] : a->place + row);
}

/* All of it in one launch (ranks_halo_kernel()), over the words of 8 bytes of the longest message that a rank gets:
 * rows go to peers from where `out` says, and those that come are put where `in` says; neither has a message.  Of those
 * that are sent the n rows from `from` on go to this rank, where they come as number `at` and behind; own_n of it come
 * here as number own_at and behind, and are put into the places from own_from on.  What comes from a rank begins at an
 * even number, so that rows of 4 bytes go two in a word. */
struct halo_peer { int32_t rank; uint32_t n, from, at, own_n, own_from, own_at; };
struct halo_stores_args { struct halo_args out, in; const struct halo_peer *peer; int64_t n_peers; };

/* Over the numbers of the message; of 8 and of 4 bytes, whatever they mean. */
KERNEL(halo_pack_double, struct halo_args)
KERNEL(halo_pack_single, struct halo_args)
KERNEL(halo_unpack_double, struct halo_args)
KERNEL(halo_unpack_single, struct halo_args)
#endif

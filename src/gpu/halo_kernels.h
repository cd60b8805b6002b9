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
/* Over the numbers of the message; of 8 and of 4 bytes, whatever they mean. */
KERNEL(halo_pack_double, struct halo_args)
KERNEL(halo_pack_single, struct halo_args)
KERNEL(halo_unpack_double, struct halo_args)
KERNEL(halo_unpack_single, struct halo_args)
#endif

/* halo_kernels.h: private to halo.c and halo.cu: between vectors [components pitch] and messages [rows components]. */
#ifndef POISE_HALO_KERNELS_H
#define POISE_HALO_KERNELS_H
#include "gpu/kernel.h"

/* row: [rows] of the vector; NULL: those from `place` on, one after the other. */
struct halo_args { void *x, *message; const int32_t *row; int64_t place, pitch; int32_t components; };
/* Over the numbers of the message; of 8 and of 4 bytes, whatever they mean. */
KERNEL(halo_pack_double, struct halo_args)
KERNEL(halo_pack_single, struct halo_args)
KERNEL(halo_unpack_double, struct halo_args)
KERNEL(halo_unpack_single, struct halo_args)
#endif

#include "gpu/halo_kernels.h"

/* Where number i of a message stands in the vector. */
ON_DEVICE int64_t place_of(const struct halo_args *a, int64_t i)
{
    int64_t r = i / a->components, c = i % a->components;
    return c * a->pitch + (a->row ? a->row[r] : a->place + r);
}

INDEX_KERNEL(halo_pack_double, struct halo_args) { ((int64_t *)a->message)[i] = ((int64_t *)a->x)[place_of(a, i)]; }
INDEX_KERNEL(halo_pack_single, struct halo_args) { ((int32_t *)a->message)[i] = ((int32_t *)a->x)[place_of(a, i)]; }
INDEX_KERNEL(halo_unpack_double, struct halo_args) { ((int64_t *)a->x)[place_of(a, i)] = ((int64_t *)a->message)[i]; }
INDEX_KERNEL(halo_unpack_single, struct halo_args) { ((int32_t *)a->x)[place_of(a, i)] = ((int32_t *)a->message)[i]; }

#include "gpu/halo_kernels.h"

/* Number i of a message: the vector that it is of, and where it stands in that. */
#define VECTOR(v, at)                                                                                        \
    int64_t row = i / a->components, at = i % a->components;                                                 \
    int v = a->n_vectors - 1;                                                                                \
    while (at < a->first[v]) v--;                                                                            \
    at = (at - a->first[v]) * a->pitch + (a->row ? a->row[row] : a->place + row);

#define PACK(type) { VECTOR(v, at) ((type *)a->message)[i] = ((type *)a->x[v])[at]; }
#define UNPACK(type) { VECTOR(v, at) ((type *)a->x[v])[at] = ((type *)a->message)[i]; }
INDEX_KERNEL(halo_pack_double, struct halo_args) PACK(int64_t)
INDEX_KERNEL(halo_pack_single, struct halo_args) PACK(int32_t)
INDEX_KERNEL(halo_unpack_double, struct halo_args) UNPACK(int64_t)
INDEX_KERNEL(halo_unpack_single, struct halo_args) UNPACK(int32_t)

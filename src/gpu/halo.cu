/* Kernels that pack and unpack messages between ranks (halo_kernels.h). */
#include "gpu/halo_kernels.h"

#define PACK(type)                                                                                           \
    {                                                                                                        \
        int v;                                                                                               \
        int64_t at = halo_place(a, i, &v);                                                                   \
        ((type *)a->message)[i] = ((type *)a->x[v])[at];                                                     \
    }
#define UNPACK(type)                                                                                         \
    {                                                                                                        \
        int v;                                                                                               \
        int64_t at = halo_place(a, i, &v);                                                                   \
        ((type *)a->x[v])[at] = ((type *)a->message)[i];                                                     \
    }
INDEX_KERNEL(halo_pack_double, struct halo_args) PACK(int64_t)
INDEX_KERNEL(halo_pack_single, struct halo_args) PACK(int32_t)
INDEX_KERNEL(halo_unpack_double, struct halo_args) UNPACK(int64_t)
INDEX_KERNEL(halo_unpack_single, struct halo_args) UNPACK(int32_t)

#include "solve/regroup_kernels.h"

ON_DEVICE int64_t number_at(const struct regroup_args *a, int64_t i, int e)
{
    int64_t at = a->at ? a->at[i] : i;
    return a->to_pitch ? e * a->to_pitch + at : (at - at % WARP) * a->square + (int64_t)e * WARP + at % WARP;
}

INDEX_KERNEL(regroup_put, struct regroup_args)
{
    for (int e = 0; e < a->square; e++) a->buffer[e * a->pitch + i] = a->from[number_at(a, i, e)];
}

INDEX_KERNEL(regroup_take, struct regroup_args)
{
    int block = 1;
    int64_t k = i < a->before              ? a->place + i
                : i < a->before + a->own   ? a->skip + i - a->before
                                           : a->place + i - a->own;
    while (block * block < a->square) block++;
    for (int e = 0; e < a->square; e++)
        a->to[number_at(a, i, e)] = i < a->n ? a->buffer[e * a->pitch + k] : e % (block + 1) == 0 ? 1.0f : 0.0f;
}

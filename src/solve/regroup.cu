/* Kernels that move rows of a coarse level between ranks (regroup.h). */
#include "solve/regroup.h"

ON_DEVICE int64_t number_at(const struct regroup_args *a, int64_t i, int e)
{
    int64_t at = a->at ? a->at[i] : i;
    return a->to_pitch ? e * a->to_pitch + at : (at - at % WARP) * a->square + (int64_t)e * WARP + at % WARP;
}

INDEX_KERNEL(regroup_put, struct regroup_args)
{
    for (int e = 0; e < a->square; e++) a->buffer[e * a->pitch + i] = a->from[number_at(a, i, e)];
}

/* The numbers of item i, `pitch` apart. */
ON_DEVICE const float *wanted(const struct regroup_args *a, int64_t i)
{
    int r = 0;
    if (!a->first)
        return a->buffer + (i < a->before              ? a->place + i
                            : i < a->before + a->own   ? a->skip + i - a->before
                                                       : a->place + i - a->own);
    while (i >= a->first[r + 1]) r++;
    return a->all + (int64_t)r * a->square * a->pitch + i - a->first[r];
}

INDEX_KERNEL(regroup_take, struct regroup_args)
{
    int block = 1;
    const float *from = i < a->n ? wanted(a, i) : NULL;
    while (block * block < a->square) block++;
    for (int e = 0; e < a->square; e++)
        a->to[number_at(a, i, e)] = i < a->n ? from[e * a->pitch] : e % (block + 1) == 0 ? 1.0f : 0.0f;
}

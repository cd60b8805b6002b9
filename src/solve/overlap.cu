/* Kernels that store the values of overlapped rows (overlap.h). */
#include "solve/overlap.h"
#include "solve/for_block.h"

/* Number e of value i. */
ON_DEVICE double value(const struct overlap_args *a, int64_t i, int32_t e, int32_t square)
{
    const int64_t from = a->from[i], stored = a->a.p.n_stored, row = -1 - from;
    if (from == OVERLAP_NONE) return 0;
    if (from >= stored) return a->received[(from - stored) * square + e];
    return from < 0 ? a->a.diag[BLOCK_NUMBER(row, e, square)] : a->a.val[BLOCK_NUMBER(from, e, square)];
}

INDEX_KERNEL(overlap_pack, struct overlap_args)
{
    const int32_t square = a->a.block * a->a.block;
    for (int32_t e = 0; e < square; e++) a->to[i * square + e] = value(a, i, e, square);
}

INDEX_KERNEL(overlap_take, struct overlap_args)
{
    const int32_t square = a->a.block * a->a.block;
    for (int32_t e = 0; e < square; e++) a->to[BLOCK_NUMBER(i, e, square)] = value(a, i, e, square);
}

/* overlap_kernels.h: kernels of overlap.c: values of the overlapped block, from this rank's matrix and from what other
 * ranks have sent. */
#ifndef POISE_OVERLAP_KERNELS_H
#define POISE_OVERLAP_KERNELS_H
#include "solve/matrix.h"

/* Value i is from[i]: -1 - row: that diagonal of a; below a's n_stored: the entry stored there; then the number of one
 * received; OVERLAP_NONE: zero. */
#define OVERLAP_NONE INT64_MAX
struct overlap_args { struct matrix a; const double *received; const int64_t *from; double *to; };
KERNEL(overlap_pack, struct overlap_args)       /* one value after the other, as they are sent */
KERNEL(overlap_take, struct overlap_args)       /* as a matrix has them (matrix_at()) */
#endif

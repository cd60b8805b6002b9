/* reduce_args.h: the first stage of reduce(), sums of slices; private to vector.c and vector.cu. */
#ifndef POISE_REDUCE_ARGS_H
#define POISE_REDUCE_ARGS_H
#include "gpu/vector.h"
struct reduce_args { const double *x, *y; double *partial; int how; };
KERNEL(reduce_slices, struct reduce_args)
#endif

/* reduce_args.h: first stage of reduce(), private to vector.c and vector.cu. */
#ifndef POISE_REDUCE_ARGS_H
#define POISE_REDUCE_ARGS_H
#include "gpu/vector.h"
struct reduce_args { const double *x, *y; double *partial; int how; };
KERNEL(reduce_slices, struct reduce_args)
#endif

/* diagonal_kernels.h: private to diagonal.c and diagonal.cu. */
#ifndef POISE_DIAGONAL_KERNELS_H
#define POISE_DIAGONAL_KERNELS_H
#include "gpu/kernel.h"

struct diagonal_args { const double *r, *weight; double *z; };
KERNEL(diagonal_divide, struct diagonal_args)           /* z = r / weight; over n_padded */
#endif

/* prescribed_kernels.h: private to prescribed.c and prescribed.cu. */
#ifndef POISE_PRESCRIBED_KERNELS_H
#define POISE_PRESCRIBED_KERNELS_H
#include "gpu/kernel.h"

struct scale_args { const double *x; double factor; double *y; };
KERNEL(prescribed_scale, struct scale_args)             /* y = factor x */
#endif

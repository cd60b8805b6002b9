/* limiter_kernels.h: private to limiter.c and limiter.cu. */
#ifndef POISE_LIMITER_KERNELS_H
#define POISE_LIMITER_KERNELS_H
#include "assembly/limiter.h"

KERNEL(limiter_extremes, struct limiter_args)           /* over slices: lowest, highest; P+ and P- of internal faces */
KERNEL(limiter_boundary, struct limiter_args)           /* over boundary cells, after it */
KERNEL(limiter_factors, struct limiter_args)            /* over n_cells: R+ and R- in place of P+ and P- */
KERNEL(limiter_faces, struct limiter_args)              /* over all faces: correction */
KERNEL(corrections_in_cells, struct limiter_args)       /* over slices: sum, of internal faces */
KERNEL(corrections_of_boundary, struct limiter_args)    /* over boundary cells, after it */
#endif

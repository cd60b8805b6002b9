/* krylov_kernels.h: kernels that all Krylov methods share, private to krylov.c and krylov.cu. */
#ifndef POISE_KRYLOV_KERNELS_H
#define POISE_KRYLOV_KERNELS_H
#include "gpu/sums.h"
#include "solve/matrix.h"

/* x -= sum 0 / n_global in n rows; over slices.  fold: it is added up here. */
struct krylov_shift_args { double *x; struct sums sums; double n_global; int32_t n, fold; };
KERNEL(krylov_shift, struct krylov_shift_args)
struct krylov_residual_args { struct matrix a; const double *x, *b; struct sums sums; };
KERNEL(krylov_square_residual, struct krylov_residual_args)     /* sum 0: (b - A x)^2; over slices */
#endif

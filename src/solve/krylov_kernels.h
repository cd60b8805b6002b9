/* krylov_kernels.h: kernels that all Krylov methods share, private to krylov.c and krylov.cu. */
#ifndef POISE_KRYLOV_KERNELS_H
#define POISE_KRYLOV_KERNELS_H
#include "gpu/sums.h"
#include "solve/matrix.h"

struct krylov_shift_args { double *x; const double *sum; double n; };
KERNEL(krylov_shift, struct krylov_shift_args)  /* x -= sum / n, n the rows of all ranks; over those of this one */
struct krylov_residual_args { struct matrix a; const double *x, *b; struct sums sums; };
KERNEL(krylov_square_residual, struct krylov_residual_args)     /* sum 0: (b - A x)^2; over slices */
#endif

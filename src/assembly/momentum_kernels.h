/* momentum_kernels.h: private to momentum.c and momentum.cu. */
#ifndef POISE_MOMENTUM_KERNELS_H
#define POISE_MOMENTUM_KERNELS_H
#include "assembly/momentum.h"

KERNEL(momentum_upwind, struct momentum)                /* over slices: internal faces */
KERNEL(momentum_linear_upwind, struct momentum)
KERNEL(momentum_central, struct momentum)
KERNEL(momentum_van_leer, struct momentum)
KERNEL(mixture_upwind, struct momentum)                 /* the same with viscosity_faces */
KERNEL(mixture_linear_upwind, struct momentum)
KERNEL(mixture_central, struct momentum)
KERNEL(mixture_van_leer, struct momentum)
KERNEL(momentum_boundary, struct momentum)              /* over boundary cells, after one of them */
#endif

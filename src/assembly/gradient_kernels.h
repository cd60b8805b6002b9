/* gradient_kernels.h: private to gradient.c and gradient.cu. */
#ifndef POISE_GRADIENT_KERNELS_H
#define POISE_GRADIENT_KERNELS_H
#include "assembly/stencil.h"

struct gradient_args {
    struct stencil s;
    int64_t components;
    const double *x, *boundary;
    const double *old;          /* green_gauss: gradient for the skewness correction, or NULL */
    double *gradient;
};
KERNEL(least_squares, struct gradient_args)             /* over slices */
KERNEL(least_squares_boundary, struct gradient_args)    /* over boundary cells, after it */
KERNEL(green_gauss, struct gradient_args)
KERNEL(green_gauss_boundary, struct gradient_args)
#endif

/* block_jacobi.h: private to block_jacobi.c, block_jacobi.cu and the asynchronous form in src/solve/study. */
#ifndef POISE_BLOCK_JACOBI_H
#define POISE_BLOCK_JACOBI_H
#include "solve/preconditioner.h"

struct block_jacobi_args {
    struct matrix a;
    const double *b;
    double *x;
    int32_t inner, inner_sweeps;        /* enum inner_method */
};
struct block_jacobi_args block_jacobi_args(const struct preconditioner *p, const double *r, double *z);
KERNEL(block_jacobi_apply, struct block_jacobi_args)    /* x = M b; both over slices */
KERNEL(block_jacobi_update, struct block_jacobi_args)   /* x += M (b - A x), with the current x of other slices */
#endif

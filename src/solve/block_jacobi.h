/* block_jacobi.h: a sweep of block-Jacobi on x in place, private to async_block_jacobi.c. */
#ifndef POISE_BLOCK_JACOBI_H
#define POISE_BLOCK_JACOBI_H
#include "solve/matrix.h"

struct block_jacobi_args {
    struct matrix a;
    const double *b;
    double *x;                  /* += M (b - A x), other slices' x being what it is at that moment */
    int32_t inner, inner_sweeps;        /* enum inner_method */
};
KERNEL(block_jacobi_update, struct block_jacobi_args)   /* over slices; in block_jacobi.cu */
#endif

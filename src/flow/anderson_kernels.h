/* anderson_kernels.h: private to anderson.c and anderson.cu.  Slots: the steps of the last iterations in a ring, in
 * single precision, because they are differences that end at zero; last: the result of the last iteration itself. */
#ifndef POISE_ANDERSON_KERNELS_H
#define POISE_ANDERSON_KERNELS_H
#include "flow/anderson.h"
#include "gpu/sums.h"

/* Sums: number 0: f.f; for slot j number 1 + 2 j: its step times the newest one; 2 + 2 j: its step times f. */
struct anderson_change_args {
    const double *volume, *u, *before;          /* the velocity now and before the iteration, [components pitch] */
    float *change;              /* [depth][components pitch] slots of f */
    double *last;               /* [components pitch] f */
    int32_t components;
    int32_t newest;             /* the slot for the step to this f; < 0: there is no earlier f */
    int32_t slots;              /* filled slots, including the newest: 0 .. slots - 1 */
    int64_t pitch;
    struct sums sums;
};
KERNEL(anderson_change, struct anderson_change_args)    /* over slices */

struct anderson_mix_args {
    double *x, *last;           /* [length], last: G */
    float *history;             /* [depth][length] slots of G */
    int64_t length;
    int32_t newest, slots;       /* as above */
    double gamma[ANDERSON_MOST];        /* one per slot */
};
KERNEL(anderson_step, struct anderson_change_args)      /* over slices; numbers 0 and 1: the squares of u - before, u */
KERNEL(anderson_mix, struct anderson_mix_args)          /* over length: stores the step to this G and G, mixes x */
#endif

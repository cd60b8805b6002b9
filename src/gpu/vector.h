/* vector.h: kernels on whole arrays, launched over their length. */
#ifndef POISE_VECTOR_H
#define POISE_VECTOR_H
#include "gpu/kernel.h"

struct fill_args { double *x; double value; };
KERNEL(fill, struct fill_args)                          /* x = value */
struct combine_args { double *x, a; const double *y; double b; const double *z; };
KERNEL(combine, struct combine_args)                    /* x = a y + b z; x may be y or z */
/* to = from, by all threads: on the CPU device_copy() takes one. */
static inline void copy_array(double *to, const double *from, int64_t n)
{
    const struct combine_args a = {.x = to, .a = 1, .y = from, .b = 0, .z = from};
    combine(&a, n);
}
struct divide_args { const double *x, *y; double *z; };
KERNEL(divide, struct divide_args)                      /* z = x / y; z may be x */
struct copy_words_args { const int32_t *from; int32_t *to; };
KERNEL(copy_words, struct copy_words_args)              /* to = from */
#endif

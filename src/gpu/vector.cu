/* Kernels on whole arrays: fill, combine, divide, copy (vector.h). */
#include "gpu/vector.h"

INDEX_KERNEL(fill, struct fill_args) { a->x[i] = a->value; }
INDEX_KERNEL(combine, struct combine_args) { a->x[i] = fma(a->b, a->z[i], a->a * a->y[i]); }
INDEX_KERNEL(divide, struct divide_args) { a->z[i] = a->x[i] / a->y[i]; }
INDEX_KERNEL(copy_words, struct copy_words_args) { a->to[i] = a->from[i]; }

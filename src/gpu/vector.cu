/* Kernels on whole arrays: fill, copy, combine (vector.h). */
#include "gpu/vector.h"

INDEX_KERNEL(fill, struct fill_args) { a->x[i] = a->value; }
INDEX_KERNEL(combine, struct combine_args) { a->x[i] = fma(a->b, a->z[i], a->a * a->y[i]); }
INDEX_KERNEL(copy_words, struct copy_words_args) { a->to[i] = a->from[i]; }

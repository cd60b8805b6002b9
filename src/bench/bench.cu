/* Kernel that copies an array, to measure memory bandwidth. */
#include "bench/bench.h"

INDEX_KERNEL(bench_copy, struct bench_copy_args) { a->y[i] = a->x[i]; }

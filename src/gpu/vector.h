/* vector.h: kernels on whole arrays, launched over their length. */
#ifndef POISE_VECTOR_H
#define POISE_VECTOR_H
#include "gpu/kernel.h"

struct fill_args { double *x; double value; };
KERNEL(fill, struct fill_args)                          /* x = value */
struct combine_args { double *x, a; const double *y; double b; const double *z; };
KERNEL(combine, struct combine_args)                    /* x = a y + b z; x may be y or z */

/* Reductions over slices: n values padded to whole slices with values that do not matter to the result (zeros).
 * One fixed tree: lanes of a slice by halving, then slices strided over 512 lanes, then halving. */
enum reduction { REDUCE_SUM, REDUCE_ABS_SUM, REDUCE_ABS_MAX, REDUCE_DOT };
/* Result on the host; waits.  y only for REDUCE_DOT.  For use outside iterations and in tests. */
double reduce(enum reduction how, const double *x, const double *y, int64_t n_padded);

/* Second stage of every reduction: total[k] = sum (or max) over partial[k * n_partials + i], launched over n_results slices. */
struct finish_args { const double *partial; double *total; int32_t n_partials; };
KERNEL(finish_sum, struct finish_args)
KERNEL(finish_max, struct finish_args)
#endif

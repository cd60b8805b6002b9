/* fold.h: for kernel bodies: a kernel that needs a sum over all slices adds the slices' partial sums itself, instead of
 * waiting for finish_sum() (vector.h) to do it.  Every slice repeats the work, which pays where there are so few slices
 * that one more launch would cost more. */
#ifndef POISE_FOLD_H
#define POISE_FOLD_H
#include "gpu/kernel.h"

enum { FOLD_SLICES = 512 };             /* up to so many slices it pays on CUDA (measured) */

/* The sum of a SLICE_VAR, valid in every lane. */
#define SUM_FOR_ALL(sum, v)                                                                                  \
    SHARED(double, sum##_shared, 1);                                                                         \
    double sum = slice_sum(v);                                                                               \
    PHASE(w) ONCE sum##_shared[0] = sum;                                                                     \
    sum = sum##_shared[0];

/* Every lane of the slice adds all n partial sums by the tree of finish_sum(). */
ON_DEVICE double fold_sum(const double *partial, int32_t n)
{
    SLICE_VAR(double, v);
    PHASE(w) LANES(t) IN_SLICE(v) = 0;
    PHASE(w) for (int32_t first = w * WARP; first < n; first += SLICE)
        LANES(t) IN_SLICE(v) += first + t < n ? partial[first + t] : 0;
    SUM_FOR_ALL(total, v)
    return total;
}
#endif

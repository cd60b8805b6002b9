/* contrast.h: by how much the coefficients of a scalar matrix jump from row to row. */
#ifndef POISE_CONTRAST_H
#define POISE_CONTRAST_H
#include "gpu/sums.h"
#include "solve/matrix.h"

/* The maximum, over all pairs of neighbouring rows, of the ratio of their largest off-diagonal entries (absolute
 * values); 0 without entries.  In a graded mesh it is a few, at a bubble's interface about half the ratio of the
 * coefficients. All ranks together; allocates and waits. */
double matrix_contrast(const struct matrix *a);

/* An entry of at most this fraction of the largest off-diagonal one of either of its rows crosses a jump of the
 * coefficient. */
#define OVER_JUMP 0.01

struct contrast_args {
    struct matrix a;
    double *largest;            /* [pitch] of each row */
    struct sums sums;           /* one */
};
KERNEL(contrast_largest, struct contrast_args)          /* over slices */
KERNEL(contrast_ratio, struct contrast_args)            /* over slices: sum 0: the largest ratio, before
                                                           sums_finish() */
#endif

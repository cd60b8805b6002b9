/* contrast.h: by how much the coefficients of a matrix of numbers jump from row to row. */
#ifndef POISE_CONTRAST_H
#define POISE_CONTRAST_H
#include "gpu/sums.h"
#include "solve/matrix.h"

/* The largest entry (by size, off the diagonal) of a row over that of a neighbour's row, the largest such ratio of all;
 * 0 without entries.  In a graded mesh it is a few, at the edge of a bubble about half the ratio of the coefficients.
 * All ranks together; allocates and waits. */
double matrix_contrast(const struct matrix *a);

/* An entry of at most this part of the largest one (off the diagonal) of either of its rows leads over a jump of the
 * coefficient. */
#define OVER_JUMP 0.01

struct contrast_args {
    struct matrix a;
    double *largest;            /* [pitch] of each row */
    struct sums sums;           /* one */
};
KERNEL(contrast_largest, struct contrast_args)          /* over slices */
KERNEL(contrast_ratio, struct contrast_args)            /* over slices: sum 0: the largest ratio, not finished */
#endif

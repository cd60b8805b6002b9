/* Adds a step to the means of all cells. */
#include "run/average.h"

INDEX_KERNEL(add_to_average, struct average_args)
{
    double change = a->x[i] - a->mean[i];
    a->mean[i] = fma(a->part, change, a->mean[i]);
    a->square[i] = fma(a->span * change, a->x[i] - a->mean[i], a->square[i]);
}

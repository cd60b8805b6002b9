/* limiter.h: flux correction (Zalesak 1979): of corrections that faces make to a bounded solution x, the part is kept that
 * leaves every cell between the extremes of x in itself, its neighbours and what is given at its boundary faces; what one
 * cell gets the other loses, as before.
 *
 * P+ = sum of the corrections into the cell that are > 0, R+ = min(1, weight (highest - x) / P+), likewise P-, R-; a face
 * keeps the smaller of what the cell that gets allows and of what the one that gives does. */
#ifndef POISE_LIMITER_H
#define POISE_LIMITER_H
#include "assembly/transport.h"

struct limiter_args {
    struct stencil s;
    struct face_values boundary;        /* rules and values */
    const double *x;
    const double *capacity;     /* [n_padded] cells of none are not asked for extremes; NULL: all have some */
    const double *weight;       /* [n_padded] what a correction of 1 changes x by is 1 / weight */
    double *correction;         /* [n_faces] into the owner; out: what is kept */
    double *lowest, *highest, *plus, *minus;    /* [n_padded] work */
    double *sum;                /* [n_padded] out, of sum_corrections */
};
void limit_corrections(const struct limiter_args *a);
/* sum = what all faces bring to each cell. */
void sum_corrections(const struct limiter_args *a);
#endif

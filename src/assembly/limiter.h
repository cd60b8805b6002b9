/* limiter.h: flux correction (Zalesak 1979): of corrections that faces make to a bounded solution x, the part is kept that
 * leaves every cell between the extremes of x in itself, its neighbours and what is given at its boundary faces; what one
 * cell gets the other loses, as before.
 *
 * P+ = sum of the corrections into the cell that are > 0, y = part weight (highest - x) / P+, R+ = y - 4/27 y^3 below y = 3/2,
 * above it 1: no more than min(1, y), and its slope has no jump (Michalak & Ollivier-Gooch 2009).  Likewise P-, R-.  A face
 * keeps the smaller of what the cell that gets allows and of what the one that gives does. */
#ifndef POISE_LIMITER_H
#define POISE_LIMITER_H
#include "assembly/transport.h"

struct limiter_args {
    struct stencil s;
    struct face_values boundary;        /* rules and values */
    const double *x;
    const double *capacity;     /* [pitch] cells of no more than `least` are not asked for extremes; NULL: all are */
    double least;
    const double *weight;       /* [pitch] what a correction of 1 changes x by is 1 / weight */
    double part;                /* of the way to an extreme that may be gone: 1, or less where a solve is repeated */
    double *correction;         /* [n_faces] into the owner; out: what is kept */
    double *lowest, *highest, *plus, *minus;    /* [pitch] work */
    double *sum;                /* [pitch] out, of sum_corrections */
};
void limit_corrections(const struct limiter_args *a);
/* sum = what all faces bring to each cell. */
void sum_corrections(const struct limiter_args *a);
/* For a solve that is repeated until nothing changes, with its own diagonal as the weight, after limit_corrections():
 * cells where something was taken away are relaxed by a fifth more.  There what is left is as steep in x as the diagonal, and
 * they would go to and fro (measured in a cavity with walls of 0 and 1, cell Peclet numbers up to 400: with a part of 1 and
 * without this residuals stay at 1e-3; with 1/2 and this they fall below 1e-6). */
struct relax_limited_args { struct limiter_args limiter; double *diagonal, *rhs; };
KERNEL(relax_limited, struct relax_limited_args)        /* over n_cells */
#endif

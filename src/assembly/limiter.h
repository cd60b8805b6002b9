/* limiter.h: flux correction (Zalesak 1979).  Face corrections to a bounded solution x are reduced so that every cell
 * stays between the extremes of x in itself, in its neighbours and at its boundary faces with given values or fluxes:
 * heating makes a cell warmer than its neighbours.  They remain antisymmetric: what one cell gains the other loses.
 *
 * P+ is the sum of the positive corrections into a cell, y = part weight (highest - x) / P+ the share of them that fits
 * below the maximum, and R+ the share that is allowed: y - 4/27 y^3 below y = 3/2, above that 1.  That is no more than
 * min(1, y), and its derivative is continuous (Michalak & Ollivier-Gooch 2009).  P- and R- likewise for negative
 * corrections. A face uses the smaller of the shares that its two cells allow. */
#ifndef POISE_LIMITER_H
#define POISE_LIMITER_H
#include "assembly/transport.h"

struct limiter_args {
    struct stencil s;
    struct face_values boundary;        /* rules and values */
    const double *x;
    const double *capacity;     /* [pitch] cells with at most `least` are ignored in extremes; NULL: none is */
    double least;
    int within;                 /* the extremes are instead, for all cells: */
    struct bounds bounds;
    const double *weight;       /* [pitch] a correction of 1 changes x by 1 / weight */
    double part;                /* allowed part of the distance to an extreme: 1; less when a solve is repeated */
    int32_t first_free;         /* cells from here on allow every correction; n_cells: none does */
    double *correction;         /* [n_faces] into the owner; out: limited */
    double *lowest, *highest, *plus, *minus;    /* [pitch] work */
    double *sum;                /* [pitch] out, of sum_corrections */
};
void limit_corrections(const struct limiter_args *a);
/* sum = the total correction of each cell. */
void sum_corrections(const struct limiter_args *a);

/* Kernels, private to limiter.c and limiter.cu. */
KERNEL(limiter_extremes, struct limiter_args)           /* over slices: lowest, highest; P+ and P- of internal faces */
KERNEL(limiter_sums, struct limiter_args)               /* `within`: the same with the bounds as extremes */
KERNEL(limiter_boundary, struct limiter_args)           /* over boundary cells, after it */
KERNEL(limiter_factors, struct limiter_args)            /* over n_cells: R+ and R- overwrite P+ and P- */
KERNEL(limiter_faces, struct limiter_args)              /* over all faces: correction */
#endif

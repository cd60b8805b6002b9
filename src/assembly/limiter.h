/* limiter.h: flux correction (Zalesak 1979).  Face corrections to a bounded solution x are reduced so that every cell
 * stays between the extremes of x in itself, in its neighbours and at its boundary faces with given values or fluxes:
 * heating makes a cell warmer than its neighbours.  They remain antisymmetric: what one cell gains the other loses.
 *
 * P+ is the sum of the positive corrections into a cell, y = part weight (highest - x) / P+ the share of them that fits
 * below the maximum, and R+ the share that is allowed: y - 4/27 y^3 below y = 3/2, above that 1.  That is no more than
 * min(1, y), and its derivative is continuous (Michalak & Ollivier-Gooch 2009).  P- and R- likewise for negative
 * corrections. A face uses the smaller of the shares that its two cells allow.
 *
 * Where only convection has corrections, the weight leaves out what diffusion across thin cells adds to a_P.  With it a
 * cell at an extreme takes corrections of a_P times the distance to a neighbour that is only rounding away, in a
 * direction where nothing else holds them together, and rounding grows by a_P / (the rest) in each pass.
 *
 * With that room a solution that stays between the extremes without a limiter is changed, too, near them.  Where x is
 * only diffused, as in solids, and the bounds are the same for all cells, the room is instead what the equation itself
 * leaves: without a x = rhs + corrections being above the bound, a cell with its neighbours' x takes
 *     a_P (bound - x_P) - (rhs - A x)_P
 * minus the negative corrections that remain.  These shares are found in a few passes, from 1 downwards; they are 1
 * wherever the solution with all corrections is within the bounds, so that it is the result, and what is exact remains
 * exact. */
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
    const double *flux;         /* [n_faces] the weight is at most twice its part that comes from convection by these
                                   fluxes and from time, `per_volume` for each volume and capacity; NULL: is as given */
    double per_volume;
    double part;                /* allowed part of the distance to an extreme: 1; less when a solve is repeated */
    int32_t first_free;         /* cells from here on allow every correction; n_cells: none does */
    const struct matrix *a;     /* not NULL: these allow those with which the solution of a x = rhs + corrections is */
    const double *rhs;          /* within `bounds` */
    int passes;                 /* that find them, an even number, after which R+ and R- are in plus and minus again.
                                   Each takes what a limit changes one cell farther */
    double *correction;         /* [n_faces] into the owner; out: limited */
    double *lowest, *highest, *plus, *minus;    /* [pitch] work */
    double *sum;                /* [pitch] work; out, of sum_corrections */
};
void limit_corrections(const struct limiter_args *a);
/* sum = the total correction of each cell. */
void sum_corrections(const struct limiter_args *a);

/* Kernels, private to limiter.c and limiter.cu. */
KERNEL(limiter_extremes, struct limiter_args)           /* over slices: lowest, highest; P+ and P- of internal faces */
KERNEL(limiter_sums, struct limiter_args)               /* `within`: the same with the bounds as extremes */
KERNEL(limiter_boundary, struct limiter_args)           /* over boundary cells, after it */
KERNEL(limiter_factors, struct limiter_args)            /* over n_cells: R+ and R- overwrite P+ and P- */
/* Over slices, of cells from first_free on: the next R+ and R-, into highest and lowest, from the present ones. */
struct limiter_shares_args { struct limiter_args of; struct matrix a; };
KERNEL(limiter_shares, struct limiter_shares_args)
KERNEL(limiter_faces, struct limiter_args)              /* over all faces: correction */
#endif

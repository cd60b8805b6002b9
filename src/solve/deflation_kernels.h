/* deflation_kernels.h: private to deflation.c and deflation.cu. */
#ifndef POISE_DEFLATION_KERNELS_H
#define POISE_DEFLATION_KERNELS_H
#include "gpu/sums.h"
#include "solve/matrix.h"

/* A Z, laid out like a matrix, but col is the plain number of another subdomain; in the padding it is the row's own. */
struct deflation_rows {
    struct pattern p;
    double *val;                /* and behind these what other ranks add to this rank's pairs */
    double *sum;                /* [n_padded] s_i, set to 0 where it is no more than rounding */
    int32_t *any_sum;           /* [WARPS n_slices] some row of the warp has an s_i other than 0 */
};

struct deflation_args {
    struct matrix a;
    struct deflation_rows az;
    int32_t n_domains, n_solved;        /* n_solved: the vectors used, one less where A is singular */
    int64_t ld;                 /* n_domains in whole warps */
    const int32_t *domain;      /* [pitch] */
    /* Z^T v: the rows of all ranks by subdomain, cut into pieces of at most SLICE rows of one subdomain.  A piece is
     * the rank's that has its first row. */
    const int32_t *row;         /* [rows of own pieces + SLICE]; from n_padded on: of other ranks, in `other` */
    double *other;
    const int32_t *piece_row;   /* [own pieces + 1] first of a piece in row */
    double *own_sum;            /* [own pieces] */
    double *gathered;           /* sums of all ranks' pieces, as they came; NULL: there is one rank */
    const int32_t *slot;        /* [n_pieces] place of each piece there */
    const int32_t *domain_piece;        /* [n_domains + 1] first piece of a subdomain */
    double *piece_sum;          /* [n_pieces] of all ranks; of one rank own_sum itself */
    double *w, *y;              /* [ld] Z^T v; E^-1 w */
    /* E below its diagonal: pair k is the sum of A Z at pair_place[pair_start[k] .. pair_start[k + 1] - 1] */
    const int64_t *pair_start, *pair_place;
    double *pair;
    const double *dense;        /* [ld n_domains] E^-1; or L below, L^T above, D on the diagonal */
    const int32_t *first, *last;        /* [n_domains] the envelope: first column, last row of L */
    const double *b, *p;        /* what a kernel reads .. */
    double *v, *x;              /* .. and writes */
    struct sums sums;           /* number 0 */
    const int32_t *done;
};
KERNEL(deflation_values, struct deflation_args)         /* A Z; over n */
KERNEL(deflation_any_sum, struct deflation_args)        /* over warps */
KERNEL(deflation_pairs, struct deflation_args)          /* E below its diagonal; over pairs */
KERNEL(deflation_piece_sums, struct deflation_args)     /* of v; over own pieces */
KERNEL(deflation_sort_pieces, struct deflation_args)    /* piece_sum from gathered; over pieces */
KERNEL(deflation_inverse, struct deflation_args)        /* y = dense w; over n_domains */
KERNEL(deflation_triangles, struct deflation_args)      /* y = L^-T D^-1 L^-1 w; over 1 */
KERNEL(deflation_subtract, struct deflation_args)       /* v -= A Z y, p.v; over slices */
KERNEL(deflation_add, struct deflation_args)            /* x += Z y; over n */
KERNEL(deflation_residual, struct deflation_args)       /* v = b - p, v.v; over slices */
#endif

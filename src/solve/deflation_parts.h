/* deflation_parts.h: private to deflation: what deflation_structure.c creates once with deflation_lists.c, the data
 * that deflation.c works with, and its kernels. */
#ifndef POISE_DEFLATION_PARTS_H
#define POISE_DEFLATION_PARTS_H
#include "solve/deflation.h"
#include "solve/envelope.h"

/* ---------------------------------------------------------------- subdomains in and next to each row */
/* n lists of numbers, stored consecutively in `column`, list i from start[i] on; start: [n + 1]. */
struct lists { int32_t n; int64_t *start; int32_t *column; };
void lists_free(struct lists *l);
/* For each number 0 .. n_groups - 1 its positions in group[0 .. n - 1], ascending: the rows of every subdomain. */
struct lists lists_of_groups(const int32_t *group, int64_t n, int32_t n_groups);
/* For each of this rank's rows: the other subdomains in which it has a neighbour, which is the pattern of A Z.  domain:
 * [pitch]. */
struct lists lists_of_neighbours(const struct matrix *a, const int32_t *domain, int32_t n_domains);
/* The graph of the subdomains of all ranks, which is the pattern of E without its diagonal: neighbours in the order in
 * which the rows of all ranks refer to them.  rows: this rank's rows of each subdomain. */
struct lists lists_of_graph(const struct lists *rows, const struct lists *az);

/* ---------------------------------------------------------------- kernels */
/* A Z, stored like a matrix, but col is simply the number of another subdomain; in the padding it is the row's own. */
struct deflation_rows {
    struct pattern p;
    double *val;                /* followed by other ranks' contributions to this rank's pairs */
    double *sum;                /* [n_padded] s_i, set to 0 where it is only rounding error */
    int32_t *any_sum;           /* [WARPS n_slices] does some row of the warp have a nonzero s_i? */
};

struct deflation_args {
    struct matrix a;
    struct deflation_rows az;
    int32_t n_domains, n_solved;        /* n_solved: number of vectors used, one less where A is singular */
    int64_t ld;                 /* n_domains rounded up to whole warps */
    const int32_t *domain;      /* [pitch] */
    /* Z^T v: the rows of all ranks by subdomain, divided into pieces of at most SLICE rows of one subdomain.  A piece
     * belongs to the rank that has its first row. */
    const int32_t *row;         /* [rows of own pieces + SLICE]; from n_padded on: rows of other ranks, in `other` */
    double *other;
    const int32_t *piece_row;   /* [own pieces + 1] first of a piece in row */
    double *own_sum;            /* [own pieces] */
    double *gathered;           /* sums of all ranks' pieces, as received; NULL: there is one rank */
    const int32_t *slot;        /* [n_pieces] position of each piece there */
    const int32_t *domain_piece;        /* [n_domains + 1] first piece of a subdomain */
    double *piece_sum;          /* [n_pieces] of all ranks; with one rank it is own_sum */
    double *w, *y;              /* [ld] Z^T v; E^-1 w */
    /* E below its diagonal: pair k is the sum of A Z at pair_place[pair_start[k] .. pair_start[k + 1] - 1] */
    const int64_t *pair_start, *pair_place;
    double *pair;
    const double *dense;        /* [ld n_domains] E^-1; or L below, L^T above, D on the diagonal */
    const int32_t *first, *last;        /* [n_domains] the envelope: first column, last row of L */
    const double *b, *p;        /* what a kernel reads */
    double *v, *x;              /* and writes */
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

/* ---------------------------------------------------------------- all the data */
struct deflation {
    struct deflation_args args;
    bool inverse;
    int32_t n_pieces, n_own_pieces, most;       /* of all ranks, of this one, the most of any rank */
    struct halo *rows_of_others;        /* those in this rank's pieces */
    struct halo *entries_of_others;     /* of A Z, those in this rank's pairs, stored after its own; NULL both: one
                                           rank */
    int64_t n_pairs;                    /* of E below its diagonal */
    int32_t *pair_row, *pair_column;    /* [n_pairs] on the host: E's entries, row > column */
    struct envelope e;
    double *dense, *pair;               /* on the host: factor or inverse, to be uploaded; E's entries, downloaded */
    char why[160];
};
#endif

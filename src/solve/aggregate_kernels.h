/* aggregate_kernels.h: private to aggregate.c and aggregate.cu. */
#ifndef POISE_AGGREGATE_KERNELS_H
#define POISE_AGGREGATE_KERNELS_H
#include "solve/aggregate.h"

/* How unmatched rows join a pair: by edges that are not weak; by weak edges, too; also across jumps of the
 * coefficient. */
enum effort { EFFORT_STRONG, EFFORT_WEAK, EFFORT_ANY };
struct match_args {
    struct level_matrix a;
    const int32_t *home;        /* [pitch] slice, in all ranks' order, that has the finest rows of this row */
    float *strongest;           /* [n_padded] largest |off-diagonal| of the row inside its home */
    float *largest;             /* [n_padded] the same over the whole row; after the first pass the largest of the
                                 * aggregated rows, because entries to rows of other ranks are known only in the first
                                 * pass */
    int32_t first_pass;
    float unit;                 /* the largest entry of the whole matrix, relative to which edges are ranked: so a
                                 * scaled matrix has the same aggregates */
    int32_t *proposal, *mate;   /* [n_padded] -1: none */
    int32_t effort;             /* enum effort */
    int32_t *joined;            /* [n_padded] row whose pair this one joins, -1: none */
};
KERNEL(aggregate_match_begin, struct match_args)        /* over n: no mates, strongest, largest */
KERNEL(aggregate_match_propose, struct match_args)      /* over n */
KERNEL(aggregate_match_accept, struct match_args)       /* over n */
KERNEL(aggregate_match_join, struct match_args)         /* over n, after the last round */

struct number_args {
    int32_t n;
    const int32_t *mate, *joined, *home;
    const float *largest;
    int32_t *begins;            /* [n_padded] 1: this row is the first of its aggregate; then the number of such rows
                                   before it */
    int32_t *parent;            /* [pitch] */
    int32_t *coarse_home;       /* [pitch of the coarse rows] */
    float *coarse_largest;      /* likewise */
};
KERNEL(aggregate_number_begins, struct number_args)     /* over n_padded */
KERNEL(aggregate_number_parents, struct number_args)    /* over n_padded: parents; homes, largest */

struct compose_args { const int32_t *next; int32_t *parent; };
KERNEL(aggregate_compose_parents, struct compose_args)  /* over n_padded: parent = next[parent] */

struct list_args { int32_t n, n_coarse; const int32_t *parent; int32_t *child, *child_start, *slice_start;
                   uint16_t *place; };
KERNEL(aggregate_list_children, struct list_args)       /* over slices */
KERNEL(aggregate_list_end, struct list_args)            /* over coarse_padded + 1 - n_coarse */

/* The neighbours of coarse row c, in a table of most * children + 4 slots beginning at most * child_start[c] + 4 c. */
struct pattern_args {
    struct level_matrix fine, coarse;   /* coarse.col is filled */
    struct aggregation g;
    int32_t most;               /* the longest row of fine */
    int32_t *key;               /* [most n_padded of fine + 4 coarse_padded] coarse column + 1, in the row's order */
    float *sum;                 /* [the same] sum of the entries; NULL: not needed */
    int32_t *columns;           /* [coarse_padded] neighbours of each coarse row */
    uint8_t *slot;              /* [n_stored of fine] which column of its coarse row it adds to, or INSIDE */
    int32_t *width;             /* [coarse_padded] number of columns, later of sources, of a coarse row */
    int32_t *warp_width;        /* [coarse_padded / WARP] */
};
enum { INSIDE = MOST_COLUMNS };         /* slot of an entry inside its aggregate, or of padding */
KERNEL(aggregate_longest_row, struct pattern_args)      /* over warps of fine: warp_width */
KERNEL(aggregate_pattern_find, struct pattern_args)     /* over coarse_padded: key, sum, columns */
KERNEL(aggregate_pattern_width, struct pattern_args)    /* over warps: warp_width, the largest width of each */
KERNEL(aggregate_pattern_fill, struct pattern_args)     /* over n_coarse: col; val from sum */
KERNEL(aggregate_pattern_slot, struct pattern_args)     /* over n of the fine level */
KERNEL(aggregate_source_count, struct pattern_args)     /* over coarse_padded: width */
KERNEL(aggregate_source_list, struct pattern_args)      /* over coarse_padded */

struct values_args { struct level_matrix fine, coarse; struct aggregation g; };
KERNEL(aggregate_values_sum, struct values_args)        /* over coarse_padded */

struct home_args { int32_t *home; int32_t first; };     /* first: slice of row 0 */
KERNEL(aggregate_home_slices, struct home_args)         /* home = slice of the row; over n_padded */

struct most_args { const int32_t *whole; const float *real; double *most; int64_t n; };       /* one of the two */
KERNEL(aggregate_largest_of, struct most_args)          /* over 1 slice: most[0] = the largest of n nonnegative
                                                           values */
#endif

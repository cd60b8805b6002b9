/* aggregate.h: the structure of a multigrid level: which rows of a matrix become one row of the next, and where every
 * entry goes.  Everything is made on the machine from the mod.SELL matrix.
 *
 * Rows are matched in pairs three times over (Notay 2010, pairwise aggregation): aggregates of about 8.  A row proposes to
 * the free neighbour with the largest edge; two that propose to each other are a pair; a few rounds.  Edges are ordered by
 * strength, in steps of a factor of four; of like ones the nearest in the ordering comes first, in the sense of i xor j:
 * along a Hilbert curve those make blocks, and uniform meshes coarsen into cubes.  A row that is left over joins the pair
 * of its strongest neighbour: left alone, such rows would gather from pass to pass until nothing coarsens any more.
 * Aggregates do not cross slices, so that restriction is part of kernels over slices. */
#ifndef POISE_AGGREGATE_H
#define POISE_AGGREGATE_H
#include <stdbool.h>
#include "solve/matrix.h"

/* A matrix in single precision.  The row sums are kept beside the diagonal, because they cannot be had from it:
 * where coefficients jump by 1e6, what ties a region to the rest is lost in the rounding of the diagonal. */
struct level_matrix {
    MATRIX_MEMBERS(float);      /* diag: excess less the entries, 1 in the padding */
    float *excess;              /* [n_padded] row sums, 1 in the padding; may be NULL on the way to a coarse level */
};

/* From the rows of a fine level to those of a coarse one. */
struct aggregation {
    int32_t n_coarse;
    int64_t coarse_padded;
    int32_t *parent;            /* [n_padded of the fine level] coarse row, -1 in the padding */
    int32_t *child;             /* [n_padded of the fine level] its rows, those of one coarse row together */
    int32_t *child_start;       /* [coarse_padded + 1] */
    uint16_t *place;            /* [n_padded of the fine level] where in its slice's part of child a row stands */
    int32_t *slice_start;       /* [n_slices of the fine level + 1] first coarse row of each slice */
    /* What the coarse entries are sums of: for warp w of coarse rows at source_start[w] + 32 k + lane the places of fine
     * entries, those of the row's first column, then those of the second, and so on. */
    int64_t *source_start;      /* [coarse_padded / WARP + 1] */
    uint32_t *source;           /* SOURCE_NONE: no more; bit SOURCE_NEXT: a column begins with this one */
};

#define SOURCE_NEXT 0x80000000u
#define SOURCE_NONE 0x7fffffffu
enum { MOST_COLUMNS = 255 };            /* of a coarse row */

/* Makes the aggregation of fine and the pattern of coarse (values not set).  False: the rows do not match up (ratio under
 * 1.5, or a coarse row of over MOST_COLUMNS neighbours, or over 2^31 stored entries); nothing is left behind then. */
bool aggregate(const struct level_matrix *fine, struct aggregation *g, struct level_matrix *coarse);
/* The same with parents that an aggregate() has found ([n] on the host): the same aggregation, bit for bit, whatever the
 * values are now. */
bool aggregate_given(const struct level_matrix *fine, const int32_t *parent, int32_t n_coarse, struct aggregation *g,
                     struct level_matrix *coarse);
/* The coarse rows that parents ([n], n > 0) lead to; 0: no aggregate() finds such ones: the coarse rows of every slice must
 * follow those of the slice before, none without children. */
int32_t aggregate_rows(const int32_t *parent, int32_t n);
/* coarse values = sums over the children: the Galerkin product with piecewise constants. */
void aggregate_values(const struct level_matrix *fine, const struct aggregation *g, const struct level_matrix *coarse);
void aggregation_free(struct aggregation *g);
void level_matrix_free(struct level_matrix *a, bool own_pattern);
#endif

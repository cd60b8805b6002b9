/* aggregate.h: the structure of a multigrid level: which rows of a matrix become one row of the next, and where every
 * entry goes.  Everything is made on the machine from the mod.SELL matrix.
 *
 * Rows are matched in pairs three times over (Notay 2010, pairwise aggregation): aggregates of about 8.  A row proposes to
 * the free neighbour with the largest edge; two that propose to each other are a pair; a few rounds.  Edges are ordered by
 * strength, in steps of a factor of two; of like ones that between 2k and 2k+1 comes first (along a Hilbert curve these
 * touch, and uniform meshes coarsen into blocks), else the largest hash.  A row that is left over joins the pair of its
 * strongest neighbour: left alone, such rows would gather from pass to pass until nothing coarsens any more.
 * Aggregates do not cross slices, so that residual and restriction are one kernel. */
#ifndef POISE_AGGREGATE_H
#define POISE_AGGREGATE_H
#include <stdbool.h>
#include "solve/mod_sell.h"

enum { INSIDE = 255, PADDING = 254 };                   /* slots that are no column */

/* A mod.SELL matrix in single precision. */
struct level_matrix {
    int32_t n, n_slices;
    int64_t n_padded, n_stored;
    const int64_t *warp_start;  /* [WARPS n_slices + 1] */
    const int32_t *col;         /* [n_stored] codes as in mod_sell.h */
    float *val;                 /* [n_stored] */
    float *diag;                /* [n_padded], 1 in the padding */
};

/* From the rows of a fine level to those of a coarse one. */
struct aggregation {
    int32_t n_coarse;
    int64_t coarse_padded;
    int32_t *parent;            /* [n_padded of the fine level] coarse row, -1 in the padding */
    int32_t *child;             /* [n_padded of the fine level] its rows, those of one coarse row together */
    int32_t *child_start;       /* [coarse_padded + 1] */
    int32_t *slice_start;       /* [n_slices of the fine level + 1] first coarse row of each slice */
    uint8_t *slot;              /* [n_stored of the fine level] column of the coarse row that the entry adds to; INSIDE */
};

/* Makes the aggregation of fine and the pattern of coarse (values not set).  False: the rows do not match up (ratio under
 * 1.5, or a coarse row of over 254 neighbours); nothing is left behind then. */
bool aggregate(const struct level_matrix *fine, struct aggregation *g, struct level_matrix *coarse);
/* coarse values = sums over the children: the Galerkin product with piecewise constants. */
void aggregate_values(const struct level_matrix *fine, const struct aggregation *g, const struct level_matrix *coarse);
void aggregation_free(struct aggregation *g);
void level_matrix_free(struct level_matrix *a, bool own_pattern);
#endif

/* aggregate.h: the structure of a multigrid level: which rows of a matrix become one row of the next, and where
 * every entry goes.  Everything is made on the machine from the mod.SELL matrix.
 *
 * Rows are matched in pairs `pairings` times over (Notay 2010, pairwise aggregation): three give aggregates of about 8.
 * In each of a few rounds a row proposes to the free neighbour with the largest edge (entry of the matrix), and two
 * rows that propose to each other are a pair.  Edges are ordered by strength, in steps of a factor of four; among
 * edges of one strength the smallest i xor j comes first, i and j being the numbers of their rows: along a Hilbert
 * curve these make blocks, and uniform meshes coarsen into cubes.  A row that is left over joins the pair of its
 * strongest neighbour: left alone, such rows would gather from pass to pass until nothing coarsens any more.  Rows on
 * both sides of a jump of the coefficient, where an entry is under a hundredth of the largest one of either row, are
 * never one: bubbles keep coarse rows of their own.  Rows along such a jump may find no partner; where that holds up
 * the coarsening they join the pair to which they have the largest entry on their side of it, and where that does not
 * help jumps are passed over.
 *
 * An aggregate lies inside one slice of the finest level (the home of its rows), so that a kernel over slices can
 * restrict without help from others. */
#ifndef POISE_AGGREGATE_H
#define POISE_AGGREGATE_H
#include <stdbool.h>
#include "solve/matrix.h"

/* A matrix in single precision.  The row sums are kept beside the diagonal, because they cannot be had from it:
 * where coefficients jump by 1e6, the small entries that tie a region to the rest are lost in the rounding of the
 * diagonal. */
struct level_matrix {
    MATRIX_MEMBERS(float);      /* diag: the row's excess less its off-diagonal entries, 1 in the padding */
    float *excess;              /* [n_padded] row sums, 1 in the padding; NULL in matrices between two passes */
    int32_t arrow;              /* val is that of arrow blocks (matrix.h) */
};

/* How the rows of a fine level make those of a coarse one: a coarse row is the parent, its fine rows are its
 * children. */
struct aggregation {
    int32_t n_coarse;
    int64_t coarse_padded;
    int32_t *parent;            /* [pitch of the fine level] coarse row, -1 in the padding; see below */
    int32_t *child;             /* [n_padded of the fine level] its rows, those of one coarse row together */
    int32_t *child_start;       /* [coarse_padded + 1] */
    uint16_t *place;            /* [n_padded of the fine level] position of a row in its slice's part of child */
    int32_t *slice_start;       /* [n_slices of the fine level + 1] first coarse row of each slice */
    /* Sources: the fine entries that each coarse entry is the sum of.  Warp w of coarse rows has them at
     * source_start[w] + 32 k + lane: positions of fine entries, those of the row's first column, then those of the
     * second, and so on. */
    int64_t *source_start;      /* [coarse_padded / WARP + 1] */
    uint32_t *source;           /* SOURCE_NONE: the row has no more; bit SOURCE_NEXT: the next column begins here */
    /* Of several ranks: each has made the coarse rows of its own fine ones, one after the other in the order of the
     * ranks.  Those that others have made and that are parents or columns here, [n_other] on the host, numbered over
     * all ranks, ascending: number k of them is meant by coarse_padded + k.  Then regroup.h puts the coarse rows where
     * they belong. */
    int32_t *other, n_other;
};

#define SOURCE_NEXT 0x80000000u
#define SOURCE_NONE 0x7fffffffu
enum { MOST_COLUMNS = 255 };            /* of a coarse row */

/* What suits matrices of diffusion; of velocity and pressure in 2-D and in 3-D (measured). */
enum { PAIRINGS = 3 };
/* Makes the aggregation of fine, and coarse.  False: the rows do not match up (ratio under 1.5, or a coarse row of over
 * MOST_COLUMNS neighbours, or over 2^31 stored entries); nothing is left behind then.  Of a matrix of all ranks by all
 * of them together. */
bool aggregate(const struct level_matrix *fine, int pairings, struct aggregation *g, struct level_matrix *coarse);
/* The same from parents that an earlier aggregate() found ([n] on the host), whatever the values are now: the same
 * aggregation, bit for bit. */
bool aggregate_given(const struct level_matrix *fine, const int32_t *parent, int32_t n_coarse, struct aggregation *g,
                     struct level_matrix *coarse);
/* How many coarse rows the parents ([n], n > 0) make.  0: no aggregate() makes such parents, since the coarse rows of a
 * slice follow those of the slice before and each has children. */
int32_t aggregate_rows(const int32_t *parent, int32_t n);
/* Coarse values are sums over the children: the Galerkin product with piecewise constants. */
void aggregate_values(const struct level_matrix *fine, const struct aggregation *g, const struct level_matrix *coarse);
void aggregation_free(struct aggregation *g);
/* Values for blocks of so many rows, arrow blocks or whole ones, in place of those that are there. */
void level_matrix_allocate(struct level_matrix *a, int block, bool arrow);
void level_matrix_free_values(struct level_matrix *a);
/* own_pattern: with its pattern and its halo. */
void level_matrix_free(struct level_matrix *a, bool own_pattern);
#endif

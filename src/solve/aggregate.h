/* aggregate.h: the structure of a multigrid level: which rows of a matrix are aggregated to one row of the next level,
 * and to which coarse entry every entry contributes.  Everything is computed on the device from the mod.SELL matrix.
 *
 * Rows are matched in pairs, `pairings` times (Notay 2010, pairwise aggregation): three give aggregates of about 8.  In
 * each of a few rounds a row proposes to the free neighbour with the largest edge (entry of the matrix), and two rows
 * that propose to each other are a pair.  Edges are ordered by strength, in steps of a factor of four; among edges of
 * equal strength the smallest i xor j comes first, with i and j the row numbers: along a Hilbert curve this gives
 * blocks, and uniform meshes coarsen into cubes.  An unmatched row joins the pair of its strongest neighbour; otherwise
 * unmatched rows would accumulate from pass to pass until coarsening stops.  Rows on both sides of a jump of the
 * coefficient, where an entry is under a hundredth of the largest one of either row, are never aggregated, so that
 * bubbles keep their own coarse rows.  Rows along such a jump may find no partner; if that slows down coarsening they
 * join the pair to which they have the largest entry on their side of the jump, and if that is not enough jumps are
 * ignored.
 *
 * An aggregate lies inside one slice of the finest level (the home of its rows), so that a kernel over slices can
 * restrict without communication. */
#ifndef POISE_AGGREGATE_H
#define POISE_AGGREGATE_H
#include <stdbool.h>
#include "solve/matrix.h"

/* A matrix in single precision.  The row sums are stored next to the diagonal because they cannot be computed from it:
 * where coefficients jump by 1e6, the small entries that couple a region to the rest are lost in the rounding of the
 * diagonal. */
struct level_matrix {
    MATRIX_MEMBERS(float);      /* diag: the row sum minus the off-diagonal entries, 1 in the padding */
    float *excess;              /* [n_padded] row sums, 1 in the padding; NULL in matrices between two passes */
    int32_t arrow;              /* val holds arrow blocks (matrix.h) */
};

/* How rows of a fine level are aggregated to those of a coarse one: a coarse row is the parent, its fine rows are its
 * children. */
struct aggregation {
    int32_t n_coarse;
    int64_t coarse_padded;
    int32_t *parent;            /* [pitch of the fine level] coarse row, -1 in the padding; see below */
    int32_t *child;             /* [n_padded of the fine level] fine rows, sorted by coarse row */
    int32_t *child_start;       /* [coarse_padded + 1] */
    uint16_t *place;            /* [n_padded of the fine level] position of a row in its slice's part of child */
    int32_t *slice_start;       /* [n_slices of the fine level + 1] first coarse row of each slice */
    /* Sources: the fine entries whose sum is each coarse entry.  Those of warp w of coarse rows are at source_start[w]
     * + 32 k + lane: positions of fine entries, first those of the row's first column, then those of the second, and so
     * on. */
    int64_t *source_start;      /* [coarse_padded / WARP + 1] */
    uint32_t *source;           /* SOURCE_NONE: no more in this row; bit SOURCE_NEXT: the next column begins here */
    /* With several ranks each creates the coarse rows of its own fine rows, numbered consecutively in the order of the
     * ranks.  Coarse rows created by other ranks that are parents or columns here: [n_other] on the host, numbered over
     * all ranks, ascending; number k of them is denoted by coarse_padded + k.  regroup.h then moves the coarse rows to
     * the ranks that own them. */
    int32_t *other, n_other;
};

#define SOURCE_NEXT 0x80000000u
#define SOURCE_NONE 0x7fffffffu
enum { MOST_COLUMNS = 255 };            /* per coarse row */

/* Good values for diffusion matrices, and for velocity and pressure in 2-D and in 3-D (measured). */
enum { PAIRINGS = 3 };
/* Creates the aggregation of fine, and coarse.  False: coarsening fails (ratio under 1.5, a coarse row with more than
 * MOST_COLUMNS neighbours, or more than 2^31 stored entries); nothing is left allocated then.  For a matrix distributed
 * over the ranks, called by all of them together. */
bool aggregate(const struct level_matrix *fine, int pairings, struct aggregation *g, struct level_matrix *coarse);
/* The same from parents that an earlier aggregate() found ([n] on the host), regardless of the present values: the same
 * aggregation, bit for bit. */
bool aggregate_given(const struct level_matrix *fine, const int32_t *parent, int32_t n_coarse, struct aggregation *g,
                     struct level_matrix *coarse);
/* Number of coarse rows of the parents ([n], n > 0).  0: not parents from aggregate(), in which the coarse rows of a
 * slice follow those of the slice before, and each has children. */
int32_t aggregate_rows(const int32_t *parent, int32_t n);
/* Coarse values are sums over the children: the Galerkin product with piecewise constants. */
void aggregate_values(const struct level_matrix *fine, const struct aggregation *g, const struct level_matrix *coarse);
void aggregation_free(struct aggregation *g);
/* Allocates values for blocks of `block` rows, arrow blocks or full ones, and frees the present ones. */
void level_matrix_allocate(struct level_matrix *a, int block, bool arrow);
void level_matrix_free_values(struct level_matrix *a);
/* own_pattern: frees its pattern and its halo, too. */
void level_matrix_free(struct level_matrix *a, bool own_pattern);
#endif

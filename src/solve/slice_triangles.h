/* slice_triangles.h: an order of elimination for every slice of 512 rows by itself, entries between slices left out,
 * and the two triangles of a matrix in that order.
 *
 * The order is one of levels: rows of one level have no entries between them, so they can be eliminated at once. A row
 * has its position in the slice, level after level. Triangles are stored for warps of 32 positions, as wide as the
 * widest row of each: entry k of lane t of warp w at start[w] + 32 k + t. */
#ifndef POISE_SLICE_TRIANGLES_H
#define POISE_SLICE_TRIANGLES_H
#include "solve/linear_setting.h"
#include "solve/matrix.h"

/* On the machine. */
struct slice_triangle {
    int64_t *start;             /* [n_padded / WARP + 1] */
    uint16_t *column;           /* position in the slice; the row's own where there is no entry */
    int32_t *from;              /* where the entry stands in the matrix's val; -1: none */
    float *val;                 /* blocks laid out as in matrix.h; 0 where there is none */
    float *approximate;         /* likewise, of its approximate inverse (block_kernels.h), or NULL */
};
struct slice_triangles {
    int32_t *first;             /* [n_slices + 1]: slice b has the levels first[b] .. first[b + 1] - 2; */
    int32_t *begin;             /* level l has the positions begin[l] .. begin[l + 1] - 1 of its slice */
    uint16_t *order, *place;    /* [n_padded] row of the slice at each position; position of each row */
    struct slice_triangle lower, upper;         /* entries to earlier and to later levels */
};
/* For matrices on p of blocks of so many rows, without values. ordering: Cuthill-McKee: breadth first through the
 * slice; multicolour: few levels; matrix: as the rows are numbered.  approximate: with room for the inverses. */
struct slice_triangles slice_triangles_create(const struct pattern *p, int block, enum factor_ordering ordering,
                                              bool approximate);
void slice_triangles_free(struct slice_triangles *s);
#endif

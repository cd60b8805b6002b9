/* slice_triangles.h: a separate order of elimination for every slice of 512 rows, entries between slices omitted, and
 * the two triangles of a matrix in that order.
 *
 * The order is by levels: rows of one level have no entries between them, so they can be eliminated at once.  A row has
 * its position in the slice, sorted by level.  Triangles are stored for warps of 32 positions, as wide as the widest
 * row of each: entry k of lane t of warp w at start[w] + 32 k + t. */
#ifndef POISE_SLICE_TRIANGLES_H
#define POISE_SLICE_TRIANGLES_H
#include "solve/linear_setting.h"
#include "solve/matrix.h"

/* On the device. */
struct slice_triangle {
    int64_t *start;             /* [n_padded / WARP + 1] */
    uint16_t *column;           /* position in the slice; the row's own if there is no entry */
    int32_t *from;              /* position of the entry in the matrix's val; -1: none */
    float *val;                 /* blocks in the layout of matrix.h; 0 if there is none */
    float *approximate;         /* likewise, of the approximate inverse (block_kernels.h), or NULL */
};
struct slice_triangles {
    int32_t *first;             /* [n_slices + 1]: slice b has the levels first[b] .. first[b + 1] - 2; */
    int32_t *begin;             /* level l has the positions begin[l] .. begin[l + 1] - 1 of its slice */
    uint16_t *order, *place;    /* [n_padded] row of the slice at each position; position of each row */
    struct slice_triangle lower, upper;         /* entries to earlier and to later levels */
};
/* For matrices on p with blocks of `block` rows, without values.  ordering: Cuthill-McKee: breadth first through the
 * slice; multicolour: few levels; matrix: in the order of row numbers.  approximate: allocates the inverses, too. */
struct slice_triangles slice_triangles_create(const struct pattern *p, int block, enum factor_ordering ordering,
                                              bool approximate);
void slice_triangles_free(struct slice_triangles *s);
#endif

/* ic_layout.h: how the triangles of an incomplete factorisation, Cholesky's and LU's, are stored on the device, and
 * which block computes which rows.
 *
 * Rows are sorted by level (a row comes after those that it needs) and stored in groups of 32, entry by entry as in
 * mod.SELL, with columns numbered by positions in this order.  If a group has fewer rows, its last lanes repeat the
 * first row; missing entries have the value 0 and a column that the group waits for anyway, so that kernels need no
 * test for padding.  A launch has blocks, a block processes its levels with a barrier after each, and its warps share a
 * level's groups.
 *     LEVELS   a launch for a wide level, spread over many blocks; one launch of one block for a run of narrow ones
 *     BLOCKS   one launch: 32 or more diagonal blocks of the matrix make one thread block
 *     PARTS    one launch: a subdomain, or several small ones, makes one thread block (Yang 2015, section 4.2);
 *              if its levels are not narrow on average, LEVELS, because one block would be slower than many launches
 *     SWEEPS   one launch, no levels: rows in the order of elimination, no dependencies */
#ifndef POISE_IC_LAYOUT_H
#define POISE_IC_LAYOUT_H
#include "base/error.h"
#include "solve/lower_rows.h"

enum ic_schedule { IC_LEVELS, IC_BLOCKS, IC_PARTS, IC_SWEEPS };

/* What kernels see; pointers to device memory. */
struct ic_triangle {
    const int64_t *start;       /* [n_groups + 1], of a group's entries */
    const int32_t *column;      /* positions */
    const int64_t *from;        /* lower: position in the matrix's val; upper: position in the lower one's; -1:
                                   missing */
    double *value;
    int64_t n_stored;
};
struct ic_layout {
    const int32_t *row;         /* [n_positions] of the matrix */
    const int32_t *level_group; /* first group of a level; one more entry at the end */
    const int32_t *block_level; /* first level of a block; one more entry at the end */
    struct ic_triangle lower, upper;
    double *inverse;            /* [n_padded] 1 / d_i */
};
/* For block matrices (ilu.h) value and inverse have block^2 numbers for each entry and each position, interleaved as in
 * matrix.h. */

/* The data on the host. */
struct ic_plan {
    int32_t n, n_groups, n_launches;
    int32_t n_levels;           /* the longest chain of dependent rows */
    int64_t n_positions;        /* 32 per group */
    int64_t n_padded;           /* the same, rounded up to whole slices */
    int32_t *launch_block;      /* [n_launches + 1] first block of a launch */
    int32_t *row;               /* [n_positions] in the order of elimination */
    int32_t *place;             /* [n] position of a row in the order of elimination */
};

/* Only the schedule, for rows whose triangles have the entries of l, or fewer: rows, levels, and memory for `inverse`
 * with this many numbers per row.  False: as below. */
bool ic_schedule_create(struct ic_layout *f, struct ic_plan *plan, const struct lower_rows *l, int32_t block_rows,
                        enum ic_schedule how, int numbers);
/* A triangle for the plan from its rows on the host; from: as in ic_triangle, or NULL.  stored, if not NULL: receives
 * the position at which each entry is stored. */
struct ic_rows { int64_t *start; int32_t *column; int64_t *from; };
void ic_triangle_create(struct ic_triangle *t, const struct ic_rows *rows, const struct ic_plan *p, int numbers,
                        int64_t *stored);

/* The columns of n such rows as rows; their `from`: that of the entry, or the entry's number if there is none. */
struct ic_rows ic_rows_transpose(const struct ic_rows *rows, int32_t n);
void ic_rows_free(struct ic_rows *rows);

/* block_rows: rows of a diagonal block, for BLOCKS; if it exceeds what a thread block can handle, BLOCKS becomes
 * LEVELS. False with a message: rows depend on each other in so many levels that their padding would take several times
 * the matrix's memory. */
bool ic_layout_create(struct ic_layout *f, struct ic_plan *plan, const struct lower_rows *l, int32_t block_rows,
                      enum ic_schedule how, struct error *e);
void ic_layout_free(struct ic_layout *f, struct ic_plan *plan);
/* Another triangle for the same plan.  If l has no `place`, lower->from is not used. */
void ic_triangles_create(struct ic_triangle *lower, struct ic_triangle *upper, const struct ic_plan *plan,
                         const struct lower_rows *l);
void ic_triangles_free(struct ic_triangle *lower, struct ic_triangle *upper);
#endif

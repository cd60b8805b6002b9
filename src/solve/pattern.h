/* pattern.h: where the entries of a sparse matrix are: the modified sliced ELLPACK format (mod.SELL) of Wikberg (2024),
 * section 3.2.  This is the only declaration of that layout; everything with this layout has a struct pattern.
 *
 * The diagonal is stored separately.  Off-diagonals are stored for warps of 32 rows: entry k of lane t of warp w at
 * warp_start[w] + 32 k + t, so the width is that of the widest row of 32, not of 512.  Column codes:
 *   col < 0   local to the slice of 512 rows, row -col-1 of the slice (on CUDA read from shared memory)
 *   col > 0   row col-1, anywhere
 *   col = 0   padding, value 0
 *
 * Counts that must not be confused:
 *   n          rows of this rank;  n_global: of all ranks, for means and other global quantities
 *   n_padded   n rounded up to whole slices, launched; a padding row has diagonal 1 and no entries
 *   pitch      from one component of a vector to the next: n_padded plus ghosts, rows of other ranks (gpu/halo.h);
 *              ghosts are in the order of all ranks' row numbers, so those of preceding ranks come first
 * Vectors for a matrix are [components pitch] (pattern_alloc()): component k of row r at [k pitch + r], zero in the
 * padding; entries from n_padded on are ghosts, written only by halo_update().
 *
 * A struct pattern is passed and stored by value; its two arrays are shared by all copies and owned by the caller of
 * pattern_create(). */
#ifndef POISE_PATTERN_H
#define POISE_PATTERN_H
#include <stddef.h>
#include <stdint.h>
#include "gpu/halo.h"
#include "gpu/kernel.h"

/* What kernels see; pointers to device memory. */
struct pattern {
    int32_t n;                  /* rows */
    int32_t n_slices;           /* of SLICE rows */
    int64_t n_global;
    int64_t first;              /* number of row 0 among the rows of all ranks */
    int64_t n_padded;           /* SLICE * n_slices */
    int64_t pitch;
    int64_t n_stored;           /* entries with padding */
    int64_t n_entries;          /* off-diagonal entries without padding */
    int64_t n_local;            /* of these, local to their slice: lambda = n_local / n_entries */
    const int64_t *warp_start;  /* [WARPS n_slices + 1] */
    const int32_t *col;         /* [n_stored] */
    const struct halo *halo;    /* or NULL: one rank, or a matrix of this rank alone */
    int32_t end_before;         /* with a halo: ghost columns below this one belong to preceding ranks */
};

/* n, and the counts derived from it. */
struct pattern pattern_of_rows(int32_t n);
/* A vector on the device, `components` of numbers of this size in bytes, zero-initialised.  Builds with PITCH_PAD=n
 * (Makefile) add n to the pitch between components and fill the gap with NaN, to catch code that confuses pitch and
 * n_padded. */
void *pattern_alloc(const struct pattern *p, int64_t components, size_t size, const char *what);

/* Creates the pattern on the device from the rows' off-diagonal columns in CSR (host arrays). place, if not NULL:
 * [start[n]] receives the position of each CSR entry among the stored ones (host). */
void pattern_create(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place);
/* The same for a matrix distributed over the ranks, each with a contiguous range of rows: whole slices, except on the
 * last rank.  columns: numbered over all ranks; components: as in halo_create().  All ranks together; with one rank as
 * above. */
void pattern_create_of_ranks(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place,
                             int components);
/* The same, and reserves entries of vectors for other rows: also: [n_also] rows numbered over all ranks, -1 for none;
 * replaced by their positions in a vector of this rank. */
void pattern_create_and_also(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place,
                             int components, int32_t *also, int64_t n_also);
/* The same if the columns of other ranks are known already and numbered as ghosts: column n_padded + i is row near[i]
 * of all ranks, in ascending order.  n_more: number of further ghosts to reserve. */
void pattern_create_with_halo(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place,
                              const int32_t *near, int32_t n_near, int32_t n_more, int components);
void pattern_free(struct pattern *p);
/* First entry of every warp of 32 rows, and the end; each warp takes 32 times the width of its widest row.  [n_warps +
 * 1] on the host; the caller frees it.  start: the rows' entries in CSR. */
int64_t *pattern_warp_starts(int32_t n, int64_t n_warps, const int64_t *start);
#endif

/* pattern.h: where the entries of a sparse matrix are: the modified sliced ELLPACK format (mod.SELL) of Wikberg
 * (2024), section 3.2.  This is the only declaration of that layout; whatever is laid out like it has a struct
 * pattern.
 *
 * The diagonal stands apart.  Off-diagonals are stored for warps of 32 rows: entry k of lane t of warp w at
 * warp_start[w] + 32 k + t, so the width is that of the widest row of 32, not of 512.  Column codes:
 *   col < 0   local to the slice of 512 rows, row -col-1 of the slice (on CUDA read from shared memory)
 *   col > 0   row col-1, anywhere
 *   col = 0   padding, value 0
 *
 * Counts that are not the same thing:
 *   n          rows of this rank;  n_global: of all ranks, for means and whatever else is of the whole
 *   n_padded   rows that are launched: n to whole slices; a padded row has diagonal 1 and no entries
 *   pitch      from one component of a vector to the next: n_padded, and room for rows of other ranks (gpu/halo.h);
 *              rows of ranks before this one come first in that room, as everywhere in the order of all rows' numbers
 * A vector that meets a matrix is [components pitch] (pattern_alloc()): component k of row r at [k pitch + r], zero
 * in the padding; what stands from n_padded on is nobody's but halo_update()'s.
 *
 * A struct pattern is passed and kept by value; its two arrays are shared by all that have it and belong to whoever
 * called pattern_create(). */
#ifndef POISE_PATTERN_H
#define POISE_PATTERN_H
#include <stddef.h>
#include <stdint.h>
#include "gpu/halo.h"
#include "gpu/kernel.h"

/* What kernels see; pointers into the machine's memory. */
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
    const struct halo *halo;    /* or NULL: one rank, or a matrix that is this rank's alone */
    int32_t end_before;         /* with a halo: its columns below this one are of ranks before this one */
};

/* n, and the counts that follow from it. */
struct pattern pattern_of_rows(int32_t n);
/* A vector on the machine, `components` of numbers of so many bytes: zeros; in a build with PITCH_PAD=n (Makefile)
 * components are n farther apart, and what is between them is NaN, so that nobody takes the one count for the other. */
void *pattern_alloc(const struct pattern *p, int64_t components, size_t size, const char *what);

/* Makes the pattern on the machine from the rows' off-diagonal columns in CSR (host arrays).
 * place, if not NULL: [start[n]] filled with the position of each CSR entry among the stored ones (host). */
void pattern_create(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place);
/* The same of a matrix that all ranks have together, each a run of its rows: whole slices, but for the last rank.
 * columns: numbered over all ranks; components: as halo_create().  All ranks together; on one rank as above. */
void pattern_create_of_ranks(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place,
                             int components);
/* And so that vectors have room for other rows too: also: [n_also] rows numbered over all ranks, -1 for none, which
 * become their places in a vector of this rank. */
void pattern_create_and_also(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place,
                             int components, int32_t *also, int64_t n_also);
/* The same where the columns of other ranks are known already and are numbered as they stand behind the rows: column
 * n_padded + i is row near[i] of all ranks, which ascend.  n_more: further rows that there is room for behind them. */
void pattern_create_with_halo(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place,
                              const int32_t *near, int32_t n_near, int32_t n_more, int components);
void pattern_free(struct pattern *p);
/* First entry of every warp of 32 rows and the end, 32 times the widest row of each further on: [n_warps + 1] on the
 * host, the caller's to free.  start: the rows' entries in CSR. */
int64_t *pattern_warp_starts(int32_t n, int64_t n_warps, const int64_t *start);
#endif

/* pattern.h: where the entries of a sparse matrix are: the modified sliced ELLPACK format (mod.SELL) of Wikberg (2024),
 * section 3.2.  This is the only declaration of that layout; whatever is laid out like it has a struct pattern.
 *
 * The diagonal stands apart.  Off-diagonals are stored for warps of 32 rows: entry k of lane t of warp w at
 * warp_start[w] + 32 k + t, so the width is that of the widest row of 32, not of 512.  Column codes:
 *   col < 0   local to the slice of 512 rows, row -col-1 of the slice (on CUDA read from shared memory)
 *   col > 0   row col-1, anywhere
 *   col = 0   padding, value 0
 * Rows are padded to whole slices; a padded row has diagonal 1 and no entries.  Vectors that meet a matrix are
 * allocated with n_padded elements a component and are zero in the padding (device_alloc() gives zeros).
 *
 * A struct pattern is passed and kept by value; its two arrays are shared by all that have it and belong to whoever called
 * pattern_create(). */
#ifndef POISE_PATTERN_H
#define POISE_PATTERN_H
#include <stdint.h>
#include "gpu/kernel.h"

/* What kernels see; pointers into the machine's memory. */
struct pattern {
    int32_t n;                  /* rows */
    int32_t n_slices;           /* of SLICE rows */
    int64_t n_padded;           /* SLICE * n_slices */
    int64_t n_stored;           /* entries with padding */
    int64_t n_entries;          /* off-diagonal entries without padding */
    int64_t n_local;            /* of these, local to their slice: lambda = n_local / n_entries */
    const int64_t *warp_start;  /* [WARPS n_slices + 1] */
    const int32_t *col;         /* [n_stored] */
};

/* Makes the pattern on the machine from the rows' off-diagonal columns in CSR (host arrays).
 * place, if not NULL: [start[n]] filled with the position of each CSR entry among the stored ones (host). */
void pattern_create(struct pattern *p, int32_t n, const int64_t *start, const int32_t *column, int64_t *place);
void pattern_free(struct pattern *p);
/* First entry of every warp of 32 rows and the end, 32 times the widest row of each further on: [n_warps + 1] on the
 * host, the caller's to free.  start: the rows' entries in CSR. */
int64_t *pattern_warp_starts(int32_t n, int64_t n_warps, const int64_t *start);
#endif

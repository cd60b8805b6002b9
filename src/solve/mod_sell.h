/* mod_sell.h: sparse matrix in the modified sliced ELLPACK format of Wikberg (2024), section 3.2.
 *
 * The diagonal stands apart.  Off-diagonals are stored for warps of 32 rows: entry k of lane t of warp w at
 * warp_start[w] + 32 k + t, so the width is that of the widest row of 32, not of 512.  Column codes:
 *   col < 0   local to the slice of 512 rows, row -col-1 of the slice (on CUDA read from shared memory)
 *   col > 0   row col-1, anywhere
 *   col = 0   padding, value 0
 * Rows are padded to whole slices; a padded row has diagonal 1 and no entries.  Vectors that meet a matrix are
 * allocated with n_padded elements a component and are zero in the padding (device_alloc() gives zeros). */
#ifndef POISE_MOD_SELL_H
#define POISE_MOD_SELL_H
#include <stdint.h>
#include "gpu/kernel.h"

/* What kernels see; pointers into the machine's memory. */
struct mod_sell {
    int32_t n;                  /* rows */
    int32_t n_slices;           /* of SLICE rows */
    int64_t n_padded;           /* SLICE * n_slices */
    int64_t n_stored;           /* entries with padding */
    int64_t n_entries;          /* off-diagonal entries without padding */
    int64_t n_local;            /* of these, local to their slice: lambda = n_local / n_entries */
    const int64_t *warp_start;  /* [WARPS n_slices + 1] */
    const int32_t *col;         /* [n_stored] */
    double *val;                /* [n_stored] */
    double *diag;               /* [n_padded] */
};

/* Builds the pattern on the machine from the rows' off-diagonal columns in CSR (host arrays, structurally symmetric),
 * without val and diag.  place, if not NULL: [start[n]] filled with the position of each CSR entry in val (host). */
void mod_sell_pattern(struct mod_sell *a, int32_t n, const int64_t *start, const int32_t *column, int64_t *place);
/* A matrix on a pattern (or on another matrix's): own val (zero) and diag (one), shared warp_start and col. */
void mod_sell_like(struct mod_sell *a, const struct mod_sell *pattern);
void mod_sell_free_like(struct mod_sell *a);            /* of a matrix made by mod_sell_like() */
/* Both in one, for a matrix that stands alone. */
void mod_sell_create(struct mod_sell *a, int32_t n, const int64_t *start, const int32_t *column, int64_t *place);
void mod_sell_free(struct mod_sell *a);                 /* of a pattern, or of a matrix made by mod_sell_create() */
/* The matrix on the host, in CSR: the diagonal first in each row, then the columns in the order in which they are stored
 * (zeros between them too).  start: [n + 1]; all three are the caller's to free. */
void mod_sell_download(const struct mod_sell *a, int64_t **start, int32_t **column, double **value);
/* First entry of every warp of 32 rows and the end, 32 times the widest row of each further on: [n_warps + 1] on the
 * host, the caller's to free.  start: the rows' entries in CSR. */
int64_t *mod_sell_warp_starts(int32_t n, int64_t n_warps, const int64_t *start);
/* Bytes that one product with this matrix moves at the least: entries, diagonal, x once, y once. */
int64_t mod_sell_bytes(const struct mod_sell *a);

struct spmv_args { struct mod_sell a; const double *x; double *y; };
KERNEL(mod_sell_spmv, struct spmv_args)                 /* y = A x; launched over a.n_slices */
#endif

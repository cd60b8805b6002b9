/* linear_system.h: a linear system A x = b on the host: what `poise solve` and `poise bench` work on.
 *
 * Life: generate(), matrix_market_read() or matrix_hdf5_read() make it, checked, rows as the file or the generator
 * numbers them; linear_system_order() may renumber them; of several ranks the first one alone does that, and
 * linear_system_share() gives each of them its rows; linear_system_upload() takes the matrix to the machine.  Arrays
 * belong to the system. */
#ifndef POISE_SYSTEM_LINEAR_SYSTEM_H
#define POISE_SYSTEM_LINEAR_SYSTEM_H
#include <stdbool.h>
#include <stdint.h>
#include "base/names.h"
#include "base/order.h"
#include "base/error.h"
#include "solve/matrix.h"
#include "system/csr.h"

struct linear_system {
    char name[PATH_LENGTH];     /* of the file or of the generator, for messages */
    int first_row;              /* what messages call the first row: 1 in Matrix Market files, else 0 */
    int32_t n;                  /* rows; of blocks, where block > 1: */
    int block;                  /* rows and columns of an entry */
    int64_t *start;             /* [n + 1] CSR, the diagonal first in each row, then columns in ascending order */
    int32_t *column;
    double *value;              /* [start[n] block^2], entry by entry, each row by row */
    bool nonsymmetric;          /* the matrix is not symmetric, or of blocks, of which that is not known */
    char asymmetry[160];        /* where not: "row 1, column 2 holds -1, row 2, column 1 nothing"; of blocks "" */
    bool singular;              /* every row adds up to zero, and every column: constants are the null space; of blocks:
                                   so do the last unknowns of all rows, whose constant (of a pressure) it then is */
    double *rhs;                /* [n block], row by row, or NULL */
    int dim;                    /* of centre: 2 or 3 */
    double *centre;             /* [dim n], component k of row i at [k n + i], or NULL: not known */
    int32_t *phase;             /* [n] which fluid the cell is of, or NULL: not known, or all of one */
    enum ordering ordering;     /* the order that suits it, or that it has been given */
    int32_t first;              /* of this rank's rows among those of all, once it has kept its part */
    int32_t *original;          /* [n of all ranks] number of row i in the file, or NULL: the same; of rank 0 */
};

/* Makes the system from entries in any order, rows and columns counted from 0; entries of the same place are summed.
 * s->name and first_row must be set.  Takes over a->start, column and value (frees them).  A matrix is symmetric where
 * every entry is its mirror image within 1e-10 of it; in one that is not, a diagonal that is missing is 0.  False: the
 * solvers cannot take the matrix: an empty row, an entry that is no number, in a symmetric one a diagonal that is
 * missing or not positive, a null space larger than the constants.  Messages number rows as the file does. */
bool linear_system_of_rows(struct linear_system *s, struct csr *a, struct error *e);
/* Every `block` consecutive rows become one, of blocks; before the right-hand side is set no more than after it.  False
 * with a message: rows are left over, or there are other blocks already. */
bool linear_system_regroup(struct linear_system *s, int block, struct error *e);
/* Rows along a Hilbert curve (needs centres), by Cuthill-McKee, or by METIS in parts of SLICE rows. */
bool linear_system_order(struct linear_system *s, enum ordering ordering, struct error *e);
/* The pattern that linear_system_upload() will make, its counts alone without arrays. */
struct pattern linear_system_layout(const struct linear_system *s);
/* s: the system on rank 0, all zero on the others.  Then every rank has its run of rows, whole slices, whose columns
 * stay numbered over all rows; centres are nobody's any more.  False with a message on all ranks: there are fewer
 * slices than ranks.  All ranks together; on one rank nothing is done. */
bool linear_system_share(struct linear_system *s, struct error *e);
/* Of a vector [n block] of all rows on rank 0, which is freed, NULL on the others: of those that this rank has. */
double *linear_system_piece(const struct linear_system *s, double *v);
/* A matrix of its own, for matrix_free_alone(), of all ranks together. */
void linear_system_upload(const struct linear_system *s, struct matrix *a);
/* v [n block], rows as in s, on the machine: [block pitch], a component after the other.  For device_free(). */
double *linear_system_vector(const struct matrix *a, const double *v, const char *what);
/* The same into an array that is there. */
void linear_system_place(const struct matrix *a, const double *v, double *on_device);
/* From the machine, rows as in the file: [n block] of all ranks, on rank 0; NULL on others.  The caller frees it.  a:
 * what linear_system_upload() made.  All ranks together. */
double *linear_system_download(const struct linear_system *s, const struct matrix *a, const double *on_device);
/* From the file's order of rows to that of s, in place. */
void linear_system_arrange(const struct linear_system *s, double *v);
void linear_system_free(struct linear_system *s);
#endif

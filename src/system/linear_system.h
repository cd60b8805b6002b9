/* linear_system.h: a linear system A x = b on the host, as used by `poise solve` and `poise bench`.
 *
 * Life: generate(), matrix_market_read() or matrix_hdf5_read() create and check it, with rows numbered by the file or
 * the generator; linear_system_order() may renumber them; with several ranks only the first one does that, and
 * linear_system_share() distributes the rows; linear_system_upload() copies the matrix to the device.  The system owns
 * its arrays. */
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
    char name[PATH_LENGTH];     /* name of the file or generator, for messages */
    int first_row;              /* number of the first row in messages: 1 for Matrix Market files, else 0 */
    int32_t n;                  /* rows; block rows if block > 1 */
    int block;                  /* rows and columns of an entry */
    int64_t *start;             /* [n + 1] CSR, the diagonal first in each row, then columns in ascending order */
    int32_t *column;
    double *value;              /* [start[n] block^2], entry by entry, each row by row */
    bool nonsymmetric;          /* the matrix is not symmetric, or has blocks, for which symmetry is not checked */
    char asymmetry[160];        /* first asymmetry: "row 1, column 2 holds -1, row 2, column 1 nothing"; with blocks
                                   "" */
    bool singular;              /* every row and every column sums to zero: constants are the null space; with blocks:
                                   the same for the last unknown of all rows (such as a pressure), whose constants are
                                   the null space */
    double *rhs;                /* [n block], row by row, or NULL */
    int dim;                    /* of centre: 2 or 3 */
    double *centre;             /* [dim n], component k of row i at [k n + i], or NULL: unknown */
    int32_t *phase;             /* [n] fluid of each cell, or NULL: unknown, or one fluid */
    enum ordering ordering;     /* the suitable order, or the current one after linear_system_order() */
    int32_t first;              /* first of this rank's rows among all, after linear_system_share() */
    int32_t *original;          /* [n of all ranks] number of row i in the file, or NULL: the same; only on rank 0 */
};

/* Builds the system from unsorted entries, with rows and columns counted from 0; duplicates are summed.  s->name and
 * first_row must be set.  Takes ownership of a->start, column and value.  A matrix is symmetric if every entry equals
 * its mirror image within a relative 1e-10; in a nonsymmetric one a missing diagonal entry is 0.  False: the solvers do
 * not support the matrix: an empty row, an entry that is not finite, in a symmetric matrix a missing or non-positive
 * diagonal entry, a null space larger than the constants.  Messages number rows as the file does. */
bool linear_system_of_rows(struct linear_system *s, struct csr *a, struct error *e);
/* Combines every `block` consecutive rows into block rows; before or after the right-hand side is set.  False with a
 * message: the rows are not a multiple, or there are blocks already. */
bool linear_system_regroup(struct linear_system *s, int block, struct error *e);
/* Orders rows along a Hilbert curve (needs centres), by Cuthill-McKee, or by METIS in parts of SLICE rows. */
bool linear_system_order(struct linear_system *s, enum ordering ordering, struct error *e);
/* The sizes of the pattern that linear_system_upload() will create, without arrays. */
struct pattern linear_system_layout(const struct linear_system *s);
/* s: the system on rank 0, all zero on the others.  Afterwards every rank has its range of rows, whole slices, with
 * columns numbered over all rows; centres are dropped.  False with a message on all ranks: there are fewer slices than
 * ranks.  Called by all ranks together; with one rank it does nothing. */
bool linear_system_share(struct linear_system *s, struct error *e);
/* Scatters a vector [n block] of all rows on rank 0, which is freed (NULL on the others): returns this rank's part. */
double *linear_system_piece(const struct linear_system *s, double *v);
/* A separate matrix, for matrix_free_alone(), created by all ranks together. */
void linear_system_upload(const struct linear_system *s, struct matrix *a);
/* v [n block], rows as in s, on the device: [block pitch], component after component.  For device_free(). */
double *linear_system_vector(const struct matrix *a, const double *v, const char *what);
/* The same into an existing array. */
void linear_system_place(const struct matrix *a, const double *v, double *on_device);
/* Downloads a vector into the file's order of rows: [n block] of all ranks, on rank 0; NULL on others.  The caller
 * frees it.  a: from linear_system_upload().  Called by all ranks together. */
double *linear_system_download(const struct linear_system *s, const struct matrix *a, const double *on_device);
/* Reorders from the file's order of rows to that of s, in place. */
void linear_system_arrange(const struct linear_system *s, double *v);
void linear_system_free(struct linear_system *s);
#endif

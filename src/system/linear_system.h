/* linear_system.h: a symmetric linear system A x = b on the host: what `poise solve` and `poise bench` work on.
 *
 * Life: generate(), matrix_market_read() or matrix_hdf5_read() make it, checked, rows as the file or the generator
 * numbers them; linear_system_order() may renumber them; linear_system_upload() takes the matrix to the machine.
 * Arrays belong to the system. */
#ifndef POISE_SYSTEM_LINEAR_SYSTEM_H
#define POISE_SYSTEM_LINEAR_SYSTEM_H
#include <stdbool.h>
#include <stdint.h>
#include "base/names.h"
#include "base/order.h"
#include "base/error.h"
#include "solve/matrix.h"

struct linear_system {
    char name[PATH_LENGTH];     /* of the file or of the generator, for messages */
    int first_row;              /* what messages call the first row: 1 in Matrix Market files, else 0 */
    int32_t n;                  /* rows */
    int64_t *start;             /* [n + 1] CSR, the diagonal first in each row, then columns in ascending order */
    int32_t *column;
    double *value;
    bool singular;              /* every row adds up to zero: constants are the null space */
    double *rhs;                /* [n] or NULL */
    int dim;                    /* of centre: 2 or 3 */
    double *centre;             /* [dim n], component k of row i at [k n + i], or NULL: not known */
    int32_t *phase;             /* [n] which fluid the cell is of, or NULL: not known, or all of one */
    enum ordering ordering;     /* the order that suits it, or that it has been given */
    int32_t *original;          /* [n] number of row i in the file, or NULL: the same */
};

/* Makes the system from entries in any order, rows and columns counted from 0; entries of the same place are summed.
 * s->name and first_row must be set.  Takes over a->start, column and value (frees them).  False: the solvers cannot
 * take the matrix: an empty row, an entry that is no number, a diagonal that is missing or not positive, an entry
 * without its mirror image or unequal to it (beyond 1e-10 of it), a null space larger than the constants.  Messages
 * number rows as the file does. */
struct csr { int32_t n; int64_t *start; int32_t *column; double *value; };
bool linear_system_of_rows(struct linear_system *s, struct csr *a, struct error *e);
/* Rows along a Hilbert curve (needs centres), by Cuthill-McKee, or by METIS in parts of SLICE rows. */
bool linear_system_order(struct linear_system *s, enum ordering ordering, struct error *e);
/* The pattern that linear_system_upload() will make, its counts alone without arrays. */
struct pattern linear_system_layout(const struct linear_system *s);
/* A matrix of its own, for matrix_free_alone(). */
void linear_system_upload(const struct linear_system *s, struct matrix *a);
/* v [n], rows as in s, on the machine: [n_padded].  For device_free(). */
double *linear_system_vector(const struct matrix *a, const double *v, const char *what);
/* From the machine, rows as in the file.  The caller frees it. */
double *linear_system_download(const struct linear_system *s, const double *on_device);
/* From the file's order of rows to that of s, in place. */
void linear_system_arrange(const struct linear_system *s, double *v);
void linear_system_free(struct linear_system *s);
#endif

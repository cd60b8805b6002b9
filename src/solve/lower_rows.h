/* lower_rows.h: the pattern of a matrix's lower triangle on the host, in a separate order of elimination. */
#ifndef POISE_LOWER_ROWS_H
#define POISE_LOWER_ROWS_H
#include "solve/linear_setting.h"
#include "solve/matrix.h"

/* CSR, rows in the order of elimination, columns ascending.  order: the row's number in the matrix; place: the position
 * of each entry in the matrix's val; part: the row's subdomain, only for IC_PARTS (ic_layout.h). */
struct lower_rows { int32_t n, *order, *column; int64_t *start, *place; const int32_t *part; };
/* Entries outside the diagonal blocks of block_rows rows of the matrix are omitted. */
void lower_rows_create(struct lower_rows *l, const struct matrix *a, int32_t block_rows,
                       enum factor_ordering ordering);
/* The pattern of (I + L)^power without its diagonal; without order and place.  power 1: l itself, not a copy. */
struct lower_rows lower_rows_power(const struct lower_rows *l, int power);
void lower_rows_free(struct lower_rows *l);
#endif

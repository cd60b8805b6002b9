/* rows.h: a pattern on the host, for algorithms that order, colour or factor there. */
#ifndef POISE_ROWS_H
#define POISE_ROWS_H
#include "solve/pattern.h"

/* The off-diagonal entries of the rows, those in columns of other ranks omitted, in CSR, in the order in which they are
 * stored; place: position of each among the stored ones.  start: [n + 1]; the caller frees all three. */
void rows_download(const struct pattern *p, int64_t **start, int32_t **column, int64_t **place);
/* Including those in columns of other ranks, which are >= n_padded. */
void rows_download_with_halo(const struct pattern *p, int64_t **start, int32_t **column, int64_t **place);
/* The graph of these rows: j is a neighbour of i if row i has column j or row j column i; each once, in ascending
 * order. */
void rows_graph(int32_t n, const int64_t *start, const int32_t *column, int64_t **graph_start, int32_t **neighbour);
/* A colour for each row of a graph, the first that none of its preceding neighbours has; returns the number of
 * colours. */
int32_t rows_colours(int32_t n, const int64_t *start, const int32_t *neighbour, int32_t *colour);
/* order: the rows sorted by colour within every block_rows consecutive ones. */
void rows_by_colours(int32_t n, const int64_t *start, const int32_t *neighbour, int64_t block_rows, int32_t *order);
#endif

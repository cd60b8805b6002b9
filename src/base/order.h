/* order.h: sorting; orderings and partitions of a graph: n vertices, the neighbours of each in CSR, without itself. */
#ifndef POISE_ORDER_H
#define POISE_ORDER_H
#include <stdint.h>
#include <stdlib.h>
#include "base/error.h"

/* qsort() of n items; `things` may be NULL if n is 0, which qsort() itself does not allow. */
static inline void sort(void *things, int64_t n, size_t size, int (*compare)(const void *, const void *))
{
    if (n > 1) qsort(things, (size_t)n, size, compare);
}

/* Moves the distinct non-negative values among n numbers to the front, in ascending order; returns how many. */
int64_t each_once(int32_t *number, int64_t n);
/* Position of x among n ascending numbers; -1: not found. */
int64_t find_number(const int32_t *number, int64_t n, int32_t x);

enum ordering { ORDERING_HILBERT, ORDERING_CUTHILL_MCKEE, ORDERING_METIS, ORDERING_NONE };
enum { N_ORDERINGS = 4 };
extern const char *const ordering_words[N_ORDERINGS];

/* order[k] = vertex at position k: breadth first from a peripheral vertex, so that neighbours are close together. */
void order_cuthill_mckee(int32_t *order, const int64_t *start, const int32_t *adjacent, int32_t n);
/* part[i] = which of n_parts parts vertex i belongs to; the parts are about equally large with few edges between them
 * (METIS, k-way).  Parts of very small graphs may be empty.  False with a message if METIS fails; the message begins
 * with `what` and ends with `instead`: 'ordering "metis"' and 'use "hilbert"'. */
bool order_parts(int32_t *part, int32_t n_parts, const int64_t *start, const int32_t *adjacent, int32_t n,
                 const char *what, const char *instead, struct error *e);
#endif

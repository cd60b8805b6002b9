/* order.h: sorting; orderings and parts of a graph: n vertices, the neighbours of each in CSR, without itself. */
#ifndef POISE_ORDER_H
#define POISE_ORDER_H
#include <stdint.h>
#include <stdlib.h>
#include "base/error.h"

/* qsort() of n things; things may be NULL when n is 0, which qsort() itself does not allow. */
static inline void sort(void *things, int64_t n, size_t size, int (*compare)(const void *, const void *))
{
    if (n > 1) qsort(things, (size_t)n, size, compare);
}

/* Of n numbers those that are not negative, each once and ascending, go to the front; returns how many. */
int64_t each_once(int32_t *number, int64_t n);
/* Where x stands among n ascending numbers; -1: nowhere. */
int64_t find_number(const int32_t *number, int64_t n, int32_t x);

enum ordering { ORDERING_HILBERT, ORDERING_CUTHILL_MCKEE, ORDERING_METIS, ORDERING_NONE };
enum { N_ORDERINGS = 4 };
extern const char *const ordering_words[N_ORDERINGS];

/* order[k] = vertex that comes k-th: breadth first from an end of the graph, so that neighbours are near each other. */
void order_cuthill_mckee(int32_t *order, const int64_t *start, const int32_t *adjacent, int32_t n);
/* part[i] = which of n_parts parts vertex i is in, about equally many in each, few edges between them (METIS,
 * k-way). Parts of a few vertices only may come out empty.  False with a message where METIS fails; the message
 * begins with `what` and ends with `instead`: 'ordering "metis"' and 'use "hilbert"'. */
bool order_parts(int32_t *part, int32_t n_parts, const int64_t *start, const int32_t *adjacent, int32_t n,
                 const char *what, const char *instead, struct error *e);
#endif

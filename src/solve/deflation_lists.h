/* deflation_lists.h: private to deflation: on the host, which subdomains lie in and beside which rows. */
#ifndef POISE_DEFLATION_LISTS_H
#define POISE_DEFLATION_LISTS_H
#include "solve/matrix.h"

/* n lists of numbers, one after the other in `column`, list i from start[i] on; start: [n + 1]. */
struct lists { int32_t n; int64_t *start; int32_t *column; };
void lists_free(struct lists *l);
/* The places of each number 0 .. n_groups - 1 in group[0 .. n - 1], ascending: the rows of every subdomain. */
struct lists lists_of_groups(const int32_t *group, int64_t n, int32_t n_groups);
/* Of this rank's rows: the other subdomains that each has a neighbour in, which is the pattern of A Z.  domain:
 * [pitch]. */
struct lists lists_of_neighbours(const struct matrix *a, const int32_t *domain, int32_t n_domains);
/* The graph of the subdomains of all ranks, which is the pattern of E without its diagonal: neighbours in the order in
 * which the rows of all ranks meet them.  rows: this rank's of each subdomain. */
struct lists lists_of_graph(const struct lists *rows, const struct lists *az);
#endif

/* Lists of the subdomains in each row and adjacent to it (deflation_parts.h). */
#include "solve/deflation_parts.h"
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/ranks.h"

void lists_free(struct lists *l) { free(l->start), free(l->column); }

struct lists lists_of_groups(const int32_t *group, int64_t n, int32_t n_groups)
{
    struct lists l = {.n = n_groups};
    int64_t *at;
    NEW(l.start, n_groups + (int64_t)1), NEW(l.column, n), NEW(at, n_groups);
    for (int64_t i = 0; i < n; i++) l.start[group[i] + 1]++;
    for (int32_t d = 0; d < n_groups; d++) at[d] = l.start[d], l.start[d + 1] += l.start[d];
    for (int64_t i = 0; i < n; i++) l.column[at[group[i]]++] = (int32_t)i;
    free(at);
    return l;
}

struct lists lists_of_neighbours(const struct matrix *a, const int32_t *domain, int32_t n_domains)
{
    struct lists l = {.n = a->p.n};
    int64_t *start, count = 0;
    int32_t *column, *seen;
    double *value;
    matrix_download(a, &start, &column, &value);
    NEW(l.start, a->p.n + 1), NEW(l.column, start[a->p.n]), NEW(seen, n_domains);
    for (int32_t i = 0; i < a->p.n; i++) {
        seen[domain[i]] = i + 1;
        for (int64_t k = start[i]; k < start[i + 1]; k++) {
            int32_t d = domain[column[k]];
            if (seen[d] == i + 1) continue;
            seen[d] = i + 1;
            l.column[count++] = d;
        }
        l.start[i + 1] = count;
    }
    free(start), free(column), free(value), free(seen);
    return l;
}

/* For this rank's rows only. */
static struct lists own_graph(const struct lists *rows, const struct lists *az)
{
    struct lists l = {.n = rows->n};
    int64_t count = 0;
    int32_t *seen;
    NEW(l.start, rows->n + 1), NEW(l.column, az->start[az->n]), NEW(seen, rows->n);
    for (int32_t d = 0; d < rows->n; d++) {
        for (int64_t i = rows->start[d]; i < rows->start[d + 1]; i++)
            for (int64_t k = az->start[rows->column[i]]; k < az->start[rows->column[i] + 1]; k++) {
                if (seen[az->column[k]] == d + 1) continue;
                seen[az->column[k]] = d + 1;
                l.column[count++] = az->column[k];
            }
        l.start[d + 1] = count;
    }
    free(seen);
    return l;
}

struct lists lists_of_graph(const struct lists *rows, const struct lists *az)
{
    struct lists own = own_graph(rows, az), l = {.n = rows->n};
    if (ranks_count() == 1) return own;
    int64_t *first, count = 0;
    int64_t *start = ranks_collect(own.start, own.n + (int64_t)1, sizeof *start, NULL);
    int32_t *column = ranks_collect(own.column, own.start[own.n], sizeof *column, &first), *seen;
    NEW(l.start, l.n + (int64_t)1), NEW(l.column, first[ranks_count()]), NEW(seen, l.n);
    for (int32_t d = 0; d < l.n; d++) {
        for (int r = 0; r < ranks_count(); r++) {
            const int64_t *of_rank = start + r * (l.n + (int64_t)1);
            for (int64_t k = first[r] + of_rank[d]; k < first[r] + of_rank[d + 1]; k++) {
                if (seen[column[k]] == d + 1) continue;
                seen[column[k]] = d + 1;
                l.column[count++] = column[k];
            }
        }
        l.start[d + 1] = count;
    }
    lists_free(&own);
    free(start), free(column), free(first), free(seen);
    return l;
}

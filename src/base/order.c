/* Sorted lists of numbers; orderings and partitions of graphs (order.h). */
#include "base/order.h"
#include <metis.h>
#include <stdlib.h>
#include "base/memory.h"

const char *const ordering_words[N_ORDERINGS] = {
    [ORDERING_HILBERT] = "hilbert", [ORDERING_CUTHILL_MCKEE] = "cuthill-mckee", [ORDERING_METIS] = "metis",
    [ORDERING_NONE] = "none"};

static int ascending(const void *x, const void *y)
{
    const int32_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

int64_t each_once(int32_t *number, int64_t n)
{
    int64_t count = 0, kept = 0;
    for (int64_t k = 0; k < n; k++) if (number[k] >= 0) number[count++] = number[k];
    sort(number, count, sizeof *number, ascending);
    for (int64_t k = 0; k < count; k++) if (!kept || number[k] != number[kept - 1]) number[kept++] = number[k];
    return kept;
}

int64_t find_number(const int32_t *number, int64_t n, int32_t x)
{
    const int32_t *at = n ? bsearch(&x, number, (size_t)n, sizeof x, ascending) : NULL;
    return at ? at - number : -1;
}

/* Breadth-first search from `from` over cells whose mark is not `mark`; neighbours of a cell in order of ascending
 * degree.  Fills order[0 ..], returns the number of cells found; *depth: levels. */
static int32_t breadth_first(int32_t *order, const int64_t *start, const int32_t *adjacent, int32_t from, int32_t *seen,
                             int32_t mark, int32_t *depth)
{
    int32_t n = 1, level_end = 1;
    order[0] = from, seen[from] = mark, *depth = 0;
    for (int32_t i = 0; i < n; i++) {
        if (i == level_end) level_end = n, ++*depth;
        int32_t first = n;
        for (int64_t k = start[order[i]]; k < start[order[i] + 1]; k++) {
            int32_t c = adjacent[k], j = n;
            if (seen[c] == mark) continue;
            seen[c] = mark;
            int64_t degree = start[c + 1] - start[c];
            for (; j > first && start[order[j - 1] + 1] - start[order[j - 1]] > degree; j--) order[j] = order[j - 1];
            order[j] = c;
            n++;
        }
    }
    return n;
}

void order_cuthill_mckee(int32_t *order, const int64_t *start, const int32_t *adjacent, int32_t n)
{
    int32_t *seen, mark = 0, done = 0;
    NEW(seen, n);                                       /* number of the last search that visited the cell */
    for (int32_t c = 0; c < n; c++) {
        if (seen[c]) continue;                          /* its connected component is ordered already */
        int32_t from = c, depth, deepest = -1, found;
        for (;;) {                                      /* George & Liu (1979): find a peripheral vertex */
            found = breadth_first(order + done, start, adjacent, from, seen, ++mark, &depth);
            if (depth <= deepest) break;
            deepest = depth, from = order[done + found - 1];
        }
        done += found;
    }
    free(seen);
}

bool order_parts(int32_t *part, int32_t n_parts, const int64_t *start, const int32_t *adjacent, int32_t n,
                 const char *what, const char *instead, struct error *e)
{
    if (start[n] > INT32_MAX)
        return refuse(e, EXIT_RESOURCE, "%s: %lld neighbours are more than METIS can count in 32 bits; %s", what,
                      (long long)start[n], instead);
    idx_t vertices = n, constraints = 1, parts = n_parts, cut, *row, *column, *home;
    idx_t options[METIS_NOPTIONS];
    NEW(row, n + 1), NEW(column, start[n]), NEW(home, n);
    for (int32_t c = 0; c <= n; c++) row[c] = (idx_t)start[c];
    for (int64_t k = 0; k < start[n]; k++) column[k] = adjacent[k];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    int status = METIS_OK;
    if (parts > 1)
        status = METIS_PartGraphKway(&vertices, &constraints, row, column, NULL, NULL, NULL, &parts, NULL, NULL,
                                     options, &cut, home);
    for (int32_t c = 0; c < n; c++) part[c] = (int32_t)home[c];
    free(row), free(column), free(home);
    if (status == METIS_OK) return true;
    return refuse(e, EXIT_RESOURCE, "%s: METIS failed on %d vertices (%s); %s", what, n,
                  status == METIS_ERROR_MEMORY ? "out of memory" : "internal error", instead);
}

#include "solve/subdomains.h"
#include <stdlib.h>
#include "base/memory.h"
#include "base/order.h"

/* Gives the subdomains the numbers 0, 1, .. in the order of their first rows; returns how many there are.  n_old:
 * all old numbers are below it. */
static int32_t renumber(int32_t *domain, int32_t n, int32_t n_old)
{
    int32_t *new_number, count = 0;
    NEW(new_number, n_old);
    for (int32_t i = 0; i < n; i++) {
        if (!new_number[domain[i]]) new_number[domain[i]] = ++count;
        domain[i] = new_number[domain[i]] - 1;
    }
    free(new_number);
    return count;
}

static bool parts(const struct matrix *a, int32_t n_parts, int32_t *domain, struct error *e)
{
    int64_t *start, count = 0;
    int32_t *column;
    double *value;
    matrix_download(a, &start, &column, &value);
    for (int32_t i = 0; i < a->p.n; i++) {                /* without the diagonal, the first of each row */
        int64_t k = start[i] + 1;
        start[i] = count;
        for (; k < start[i + 1]; k++) column[count++] = column[k];
    }
    start[a->p.n] = count;
    bool good = order_parts(domain, n_parts, start, column, a->p.n, "deflation \"metis\"", "use \"blocks\"", e);
    free(start), free(column), free(value);
    return good;
}

/* The root of row i's tree: the first row, so far, of the component that i is in.  parent is a forest (union-find); the
 * path is halved while it is walked. */
static int32_t root(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Components of the graph without the links between phases: domain = first row. */
static void components(const struct matrix *a, const int32_t *phase, int32_t *domain)
{
    int64_t *start;
    int32_t *column;
    double *value;
    matrix_download(a, &start, &column, &value);
    for (int32_t i = 0; i < a->p.n; i++) domain[i] = i;
    for (int32_t i = 0; i < a->p.n; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++) {
            int32_t j = column[k], x = root(domain, i), y = root(domain, j);
            double here = value[start[i]], there = value[start[j]];
            bool linked = phase ? phase[i] == phase[j] : here <= JUMP * there && there <= JUMP * here;
            if (linked && x != y) domain[x > y ? x : y] = x > y ? y : x;
        }
    for (int32_t i = 0; i < a->p.n; i++) domain[i] = root(domain, i);
    free(start), free(column), free(value);
}

struct region { int32_t number, rows; };
static int largest_first(const void *x, const void *y)
{
    const struct region *a = x, *b = y;
    return a->rows != b->rows ? (a->rows < b->rows ? 1 : -1) : a->number - b->number;
}

static int32_t level_set(const struct matrix *a, const int32_t *phase, int32_t most, int32_t *domain, struct error *e)
{
    struct region *region;
    int32_t *place;
    components(a, phase, domain);
    int32_t count = renumber(domain, a->p.n, a->p.n);
    if (count == 1 && phase)
        return refuse(e, EXIT_INPUT, "deflation by level set finds one region only: all rows are of one phase; use "
                      "\"blocks\" or \"metis\"");
    if (count == 1)
        return refuse(e, EXIT_INPUT, "deflation by level set finds one region only: phases are not known, and no entry "
                      "of the diagonal is %g times a neighbour's; use \"blocks\" or \"metis\"", JUMP);
    if (count <= most) return count;
    NEW(region, count), NEW(place, count);
    for (int32_t r = 0; r < count; r++) region[r].number = r;
    for (int32_t i = 0; i < a->p.n; i++) region[domain[i]].rows++;
    qsort(region, (size_t)count, sizeof *region, largest_first);
    for (int32_t r = 0; r < count; r++) place[region[r].number] = r < most ? r : most - 1;
    for (int32_t i = 0; i < a->p.n; i++) domain[i] = place[domain[i]];
    free(region), free(place);
    return renumber(domain, a->p.n, most);
}

/* Cuts the rows of each region into runs of about equal length: at most `most` runs in all, at least one for a
 * region. */
static int32_t cut(int32_t *domain, int32_t n, int32_t regions, int32_t most)
{
    int32_t *rows, *number, count = regions, length = most > regions ? n / (most - regions) + 1 : n;
    NEW(rows, regions), NEW(number, regions);
    for (int32_t r = 0; r < regions; r++) number[r] = r;
    for (int32_t i = 0; i < n; i++) {
        int32_t r = domain[i];
        if (rows[r]++ == length) number[r] = count++, rows[r] = 1;
        domain[i] = number[r];
    }
    free(rows), free(number);
    return count;
}

int32_t subdomains(const struct matrix *a, const struct linear_setting *s, const int32_t *phase, int32_t *domain,
                   struct error *e)
{
    bool blocks = s->deflation == DEFLATION_BLOCKS;
    int32_t regions, units = blocks ? a->p.n_slices : a->p.n, most = s->deflation_vectors,
                     k = most < units ? most : units;
    if (most < 1 || most > MOST_DOMAINS)
        return refuse(e, EXIT_INPUT, "%d deflation vectors; expected 1 .. %d", most, MOST_DOMAINS);
    switch (s->deflation) {
    case DEFLATION_METIS: return parts(a, k, domain, e) ? renumber(domain, a->p.n, k) : 0;
    case DEFLATION_LEVEL_SET: return level_set(a, phase, most, domain, e);
    case DEFLATION_LEVEL_SET_BLOCKS:
        regions = level_set(a, phase, most, domain, e);
        return regions ? cut(domain, a->p.n, regions, most) : 0;
    case DEFLATION_STRIPES: case DEFLATION_BLOCKS: break;
    case DEFLATION_NONE: die("no deflation was asked for");
    }
    for (int32_t i = 0; i < a->p.n; i++) domain[i] = (int32_t)((int64_t)(blocks ? i / SLICE : i) * k / units);
    return k;
}

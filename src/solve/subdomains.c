/* Divides rows into the subdomains of deflation (subdomains.h). */
#include "solve/subdomains.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/forest.h"
#include "base/memory.h"
#include "base/order.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "solve/contrast.h"

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

/* Two components, each identified by a row number, that are connected. */
struct same { int32_t one, other; };

/* Joins the components of all ranks: domain becomes the first row of the joined component over all ranks. */
static void join(const struct pattern *p, const struct same *own, int64_t n_own, int32_t *domain)
{
    int64_t *first, n = 0;
    struct same *all = ranks_collect(own, n_own, sizeof *own, &first);
    int32_t *label, *parent;
    NEW(label, 2 * first[ranks_count()]);
    for (int64_t k = 0; k < first[ranks_count()]; k++) label[n++] = all[k].one, label[n++] = all[k].other;
    n = each_once(label, n);
    NEW(parent, n);
    for (int32_t k = 0; k < n; k++) parent[k] = k;
    for (int64_t k = 0; k < first[ranks_count()]; k++)
        forest_join(parent, (int32_t)find_number(label, n, all[k].one),
                    (int32_t)find_number(label, n, all[k].other));
    for (int32_t i = 0; i < p->n; i++) {
        int64_t k = find_number(label, n, domain[i]);
        if (k >= 0) domain[i] = label[forest_root(parent, (int32_t)k)];
    }
    free(all), free(first), free(label), free(parent);
}

/* Where the graph is cut: between phases; where the diagonal jumps; at entries under OVER_JUMP times the largest one of
 * either row. */
enum cut { CUT_PHASES, CUT_DIAGONAL, CUT_ENTRIES };
struct links { enum cut cut; int32_t *phase; double *size; };          /* size: of the diagonal; of the largest entry */

static bool linked(const struct links *l, int32_t i, int32_t j, double value)
{
    double most = fmax(l->size[i], l->size[j]);
    if (l->cut == CUT_PHASES) return l->phase[i] == l->phase[j];
    return l->cut == CUT_ENTRIES ? fabs(value) > OVER_JUMP * most : most <= JUMP * fmin(l->size[i], l->size[j]);
}

/* Components of the remaining graph: domain = first row, numbered over all ranks. */
static void components(const struct matrix *a, enum cut cut, const int32_t *phase, int32_t *domain)
{
    int64_t *start, n_same = 0;
    int32_t *column, *label;
    double *value;
    struct same *same;
    struct links links = {.cut = cut};
    matrix_download(a, &start, &column, &value);
    NEW(links.phase, a->p.pitch), NEW(links.size, a->p.pitch), NEW(label, a->p.pitch);
    NEW(same, a->p.halo ? start[a->p.n] : 0);
    for (int32_t i = 0; i < a->p.n; i++) {              /* the diagonal comes first in its row */
        domain[i] = i, links.phase[i] = phase ? phase[i] : 0;
        links.size[i] = cut == CUT_ENTRIES ? 0 : value[start[i]];
        for (int64_t k = start[i] + 1; cut == CUT_ENTRIES && k < start[i + 1]; k++)
            links.size[i] = fmax(links.size[i], fabs(value[k]));
    }
    halo_update_host(a->p.halo, links.phase, sizeof *links.phase);
    halo_update_host(a->p.halo, links.size, sizeof *links.size);
    for (int32_t i = 0; i < a->p.n; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++) {
            int32_t j = column[k];
            if (j < a->p.n && linked(&links, i, j, value[k])) forest_join(domain, i, j);
        }
    for (int32_t i = 0; i < a->p.n; i++) label[i] = (int32_t)a->p.first + forest_root(domain, i);
    memcpy(domain, label, (size_t)a->p.n * sizeof *domain);
    halo_update_host(a->p.halo, label, sizeof *label);
    for (int32_t i = 0; i < a->p.n; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++)
            if (column[k] >= a->p.n && linked(&links, i, column[k], value[k]))
                same[n_same++] = (struct same){label[i], label[column[k]]};
    if (a->p.halo) join(&a->p, same, n_same, domain);
    free(start), free(column), free(value), free(links.phase), free(links.size), free(label), free(same);
}

/* Numbers the components 0, 1, .. by their first rows; returns their number. */
static int32_t number_components(int32_t *domain, const struct pattern *p)
{
    int32_t *own, *all;
    int64_t *first, n;
    NEW(own, p->n);
    memcpy(own, domain, (size_t)p->n * sizeof *own);
    n = each_once(own, p->n);
    all = ranks_collect(own, n, sizeof *own, &first);
    n = each_once(all, first[ranks_count()]);
    for (int32_t i = 0; i < p->n; i++) domain[i] = (int32_t)find_number(all, n, domain[i]);
    free(own), free(all), free(first);
    return (int32_t)n;
}

/* Numbers the subdomains 0, 1, .. in the order of their first rows among those of all ranks; returns their number.
 * n_old: all old numbers are below it. */
static int32_t renumber(int32_t *domain, const struct pattern *p, int32_t n_old)
{
    double *first;
    NEW(first, n_old);
    for (int32_t d = 0; d < n_old; d++) first[d] = -INFINITY;
    for (int32_t i = p->n - 1; i >= 0; i--) first[domain[i]] = -(double)(p->first + i);
    largest_over_ranks(first, n_old);                   /* thus the smallest row number */
    for (int32_t i = 0; i < p->n; i++) domain[i] = (int32_t)-first[domain[i]];
    free(first);
    return number_components(domain, p);
}

struct region { int32_t number; double rows; };
static int largest_first(const void *x, const void *y)
{
    const struct region *a = x, *b = y;
    return a->rows != b->rows ? (a->rows < b->rows ? 1 : -1) : a->number - b->number;
}

static int32_t level_set(const struct matrix *a, const int32_t *phase, int32_t most, int32_t *domain, struct error *e)
{
    struct region *region;
    int32_t *place;
    double *rows;
    components(a, phase ? CUT_PHASES : CUT_DIAGONAL, phase, domain);
    int32_t count = number_components(domain, &a->p);
    if (count == 1 && phase)
        return refuse(e, EXIT_INPUT, "deflation by level set finds only one region: all rows are of one phase; use "
                                     "\"blocks\" or \"metis\"");
    if (count == 1)
        return refuse(e, EXIT_INPUT, "deflation by level set finds only one region: the phases are unknown, and no "
                                     "entry of the diagonal is %g times a neighbour's; use \"blocks\" or "
                                     "\"metis\"", JUMP);
    if (count <= most) return count;
    NEW(region, count), NEW(place, count), NEW(rows, count);
    for (int32_t i = 0; i < a->p.n; i++) rows[domain[i]]++;
    sums_over_ranks(rows, count);
    for (int32_t r = 0; r < count; r++) region[r] = (struct region){r, rows[r]};
    qsort(region, (size_t)count, sizeof *region, largest_first);
    for (int32_t r = 0; r < count; r++) place[region[r].number] = r < most ? r : most - 1;
    for (int32_t i = 0; i < a->p.n; i++) domain[i] = place[domain[i]];
    free(region), free(place), free(rows);
    return renumber(domain, &a->p, most);
}

static int32_t jumps(const struct matrix *a, int32_t most, int32_t *domain, struct error *e)
{
    components(a, CUT_ENTRIES, NULL, domain);
    int32_t count = number_components(domain, &a->p);
    if (count > 1 && count <= most) return count;
    return refuse(e, EXIT_INPUT, "deflation by jumps finds %d region%s; expected from 2 to deflation_vectors = %d",
                  count, count > 1 ? "s" : "", most), 0;
}

/* Divides the rows of each region into runs of about equal length: at most `most` runs in total, at least one per
 * region. Runs are numbered in the order of their first rows among those of all ranks, after the regions: a region's
 * first run has the region's number. */
static int32_t cut(int32_t *domain, const struct pattern *p, int32_t regions, int32_t most)
{
    int64_t n = p->n_global, length = most > regions ? n / (most - regions) + 1 : n, *first, begun = 0;
    int32_t *rows, *number, *begins, *of_ranks, *all;
    NEW(rows, regions), NEW(number, regions), NEW(begins, p->n);
    for (int32_t i = 0; i < p->n; i++) rows[domain[i]]++;
    of_ranks = ranks_collect(rows, regions, sizeof *rows, NULL);
    for (int32_t r = 0; r < regions; r++) {             /* rows on preceding ranks */
        rows[r] = 0;
        for (int k = 0; k < ranks_own(); k++) rows[r] += of_ranks[(int64_t)k * regions + r];
        if (rows[r] > 0) rows[r] = (int32_t)((rows[r] - 1) % length + 1);      /* of the current run */
    }
    memcpy(of_ranks, rows, (size_t)regions * sizeof *rows);
    for (int32_t i = 0; i < p->n; i++)                  /* the regions whose next run begins here */
        if (rows[domain[i]]++ == length) begins[begun++] = domain[i], rows[domain[i]] = 1;
    all = ranks_collect(begins, begun, sizeof *begins, &first);
    for (int32_t r = 0; r < regions; r++) number[r] = r;
    for (int64_t k = 0; k < first[ranks_own()]; k++) number[all[k]] = regions + (int32_t)k;
    memcpy(rows, of_ranks, (size_t)regions * sizeof *rows);
    int32_t count = regions + (int32_t)first[ranks_own()];
    for (int32_t i = 0; i < p->n; i++) {
        int32_t r = domain[i];
        if (rows[r]++ == length) number[r] = count++, rows[r] = 1;
        domain[i] = number[r];
    }
    count = regions + (int32_t)first[ranks_count()];
    free(rows), free(number), free(begins), free(of_ranks), free(all), free(first);
    return count;
}

int32_t subdomains(const struct matrix *a, const struct linear_setting *s, const int32_t *phase, int32_t *domain,
                   struct error *e)
{
    bool blocks = s->deflation == DEFLATION_BLOCKS;
    const struct pattern *p = &a->p;
    int64_t units = blocks ? (p->n_global + SLICE - 1) / SLICE : p->n_global;
    int32_t regions, most = s->deflation_vectors, k = most < units ? most : (int32_t)units;
    if (most < 1 || most > MOST_DOMAINS)
        return refuse(e, EXIT_INPUT, "%d deflation vectors; expected 1 .. %d", most, MOST_DOMAINS);
    switch (s->deflation) {
    case DEFLATION_METIS: return parts(a, k, domain, e) ? renumber(domain, p, k) : 0;
    case DEFLATION_LEVEL_SET: return level_set(a, phase, most, domain, e);
    case DEFLATION_LEVEL_SET_BLOCKS:
        regions = level_set(a, phase, most, domain, e);
        return regions ? cut(domain, p, regions, most) : 0;
    case DEFLATION_JUMPS: return jumps(a, most, domain, e);
    case DEFLATION_STRIPES: case DEFLATION_BLOCKS: break;
    case DEFLATION_NONE: die("no deflation was asked for");
    }
    for (int32_t i = 0; i < p->n; i++) {
        int64_t row = p->first + i;
        domain[i] = (int32_t)((blocks ? row / SLICE : row) * k / units);
    }
    return k;
}

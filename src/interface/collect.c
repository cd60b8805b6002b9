/* Collects the cells with second fluid from all ranks on the host (collect.h). */
#include "interface/collect.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/scan.h"
#include "gpu/sums.h"

static void make_room(struct collected *c, int32_t n, int dim, double far)
{
    NEW(c->fraction, n), NEW(c->distance, n), NEW(c->u, (int64_t)dim * n), NEW(c->value, (int64_t)dim * n);
    NEW(c->cell, 2 * (int64_t)n);
    c->filled.cell = c->cell, c->band.cell = c->cell + n;
    for (int32_t k = 0; k < n; k++) c->distance[k] = far;
}

/* Resets to the state without second fluid. */
static void forget(struct collected *c, double far)
{
    for (int32_t k = 0; k < c->filled.n; k++) c->fraction[c->filled.cell[k]] = 0, c->distance[c->filled.cell[k]] = far;
    for (int32_t k = 0; k < c->band.n; k++) c->distance[c->band.cell[k]] = far;
}

/* Gathers n items of each rank on rank 0, in the order of the ranks. */
static void send(const void *own, int32_t n, size_t size, void *to)
{
    int64_t *first = ranks_first(n);
    void *all = ranks_to_first(own, n, size);
    if (all) memcpy(to, all, (size_t)first[ranks_count()] * size);
    free(first), free(all);
}

/* Gathers the values of n listed cells, in components `pitch` apart, into c->value; `all`: number of cells of all
 * ranks. */
static void bring(struct collected *c, const double *from, int components, int64_t pitch, const int32_t *cell,
                  int32_t n, int32_t all)
{
    double *packed = device_alloc((size_t)n * sizeof *packed, "values of a table's row"), *own;
    NEW(own, n);
    for (int k = 0; k < components; k++) {
        gather_cells(&(struct gather_args){from + k * pitch, cell, packed}, n);
        device_download(own, packed, (size_t)n * sizeof *own);
        send(own, n, sizeof *own, c->value ? c->value + (int64_t)k * all : NULL);
    }
    device_free(packed), free(own);
}

/* Gathers the global numbers of n listed cells on rank 0; returns the number over all ranks. */
static int32_t bring_list(const struct interface *i, const int32_t *cell, int32_t n, int32_t *to)
{
    int32_t *own;
    NEW(own, n);
    device_download(own, cell, (size_t)n * sizeof *own);
    for (int32_t k = 0; k < n; k++) own[k] += (int32_t)i->g.s.pattern.first;
    send(own, n, sizeof *own, to);
    free(own);
    return (int32_t)count_over_ranks(n);
}

/* Lists the filled cells of this rank on the device; the caller frees the list. */
static int32_t *list(const struct interface *i, int32_t *n_filled)
{
    const int32_t n = i->g.s.n_cells;
    struct collect_args a = {.fraction = i->fraction, .place = i->place};
    mark_filled(&a, n);
    *n_filled = (int32_t)scan_with(&(struct scan_args){i->place, i->place, NULL, n, 1}, i->scan_work);
    a.cell = device_alloc((size_t)*n_filled * sizeof *a.cell, "cells of a table's row");
    list_filled(&a, n);
    return a.cell;
}

void interface_collect(const struct interface *i, const double *u, struct collected *c)
{
    const int32_t n = (int32_t)i->g.s.pattern.n_global;
    const int dim = i->g.s.dim;
    int32_t filled;
    if (!c->cell && !ranks_own()) make_room(c, n, dim, i->far);
    forget(c, i->far);
    int32_t *cell = list(i, &filled), all = bring_list(i, cell, filled, c->cell);
    c->filled.n = ranks_own() ? 0 : all;
    bring(c, i->fraction, 1, 0, cell, filled, all);
    for (int32_t k = 0; k < c->filled.n; k++) {
        int32_t at = c->filled.cell[k];
        c->fraction[at] = c->value[k], c->distance[at] = c->value[k] < 0.5 ? i->far : -i->far;
    }
    bring(c, u, dim, i->g.s.pitch, cell, filled, all);
    device_free(cell);
    for (int j = 0; j < dim; j++)
        for (int32_t k = 0; k < c->filled.n; k++)
            c->u[(int64_t)j * n + c->filled.cell[k]] = c->value[(int64_t)j * all + k];
    all = bring_list(i, i->band, i->n_band, c->cell ? c->cell + n : NULL);
    c->band.n = ranks_own() ? 0 : all;
    bring(c, i->distance, 1, 0, i->band, i->n_band, all);
    for (int32_t k = 0; k < c->band.n; k++) c->distance[c->band.cell[k]] = c->value[k];
}

void collected_free(struct collected *c)
{
    free(c->fraction), free(c->distance), free(c->u), free(c->value), free(c->cell);
    memset(c, 0, sizeof *c);
}

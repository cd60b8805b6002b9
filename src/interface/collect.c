#include "interface/collect.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/scan.h"
#include "interface/collect_kernels.h"

static void make_room(struct collected *c, int32_t n, int dim, double far)
{
    NEW(c->fraction, n), NEW(c->distance, n), NEW(c->u, (int64_t)dim * n), NEW(c->value, (int64_t)dim * n);
    NEW(c->cell, 2 * (int64_t)n);
    c->filled.cell = c->cell, c->band.cell = c->cell + n;
    for (int32_t k = 0; k < n; k++) c->distance[k] = far;
}

/* As in a mesh without second fluid. */
static void forget(struct collected *c, double far)
{
    for (int32_t k = 0; k < c->filled.n; k++) c->fraction[c->filled.cell[k]] = 0, c->distance[c->filled.cell[k]] = far;
    for (int32_t k = 0; k < c->band.n; k++) c->distance[c->band.cell[k]] = far;
}

/* Brings the values of n listed cells of each of so many components, `pitch` apart, into c->value. */
static void bring(struct collected *c, const double *from, int components, int64_t pitch, const int32_t *cell,
                  int32_t n)
{
    double *packed = device_alloc((size_t)components * (size_t)n * sizeof *packed, "values of a table's row");
    for (int k = 0; k < components; k++)
        gather_cells(&(struct gather_args){from + k * pitch, cell, packed + (int64_t)k * n}, n);
    device_download(c->value, packed, (size_t)components * (size_t)n * sizeof *packed);
    device_free(packed);
}

/* Lists the filled cells, on the machine and on the host; the caller frees the list on the machine. */
static int32_t *list(const struct interface *i, struct collected *c)
{
    const int32_t n = i->g.s.n_cells;
    struct collect_args a = {.fraction = i->fraction, .place = i->place};
    mark_filled(&a, n);
    c->filled.n = (int32_t)scan_with(&(struct scan_args){i->place, i->place, NULL, n, 1}, i->scan_work);
    a.cell = device_alloc((size_t)c->filled.n * sizeof *a.cell, "cells of a table's row");
    list_filled(&a, n);
    device_download(c->cell, a.cell, (size_t)c->filled.n * sizeof *a.cell);
    return a.cell;
}

void interface_collect(const struct interface *i, const double *u, struct collected *c)
{
    const int32_t n = i->g.s.n_cells;
    const int dim = i->g.s.dim;
    if (!c->cell) make_room(c, n, dim, i->far);
    forget(c, i->far);
    int32_t *cell = list(i, c);
    const int32_t filled = c->filled.n;
    bring(c, i->fraction, 1, 0, cell, filled);
    for (int32_t k = 0; k < filled; k++) {
        int32_t at = c->filled.cell[k];
        c->fraction[at] = c->value[k], c->distance[at] = c->value[k] < 0.5 ? i->far : -i->far;
    }
    bring(c, u, dim, i->g.s.pitch, cell, filled);
    device_free(cell);
    for (int j = 0; j < dim; j++)
        for (int32_t k = 0; k < filled; k++)
            c->u[(int64_t)j * n + c->filled.cell[k]] = c->value[(int64_t)j * filled + k];
    c->band.n = i->n_band;
    device_download(c->cell + n, i->band, (size_t)i->n_band * sizeof *i->band);
    bring(c, i->distance, 1, 0, i->band, i->n_band);
    for (int32_t k = 0; k < i->n_band; k++) c->distance[c->band.cell[k]] = c->value[k];
}

void collected_free(struct collected *c)
{
    free(c->fraction), free(c->distance), free(c->u), free(c->value), free(c->cell);
    memset(c, 0, sizeof *c);
}

#include "interface/zero_sum.h"
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "interface/forces_kernels.h"
#include "mesh/mesh.h"

/* Pairs of an own cell and a copy that share a face. */
static void find_cross(struct zero_sum *z, const struct mesh *m)
{
    int32_t *cross;
    NEW(cross, 2 * (int64_t)m->n_internal + 1);
    for (int32_t f = 0; f < m->n_internal; f++) {
        int32_t owner = m->face_owner[f], neighbour = m->face_neighbour[f];
        if ((owner < m->n_cells) == (neighbour < m->n_cells)) continue;
        bool own = owner < m->n_cells;
        cross[2 * z->n_cross] = own ? owner : neighbour, cross[2 * z->n_cross++ + 1] = own ? neighbour : owner;
    }
    z->cross = device_copy_of(cross, (size_t)(2 * z->n_cross + 1) * sizeof *cross, "faces between ranks");
    z->pair = device_alloc((size_t)(2 * z->n_cross + 1) * sizeof *z->pair, "faces between ranks");
    free(cross);
}

void zero_sum_create(struct zero_sum *z, const struct geometry *g, const struct mesh *m)
{
    const struct stencil *s = &g->s;
    *z = (struct zero_sum){0};
    z->root = device_alloc((size_t)s->pitch * sizeof *z->root, "parts of the interface");
    z->sum = device_alloc((size_t)(ZERO_SUMS(s->dim) * s->pitch) * sizeof *z->sum, "parts of the interface");
    z->tilt = pattern_alloc(&s->pattern, s->dim, sizeof *z->tilt, "parts of the interface");
    z->number = z->root;
    if (!m->part) return;
    z->number = device_alloc((size_t)s->pitch * sizeof *z->number, "parts of the interface");
    find_cross(z, m);
}

void zero_sum_free(struct zero_sum *z)
{
    if (z->number != z->root) device_free(z->number);
    device_free(z->root), device_free(z->sum), device_free(z->tilt), device_free(z->cross), device_free(z->pair);
    *z = (struct zero_sum){0};
}

/* ---------------------------------------------------------------- several ranks
 * Each has found the parts of its own cells.  A part that goes on in another rank's cells is put together on the host,
 * by every rank for itself, from the pairs of roots on both sides of a face and the sums at these roots. */
struct pair { int32_t root[2]; };
struct share { int64_t root, sum[ZERO_SUMS_MOST]; };

static int by_root(const void *p, const void *q)
{
    const struct pair *a = p, *b = q;
    for (int k = 0; k < 2; k++)
        if (a->root[k] != b->root[k]) return a->root[k] < b->root[k] ? -1 : 1;
    return 0;
}

/* Pairs that differ, of this rank; the caller frees them. */
static struct pair *own_pairs(const struct zero_sum_args *a, int32_t *n)
{
    struct pair *pair;
    NEW(pair, a->z.n_cross + 1);
    part_pairs(a, a->z.n_cross);
    device_download(pair, a->z.pair, (size_t)a->z.n_cross * sizeof *pair);
    int32_t kept = 0;
    for (int32_t i = 0; i < a->z.n_cross; i++) if (pair[i].root[0] >= 0) pair[kept++] = pair[i];
    sort(pair, kept, sizeof *pair, by_root);
    *n = 0;
    for (int32_t i = 0; i < kept; i++) if (!*n || by_root(&pair[*n - 1], &pair[i])) pair[(*n)++] = pair[i];
    return pair;
}

/* The sums at the own roots of the pairs; the caller frees them. */
static struct share *own_shares(struct zero_sum_args *a, const struct pair *pair, int32_t n_pairs, int32_t *n)
{
    const int numbers = ZERO_SUMS(a->f.p.g.s.dim);
    struct share *share;
    int32_t *cell;
    int64_t *packed;
    NEW(share, n_pairs + 1), NEW(cell, n_pairs + 1), NEW(packed, (int64_t)numbers * (n_pairs + 1));
    *n = 0;
    for (int32_t i = 0; i < n_pairs; i++)
        if (i == 0 || pair[i].root[0] != pair[i - 1].root[0])
            cell[*n] = pair[i].root[0] - a->first, share[(*n)++].root = pair[i].root[0];
    a->n_packed = *n;
    a->cell = device_copy_of(cell, (size_t)(*n + 1) * sizeof *cell, "roots");
    a->packed = device_alloc((size_t)(*n + 1) * (size_t)numbers * sizeof *packed, "sums");
    part_pack(a, (int64_t)*n * numbers);
    device_download(packed, a->packed, (size_t)*n * (size_t)numbers * sizeof *packed);
    for (int32_t i = 0; i < *n; i++)
        for (int k = 0; k < numbers; k++) share[i].sum[k] = packed[(int64_t)k * *n + i];
    free(cell), free(packed);
    return share;
}

static int share_by_root(const void *p, const void *q)
{
    const struct share *a = p, *b = q;
    return (a->root > b->root) - (a->root < b->root);
}

static int64_t place_of(const struct share *all, int64_t n, int64_t root)
{
    const struct share key = {.root = root}, *found = bsearch(&key, all, (size_t)n, sizeof *all, share_by_root);
    return found - all;
}

static int64_t top(const int64_t *above, int64_t i) { while (above[i] != i) i = above[i]; return i; }

/* Every share becomes the sum of all that the pairs connect with it. */
static void add_shares(struct share *all, int64_t n, const struct pair *pair, int64_t n_pairs, int numbers)
{
    int64_t *above;
    NEW(above, n + 1);
    for (int64_t i = 0; i < n; i++) above[i] = i;
    for (int64_t i = 0; i < n_pairs; i++) {
        int64_t p = top(above, place_of(all, n, pair[i].root[0])), q = top(above, place_of(all, n, pair[i].root[1]));
        above[p > q ? p : q] = p > q ? q : p;
    }
    for (int64_t i = n - 1; i >= 0; i--) {                      /* from the last on: what is above stands before */
        int64_t t = above[i];
        for (int k = 0; k < numbers && t != i; k++) all[t].sum[k] += all[i].sum[k];
    }
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < numbers && above[i] != i; k++) all[i].sum[k] = all[above[i]].sum[k];
    free(above);
}

static void join_ranks(struct zero_sum_args *a)
{
    const int numbers = ZERO_SUMS(a->f.p.g.s.dim);
    int32_t n_pairs, n_shares;
    int64_t *first_pair, *first_share, *packed;
    struct pair *own = own_pairs(a, &n_pairs), *pair = ranks_collect(own, n_pairs, sizeof *own, &first_pair);
    struct share *mine = own_shares(a, own, n_pairs, &n_shares),
                 *all = ranks_collect(mine, n_shares, sizeof *mine, &first_share);
    int64_t n = first_share[ranks_count()];
    add_shares(all, n, pair, first_pair[ranks_count()], numbers);       /* roots ascend over all ranks */
    NEW(packed, (int64_t)numbers * n_shares + 1);
    for (int32_t i = 0; i < n_shares; i++)
        for (int k = 0; k < numbers; k++)
            packed[(int64_t)k * n_shares + i] = all[first_share[ranks_own()] + i].sum[k];
    device_upload(a->packed, packed, (size_t)n_shares * (size_t)numbers * sizeof *packed);
    part_unpack(a, (int64_t)n_shares * numbers);
    device_free((void *)a->cell), device_free(a->packed);
    free(own), free(pair), free(mine), free(all), free(packed), free(first_pair), free(first_share);
}

void zero_sum_make(struct zero_sum *z, const struct forces_args *f, const int32_t *band_mark,
                   const int32_t *boundary_row, int32_t n_band, double size)
{
    const struct stencil *s = &f->p.g.s;
    struct zero_sum_args a = {.f = *f, .z = *z, .band_mark = band_mark, .boundary_row = boundary_row,
                              .n_band = n_band, .first = (int32_t)s->pattern.first,
                              .per_force = ldexp(s->dim == 2 ? 1 : 1 / size, 40),
                              .per_area = ldexp(s->dim == 2 ? 1 / size : 1 / (size * size), 40)};
    part_start(&a, s->n_cells);
    part_join(&a, n_band);
    part_finish(&a, n_band);
    part_sums(&a, (n_band + PART_RUN - 1) / PART_RUN);
    if (s->pattern.halo) {
        part_number(&a, s->n_cells);
        halo_update_whole(s->pattern.halo, z->number);
        join_ranks(&a);
    }
    part_tilt(&a, n_band);
    halo_update(s->pattern.halo, z->tilt, s->dim);
}

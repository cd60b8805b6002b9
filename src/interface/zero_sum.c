/* Removes the net surface force of closed interfaces, across ranks (zero_sum.h). */
#include "interface/zero_sum.h"
#include <math.h>
#include <stdlib.h>
#include "base/forest.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "mesh/mesh.h"

/* ---------------------------------------------------------------- several ranks
 * Each rank has labelled the parts of its own cells.  Parts that span ranks are merged on the host, by every rank
 * separately, from the pairs of roots on both sides of a face and the sums at these roots. */
struct pair { int32_t root[2]; };
struct share { int64_t root, sum[ZERO_SUMS_MOST]; };

struct zero_sum_ranks {
    int32_t n_cross;
    int32_t *cross, *pair, *cell;       /* on the device, as in struct zero_sum_args */
    int64_t *packed;
    struct pair *own_pair;              /* [n_cross] on the host, work */
    struct share *own_share;            /* [n_cross] */
    int32_t *own_cell;                  /* [n_cross] */
    int64_t *own_packed;                /* [ZERO_SUMS_MOST n_cross] */
};

static struct zero_sum_ranks *ranks_create(const struct mesh *m)
{
    struct zero_sum_ranks *r;
    int32_t *cross;
    NEW(r, 1), NEW(cross, 2 * (int64_t)m->n_internal + 1);
    for (int32_t f = 0; f < m->n_internal; f++) {
        int32_t owner = m->face_owner[f], neighbour = m->face_neighbour[f];
        if ((owner < m->n_cells) == (neighbour < m->n_cells)) continue;
        bool own = owner < m->n_cells;
        cross[2 * r->n_cross] = own ? owner : neighbour, cross[2 * r->n_cross++ + 1] = own ? neighbour : owner;
    }
    size_t n = (size_t)r->n_cross + 1;
    r->cross = device_copy_of(cross, 2 * n * sizeof *cross, "faces between ranks");
    r->pair = device_alloc(2 * n * sizeof *r->pair, "faces between ranks");
    r->cell = device_alloc(n * sizeof *r->cell, "faces between ranks");
    r->packed = device_alloc(n * ZERO_SUMS_MOST * sizeof *r->packed, "faces between ranks");
    NEW(r->own_pair, n), NEW(r->own_share, n), NEW(r->own_cell, n), NEW(r->own_packed, n * ZERO_SUMS_MOST);
    free(cross);
    return r;
}

static void ranks_free(struct zero_sum_ranks *r)
{
    if (!r) return;
    device_free(r->cross), device_free(r->pair), device_free(r->cell), device_free(r->packed);
    free(r->own_pair), free(r->own_share), free(r->own_cell), free(r->own_packed);
    free(r);
}

static int by_root(const void *p, const void *q)
{
    const struct pair *a = p, *b = q;
    for (int k = 0; k < 2; k++)
        if (a->root[k] != b->root[k]) return a->root[k] < b->root[k] ? -1 : 1;
    return 0;
}

/* Collects the distinct pairs of this rank in own_pair, in ascending order; returns their number. */
static int32_t own_pairs(const struct zero_sum_ranks *r, const struct zero_sum_args *a)
{
    struct pair *pair = r->own_pair;
    int32_t found = 0, n = 0;
    part_pairs(a, r->n_cross);
    device_download(pair, r->pair, (size_t)r->n_cross * sizeof *pair);
    for (int32_t i = 0; i < r->n_cross; i++) if (pair[i].root[0] >= 0) pair[found++] = pair[i];
    sort(pair, found, sizeof *pair, by_root);
    for (int32_t i = 0; i < found; i++) if (!n || by_root(&pair[n - 1], &pair[i])) pair[n++] = pair[i];
    return n;
}

/* Collects the sums at the own roots of these pairs in own_share; returns their number. */
static int32_t own_shares(const struct zero_sum_ranks *r, struct zero_sum_args *a, int32_t n_pairs)
{
    const int numbers = ZERO_SUMS(a->f.p.g.s.dim);
    int32_t n = 0;
    for (int32_t i = 0; i < n_pairs; i++) {
        int32_t root = r->own_pair[i].root[0];
        if (i > 0 && root == r->own_pair[i - 1].root[0]) continue;
        r->own_cell[n] = root - a->first, r->own_share[n++].root = root;
    }
    a->n_packed = n;
    device_upload(r->cell, r->own_cell, (size_t)n * sizeof *r->cell);
    part_pack(a, (int64_t)n * numbers);
    device_download(r->own_packed, r->packed, (size_t)n * (size_t)numbers * sizeof *r->packed);
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < numbers; k++) r->own_share[i].sum[k] = r->own_packed[(int64_t)k * n + i];
    return n;
}

static int share_by_root(const void *p, const void *q)
{
    const struct share *a = p, *b = q;
    return (a->root > b->root) - (a->root < b->root);
}

static int32_t place_of(const struct share *all, int64_t n, int64_t root)
{
    const struct share key = {.root = root}, *found = bsearch(&key, all, (size_t)n, sizeof *all, share_by_root);
    return (int32_t)(found - all);
}

/* Replaces each share by the sum of all shares that the pairs connect with it. */
static void add_shares(struct share *all, int64_t n, const struct pair *pair, int64_t n_pairs, int numbers)
{
    int32_t *above;
    NEW(above, n + 1);
    for (int32_t i = 0; i < n; i++) above[i] = i;
    for (int64_t i = 0; i < n_pairs; i++)
        forest_join(above, place_of(all, n, pair[i].root[0]), place_of(all, n, pair[i].root[1]));
    for (int64_t i = n - 1; i >= 0; i--)                        /* parents have lower indices */
        for (int k = 0; k < numbers && above[i] != i; k++) all[above[i]].sum[k] += all[i].sum[k];
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < numbers && above[i] != i; k++) all[i].sum[k] = all[above[i]].sum[k];
    free(above);
}

static void merge_over_ranks(const struct zero_sum_ranks *r, struct zero_sum_args *a)
{
    const int numbers = ZERO_SUMS(a->f.p.g.s.dim);
    int64_t *first_pair, *first_share;
    a->cross = r->cross, a->pair = r->pair, a->cell = r->cell, a->packed = r->packed;
    int32_t n_pairs = own_pairs(r, a), n = own_shares(r, a, n_pairs);
    struct pair *pair = ranks_collect(r->own_pair, n_pairs, sizeof *pair, &first_pair);
    struct share *all = ranks_collect(r->own_share, n, sizeof *all, &first_share);  /* roots ascend over all ranks */
    add_shares(all, first_share[ranks_count()], pair, first_pair[ranks_count()], numbers);
    const struct share *own = all + first_share[ranks_own()];
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < numbers; k++) r->own_packed[(int64_t)k * n + i] = own[i].sum[k];
    device_upload(r->packed, r->own_packed, (size_t)n * (size_t)numbers * sizeof *r->packed);
    part_unpack(a, (int64_t)n * numbers);
    free(pair), free(all), free(first_pair), free(first_share);
}

/* ---------------------------------------------------------------- */
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
    z->ranks = ranks_create(m);
}

void zero_sum_free(struct zero_sum *z)
{
    if (z->number != z->root) device_free(z->number);
    device_free(z->root), device_free(z->sum), device_free(z->tilt);
    ranks_free(z->ranks);
    *z = (struct zero_sum){0};
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
    if (z->ranks) {
        part_number(&a, s->n_cells);
        halo_update_whole(s->pattern.halo, z->number);
        merge_over_ranks(z->ranks, &a);
    }
    part_tilt(&a, n_band);
    halo_update(s->pattern.halo, z->tilt, s->dim);
}

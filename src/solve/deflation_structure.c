/* The structure of deflation, computed once on the host: order of subdomains, pieces, A Z and E without values. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "solve/deflation_parts.h"
#include "solve/subdomains.h"

/* The subdomains of this rank's rows and of those in its halo, [pitch]; all: those of the rows of all ranks. */
static int32_t *domains_here(const struct matrix *a, const int32_t *all)
{
    int32_t *here;
    NEW(here, a->p.pitch);
    memcpy(here, all + a->p.first, (size_t)a->p.n * sizeof *here);
    halo_update_host(a->p.halo, here, sizeof *here);
    return here;
}

/* Reverse Cuthill-McKee numbers, so that the envelope of E is narrow. */
static void renumber(int32_t *all, const struct matrix *a, int32_t n_domains)
{
    int32_t *here = domains_here(a, all), *order, *place;
    struct lists rows = lists_of_groups(here, a->p.n, n_domains), az = lists_of_neighbours(a, here, n_domains);
    struct lists graph = lists_of_graph(&rows, &az);
    NEW(order, n_domains), NEW(place, n_domains);
    order_cuthill_mckee(order, graph.start, graph.column, n_domains);
    for (int32_t k = 0; k < n_domains; k++) place[order[k]] = n_domains - 1 - k;
    for (int64_t i = 0; i < a->p.n_global; i++) all[i] = place[all[i]];
    free(here), free(order), free(place);
    lists_free(&rows), lists_free(&az), lists_free(&graph);
}

static void *to_device(const void *from, size_t count, size_t size, size_t room)
{
    void *p = device_alloc((count + room) * size, "deflation");
    if (from) device_upload(p, from, count * size);
    return p;
}
#define UPLOAD(from, count, room) to_device(from, (size_t)(count), sizeof *(from), (size_t)(room))
#define RESERVE(pointer, count) ((pointer) = to_device(NULL, (size_t)(count), sizeof *(pointer), 0))

static int rank_of(const int64_t *first, int64_t row)
{
    int r = 0;
    while (row >= first[r + 1]) r++;
    return r;
}

/* Position of each piece among the sums of all ranks; a piece belongs to the rank that has its first row. */
static void place_pieces(struct deflation *d, const struct lists *rows, const int32_t *piece_row, const int64_t *first)
{
    int32_t *count, *slot;
    NEW(count, ranks_count()), NEW(slot, d->n_pieces);
    for (int32_t p = 0; p < d->n_pieces; p++) slot[p] = count[rank_of(first, rows->column[piece_row[p]])]++;
    for (int r = 0; r < ranks_count(); r++) d->most = count[r] > d->most ? count[r] : d->most;
    for (int32_t p = 0; p < d->n_pieces; p++) slot[p] += d->most * rank_of(first, rows->column[piece_row[p]]);
    d->args.slot = UPLOAD(slot, d->n_pieces, 0);
    RESERVE(d->args.gathered, (int64_t)d->most * ranks_count());
    free(count), free(slot);
}

/* This rank's pieces, and the rows of other ranks in them. */
static void take_pieces(struct deflation *d, const struct lists *rows, const int32_t *piece_row, const int64_t *first)
{
    const struct pattern *p = &d->args.a.p;
    const int64_t begin = first[ranks_own()], end = first[ranks_own() + 1];
    int32_t *row, *start, *wanted, n_rows = 0, n = 0, n_wanted = 0;
    NEW(row, p->n + (int64_t)SLICE * rows->n), NEW(start, d->n_pieces + (int64_t)1);
    NEW(wanted, (int64_t)SLICE * rows->n);
    for (int32_t k = 0; k < d->n_pieces; k++) {
        int32_t piece_first = rows->column[piece_row[k]];
        if (piece_first < begin || piece_first >= end) continue;
        for (int32_t i = piece_row[k]; i < piece_row[k + 1]; i++) {
            row[n_rows++] = rows->column[i];
            if (rows->column[i] >= end) wanted[n_wanted++] = rows->column[i];
        }
        start[++n] = n_rows;
    }
    n_wanted = (int32_t)each_once(wanted, n_wanted);
    for (int32_t i = 0; i < n_rows; i++)
        row[i] = row[i] < end ? row[i] - (int32_t)begin
                              : (int32_t)(p->n_padded + find_number(wanted, n_wanted, row[i]));
    d->n_own_pieces = n;
    d->args.row = UPLOAD(row, n_rows, SLICE), d->args.piece_row = UPLOAD(start, n + 1, 0);
    RESERVE(d->args.other, n_wanted);
    d->rows_of_others = halo_create(first, wanted, n_wanted, p->n_padded, p->pitch, 1);
    free(row), free(start), free(wanted);
}

/* rows: those of all ranks. */
static void cut_into_pieces(struct deflation *d, const struct lists *rows)
{
    struct deflation_args *a = &d->args;
    int32_t *piece_row, *domain_piece, n = 0;
    int64_t *first = ranks_first(a->a.p.n);
    NEW(piece_row, a->a.p.n_global / SLICE + rows->n + 1), NEW(domain_piece, rows->n + 1);
    for (int32_t k = 0; k < rows->n; k++) {
        for (int64_t i = rows->start[k]; i < rows->start[k + 1]; i += SLICE) piece_row[n++] = (int32_t)i;
        domain_piece[k + 1] = n;
    }
    piece_row[n] = (int32_t)a->a.p.n_global;
    d->n_pieces = n;
    a->domain_piece = UPLOAD(domain_piece, rows->n + 1, 0);
    RESERVE(a->w, a->ld), RESERVE(a->y, a->ld);
    if (n > rows->n) RESERVE(a->piece_sum, n);
    else a->piece_sum = a->w;                           /* every subdomain is one piece, whose sum is the domain's */
    take_pieces(d, rows, piece_row, first);
    a->own_sum = a->piece_sum;
    if (a->a.p.halo) {
        place_pieces(d, rows, piece_row, first);
        a->own_sum = a->gathered + (int64_t)ranks_own() * d->most;
    }
    free(piece_row), free(domain_piece), free(first);
}

/* The layout of A Z on the device, without values; returns where it begins for each warp. */
static int64_t *lay_out(struct deflation *d, const struct lists *az, const int32_t *domain)
{
    const struct matrix *a = &d->args.a;
    struct deflation_rows *to = &d->args.az;
    int64_t n_warps = a->p.n_padded / WARP, *warp = pattern_warp_starts(a->p.n, n_warps, az->start);
    int32_t *col;
    NEW(col, warp[n_warps]);
    for (int64_t w = 0; w < n_warps; w++)
        for (int64_t k = warp[w]; k < warp[w + 1]; k++) {
            int64_t r = w * WARP + (k - warp[w]) % WARP, at = (k - warp[w]) / WARP;
            if (r < a->p.n) col[k] = at < az->start[r + 1] - az->start[r] ? az->column[az->start[r] + at] : domain[r];
        }
    to->p = a->p, to->p.n_stored = warp[n_warps], to->p.n_entries = to->p.n_local = az->start[az->n];
    to->p.warp_start = UPLOAD(warp, n_warps + 1, 0);
    to->p.col = UPLOAD(col, warp[n_warps], 0);
    RESERVE(to->sum, a->p.n_padded), RESERVE(to->any_sum, n_warps);
    free(col);
    return warp;
}

/* Finds E's entries below its diagonal (pairs of subdomains) and its envelope.  Returns for each entry of A Z the pair
 * to which it contributes; n_pairs: none. */
static int32_t *find_pairs(struct deflation *d, const struct lists *rows, const struct lists *az)
{
    struct lists graph = lists_of_graph(rows, az);
    int64_t n = graph.start[graph.n] / 2, found = 0;
    int32_t *first, *slot, *pair_of;
    NEW(d->pair_row, n), NEW(d->pair_column, n);
    NEW(first, rows->n), NEW(slot, rows->n), NEW(pair_of, az->start[az->n]);
    for (int32_t k = 0; k < rows->n; k++) {
        first[k] = k;
        for (int64_t p = graph.start[k]; p < graph.start[k + 1]; p++) {
            int32_t c = graph.column[p];
            if (c > k) continue;
            if (c < first[k]) first[k] = c;
            d->pair_row[found] = k, d->pair_column[found] = c;
            slot[c] = (int32_t)found++;
        }
        for (int64_t i = rows->start[k]; i < rows->start[k + 1]; i++)
            for (int64_t e = az->start[rows->column[i]]; e < az->start[rows->column[i] + 1]; e++)
                pair_of[e] = az->column[e] < k ? slot[az->column[e]] : (int32_t)n;
    }
    d->n_pairs = n;
    envelope_create(&d->e, rows->n, first);
    lists_free(&graph), free(slot);
    return pair_of;
}

/* An entry of A Z and the pair to which it contributes, as seen by other ranks. */
struct pair_entry { int32_t pair, place; };

/* The entries of each pair on this rank, if it is the first rank to have any, with those of the following ranks; none
 * of other pairs. own: this rank's by pair; places over all ranks, with `stored` the first of each. */
static struct pair_entry *pairs_to_sum(const struct lists *own, const int32_t *place, const int64_t *stored,
                                       int64_t *n)
{
    const int64_t n_pairs = own->n - 1, n_own = own->start[n_pairs];
    int64_t *first, count = 0;
    struct pair_entry *mine, *all, *kept;
    int32_t *owner;
    NEW(mine, n_own), NEW(owner, n_pairs);
    if (stored[ranks_count()] > INT32_MAX) die("deflation: %lld entries", (long long)stored[ranks_count()]);
    for (int64_t p = 0; p < n_pairs; p++)
        for (int64_t k = own->start[p]; k < own->start[p + 1]; k++)
            mine[k] = (struct pair_entry){(int32_t)p, place[own->column[k]] + (int32_t)stored[ranks_own()]};
    all = ranks_collect(mine, n_own, sizeof *mine, &first);
    NEW(kept, first[ranks_count()]);
    for (int64_t p = 0; p < n_pairs; p++) owner[p] = -1;
    for (int r = 0; r < ranks_count(); r++)
        for (int64_t k = first[r]; k < first[r + 1]; k++) {
            if (owner[all[k].pair] < 0) owner[all[k].pair] = r;
            if (owner[all[k].pair] == ranks_own()) kept[count++] = all[k];
        }
    *n = count;
    free(mine), free(owner), free(all), free(first);
    return kept;
}

/* Lists for each pair the entries of A Z whose sum it is.  warp: where A Z begins for each warp. */
static void list_pairs(struct deflation *d, const struct lists *rows, const struct lists *az, const int64_t *warp)
{
    int32_t *pair_of = find_pairs(d, rows, az), *place, *group, *wanted, n_wanted = 0;
    int64_t n_az = az->start[az->n], n_stored = d->args.az.p.n_stored, *stored = ranks_first(n_stored), *at, n;
    struct lists own = lists_of_groups(pair_of, n_az, (int32_t)d->n_pairs + 1);
    NEW(place, n_az);
    for (int32_t r = 0; r < az->n; r++)
        for (int64_t e = az->start[r]; e < az->start[r + 1]; e++)
            place[e] = (int32_t)(warp[r / WARP] + WARP * (e - az->start[r]) + r % WARP);
    struct pair_entry *entry = pairs_to_sum(&own, place, stored, &n);
    const int64_t begin = stored[ranks_own()], end = stored[ranks_own() + 1];
    NEW(group, n), NEW(wanted, n), NEW(at, n);
    for (int64_t k = 0; k < n; k++) {
        group[k] = entry[k].pair;
        if (entry[k].place >= end) wanted[n_wanted++] = entry[k].place;
    }
    n_wanted = (int32_t)each_once(wanted, n_wanted);
    struct lists pairs = lists_of_groups(group, n, (int32_t)d->n_pairs);
    for (int64_t k = 0; k < n; k++) {
        int32_t e = entry[pairs.column[k]].place;
        at[k] = e < end ? e - begin : n_stored + find_number(wanted, n_wanted, e);
    }
    RESERVE(d->args.az.val, n_stored + n_wanted);
    d->entries_of_others = halo_create(stored, wanted, n_wanted, n_stored, n_stored + n_wanted, 1);
    d->args.pair_start = UPLOAD(pairs.start, d->n_pairs + 1, 0);
    d->args.pair_place = UPLOAD(at, n, 0);
    RESERVE(d->args.pair, d->n_pairs);
    lists_free(&own), lists_free(&pairs);
    free(pair_of), free(place), free(group), free(wanted), free(at), free(stored), free(entry);
}

struct deflation *deflation_create(const struct matrix *a, const struct linear_setting *s, const int32_t *domain,
                                   int32_t n_domains, bool singular)
{
    struct deflation *d;
    int32_t *all = ranks_collect(domain, a->p.n, sizeof *domain, NULL), *here, *last;
    if (n_domains < 1 || n_domains > MOST_DOMAINS) die("%d subdomains", n_domains);
    NEW(d, 1), NEW(last, n_domains);
    renumber(all, a, n_domains);
    here = domains_here(a, all);
    struct lists all_rows = lists_of_groups(all, a->p.n_global, n_domains);
    struct lists rows = lists_of_groups(here, a->p.n, n_domains), az = lists_of_neighbours(a, here, n_domains);
    int64_t ld = (n_domains + WARP - 1) / WARP * WARP;
    d->args = (struct deflation_args){.a = *a, .n_domains = n_domains, .n_solved = n_domains - singular, .ld = ld,
                                      .domain = UPLOAD(here, a->p.pitch, 0)};
    d->inverse = s->deflation_solver == DEFLATION_INVERSE;
    cut_into_pieces(d, &all_rows);
    int64_t *warp = lay_out(d, &az, here);
    list_pairs(d, &rows, &az, warp);
    for (int32_t k = 0; k < d->args.n_solved; k++)
        for (int32_t j = d->e.first[k]; j <= k; j++) last[j] = k;
    d->args.first = UPLOAD(d->e.first, n_domains, 0), d->args.last = UPLOAD(last, n_domains, 0);
    NEW(d->dense, ld * n_domains), NEW(d->pair, d->n_pairs);
    d->args.dense = UPLOAD(d->dense, ld * n_domains, 0);
    lists_free(&all_rows), lists_free(&rows), lists_free(&az);
    free(all), free(here), free(last), free(warp);
    return d;
}

void deflation_free(struct deflation *d)
{
    if (!d) return;
    struct deflation_args *a = &d->args;
    if (a->piece_sum != a->w) device_free(a->piece_sum);
    halo_free(d->rows_of_others), halo_free(d->entries_of_others);
    const void *const arrays[] = {a->domain, a->row, a->other, a->slot, a->gathered, a->piece_row, a->domain_piece,
                                  a->w, a->y,
                                  a->pair_start, a->pair_place, a->pair, a->dense, a->first, a->last,
                                  a->az.p.warp_start, a->az.p.col, a->az.val, a->az.sum, a->az.any_sum};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) device_free((void *)arrays[k]);
    envelope_free(&d->e);
    free(d->pair_row), free(d->pair_column), free(d->dense), free(d->pair);
    free(d);
}


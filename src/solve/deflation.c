#include "solve/deflation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "gpu/device.h"
#include "solve/deflation_kernels.h"
#include "solve/envelope.h"
#include "solve/subdomains.h"

struct deflation {
    struct deflation_args args;
    bool inverse;
    int32_t n_pieces;
    int64_t n_pairs;                    /* of E below its diagonal */
    int32_t *pair_row, *pair_column;    /* [n_pairs] on the host: E's entries, row > column */
    struct envelope e;
    double *dense, *pair;               /* on the host: factor or inverse, to be uploaded; E's entries, downloaded */
    char why[160];
};

/* ---------------------------------------------------------------- on the host, once */
/* n lists of numbers, one after the other in `column`, list i from start[i] on; start: [n + 1]. */
struct lists { int32_t n; int64_t *start; int32_t *column; };
static void lists_free(struct lists *l) { free(l->start), free(l->column); }

/* The rows of each subdomain, ascending. */
static struct lists rows_of(const int32_t *domain, int32_t n, int32_t n_domains)
{
    struct lists l = {.n = n_domains};
    int64_t *at;
    NEW(l.start, n_domains + 1), NEW(l.column, n), NEW(at, n_domains);
    for (int32_t i = 0; i < n; i++) l.start[domain[i] + 1]++;
    for (int32_t d = 0; d < n_domains; d++) at[d] = l.start[d], l.start[d + 1] += l.start[d];
    for (int32_t i = 0; i < n; i++) l.column[at[domain[i]]++] = i;
    free(at);
    return l;
}

/* The other subdomains that each row has a neighbour in: the pattern of A Z. */
static struct lists neighbours_of_rows(const struct matrix *a, const int32_t *domain, int32_t n_domains)
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

/* The graph of the subdomains: the pattern of E without its diagonal. */
static struct lists neighbours_of_domains(const struct lists *rows, const struct lists *az)
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

/* Reverse Cuthill-McKee numbers, so that the envelope of E is narrow. */
static void renumber(int32_t *domain, const struct matrix *a, int32_t n_domains)
{
    struct lists rows = rows_of(domain, a->p.n, n_domains), az = neighbours_of_rows(a, domain, n_domains);
    struct lists graph = neighbours_of_domains(&rows, &az);
    int32_t *order, *place;
    NEW(order, n_domains), NEW(place, n_domains);
    order_cuthill_mckee(order, graph.start, graph.column, n_domains);
    for (int32_t k = 0; k < n_domains; k++) place[order[k]] = n_domains - 1 - k;
    for (int32_t i = 0; i < a->p.n; i++) domain[i] = place[domain[i]];
    free(order), free(place);
    lists_free(&rows), lists_free(&az), lists_free(&graph);
}

static void *to_machine(const void *from, size_t count, size_t size, size_t room)
{
    void *p = device_alloc((count + room) * size, "deflation");
    if (from) device_upload(p, from, count * size);
    return p;
}
#define UPLOAD(from, count, room) to_machine(from, (size_t)(count), sizeof *(from), (size_t)(room))
#define ON_MACHINE(pointer, count) ((pointer) = to_machine(NULL, (size_t)(count), sizeof *(pointer), 0))

static void cut_into_pieces(struct deflation *d, const struct lists *rows)
{
    struct deflation_args *a = &d->args;
    int32_t *piece_row, *domain_piece, n = 0;
    NEW(piece_row, a->a.p.n / SLICE + rows->n + 1), NEW(domain_piece, rows->n + 1);
    for (int32_t k = 0; k < rows->n; k++) {
        for (int64_t i = rows->start[k]; i < rows->start[k + 1]; i += SLICE) piece_row[n++] = (int32_t)i;
        domain_piece[k + 1] = n;
    }
    piece_row[n] = a->a.p.n;
    d->n_pieces = n;
    a->row = UPLOAD(rows->column, a->a.p.n, SLICE);
    a->piece_row = UPLOAD(piece_row, n + 1, 0);
    a->domain_piece = UPLOAD(domain_piece, rows->n + 1, 0);
    ON_MACHINE(a->w, a->ld), ON_MACHINE(a->y, a->ld);
    if (n > rows->n) ON_MACHINE(a->piece_sum, n);
    else a->piece_sum = a->w;                           /* every subdomain is one piece, whose sum is the domain's */
    free(piece_row), free(domain_piece);
}

/* The layout of A Z on the machine; returns where it begins for each warp. */
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
    ON_MACHINE(to->val, warp[n_warps]), ON_MACHINE(to->sum, a->p.n_padded), ON_MACHINE(to->any_sum, n_warps);
    free(col);
    return warp;
}

/* Finds E's entries below its diagonal (pairs of subdomains) and its envelope.  Returns for each entry of A Z the pair
 * that it adds to; n_pairs: to none. */
static int32_t *find_pairs(struct deflation *d, const struct lists *rows, const struct lists *az)
{
    struct lists graph = neighbours_of_domains(rows, az);
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

/* Lists for each pair the entries of A Z that add up to it.  warp: where A Z begins for each warp. */
static void list_pairs(struct deflation *d, const struct lists *rows, const struct lists *az, const int64_t *warp)
{
    int32_t *pair_of = find_pairs(d, rows, az);
    int64_t *position, *place, n_az = az->start[az->n];
    struct lists pairs = rows_of(pair_of, (int32_t)n_az, (int32_t)d->n_pairs + 1);
    NEW(position, n_az), NEW(place, n_az);
    for (int32_t r = 0; r < az->n; r++)
        for (int64_t e = az->start[r]; e < az->start[r + 1]; e++)
            position[e] = warp[r / WARP] + WARP * (e - az->start[r]) + r % WARP;
    for (int64_t i = 0; i < n_az; i++) place[i] = position[pairs.column[i]];
    d->args.pair_start = UPLOAD(pairs.start, d->n_pairs + 1, 0);
    d->args.pair_place = UPLOAD(place, pairs.start[d->n_pairs], 0);
    ON_MACHINE(d->args.pair, d->n_pairs);
    lists_free(&pairs);
    free(pair_of), free(position), free(place);
}

struct deflation *deflation_create(const struct matrix *a, const struct linear_setting *s, const int32_t *domain,
                                   int32_t n_domains, bool singular)
{
    struct deflation *d;
    int32_t *number, *last;
    if (n_domains < 1 || n_domains > MOST_DOMAINS) die("%d subdomains", n_domains);
    NEW(d, 1), NEW(number, a->p.pitch), NEW(last, n_domains);
    memcpy(number, domain, (size_t)a->p.n * sizeof *number);
    renumber(number, a, n_domains);
    struct lists rows = rows_of(number, a->p.n, n_domains), az = neighbours_of_rows(a, number, n_domains);
    int64_t ld = (n_domains + WARP - 1) / WARP * WARP;
    d->args = (struct deflation_args){.a = *a, .n_domains = n_domains, .n_solved = n_domains - singular, .ld = ld,
                                      .domain = UPLOAD(number, a->p.pitch, 0)};
    d->inverse = s->deflation_solver == DEFLATION_INVERSE;
    cut_into_pieces(d, &rows);
    int64_t *warp = lay_out(d, &az, number);
    list_pairs(d, &rows, &az, warp);
    for (int32_t k = 0; k < d->args.n_solved; k++)
        for (int32_t j = d->e.first[k]; j <= k; j++) last[j] = k;
    d->args.first = UPLOAD(d->e.first, n_domains, 0), d->args.last = UPLOAD(last, n_domains, 0);
    NEW(d->dense, ld * n_domains), NEW(d->pair, d->n_pairs);
    d->args.dense = UPLOAD(d->dense, ld * n_domains, 0);
    lists_free(&rows), lists_free(&az);
    free(number), free(last), free(warp);
    return d;
}

void deflation_free(struct deflation *d)
{
    if (!d) return;
    struct deflation_args *a = &d->args;
    if (a->piece_sum != a->w) device_free(a->piece_sum);
    const void *const arrays[] = {a->domain, a->row, a->piece_row, a->domain_piece, a->w, a->y,
                                  a->pair_start, a->pair_place, a->pair, a->dense, a->first, a->last,
                                  a->az.p.warp_start, a->az.p.col, a->az.val, a->az.sum, a->az.any_sum};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) device_free((void *)arrays[k]);
    envelope_free(&d->e);
    free(d->pair_row), free(d->pair_column), free(d->dense), free(d->pair);
    free(d);
}

/* ---------------------------------------------------------------- new values */
/* w = Z^T v. */
static void restrict_to_domains(const struct deflation_args *a, int32_t n_pieces)
{
    struct sums_group_args domains = {a->piece_sum, a->w, a->domain_piece, a->done};
    deflation_piece_sums(a, n_pieces);
    sums_finish_groups(&domains, a->n_domains);
}

/* Assembles E = Z^T A Z.  A diagonal entry is the sum of its row, which is known by itself, less the other entries. */
static void assemble(struct deflation *d)
{
    struct deflation_args a = d->args;
    a.v = a.az.sum;
    halo_update_whole(a.a.p.halo, a.domain);
    deflation_values(&a, a.a.p.n);
    deflation_any_sum(&a, a.a.p.n_padded / WARP);
    deflation_pairs(&a, d->n_pairs);
    restrict_to_domains(&a, d->n_pieces);
    device_download(d->pair, a.pair, (size_t)d->n_pairs * sizeof *d->pair);
    sums_over_ranks(d->pair, (int)d->n_pairs);          /* the rows of a subdomain are on one rank: the others add 0 */
    device_download(d->e.diag, a.w, (size_t)a.n_domains * sizeof *d->e.diag);
    memset(d->e.lower, 0, (size_t)d->e.start[d->e.n] * sizeof *d->e.lower);
    for (int64_t k = 0; k < d->n_pairs; k++) {
        int32_t i = d->pair_row[k], j = d->pair_column[k];
        *envelope_at(&d->e, i, j) = d->pair[k];
        d->e.diag[i] -= d->pair[k];
        d->e.diag[j] -= d->pair[k];
    }
}

/* Puts the factor into `dense`: L below, L^T above, D on the diagonal. */
static void spread_factor(struct deflation *d)
{
    const struct envelope *e = &d->e;
    for (int32_t i = 0; i < d->args.n_solved; i++) {
        d->dense[i * d->args.ld + i] = e->diag[i];
        for (int32_t j = e->first[i]; j < i; j++)
            d->dense[i * d->args.ld + j] = d->dense[j * d->args.ld + i] = *envelope_at(e, i, j);
    }
}

const char *deflation_refresh(struct deflation *d, const struct matrix *matrix)
{
    struct deflation_args *a = &d->args;
    a->a = *matrix;
    assemble(d);
    int32_t bad = envelope_factor(&d->e, a->n_solved);
    if (bad >= 0) {
        snprintf(d->why, sizeof d->why, "deflation: pivot %d of %d of the subdomains' matrix, %.3g, is not positive; "
                 "the matrix is not positive definite", bad, a->n_solved, d->e.diag[bad]);
        return d->why;
    }
    if (d->inverse) envelope_inverse(&d->e, a->n_solved, d->dense, a->ld);
    else spread_factor(d);
    device_upload((void *)a->dense, d->dense, (size_t)(a->ld * a->n_domains) * sizeof *d->dense);
    return NULL;
}

/* ---------------------------------------------------------------- launches */
/* y = E^-1 Z^T v. */
static void solve(const struct deflation *d, const struct deflation_args *a)
{
    restrict_to_domains(a, d->n_pieces);
    if (d->inverse) deflation_inverse(a, a->n_domains);
    else deflation_triangles(a, 1);
}

void deflation_project(struct deflation *d, double *v, const double *p, const struct sums *pv, const int32_t *done)
{
    struct deflation_args a = d->args;
    a.v = v, a.p = p, a.sums = *pv, a.done = done;
    solve(d, &a);
    deflation_subtract(&a, a.a.p.n_slices);
}

void deflation_correct(struct deflation *d, double *x, const double *b, double *q, double *r,
                       const struct sums *scratch, double *before)
{
    struct deflation_args a = d->args;
    matrix_product(&a.a, x, q);
    a.b = b, a.p = q, a.v = r, a.x = x, a.sums = *scratch, a.sums.total = before;
    deflation_residual(&a, a.a.p.n_slices);
    sums_finish(&a.sums, 0, 1);
    solve(d, &a);
    deflation_add(&a, a.a.p.n);
}

int32_t deflation_vectors(const struct deflation *d) { return d->args.n_solved; }

int64_t deflation_bytes(const struct deflation *d)
{
    const struct deflation_args *a = &d->args;
    int64_t square = a->ld * a->n_domains * 8;
    return a->a.p.n_padded * (8 + 4 + 2 * 8) + a->az.p.n_stored * 12 + square;
}

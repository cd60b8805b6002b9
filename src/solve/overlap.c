/* Builds a rank's overlapped block: rows, columns and messages (overlap.h). */
#include "solve/overlap.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "gpu/device.h"
#include "gpu/halo.h"
#include "gpu/ranks.h"
#include "solve/rows.h"

/* Rows in CSR, columns numbered over all ranks. */
struct far_rows { int32_t n, *row, *column; int64_t *start; };

struct overlap {
    struct matrix a;            /* the block */
    struct halo *halo;          /* r in the rows of other ranks */
    int32_t n_own;
    int64_t own_pitch;
    /* Values sent at a refresh: for every row sent to a peer, the diagonal and then its entries. */
    struct ranks_peers values;
    int64_t *sent, *diagonal, *entry;   /* sources of values (overlap.h): those sent, those of the block */
    double *out, *in;           /* what is sent and received */
};

/* ---------------------------------------------------------------- rows of other ranks */
/* This rank's rows, numbered over all ranks; place: position of each entry among the stored ones. */
static struct far_rows own_rows(const struct pattern *p, int64_t **place)
{
    struct far_rows r = {.n = p->n};
    int32_t *number;
    NEW(number, p->pitch);
    for (int32_t i = 0; i < p->n; i++) number[i] = (int32_t)p->first + i;
    halo_update_host(p->halo, number, sizeof *number);
    rows_download_with_halo(p, &r.start, &r.column, place);
    for (int64_t k = 0; k < r.start[r.n]; k++) r.column[k] = number[r.column[k]];
    free(number);
    return r;
}

static void far_rows_free(struct far_rows *r) { free(r->row), free(r->column), free(r->start); }

/* Converts ranges of rows at[i] .. at[i + 1] - 1, for n peers, to ranges of their entries.  more: additional values per
 * row. */
static int64_t *in_entries(const int64_t *at, int n, const int32_t *count, int more)
{
    int64_t *entries, sum = 0;
    NEW(entries, n + 1);
    for (int i = 0; i < n; i++) {
        for (int64_t r = at[i]; r < at[i + 1]; r++) sum += count[r] + more;
        entries[i + 1] = sum;
    }
    return entries;
}

/* The messages for the rows of p: `row` are the rows sent. */
struct journey { struct ranks_peers rows; int32_t *row, *sent_count, *count; };

static struct journey journey_to(const int64_t *first, const int32_t *wanted, int32_t n_wanted,
                                 const struct far_rows *own)
{
    struct journey j = {.rows = halo_peers(first, wanted, n_wanted, &j.row)};
    int64_t out = j.rows.send[j.rows.n];
    NEW(j.sent_count, out), NEW(j.count, n_wanted);
    for (int64_t i = 0; i < out; i++) j.sent_count[i] = (int32_t)(own->start[j.row[i] + 1] - own->start[j.row[i]]);
    ranks_exchange(&j.rows, j.sent_count, j.count, sizeof *j.count);
    return j;
}

static struct ranks_peers peers_of_entries(const struct journey *j, int more)
{
    return (struct ranks_peers){j->rows.n, j->rows.rank, in_entries(j->rows.send, j->rows.n, j->sent_count, more),
                                in_entries(j->rows.receive, j->rows.n, j->count, more)};
}

static void journey_free(struct journey *j)
{
    free((void *)j->rows.rank), free((void *)j->rows.send), free((void *)j->rows.receive);
    free(j->row), free(j->sent_count), free(j->count);
}

/* Fetches the rows `wanted` of other ranks, in ascending order; takes ownership of `wanted`. */
static struct far_rows fetch_rows(const int64_t *first, int32_t *wanted, int32_t n_wanted, const struct far_rows *own)
{
    struct far_rows r = {.n = n_wanted, .row = wanted};
    struct journey j = journey_to(first, wanted, n_wanted, own);
    struct ranks_peers entries = peers_of_entries(&j, 0);
    int32_t *sent;
    int64_t at = 0;
    NEW(sent, entries.send[j.rows.n]), NEW(r.column, entries.receive[j.rows.n]), NEW(r.start, n_wanted + (int64_t)1);
    for (int64_t i = 0; i < j.rows.send[j.rows.n]; i++)
        for (int64_t k = own->start[j.row[i]]; k < own->start[j.row[i] + 1]; k++) sent[at++] = own->column[k];
    ranks_exchange(&entries, sent, r.column, sizeof *sent);
    for (int32_t i = 0; i < n_wanted; i++) r.start[i + 1] = r.start[i] + j.count[i];
    free(sent), free((void *)entries.send), free((void *)entries.receive);
    journey_free(&j);
    return r;
}

/* The rows of other ranks that are in `r` or `before` (which may be empty) or in their columns; ascending. */
static int32_t *next_layer(const struct far_rows *r, const struct far_rows *before, int64_t first, int64_t end,
                           int32_t *n)
{
    int64_t count = 0, own = r->start[r->n];
    int32_t *found;
    NEW(found, own + before->n + 1);
    for (int64_t k = 0; k < own; k++) if (r->column[k] < first || r->column[k] >= end) found[count++] = r->column[k];
    for (int32_t i = 0; i < before->n; i++) found[count++] = before->row[i];
    *n = (int32_t)each_once(found, count);
    return found;
}

/* ---------------------------------------------------------------- the block */
/* The entries of the block's rows whose columns are in the block: start, column, and the source of each value. */
struct entries { int64_t *start, *from; int32_t *column; };

static int32_t number_of(int32_t column, int64_t first, int64_t end, const struct far_rows *far)
{
    if (column >= first && column < end) return (int32_t)(column - first);
    int64_t at = find_number(far->row, far->n, column);
    return at < 0 ? -1 : (int32_t)(end - first + at);
}

static void add_entry(struct entries *e, int64_t *at, int32_t column, int64_t from)
{
    if (column >= 0) e->column[*at] = column, e->from[(*at)++] = from;
}

/* far_from: where the values of each fetched row begin, its diagonal first. */
static struct entries find_entries(const struct far_rows *own, const int64_t *place, const struct far_rows *far,
                                   int64_t first, int64_t far_from)
{
    struct entries e;
    int64_t at = 0, all = own->start[own->n] + far->start[far->n], end = first + own->n;
    NEW(e.start, own->n + far->n + (int64_t)1), NEW(e.column, all), NEW(e.from, all);
    for (int32_t i = 0; i < own->n; i++) {
        for (int64_t k = own->start[i]; k < own->start[i + 1]; k++)
            add_entry(&e, &at, number_of(own->column[k], first, end, far), place[k]);
        e.start[i + 1] = at;
    }
    for (int32_t i = 0; i < far->n; i++) {
        for (int64_t k = far->start[i]; k < far->start[i + 1]; k++)
            add_entry(&e, &at, number_of(far->column[k], first, end, far), far_from + k + i + 1);
        e.start[own->n + i + 1] = at;
    }
    return e;
}

/* Copies `from` to the device and frees it. */
static int64_t *to_device(int64_t *from, int64_t n)
{
    int64_t *there = device_copy_of(from, (size_t)n * sizeof *from, "overlap");
    free(from);
    return there;
}

/* Determines which values a refresh sends. */
static void plan_values(struct overlap *o, const int64_t *first, const struct far_rows *far, const struct far_rows *own,
                        const int64_t *place)
{
    struct journey j = journey_to(first, far->row, far->n, own);
    int64_t at = 0, *sent;
    o->values = peers_of_entries(&j, 1);
    NEW(sent, o->values.send[j.rows.n]);
    for (int64_t i = 0; i < j.rows.send[j.rows.n]; i++) {
        sent[at++] = -1 - (int64_t)j.row[i];
        for (int64_t k = own->start[j.row[i]]; k < own->start[j.row[i] + 1]; k++) sent[at++] = place[k];
    }
    o->sent = to_device(sent, o->values.send[j.rows.n]);
    j.rows.rank = NULL;                                 /* now owned by o->values */
    journey_free(&j);
}

struct overlap *overlap_create(const struct matrix *a, int layers)
{
    struct overlap *o;
    struct far_rows far = {0};
    const struct pattern *p = &a->p;
    int64_t *place, *stored, *diagonal, *entry, *first = ranks_first(p->n), end = p->first + p->n;
    struct far_rows own = own_rows(p, &place);
    NEW(far.start, 1);
    for (int layer = 0; layer < layers; layer++) {
        int32_t n, *wanted = next_layer(layer ? &far : &own, &far, p->first, end, &n);
        far_rows_free(&far);
        far = fetch_rows(first, wanted, n, &own);
    }
    NEW(o, 1);
    o->n_own = p->n, o->own_pitch = p->pitch;
    plan_values(o, first, &far, &own, place);
    struct entries e = find_entries(&own, place, &far, p->first, p->n_stored);
    struct pattern block;
    int32_t n = p->n + far.n;
    NEW(stored, e.start[n]);
    pattern_create(&block, n, e.start, e.column, stored);
    matrix_create_blocks(&o->a, &block, a->block);
    NEW(diagonal, n), NEW(entry, block.n_stored);
    for (int64_t k = 0; k < block.n_stored; k++) entry[k] = OVERLAP_NONE;
    for (int64_t k = 0; k < e.start[n]; k++) entry[stored[k]] = e.from[k];
    for (int32_t i = 0; i < n; i++)
        diagonal[i] = i < p->n ? -1 - (int64_t)i : p->n_stored + far.start[i - p->n] + (i - p->n);
    o->diagonal = to_device(diagonal, n), o->entry = to_device(entry, block.n_stored);
    size_t bytes = (size_t)(a->block * a->block) * sizeof *o->out;
    o->out = device_alloc((size_t)o->values.send[o->values.n] * bytes, "overlap");
    o->in = device_alloc((size_t)o->values.receive[o->values.n] * bytes, "overlap");
    o->halo = halo_create(first, far.row, far.n, p->n, block.pitch, a->block);
    free(place), free(stored), free(first), free(e.start), free(e.from), free(e.column);
    far_rows_free(&own), far_rows_free(&far);
    return o;
}

const struct matrix *overlap_matrix(const struct overlap *o) { return &o->a; }

void overlap_free(struct overlap *o)
{
    if (!o) return;
    free((void *)o->values.rank), free((void *)o->values.send), free((void *)o->values.receive);
    device_free(o->sent), device_free(o->diagonal), device_free(o->entry);
    device_free(o->out), device_free(o->in);
    halo_free(o->halo);
    matrix_free_alone(&o->a);
    free(o);
}

/* ---------------------------------------------------------------- values */
void overlap_refresh(struct overlap *o, const struct matrix *a)
{
    const struct ranks_peers *p = &o->values;
    struct overlap_args pack = {.a = *a, .from = o->sent, .to = o->out};
    struct overlap_args diagonal = {.a = *a, .received = o->in, .from = o->diagonal, .to = o->a.diag};
    struct overlap_args entries = {.a = *a, .received = o->in, .from = o->entry, .to = o->a.val};
    overlap_pack(&pack, p->send[p->n]);
    ranks_exchange_there(p, o->out, o->in, (size_t)(a->block * a->block) * sizeof *o->out);
    overlap_take(&diagonal, o->a.p.n);
    overlap_take(&entries, o->a.p.n_stored);
}

static void copy(const struct overlap *o, const double *from, int64_t from_pitch, double *to, int64_t to_pitch)
{
    for (int k = 0; k < o->a.block; k++)
        device_copy(to + k * to_pitch, from + k * from_pitch, (size_t)o->n_own * sizeof *to);
}

void overlap_extend(const struct overlap *o, const double *r, double *extended)
{
    copy(o, r, o->own_pitch, extended, o->a.p.pitch);
    halo_update(o->halo, extended, o->a.block);
}

void overlap_restrict(const struct overlap *o, const double *extended, double *r)
{
    copy(o, extended, o->a.p.pitch, r, o->own_pitch);
}

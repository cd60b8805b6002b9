/* Redistributes the rows of a coarse multigrid level over the ranks (regroup.h). */
#include "solve/regroup.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "solve/rows.h"

static const char what[] = "multigrid on several ranks";

/* The items begin .. end - 1, numbered over all ranks, which this rank wants; `first`: [ranks + 1], rank r has created
 * first[r] .. first[r + 1] - 1. */
struct span { const int64_t *first; int64_t begin, end, before, own, skip; };

/* Repeated transfers of items: by messages between the ranks that create them and those that want them; or by an
 * allgather. */
struct transfer { struct halo *halo; float *all; int64_t *first; struct regroup_args args; int64_t n_made; };

struct regroup {
    struct level_matrix made;           /* with its own pattern on this rank */
    struct transfer rows, entries;
    int block;                          /* number of vector components per row */
    int32_t *made_at, *wanted_at;       /* positions of entries, in the order of rows: in made, and in the level */
};

/* ---------------------------------------------------------------- transfers */
static int64_t clamp(int64_t x, int64_t least, int64_t most) { return x < least ? least : x > most ? most : x; }

static struct span span(const int64_t *first, int64_t begin, int64_t end)
{
    int64_t made = first[ranks_own()], made_end = first[ranks_own() + 1];
    int64_t own = clamp(made, begin, end), own_end = clamp(made_end, own, end);
    return (struct span){first, begin, end, own - begin, own_end - own, own_end > own ? own - made : 0};
}

/* The numbers of the wanted items that other ranks have created. */
static int32_t *wanted_of(const struct span *s, int32_t *n)
{
    int32_t *wanted;
    int64_t count = 0, own = s->begin + s->before;
    if (s->end > INT32_MAX) die("a coarse level of %lld entries", (long long)s->end);
    NEW(wanted, s->end - s->begin - s->own);
    for (int64_t k = s->begin; k < s->end; k++) if (k < own || k >= own + s->own) wanted[count++] = (int32_t)k;
    *n = (int32_t)count;
    return wanted;
}

/* On the host: the wanted items, collected from all ranks; size: bytes per item.  The caller frees the result. */
static void *collect(const struct span *s, const void *made, size_t size)
{
    int32_t n, *row, *wanted = wanted_of(s, &n);
    struct ranks_peers p = halo_peers(s->first, wanted, n, &row);
    size_t before = (size_t)s->before * size, own = (size_t)s->own * size, all = (size_t)(s->end - s->begin) * size;
    char *sent, *received, *to;
    NEW(sent, (size_t)p.send[p.n] * size), NEW(received, (size_t)n * size), NEW(to, all);
    for (int64_t i = 0; i < p.send[p.n]; i++)
        memcpy(sent + (size_t)i * size, (const char *)made + (size_t)row[i] * size, size);
    ranks_exchange(&p, sent, received, size);
    memcpy(to, received, before);
    if (own) memcpy(to + before, (const char *)made + (size_t)s->skip * size, own);
    memcpy(to + before + own, received + before, all - before - own);
    free((void *)p.rank), free((void *)p.send), free((void *)p.receive);
    free(row), free(wanted), free(sent), free(received);
    return to;
}

/* room: number of items in the buffer before those of others, at least as many as this rank has created. */
static struct transfer transfer_create(const struct span *s, int64_t room, int square)
{
    int32_t n, *wanted = wanted_of(s, &n);
    struct transfer t = {.n_made = s->first[ranks_own() + 1] - s->first[ranks_own()]};
    t.args = (struct regroup_args){.pitch = room + n, .place = room, .n = s->end - s->begin, .before = s->before,
                                   .own = s->own, .skip = s->skip};
    t.args.buffer = device_alloc((size_t)(square * t.args.pitch) * sizeof(float), what);
    t.halo = halo_create(s->first, wanted, n, room, t.args.pitch, (square + 1) / 2);
    free(wanted);
    return t;
}

/* Where this rank stores its own items, of `square` numbers each. */
static float *room_of(const struct transfer *t, int square)
{
    return t->all ? t->all + ranks_own() * square * t->args.pitch : t->args.buffer;
}

static void gather(const struct transfer *t, int square)
{
    ranks_gather_there(room_of(t, square), t->all, (size_t)(square * t->args.pitch) * sizeof *t->all);
}

static struct transfer transfer_to_all(const int64_t *first, int square)
{
    int n = ranks_count();
    struct transfer t = {.n_made = first[ranks_own() + 1] - first[ranks_own()]};
    int64_t most = 0;
    for (int r = 0; r < n; r++) most = first[r + 1] - first[r] > most ? first[r + 1] - first[r] : most;
    t.first = device_copy_of(first, (size_t)(n + 1) * sizeof *first, what);
    t.args = (struct regroup_args){.pitch = (most + SLICE - 1) / SLICE * SLICE, .n = first[n], .first = t.first};
    t.args.all = t.all = device_alloc((size_t)(n * square * t.args.pitch) * sizeof *t.all, what);
    gather(&t, square);                 /* before it is recorded in a graph: NCCL creates its connections */
    return t;
}

static void transfer_free(struct transfer *t)
{
    halo_free(t->halo);
    device_free(t->args.buffer), device_free(t->all), device_free(t->first);
}

/* ---------------------------------------------------------------- which rank has which rows */
/* The first row of each rank, [ranks + 1], from the first that each has created; NULL: every rank has all. */
static int64_t *owners(const int64_t *made)
{
    int64_t *first;
    int n = ranks_count();
    NEW(first, n + 1);
    first[n] = made[n];
    for (int r = 1; r < n; r++) first[r] = (made[r] + SLICE / 2) / SLICE * SLICE;
    for (int r = 0; r < n; r++)
        if (first[r + 1] - first[r] < SHARED_BY_CPUS * SLICE) return free(first), NULL;
    int64_t enough = ranks_halo_kernel(sizeof(float)) ? SHARED_BY_STORES : SHARED_BY_GPUS;
    bool few = device_kind() == DEVICE_CUDA && made[n] < enough * SLICE;
    return few ? (free(first), NULL) : first;
}

/* The rows of a matrix in CSR, columns numbered over all ranks. */
struct csr { int32_t n, *column; int64_t *start, *place; };
static void csr_free(struct csr *c) { free(c->column), free(c->start), free(c->place); }

static struct csr rows_made(const struct level_matrix *a, const struct aggregation *g)
{
    struct csr c = {.n = a->p.n};
    rows_download_with_halo(&a->p, &c.start, &c.column, &c.place);
    for (int64_t k = 0; k < c.start[c.n]; k++)
        c.column[k] = c.column[k] < g->coarse_padded ? c.column[k] + (int32_t)a->p.first
                                                     : g->other[c.column[k] - g->coarse_padded];
    return c;
}

/* The wanted rows; *entries: the corresponding entries among those of all ranks, with entry_first analogous to
 * first. */
static struct csr rows_wanted(const struct csr *made, const struct span *rows, const int64_t *entry_first,
                              struct span *entries)
{
    struct ends { int64_t begin, end; } *own, *of_row;
    struct csr c = {.n = (int32_t)(rows->end - rows->begin)};
    const int64_t first = entry_first[ranks_own()];
    NEW(own, made->n);
    for (int32_t i = 0; i < made->n; i++) own[i] = (struct ends){first + made->start[i], first + made->start[i + 1]};
    of_row = collect(rows, own, sizeof *own);
    NEW(c.start, c.n + (int64_t)1);
    for (int32_t i = 0; i < c.n; i++) c.start[i + 1] = of_row[i].end - of_row[0].begin;
    *entries = span(entry_first, of_row[0].begin, of_row[c.n - 1].end);
    c.column = collect(entries, made->column, sizeof *made->column);
    NEW(c.place, c.start[c.n]);
    free(own), free(of_row);
    return c;
}

/* The parents of the rows of fine, including its halo, numbered over all ranks. */
static int32_t *parents_of_all(const struct level_matrix *fine, const struct aggregation *g, int64_t first)
{
    int32_t *parent;
    NEW(parent, fine->p.pitch);
    device_download(parent, g->parent, (size_t)fine->p.pitch * sizeof *parent);
    for (int64_t i = 0; i < fine->p.pitch; i++)
        if (parent[i] >= 0)
            parent[i] = parent[i] < g->coarse_padded ? parent[i] + (int32_t)first
                                                     : g->other[parent[i] - g->coarse_padded];
    return parent;
}

static int32_t *places(const int64_t *place, int64_t n)
{
    int32_t *host, *there;
    NEW(host, n);
    for (int64_t k = 0; k < n; k++) host[k] = (int32_t)place[k];
    there = device_copy_of(host, (size_t)n * sizeof *host, what);
    free(host);
    return there;
}

struct regroup *regroup_create(const struct level_matrix *fine, struct aggregation *g, struct level_matrix *coarse,
                               int block)
{
    struct regroup *r;
    struct span entries;
    struct pattern p;
    int own = ranks_own(), n_ranks = ranks_count();
    int64_t *made = ranks_first(coarse->p.n), *first = owners(made);
    bool stay = first && !memcmp(made, first, (size_t)(n_ranks + 1) * sizeof *made);
    struct csr here = rows_made(coarse, g);
    int64_t *entry_first = ranks_first(here.start[here.n]);
    struct span rows = first ? span(made, first[own], first[own + 1]) : span(made, 0, made[n_ranks]);
    struct csr c = rows_wanted(&here, &rows, entry_first, &entries);
    int32_t *parent = parents_of_all(fine, g, coarse->p.first);
    if (first)
        pattern_create_and_also(&p, c.n, c.start, c.column, c.place, block, parent, fine->p.pitch);
    else
        pattern_create(&p, c.n, c.start, c.column, c.place);
    device_upload(g->parent, parent, (size_t)fine->p.pitch * sizeof *parent);
    NEW(r, 1);
    r->made = *coarse;
    if (stay) {                         /* the same entries in the same places */
        pattern_free(&r->made.p);
        free(r), r = NULL;
        coarse->p = p;
    } else {
        coarse->p = p;
        coarse->val = coarse->diag = coarse->excess = NULL;
        level_matrix_allocate(coarse, 1, false);
        r->rows = first ? transfer_create(&rows, r->made.p.n_padded, block * block)
                        : transfer_to_all(made, block * block);
        r->entries = first ? transfer_create(&entries, here.start[here.n], block * block)
                           : transfer_to_all(entry_first, block * block);
        r->block = block;
        r->made_at = places(here.place, here.start[here.n]), r->wanted_at = places(c.place, c.start[c.n]);
        regroup_values(r, coarse);
    }
    free(g->other), g->other = NULL;
    csr_free(&here), csr_free(&c);
    free(made), free(first), free(entry_first), free(parent);
    return r;
}

void regroup_free(struct regroup *r)
{
    if (!r) return;
    transfer_free(&r->rows), transfer_free(&r->entries);
    device_free(r->made_at), device_free(r->wanted_at);
    level_matrix_free(&r->made, true);
    free(r);
}

/* ---------------------------------------------------------------- sending */
const struct level_matrix *regroup_made(const struct regroup *r) { return &r->made; }

void regroup_make_blocks(struct regroup *r, int block, bool arrow) { level_matrix_allocate(&r->made, block, arrow); }

/* Sends the contents of the buffer, of `square` numbers per item, to `to`, over n_taken items. */
static void hand_on(const struct transfer *t, int square, int64_t to_pitch, float *to, const int32_t *to_at,
                    int64_t n_taken)
{
    struct regroup_args take = t->args;
    take.square = square, take.to_pitch = to_pitch, take.to = to, take.at = to_at;
    if (t->all) gather(t, square);
    else halo_update_single(t->halo, t->args.buffer, square);
    regroup_take(&take, n_taken);
}

static void hand_on_values(const struct transfer *t, int square, const float *from, const int32_t *from_at, float *to,
                           const int32_t *to_at, int64_t n_taken)
{
    struct regroup_args put = t->args;
    put.square = square, put.from = from, put.at = from_at, put.buffer = room_of(t, square);
    regroup_put(&put, t->n_made);
    hand_on(t, square, 0, to, to_at, n_taken);
}

void regroup_values(const struct regroup *r, const struct level_matrix *coarse)
{
    const struct level_matrix *made = &r->made;
    int square = coarse->block * coarse->block;
    hand_on_values(&r->entries, coarse->arrow ? coarse->block + 1 : square, made->val, r->made_at, coarse->val,
                   r->wanted_at, r->entries.args.n);
    hand_on_values(&r->rows, square, made->diag, NULL, coarse->diag, NULL, coarse->p.n_padded);
    hand_on_values(&r->rows, square, made->excess, NULL, coarse->excess, NULL, coarse->p.n_padded);
}

float *regroup_room(const struct regroup *r) { return room_of(&r->rows, r->block); }
int64_t regroup_pitch(const struct regroup *r) { return r->rows.args.pitch; }

void regroup_vector(const struct regroup *r, const struct level_matrix *coarse, float *b)
{
    hand_on(&r->rows, r->block, coarse->p.pitch, b, NULL, r->rows.args.n);
}

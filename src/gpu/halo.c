/* Halos: which rows the ranks exchange, and the messages (halo.h). */
#include "gpu/halo.h"
#include <stdlib.h>
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/halo_kernels.h"
#include "gpu/ranks.h"
#include "gpu/stale.h"
#include "gpu/sums.h"

struct halo {
    struct ranks_peers peers;   /* counted in rows */
    int32_t *row;               /* rows that are sent, on the device */
    int64_t place, pitch;       /* received rows go to `place` and after it, */
    int32_t *at;                /* or to these places, on the device; else NULL */
    int components;
    double *sent, *received;    /* [rows components] on the device, component after component of each row */
    struct halo_peer *peer;     /* on the device, if a kernel is the whole message, instead of these two; or NULL */
    int64_t most;               /* the most rows that any rank receives, as counted there */
};

/* The neighbours, and the rows that each of them receives and sends: of rank r those from wanted_from[r] on. */
static struct ranks_peers find_peers(const int32_t *wanted_from)
{
    int n = ranks_count(), own = ranks_own(), at = 0;
    int32_t *count;             /* [n n] number of rows that a rank (the line) receives from another one */
    int *rank;
    int64_t *send, *receive;
    NEW(count, (int64_t)n * n), NEW(rank, n), NEW(send, n + 1), NEW(receive, n + 1);
    for (int r = 0; r < n; r++) count[own * n + r] = wanted_from[r + 1] - wanted_from[r];
    ranks_gather(count, (size_t)n * sizeof *count);
    for (int r = 0; r < n; r++) {
        int32_t out = count[r * n + own], in = count[own * n + r];
        if (r == own || !(out || in)) continue;
        rank[at] = r;
        send[at + 1] = send[at] + out, receive[at + 1] = receive[at] + in;
        at++;
    }
    free(count);
    return (struct ranks_peers){at, rank, send, receive};
}

/* Sends the neighbours the numbers, from 0, of the rows requested from them; receives those requested from this
 * rank. */
static int32_t *ask_for_rows(const struct ranks_peers *p, const int32_t *wanted, int64_t first_own)
{
    const struct ranks_peers back = {p->n, p->rank, p->receive, p->send};
    int32_t *row;
    NEW(row, p->send[p->n]);
    ranks_exchange(&back, wanted, row, sizeof *row);
    for (int64_t i = 0; i < p->send[p->n]; i++) row[i] -= (int32_t)first_own;
    return row;
}

struct ranks_peers halo_peers(const int64_t *first, const int32_t *wanted, int32_t n_wanted, int32_t **row)
{
    int32_t *from, at = 0;
    NEW(from, ranks_count() + 1);
    for (int r = 0; r < ranks_count(); r++) {
        while (at < n_wanted && wanted[at] < first[r + 1]) at++;
        from[r + 1] = at;
    }
    struct ranks_peers p = find_peers(from);
    *row = ask_for_rows(&p, wanted, first[ranks_own()]);
    free(from);
    return p;
}

/* Each peer knows the position of a rank's rows among all rows that it receives.  False, on all ranks: too many
 * rows. */
static bool prepare_stores(struct halo *h)
{
    const struct ranks_peers *p = &h->peers;
    struct halo_peer *peer;
    int64_t *one;
    uint32_t *at;
    NEW(peer, p->n), NEW(one, p->n + 1), NEW(at, 2 * p->n + 1);
    for (int i = 0; i < p->n; i++)
        one[i + 1] = i + 1, at[i + 1] = at[i] + (uint32_t)(p->receive[i + 1] - p->receive[i] + 1) / 2 * 2;
    double most = at[p->n];
    ranks_exchange(&(struct ranks_peers){p->n, p->rank, one, one}, at, at + p->n + 1, sizeof *at);
    for (int i = 0; i < p->n; i++)
        peer[i] = (struct halo_peer){p->rank[i], (uint32_t)(p->send[i + 1] - p->send[i]), (uint32_t)p->send[i],
                                     at[p->n + 1 + i], (uint32_t)(p->receive[i + 1] - p->receive[i]),
                                     (uint32_t)p->receive[i], at[i]};
    largest_over_ranks(&most, 1);
    h->most = (int64_t)most;
    const bool good = h->most * h->components <= RANKS_LONGEST;
    if (good) h->peer = device_copy_of(peer, (size_t)p->n * sizeof *peer, "rows of other ranks");
    else log_print("note: messages of %.0f rows of other ranks are sent: too many to be stored\n", most);
    free(peer), free(one), free(at);
    return good;
}

/* Allocates the messages and sends a first one before any is recorded in a graph: NCCL makes its connections then. */
static void prepare_messages(struct halo *h)
{
    const struct ranks_peers *p = &h->peers;
    const size_t row = (size_t)h->components * sizeof *h->sent;
    h->sent = device_alloc((size_t)p->send[p->n] * row, "rows of other ranks");
    h->received = device_alloc((size_t)p->receive[p->n] * row, "rows of other ranks");
    ranks_exchange_there(p, h->sent, h->received, row);
}

struct halo *halo_create_at(const int64_t *first, const int32_t *wanted, const int32_t *place, int32_t n_wanted,
                            int64_t pitch, int components)
{
    struct halo *h = halo_create(first, wanted, n_wanted, 0, pitch, components);
    if (h) h->at = device_copy_of(place, (size_t)n_wanted * sizeof *place, "rows of other ranks");
    return h;
}

struct halo *halo_create(const int64_t *first, const int32_t *wanted, int32_t n_wanted, int64_t place, int64_t pitch,
                         int components)
{
    struct halo *h;
    int32_t *row;
    if (ranks_count() == 1) return NULL;
    NEW(h, 1);
    h->peers = halo_peers(first, wanted, n_wanted, &row);
    int64_t out = h->peers.send[h->peers.n];
    h->row = device_copy_of(row, (size_t)out * sizeof *row, "rows of other ranks");
    h->place = place, h->pitch = pitch, h->components = components;
    free(row);
    if (!ranks_halo_kernel(sizeof(double)) || !prepare_stores(h)) prepare_messages(h);
    return h;
}

void halo_free(struct halo *h)
{
    if (!h) return;
    free((void *)h->peers.rank), free((void *)h->peers.send), free((void *)h->peers.receive);
    device_free(h->row), device_free(h->at), device_free(h->sent), device_free(h->received), device_free(h->peer);
    free(h);
}

int64_t halo_rows(const struct halo *h) { return h ? h->peers.receive[h->peers.n] : 0; }

/* The whole message in one launch, or three steps: rows are packed, sent, and unpacked. */
static void exchange(const struct halo *h, const struct halo_args *out, const struct halo_args *in, size_t size)
{
    const int64_t rows_out = h->peers.send[h->peers.n], rows_in = h->peers.receive[h->peers.n];
    const int64_t most = h->most * out->components;
    const int components = out->components;
    const bool of_8 = size == sizeof(double), straight = components == 1 && !in->row;  /* received rows are stored
                                                                                          contiguously */
    if ((size_t)components * size > (size_t)h->components * sizeof *h->sent) die("a halo of %d components", components);
    if (h->peer) {
        struct halo_stores_args all = {*out, *in, h->peer, h->peers.n};
        device_launch(ranks_halo_kernel(size), &all, of_8 ? most : most / 2);
        return;
    }
    struct halo_args pack = *out, unpack = *in;
    pack.message = h->sent, unpack.message = h->received;
    (of_8 ? halo_pack_double : halo_pack_single)(&pack, rows_out * components);
    ranks_exchange_there(&h->peers, h->sent, straight ? (char *)in->x[0] + (size_t)in->place * size
                                                      : (char *)h->received, (size_t)components * size);
    if (!straight) (of_8 ? halo_unpack_double : halo_unpack_single)(&unpack, rows_in * components);
}

void halo_bring(const struct halo *h, const double *x, double *to)
{
    struct halo_args out = {.x = {(void *)x}, .row = h->row, .pitch = h->pitch, .n_vectors = 1, .components = 1},
                     in = out;
    in.x[0] = to, in.row = NULL;
    exchange(h, &out, &in, sizeof *x);
}

static void update(const struct halo *h, const struct halo_part *part, int n_parts, size_t size)
{
    struct halo_args out = {.row = h->row, .pitch = h->pitch, .n_vectors = n_parts};
    if (n_parts > MOST_TOGETHER) die("%d vectors in one message", n_parts);
    for (int i = 0; i < n_parts; i++) {
        out.x[i] = (void *)part[i].x, out.first[i] = out.components;
        out.components += part[i].components;
    }
    struct halo_args in = out;
    in.row = h->at, in.place = h->place;
    exchange(h, &out, &in, size);
    for (int i = 0; GHOSTS_NAN && i < n_parts; i++)
        stale_watch(out.x[i], part[i].components, h->place, h->pitch, size);
}

void halo_exchange(const struct halo *h, const void *x, int components, size_t size)
{
    update(h, &(struct halo_part){x, components}, 1, size);
}

void halo_exchange_together(const struct halo *h, const struct halo_part *part, int n_parts)
{
    struct halo_part there[MOST_TOGETHER];
    int n = 0;
    for (int i = 0; i < n_parts; i++) if (part[i].x) there[n++] = part[i];
    update(h, there, n, sizeof(double));
}

void halo_update_host(const struct halo *h, void *x, size_t size)
{
    if (!h) return;
    const size_t bytes = (size_t)h->pitch * size;
    void *there = device_copy_of(x, bytes, "rows of other ranks");
    halo_exchange(h, there, 1, size);
    device_download(x, there, bytes);
    device_free(there);
}

#include "gpu/halo.h"
#include <stdlib.h>
#include "base/error.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/halo_kernels.h"
#include "gpu/ranks.h"

struct halo {
    struct ranks_peers peers;   /* counted in rows */
    int32_t *row;               /* those that are sent, on the machine */
    int64_t place, pitch;       /* those that come go from `place` on, */
    int32_t *at;                /* or here, on the machine; else NULL */
    int components;
    double *sent, *received;    /* [rows components] on the machine, component after component of each row */
};

/* The neighbours, and the rows that each of them gets and gives: of rank r those at wanted_from[r] and behind. */
static struct ranks_peers find_peers(const int32_t *wanted_from)
{
    int n = ranks_count(), own = ranks_own(), at = 0;
    int32_t *count;             /* [n n] of the rows that a rank (the line) wants from another one */
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

/* Tells the neighbours which rows they are asked for: the numbers that this rank is asked for, from 0. */
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
    h->sent = device_alloc((size_t)(out * components) * sizeof *h->sent, "rows of other ranks");
    h->received = device_alloc((size_t)n_wanted * (size_t)components * sizeof *h->received, "rows of other ranks");
    h->place = place, h->pitch = pitch, h->components = components;
    free(row);
    /* Before the first exchange is recorded in a graph: NCCL makes its connections then. */
    ranks_exchange_there(&h->peers, h->sent, h->received, (size_t)components * sizeof *h->sent);
    return h;
}

void halo_free(struct halo *h)
{
    if (!h) return;
    free((void *)h->peers.rank), free((void *)h->peers.send), free((void *)h->peers.receive);
    device_free(h->row), device_free(h->at), device_free(h->sent), device_free(h->received);
    free(h);
}

int64_t halo_rows(const struct halo *h) { return h ? h->peers.receive[h->peers.n] : 0; }

void halo_bring(const struct halo *h, const double *x, double *to)
{
    struct halo_args pack = {.x = {(void *)x}, .message = h->sent, .row = h->row, .pitch = h->pitch, .n_vectors = 1,
                             .components = 1};
    halo_pack_double(&pack, h->peers.send[h->peers.n]);
    ranks_exchange_there(&h->peers, h->sent, to, sizeof *x);
}

static void exchange(const struct halo *h, const struct halo_part *part, int n_parts, size_t size)
{
    int64_t out = h->peers.send[h->peers.n], in = h->peers.receive[h->peers.n];
    struct halo_args pack = {.message = h->sent, .row = h->row, .pitch = h->pitch, .n_vectors = n_parts};
    if (n_parts > MOST_TOGETHER) die("%d vectors in one message", n_parts);
    for (int i = 0; i < n_parts; i++) {
        pack.x[i] = (void *)part[i].x, pack.first[i] = pack.components;
        pack.components += part[i].components;
    }
    if ((size_t)pack.components * size > (size_t)h->components * sizeof *h->sent)
        die("a halo of %d components", pack.components);
    struct halo_args unpack = pack;
    unpack.message = h->received, unpack.row = h->at, unpack.place = h->place;
    bool straight = pack.components == 1 && !h->at;     /* they come in the order in which they stand */
    (size == sizeof(double) ? halo_pack_double : halo_pack_single)(&pack, out * pack.components);
    ranks_exchange_there(&h->peers, h->sent, straight ? (char *)pack.x[0] + (size_t)h->place * size
                                                      : (char *)h->received, (size_t)pack.components * size);
    if (!straight) (size == sizeof(double) ? halo_unpack_double : halo_unpack_single)(&unpack, in * pack.components);
}

void halo_exchange(const struct halo *h, const void *x, int components, size_t size)
{
    exchange(h, &(struct halo_part){x, components}, 1, size);
}

void halo_exchange_together(const struct halo *h, const struct halo_part *part, int n_parts)
{
    struct halo_part there[MOST_TOGETHER];
    int n = 0;
    for (int i = 0; i < n_parts; i++) if (part[i].x) there[n++] = part[i];
    exchange(h, there, n, sizeof(double));
}

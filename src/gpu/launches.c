/* Gathers launches, and turns repeated sequences into graphs (launches.h). */
#include "gpu/launches.h"
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/memory.h"

/* MOST: launches gathered at once.  FEWEST: fewer are not worth a graph.  KEPT: number of sequences remembered. */
enum { MOST = 64, FEWEST = 3, KEPT = 128 };

/* A launch, followed after HEAD bytes by its arguments; for a copy (kernel NULL) these are struct copied. */
struct item { const struct kernel *kernel; int64_t n; int64_t bytes; };
struct copied { void *to; const void *from; };
enum { HEAD = 32 };

/* A sequence seen before.  It is recorded the second time, because sequences that occur once are not worth it. */
struct sequence {
    uint64_t hash, used;        /* used: time of last use, counted in sequences */
    int64_t bytes;
    char *items;                /* launches of the recorded sequence */
    void *graph;                /* or NULL: it has occurred only once */
};

struct launches {
    const struct device_backend *backend;
    char *items;
    int64_t bytes, room;
    int n;
    uint64_t now;
    struct sequence kept[KEPT];
};

struct launches *launches_create(const struct device_backend *b)
{
    struct launches *l;
    NEW(l, 1);
    l->backend = b;
    return l;
}

static void forget(struct launches *l, struct sequence *s)
{
    if (s->graph) l->backend->forget(s->graph);
    free(s->items);
    *s = (struct sequence){0};
}

void launches_free(struct launches *l)
{
    if (!l) return;
    for (int i = 0; i < KEPT; i++) forget(l, &l->kept[i]);
    free(l->items);
    free(l);
}

static void add(struct launches *l, const struct kernel *k, int64_t n, const void *args, size_t size)
{
    const int64_t whole = ((int64_t)size + 15) / 16 * 16;               /* keeps arguments aligned */
    struct item item = {k, n, whole};
    while (l->bytes + HEAD + whole > l->room) {
        l->room = l->room ? 2 * l->room : 1 << 16;
        RESIZE(l->items, l->room);
    }
    char *to = l->items + l->bytes;
    memset(to, 0, (size_t)(HEAD + whole));
    memcpy(to, &item, sizeof item);
    memcpy(to + HEAD, args, size);
    l->bytes += HEAD + whole;
    if (++l->n == MOST) launches_go(l);
}

void launches_add(struct launches *l, const struct kernel *k, const void *args, int64_t n)
{
    add(l, k, n, args, k->args);
}

void launches_add_copy(struct launches *l, void *to, const void *from, size_t bytes)
{
    struct copied c = {to, from};
    add(l, NULL, (int64_t)bytes, &c, sizeof c);
}

static void play(void *context)
{
    const struct launches *l = context;
    for (int64_t at = 0; at < l->bytes;) {
        struct item i;
        struct copied c;
        const char *args = l->items + at + HEAD;
        memcpy(&i, l->items + at, sizeof i);
        memcpy(&c, args, sizeof c);
        if (i.kernel) l->backend->launch(i.kernel, args, i.n);
        else l->backend->copy(c.to, c.from, (size_t)i.n);
        at += HEAD + i.bytes;
    }
}

static uint64_t hash(const struct launches *l)
{
    uint64_t h = DIGEST_START, word;
    for (int64_t i = 0; i < l->bytes; i += 8) {
        memcpy(&word, l->items + i, 8);
        h = digest_step(h, word);
        h ^= h >> 29;
    }
    return h;
}

/* Finds the entry of this sequence, or empties the least recently used entry. */
static struct sequence *find(struct launches *l)
{
    const uint64_t h = hash(l);
    struct sequence *oldest = l->kept;
    for (struct sequence *s = l->kept; s < l->kept + KEPT; s++) {
        if (s->hash == h && s->bytes == l->bytes && (!s->graph || !memcmp(s->items, l->items, (size_t)l->bytes)))
            return s;
        if (s->used < oldest->used) oldest = s;
    }
    forget(l, oldest);
    oldest->hash = h;
    return oldest;
}

static void record(struct launches *l, struct sequence *s)
{
    NEW(s->items, l->bytes);
    memcpy(s->items, l->items, (size_t)l->bytes);
    s->graph = l->backend->record(play, l);
}

bool launches_few(const struct launches *l) { return l->n < FEWEST; }

static void go(struct launches *l)
{
    if (launches_few(l)) {
        play(l);
        return;
    }
    struct sequence *s = find(l);
    bool again = s->bytes > 0;
    s->bytes = l->bytes, s->used = ++l->now;
    if (again && !s->graph) record(l, s);
    if (s->graph) l->backend->replay(s->graph);
    else play(l);
}

void launches_go(struct launches *l)
{
    if (!l->n) return;
    go(l);
    l->n = 0, l->bytes = 0;
}

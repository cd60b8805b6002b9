/* Distributes a linear system over several ranks: rank 0 has created it and sends every rank its rows. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/ranks.h"
#include "system/linear_system.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Scatters an array on rank 0 (NULL on the others): every rank gets the elements first[rank] .. first[rank + 1] - 1,
 * with room for one more; the array is freed.  Messages have a bounded size and go to one rank after the other, so that
 * none waits for long. */
static void *hand_out(void *whole, const int64_t *first, size_t size)
{
    enum { MESSAGE = 64 << 20 };
    const int own = ranks_own(), n = ranks_count();
    const int64_t at_once = MESSAGE / (int64_t)size, count = first[own + 1] - first[own];
    int64_t most = 0;
    char *part = NULL;
    for (int r = 1; r < n; r++) if (first[r + 1] - first[r] > most) most = first[r + 1] - first[r];
    if (own) NEW(part, (size_t)(count + 1) * size);
    for (int64_t done = 0; done < most; done += at_once)
        for (int r = own ? own : 1; r < (own ? own + 1 : n); r++) {
            const int64_t now = least(first[r + 1] - first[r] - done, at_once), none[2] = {0};
            const int64_t from[2] = {first[r] + done, first[r] + done + now}, to[2] = {done, done + now};
            const int peer = own ? 0 : r;
            if (now > 0)
                ranks_exchange(&(struct ranks_peers){1, &peer, own ? none : from, own ? to : none}, whole, part, size);
        }
    if (own) return part;
    part = whole;
    RESIZE(part, (size_t)(count + 1) * size);
    return part;
}

double *linear_system_piece(const struct linear_system *s, double *v)
{
    int64_t *first = ranks_count() > 1 ? ranks_first(s->n) : NULL;
    if (first) v = hand_out(v, first, (size_t)s->block * sizeof *v);
    free(first);
    return v;
}

/* The first row of each rank, and its first entry, which only rank 0 knows: both [ranks + 1]. */
static void cut(const struct linear_system *whole, int64_t *row, int64_t *entry)
{
    const int n = ranks_count();
    const int64_t slices = (whole->n + (int64_t)SLICE - 1) / SLICE;
    int64_t *of_ranks;
    NEW(of_ranks, n * (n + 1));
    for (int r = 0; r <= n; r++) row[r] = least(ranks_cut(slices, r) * SLICE, whole->n);
    for (int r = 0; r <= n && !ranks_own(); r++) of_ranks[r] = whole->start[row[r]];
    ranks_gather(of_ranks, (size_t)(n + 1) * sizeof *of_ranks);
    memcpy(entry, of_ranks, (size_t)(n + 1) * sizeof *entry);
    free(of_ranks);
}

bool linear_system_share(struct linear_system *s, struct error *e)
{
    const int n = ranks_count(), own = ranks_own();
    const int32_t slices = (s->n + SLICE - 1) / SLICE;
    struct linear_system *all;
    int64_t *row, *entry;
    bool enough = own || slices >= n ||
                  refuse(e, EXIT_INPUT, "%s: its %d rows are %d slice%s of %d rows, fewer than the %d ranks; expected "
                         "at most %d rank%s", s->name, s->n, slices, slices == 1 ? "" : "s", SLICE, n, slices,
                         slices == 1 ? "" : "s");
    if (!ranks_agree(enough, e)) return false;
    if (n == 1) return true;
    NEW(all, n), NEW(row, n + 1), NEW(entry, n + 1);
    all[own] = *s;
    ranks_gather(all, sizeof *all);
    const struct linear_system w = *all;                /* on other ranks only shows which arrays exist */
    cut(&w, row, entry);
    if (!own) free(s->centre);
    *s = w;
    s->centre = NULL, s->original = own ? NULL : w.original;
    s->first = (int32_t)row[own], s->n = (int32_t)(row[own + 1] - row[own]);
    s->start = hand_out(w.start, row, sizeof *s->start);
    for (int32_t i = 0; i < s->n; i++) s->start[i] -= entry[own];
    s->start[s->n] = entry[own + 1] - entry[own];
    s->column = hand_out(w.column, entry, sizeof *s->column);
    s->value = hand_out(w.value, entry, (size_t)(w.block * w.block) * sizeof *s->value);
    if (w.rhs) s->rhs = hand_out(w.rhs, row, (size_t)w.block * sizeof *s->rhs);
    if (w.phase) s->phase = hand_out(w.phase, row, sizeof *s->phase);
    free(all), free(row), free(entry);
    return true;
}

/* Invalidates outdated ghosts by NaN (stale.h). */
#include "gpu/stale.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

/* A component with valid ghosts: `own` bytes of this rank's rows, then the ghosts, `all` in total; and a copy of both.
 * It is dropped once it has been written: its memory may be used for another kind of vector. */
static struct watched { char *x, *was; size_t own, all; } *watched;
static int n_watched, room;

static void forget(int i)
{
    free(watched[i].was);
    watched[i] = watched[--n_watched];
}

void stale_forget(const void *memory, size_t bytes)
{
    for (int i = n_watched - 1; i >= 0; i--)
        if (watched[i].x < (const char *)memory + bytes && watched[i].x + watched[i].all > (const char *)memory)
            forget(i);
}

void stale_watch(void *x, int64_t components, int64_t place, int64_t pitch, size_t size)
{
    const size_t all = (size_t)pitch * size;
    stale_forget(x, (size_t)components * all);
    for (int64_t k = 0; k < components; k++) {
        struct watched w = {.x = (char *)x + (size_t)k * all, .own = (size_t)place * size, .all = all};
        NEW(w.was, (int64_t)all);
        memcpy(w.was, w.x, all);
        if (n_watched == room) room = 2 * room + 16, RESIZE(watched, room);
        watched[n_watched++] = w;
    }
}

void stale_find(void)
{
    for (int i = n_watched - 1; i >= 0; i--) {
        const struct watched *w = &watched[i];
        const size_t n = w->all - w->own;
        const bool copies = memcmp(w->x + w->own, w->was + w->own, n) != 0;
        if (copies) memcpy(w->was + w->own, w->x + w->own, n);          /* ghosts written by their owner */
        if (!memcmp(w->x, w->was, w->own)) continue;
        if (!copies) memset(w->x + w->own, 0xff, n);
        forget(i);
    }
}

#include "solve/rebuild.h"
#include <stdio.h>
#include <string.h>
#include "base/memory.h"

enum { COUNTS = sizeof(struct rebuild) / sizeof(int32_t) };

bool rebuild_due(const struct rebuild *r) { return r->slow >= REBUILD_SLOW && !(r->anew && r->age < REBUILD_KEPT); }

bool rebuild_if_due(struct rebuild *r, struct multigrid *m, char *note, size_t size)
{
    if (!rebuild_due(r)) return false;
    snprintf(note, size, "multigrid's structure made anew: %d iterations, %d when it was made", r->last, r->made);
    multigrid_rebuild(m, NULL, 0);
    *r = (struct rebuild){.anew = 1};
    return true;
}

void rebuild_watch(struct rebuild *r, int iterations)
{
    if (!r->made) r->made = iterations;
    r->last = iterations;
    r->slow = iterations > 2 * r->made + 5 ? r->slow + 1 : 0;
    if (r->anew) r->age++;
}

int32_t *rebuild_state(const struct rebuild *r, const struct multigrid *m, int64_t *n)
{
    int32_t *state;
    int64_t n_parents = r->anew ? multigrid_parents(m, NULL) : 0;
    *n = COUNTS + n_parents;
    NEW(state, *n);
    memcpy(state, r, sizeof *r);
    if (r->anew) multigrid_parents(m, state + COUNTS);
    return state;
}

bool rebuild_restore(struct rebuild *r, struct multigrid *m, const int32_t *state, int64_t n)
{
    struct rebuild counts;
    if (n < COUNTS) return false;
    memcpy(&counts, state, sizeof counts);
    if (counts.anew ? !multigrid_rebuild(m, state + COUNTS, n - COUNTS) : n > COUNTS) return false;
    *r = counts;
    return true;
}

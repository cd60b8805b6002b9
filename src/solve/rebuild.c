/* Decides when multigrid's structure and smoother are replaced (rebuild.h). */
#include "solve/rebuild.h"
#include <stdio.h>
#include <string.h>
#include "base/memory.h"

enum { COUNTS = sizeof(struct rebuild) / sizeof(int32_t) };

static bool is_hard(const struct rebuild *r, const struct multigrid *m)
{
    return r->hard >= REBUILD_SLOW && multigrid_may_strengthen(m);
}

bool rebuild_due(const struct rebuild *r, const struct multigrid *m)
{
    return is_hard(r, m) || (r->slow >= REBUILD_SLOW && !(r->anew && r->age < REBUILD_KEPT));
}

bool rebuild_if_due(struct rebuild *r, struct multigrid *m, char *note, size_t size)
{
    if (!rebuild_due(r, m)) return false;
    if (is_hard(r, m)) {
        snprintf(note, size, "multigrid smooths by incomplete LU from now on: %d iterations", r->last);
        multigrid_strengthen(m);
        *r = (struct rebuild){.anew = r->anew, .age = r->age, .strong = 1};
        return true;
    }
    snprintf(note, size, "multigrid's structure rebuilt: %d iterations, %d when it was built", r->last, r->made);
    multigrid_rebuild(m, NULL, 0);
    *r = (struct rebuild){.anew = 1, .strong = r->strong};
    return true;
}

void rebuild_watch(struct rebuild *r, int iterations)
{
    if (!r->made) r->made = iterations;
    r->last = iterations;
    r->slow = iterations > 2 * r->made + 5 ? r->slow + 1 : 0;
    r->hard = iterations > REBUILD_HARD ? r->hard + 1 : 0;
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
    if (counts.strong && multigrid_may_strengthen(m)) multigrid_strengthen(m);
    *r = counts;
    return true;
}

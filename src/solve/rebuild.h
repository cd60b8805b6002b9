/* rebuild.h: when multigrid's structure is made anew.  It is kept while it serves: the first solve with it says how many
 * iterations it takes, and when two in a row take more than twice as many and five, the next solve first makes it from the
 * values that the matrix has then.  Whatever the new one takes is what it is held to from then on, and it is kept for 20
 * solves at least: where it does no better the iterations are not the structure's fault, and making it must not cost more
 * than it can save.  Nothing but counts of iterations is looked at, so the same solves give the same structures. */
#ifndef POISE_REBUILD_H
#define POISE_REBUILD_H
#include "solve/multigrid.h"

enum { REBUILD_SLOW = 2, REBUILD_KEPT = 20 };
struct rebuild {
    int32_t made;               /* iterations of the first solve with this structure; 0: there was none yet */
    int32_t last;               /* of the last solve */
    int32_t slow;               /* solves in a row that took too many */
    int32_t age;                /* solves with this structure, where it is not the first one */
    int32_t anew;               /* it is not the first one */
};

/* Before a solve. True: m has a new structure (and no values, multigrid_refresh() is next); note: why. */
bool rebuild_if_due(struct rebuild *r, struct multigrid *m, char *note, size_t size);
/* After a solve that went its way. */
void rebuild_watch(struct rebuild *r, int iterations);
/* All of it, for a checkpoint: the counts, and where the structure is not the first one, its parents.  The caller's to
 * free; n of them. */
int32_t *rebuild_state(const struct rebuild *r, const struct multigrid *m, int64_t *n);
/* Back to it; as rebuild_if_due(), m needs its values then.  False: not a state for this matrix; nothing is changed. */
bool rebuild_restore(struct rebuild *r, struct multigrid *m, const int32_t *state, int64_t n);
#endif

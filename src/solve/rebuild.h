/* rebuild.h: when multigrid's structure is rebuilt, and when its smoother is replaced by a stronger one.  The first
 * solve with a structure gives the reference: it took n iterations.  When two consecutive solves take more than 2 n +
 * 5, the structure is rebuilt from the values that the matrix has at the next solve, whose iterations are the new
 * reference. It is then kept for at least 20 solves: if it does no better, the structure is not the cause, and
 * rebuilding must not cost more than it can save.  With smoother "auto" two consecutive solves of more than 20
 * iterations replace the smoother permanently.  Only iteration counts decide, so the same solves give the same
 * structures. */
#ifndef POISE_REBUILD_H
#define POISE_REBUILD_H
#include "solve/multigrid.h"

enum { REBUILD_SLOW = 2, REBUILD_KEPT = 20, REBUILD_HARD = 20 };
struct rebuild {
    int32_t made;               /* iterations of the first solve with this structure; 0: none yet */
    int32_t last;               /* of the last solve */
    int32_t slow;               /* number of consecutive solves, up to the last, that took too many */
    int32_t age;                /* solves with this structure, counted only if it has been rebuilt */
    int32_t anew;               /* 1: this structure has been rebuilt */
    int32_t hard;               /* number of consecutive solves, up to the last, of more than REBUILD_HARD iterations */
    int32_t strong;             /* 1: the smoother has been replaced */
};

/* Is a new structure or smoother due? */
bool rebuild_due(const struct rebuild *r, const struct multigrid *m);
/* Called before a solve.  True: m has a new structure or smoother but no values yet, so multigrid_refresh() must be
 * called next; note: the reason. */
bool rebuild_if_due(struct rebuild *r, struct multigrid *m, char *note, size_t size);
/* Called after a solve that did not break down. */
void rebuild_watch(struct rebuild *r, int iterations);
/* The whole state, n numbers for a checkpoint: the counts and, if the structure has been rebuilt, its parents.  The
 * caller frees it. */
int32_t *rebuild_state(const struct rebuild *r, const struct multigrid *m, int64_t *n);
/* Restores such a state; then m needs its values, as after rebuild_if_due().  False: not a state for this matrix;
 * nothing is changed. */
bool rebuild_restore(struct rebuild *r, struct multigrid *m, const int32_t *state, int64_t n);
#endif

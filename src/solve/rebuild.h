/* rebuild.h: when multigrid's structure is made anew, and when its smoother is replaced by a stronger one.  The first
 * solve with a structure sets the measure: it took n iterations.  When two solves in a row take more than 2 n + 5, the
 * structure is made anew from the values that the matrix has at the next solve, whose iterations are the new measure. 
 * It is then kept for 20 solves at least: where it does no better, the structure is not the reason, and making it must
 * not cost more than it can save.  With smoother "auto" two solves in a row of over 20 iterations replace the smoother,
 * once and for good.  Only counts of iterations decide, so the same solves give the same structures. */
#ifndef POISE_REBUILD_H
#define POISE_REBUILD_H
#include "solve/multigrid.h"

enum { REBUILD_SLOW = 2, REBUILD_KEPT = 20, REBUILD_HARD = 20 };
struct rebuild {
    int32_t made;               /* iterations of the first solve with this structure; 0: there has been none */
    int32_t last;               /* of the last solve */
    int32_t slow;               /* solves in a row, up to the last, that took too many */
    int32_t age;                /* solves with this structure, counted where it is not the first one */
    int32_t anew;               /* 1: this structure is not the first one */
    int32_t hard;               /* solves in a row, up to the last, of over REBUILD_HARD iterations */
    int32_t strong;             /* 1: the smoother has been replaced */
};

/* Is a new structure or smoother due? */
bool rebuild_due(const struct rebuild *r, const struct multigrid *m);
/* Called before a solve.  True: m has a new structure or smoother but no values yet, so that multigrid_refresh() must
 * come next; note: why. */
bool rebuild_if_due(struct rebuild *r, struct multigrid *m, char *note, size_t size);
/* Called after a solve that did not break down. */
void rebuild_watch(struct rebuild *r, int iterations);
/* The whole state, n numbers for a checkpoint: the counts and, where the structure is not the first one, its
 * parents.  The caller frees it. */
int32_t *rebuild_state(const struct rebuild *r, const struct multigrid *m, int64_t *n);
/* Goes back to such a state; after it, m needs its values, as after rebuild_if_due().  False: it is no state for this
 * matrix, and nothing is changed. */
bool rebuild_restore(struct rebuild *r, struct multigrid *m, const int32_t *state, int64_t n);
#endif

/* batch.h: how the host drives an iteration that runs on the machine: it launches a batch of iterations, then looks
 * at the residual, then launches the next. */
#ifndef POISE_BATCH_H
#define POISE_BATCH_H
#include <stdbool.h>
#include "gpu/device.h"

/* The arrays, not the solver's own, that recorded launches read and write.  A solver may be handed several matrices and
 * solutions in turn, so a few recordings are kept, and each is used again when its arrays come back. */
struct batch_arrays { const void *x, *val, *diag, *b; };
enum { BATCH_RECORDINGS = 16, BATCH_ITERATIONS = 8 };
struct batch_body { void (*iterate)(void *solver); void *solver; int times; };
struct batch {
    struct { struct device_graph *graph; struct batch_arrays arrays; struct batch_body body; }
        recorded[BATCH_RECORDINGS];
    int next;                   /* the recording that is given up when a new one is needed */
    int length;                 /* iterations in a batch; those that come after the end of the loop do nothing */
    int last;                   /* iterations of the last solve, 0: not known */
    bool on_host;               /* iterate() waits and computes on the host: it cannot be recorded */
};
/* Launches batches of iterate(solver), which works on these arrays, until finished(solver) is true.  finished() has
 * to wait for the machine, so it is asked for the first time a little before the iteration at which the last solve
 * ended, and from there on whenever an eighth has been added to the iterations done. */
void batch_iterate(struct batch *b, struct batch_arrays arrays, void (*iterate)(void *solver),
                   bool (*finished)(void *solver), void *solver);
/* Launches iterate() so many times, of which up to BATCH_ITERATIONS iterations are recorded as one, for these arrays,
 * if that has not been done; for methods with a loop of their own. */
void batch_launch(struct batch *b, struct batch_arrays arrays, int times, void (*iterate)(void *solver), void *solver);
/* The recordings. */
void batch_free(struct batch *b);
#endif

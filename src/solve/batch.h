/* batch.h: how the host drives a loop that lives on the machine. */
#ifndef POISE_BATCH_H
#define POISE_BATCH_H
#include <stdbool.h>
#include "gpu/device.h"

/* What recorded launches read and write that is not the solver's own.  A solver may be handed several matrices and solutions
 * in turn, so a few recordings are kept and each is used again when its arrays come back. */
struct batch_arrays { const void *x, *val, *diag, *b; };
enum { BATCH_RECORDINGS = 4 };
struct batch {
    struct { struct device_graph *graph; struct batch_arrays arrays; } recorded[BATCH_RECORDINGS];
    int next;                   /* which of them is given up for a new one */
    int length;                 /* iterations in a batch; those that come after the end of the loop do nothing */
    int last;                   /* iterations of the last solve, 0: not known */
    bool on_host;               /* iterate() waits and computes on the host: it cannot be recorded */
};
/* Launches batches, solver's iterate() as it is with these arrays, until finished(solver) says so: it looks at the machine,
 * which costs a wait, so it is asked only a little before the last solve ended, and from there after every eighth of
 * what has been done. */
void batch_iterate(struct batch *b, struct batch_arrays arrays, void (*iterate)(void *solver),
                   bool (*finished)(const void *solver), void *solver);
/* One launch of iterate(), recorded for these arrays if that has not been done, for methods with a loop of their own. */
void batch_launch(struct batch *b, struct batch_arrays arrays, void (*iterate)(void *solver), void *solver);
/* The recordings. */
void batch_free(struct batch *b);
#endif

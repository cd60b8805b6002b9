/* batch.h: how the host drives a loop that lives on the machine. */
#ifndef POISE_BATCH_H
#define POISE_BATCH_H
#include <stdbool.h>
#include "gpu/device.h"

/* A recorded run of iterations; iterations that come after the end of the loop do nothing. */
struct batch {
    struct device_graph *graph;
    const double *x;            /* what it was recorded with */
    int length;                 /* iterations in it */
    int last;                   /* iterations of the last solve, 0: not known */
    bool on_host;               /* iterate() waits and computes on the host: it cannot be recorded */
};
/* Launches batches, solver's iterate() as it is with this x, until finished(solver) says so: it looks at the machine,
 * which costs a wait, so it is asked only a little before the last solve ended, and from there after every eighth of
 * what has been done. */
void batch_iterate(struct batch *b, const double *x, void (*iterate)(void *solver), bool (*finished)(const void *solver),
                   void *solver);
void batch_free(struct batch *b);
#endif

/* batch.h: how the host drives a loop that lives on the machine. */
#ifndef POISE_BATCH_H
#define POISE_BATCH_H
#include <stdbool.h>
#include "gpu/device.h"

/* A recorded run of iterations; iterations that come after the end of the loop do nothing. */
struct batch {
    struct device_graph *graph;
    int length;                 /* iterations in it */
    int last;                   /* iterations of the last solve, 0: not known */
};
/* Launches batches until finished(solver) says so: it looks at the machine, which costs a wait, so it is asked only
 * a little before the last solve ended, and from there after every eighth of what has been done. */
void batch_iterate(struct batch *b, bool (*finished)(const void *solver), const void *solver);
#endif

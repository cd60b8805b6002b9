/* batch.h: how the host drives an iteration that runs on the device: it launches a batch of iterations, then reads the
 * residual, then launches the next batch. */
#ifndef POISE_BATCH_H
#define POISE_BATCH_H
#include <stdbool.h>
#include "gpu/device.h"

/* The caller's arrays that recorded launches read and write.  A solver may alternate between several matrices and
 * solutions, so a few recordings are kept, and each is reused when its arrays occur again. */
struct batch_arrays { const void *x, *val, *diag, *b; };
enum { BATCH_RECORDINGS = 16, BATCH_ITERATIONS = 8 };
struct batch_body { void (*iterate)(void *solver); void *solver; int times; };
struct batch {
    struct { struct device_graph *graph; struct batch_arrays arrays; struct batch_body body; }
        recorded[BATCH_RECORDINGS];
    int next;                   /* the recording to replace when a new one is needed */
    int length;                 /* iterations in a batch; those after convergence do nothing */
    int last;                   /* iterations of the last solve, 0: not known */
    bool on_host;               /* iterate() waits and computes on the host, so it cannot be recorded */
};
/* Launches batches of iterate(solver), which works on these arrays, until finished(solver) is true.  finished() waits
 * for the device, so it is first called shortly before the iteration at which the last solve ended, and then whenever
 * the number of iterations has grown by an eighth. */
void batch_iterate(struct batch *b, struct batch_arrays arrays, void (*iterate)(void *solver),
                   bool (*finished)(void *solver), void *solver);
/* Calls iterate() `times` times for these arrays; up to BATCH_ITERATIONS iterations are recorded as one graph unless
 * that has been done already.  For methods that have their own loop. */
void batch_launch(struct batch *b, struct batch_arrays arrays, int times, void (*iterate)(void *solver), void *solver);
/* Frees the recordings. */
void batch_free(struct batch *b);
#endif

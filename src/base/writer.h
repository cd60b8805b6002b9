/* writer.h: writes files in the background.  Between writer_start() and writer_stop() a thread replaces the given files
 * (file_replace()) in the order of the calls, so a file that lists others is given after them.  Otherwise writer_give()
 * writes at once.
 *
 * A failure is returned by the next call; files given before that call are then unchanged.  A large file waits until
 * the previous large one is on disk, so at most two are in memory.  All calls come from one thread. */
#ifndef POISE_WRITER_H
#define POISE_WRITER_H
#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

struct written {
    const char *path;           /* copied */
    const void *data;
    size_t bytes;
    void (*prepare)(void *context);     /* or NULL: completes the data before they are written; allocates nothing */
    void (*release)(void *context);     /* frees the data, in the calling thread */
    void *context;
};

void writer_start(void);
/* False (EXIT_RESOURCE) as file_replace(): this file, or an earlier one, could not be written. */
bool writer_give(const struct written *file, struct error *e);
/* Has writing failed?  False with the reason. */
bool writer_good(struct error *e);
/* The same once all files are on disk. */
bool writer_wait(struct error *e);
/* The longest time that a file has taken so far. */
double writer_longest(void);
/* Waits as well. */
void writer_stop(void);
#endif

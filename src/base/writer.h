/* writer.h: files written while the program computes. Between writer_start() and writer_stop() a thread replaces the
 * files that it is given (file_replace()), one after the other in their order, so that a file that lists others is
 * given after these. Otherwise writer_give() writes at once.
 *
 * A failure is returned by the next call; files given before that are then left as they were. A large file waits until
 * the last large one is on the disk, so that at most two are in memory. All calls are one thread's. */
#ifndef POISE_WRITER_H
#define POISE_WRITER_H
#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

struct written {
    const char *path;           /* copied */
    const void *data;
    size_t bytes;
    void (*prepare)(void *context);     /* or NULL: completes the data before they are written; takes no memory */
    void (*release)(void *context);     /* frees the data, by the thread that gave them */
    void *context;
};

void writer_start(void);
/* False (EXIT_RESOURCE) as file_replace(): this file, or one given before, could not be written. */
bool writer_give(const struct written *file, struct error *e);
/* Has a file not been written? False with the reason. */
bool writer_good(struct error *e);
/* The same once all files are on the disk. */
bool writer_wait(struct error *e);
/* The most seconds that a file has taken so far. */
double writer_longest(void);
/* Waits as well. */
void writer_stop(void);
#endif

/* launches.h: launches are gathered until something waits for them or has to come after them.  Those that come again
 * just as they were, kernel by kernel, argument by argument, go to the GPU as one graph (CUDA), which the host starts
 * in less time than it takes to start each kernel.  Nobody says what is to be recorded: what an iteration launches
 * between two waits is the same in the next one.  Private to device.c. */
#ifndef POISE_LAUNCHES_H
#define POISE_LAUNCHES_H
#include "gpu/device_backend.h"

struct launches;
struct launches *launches_create(const struct device_backend *b);
void launches_free(struct launches *l);                 /* or NULL; none may be left */
void launches_add(struct launches *l, const struct kernel *k, const void *args, int64_t n);
void launches_add_copy(struct launches *l, void *to, const void *from, size_t bytes);
/* So few that they are not worth a start of their own. */
bool launches_few(const struct launches *l);
/* Hands all of them to the machine. */
void launches_go(struct launches *l);
#endif

/* launches.h: launches are gathered until something waits for them or must run after them.  A sequence that repeats
 * exactly, kernel by kernel, argument by argument, is launched on the GPU as one graph (CUDA), which costs the host
 * less time than starting each kernel.  Recording is automatic: what an iteration launches between two waits is the
 * same in the next one.  Private to device.c. */
#ifndef POISE_LAUNCHES_H
#define POISE_LAUNCHES_H
#include "gpu/device_backend.h"

struct launches;
struct launches *launches_create(const struct device_backend *b);
void launches_free(struct launches *l);                 /* or NULL; no launch may be pending */
void launches_add(struct launches *l, const struct kernel *k, const void *args, int64_t n);
void launches_add_copy(struct launches *l, void *to, const void *from, size_t bytes);
/* Are there so few that they are not worth a launch of their own? */
bool launches_few(const struct launches *l);
/* Passes all of them to the device. */
void launches_go(struct launches *l);
#endif

/* device.h: the machine that computes: CPU threads or one CUDA device, chosen once when the program starts.
 * Arrays live on that machine; uploads and downloads are explicit.  On the CPU both are memcpy. */
#ifndef POISE_DEVICE_H
#define POISE_DEVICE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "gpu/kernel.h"

enum device_kind { DEVICE_CPU, DEVICE_CUDA };

/* name: "cpu", "cuda", or "auto" (CUDA when the build has it and a device answers, else the CPU: device_note() then
 * says why).  threads: CPU threads, 0 = all.  False with an explanation when "cuda" cannot be had. */
bool device_open(const char *name, int threads, struct error *e);
/* Of several ranks, once all have opened theirs: all compute on GPUs, each on one of its own, or none does.  False
 * with a message, on all ranks. */
bool device_join(struct error *e);
/* --share-gpu: before device_join(): several ranks may compute on one GPU. */
void device_share_gpu(void);
void device_close(void);
enum device_kind device_kind(void);
const char *device_description(void);   /* for the log: "CPU, 2 threads (Intel Xeon ...)" or "CUDA, NVIDIA H200 ..." */
const char *device_note(void);          /* why "auto" did not take the GPU, or "" */

/* Zeroed memory on the machine, aligned to 256 bytes.  what: for the message when memory runs out (exit status 4). */
void *device_alloc(size_t bytes, const char *what);
void device_free(void *p);
size_t device_bytes(void);              /* in use now */
size_t device_peak_bytes(void);
size_t device_free_bytes(void);         /* still free on the machine */
void device_upload(void *to, const void *from, size_t bytes);        /* host -> machine */
void device_download(void *to, const void *from, size_t bytes);      /* machine -> host, waits */
void device_copy(void *to, const void *from, size_t bytes);          /* machine -> machine */
/* device_alloc() and device_upload(): a copy on the machine of what is on the host. */
void *device_copy_of(const void *from, size_t bytes, const char *what);
/* Up to so many slices a CLUSTER_KERNEL (kernel.h) does as fast as kernels of one step each, or faster: MOST_CLUSTER on
 * a GPU that has clusters and on one CPU thread; else 1. */
int device_cluster_slices(void);
/* Hands the machine what has been launched and waits there for more (gpu/launches.h): before this rank waits for
 * others. */
void device_go(void);
double device_seconds(void);            /* monotonic clock after all launched work is done */
/* Notes the moment at which all that is launched so far will be done, but for a launch or two that go together with
 * what comes next, in m, or in a new one where m is NULL, and returns it; nothing waits, and no graph may be being
 * recorded.  On the CPU it is now. */
void *device_moment(void *m);
double device_between(void *a, void *b);        /* seconds from a to b; waits for b */
void device_moment_free(void *m);               /* or NULL */

/* A sequence of launches that is repeated: recorded once (a CUDA graph; on the CPU, and where ranks on GPUs send
 * through the host, the function itself), launched many times without the cost of starting each kernel.  body may
 * launch kernels and device_copy, nothing else; the values that change between launches live in device memory, not in
 * kernel arguments. */
struct device_graph;
struct device_graph *device_graph_record(void (*body)(void *context), void *context);
void device_graph_launch(struct device_graph *g);
void device_graph_free(struct device_graph *g);
#endif

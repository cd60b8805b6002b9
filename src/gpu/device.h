/* device.h: the device that computes: CPU threads or one CUDA GPU, chosen once when the program starts.  Arrays live on
 * the device; uploads and downloads are explicit.  On the CPU both are memcpy. */
#ifndef POISE_DEVICE_H
#define POISE_DEVICE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "gpu/kernel.h"

enum device_kind { DEVICE_CPU, DEVICE_CUDA };

/* name: "cpu", "cuda", or "auto" (CUDA if the build has it and a GPU responds, else the CPU: device_note() then gives
 * the reason).  threads: CPU threads, 0 = all.  False with an explanation if "cuda" is not available. */
bool device_open(const char *name, int threads, struct error *e);
/* With several ranks, once all have opened their device: all ranks compute on GPUs, each on its own, or none does.
 * False with a message, on all ranks. */
bool device_join(struct error *e);
/* --share-gpu, called before device_join(): several ranks may compute on one GPU. */
void device_share_gpu(void);
void device_close(void);
enum device_kind device_kind(void);
const char *device_description(void);   /* for the log: "CPU, 2 threads (Intel Xeon ...)" or "CUDA, NVIDIA H200 ..." */
const char *device_note(void);          /* why "auto" did not choose the GPU, or "" */

/* Zeroed memory on the device, aligned to 256 bytes.  what: for the message when memory runs out (exit status 4). */
void *device_alloc(size_t bytes, const char *what);
void device_free(void *p);
size_t device_bytes(void);              /* in use now */
size_t device_peak_bytes(void);
size_t device_free_bytes(void);         /* still free on the device */
void device_upload(void *to, const void *from, size_t bytes);        /* host -> device */
void device_download(void *to, const void *from, size_t bytes);      /* device -> host, waits */
void device_copy(void *to, const void *from, size_t bytes);          /* device -> device */
/* device_alloc() and device_upload(): a copy of host memory on the device. */
void *device_copy_of(const void *from, size_t bytes, const char *what);
/* Number of slices up to which a CLUSTER_KERNEL (kernel.h) is at least as fast as one kernel per step: MOST_CLUSTER on
 * a GPU with clusters and on one CPU thread; else 1. */
int device_cluster_slices(void);
/* Passes all gathered launches to the device (gpu/launches.h), before this rank waits for others. */
void device_go(void);
double device_seconds(void);            /* monotonic clock after all launched work is done */
/* Marks the moment when everything launched so far is done, except for a launch or two that are combined with later
 * ones, in m, or in a new moment if m is NULL, and returns it; does not wait, and must not be called while a graph is
 * recorded.  On the CPU it is the current time. */
void *device_moment(void *m);
double device_between(void *a, void *b);        /* seconds from a to b; waits for b */
void device_moment_free(void *m);               /* or NULL */

/* A sequence of launches that is repeated: recorded once (a CUDA graph; on the CPU, and if ranks on GPUs communicate
 * through the host, the function itself), launched many times without the cost of starting each kernel.  body may only
 * launch kernels and call device_copy; values that change between launches are in device memory, not in kernel
 * arguments. */
struct device_graph;
struct device_graph *device_graph_record(void (*body)(void *context), void *context);
void device_graph_launch(struct device_graph *g);
void device_graph_free(struct device_graph *g);
#endif

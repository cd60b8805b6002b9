/* device_backend.h: what a machine must be able to do; private to device.c and the backends. */
#ifndef POISE_DEVICE_BACKEND_H
#define POISE_DEVICE_BACKEND_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "gpu/kernel.h"

struct device_backend {
    void *(*alloc)(size_t bytes);               /* zeroed, or NULL */
    void (*free)(void *p);
    void (*upload)(void *to, const void *from, size_t bytes);
    void (*download)(void *to, const void *from, size_t bytes);
    /* Memory of the host that kernels can write: so many bytes of it, until the next call; NULL: not of so many. */
    void *(*shown)(size_t bytes);
    void (*copy)(void *to, const void *from, size_t bytes);
    void (*wait)(void);
    size_t (*free_bytes)(void);
    void (*launch)(const struct kernel *k, const void *args, int64_t n);
    bool (*clusters)(void);                     /* does it do many slices of a CLUSTER_KERNEL well? */
    void *(*record)(void (*body)(void *), void *context);       /* a graph; NULL: there are none */
    void (*replay)(void *graph);
    void (*forget)(void *graph);
    void *(*moment)(void *m);                   /* this and the next two: device.h */
    double (*between)(void *a, void *b);
    void (*moment_free)(void *m);
    void (*close)(void);
};

/* Both fill description.  The first returns NULL and *e where the threads cannot be had, the second NULL and a reason
 * when no CUDA device answers. */
const struct device_backend *device_backend_cpu(int threads, char *description, size_t size, struct error *e);
const struct device_backend *device_backend_cuda(char *description, size_t size, char *reason, size_t reason_size);

/* Of several ranks, each with its GPU open (nccl.c).  False with a message: two of them have the same one, and share is
 * false.  *direct: GPUs send to each other by NCCL from here on; else why says why not. */
bool device_cuda_join(bool share, bool *direct, char *why, size_t size, struct error *e);
void device_cuda_part(void);            /* before the GPU is closed */
/* Waits for all launched work where that may wait for other ranks' GPUs, and ends all ranks where one of them hangs:
 * the driver would wait for ever.  Else it does nothing. */
void device_cuda_watch(void);
void *device_cuda_stream(void);         /* a cudaStream_t, which all launches go to */
#endif

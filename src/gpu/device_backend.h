/* device_backend.h: what a backend must provide; private to device.c and the backends. */
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
    /* Host memory that kernels can write: so many bytes, valid until the next call; NULL: not available in that
     * size. */
    void *(*shown)(size_t bytes);
    void (*copy)(void *to, const void *from, size_t bytes);
    void (*wait)(void);
    size_t (*free_bytes)(void);
    void (*launch)(const struct kernel *k, const void *args, int64_t n);
    bool (*clusters)(void);                     /* does it run many slices of a CLUSTER_KERNEL efficiently? */
    void *(*record)(void (*body)(void *), void *context);       /* a graph; NULL: not supported */
    void (*replay)(void *graph);
    void (*forget)(void *graph);
    void *(*moment)(void *m);                   /* this and the next two: see device.h */
    double (*between)(void *a, void *b);
    void (*moment_free)(void *m);
    void (*close)(void);
};

/* Both fill description.  The first returns NULL and *e if the threads cannot be started, the second NULL and a reason
 * if no CUDA device responds. */
const struct device_backend *device_backend_cpu(int threads, char *description, size_t size, struct error *e);
const struct device_backend *device_backend_cuda(char *description, size_t size, char *reason, size_t reason_size);

/* With several ranks, each with its GPU open (nccl.c).  False with a message: two of them have the same GPU, and share
 * is false.  *direct: GPUs communicate by NCCL from now on; else why contains the reason. */
bool device_cuda_join(bool share, bool *direct, char *why, size_t size, struct error *e);
void device_cuda_part(void);            /* before the GPU is closed */
/* Waits for all launched work if it may depend on other ranks' GPUs, and ends all ranks if one of them hangs: the
 * driver would wait for ever.  Otherwise does nothing. */
void device_cuda_watch(void);
void *device_cuda_stream(void);         /* the cudaStream_t of all launches */
#endif

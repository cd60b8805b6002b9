/* The backend for one CUDA GPU (device_backend.h). */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "gpu/device_backend.h"
#include "gpu/ranks.h"

#define CHECK(call) check((call), #call, __LINE__)
static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) die_at(__FILE__, line, "%s: %s", call, cudaGetErrorString(status));
}

static bool clusters;
static cudaStream_t stream;
void *device_cuda_stream(void) { return stream; }

/* Called before everything that waits in the driver, and on every MOST_AHEAD-th launch, copy and array: the driver
 * queues some thousand of them, and then blocks. */
static bool recording;
static void wait_ahead(void)
{
    enum { MOST_AHEAD = 256 };
    static int handed;
    if (++handed % MOST_AHEAD == 0 && !recording) device_cuda_watch();
}

/* Memory comes from the device's pool, which caches freed memory: cudaMalloc() and cudaFree() take about 0.1 ms each
 * and wait for the device, and the set-up of multigrid allocates some hundred arrays. */
static void *cuda_alloc(size_t bytes)
{
    void *p;
    wait_ahead();
    if (cudaMallocAsync(&p, bytes, stream) != cudaSuccess) {
        cudaGetLastError();
        return NULL;
    }
    CHECK(cudaMemsetAsync(p, 0, bytes, stream));
    return p;
}
static void cuda_free(void *p) { CHECK(cudaFreeAsync(p, stream)); }
/* Small transfers, such as a solver's state, go through host memory that the GPU accesses itself.  So an upload need
 * not wait: its slot is reused only after SLOTS others, and then all of them are waited for. */
enum { SMALL = 4096, SLOTS = 64 };
static char *staging;                           /* [SLOTS + 1][SMALL], the last one for downloads */

static void small_upload(void *to, const void *from, size_t bytes)
{
    static int slot;
    char *place = staging + slot * SMALL;
    memcpy(place, from, bytes);
    CHECK(cudaMemcpyAsync(to, place, bytes, cudaMemcpyHostToDevice, stream));
    slot = (slot + 1) % SLOTS;
    if (slot) return;
    device_cuda_watch();
    CHECK(cudaStreamSynchronize(stream));
}
static void cuda_upload(void *to, const void *from, size_t bytes)
{
    if (bytes <= SMALL) {
        small_upload(to, from, bytes);
        return;
    }
    device_cuda_watch();
    CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaStreamSynchronize(stream));
}
static void cuda_download(void *to, const void *from, size_t bytes)
{
    char *place = bytes <= SMALL ? staging + SLOTS * SMALL : to;
    device_cuda_watch();
    CHECK(cudaMemcpyAsync(place, from, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (place != to) memcpy(to, place, bytes);
}
static void *cuda_shown(size_t bytes) { return bytes <= SMALL ? staging + SLOTS * SMALL : NULL; }
static void cuda_copy(void *to, const void *from, size_t bytes)
{
    wait_ahead();
    CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
}
static void cuda_wait(void)
{
    device_cuda_watch();
    CHECK(cudaStreamSynchronize(stream));
}
static int own_device(void)
{
    int device;
    CHECK(cudaGetDevice(&device));
    return device;
}
static void keep_freed(void)
{
    uint64_t everything = UINT64_MAX;
    cudaMemPool_t pool;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, own_device()));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &everything));
}
static size_t cuda_free_bytes(void)                     /* unused memory in the pool counts as free */
{
    size_t left, all;
    uint64_t reserved, used;
    cudaMemPool_t pool;
    CHECK(cudaMemGetInfo(&left, &all));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, own_device()));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    return left + (size_t)(reserved - used);
}
static void cuda_launch(const struct kernel *k, const void *args, int64_t n)
{
    wait_ahead();
    k->cuda(args, n, stream);
    cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess) die("kernel %s over %lld: %s", k->name, (long long)n, cudaGetErrorString(status));
}

static bool cuda_clusters(void) { return clusters; }

static void *cuda_record(void (*body)(void *), void *context)
{
    cudaGraph_t graph;
    cudaGraphExec_t run;
    recording = true;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    body(context);
    CHECK(cudaStreamEndCapture(stream, &graph));
    recording = false;
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return run;
}
static void cuda_replay(void *graph)
{
    wait_ahead();
    CHECK(cudaGraphLaunch(graph, stream));
}
static void cuda_forget(void *graph) { CHECK(cudaGraphExecDestroy(graph)); }

static void *cuda_moment(void *m)
{
    cudaEvent_t event = m;
    if (!event) CHECK(cudaEventCreate(&event));
    CHECK(cudaEventRecord(event, stream));
    return event;
}
static double cuda_between(void *a, void *b)
{
    float milliseconds;
    if (cudaEventQuery(b) == cudaErrorNotReady) cudaGetLastError(), device_cuda_watch();
    CHECK(cudaEventSynchronize(b));
    CHECK(cudaEventElapsedTime(&milliseconds, a, b));
    return 1e-3 * (double)milliseconds;
}
static void cuda_moment_free(void *m) { CHECK(cudaEventDestroy(m)); }
static void cuda_close(void)
{
    CHECK(cudaFreeHost(staging));
    CHECK(cudaStreamDestroy(stream));
}

const struct device_backend *device_backend_cuda(char *description, size_t size, char *reason, size_t reason_size)
{
    static const struct device_backend backend = {
        cuda_alloc, cuda_free, cuda_upload, cuda_download, cuda_shown, cuda_copy, cuda_wait, cuda_free_bytes,
        cuda_launch, cuda_clusters, cuda_record, cuda_replay, cuda_forget, cuda_moment, cuda_between, cuda_moment_free,
        cuda_close};
    int n = 0;
    cudaError_t status = cudaGetDeviceCount(&n);
    if (status != cudaSuccess || n == 0) {
        snprintf(reason, reason_size, "no CUDA device answers (%s)",
                 status ? cudaGetErrorString(status) : "none found");
        return NULL;
    }
    struct cudaDeviceProp p;
    int before, own = (ranks_here(&before), before % n);        /* with several ranks one GPU each */
    CHECK(cudaSetDevice(own));
    CHECK(cudaGetDeviceProperties(&p, own));
    clusters = p.major >= 9;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaHostAlloc((void **)&staging, (SLOTS + 1) * SMALL, cudaHostAllocDefault));
    keep_freed();
    int length = n > 1 ? snprintf(description, size, "GPU %d, ", own) : 0;
    snprintf(description + length, size - (size_t)length, "CUDA, %s, %.0f GB", p.name, 1e-9 * (double)p.totalGlobalMem);
    return &backend;
}

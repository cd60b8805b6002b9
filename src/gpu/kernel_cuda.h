/* kernel_cuda.h: definitions of kernel.h's macros for CUDA; included only by kernel.h. */
#ifndef POISE_KERNEL_CUDA_H
#define POISE_KERNEL_CUDA_H
#define KERNEL_SYMBOL extern "C"
#define ON_DEVICE static __device__ __forceinline__
#define OUT_OF_LINE ON_DEVICE
#define NOT_INLINED static __device__ __noinline__
#define PRAGMA(text) _Pragma(#text)
#define UNROLL PRAGMA(unroll)
#define UNROLL_BY(n) PRAGMA(unroll n)
#define LANES_BRANCH 1
#define BY_LANE(apart, together) apart
#define CLEAR_HOLES(p) ((void)(p))      /* cleared by launches compiled as C */

/* Was the running code of this kernel compiled for compute capability 9.0 or later?  Then it waits for the kernels
 * before it, and its blocks can form a cluster.  A newer GPU may run code compiled for an older one. */
template <class... Args> static bool made_for_hopper(void (*kernel)(Args...))
{
    cudaFuncAttributes made;
    return cudaFuncGetAttributes(&made, kernel) == cudaSuccess && made.ptxVersion >= 90;
}
struct launch_config {
    cudaLaunchConfig_t c;
    cudaLaunchAttribute attribute[2];
};
static inline void configure(struct launch_config *l, int64_t blocks, int threads, int cluster, int early, void *stream)
{
    *l = launch_config();
    l->c.gridDim = dim3((unsigned)blocks), l->c.blockDim = dim3((unsigned)threads), l->c.stream = (cudaStream_t)stream;
    l->c.attrs = l->attribute;
    if (early) {
        cudaLaunchAttribute *a = &l->attribute[l->c.numAttrs++];
        a->id = cudaLaunchAttributeProgrammaticStreamSerialization, a->val.programmaticStreamSerializationAllowed = 1;
    }
    if (cluster > 1) {
        cudaLaunchAttribute *a = &l->attribute[l->c.numAttrs++];
        a->id = cudaLaunchAttributeClusterDimension;
        a->val.clusterDim.x = (unsigned)cluster, a->val.clusterDim.y = a->val.clusterDim.z = 1;
    }
}
/* From compute capability 9.0 on, a kernel is scheduled while the previous one still runs, and its threads wait for the
 * end of that one: this hides part of the launch latency (programmatic dependent launch).  All threads wait, so a
 * kernel ends only after all kernels before it. */
template <class... Args>
static void launch(void (*kernel)(Args...), int64_t blocks, int threads, void *stream, Args... args)
{
    static int early = -1;                              /* all kernels of a file are compiled alike */
    struct launch_config l;
    if (early < 0) early = made_for_hopper(kernel);
    configure(&l, blocks, threads, 1, early, stream);
    cudaLaunchKernelEx(&l.c, kernel, args...);
}
/* Blocks of the largest cluster of this kernel that fits on the GPU; 1: clusters are not supported, or the kernel was
 * compiled for GPUs without them. */
template <class... Args>
static int largest_cluster(void (*kernel)(Args...))
{
    struct launch_config l;
    int blocks = 1, room = 0;
    if (made_for_hopper(kernel) &&
        cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess)
        for (blocks = MOST_CLUSTER; blocks > 1; blocks /= 2) {
            configure(&l, blocks, SLICE, blocks, 0, NULL);
            if (cudaOccupancyMaxActiveClusters(&room, kernel, &l.c) == cudaSuccess && room > 0) break;
        }
    cudaGetLastError();
    return blocks;
}
/* One cluster of n blocks, or of the next power of two; if that does not fit, of fewer blocks with several slices
 * each. */
template <class... Args>
static void launch_cluster(void (*kernel)(Args...), int largest, int64_t n, void *stream, Args... args)
{
    struct launch_config l;
    int blocks = 1;
    while (blocks < n && blocks < largest) blocks *= 2;
    configure(&l, blocks, SLICE, blocks, largest > 1, stream);
    cudaLaunchKernelEx(&l.c, kernel, args...);
}
#define SEEN(at) (*(const volatile int32_t *)(at))
#define SWAP_IF(at, was, to) atomicCAS((int *)(at), was, to)
#define ADD_WHOLE(at, v) ((void)atomicAdd((unsigned long long *)(at), (unsigned long long)(v)))
/* Bypasses the first-level cache, which is not coherent between multiprocessors. */
#define FRESH(at) (*(const volatile double *)(at))
#define PUBLISH __threadfence()
ON_DEVICE void wait_for_kernels_before(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;\n griddepcontrol.wait;" ::: "memory");
#endif
}
/* __grid_constant__: without it every thread copies the arguments to local memory if their address is passed to a
 * function that is not inlined. */
#define INDEX_KERNEL_OF(name, args, threads)                                                                 \
    ON_DEVICE void name##_at(const args *a, int64_t i);                                                      \
    static __global__ void name##_global(const __grid_constant__ args a, int64_t n)                          \
    {                                                                                                        \
        int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;                                          \
        wait_for_kernels_before();                                                                           \
        if (i < n) name##_at(&a, i);                                                                         \
    }                                                                                                        \
    extern "C" void name##_cuda(const void *a, int64_t n, void *stream)                                      \
    {                                                                                                        \
        launch(name##_global, (n + (threads) - 1) / (threads), threads, stream, *(const args *)a, n);        \
    }                                                                                                        \
    ON_DEVICE void name##_at(const args *a, int64_t i)
#define INDEX_KERNEL(name, args) INDEX_KERNEL_OF(name, args, 256)
#define HEAVY_INDEX_KERNEL(name, args) INDEX_KERNEL_OF(name, args, 64)

#define WARP_KERNEL(name, args)                                                                              \
    ON_DEVICE void name##_at(const args *a, int64_t w);                                                      \
    static __global__ void name##_global(const __grid_constant__ args a, int64_t n)                          \
    {                                                                                                        \
        int64_t w = (blockIdx.x * (int64_t)blockDim.x + threadIdx.x) / WARP;                                 \
        wait_for_kernels_before();                                                                           \
        if (w < n) name##_at(&a, w);                                                                         \
    }                                                                                                        \
    extern "C" void name##_cuda(const void *a, int64_t n, void *stream)                                      \
    {                                                                                                        \
        launch(name##_global, (n + 1) / 2, 2 * WARP, stream, *(const args *)a, n);                           \
    }                                                                                                        \
    ON_DEVICE void name##_at(const args *a, int64_t w)

#define SLICE_KERNEL(name, args) CROWDED_SLICE_KERNEL(name, args, 1)
#define CROWDED_SLICE_KERNEL(name, args, blocks)                                                             \
    ON_DEVICE void name##_slice(const args *a, int64_t b);                                                   \
    static __global__ void __launch_bounds__(SLICE, blocks) name##_global(const __grid_constant__ args a)    \
    {                                                                                                        \
        wait_for_kernels_before();                                                                           \
        name##_slice(&a, blockIdx.x);                                                                        \
    }                                                                                                        \
    extern "C" void name##_cuda(const void *a, int64_t n, void *stream)                                      \
    {                                                                                                        \
        launch(name##_global, n, SLICE, stream, *(const args *)a);                                           \
    }                                                                                                        \
    ON_DEVICE void name##_slice(const args *a, int64_t b)

#define CLUSTER_KERNEL(name, args)                                                                           \
    ON_DEVICE void name##_steps(const args *a);                                                              \
    static __global__ void __launch_bounds__(SLICE, 1) name##_global(const __grid_constant__ args a)         \
    {                                                                                                        \
        name##_steps(&a);                                                                                    \
    }                                                                                                        \
    extern "C" void name##_cuda(const void *a, int64_t n, void *stream)                                      \
    {                                                                                                        \
        static int largest;                                                                                  \
        if (!largest) largest = largest_cluster(name##_global);                                              \
        launch_cluster(name##_global, largest, n, stream, *(const args *)a);                                 \
    }                                                                                                        \
    ON_DEVICE void name##_steps(const args *a)
#define SLICES(b, n) for (int64_t b = blockIdx.x; b < (n); b += gridDim.x)
#if __CUDA_ARCH__ >= 900
#define IN_CLUSTER(n) ((n) > 1 && gridDim.x > 1)
#else
#define IN_CLUSTER(n) 0
#endif
ON_DEVICE void slices_done(int32_t n)
{
    if (IN_CLUSTER(n)) asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
ON_DEVICE void wait_for_slices(int32_t n)
{
    if (IN_CLUSTER(n)) asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
    else if (n) __syncthreads();
}
#define FROM_MACHINE(type, v, from, n, most)                                                                 \
    __shared__ type v[most];                                                                                 \
    for (unsigned i = threadIdx.x; i < (n) * sizeof(type) / sizeof(int32_t); i += SLICE)                     \
        ((int32_t *)v)[i] = ((const int32_t *)(from))[i];                                                    \
    wait_for_kernels_before();                                                                               \
    __syncthreads();

#define PHASE(w) for (int w = threadIdx.x / WARP, once_##w = 1; once_##w; once_##w = 0, __syncthreads())
#define EACH_WARP(w) for (int w = threadIdx.x / WARP, once_##w = 1; once_##w; once_##w = 0)
#define LANES(t) for (int t = threadIdx.x % WARP, once_##t = 1; once_##t; once_##t = 0)
#define LANES_IF(t, condition) LANES(t) if (condition)
#define SLICE_LANE ((int)threadIdx.x)
#define BARRIER __syncthreads()
#define LANE_ABOVE(v, h) __shfl_down_sync(0xffffffffu, v, h)
#define LANE_ZERO(v) __shfl_sync(0xffffffffu, v, 0)
#define ONCE if (SLICE_LANE == 0)
#define WARP_VAR(type, v) type v
#define IN_WARP(v) v
#define WARP_ARRAY(type, v, count) type v[count]
#define IN_WARP_AT(v, k) v[k]
#define SLICE_VAR(type, v) type v
#define IN_SLICE(v) v
#define SHARED(type, v, count) __shared__ type v[count]
#define WINDOW(type, v, count, lane, ...)                                                                    \
    __shared__ type v[count];                                                                                \
    { const int lane = SLICE_LANE; __VA_ARGS__ }                                                             \
    __syncthreads();
#define FROM_WINDOW(there, in_window, elsewhere) ((there) ? (in_window) : (elsewhere))
#define IF_NEGATIVE(c, number) ((c) < 0 ? (number) : 0)
#define TIMES_IF_NEGATIVE(c, v) ((c) < 0 ? (v) : 0.0f)

/* Lane t of all warps by halving, then the 32 lanes by halving: whole vectors on the CPU, one warp on CUDA. */
ON_DEVICE double slice_sum(double v)
{
    __shared__ double lane[SLICE];
    __syncthreads();
    lane[SLICE_LANE] = v;
    for (int h = WARPS / 2; h > 0; h /= 2) {            /* in shared memory: registers would take 32 of them */
        __syncthreads();
        if (SLICE_LANE < h * WARP) lane[SLICE_LANE] = v = v + lane[SLICE_LANE + h * WARP];
    }
    if (SLICE_LANE < WARP)
        for (int h = WARP / 2; h > 0; h /= 2) v += LANE_ABOVE(v, h);
    return v;
}
ON_DEVICE double slice_max(double v)
{
    __shared__ double warp_max[WARPS];
    for (int h = WARP / 2; h > 0; h /= 2) { double o = LANE_ABOVE(v, h); v = o > v ? o : v; }
    __syncthreads();
    if (threadIdx.x % WARP == 0) warp_max[threadIdx.x / WARP] = v;
    __syncthreads();
    v = threadIdx.x < WARPS ? warp_max[threadIdx.x] : 0;
    if (threadIdx.x < WARP)
        for (int h = WARPS / 2; h > 0; h /= 2) { double o = LANE_ABOVE(v, h); v = o > v ? o : v; }
    return v;
}
#endif

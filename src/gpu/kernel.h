/* kernel.h: a kernel is written once and compiled twice.
 *
 * A .cu file holds kernel bodies only.  The C compiler takes it with -x c and gives the version for CPU threads,
 * nvcc takes the same text and gives the version for CUDA.  Which of the two runs is decided in one place, at the
 * launch (device.c).
 *
 * A lane computes one row (or index), a warp is 32 lanes side by side, a slice is 16 warps: 512 rows.  On CUDA these
 * are a thread, a warp and a block; on a CPU a lane is a place in a vector register, and one thread goes through the
 * warps of a slice one after the other.
 *
 *   INDEX_KERNEL(name, struct name_args) { body for index i, arguments a-> }
 *       one call for every 0 <= i < n; the calls are independent of each other.
 *
 *   HEAVY_INDEX_KERNEL(name, struct name_args)
 *       the same for few indices with long bodies: threads from 64 indices on, no vectorisation.
 *
 *   WARP_KERNEL(name, struct name_args) { body for warp w, arguments a-> }
 *       one call for every 0 <= w < n, each of 32 lanes; the calls are independent of each other.  LANES, WARP_VAR and
 *       WARP_ARRAY are as below.
 *
 *   SLICE_KERNEL(name, struct name_args) { phases for slice b, arguments a-> }
 *       one call for every slice 0 <= b < n of SLICE rows, 16 warps of 32 lanes.  Inside it:
 *       PHASE(w)  { ... }         code of warp w of the slice, then a barrier for the whole slice;
 *       LANES(t)  { ... }         inside a phase: code of lane t of the warp.  On a CPU this is the loop that is
 *                                 vectorised, so keep loops over matrix entries outside it and branches out of it.
 *       WARP_VAR(type, v)         one value a lane, alive inside the phase: read and written as IN_WARP(v);
 *       WARP_ARRAY(type, v, n)    n values a lane (n a constant, indices known to the compiler): IN_WARP_AT(v, k);
 *       SLICE_VAR(type, v)        one value a lane, alive through the phases: IN_SLICE(v);
 *       SHARED(type, v, count)    memory that all lanes of the slice see between barriers;
 *       slice_sum(v)              sum over a SLICE_VAR by the fixed tree, valid in ONCE { ... } after the call;
 *       ROW(b, w, t)              the row of this lane.
 *   CROWDED_SLICE_KERNEL(name, args, blocks)
 *       the same where `blocks` slices must fit on a multiprocessor of the GPU at once: it limits the registers of a
 *       lane to 65536 / 512 / blocks.
 *
 *   In the header, KERNEL(name, struct name_args); declares it; the host calls name(&args, n).
 *
 * Same bits everywhere: no atomics, sums by fixed trees only, fma() written where it is wanted (the compilers run
 * with contraction off).  With LANES_REVERSED the CPU runs lanes and warps backwards, which exposes a missing
 * barrier. */
#ifndef POISE_KERNEL_H
#define POISE_KERNEL_H
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define WARP 32
#define SLICE 512                       /* rows of a mod.SELL slice = lanes of a block */
#define WARPS (SLICE / WARP)
/* A row, in 64 bits: cut to 32, the compiler must assume on the CPU that it wraps inside the warp, and gathers row
 * by row what it could read eight at once (measured: the product takes half as long again); on CUDA it costs 10 %
 * too. */
#define ROW(b, w, t) ((int64_t)(b) * SLICE + (w) * WARP + (t))

/* args: the kernel's argument struct, passed by value; n: indices or slices.  stream: a cudaStream_t. */
struct kernel {
    const char *name;
    void (*cpu)(const void *args, int64_t first, int64_t last, int64_t n);     /* first .. last - 1 of n */
    int64_t grain;                      /* on a CPU the least that is worth a thread's while */
    void (*cuda)(const void *args, int64_t n, void *stream);      /* NULL in a build without CUDA */
    size_t args;                        /* bytes of the arguments */
};

#ifdef __cplusplus
extern "C" {
#endif
void device_launch(const struct kernel *k, const void *args, int64_t n);
#ifdef __cplusplus
}
#endif

/* Declares a kernel and its typed launch.  A struct of arguments should have no holes between its members: what stands
 * there is anything, and arguments that differ there count as others (gpu/launches.h). */
#define KERNEL(name, args)                                                                                   \
    KERNEL_SYMBOL const struct kernel name##_kernel;                                                         \
    static inline void name(const args *a, int64_t n) { device_launch(&name##_kernel, a, n); }

/* Before a loop of few rounds that the compiler knows: the loop over lanes or indices around it is vectorised on
 * CPUs only when no loop is left inside. */
#ifdef __CUDACC__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 18")
#endif

#ifdef __CUDACC__
/* ---------------------------------------------------------------- CUDA */
#define KERNEL_SYMBOL extern "C"
#define ON_DEVICE static __device__ __forceinline__

/* From compute capability 9.0 on a kernel comes onto the GPU while the one before it still runs, and its threads wait
 * there for the end of that one: this hides a part of what a launch takes (programmatic dependent launch).  All threads
 * wait, so a kernel ends only after all kernels before it. */
extern "C" int device_cuda_launches_early;              /* 0 or 1: can this GPU? */
template <class... Args>
static void launch(void (*kernel)(Args...), int64_t blocks, int threads, void *stream, Args... args)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization, early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3((unsigned)blocks), c.blockDim = dim3((unsigned)threads), c.stream = (cudaStream_t)stream;
    c.attrs = &early, c.numAttrs = (unsigned)device_cuda_launches_early;
    cudaLaunchKernelEx(&c, kernel, args...);
}
ON_DEVICE void wait_for_kernels_before(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;\n griddepcontrol.wait;" ::: "memory");
#endif
}
#define INDEX_KERNEL(name, args)                                                                             \
    ON_DEVICE void name##_at(const args *a, int64_t i);                                                      \
    static __global__ void name##_global(const args a, int64_t n)                                            \
    {                                                                                                        \
        int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;                                          \
        wait_for_kernels_before();                                                                           \
        if (i < n) name##_at(&a, i);                                                                         \
    }                                                                                                        \
    extern "C" void name##_cuda(const void *a, int64_t n, void *stream)                                      \
    {                                                                                                        \
        launch(name##_global, (n + 255) / 256, 256, stream, *(const args *)a, n);                            \
    }                                                                                                        \
    ON_DEVICE void name##_at(const args *a, int64_t i)

#define HEAVY_INDEX_KERNEL(name, args)                                                                       \
    ON_DEVICE void name##_at(const args *a, int64_t i);                                                      \
    static __global__ void name##_global(const args a, int64_t n)                                            \
    {                                                                                                        \
        int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;                                          \
        wait_for_kernels_before();                                                                           \
        if (i < n) name##_at(&a, i);                                                                         \
    }                                                                                                        \
    extern "C" void name##_cuda(const void *a, int64_t n, void *stream)                                      \
    {                                                                                                        \
        launch(name##_global, (n + 63) / 64, 64, stream, *(const args *)a, n);                               \
    }                                                                                                        \
    ON_DEVICE void name##_at(const args *a, int64_t i)

#define WARP_KERNEL(name, args)                                                                              \
    ON_DEVICE void name##_at(const args *a, int64_t w);                                                      \
    static __global__ void name##_global(const args a, int64_t n)                                            \
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
    static __global__ void __launch_bounds__(SLICE, blocks) name##_global(const args a)                              \
    {                                                                                                        \
        wait_for_kernels_before();                                                                           \
        name##_slice(&a, blockIdx.x);                                                                        \
    }                                                                                                        \
    extern "C" void name##_cuda(const void *a, int64_t n, void *stream)                                      \
    {                                                                                                        \
        launch(name##_global, n, SLICE, stream, *(const args *)a);                                           \
    }                                                                                                        \
    ON_DEVICE void name##_slice(const args *a, int64_t b)

#define PHASE(w) for (int w = threadIdx.x / WARP, once_##w = 1; once_##w; once_##w = 0, __syncthreads())
#define LANES(t) for (int t = threadIdx.x % WARP, once_##t = 1; once_##t; once_##t = 0)
#define SLICE_LANE ((int)threadIdx.x)
#define ONCE if (SLICE_LANE == 0)
#define WARP_VAR(type, v) type v
#define IN_WARP(v) v
#define WARP_ARRAY(type, v, count) type v[count]
#define IN_WARP_AT(v, k) v[k]
#define SLICE_VAR(type, v) type v
#define IN_SLICE(v) v
#define SHARED(type, v, count) __shared__ type v[count]

/* Lane t of all warps by halving, then the 32 lanes by halving: whole vectors on the CPU, one warp on CUDA. */
ON_DEVICE double slice_sum(double v)
{
    __shared__ double lane[SLICE];
    __syncthreads();
    lane[SLICE_LANE] = v;
    for (int h = WARPS / 2; h > 0; h /= 2) {            /* in shared memory: in registers it would take 32 of them */
        __syncthreads();
        if (SLICE_LANE < h * WARP) lane[SLICE_LANE] = v = v + lane[SLICE_LANE + h * WARP];
    }
    if (SLICE_LANE < WARP)
        for (int h = WARP / 2; h > 0; h /= 2) v += __shfl_down_sync(0xffffffffu, v, h);
    return v;
}
ON_DEVICE double slice_max(double v)
{
    __shared__ double warp_max[WARPS];
    for (int h = WARP / 2; h > 0; h /= 2) { double o = __shfl_down_sync(0xffffffffu, v, h); v = o > v ? o : v; }
    __syncthreads();
    if (threadIdx.x % WARP == 0) warp_max[threadIdx.x / WARP] = v;
    __syncthreads();
    v = threadIdx.x < WARPS ? warp_max[threadIdx.x] : 0;
    if (threadIdx.x < WARP)
        for (int h = WARPS / 2; h > 0; h /= 2) { double o = __shfl_down_sync(0xffffffffu, v, h); v = o > v ? o : v; }
    return v;
}

#else
/* ---------------------------------------------------------------- CPU threads */
#define KERNEL_SYMBOL extern
#define ON_DEVICE static inline __attribute__((always_inline))
#ifdef POISE_CUDA
#define CUDA_ENTRY(name) name##_cuda
#define CUDA_DECLARE(name) void name##_cuda(const void *, int64_t, void *);
#else
#define CUDA_ENTRY(name) NULL
#define CUDA_DECLARE(name)
#endif
/* Indices, indices of a heavy kernel, warps of few entries and slices that are worth a thread's while. */
enum { GRAIN = 2048, GRAIN_HEAVY = 32, GRAIN_WARPS = 4, GRAIN_SLICES = 1 };

#ifdef LANES_REVERSED
#define INDEX_AT(i, n) ((n) - 1 - (i))
#define PHASE(w) for (int w = WARPS - 1; w >= 0; w--)
#define LANES(t) for (int t = WARP - 1; t >= 0; t--)
#else
#define INDEX_AT(i, n) (i)
#define PHASE(w) for (int w = 0; w < WARPS; w++)
#define LANES(t) _Pragma("omp simd") for (int t = 0; t < WARP; t++)
#endif

/* ---- one kernel of each kind: `each` is called for the indices of a part */
#define CPU_KERNEL(name, args, pragma, each, grain)                                                          \
    ON_DEVICE void name##_##each(const args *a, int64_t i);                                                  \
    static void name##_cpu(const void *arguments, int64_t first, int64_t last, int64_t n)                    \
    {                                                                                                        \
        const args a = *(const args *)arguments;                                                             \
        (void)n;                                                                                             \
        pragma                                                                                               \
        for (int64_t i = first; i < last; i++) name##_##each(&a, INDEX_AT(i, n));                            \
    }                                                                                                        \
    CUDA_DECLARE(name)                                                                                       \
    const struct kernel name##_kernel = {#name, name##_cpu, grain, CUDA_ENTRY(name), sizeof(args)};
#define INDEX_KERNEL(name, args)                                                                             \
    CPU_KERNEL(name, args, _Pragma("omp simd"), at, GRAIN)                                                   \
    ON_DEVICE void name##_at(const args *a, int64_t i)
#define HEAVY_INDEX_KERNEL(name, args)                                                                       \
    CPU_KERNEL(name, args, , at, GRAIN_HEAVY)                                                                \
    ON_DEVICE void name##_at(const args *a, int64_t i)
#define WARP_KERNEL(name, args)                                                                              \
    CPU_KERNEL(name, args, , at, GRAIN_WARPS)                                                                \
    ON_DEVICE void name##_at(const args *a, int64_t w)
#define SLICE_KERNEL(name, args)                                                                             \
    CPU_KERNEL(name, args, , slice, GRAIN_SLICES)                                                            \
    ON_DEVICE void name##_slice(const args *a, int64_t b)
#define CROWDED_SLICE_KERNEL(name, args, blocks) SLICE_KERNEL(name, args)

#define ONCE
#define WARP_VAR(type, v) type v[WARP]
#define IN_WARP(v) v[t]
#define WARP_ARRAY(type, v, count) type v[count][WARP]
#define IN_WARP_AT(v, k) v[k][t]
#define SLICE_VAR(type, v) type v[SLICE]
#define IN_SLICE(v) v[w * WARP + t]
#define SHARED(type, v, count) type v[count]

/* The same tree as on CUDA; uses v as scratch. */
ON_DEVICE double slice_sum(double *v)
{
    for (int h = WARPS / 2; h > 0; h /= 2)
        for (int i = 0; i < h * WARP; i++) v[i] += v[i + h * WARP];
    for (int h = WARP / 2; h > 0; h /= 2)
        for (int t = 0; t < h; t++) v[t] += v[t + h];
    return v[0];
}
ON_DEVICE double slice_max(double *v)                                       /* of values >= 0; NaNs are passed over */
{
    double m = 0;
    for (int t = 0; t < SLICE; t++) m = v[t] > m ? v[t] : m;
    return m;
}
#endif

/* isfinite() without libm. */
ON_DEVICE int finite_number(double v) { return fabs(v) <= DBL_MAX; }
#endif

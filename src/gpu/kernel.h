/* kernel.h: a kernel is written once and compiled twice.
 *
 * A .cu file contains kernel bodies only.  The C compiler compiles it with -x c for CPU threads, nvcc compiles the
 * same text for CUDA.  Which of the two runs is decided in one place, at the launch (device.c).  The macros below are
 * defined in kernel_cpu.h and kernel_cuda.h.
 *
 * A lane computes one row (or index), a warp is 32 adjacent lanes, a slice is 16 warps: 512 rows.  On CUDA these are a
 * thread, a warp and a block; on a CPU a lane is an element of a vector register, and one thread processes the warps of
 * a slice in turn.
 *
 *   INDEX_KERNEL(name, struct name_args) { body for index i, arguments a-> }
 *       one call for every 0 <= i < n; the calls are independent of each other.
 *
 *   HEAVY_INDEX_KERNEL(name, struct name_args)
 *       the same for few indices with long bodies: multithreaded from 64 indices on, not vectorised.
 *
 *   WARP_KERNEL(name, struct name_args) { body for warp w, arguments a-> }
 *       one call for every 0 <= w < n, each of 32 lanes; the calls are independent of each other.  LANES, WARP_VAR and
 *       WARP_ARRAY are as below.
 *
 *   SLICE_KERNEL(name, struct name_args) { phases for slice b, arguments a-> }
 *       one call for every slice 0 <= b < n of SLICE rows, 16 warps of 32 lanes.  Inside it:
 *       PHASE(w)  { ... }         code of warp w of the slice, followed by a barrier for the whole slice;
 *       EACH_WARP(w)  { ... }     the same without the barrier: for values used only by the same lane;
 *       LANES(t)  { ... }         inside a phase: code of lane t of the warp.  On a CPU this is the vectorised loop, so
 *                                 keep loops over matrix entries outside it and branches out of it.
 *       WARP_VAR(type, v)         one value per lane, valid within the phase: read and written as IN_WARP(v);
 *       WARP_ARRAY(type, v, n)    n values per lane (n and the indices compile-time constants): IN_WARP_AT(v, k);
 *       SLICE_VAR(type, v)        one value per lane, valid across phases: IN_SLICE(v);
 *       SHARED(type, v, count)    memory shared by all lanes of the slice, synchronised by barriers;
 *       slice_sum(v)              sum over a SLICE_VAR by the fixed tree, valid in ONCE { ... } after the call;
 *       ROW(b, w, t)              the row of this lane.
 *   CROWDED_SLICE_KERNEL(name, args, blocks)
 *       the same if `blocks` slices must be resident on a multiprocessor of the GPU at once: it limits the registers of
 *       a lane to 65536 / 512 / blocks.
 *
 *   CLUSTER_KERNEL(name, struct name_args) { steps, arguments a-> }
 *       many dependent steps over few slices in one launch: name(&args, n) is one call, n the most slices of a step.
 *       On CUDA it is a cluster of blocks, which can wait for each other; on a CPU one thread does everything.  Inside:
 *       SLICES(b, n) { ... }      the body of a SLICE_KERNEL, for every slice 0 <= b < n; the calls are independent;
 *       slices_done(n)            after SLICES, n being the most slices of that step and the next; and then
 *       wait_for_slices(n)        before reading what other slices have written.  Between the two, data that no step
 *                                 writes may be loaded into registers; n = 0: there is nothing to wait for;
 *       FROM_MACHINE(type, v, from, n, most)    at the beginning, once: v[0 .. n - 1] are from[..], structs that no
 *                                 kernel writes; most is a constant.
 *       device_cluster_slices() returns the number of slices (at most MOST_CLUSTER) up to which this pays off.
 *
 *   In the header, KERNEL(name, struct name_args); declares it; the host calls name(&args, n).
 *
 *   UNROLL is placed before a loop with few iterations known to the compiler: the surrounding loop over lanes or
 *   indices is vectorised on CPUs only if it contains no loop.  NOT_INLINED replaces ON_DEVICE before functions that
 *   are too long to be inlined at every call.
 *
 *   Differences between the devices, with the same results:
 *       WINDOW(type, v, count, lane, body)        body stores values in v[..] for every lane of the slice, which are
 *       FROM_WINDOW(there, v[..], elsewhere)      read if `there` holds, else `elsewhere`.  On a CPU, where the cache
 *                                 serves both, there is no v, and `elsewhere`, which must be the same number, is read;
 *       IF_NEGATIVE(c, number)    the number if the int32_t c < 0, else 0; TIMES_IF_NEGATIVE(c, v): for floats.
 *                                 Without a branch on a CPU;
 *       LANES_IF(t, condition)    LANES of a phase for which the condition holds; the others do nothing.  On a CPU they
 *                                 compute like the others, so their results must not be stored;
 *       UNROLL_BY(n)              before a loop limited by memory latency: n iterations at a time; nothing on a CPU;
 *       LANES_BRANCH              1 if lanes are threads, each with branches and registers of its own, 0 if they are
 *                                 elements of a vector; BY_LANE(apart, together): the code for either.  In the code for
 *                                 the former SLICE_LANE is the lane's number in its slice, BARRIER waits for all lanes
 *                                 of the slice; LANE_ABOVE(v, h), LANE_ZERO(v): v of lane t + h, 0 of the warp.
 *   kept_entries.h: entries of rows, prefetched.
 *
 *   Between slices of a kernel in any order, if the result may depend on it (async-block-jacobi alone):
 *       FRESH(at)                 the double there, possibly just written by another slice;
 *       PUBLISH;                  makes what a lane has stored visible to FRESH.
 *
 *   ON_DEVICE begins a function that kernels call; OUT_OF_LINE one that is not inlined on a CPU either: for long code
 *   that takes little of the run time, because compile time grows superlinearly with the length of a function.
 *
 *   Atomic integer operations, in heavy index kernels; only if the result does not depend on the order of the calls:
 *       SEEN(at)                  the int32_t there, which other calls may be changing;
 *       SWAP_IF(at, was, to)      the int32_t there becomes `to` if it is `was`; returns the previous value;
 *       ADD_WHOLE(at, v)          adds v to the int64_t there.
 *
 * Same bits everywhere: no other atomics, floating-point sums only by fixed trees, explicit fma() (the compilers run
 * with contraction off).  With LANES_REVERSED the CPU runs lanes and warps backwards, which exposes missing
 * barriers. */
#ifndef POISE_KERNEL_H
#define POISE_KERNEL_H
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define WARP 32
#define SLICE 512                       /* rows of a mod.SELL slice = lanes of a block */
#define WARPS (SLICE / WARP)
enum { MOST_CLUSTER = 16 };             /* blocks of a cluster */
/* A row, in 64 bits: with 32 bits the compiler must assume on the CPU that it wraps within the warp, and gathers row by
 * row instead of reading eight at once (measured: the product takes 1.5 times as long); on CUDA it costs 10 %. */
#define ROW(b, w, t) ((int64_t)(b) * SLICE + (w) * WARP + (t))

/* args: the kernel's argument struct, passed by value; n: indices or slices.  stream: a cudaStream_t. */
struct kernel {
    const char *name;
    void (*cpu)(const void *args, int64_t first, int64_t last, int64_t n);     /* first .. last - 1 of n */
    int64_t grain;                      /* on a CPU the least number worth a thread */
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

/* Declares a kernel and its typed launch.  Launches are compared by the bytes of their arguments (gpu/launches.h), so
 * the padding between members is cleared. */
#define KERNEL(name, args)                                                                                   \
    KERNEL_SYMBOL const struct kernel name##_kernel;                                                         \
    static inline void name(const args *a, int64_t n)                                                        \
    {                                                                                                        \
        args whole = *a;                                                                                     \
        CLEAR_HOLES(&whole);                                                                                 \
        device_launch(&name##_kernel, &whole, n);                                                            \
    }

#ifdef __CUDACC__
#include "gpu/kernel_cuda.h"
#else
#include "gpu/kernel_cpu.h"
#endif

/* isfinite() without libm. */
ON_DEVICE int finite_number(double v) { return fabs(v) <= DBL_MAX; }
#endif

/* kernel.h: a kernel is written once and compiled twice.
 *
 * A .cu file holds kernel bodies only.  The C compiler takes it with -x c and gives the version for CPU threads,
 * nvcc takes the same text and gives the version for CUDA.  Which of the two runs is decided in one place, at the
 * launch (device.c).  What the words below are: kernel_cpu.h, kernel_cuda.h.
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
 *       EACH_WARP(w)  { ... }     the same without the barrier: for what a lane alone will use;
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
 *   CLUSTER_KERNEL(name, struct name_args) { steps, arguments a-> }
 *       many dependent steps over few slices in one launch: name(&args, n) is one call, n the most slices of a step.
 *       On CUDA it is a cluster of blocks, which can wait for each other; on a CPU one thread does all.  Inside it:
 *       SLICES(b, n) { ... }      what a SLICE_KERNEL has, for every slice 0 <= b < n; the calls are independent;
 *       slices_done(n)            behind SLICES, n being the most slices of that step and the next; and then
 *       wait_for_slices(n)        before these read what others have written.  Between the two they may load into
 *                                 registers what no step writes; n = 0: there is nothing to wait for;
 *       FROM_MACHINE(type, v, from, n, most)    before anything else, once: v[0 .. n - 1] are from[..], structs that no
 *                                 kernel writes; most is a constant.
 *       device_cluster_slices() says of how many slices (MOST_CLUSTER at the most) steps are best done like this.
 *
 *   In the header, KERNEL(name, struct name_args); declares it; the host calls name(&args, n).
 *
 *   UNROLL stands before a loop of few rounds that the compiler knows: the loop over lanes or indices around it is
 *   vectorised on CPUs only when no loop is left inside.  NOT_INLINED stands for ON_DEVICE before functions that are
 *   too long to be inlined wherever they are called.
 *
 *   What the machines do differently, with the same results:
 *       WINDOW(type, v, count, lane, body)        what body puts into v[..], for every lane of the slice, is read by
 *       FROM_WINDOW(there, v[..], elsewhere)      where `there` holds, else `elsewhere`.  On a CPU, whose cache has it
 *                                 anyway, there is no v, and `elsewhere`, which must be the same number, is read;
 *       IF_NEGATIVE(c, number)    the number where the int32_t c < 0, else 0; TIMES_IF_NEGATIVE(c, v): of floats.
 *                                 Without a branch on a CPU;
 *       LANES_IF(t, condition)    around LANES of a phase: lanes for which it does not hold do nothing.  On a CPU they
 *                                 compute as the others do, so nothing of theirs may be stored;
 *       UNROLL_BY(n)              before a loop that waits for memory: n rounds at a time; nothing on a CPU;
 *       LANES_BRANCH              1 where lanes are threads, each with branches and registers of its own, 0 where they
 *                                 are places in a vector; BY_LANE(apart, together): the text for either.  In the text
 *                                 for the former SLICE_LANE is the lane's number in its slice, BARRIER waits for all
 *                                 lanes of the slice; LANE_ABOVE(v, h), LANE_ZERO(v): v of lane t + h, 0 of the warp.
 *   kept_entries.h: entries of rows, loaded before they are needed.
 *
 *   Between slices of a kernel in any order, where the end result may depend on it (async-block-jacobi alone):
 *       FRESH(at)                 the double there, as another slice may just have made it;
 *       PUBLISH;                  what a lane has stored is there for these.
 *
 *   ON_DEVICE begins a function that kernels call; OUT_OF_LINE one that a CPU calls, too, and does not inline: for
 *   long code where time is not spent, as the compiler's time grows faster than a function.
 *
 *   Atomic, of whole numbers, in index kernels of the heavy kind; to be used only where the end result is the same in
 *   whatever order the calls come:
 *       SEEN(at)                  the int32_t there, which other calls may be changing;
 *       SWAP_IF(at, was, to)      the int32_t there becomes `to` if it is `was`; returns what it was;
 *       ADD_WHOLE(at, v)          adds v to the int64_t there.
 *
 * Same bits everywhere: no other atomics, sums of fractions by fixed trees only, fma() written where it is wanted (the
 * compilers run with contraction off).  With LANES_REVERSED the CPU runs lanes and warps backwards, which exposes a
 * missing barrier. */
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

/* Declares a kernel and its typed launch.  Launches are told apart by the bytes of their arguments (gpu/launches.h), so
 * what stands in holes between members is cleared. */
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

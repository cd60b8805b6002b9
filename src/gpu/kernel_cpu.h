/* kernel_cpu.h: definitions of kernel.h's macros for CPU threads; included only by kernel.h. */
#ifndef POISE_KERNEL_CPU_H
#define POISE_KERNEL_CPU_H
#define KERNEL_SYMBOL extern
#define ON_DEVICE static inline __attribute__((always_inline))
#define OUT_OF_LINE static __attribute__((noinline))
#define NOT_INLINED static __attribute__((noinline, unused))
#define UNROLL _Pragma("GCC unroll 18")
#define UNROLL_BY(n)
#define LANES_BRANCH 0
#define BY_LANE(apart, together) together
/* Without this builtin some repeated launches are not recognised. */
#define CLEAR_HOLES(p) ((void)(p))
#define HOLES_STAY
#ifdef __has_builtin                    /* GCC has it since version 11 */
#if __has_builtin(__builtin_clear_padding)
#undef CLEAR_HOLES
#undef HOLES_STAY
#define CLEAR_HOLES(p) __builtin_clear_padding(p)
#endif
#endif
#ifdef POISE_CUDA
#define CUDA_ENTRY(name) name##_cuda
#define CUDA_DECLARE(name) void name##_cuda(const void *, int64_t, void *);
#else
#define CUDA_ENTRY(name) NULL
#define CUDA_DECLARE(name)
#endif
/* The least numbers of indices, indices of a heavy kernel, warps with few entries, and slices that are worth a
 * thread. */
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

#define LANES_IF(t, condition)
#define EACH_WARP(w) PHASE(w)

#define SEEN(at) __atomic_load_n(at, __ATOMIC_RELAXED)
ON_DEVICE int32_t swap_if(int32_t *at, int32_t was, int32_t to)
{
    __atomic_compare_exchange_n(at, &was, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return was;
}
#define SWAP_IF(at, was, to) swap_if(at, was, to)
#define ADD_WHOLE(at, v) ((void)__atomic_fetch_add(at, v, __ATOMIC_RELAXED))
#define FRESH(at) (*(at))
#define PUBLISH ((void)0)

/* ---- one function for each kind of kernel: `each` is called for the indices of a part */
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
#define CLUSTER_KERNEL(name, args)                                                                           \
    ON_DEVICE void name##_steps(const args *a);                                                              \
    static void name##_cpu(const void *arguments, int64_t first, int64_t last, int64_t n)                    \
    {                                                                                                        \
        const args a = *(const args *)arguments;                                                             \
        (void)first, (void)last, (void)n;                                                                    \
        name##_steps(&a);                                                                                    \
    }                                                                                                        \
    CUDA_DECLARE(name)                                                                                       \
    const struct kernel name##_kernel = {#name, name##_cpu, INT64_MAX, CUDA_ENTRY(name), sizeof(args)};      \
    ON_DEVICE void name##_steps(const args *a)
#define SLICES(b, n) for (int64_t turn_##b = 0, b; b = INDEX_AT(turn_##b, n), turn_##b < (n); turn_##b++)
#define slices_done(n) ((void)(n))
#define wait_for_slices(n) ((void)(n))
#define FROM_MACHINE(type, v, from, n, most) const type *const v = (from);

#define ONCE
#define WARP_VAR(type, v) type v[WARP]
#define IN_WARP(v) v[t]
#define WARP_ARRAY(type, v, count) type v[count][WARP]
#define IN_WARP_AT(v, k) v[k][t]
#define SLICE_VAR(type, v) type v[SLICE]
#define IN_SLICE(v) v[w * WARP + t]
#define SHARED(type, v, count) type v[count]
#define WINDOW(type, v, count, lane, ...)
#define FROM_WINDOW(there, in_window, elsewhere) (elsewhere)
/* By the sign bit: a comparison would be compiled to branches, which are not vectorised. */
#define IF_NEGATIVE(c, number) (((c) >> 31) & (number))
#define TIMES_IF_NEGATIVE(c, v) ((float)-((c) >> 31) * (v))

/* The same tree as on CUDA; uses v as scratch. */
ON_DEVICE double slice_sum(double *v)
{
    for (int h = WARPS / 2; h > 0; h /= 2)
        for (int i = 0; i < h * WARP; i++) v[i] += v[i + h * WARP];
    for (int h = WARP / 2; h > 0; h /= 2)
        for (int t = 0; t < h; t++) v[t] += v[t + h];
    return v[0];
}
ON_DEVICE double slice_max(double *v)                                       /* of values >= 0; ignores NaN */
{
    double m = 0;
    for (int t = 0; t < SLICE; t++) m = v[t] > m ? v[t] : m;
    return m;
}
#endif

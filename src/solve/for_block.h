/* for_block.h: passes the size of a matrix's blocks as a constant, so that loops over a block's numbers unroll. */
#ifndef POISE_FOR_BLOCK_H
#define POISE_FOR_BLOCK_H
/* In a kernel body: the expression `call`, in which n is the constant. */
#define FOR_BLOCK(block, call)                                                                               \
    switch (block) {                                                                                         \
    case 1: { const int n = 1; call; } break;                                                                \
    case 2: { const int n = 2; call; } break;                                                                \
    case 3: { const int n = 3; call; } break;                                                                \
    case 4: { const int n = 4; call; } break;                                                                \
    default: { const int n = 5; call; }                                                                      \
    }

/* matrix_at() for kernel bodies: where number e = i n + j of the entry or row at `at` is stored; square: n^2. */
#define BLOCK_NUMBER(at, e, square) (((at) - (at) % WARP) * (square) + (int64_t)(e) * WARP + (at) % WARP)

/* A kernel for each size from 2 on, name_2 .. name_5, and its launch; size: an expression in its arguments a.  Their
 * bodies are in one file, which a .cu includes through for_each_block.h. */
#define BLOCK_KERNELS(name, args)                                                                            \
    KERNEL(name##_2, args)                                                                                   \
    KERNEL(name##_3, args)                                                                                   \
    KERNEL(name##_4, args)                                                                                   \
    KERNEL(name##_5, args)
#define OF_BLOCK(name, n) ((n) == 2 ? name##_2 : (n) == 3 ? name##_3 : (n) == 4 ? name##_4 : name##_5)
#define BLOCK_KERNEL(name, args, size)                                                                       \
    BLOCK_KERNELS(name, args)                                                                                \
    static inline void name(const args *a, int64_t count) { OF_BLOCK(name, size)(a, count); }

/* The same for kernels that read entries of a matrix (another expression in a), which may have arrow blocks too. */
#define ENTRY_KERNEL(name, args, matrix)                                                                     \
    BLOCK_KERNELS(name, args)                                                                                \
    KERNEL(name##_3_arrow, args)                                                                             \
    KERNEL(name##_4_arrow, args)                                                                             \
    static inline void name(const args *a, int64_t count)                                                    \
    {                                                                                                        \
        if ((matrix).arrow) ((matrix).block == 3 ? name##_3_arrow : name##_4_arrow)(a, count);               \
        else OF_BLOCK(name, (matrix).block)(a, count);                                                       \
    }
#endif

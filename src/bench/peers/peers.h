/* peers.h: NVIDIA's libraries for comparison: libpoise-peers.so, the only library linked with cuSPARSE and cuBLAS,
 * which poise bench opens at run time.  It uses its own streams and arrays, and CUDA events for timing. */
#ifndef POISE_PEERS_H
#define POISE_PEERS_H
#include <stdint.h>

struct peers_matrix {                   /* CSR with the diagonal, host */
    int32_t n;
    const int64_t *start;
    const int32_t *column;
    const double *value;
};
enum peers_format { PEERS_CSR, PEERS_SLICED_ELL };

struct peers {
    /* y = A x with cold caches: seconds [repeat]; x, y: [n], host.  bytes: the least that must be moved.  Every
     * function returns NULL or an error message. */
    const char *(*spmv)(const struct peers_matrix *a, enum peers_format f, int repeat, const double *x, double *y,
                        double *seconds, int64_t *bytes);
    /* Jacobi-CG with library calls, one CUDA graph per iteration, from x = 0: seconds [repeat], each the mean per
     * iteration over `iterations`; residual: |r| / |b| after them. */
    const char *(*cg)(const struct peers_matrix *a, enum peers_format f, int repeat, int iterations, const double *b,
                      double *seconds, int64_t *bytes, double *residual);
};
/* The library's only symbol: const struct peers poise_peers. */
#endif

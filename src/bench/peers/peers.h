/* peers.h: NVIDIA's libraries, measured beside Poise: libpoise-peers.so, which alone is linked with cuSPARSE and cuBLAS
 * and which poise bench opens at run time.  Own streams and own arrays; times by CUDA events. */
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
    /* y = A x, caches cold: seconds [repeat]; x, y: [n], host. bytes: what must move at the least.
     * Every function returns NULL or what went wrong. */
    const char *(*spmv)(const struct peers_matrix *a, enum peers_format f, int repeat, const double *x, double *y,
                        double *seconds, int64_t *bytes);
    /* Jacobi-CG of library calls as one CUDA graph an iteration, from x = 0: seconds [repeat], each the mean of an
     * iteration over `iterations`; residual: |r| / |b| after them. */
    const char *(*cg)(const struct peers_matrix *a, enum peers_format f, int repeat, int iterations, const double *b,
                      double *seconds, int64_t *bytes, double *residual);
};
/* The library's one symbol: const struct peers poise_peers. */
#endif

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "gpu/device_backend.h"

/* Touched first by the threads that will use it: pages lie near them. */
static void *cpu_alloc(size_t bytes)
{
    size_t rounded = (bytes + 255) / 256 * 256;
    char *p = aligned_alloc(256, rounded);
    if (!p) return NULL;
    enum { PIECE = 1 << 20 };
    int64_t pieces = (int64_t)((rounded + PIECE - 1) / PIECE);
    #pragma omp parallel for schedule(static) if (pieces > 1)
    for (int64_t i = 0; i < pieces; i++) {
        size_t at = (size_t)i * PIECE;
        memset(p + at, 0, rounded - at < PIECE ? rounded - at : PIECE);
    }
    return p;
}

static void cpu_copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
static void cpu_wait(void) {}
static size_t cpu_free_bytes(void) { return (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE); }
static void cpu_launch(const struct kernel *k, const void *args, int64_t n) { k->cpu(args, n); }

struct cpu_graph { void (*body)(void *); void *context; };

static void *cpu_record(void (*body)(void *), void *context)
{
    struct cpu_graph *g;
    NEW(g, 1);
    g->body = body;
    g->context = context;
    return g;
}
static void cpu_replay(void *graph) { struct cpu_graph *g = graph; g->body(g->context); }

static void processor_name(char *name, size_t size)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];
    snprintf(name, size, "unknown processor");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
            snprintf(name, size, "%s", strchr(line, ':') + 2);
            name[strcspn(name, "\n")] = 0;
            break;
        }
    if (f) fclose(f);
}

const struct device_backend *device_backend_cpu(int threads, char *description, size_t size)
{
    static const struct device_backend backend = {cpu_alloc, free, cpu_copy, cpu_copy, cpu_copy, cpu_wait, cpu_free_bytes,
                                                  cpu_launch, cpu_record, cpu_replay, free, cpu_wait};
    char name[128];
    if (threads > 0) omp_set_num_threads(threads);
    processor_name(name, sizeof name);
    int n = omp_get_max_threads();
    snprintf(description, size, "CPU, %d thread%s (%s)", n, n == 1 ? "" : "s", name);
    return &backend;
}

#ifndef POISE_CUDA
const struct device_backend *device_backend_cuda(char *description, size_t size, char *reason, size_t reason_size)
{
    (void)description, (void)size;
    snprintf(reason, reason_size, "this program was built without CUDA");
    return NULL;
}
#endif

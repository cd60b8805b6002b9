/* The backend for CPU threads (device_backend.h). */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/timer.h"
#include "gpu/device_backend.h"
#include "gpu/team.h"

enum { ALIGNMENT = 256 };
static void zero(const void *memory, int64_t first, int64_t last, int64_t n)
{
    (void)n;
    memset((char *)memory + first * ALIGNMENT, 0, (size_t)(last - first) * ALIGNMENT);
}

/* Every part of the memory is first touched by the thread that will use it, so that its pages are local to that
 * thread. */
static void *cpu_alloc(size_t bytes)
{
    size_t units = (bytes + ALIGNMENT - 1) / ALIGNMENT;
    void *p = aligned_alloc(ALIGNMENT, units * ALIGNMENT);
    if (p) team_run(zero, p, (int64_t)units, (1 << 20) / ALIGNMENT);
    return p;
}

static void cpu_copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
static void cpu_wait(void) {}
static size_t cpu_free_bytes(void) { return (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE); }
static void cpu_launch(const struct kernel *k, const void *args, int64_t n) { team_run(k->cpu, args, n, k->grain); }

static bool cpu_clusters(void) { return omp_get_max_threads() == 1; }

static void *cpu_moment(void *m)
{
    double *now = m;
    if (!now) NEW(now, 1);
    *now = wall_seconds();
    return now;
}
static double cpu_between(void *a, void *b) { return *(double *)b - *(double *)a; }

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

static void *wait_at_gate(void *gate) { return pthread_mutex_lock(gate), pthread_mutex_unlock(gate), NULL; }

static bool too_few(int wanted, int started, int reason, struct error *e)
{
    return refuse(e, EXIT_RESOURCE, "only %d of %d CPU threads could be started: %s; set --threads %d, or raise the "
                  "limit (ulimit -u, ulimit -v)", started, wanted, strerror(reason), started);
}

/* Tries whether n more threads can be started at the same time, and ends them again.  If they cannot, libgomp would end
 * the program without one of our messages. */
static bool threads_start(int n, struct error *e)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *thread;
    int started = 0, reason = 0;
    NEW(thread, n);
    pthread_mutex_lock(&gate);
    while (started < n && !(reason = pthread_create(&thread[started], NULL, wait_at_gate, &gate))) started++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
    free(thread);
    return !reason || too_few(n + 1, started + 1, reason, e);
}

const struct device_backend *device_backend_cpu(int threads, char *description, size_t size, struct error *e)
{
    static const struct device_backend backend = {cpu_alloc, free, cpu_copy, cpu_copy, NULL, cpu_copy, cpu_wait,
                                                  cpu_free_bytes, cpu_launch, cpu_clusters, NULL, NULL, NULL,
                                                  cpu_moment, cpu_between, free, team_stop};
    char name[128];
    int n = threads > 0 ? threads : omp_get_max_threads(), started, reason;
    if (n > MOST_THREADS)
        return refuse(e, EXIT_INPUT, "%s%d: expected at most %d threads",
                      threads > 0 ? "--threads " : "OMP_NUM_THREADS=", n, MOST_THREADS), NULL;
    omp_set_num_threads(n);
    if ((reason = team_start(n, &started))) return too_few(n, started, reason, e), NULL;
    if (!threads_start(n - 1, e)) return team_stop(), NULL;
    processor_name(name, sizeof name);
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

bool device_cuda_join(bool share, bool *direct, char *why, size_t size, struct error *e)
{
    (void)share, (void)direct, (void)why, (void)size, (void)e;
    die("ranks on GPUs, in a program without CUDA");
}
void device_cuda_part(void) {}
#endif

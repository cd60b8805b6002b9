/* Timing for poise bench: median times with a warm or cold cache, bandwidth, printed lines (bench.h). */
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "flow/flow.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "gpu/vector.h"

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *seconds, int n)
{
    qsort(seconds, (size_t)n, sizeof *seconds, by_size);
    return n % 2 ? seconds[n / 2] : 0.5 * (seconds[n / 2 - 1] + seconds[n / 2]);
}

static void evict(const struct bench *b)
{
    struct fill_args args = {b->evict, 1};
    fill(&args, b->n_evict);
}

static double once(const struct bench *b, bool cold, void (*work)(void *), void *context)
{
    bool queued = device_kind() == DEVICE_CUDA;
    ranks_agree(true, NULL);
    double start = device_seconds(), seconds;
    if (cold) evict(b);
    if (cold && !queued) start = device_seconds();
    if (work) work(context);
    seconds = device_seconds() - start;
    largest_over_ranks(&seconds, 1);
    return seconds;
}

static double median_of(const struct bench *b, bool cold, void (*work)(void *), void *context)
{
    double *seconds;
    NEW(seconds, b->repeat);
    once(b, cold, work, context);
    for (int i = 0; i < b->repeat; i++) seconds[i] = once(b, cold, work, context);
    double median = bench_median(seconds, b->repeat);
    free(seconds);
    return median;
}

/* On CUDA a host timing would include the launch and the wait.  Cold work is therefore queued after the kernel that
 * evicts the caches, and the time of that kernel alone is subtracted. */
double bench_seconds(const struct bench *b, bool cold, void (*work)(void *), void *context)
{
    double alone = cold && device_kind() == DEVICE_CUDA ? median_of(b, true, NULL, NULL) : 0;
    return median_of(b, cold, work, context) - alone;
}

void bench_phases(struct stopwatch *watch, int warm_up, int repeat, void (*work)(void *), void *context,
                  double *median)
{
    enum { COLUMNS = N_PHASES + 1 };
    double *seconds, before[N_PHASES];
    NEW(seconds, COLUMNS * (int64_t)repeat);            /* column by column */
    for (int i = -warm_up; i < repeat; i++) {
        memcpy(before, stopwatch_seconds(watch), sizeof before);
        double start = device_seconds();
        work(context);
        double whole = device_seconds() - start;
        if (i < 0) continue;
        const double *now = stopwatch_seconds(watch);
        for (int k = 0; k < N_PHASES; k++) seconds[(int64_t)k * repeat + i] = now[k] - before[k];
        seconds[(int64_t)N_PHASES * repeat + i] = whole;
    }
    for (int k = 0; k < COLUMNS; k++) median[k] = bench_median(seconds + (int64_t)k * repeat, repeat);
    largest_over_ranks(median, COLUMNS);
    free(seconds);
}

struct copy { double *x, *y; int64_t n; };
static void copy_by_kernel(void *context)
{
    const struct copy *c = context;
    struct bench_copy_args args = {c->y, c->x};
    bench_copy(&args, c->n);
}
static void copy_by_machine(void *context)
{
    const struct copy *c = context;
    device_copy(c->y, c->x, (size_t)c->n * sizeof *c->x);
}

void bench_machine(struct bench *b)
{
    size_t room = device_free_bytes() / 8, wanted = (size_t)1 << 30, bytes = room < wanted ? room : wanted;
    struct copy c = {.n = (int64_t)(bytes / sizeof(double))};
    b->n_evict = c.n / 4;
    b->evict = device_alloc((size_t)b->n_evict * sizeof(double), "cache eviction");
    c.x = device_alloc(bytes, "copy");
    c.y = device_alloc(bytes, "copy");
    b->copy = 2 * (double)bytes / bench_seconds(b, true, copy_by_kernel, &c);
    b->memory_copy = 2 * (double)bytes / bench_seconds(b, true, copy_by_machine, &c);
    device_free(c.x), device_free(c.y);
    log_print("%s%s%s\n", device_description(), device_note()[0] ? "; " : "", device_note());
    log_print("copy kernel %.1f GB/s, memory copy %.1f GB/s (arrays of %.0f MB); median of %d\n", 1e-9 * b->copy,
           1e-9 * b->memory_copy, 1e-6 * (double)bytes, b->repeat);
    if (!b->matrix)
        log_print("%s: %d-D, %d cells, %d faces\n", b->mesh.source, b->mesh.dim, b->mesh.n_cells, b->mesh.n_faces);
}

void bench_heading(const char *what)
{
    log_print("\n%-34s %11s %10s %9s %7s %8s\n", what, "time [us]", "MB", "GB/s", "of copy", "ns/cell");
}

void bench_line(const struct bench *b, const char *name, double seconds, int64_t bytes, const char *note)
{
    double rate = (double)bytes / seconds;
    log_print("%-34s %11.2f %10.2f %9.1f %7.3f %8.3f  %s\n", name, 1e6 * seconds, 1e-6 * (double)bytes, 1e-9 * rate,
           rate / b->copy, 1e9 * seconds / b->n, note);
}

double *bench_vector(const struct pattern *p, int seed)
{
    double *v, *on_device = pattern_alloc(p, 1, sizeof *v, "vector");
    NEW(v, p->n);
    for (int32_t i = 0; i < p->n; i++) v[i] = (double)((uint64_t)(i + seed) * 2654435761u % 1000003u) / 1000003.0 - 0.5;
    device_upload(on_device, v, (size_t)p->n * sizeof *v);
    free(v);
    return on_device;
}

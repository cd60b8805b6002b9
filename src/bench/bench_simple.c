/* poise bench simple: iterations of the whole method, one by one, on a cavity with default settings. */
#include <math.h>
#include <stdlib.h>
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "flow/simple.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "mesh/part.h"

enum { WARM_UP = 10, COLUMNS = N_PHASES + 1 };  /* columns: seconds of each phase, then of the whole iteration */

struct counted { double pressure, velocity; };     /* iterations of the linear solvers */

/* seconds: [COLUMNS repeat], column by column. */
static struct counted iterate(struct simple *w, int repeat, double *seconds, struct simple_report *r)
{
    struct counted s = {0};
    for (int i = -WARM_UP; i < repeat; i++) {
        double before[N_PHASES];
        for (int k = 0; k < N_PHASES; k++) before[k] = stopwatch_seconds(&w->f.watch)[k];
        double start = device_seconds();
        simple_iterate(w, r);
        double whole = device_seconds() - start;
        if (i < 0) continue;
        const double *now = stopwatch_seconds(&w->f.watch);
        for (int k = 0; k < N_PHASES; k++) seconds[(int64_t)k * repeat + i] = now[k] - before[k];
        seconds[(int64_t)N_PHASES * repeat + i] = whole;
        s.pressure += r->pressure_solve.iterations, s.velocity += r->velocity_solve.iterations;
    }
    return s;
}

static void print_line(const struct bench *b, const char *name, double seconds, double whole)
{
    log_print("%-34s %11.1f %9.1f %% %10.2f\n", name, 1e6 * seconds, 100 * seconds / whole,
           1e9 * seconds / b->mesh.n_cells);
}

static void measure(const struct bench *b, struct simple *w, size_t bytes)
{
    struct simple_report r;
    double *seconds, residual = 0;
    NEW(seconds, (size_t)COLUMNS * (size_t)b->repeat);
    struct counted s = iterate(w, b->repeat, seconds, &r);
    double whole = bench_median(seconds + (int64_t)N_PHASES * b->repeat, b->repeat);
    log_print("\n%-34s %11s %11s %10s\n", "median of an outer iteration", "time [us]", "share", "ns/cell");
    for (int k = 0; k < PHASE_INTERFACE; k++)
        print_line(b, phase_name[k], bench_median(seconds + (int64_t)k * b->repeat, b->repeat), whole);
    print_line(b, "whole iteration", whole, whole);
    for (int k = 0; k < w->f.s.dim; k++) residual = fmax(residual, r.residual[k]);
    log_print("%.4g cells/s; an iteration has %.1f of CG, %.1f of BiCGStab; %.0f bytes/cell\n", b->mesh.n_cells / whole,
           s.pressure / b->repeat, s.velocity / b->repeat, (double)bytes / b->mesh.n_cells);
    log_print("after %d iterations: residuals %.1e (velocity), %.1e (pressure), continuity %.1e\n", WARM_UP + b->repeat,
           residual, r.residual[w->f.s.dim], r.continuity);
    free(seconds);
}

bool bench_iteration(const struct bench *b, const struct mesh *whole, double *median, struct error *e)
{
    struct case_settings c;
    struct simple_report r;
    struct simple f;
    struct mesh part = {0};
    bool several = ranks_count() > 1, good = bench_cavity(&c, whole, e);
    if (!good) return false;
    c.flow.solver.accuracy = b->standard ? ACCURACY_STANDARD : ACCURACY_HIGH;
    good = ranks_agree(!several || mesh_take_part(&part, whole, 0, e), e);
    if (good && simple_create(&f, &c.flow, several ? &part : whole, e)) {
        double *seconds;
        NEW(seconds, (size_t)COLUMNS * (size_t)b->repeat);
        iterate(&f, b->repeat, seconds, &r);
        for (int k = 0; k < COLUMNS; k++) median[k] = bench_median(seconds + (int64_t)k * b->repeat, b->repeat);
        largest_over_ranks(median, COLUMNS);
        free(seconds);
        simple_free(&f);
    } else good = false;
    if (several) mesh_free(&part);
    case_free(&c);
    return good;
}

bool bench_simple(struct bench *b, struct error *e)
{
    struct case_settings c;
    struct simple f;
    if (!bench_cavity(&c, &b->mesh, e)) return false;
    size_t before = device_bytes();
    c.flow.solver.accuracy = b->standard ? ACCURACY_STANDARD : ACCURACY_HIGH;
    bool good = simple_create(&f, &c.flow, &b->mesh, e);
    if (good) {
        measure(b, &f, device_bytes() - before);
        simple_free(&f);
    }
    case_free(&c);
    return good;
}

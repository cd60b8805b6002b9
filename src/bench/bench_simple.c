/* poise bench simple: iterations of the whole method, one by one, on a cavity with default settings. */
#include <math.h>
#include "base/log.h"
#include "bench/bench.h"
#include "flow/simple.h"
#include "gpu/device.h"

enum { WARM_UP = 10 };

/* iterations of the linear solvers since warm-up */
struct iterating { struct simple f; struct simple_report r; int done; double pressure, velocity; };
static void iterate(void *context)
{
    struct iterating *w = context;
    simple_iterate(&w->f, &w->r);
    if (w->done++ < WARM_UP) return;
    w->pressure += w->r.pressure_solve.iterations, w->velocity += w->r.velocity_solve.iterations;
}

static void print_line(const struct bench *b, const char *name, double seconds, double whole)
{
    log_print("%-34s %11.1f %9.1f %% %10.2f\n", name, 1e6 * seconds, 100 * seconds / whole,
           1e9 * seconds / b->mesh.n_cells);
}

static void measure(const struct bench *b, struct iterating *w, size_t bytes)
{
    double median[N_PHASES + 1], residual = 0;
    bench_phases(&w->f.f.watch, WARM_UP, b->repeat, iterate, w, median);
    const double whole = median[N_PHASES];
    log_print("\n%-34s %11s %11s %10s\n", "median of an outer iteration", "time [us]", "share", "ns/cell");
    for (int k = 0; k < PHASE_INTERFACE; k++) print_line(b, phase_name[k], median[k], whole);
    print_line(b, "whole iteration", whole, whole);
    const int dim = w->f.f.s.dim;
    for (int k = 0; k < dim; k++) residual = fmax(residual, w->r.residual[k]);
    log_print("%.4g cells/s; an iteration has %.1f of CG, %.1f of BiCGStab; %.0f bytes/cell\n", b->mesh.n_cells / whole,
           w->pressure / b->repeat, w->velocity / b->repeat, (double)bytes / b->mesh.n_cells);
    log_print("after %d iterations: residuals %.1e (velocity), %.1e (pressure), continuity %.1e\n", WARM_UP + b->repeat,
           residual, w->r.residual[dim], w->r.continuity);
}

bool bench_iteration(const struct bench *b, const struct case_settings *c, const struct mesh *m, double *median,
                     struct error *e)
{
    struct iterating w = {.done = 0};
    if (!simple_create(&w.f, &c->flow, m, e)) return false;
    bench_phases(&w.f.f.watch, WARM_UP, b->repeat, iterate, &w, median);
    simple_free(&w.f);
    return true;
}

bool bench_simple(struct bench *b, struct error *e)
{
    struct case_settings c;
    struct iterating w = {.done = 0};
    if (!bench_cavity(&c, &b->mesh, e)) return false;
    size_t before = device_bytes();
    c.flow.solver.accuracy = b->standard ? ACCURACY_STANDARD : ACCURACY_HIGH;
    bool good = simple_create(&w.f, &c.flow, &b->mesh, e);
    if (good) {
        measure(b, &w, device_bytes() - before);
        simple_free(&w.f);
    }
    case_free(&c);
    return good;
}

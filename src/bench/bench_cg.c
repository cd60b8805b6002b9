/* poise bench cg: an iteration of conjugate gradients, and whole solves. */
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/peers/peers.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/linear.h"

enum { FEW = 24, MANY = 120 };          /* iterations of a short and of a long solve: their difference is measured */

struct solve { struct cg *cg; double *x, *b; int64_t n; };

static struct linear_result solve(const struct solve *s)
{
    struct fill_args zero = {s->x, 0};
    fill(&zero, s->n);
    return cg_solve(s->cg, s->x, s->b);
}
static struct linear_setting setting(enum preconditioner p, enum inner_method inner, int sweeps, double tolerance,
                                     int limit)
{
    return (struct linear_setting){.preconditioner = p, .inner = inner, .inner_sweeps = sweeps, .tolerance = tolerance,
                                   .max_iterations = limit};
}

static double seconds_of(const struct solve *s)
{
    double start = device_seconds();
    solve(s);
    return device_seconds() - start;
}

static void measure_iteration(const struct bench *b, const struct mod_sell *a, struct solve few)
{
    struct linear_setting short_one = setting(PRECONDITIONER_JACOBI, INNER_JACOBI, 1, 0, FEW), long_one = short_one;
    struct solve many = few;
    double *seconds;
    long_one.max_iterations = MANY;
    few.cg = cg_create(a, &short_one, false);
    many.cg = cg_create(a, &long_one, false);
    NEW(seconds, b->repeat);
    for (int i = -1; i < b->repeat; i++) {              /* the first time, for nothing: graphs are recorded */
        double s = (seconds_of(&many) - seconds_of(&few)) / (MANY - FEW);
        if (i >= 0) seconds[i] = s;
    }
    bench_line(b, "Jacobi-CG", bench_median(seconds, b->repeat), cg_bytes(few.cg), "");
    free(seconds);
    cg_free(few.cg), cg_free(many.cg);
}

static void measure_peers(const struct bench *b, const struct bench_system *s, const double *right)
{
    static const char *const names[] = {[PEERS_CSR] = "cuSPARSE CSR + cuBLAS, graph",
                                        [PEERS_SLICED_ELL] = "cuSPARSE sliced ELL + cuBLAS, graph"};
    const char *reason;
    const struct peers *peers = bench_peers(&reason);
    if (!peers) {
        printf("cuSPARSE + cuBLAS                  not measured: %s\n", reason);
        return;
    }
    struct peers_matrix a = {s->a.n, s->start, s->column, s->value};
    double *seconds;
    NEW(seconds, b->repeat);
    for (int f = PEERS_CSR; f <= PEERS_SLICED_ELL; f++) {
        int64_t bytes;
        double residual;
        char note[64];
        const char *wrong = peers->cg(&a, (enum peers_format)f, b->repeat, MANY, right, seconds, &bytes, &residual);
        snprintf(note, sizeof note, "residual %.1e after %d", residual, MANY);
        if (wrong) printf("%-34s not measured: %s\n", names[f], wrong);
        else bench_line(b, names[f], bench_median(seconds, b->repeat), bytes, note);
    }
    free(seconds);
}

/* Once each, to 1e-6 of the first residual. */
static void measure_solves(const struct mod_sell *a, struct solve s)
{
    static const struct { const char *name; enum preconditioner p; enum inner_method inner; int sweeps; } row[] = {
        {"none", PRECONDITIONER_NONE, INNER_JACOBI, 1}, {"Jacobi", PRECONDITIONER_JACOBI, INNER_JACOBI, 1},
        {"Ruiz", PRECONDITIONER_RUIZ, INNER_JACOBI, 1},
        {"block-Jacobi, 2 Jacobi sweeps", PRECONDITIONER_BLOCK_JACOBI, INNER_JACOBI, 2},
        {"block-Jacobi, 4 Jacobi sweeps", PRECONDITIONER_BLOCK_JACOBI, INNER_JACOBI, 4},
        {"block-Jacobi, 1 Gauss-Seidel sweep", PRECONDITIONER_BLOCK_JACOBI, INNER_GAUSS_SEIDEL, 1},
        {"block-Jacobi, 8 CG sweeps", PRECONDITIONER_BLOCK_JACOBI, INNER_CG, 8}};
    static const char *const status[] = {"converged", "not converged", "breakdown", "not finite"};
    printf("\n%-34s %11s %14s %12s\n", "solve to 1e-6, preconditioner", "iterations", "time [ms]", "us/iteration");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct linear_setting set = setting(row[i].p, row[i].inner, row[i].sweeps, 1e-6, 20000);
        s.cg = cg_create(a, &set, false);
        double start = device_seconds();
        struct linear_result r = solve(&s);
        double seconds = device_seconds() - start;
        printf("%-34s %11d %14.3f %12.2f  %s\n", row[i].name, r.iterations, 1e3 * seconds,
               1e6 * seconds / (r.iterations > 0 ? r.iterations : 1), status[r.status]);
        fflush(stdout);
        cg_free(s.cg);
    }
}

bool bench_cg(struct bench *b, struct error *e)
{
    (void)e;
    struct bench_system s;
    bench_system(&s, &b->mesh);
    int64_t n = s.a.n_padded;
    struct solve ours = {.x = bench_vector(s.a.n, n, 1), .b = bench_vector(s.a.n, n, 2), .n = n};
    double *right;
    NEW(right, n);
    device_download(right, ours.b, (size_t)n * sizeof *right);
    bench_heading("iteration");
    measure_iteration(b, &s.a, ours);
    measure_peers(b, &s, right);
    measure_solves(&s.a, ours);
    free(right);
    device_free(ours.x), device_free(ours.b);
    bench_system_free(&s);
    return true;
}

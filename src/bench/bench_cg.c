/* poise bench cg: an iteration of conjugate gradients, whole solves, multigrid. */
#include <stdio.h>
#include <stdlib.h>
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/peers/peers.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/solver.h"
#include "solve/multigrid.h"
#include "system/laplacian.h"

static const char *const peer_names[] = {[PEERS_CSR] = "cuSPARSE CSR + cuBLAS, graph",
                                         [PEERS_SLICED_ELL] = "cuSPARSE sliced ELL + cuBLAS, graph"};
enum { N_FORMATS = PEERS_SLICED_ELL + 1 };
enum { SOLVES = 5 };                    /* solves and set-ups of which the median is taken */
enum { FEW = 24, MANY = 120 };          /* iterations of a short and of a long solve: their difference is measured */

struct solve { const struct matrix *a; struct solver *solver; double *x, *b; int64_t n; };

static struct linear_result solve(const struct solve *s)
{
    struct fill_args zero = {s->x, 0};
    fill(&zero, s->n);
    return solver_solve(s->solver, s->a, s->x, s->b);
}
static struct linear_setting setting(enum preconditioner_kind p, enum inner_method inner, int sweeps, double tolerance,
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

static double measure_iteration(const struct bench *b, const struct matrix *a, struct solve few)
{
    struct linear_setting short_one = setting(PRECONDITIONER_JACOBI, INNER_JACOBI, 1, 0, FEW), long_one = short_one;
    struct solve many = few;
    double *seconds;
    long_one.max_iterations = MANY;
    few.solver = solver_create(a, &short_one, &(struct solver_setup){0}, NULL);
    many.solver = solver_create(a, &long_one, &(struct solver_setup){0}, NULL);
    NEW(seconds, b->repeat);
    for (int i = -1; i < b->repeat; i++) {              /* the first time is not counted: graphs are recorded in it */
        double s = (seconds_of(&many) - seconds_of(&few)) / (MANY - FEW);
        if (i >= 0) seconds[i] = s;
    }
    double median = bench_median(seconds, b->repeat);
    bench_line(b, "Jacobi-CG", median, solver_bytes(few.solver), "");
    free(seconds);
    solver_free(few.solver), solver_free(many.solver);
    return median;
}

/* Seconds that an iteration of the peers takes in each format; 0: not measured. */
static void measure_peers(const struct bench *b, const struct linear_system *s, const double *right, double *iteration)
{
    const char *reason;
    const struct peers *peers = bench_peers(&reason);
    for (int f = 0; f < N_FORMATS; f++) iteration[f] = 0;
    if (!peers) {
        log_print("cuSPARSE + cuBLAS                  not measured: %s\n", reason);
        return;
    }
    struct peers_matrix a = {s->n, s->start, s->column, s->value};
    double *seconds;
    NEW(seconds, b->repeat);
    for (int f = 0; f < N_FORMATS; f++) {
        int64_t bytes;
        double residual;
        char note[64];
        const char *wrong = peers->cg(&a, (enum peers_format)f, b->repeat, MANY, right, seconds, &bytes, &residual);
        snprintf(note, sizeof note, "residual %.1e after %d", residual, MANY);
        if (wrong) {
            log_print("%-34s not measured: %s\n", peer_names[f], wrong);
            continue;
        }
        iteration[f] = bench_median(seconds, b->repeat);
        bench_line(b, peer_names[f], iteration[f], bytes, note);
    }
    free(seconds);
}

static const char *const status[] = {"converged", "not converged", "breakdown", "not finite", "refused"};

/* Solves once with each preconditioner, to 1e-6 of the first residual. */
static void measure_solves(const struct matrix *a, struct solve s)
{
    static const struct { const char *name; enum preconditioner_kind p; enum inner_method inner; int sweeps; } row[] = {
        {"none", PRECONDITIONER_NONE, INNER_JACOBI, 1}, {"Jacobi", PRECONDITIONER_JACOBI, INNER_JACOBI, 1},
        {"Ruiz", PRECONDITIONER_RUIZ, INNER_JACOBI, 1},
        {"block-Jacobi, 2 Jacobi sweeps", PRECONDITIONER_BLOCK_JACOBI, INNER_JACOBI, 2},
        {"block-Jacobi, 4 Jacobi sweeps", PRECONDITIONER_BLOCK_JACOBI, INNER_JACOBI, 4},
        {"block-Jacobi, 1 Gauss-Seidel sweep", PRECONDITIONER_BLOCK_JACOBI, INNER_GAUSS_SEIDEL, 1},
        {"block-Jacobi, 8 CG sweeps", PRECONDITIONER_BLOCK_JACOBI, INNER_CG, 8},
        {"multigrid", PRECONDITIONER_MULTIGRID, INNER_JACOBI, 1}};
    log_print("\n%-34s %11s %14s %12s\n", "solve to 1e-6, preconditioner", "iterations", "time [ms]", "us/iteration");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct linear_setting set = setting(row[i].p, row[i].inner, row[i].sweeps, 1e-6, 20000);
        s.solver = solver_create(a, &set, &(struct solver_setup){0}, NULL);
        double start = device_seconds();
        struct linear_result r = solve(&s);
        double seconds = device_seconds() - start;
        log_print("%-34s %11d %14.3f %12.2f  %s\n", row[i].name, r.iterations, 1e3 * seconds,
               1e6 * seconds / (r.iterations > 0 ? r.iterations : 1), status[r.status]);
        solver_free(s.solver);
    }
}

struct hierarchy { const struct matrix *a; struct multigrid *m; const double *r; };
static void set_up(void *context)
{
    struct hierarchy *h = context;
    multigrid_free(h->m);
    h->m = multigrid_create(h->a, &(struct linear_setting){0}, false);
}
static void refresh(void *context) { multigrid_refresh(((struct hierarchy *)context)->m); }
static void one_cycle(void *context)
{
    struct hierarchy *h = context;
    struct begin_args begin = {multigrid_entrance(h->m), h->r, NULL};
    multigrid_begin(&begin, h->a->p.n_slices);
    multigrid_cycle(h->m);
}

static void print_step(const char *name, double seconds, double unit)
{
    log_print("%-34s %14.3f ms %9.1f iterations of Jacobi-CG\n", name, 1e3 * seconds, seconds / unit);
}

/* The parts of multigrid, beside an iteration of Jacobi-CG. */
static void measure_hierarchy(const struct bench *b, const struct matrix *a, const double *r, double unit)
{
    struct hierarchy h = {.a = a, .r = r};
    struct bench few = *b;
    few.repeat = SOLVES;                                /* what is measured takes as long as a hundred cycles */
    double seconds = bench_seconds(&few, false, set_up, &h);
    log_print("\nmultigrid: %d levels,", multigrid_levels(h.m));
    for (int i = 0; i < multigrid_levels(h.m); i++) log_print(" %lld", (long long)multigrid_rows(h.m, i));
    log_print(" rows, complexity %.2f\n", multigrid_complexity(h.m));
    print_step("set-up", seconds, unit);
    print_step("refresh with new values", bench_seconds(b, false, refresh, &h), unit);
    print_step("one cycle", bench_seconds(b, false, one_cycle, &h), unit);
    multigrid_free(h.m);
}

/* Median of SOLVES solves; one more comes before, in which graphs are recorded. */
static struct linear_result solve_often(const struct matrix *a, struct solve s, enum preconditioner_kind p,
                                        double tolerance, double *median)
{
    struct linear_setting set = setting(p, INNER_JACOBI, 1, tolerance, 20000);
    struct linear_result r = {0};
    double seconds[SOLVES];
    s.solver = solver_create(a, &set, &(struct solver_setup){0}, NULL);
    for (int i = -1; i < SOLVES; i++) {
        double start = device_seconds();
        r = solve(&s);
        if (i >= 0) seconds[i] = device_seconds() - start;
    }
    solver_free(s.solver);
    *median = bench_median(seconds, SOLVES);
    return r;
}

/* The right-hand side is 1 everywhere: a smooth one, the hardest.  Multigrid's time includes its refresh.  The
 * peers' time is that of as many iterations as Poise's Jacobi-CG needs. */
static void compare_solves(const struct matrix *a, struct solve s, const double *peer_iteration)
{
    static const double tolerance[] = {0.05, 1e-8};
    for (int k = 0; k < 2; k++) {
        double jacobi, multigrid;
        struct fill_args one = {s.b, 1};
        fill(&one, a->p.n);
        struct linear_result slow = solve_often(a, s, PRECONDITIONER_JACOBI, tolerance[k], &jacobi);
        struct linear_result fast = solve_often(a, s, PRECONDITIONER_MULTIGRID, tolerance[k], &multigrid);
        log_print("\nright-hand side 1, solve to %-6g %12s %14s\n", tolerance[k], "iterations", "time [ms]");
        log_print("%-34s %11d %14.3f  %s\n", "multigrid, with refresh", fast.iterations, 1e3 * multigrid,
               status[fast.status]);
        log_print("%-34s %11d %14.3f  %s, %.2f of multigrid\n", "Jacobi", slow.iterations, 1e3 * jacobi,
               status[slow.status], jacobi / multigrid);
        for (int f = 0; f < N_FORMATS; f++) {
            double seconds = slow.iterations * peer_iteration[f];
            if (seconds > 0)
                log_print("%-34s %11d %14.3f  reckoned, %.2f of multigrid\n", peer_names[f], slow.iterations,
                       1e3 * seconds, seconds / multigrid);
        }
    }
}

bool bench_cg(struct bench *b, struct error *e)
{
    (void)e;
    struct linear_system s;
    struct matrix a;
    laplacian(&s, &b->mesh, NULL, NULL);
    linear_system_upload(&s, &a);
    int64_t n = a.p.n_padded;
    struct solve ours = {.a = &a, .x = bench_vector(&a.p, 1), .b = bench_vector(&a.p, 2), .n = n};
    double *right, peer_iteration[N_FORMATS];
    NEW(right, n);
    device_download(right, ours.b, (size_t)n * sizeof *right);
    bench_heading("iteration");
    double iteration = measure_iteration(b, &a, ours);
    measure_peers(b, &s, right, peer_iteration);
    measure_solves(&a, ours);
    measure_hierarchy(b, &a, ours.b, iteration);
    compare_solves(&a, ours, peer_iteration);
    free(right);
    device_free(ours.x), device_free(ours.b);
    matrix_free_alone(&a);
    linear_system_free(&s);
    return true;
}

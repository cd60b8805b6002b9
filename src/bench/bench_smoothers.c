/* poise bench smoothers: the stationary iteration x += M (b - A x) from zero with every smoother, on the mesh's
 * Laplacian, right-hand side random: what Wikberg (2024) has in table 4.1 (time of 1000 iterations, time of the
 * residuals) and in figure 4.2 (residual against time; here a residual and its norm are part of every iteration). */
#include <math.h>
#include <stdlib.h>
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "gpu/vector.h"
#include "solve/solver.h"
#include "system/laplacian.h"

static const struct { const char *name, *method; } smoothers[] = {
    {"Gauss-Seidel, forward (host)", "gauss-seidel:direction=forward"},
    {"Gauss-Seidel, symmetric (host)", "gauss-seidel"},
    {"Jacobi", "jacobi-richardson"},
    {"multicolour Gauss-Seidel, forward", "multicolour-gs:direction=forward"},
    {"multicolour Gauss-Seidel", "multicolour-gs"},
    {"multicolour Gauss-Seidel, single", "multicolour-gs:precision=single"},
    {"block-Jacobi, 4 Jacobi sweeps", "block-jacobi"},
    {"  asynchronous", "async-block-jacobi"},
    {"block-Jacobi, 1 Gauss-Seidel sweep", "block-jacobi:inner=gauss-seidel:inner_sweeps=1"},
    {"  asynchronous", "async-block-jacobi:inner=gauss-seidel:inner_sweeps=1"},
    {"block-Jacobi, 8 CG sweeps", "block-jacobi:inner=cg:inner_sweeps=8"},
    {"  asynchronous", "async-block-jacobi:inner=cg:inner_sweeps=8"},
    {"GS2(1,1)", "two-stage-gs:direction=forward"},
    {"SGS2(1,1)", "two-stage-gs"},
    {"SGS2(1,1), single", "two-stage-gs:precision=single"},
    {"SGS2(1,2,1) in slices, single", "two-stage-gs:domain=slice:local_sweeps=2:precision=single"},
    {"Chebyshev 3", "chebyshev"},
    {"Chebyshev 3, single", "chebyshev:precision=single"}};
enum { N_SMOOTHERS = sizeof smoothers / sizeof *smoothers };
/* ALL iterations are computed, or SOME where all would take longer than LONGEST seconds.  The time of an iteration
 * is taken from runs of FEW and of MANY.  A smoother of the host is repeated ON_HOST times. */
enum { ALL = 1000, SOME = 100, LONGEST = 20, FEW = 10, MANY = 30, ON_HOST = 3 };

struct smoothing { const struct matrix *a; struct linear_setting setting; double *x, *b; };

static struct solver *limited(const struct smoothing *s, int iterations)
{
    struct linear_setting setting = s->setting;
    struct error e;
    setting.max_iterations = iterations;
    setting.tolerance = 0;
    struct solver *solver = solver_create(s->a, &setting, &(struct solver_setup){0}, &e);
    if (!solver) die("%s", e.text);
    return solver;
}

static double seconds_of(const struct smoothing *s, struct solver *solver, int *iterations)
{
    struct fill_args zero = {s->x, 0};
    fill(&zero, s->a->p.n_padded);
    double start = device_seconds();
    *iterations = solver_solve(solver, s->a, s->x, s->b).iterations;
    return device_seconds() - start;
}

/* Seconds of an iteration: the median. */
static double measure_iteration(const struct bench *b, const struct smoothing *s)
{
    struct solver *few = limited(s, FEW), *many = limited(s, MANY);
    bool host = s->setting.preconditioner == PRECONDITIONER_GAUSS_SEIDEL;
    int repeat = host && b->repeat > ON_HOST ? ON_HOST : b->repeat;
    double *seconds;
    NEW(seconds, repeat);
    for (int i = -1; i < repeat; i++) {                 /* the first time is not counted: graphs are recorded in it */
        int n_few, n_many;
        double t = seconds_of(s, many, &n_many) - seconds_of(s, few, &n_few);
        if (i >= 0) seconds[i] = t / (n_many > n_few ? n_many - n_few : 1);
    }
    double median = bench_median(seconds, repeat);
    free(seconds);
    solver_free(few), solver_free(many);
    return median;
}

/* iteration: also what comes of a time that is the difference of two, which on a busy machine may be 0 or less. */
static void print_residual(const struct linear_history *h, int n, double iteration)
{
    if (!(iteration >= 0 && iteration <= n) || !(h[(int)iteration].rr >= 0)) log_print(" %9s", "");
    else log_print(" %9.2e", sqrt(h[(int)iteration].rr / h[0].rr));
}

/* product: seconds that one product with the matrix takes. */
static void measure(const struct bench *b, const struct smoothing *s, const char *name, double product)
{
    double iteration = measure_iteration(b, s);
    int n = iteration * ALL > LONGEST ? SOME : ALL;
    struct solver *solver = limited(s, n);
    solver_keep_history(solver);
    double seconds = seconds_of(s, solver, &n);             /* n: fewer where the residual came to 0 */
    struct linear_history *h = solver_history(solver);
    log_print("%-36s %6d %12.0f %9.1f %8.2f", name, n, 1e6 * seconds, 1e6 * iteration, iteration / product);
    print_residual(h, n, 10), print_residual(h, n, 100), print_residual(h, n, 1000);
    print_residual(h, n, 100 * product / iteration), print_residual(h, n, 1000 * product / iteration);
    log_print("\n");
    free(h);
    solver_free(solver);
}

struct product { const struct matrix *a; const double *x; double *y; };
static void multiply(void *context)
{
    const struct product *p = context;
    matrix_product(p->a, p->x, p->y);
}

/* Seconds to compute the residual as often as Wikberg did, with its norm on the host. */
static double residuals(const struct matrix *a, double *x, double *y)
{
    struct product args = {a, x, y};
    double start = device_seconds();
    for (int i = 0; i < SOME; i++) {
        multiply(&args);
        reduce(REDUCE_DOT, y, y, a->p.n_padded);
    }
    return device_seconds() - start;
}

bool bench_smoothers(struct bench *b, struct error *e)
{
    static const char *const stationary[] = {"method=stationary"};
    struct linear_system system;
    struct matrix a;
    laplacian(&system, &b->mesh, NULL, NULL);
    linear_system_upload(&system, &a);
    struct smoothing s = {.a = &a, .x = bench_vector(&a.p, 1), .b = bench_vector(&a.p, 2)};
    double *y = bench_vector(&a.p, 3);
    struct product args = {&a, s.x, y};
    double product = bench_seconds(b, false, multiply, &args);
    bool good = true;
    log_print("\na product with the matrix takes %.1f us; %d residuals and their norms on the host %.0f us\n",
           1e6 * product, SOME, 1e6 * residuals(&a, s.x, y));
    log_print("\n%-36s %6s %12s %9s %8s %39s %19s\n", "", "", "", "each", "in pro-",
              "residual after so many iterations:", "products' time:");
    log_print("%-36s %6s %12s %9s %8s %9d %9d %9d %9d %9d\n", "smoother", "number", "time [us]", "[us]", "ducts", 10,
              100, 1000, 100, 1000);
    for (int i = 0; good && i < N_SMOOTHERS; i++) {
        good = linear_setting_read(&s.setting, smoothers[i].method, "none", stationary, 1, e);
        if (good) measure(b, &s, smoothers[i].name, product);
    }
    device_free(s.x), device_free(s.b), device_free(y);
    matrix_free_alone(&a);
    linear_system_free(&system);
    return good;
}

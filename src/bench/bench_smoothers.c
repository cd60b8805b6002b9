/* poise bench smoothers: the stationary iteration x += M (b - A x) from zero with every smoother, on the mesh's
 * Laplacian, right-hand side random: what Wikberg (2024) has in table 4.1 (time of 1000 iterations, time of the
 * residuals) and in figure 4.2 (residual against time; here a residual and its norm are part of every iteration). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "bench/bench.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/linear.h"
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
/* Iterations: all of them, or some where these would take longer than that [s]; of the first look at the time. */
enum { ALL = 1000, SOME = 100, LOOK = 10, LONGEST = 20 };

struct smoothing { const struct mod_sell *a; struct linear_setting setting; double *x, *b; };

/* Seconds of *n iterations, which may end before when the residual is 0; history: of their residuals, or NULL. */
static double run(const struct smoothing *s, int *n, struct cg_history **history)
{
    struct linear_setting setting = s->setting;
    struct fill_args zero = {s->x, 0};
    struct error e;
    setting.max_iterations = *n;
    setting.tolerance = 0;
    struct cg *cg = cg_create(s->a, &setting, false, &e);
    if (!cg) die("%s", e.text);
    if (history) cg_keep_history(cg);
    fill(&zero, s->a->n_padded);
    cg_solve(cg, s->x, s->b);                           /* the first time graphs are recorded */
    fill(&zero, s->a->n_padded);
    double start = device_seconds();
    *n = cg_solve(cg, s->x, s->b).iterations;
    double seconds = device_seconds() - start;
    if (history) *history = cg_history(cg);
    cg_free(cg);
    return seconds;
}

static void print_residual(const struct cg_history *h, int n, double iteration)
{
    if (iteration > n || !(h[(int)iteration].rr >= 0)) printf(" %9s", "");
    else printf(" %9.2e", sqrt(h[(int)iteration].rr / h[0].rr));
}

/* product: seconds of one. */
static void measure(const struct smoothing *s, const char *name, double product)
{
    struct cg_history *h;
    int n = LOOK;
    n = run(s, &n, NULL) * (ALL / LOOK) > LONGEST ? SOME : ALL;
    double seconds = run(s, &n, &h), iteration = seconds / n;
    printf("%-36s %6d %12.0f %9.1f %8.2f", name, n, 1e6 * seconds, 1e6 * iteration, iteration / product);
    print_residual(h, n, 10), print_residual(h, n, 100), print_residual(h, n, 1000);
    print_residual(h, n, 100 * product / iteration), print_residual(h, n, 1000 * product / iteration);
    printf("\n");
    fflush(stdout);
    free(h);
}

static void multiply(void *context)
{
    const struct spmv_args *args = context;
    mod_sell_spmv(args, args->a.n_slices);
}

/* As often as Wikberg computed it, with its norm on the host. */
static double residuals(const struct mod_sell *a, double *x, double *y)
{
    struct spmv_args args = {*a, x, y};
    double start = device_seconds();
    for (int i = 0; i < SOME; i++) {
        multiply(&args);
        reduce(REDUCE_DOT, y, y, a->n_padded);
    }
    return device_seconds() - start;
}

bool bench_smoothers(struct bench *b, struct error *e)
{
    static const char *const stationary[] = {"method=stationary"};
    struct linear_system system;
    struct mod_sell a;
    laplacian(&system, &b->mesh, NULL, NULL);
    linear_system_upload(&system, &a);
    struct smoothing s = {.a = &a, .x = bench_vector(a.n, a.n_padded, 1), .b = bench_vector(a.n, a.n_padded, 2)};
    double *y = bench_vector(a.n, a.n_padded, 3);
    struct spmv_args args = {a, s.x, y};
    double product = bench_seconds(b, false, multiply, &args);
    bool good = true;
    printf("\na product with the matrix takes %.1f us; %d residuals and their norms on the host %.0f us\n",
           1e6 * product, SOME, 1e6 * residuals(&a, s.x, y));
    printf("\n%-36s %6s %12s %9s %8s %39s %19s\n", "", "", "", "each", "in pro-", "residual after so many iterations:",
           "products' time:");
    printf("%-36s %6s %12s %9s %8s %9d %9d %9d %9d %9d\n", "smoother", "number", "time [us]", "[us]", "ducts", 10, 100,
           1000, 100, 1000);
    for (int i = 0; good && i < N_SMOOTHERS; i++) {
        good = linear_setting_read(&s.setting, smoothers[i].method, "none", stationary, 1, e);
        if (good) measure(&s, smoothers[i].name, product);
    }
    device_free(s.x), device_free(s.b), device_free(y);
    mod_sell_free(&a);
    linear_system_free(&system);
    return good;
}

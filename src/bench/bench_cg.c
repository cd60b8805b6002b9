/* poise bench cg: an iteration of conjugate gradients, and the parts of multigrid. */
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
enum { SET_UPS = 5 };                   /* per median */
enum { FEW = 24, MANY = 120 };          /* iterations of a short and of a long solve: their difference is measured */

struct solve { const struct matrix *a; struct solver *solver; double *x, *b; int64_t n; };

static double seconds_of(const struct solve *s)
{
    double start = device_seconds();
    fill(&(struct fill_args){s->x, 0}, s->n);
    solver_solve(s->solver, s->a, s->x, s->b);
    return device_seconds() - start;
}

static double measure_iteration(const struct bench *b, const struct matrix *a, struct solve few)
{
    struct linear_setting short_one = {.preconditioner = PRECONDITIONER_JACOBI, .max_iterations = FEW},
                          long_one = short_one;
    struct solve many = few;
    double *seconds;
    long_one.max_iterations = MANY;
    few.solver = solver_create(a, &short_one, &(struct solver_setup){0}, NULL);
    many.solver = solver_create(a, &long_one, &(struct solver_setup){0}, NULL);
    NEW(seconds, b->repeat);
    for (int i = -1; i < b->repeat; i++) {              /* the first run is discarded: it records graphs */
        double s = (seconds_of(&many) - seconds_of(&few)) / (MANY - FEW);
        if (i >= 0) seconds[i] = s;
    }
    double median = bench_median(seconds, b->repeat);
    /* Read and written: z, p, x and p, q, x of direction and product (two kernels read p once more), z, q, the diagonal
     * and z of the update.  matrix_bytes() has two of these. */
    int vectors = device_kind() == DEVICE_CUDA ? 10 : 11;
    bench_line(b, "Jacobi-CG", median, matrix_bytes(a) + (vectors - 2) * 8 * a->p.n_padded, "");
    free(seconds);
    solver_free(few.solver), solver_free(many.solver);
    return median;
}

static void measure_peers(const struct bench *b, const struct linear_system *s, const double *right)
{
    const char *reason;
    const struct peers *peers = bench_peers(&reason);
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
        bench_line(b, peer_names[f], bench_median(seconds, b->repeat), bytes, note);
    }
    free(seconds);
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

/* The parts of multigrid, relative to an iteration of Jacobi-CG. */
static void measure_hierarchy(const struct bench *b, const struct matrix *a, const double *r, double unit)
{
    struct hierarchy h = {.a = a, .r = r};
    struct bench few = *b;
    few.repeat = SET_UPS;                               /* a measurement takes as long as a hundred cycles */
    double seconds = bench_seconds(&few, false, set_up, &h);
    log_print("\nmultigrid: %d levels,", multigrid_levels(h.m));
    for (int i = 0; i < multigrid_levels(h.m); i++) log_print(" %lld", (long long)multigrid_rows(h.m, i));
    log_print(" rows, complexity %.2f\n", multigrid_complexity(h.m));
    print_step("set-up", seconds, unit);
    print_step("refresh with new values", bench_seconds(b, false, refresh, &h), unit);
    print_step("one cycle", bench_seconds(b, false, one_cycle, &h), unit);
    multigrid_free(h.m);
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
    double *right;
    NEW(right, n);
    device_download(right, ours.b, (size_t)n * sizeof *right);
    bench_heading("iteration");
    double iteration = measure_iteration(b, &a, ours);
    measure_peers(b, &s, right);
    measure_hierarchy(b, &a, ours.b, iteration);
    free(right);
    device_free(ours.x), device_free(ours.b);
    matrix_free_alone(&a);
    linear_system_free(&s);
    return true;
}

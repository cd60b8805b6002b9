/* poise bench preconditioners: what each costs and saves on the mesh's Laplacian; condition numbers on the two-phase
 * square of Gupta et al. (2011). */
#include <stdlib.h>
#include "solve/linear_setting.h"
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "gpu/vector.h"
#include "solve/condition.h"
#include "solve/preconditioner.h"
#include "system/generate.h"
#include "system/laplacian.h"

/* The methods, as --preconditioner takes them. */
static const char *const methods[] = {
    "jacobi", "ruiz", "block-jacobi", "jacobi-richardson:sweeps=2", "chebyshev", "gauss-seidel", "multicolour-gs",
    "two-stage-gs", "ic0", "ic0:factor_ordering=multicolour", "ic0:triangular=fixed-point:triangular_sweeps=2",
    "ic0:triangular=fixed-point", "ic0:triangular=isai", "ic0:triangular=isai:isai_power=3", "ic0:triangular=host",
    "ic0:triangular=host:factor_ordering=matrix", "block-ic:block_rows=32", "block-ic",
    "block-ic:factor_ordering=matrix", "block-ic:block_rows=512", "block-ic:block_rows=512:factor_ordering=matrix",
    "incomplete-poisson", "neumann:terms=1", "neumann", "neumann:terms=3", "multigrid"};
enum { N_METHODS = sizeof methods / sizeof *methods, SET_UPS = 3, HOST_ROWS = 1000000 };

static bool read_setting(struct linear_setting *s, const char *text, double tolerance, struct error *e)
{
    if (!linear_setting_read(s, text, "none", NULL, 0, e)) return false;
    s->tolerance = tolerance;
    s->max_iterations = 20000;
    return true;
}

/* ---------------------------------------------------------------- the mesh */
struct parts {
    const struct bench *b;
    const struct matrix *a;
    struct linear_setting setting;
    struct preconditioner *p;
    double *r, *z, *x, *norm2;
    struct error e;
};

static void set_up(void *context)
{
    struct parts *s = context;
    if (s->p) s->p->free(s->p);
    s->p = preconditioner_create(s->a, &s->setting, false, &s->e);
}
static void refresh(void *context) { const struct parts *s = context; preconditioner_refresh(s->p, s->a); }
static void apply(void *context)
{
    const struct parts *s = context;
    s->p->apply(s->p, s->r, s->norm2, s->z);
}

/* Measures what the preconditioner costs alone, where it is no part of conjugate gradients' own kernels. */
static void measure_parts(struct parts *s)
{
    struct bench few = *s->b;
    few.repeat = SET_UPS;
    if (!s->p) {
        log_print(" %9s %9s %11s %8s %7s", "", "", "", "", "");
        return;
    }
    double made = bench_seconds(&few, false, set_up, s);
    double refreshed = bench_seconds(&few, false, refresh, s), applied = bench_seconds(s->b, true, apply, s);
    log_print(" %9.2f %9.2f %11.1f", 1e3 * made, 1e3 * refreshed, 1e6 * applied);
    if (s->p->bytes) log_print(" %8.2f %7.3f", 1e-6 * (double)s->p->bytes, (double)s->p->bytes / applied / s->b->copy);
    else log_print(" %8s %7s", "", "");
    s->p->free(s->p);
}

/* Measures a solve.  Before it the system A x = 0 is solved from x = 0, so that graphs are recorded. */
static void measure_solve(struct parts *s)
{
    struct solver *solver = solver_create(s->a, &s->setting, &(struct solver_setup){0}, &s->e);
    struct fill_args zero[] = {{s->x, 0}, {s->z, 0}};
    if (!solver) {
        log_print("  %s\n", s->e.text);
        return;
    }
    for (int i = 0; i < 2; i++) fill(&zero[i], s->a->p.n_padded);
    solver_solve(solver, s->a, s->x, s->z);
    device_copy(s->z, s->r, (size_t)s->a->p.n_padded * sizeof *s->r);
    double start = device_seconds();
    struct linear_result r = solver_solve(solver, s->a, s->x, s->z);
    double seconds = device_seconds() - start;
    if (r.status == LINEAR_CONVERGED) log_print(" %6d %10.1f\n", r.iterations, 1e3 * seconds);
    else log_print("  %s after %d iterations\n", r.note ? r.note : "not converged", r.iterations);
    solver_free(solver);
}

static bool measure_mesh(const struct bench *b, struct error *e)
{
    struct linear_system system;
    struct matrix a;
    laplacian(&system, &b->mesh, NULL, NULL);
    linear_system_upload(&system, &a);
    struct parts s = {.b = b, .a = &a, .r = bench_vector(&a.p, 1), .z = bench_vector(&a.p, 2),
                      .x = bench_vector(&a.p, 3)};
    s.norm2 = device_alloc(sizeof *s.norm2, "norm");
    double norm2 = reduce(REDUCE_DOT, s.r, s.r, a.p.n_padded);
    device_upload(s.norm2, &norm2, sizeof norm2);
    log_print("\n%-52s %9s %9s %11s %8s %7s %6s %10s\n", "preconditioner; times in ms", "set-up", "refresh",
              "apply [us]", "MB", "of copy", "to 1e-8", "time");
    bool good = true;
    for (int i = 0; good && i < N_METHODS; i++) {
        good = read_setting(&s.setting, methods[i], 1e-8, e);
        if (!good) break;
        log_print("%-52s", methods[i]);
        s.p = NULL;
        set_up(&s);
        if (s.p && s.p->on_host && a.p.n > HOST_ROWS) {
            log_print("  on the host: measured up to %d rows\n", HOST_ROWS);
            s.p->free(s.p);
            continue;
        }
        measure_parts(&s);
        measure_solve(&s);
    }
    device_free(s.r), device_free(s.z), device_free(s.x), device_free(s.norm2);
    matrix_free_alone(&a);
    linear_system_free(&system);
    return good;
}

/* ---------------------------------------------------------------- condition numbers */
/* published: condition numbers of Gupta et al. 2011, table 1; 0: the method is not in it. */
static const struct { const char *name, *text; double published; } rows[] = {
    {"scaled A", "jacobi", 9.68e3},
    {"Block-IC(2n)", "block-ic:block_rows=128:factor_ordering=matrix", 2.50e3},
    {"Block-IC(4n)", "block-ic:block_rows=256:factor_ordering=matrix", 1.93e3},
    {"Block-IC(8n)", "block-ic:block_rows=512:factor_ordering=matrix", 1.60e3},
    {"incomplete Poisson, not scaled", "incomplete-poisson:scaling=none", 2.97e6},
    {"incomplete Poisson", "incomplete-poisson", 2.68e3},
    {"Neumann, 1 term", "neumann:terms=1", 2.66e3},
    {"Neumann, 2 terms", "neumann:terms=2", 1.74e3},
    {"IC(0)", "ic0:factor_ordering=matrix", 0}};
enum { N_ROWS = sizeof rows / sizeof *rows };

static struct condition exact(const struct matrix *a, struct linear_setting s)
{
    struct error e;
    struct preconditioner *p = preconditioner_create(a, &s, false, &e);
    preconditioner_refresh(p, a);
    struct condition c = condition_by_lanczos(a, p, false, 1e-8, a->p.n);
    p->free(p);
    return c;
}

static struct condition seen_by_cg(const struct matrix *a, const struct linear_setting *s, double *x, double *b)
{
    struct error e;
    struct fill_args zero = {x, 0};
    struct solver *solver = solver_create(a, s, &(struct solver_setup){0}, &e);
    fill(&zero, a->p.n_padded);
    solver_keep_history(solver);
    struct linear_result r = solver_solve(solver, a, x, b);
    struct linear_history *h = solver_history(solver);
    struct condition c = condition_from_cg(h, r.iterations);
    free(h);
    solver_free(solver);
    return c;
}

/* The coefficient 1 below, 1000 from row 31 of 64 on; arithmetic means between cells. */
static void set_layers(struct linear_system *s)
{
    double *k;
    NEW(k, s->n);
    for (int32_t i = 0; i < s->n; i++) k[i] = s->centre[s->n + i] < 31 ? 1 : 1000;
    for (int32_t i = 0; i < s->n; i++) {
        double *diagonal = &s->value[s->start[i]];
        for (int64_t e = s->start[i] + 1; e < s->start[i + 1]; e++) *diagonal += s->value[e];   /* what the walls add */
        *diagonal *= k[i];
        for (int64_t e = s->start[i] + 1; e < s->start[i + 1]; e++) {
            s->value[e] *= 0.5 * (k[i] + k[s->column[e]]);
            *diagonal -= s->value[e];
        }
    }
    free(k);
}

static bool condition_numbers(const char *generator, const char *sides, bool arithmetic, struct error *e)
{
    struct linear_system system;
    struct matrix a;
    if (!generate(&system, generator, sides, e)) return false;
    if (arithmetic) set_layers(&system);
    linear_system_upload(&system, &a);
    double *b = linear_system_vector(&a, system.rhs, "right-hand side"), first = 0;
    double *x = linear_system_vector(&a, system.rhs, "solution");
    log_print("\nCondition numbers: two-phase square 64 x 64, 1:1000, fixed: %s; %s\n", sides,
           arithmetic ? "interface above row 31, arithmetic means" : "interface in the middle, harmonic means");
    log_print("%-32s %12s %12s %10s %12s %10s %7s\n", "", "exact", "seen by CG", "to 1e-10", "A over it", "published",
           "ratio");
    bool good = true;
    for (int i = 0; good && i < N_ROWS; i++) {
        struct linear_setting s;
        good = read_setting(&s, rows[i].text, 1e-10, e);
        if (!good) break;
        struct condition c = exact(&a, s), seen = seen_by_cg(&a, &s, x, b);
        double kappa = c.most / c.least;
        if (i == 0) first = kappa;
        log_print("%-32s %12.3e %12.3e %10d %12.3f", rows[i].name, kappa, seen.most / seen.least, seen.steps,
               first / kappa);
        if (rows[i].published > 0) log_print(" %10.2e %7.3f", rows[i].published, rows[0].published / rows[i].published);
        log_print("\n");
    }
    device_free(b), device_free(x);
    matrix_free_alone(&a);
    linear_system_free(&system);
    return good;
}

/* Two squares are measured, because for Block-IC the ratios of the condition numbers depend on whether a block is
 * cut by the interface between the fluids (its largest eigenvalues belong to the interface); boundary conditions
 * hardly change them. */
bool bench_preconditioners(struct bench *b, struct error *e)
{
    return measure_mesh(b, e) && condition_numbers("layers:64,1000", "left", false, e) &&
           condition_numbers("poisson2d:64", "left,right", true, e);
}

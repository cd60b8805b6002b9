/* Runs one method on the matrix: set-up, solves, the true residual. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "base/timer.h"
#include "bench/bench.h"
#include "command/solve.h"
#include "gpu/device.h"
#include "gpu/sums.h"

/* 2-norm of b - A x, on the host, in the order of rows. */
static double residual_norm(const struct solve *s, const double *x, const double *b, double *y)
{
    double *product, *right, sum = 0;
    size_t bytes = (size_t)s->a.p.n * sizeof *product;
    matrix_product(&s->a, x, y);
    NEW(product, s->a.p.n), NEW(right, s->a.p.n);
    for (int k = 0; k < s->a.block; k++) {
        device_download(product, y + k * s->a.p.pitch, bytes);
        device_download(right, b + k * s->a.p.pitch, bytes);
        for (int32_t i = 0; i < s->a.p.n; i++) sum += (right[i] - product[i]) * (right[i] - product[i]);
    }
    sums_over_ranks(&sum, 1);
    free(product), free(right);
    return sqrt(sum);
}

struct vectors { double *x, *b, *y; };

static double solve_once(struct method *m, const struct solve *s, struct solver *solver, const struct vectors *v)
{
    linear_system_place(&s->a, s->guess, v->x);
    linear_system_place(&s->a, s->b, v->b);
    double start = device_seconds();
    m->result = solver_solve(solver, &s->a, v->x, v->b);
    return device_seconds() - start;
}

static void keep_history(struct method *m, const struct solve *s, const struct solver *solver)
{
    struct linear_history *h = solver_history(solver);
    if (s->condition) m->condition = condition_from_cg(h, m->result.iterations);
    NEW(m->history, m->result.iterations + 1);
    double first = m->result.initial > 0 ? m->result.initial : 1;       /* not that of step 0, which deflation lowers */
    for (int i = 0; i <= m->result.iterations; i++) m->history[i] = sqrt(h[i].rr) / first;
    free(h);
}

/* Creates the solver as often as it is timed, but not again after LONG seconds; the last one is kept.  NULL:
 * rejected. */
static struct solver *set_up(struct method *m, const struct solve *s)
{
    const double LONG = 2;
    double *seconds, most = 0;
    int n = 0;
    struct solver *solver = NULL;
    struct solver_setup setup = {.nonsymmetric = s->system.nonsymmetric, .singular = s->system.singular,
                                 .phase = s->system.phase};
    NEW(seconds, s->repeat);
    do {
        solver_free(solver);
        double start = device_seconds();
        solver = solver_create(&s->a, &m->setting, &setup, &m->e);
        most += seconds[n++] = device_seconds() - start;
        largest_over_ranks(&most, 1);
    } while (solver && n < s->repeat && most < LONG);
    m->refused = !solver;
    m->set_up = bench_median(seconds, n);
    free(seconds);
    return solver;
}

/* Solves as often as it is timed.  With repetitions, one untimed solve comes first, which records graphs and fills
 * caches. */
static void solve_often(struct method *m, const struct solve *s, struct solver *solver, const struct vectors *v)
{
    double *seconds;
    NEW(seconds, s->repeat);
    if (s->repeat > 1) solve_once(m, s, solver, v);
    for (int i = 0; i < s->repeat && m->result.status != LINEAR_REFUSED; i++) seconds[i] = solve_once(m, s, solver, v);
    m->solve = bench_median(seconds, s->repeat);
    for (int i = 0; i < s->repeat && m->result.status != LINEAR_REFUSED; i++) {
        double start = device_seconds();
        solver_refresh(solver, &s->a);
        seconds[i] = device_seconds() - start;
    }
    m->refresh = bench_median(seconds, s->repeat);
    free(seconds);
}

static void tell(void *method, int iterations, double residual)
{
    static double last;
    double now = wall_seconds();
    if (now < last + 0.5) return;
    last = now;
    log_progress("%s: %d iterations, residual %.1e", ((struct method *)method)->name, iterations, residual);
}

/* The requested number of applications, one after the other. */
static double apply_often(const struct solve *s, struct solver *solver, const struct vectors *v)
{
    solver_precondition(solver, v->b, v->y);
    double start = device_seconds();
    for (int i = 0; i < s->applications; i++) solver_precondition(solver, v->b, v->y);
    return device_seconds() - start;
}

void method_run(struct method *m, const struct solve *s, double **x)
{
    size_t before = device_bytes();
    *x = NULL;
    log_progress("%s: set-up", m->name);
    struct solver *solver = set_up(m, s);
    if (!solver) return;
    m->bytes = device_bytes() - before;
    m->deflation_vectors = solver_deflation_vectors(solver);
    if (solver_choice(solver)) snprintf(m->choice, sizeof m->choice, "%s", solver_choice(solver));
    if (s->history || s->condition) solver_keep_history(solver);
    struct vectors v = {linear_system_vector(&s->a, s->guess, "solution"), linear_system_vector(&s->a, s->b,
                        "right-hand side"), linear_system_vector(&s->a, s->b, "product")};
    log_progress("%s: solving", m->name);
    solver_watch(solver, tell, m);
    solve_often(m, s, solver, &v);
    if (m->result.note) snprintf(m->note, sizeof m->note, "%s", m->result.note);
    if (m->result.status != LINEAR_REFUSED) {
        if (s->history || s->condition) keep_history(m, s, solver);
        if (s->applications) m->applications = apply_often(s, solver, &v);
        if (s->solution || s->digest) *x = linear_system_download(&s->system, &s->a, v.x);
        double last = residual_norm(s, v.x, v.b, v.y);
        linear_system_place(&s->a, s->guess, v.x);
        double first = residual_norm(s, v.x, v.b, v.y);         /* a singular system's b has lost its mean by now */
        m->residual = first > 0 ? last / first : last;
        /* With left preconditioning it monitors another residual. */
        bool left = m->setting.method == METHOD_GMRES && m->setting.side == SIDE_LEFT;
        m->inexact = m->result.status == LINEAR_CONVERGED && !left &&
                     last > 2 * fmax(m->setting.tolerance * first, m->setting.absolute) && first > 0;
    }
    device_free(v.x), device_free(v.b), device_free(v.y);
    solver_free(solver);
}

enum exit_status method_status(const struct method *m)
{
    static const enum exit_status status[] = {
        [LINEAR_CONVERGED] = EXIT_CONVERGED, [LINEAR_MAX_ITERATIONS] = EXIT_NOT_CONVERGED,
        [LINEAR_BREAKDOWN] = EXIT_DIVERGED,  [LINEAR_NOT_FINITE] = EXIT_DIVERGED, [LINEAR_REFUSED] = EXIT_INPUT};
    return m->refused ? m->e.status : m->inexact ? EXIT_NOT_CONVERGED : status[m->result.status];
}

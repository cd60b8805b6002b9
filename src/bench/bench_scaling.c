/* poise bench scaling: speed-up on several ranks: parts of a linear solve, and whole methods (bench_scaling_flow.c), on
 * one rank and on all, with the same total size (strong) and with the same size per rank (weak). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/formats.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "gpu/vector.h"
#include "solve/multigrid.h"
#include "solve/rows.h"
#include "solve/solver.h"
#include "system/generate.h"

enum part { PRODUCT, HEC, HALO, SUM, CYCLE, REFRESH, SOLVE, N_PARTS };
static const char *const part_name[N_PARTS] = {
    "product with the matrix, mod.SELL", "product with the matrix, HEC", "halo alone",
    "sum of one number over all rows", "multigrid: a cycle", "multigrid: refresh",
    "solve to 1e-8, multigrid, an iteration"};
/* Repetitions, recorded once, of work that takes microseconds. */
enum { TIMES = 20 };

/* One system on some ranks: n: its rows; most: rows of the largest rank; halo: its ghost rows; differs: largest
 * difference between the products in HEC and mod.SELL. */
struct figures { int64_t n, most, halo; int iterations; double seconds[N_PARTS], differs; };

struct parts {
    struct matrix a;
    struct format_args hec;
    struct multigrid *m;
    struct solver *solver;
    struct sums sums;
    double *x, *y;
};

/* ---------------------------------------------------------------- one system */
static void product(void *p)
{
    const struct parts *s = p;
    for (int i = 0; i < TIMES; i++) matrix_product(&s->a, s->x, s->y);
}
static void hec(void *p)
{
    const struct parts *s = p;
    for (int i = 0; i < TIMES; i++) {
        halo_update(s->a.p.halo, s->x, 1);
        format_product(&s->hec, FORMAT_HEC);
    }
}
static void halo(void *p)
{
    const struct parts *s = p;
    for (int i = 0; i < TIMES; i++) halo_update(s->a.p.halo, s->x, 1);
}
static void sum(void *p)
{
    const struct parts *s = p;
    for (int i = 0; i < TIMES; i++) sums_finish(&s->sums, 0, 1);
}
static void cycle(void *p)
{
    const struct parts *s = p;
    multigrid_apply(s->m, s->x, NULL, s->y);
}

static void launch(void *graph) { device_graph_launch(graph); }
static double recorded(const struct bench *b, void (*body)(void *), struct parts *p)
{
    struct device_graph *g = device_graph_record(body, p);
    double seconds = bench_seconds(b, false, launch, g);
    device_graph_free(g);
    return seconds;
}

static void refresh(void *p)
{
    const struct parts *s = p;
    multigrid_refresh(s->m);
}

struct solved { const struct parts *p; double *b; struct linear_result r; };
static void solve(void *context)
{
    struct solved *s = context;
    fill(&(struct fill_args){s->p->x, 0}, s->p->a.p.n_padded);
    device_copy(s->p->y, s->b, (size_t)s->p->a.p.pitch * sizeof *s->b);
    s->r = solver_solve(s->p->solver, &s->p->a, s->p->x, s->p->y);
}

/* The matrix in HEC, with ghost columns after the rank's own. */
static void make_hec(struct format_matrix *f, const struct linear_system *l, const struct pattern *p)
{
    int64_t *start, *place;
    int32_t *others, *column;
    rows_download_with_halo(p, &start, &others, &place);
    NEW(column, l->start[l->n]);
    for (int32_t i = 0; i < l->n; i++) {
        column[l->start[i]] = i;
        for (int64_t k = start[i]; k < start[i + 1]; k++) column[k + i + 1] = others[k];
    }
    format_create(f, FORMAT_HEC, &(struct peers_matrix){l->n, l->start, column, l->value});
    free(start), free(others), free(place), free(column);
}

static double largest_difference(const struct parts *s, const double *other)
{
    double *x, *y, most = 0;
    const int32_t n = s->a.p.n;
    NEW(x, n), NEW(y, n);
    device_download(x, s->y, (size_t)n * sizeof *x), device_download(y, other, (size_t)n * sizeof *y);
    for (int32_t i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
    free(x), free(y);
    largest_over_ranks(&most, 1);
    return most;
}

static void measure_products(const struct bench *b, const struct linear_system *l, struct parts *p, struct figures *f)
{
    f->seconds[PRODUCT] = recorded(b, product, p) / TIMES;
    if (!ranks_agree(l->start[l->n] <= INT32_MAX, NULL)) return;        /* HEC counts in 32 bits */
    p->hec = (struct format_args){.x = p->x, .y = pattern_alloc(&p->a.p, 1, sizeof *p->y, "product")};
    make_hec(&p->hec.f, l, &p->a.p);
    f->seconds[HEC] = recorded(b, hec, p) / TIMES;
    f->differs = largest_difference(p, p->hec.y);
    format_free(&p->hec.f), device_free(p->hec.y);
}

static void measure(const struct bench *b, const struct linear_system *l, struct figures *f)
{
    const struct linear_setting set = {.preconditioner = PRECONDITIONER_MULTIGRID, .tolerance = 1e-8,
                                       .max_iterations = 1000};
    const struct solver_setup setup = {.singular = l->singular};
    struct parts p;
    linear_system_upload(l, &p.a);
    struct solved s = {.p = &p, .b = linear_system_vector(&p.a, l->rhs, "right-hand side")};
    p.x = bench_vector(&p.a.p, 1), p.y = bench_vector(&p.a.p, 2);
    p.sums = sums_create(1, p.a.p.n_slices, "sums");
    p.m = multigrid_create(&p.a, &set, l->singular);
    double most[2] = {p.a.p.n, (double)(p.a.p.pitch - p.a.p.n_padded)};
    measure_products(b, l, &p, f);
    f->seconds[HALO] = recorded(b, halo, &p) / TIMES;
    f->seconds[SUM] = recorded(b, sum, &p) / TIMES;
    f->seconds[REFRESH] = bench_seconds(b, false, refresh, &p);
    f->seconds[CYCLE] = recorded(b, cycle, &p);
    multigrid_free(p.m);
    p.solver = solver_create(&p.a, &set, &setup, NULL);
    f->seconds[SOLVE] = bench_seconds(b, false, solve, &s);
    f->iterations = s.r.iterations;
    f->seconds[SOLVE] /= s.r.iterations > 0 ? s.r.iterations : 1;
    largest_over_ranks(most, 2);
    f->n = p.a.p.n_global, f->most = (int64_t)most[0], f->halo = (int64_t)most[1];
    solver_free(p.solver);
    sums_free(&p.sums);
    device_free(p.x), device_free(p.y), device_free(s.b);
    matrix_free_alone(&p.a);
}

static bool make_system(struct linear_system *l, const char *text, struct error *e)
{
    *l = (struct linear_system){0};
    if (!generate(l, text, NULL, e)) return false;
    if (l->nonsymmetric) refuse(e, EXIT_INPUT, "%s: bench scaling needs a symmetric matrix of numbers", text);
    else if (linear_system_order(l, l->ordering, e)) {
        if (!l->rhs) NEW(l->rhs, l->n);
        return true;
    }
    return linear_system_free(l), false;
}

/* On this rank alone, or on all of them together, in which case all ranks make this call. */
static bool measure_system(const struct bench *b, const char *text, bool alone, struct figures *f, struct error *e)
{
    struct linear_system l = {0};
    bool good = true;
    if (!ranks_own()) {
        if (alone) ranks_alone(true);
        good = make_system(&l, text, e);
        if (good && alone) measure(b, &l, f), linear_system_free(&l);
        if (alone) ranks_alone(false);
    }
    if (!ranks_agree(good, e)) return false;
    if (!alone && (good = linear_system_share(&l, e))) measure(b, &l, f);
    linear_system_free(&l);
    return good;
}

/* ---------------------------------------------------------------- output */
/* The generator equivalent to the mesh; a box becomes one of unit cells. */
static void generator_of(const struct bench *b, char *text, size_t size)
{
    const char *m = b->mesh_name;
    if (b->generate) snprintf(text, size, "%s", b->generate);
    else if (!strncmp(m, "box:", 4))
        snprintf(text, size, "poisson%dd:%s", strchr(m, ',') == strrchr(m, ',') ? 2 : 3, m + 4);
    else snprintf(text, size, "laplacian:%s", m);
}

/* The same with equally many rows per rank: its last direction grows.  False: not supported for this generator. */
static bool grown(const char *text, char *to, size_t size)
{
    int dim = !strncmp(text, "poisson2d:", 10) ? 2 : !strncmp(text, "poisson3d:", 10) ? 3 : 0, n[3], found;
    if (!dim) return false;
    found = sscanf(text + 10, "%d,%d,%d", &n[0], &n[1], &n[2]);
    for (int i = found; i < dim; i++) n[i] = n[0];
    n[dim - 1] *= ranks_count();
    if (dim == 2) snprintf(to, size, "poisson2d:%d,%d", n[0], n[1]);
    else snprintf(to, size, "poisson3d:%d,%d,%d", n[0], n[1], n[2]);
    return true;
}

static void say(const char *what, const char *text, const struct figures *one, const struct figures *all, bool weak)
{
    const int n = ranks_count();
    char heading[40];
    snprintf(heading, sizeof heading, "%d ranks [us]", n);
    log_print("\n%s: %s, %lld rows", what, text, (long long)(all ? all : one)->n);
    if (all) log_print("; at most %lld a rank, and %lld of others", (long long)all->most, (long long)all->halo);
    log_print("\n%-40s %14s%s%14s %11s\n", "", "1 rank [us]", all ? " " : "", all ? heading : "",
              all ? "efficiency" : "");
    for (int k = 0; k < N_PARTS; k++) {
        double s = one->seconds[k];
        if (k == HEC && !(s > 0)) continue;
        if (!all) {
            if (k != HALO) log_print("%-40s %14.2f\n", part_name[k], 1e6 * s);
            continue;
        }
        log_print("%-40s %14.2f %14.2f", part_name[k], 1e6 * s, 1e6 * all->seconds[k]);
        if (k == HALO || k == SUM) log_print("\n");
        else log_print(" %11.3f\n", s / all->seconds[k] / (weak ? 1 : n));
    }
    log_print("%-40s %14d", "iterations of the solve", one->iterations);
    if (all) log_print(" %14d", all->iterations);
    log_print("\nHEC's product differs from mod.SELL's by at most %.1e\n", (all ? all : one)->differs);
}

/* ---------------------------------------------------------------- the linear solve, and both */
static bool scaling_of_solve(const struct bench *b, unsigned only, struct error *e)
{
    enum { LENGTH = PATH_LENGTH + 20 };
    char text[LENGTH], large[LENGTH];
    struct figures one = {0}, all = {0};
    generator_of(b, text, sizeof text);
    if (!measure_system(b, text, true, &one, e)) return false;
    if (ranks_count() == 1) {
        say("one rank", text, &one, NULL, false);
        return true;
    }
    if (only & SCALING_STRONG) {
        if (!measure_system(b, text, false, &all, e)) return false;
        say("strong", text, &one, &all, false);
    }
    if (only & SCALING_WEAK) {
        grown(text, large, sizeof large);
        if (!measure_system(b, large, false, &all, e)) return false;
        say("weak", large, &one, &all, true);
    }
    return true;
}

/* --only: the methods and sizes to measure; all methods or all sizes if none is named. */
static bool read_only(const struct bench *b, unsigned *only, struct error *e)
{
    static const char *const words[] = {"solve", "simplec", "bubbles", "strong", "weak"};
    const unsigned flows = SCALING_SIMPLEC | SCALING_BUBBLES, sizes = SCALING_STRONG | SCALING_WEAK;
    char text[PATH_LENGTH + 20], large[sizeof text];
    generator_of(b, text, sizeof text);
    const bool grows = grown(text, large, sizeof large);
    *only = 0;
    for (const char *at = b->only; at;) {
        size_t n = strcspn(at, ",");
        int w = 0;
        while (w < 5 && (strlen(words[w]) != n || strncmp(words[w], at, n))) w++;
        if (w == 5)
            return refuse(e, EXIT_INPUT, "--only %s: \"%.*s\" is not known; expected solve, simplec, bubbles, strong, "
                          "weak, or some of them with commas between", b->only, (int)n, at);
        *only |= 1u << w;
        at = at[n] ? at + n + 1 : NULL;
    }
    if (*only & flows && b->generate)
        return refuse(e, EXIT_INPUT, "--only %s: simplec and bubbles work on a mesh; remove --generate", b->only);
    if (*only & SCALING_WEAK && !grows)
        return refuse(e, EXIT_INPUT, "--only %s: of the same size a rank there are only boxes, and poisson2d and "
                      "poisson3d", b->only);
    if (!(*only & (SCALING_SOLVE | flows))) *only |= SCALING_SOLVE | (b->generate ? 0 : flows);
    if (!(*only & sizes)) *only |= SCALING_STRONG | (grows ? SCALING_WEAK : 0);
    return true;
}

bool bench_scaling(struct bench *b, struct error *e)
{
    const int n = ranks_count();
    unsigned only;
    if (!read_only(b, &only, e)) return false;
    log_print("%s%s%s; %d rank%s%s%s; median of %d\n", device_description(), device_note()[0] ? "; " : "",
              device_note(), n, n == 1 ? "" : "s", *ranks_transport() ? ", " : "", ranks_transport(), b->repeat);
    if (only & SCALING_SOLVE && !scaling_of_solve(b, only, e)) return false;
    if (only & (SCALING_SIMPLEC | SCALING_BUBBLES) && !bench_scaling_flow(b, only, e)) return false;
    if (n == 1) log_print("to compare with several: mpirun -n N poise bench scaling ..\n");
    return true;
}

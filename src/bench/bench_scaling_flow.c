/* poise bench scaling: whole methods, an iteration of SIMPLEC and a time step of two fluids, on one rank and on all. */
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "bench/bench.h"
#include "flow/transient.h"
#include "gpu/ranks.h"
#include "mesh/part.h"
#include "mesh/shared.h"

struct stepping { struct transient t; double dt; };
static void advance(void *context)
{
    struct stepping *s = context;
    struct transient_report r;
    transient_advance(&s->t, s->dt, &r);
}

/* Measures a time step, as bench_iteration() does an iteration. */
static bool measure_step(const struct bench *b, const struct case_settings *c, const struct mesh *m, double *median,
                         struct error *e)
{
    enum { WARM_UP = 4 };
    struct stepping s;
    if (!transient_create(&s.t, &c->flow, m, e)) return false;
    s.dt = 0.5 * transient_wave_step(&s.t);
    bench_phases(&s.t.f.watch, WARM_UP, b->repeat, advance, &s, median);
    transient_free(&s.t);
    return true;
}

struct method {
    unsigned only;
    const char *what, *whole;
    bool (*read)(struct case_settings *c, const struct mesh *m, struct error *e);
    int layers;                 /* layers of vertex neighbours around a rank's own cells: mesh_take_part() */
    bool (*measure)(const struct bench *b, const struct case_settings *c, const struct mesh *m, double *median,
                    struct error *e);
};
static const struct method methods[] = {
    {SCALING_SIMPLEC, "a SIMPLEC iteration, cavity of", "whole iteration", bench_cavity, 0, bench_iteration},
    {SCALING_BUBBLES, "a time step of two fluids, bubbles in a box of", "whole step", bench_bubbles,
     INTERFACE_LAYERS, measure_step}};
enum { N_METHODS = sizeof methods / sizeof *methods };

/* With one rank the whole mesh, with several each its part. */
static bool measure_part(const struct method *x, const struct bench *b, const struct mesh *m, double *median,
                         struct error *e)
{
    struct case_settings c;
    struct mesh part = {0};
    const bool several = ranks_count() > 1;
    if (!x->read(&c, m, e)) return false;
    c.flow.solver.accuracy = b->standard ? ACCURACY_STANDARD : ACCURACY_HIGH;
    bool good = ranks_agree(!several || mesh_take_part(&part, m, x->layers, e), e) &&
                x->measure(b, &c, several ? &part : m, median, e);
    if (several) mesh_free(&part);
    case_free(&c);
    return good;
}

/* Measures on rank 0 alone, or on all. */
static bool measure(const struct method *x, const struct bench *b, const struct mesh *m, bool alone, double *median,
                    struct error *e)
{
    bool good = true;
    if (alone && ranks_own()) return ranks_agree(true, e);
    if (alone) ranks_alone(true);
    good = measure_part(x, b, m, median, e);
    if (alone) ranks_alone(false);
    return ranks_agree(good, e);
}

/* The box with the same cells, extended in its last direction. */
static bool grown_box(struct mesh *m, const char *text, struct error *e)
{
    struct box_setting box = {.given = true, .to = {1, 1, 1}, .stretch = {1, 1, 1}};
    *m = (struct mesh){0};
    box.dim = sscanf(text, "box:%d,%d,%d", &box.cells[0], &box.cells[1], &box.cells[2]);
    box.cells[box.dim - 1] *= ranks_count(), box.to[box.dim - 1] = ranks_count();
    if (box_faces(&box) > INT32_MAX)
        return refuse(e, EXIT_INPUT, "%s: %d times as many cells is too many", text, ranks_count());
    mesh_box(m, &box);
    return mesh_complete(m, ORDERING_HILBERT, NULL, 0, e);
}

static void say(const struct method *x, const char *size, const struct mesh *m, const double *one, const double *all,
                bool weak)
{
    const int n = ranks_count();
    log_print("\n%s: %s %d cells\n%-40s %14s", size, x->what, m->n_cells, "", "1 rank [us]");
    if (all) log_print(" %6d ranks [us] %9s", n, "efficiency");
    log_print("\n");
    for (int k = 0; k <= N_PHASES; k++) {
        if (!(one[k] > 0)) continue;                    /* the method does not have this phase */
        log_print("%-40s %14.1f", k < N_PHASES ? phase_name[k] : x->whole, 1e6 * one[k]);
        if (all) log_print(" %17.1f %9.3f", 1e6 * all[k], one[k] / all[k] / (weak ? 1 : n));
        log_print("\n");
    }
}

/* Runs the methods, together on all ranks. */
static bool measure_all(const struct bench *b, unsigned only, const char *size, const struct mesh *m,
                        double one[N_METHODS][N_PHASES + 1], bool weak, struct error *e)
{
    double all[N_PHASES + 1];
    bool good = true;
    for (int i = 0; i < N_METHODS && good; i++) {
        if (!(only & methods[i].only)) continue;
        good = measure(&methods[i], b, m, false, all, e);
        if (good) say(&methods[i], size, m, one[i], all, weak);
    }
    return good;
}

/* Rank 0 creates the meshes; all ranks read them from a file in the current folder. */
bool bench_scaling_flow(const struct bench *b, unsigned only, struct error *e)
{
    static const char shared_name[] = "poise-bench-mesh";
    double one[N_METHODS][N_PHASES + 1] = {{0}};
    struct mesh m = {0};
    const bool several = ranks_count() > 1, here = !ranks_own();
    bool good = ranks_agree(!here || mesh_open(&m, b->mesh_name, ORDERING_HILBERT, e), e);
    for (int i = 0; i < N_METHODS && good; i++) {
        if (!(only & methods[i].only)) continue;
        good = measure(&methods[i], b, &m, true, one[i], e);
        if (good && !several) say(&methods[i], "one rank", &m, one[i], NULL, false);
    }
    if (good && several && only & SCALING_STRONG)
        good = mesh_share(&m, shared_name, e) && measure_all(b, only, "strong", &m, one, false, e);
    mesh_free(&m);
    if (!good || !several || !(only & SCALING_WEAK)) return good;
    good = ranks_agree(!here || grown_box(&m, b->mesh_name, e), e) && mesh_share(&m, shared_name, e) &&
           measure_all(b, only, "weak", &m, one, true, e);
    mesh_free(&m);
    return good;
}

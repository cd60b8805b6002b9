/* Growing modes of the convection of scalars: dx/dt = L x with zero as the value at boundaries, with the program's own
 * gradients and corrections, from noise by Runge-Kutta steps.  The growth rate of the norm tends to the largest real
 * part of L's eigenvalues; here it is multiplied by the time in which the flow crosses a cell.  Required: no growth, on
 * any mesh; with central only at a cell Peclet number of 10, without diffusion it grows on most meshes.  (Van Leer's
 * scheme is not linear, but of degree 1.)
 * test_scalar_spectrum --full FILE.h5 ...: every scheme at every Peclet number, longer, and these native meshes too. */
#include "flow_fixture.h"
#include "gmsh_fixture.h"
#include "assembly/scalar_step.h"
#include "flow/equation_parts.h"
#include "gpu/sums.h"
#include "gpu/vector.h"

enum stream { UNIFORM, SHEAR, N_STREAMS };
static const char *const stream_name[] = {"uniform", "shear"};
static const double peclets[] = {INFINITY, 1000, 10};       /* of cells */
enum { N_PECLETS = 3, N_SCHEMES = 4, LAST = 100 };
static const enum convection schemes[N_SCHEMES] = {CONVECTION_UPWIND, CONVECTION_LINEAR_UPWIND, CONVECTION_CENTRAL,
                                                   CONVECTION_VAN_LEER};

/* What is measured without --full, in the shear flow. */
static const bool quick[N_SCHEMES][N_PECLETS] = {{0}, {true, false, true}, {false, false, true}, {true}};

struct spectrum {
    const char *name, *file;
    enum grid kind;
    int n;
    double distortion, stretch;
    int32_t cells;
    double growth[N_STREAMS][N_SCHEMES][N_PECLETS];
};

#define BOX(label, type, along, shift, widest) \
    {.name = label, .kind = type, .n = along, .distortion = shift, .stretch = widest}
#define GMSH(label) {.name = label, .file = "tests/data/" label ".msh"}
static struct spectrum spectra[100] = {
    BOX("squares", GRID_QUADS, 12, 0, 1), BOX("quads", GRID_QUADS, 12, 0.3, 1),
    BOX("quads, stretched 10", GRID_QUADS, 12, 0.15, 10), BOX("triangles", GRID_TRIANGLES, 12, 0.2, 1),
    BOX("triangles, stretched 10", GRID_TRIANGLES, 12, 0.15, 10),
    BOX("tri+quad", GRID_MIXED_2D, 12, 0.2, 1), BOX("hexahedra", GRID_HEXAHEDRA, 6, 0.3, 1),
    BOX("tetrahedra", GRID_TETRAHEDRA, 4, 0.1, 1), BOX("tetrahedra, stretched 10", GRID_TETRAHEDRA, 4, 0.1, 10),
    BOX("prisms", GRID_PRISMS, 5, 0.1, 1), BOX("pyramids", GRID_PYRAMIDS, 4, 0.1, 1),
    BOX("hex+pyramid+prism", GRID_MIXED_3D, 6, 0.15, 1),
    GMSH("gmsh_triangles"), GMSH("gmsh_tetrahedra"), GMSH("gmsh_slivers"),
};
enum { N_OWN = 15 };
static int steps = 300;
static bool full;

struct rig {
    struct mesh m;
    struct stencil s;
    struct equation q;
    struct equation_work k;
    double *flux, *rate, *stage, *step;
    double crossing, longest;   /* time: of the flow through a cell; of a step */
};

static void open_mesh(struct mesh *m, const struct spectrum *x)
{
    if (!x->file) {
        struct box_setting box = grid_box(x->kind, x->n, x->distortion);
        for (int k = 0; k < 3; k++) box.stretch[k] = x->stretch;
        grid_mesh(m, x->kind, &box);
        if (!mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    } else if (strstr(x->file, ".msh"))
        load(m, x->file, NULL, 0);
    else if (!mesh_open(m, x->file, ORDERING_HILBERT, &e))
        fail_msg("%s", e.text);
}

static double *cells(struct rig *g, int components)
{
    return pattern_alloc(&g->s.pattern, components, sizeof(double), "spectrum");
}

/* The velocity (1, 0.7, 0.4), or along x and proportional to the distance from the sides y = 0 and z = 0: linear, so
 * that the fluxes through the faces of a cell cancel. */
static void stream_through(struct rig *g, enum stream kind)
{
    const struct mesh *m = &g->m;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, volume = 0, *flux;
    uint8_t *rule;
    NEW(flux, m->n_faces), NEW(rule, g->s.n_boundary);
    for (int32_t v = 0; v < m->n_vertices; v++)
        for (int k = 0; k < m->dim; k++) {
            low[k] = fmin(low[k], m->vertex[3 * (int64_t)v + k]);
            high[k] = fmax(high[k], m->vertex[3 * (int64_t)v + k]);
        }
    for (int32_t f = 0; f < m->n_faces; f++) {
        double u[3] = {1, 0.7, 0.4};
        for (int k = 1; k < m->dim && kind == SHEAR; k++) {
            double at = (m->cell_centre[(int64_t)k * m->n_cells + m->face_owner[f]]
                         + m->face_r[(int64_t)k * m->n_faces + f] - low[k]) / (high[k] - low[k]);
            u[0] = (k == 1 ? 0 : u[0]) + at, u[k] = 0;
        }
        for (int k = 0; k < m->dim; k++) flux[f] += u[k] * m->face_area[(int64_t)k * m->n_faces + f];
        bool leaves = flux[f] > 1e-12;
        if (f >= m->n_internal) rule[f - m->n_internal] = leaves ? RULE_GRADIENT : RULE_VALUE;
    }
    for (int32_t c = 0; c < m->n_cells; c++) volume += m->cell_volume[c];
    g->crossing = pow(volume / m->n_cells, 1.0 / m->dim);
    device_upload(g->flux, flux, (size_t)m->n_faces * sizeof *flux);
    device_upload(g->q.rule, rule, (size_t)g->s.n_boundary);
    free(flux), free(rule);
}

static void open_rig(struct rig *g, const struct spectrum *x)
{
    memset(g, 0, sizeof *g);
    open_mesh(&g->m, x);
    stencil_create(&g->s, &g->m);
    const struct stencil *s = &g->s;
    double **array[] = {&g->k.lowest, &g->k.highest, &g->k.plus, &g->k.minus, &g->k.sum, &g->k.rhs,
                        &g->k.smooth, &g->rate, &g->stage, &g->step};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) *array[i] = cells(g, 3);
    g->k.s = s;
    g->k.correction = device_alloc((size_t)s->n_faces * sizeof(double), "corrections");
    matrix_create(&g->k.a, &s->pattern);
    g->flux = device_alloc((size_t)s->n_faces * sizeof(double), "flux");
    g->q = (struct equation){.x = cells(g, 1),  .gradient = cells(g, s->dim), .flux = g->flux};
    g->q.rule = device_alloc((size_t)s->n_boundary, "rules");
    g->q.value = device_alloc((size_t)s->n_boundary * sizeof(double), "values");
    g->q.wall = device_alloc((size_t)s->n_boundary * sizeof(double), "walls");
}

static void close_rig(struct rig *g)
{
    double *arrays[] = {g->k.lowest, g->k.highest, g->k.plus, g->k.minus, g->k.sum, g->k.rhs, g->k.smooth, g->rate,
                        g->stage, g->step, g->k.correction, g->flux, g->q.x, g->q.gradient, g->q.value, g->q.wall};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    device_free(g->q.rule);
    matrix_free(&g->k.a);
    stencil_free(&g->s);
    mesh_free(&g->m);
}

/* rate = L x. */
static void find_rate(struct rig *g, const double *x)
{
    const struct stencil *s = &g->s;
    struct equation_work *k = &g->k;
    bool assembled = equation_scheme_is_assembled(&g->q, s);
    equation_gradient(&g->q, s, x);
    struct transport t = equation_transport(&g->q, k, 1);
    t.x = x;
    transport_assemble(&t, assembled ? g->q.convection : CONVECTION_UPWIND);
    matrix_product(&k->a, x, g->rate);
    combine(&(struct combine_args){.x = g->rate, .a = 1, .y = k->rhs, .b = -1, .z = g->rate}, s->n_cells);
    if (!assembled) {
        equation_correct_faces(&g->q, k, x);
        fill(&(struct fill_args){.x = k->correction + s->n_internal, .value = 0}, s->n_boundary);
        struct limiter_args net = equation_limiter(&g->q, k, x, k->a.diag);
        sum_corrections(&net);
        combine(&(struct combine_args){.x = g->rate, .a = 1, .y = g->rate, .b = 1, .z = k->sum}, s->n_cells);
    }
    divide(&(struct divide_args){.x = g->rate, .y = s->volume, .z = g->rate}, s->n_cells);
}

static double shortest_time(struct rig *g)
{
    double *diag = FROM_DEVICE(g->k.a.diag, g->m.n_cells), most = 0;
    for (int32_t c = 0; c < g->m.n_cells; c++) most = fmax(most, diag[c] / g->m.cell_volume[c]);
    free(diag);
    return 1 / most;
}

/* A step of the classical Runge-Kutta method, which is stable up to |L| dt = 2.6. */
static void advance(struct rig *g, double dt)
{
    static const double at[] = {0.5, 0.5, 1, 0}, weight[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    int32_t n = g->s.n_cells;
    copy_array(g->stage, g->q.x, n), copy_array(g->step, g->q.x, n);
    for (int i = 0; i < 4; i++) {
        find_rate(g, g->stage);
        combine(&(struct combine_args){.x = g->step, .a = 1, .y = g->step, .b = weight[i] * dt, .z = g->rate}, n);
        combine(&(struct combine_args){.x = g->stage, .a = 1, .y = g->q.x, .b = at[i] * dt, .z = g->rate}, n);
    }
    copy_array(g->q.x, g->step, n);
}

static double growth(struct rig *g)
{
    int64_t n = g->s.pitch;
    double *host, sum = 0;
    NEW(host, n);
    for (int32_t c = 0; c < g->s.n_cells; c++) host[c] = number(c);
    device_upload(g->q.x, host, (size_t)n * sizeof *host);
    fill(&(struct fill_args){.x = g->q.value, .value = 0}, g->s.n_boundary);
    free(host);
    find_rate(g, g->q.x);
    double dt = 0.8 * shortest_time(g);
    for (int i = 0; i < steps; i++) {
        double size = sqrt(reduce(REDUCE_DOT, g->q.x, g->q.x, n));
        if (i >= steps - LAST) sum += log(size);
        if (!(size > 1e-200)) return isfinite(size) ? -INFINITY : INFINITY;
        combine(&(struct combine_args){.x = g->q.x, .a = 1 / size, .y = g->q.x, .b = 0, .z = g->q.x}, n);
        fill(&(struct fill_args){.x = g->q.value, .value = 0}, g->s.n_boundary);
        advance(g, dt);
    }
    return sum / LAST / dt * g->crossing;
}

static void one_mesh(void **state)
{
    struct spectrum *x = *state;
    struct rig g;
    open_rig(&g, x);
    x->cells = g.m.n_cells;
    double worst = -INFINITY;
    for (int i = 0; i < N_STREAMS; i++) {
        stream_through(&g, i);
        for (int j = 0; j < N_SCHEMES; j++)
            for (int k = 0; k < N_PECLETS; k++) {
                const bool required = schemes[j] != CONVECTION_CENTRAL || peclets[k] == 10;
                x->growth[i][j][k] = NAN;
                if (!full && !(i == SHEAR && quick[j][k])) continue;
                g.q.convection = schemes[j], g.q.diffusivity = g.crossing / peclets[k];
                x->growth[i][j][k] = growth(&g);
                if (required) worst = fmax(worst, x->growth[i][j][k]);
            }
    }
    close_rig(&g);
    /* Beside a side without flow eigenvalues are near zero, and the norm of a pair of them oscillates. */
    if (!(worst < 1e-3)) fail_msg("%s: a mode grows by exp(%g) in the time through a cell", x->name, worst);
}

static void print_table(int n)
{
    for (int i = full ? 0 : SHEAR; i < N_STREAMS; i++) {
        printf("# %7s: %-21s %6s", stream_name[i], "mesh", "cells");
        for (int j = 0; j < N_SCHEMES; j++)
            for (int k = 0; k < N_PECLETS; k++) printf(" %6.6s %5g", convection_words[schemes[j]], peclets[k]);
        for (int m = 0; m < n; m++) {
            if (!spectra[m].cells) continue;
            printf("\n# %-30s %6d", spectra[m].name, spectra[m].cells);
            for (int j = 0; j < N_SCHEMES; j++)
                for (int k = 0; k < N_PECLETS; k++) printf(" %12.4f", spectra[m].growth[i][j][k]);
        }
        printf("\n");
    }
}

static int add_files(int n, int argc, char **argv)
{
    for (int i = 2; i < argc && n < 100; i++) {
        const char *name = strrchr(argv[i], '/');
        spectra[n++] = (struct spectrum){.name = name ? name + 1 : argv[i], .file = argv[i]};
    }
    return n;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[100];
    full = argc > 1 && !strcmp(argv[1], "--full");
    bool gmsh = prepare();
    int n = full ? add_files(N_OWN, argc, argv) : N_OWN, n_tests = 0;
    if (full) steps = 4000;
    for (int i = 0; i < n; i++) {
        struct spectrum *x = &spectra[i];
        if (!gmsh && x->file && strstr(x->file, ".msh")) printf("ok %s # SKIP poise-gmsh is not built\n", x->name);
        else tests[n_tests++] = (struct CMUnitTest){.name = x->name, .test_func = one_mesh, .initial_state = x};
    }
    open_device();
    int failed = _cmocka_run_group_tests("scalar_spectrum", tests, (size_t)n_tests, NULL, NULL);
    print_table(n);
    clean(NULL);
    return finish_tests(failed);
}

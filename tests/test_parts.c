/* Separate parts of one mesh, each with its own level of the pressure: the same flow as when each has a case of its
 * own. */
#include "unsteady_fixture.h"
#include "gpu/device.h"

enum { N_ALGORITHMS_TRIED = 5, IN_TIME = 3, STEPS = 5 };            /* the algorithms from IN_TIME on */
static const char *const algorithms[N_ALGORITHMS_TRIED] = {"simple", "simplec", "coupled", "piso", "pimple"};

/* Adds a copy of the mesh, whose boundaries are NAME2. */
static void add_copy(struct mesh *m, double shift)
{
    int32_t n = m->n_cells, vertices = m->n_vertices, marked = m->n_marked;
    int64_t length = m->cell_start[n];
    int patches = m->n_patches;
    RESIZE(m->vertex, 6 * (int64_t)vertices), RESIZE(m->cell_type, 2 * n), RESIZE(m->cell_region, 2 * n);
    RESIZE(m->cell_start, 2 * n + 1), RESIZE(m->cell_vertex, 2 * length), RESIZE(m->patch, 2 * patches);
    for (int32_t i = 0; i < 3 * vertices; i++) m->vertex[3 * vertices + i] = m->vertex[i] + (i % 3 ? 0 : shift);
    for (int32_t c = 0; c < n; c++) {
        m->cell_type[n + c] = m->cell_type[c], m->cell_region[n + c] = m->cell_region[c];
        m->cell_start[n + c + 1] = length + m->cell_start[c + 1];
    }
    for (int64_t i = 0; i < length; i++) m->cell_vertex[length + i] = m->cell_vertex[i] + vertices;
    for (int p = 0; p < patches; p++) {
        m->patch[patches + p] = m->patch[p];
        strcat(m->patch[patches + p].name, "2");
    }
    m->n_cells *= 2, m->n_vertices *= 2, m->n_patches *= 2;
    for (int32_t k = 0; k < marked; k++) {
        int32_t face[4], size = (int32_t)(m->marked_start[k + 1] - m->marked_start[k]);
        for (int32_t i = 0; i < size; i++) face[i] = m->marked_vertex[m->marked_start[k] + i] + vertices;
        mesh_mark(m, m->marked_patch[k] + patches, face, size);
    }
}

struct tried { bool in_time; struct trial steady; struct unsteady unsteady; const struct mesh *m; struct flow *f; };

/* boundary: with what follows it, other sections too. */
static void begin(struct tried *w, enum grid kind, bool two, int algorithm, const char *boundary)
{
    struct box_setting box = grid_box(kind, kind == GRID_TETRAHEDRA ? 4 : 8, 0);
    char text[2500];
    memset(w, 0, sizeof *w);
    w->in_time = algorithm >= IN_TIME;
    struct mesh *m = w->in_time ? &w->unsteady.m : &w->steady.m;
    grid_mesh(m, kind, &box);
    if (two) add_copy(m, 3);
    struct error e;
    if (!mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    snprintf(text, sizeof text, "fluid = { viscosity = 0.05; };\nboundary = { %s };\n"
             "solver = { algorithm = \"%s\"; %s", boundary, algorithms[algorithm],
             w->in_time ? "pressure = { tolerance = 1e-11; }; velocity = { tolerance = 1e-11; }; };\n"
                          "time = { end = 100.0; step = 0.05; };\n"
                        : "tolerance = 1e-10; max_iterations = 3000; };\n");
    if (w->in_time) start_unsteady(&w->unsteady, text);
    else trial_start(&w->steady, text);
    w->f = w->in_time ? &w->unsteady.t.f : w->steady.f, w->m = m;
}

/* To the end of a steady run; in time some steps. */
static void start(struct tried *w, enum grid kind, bool two, int algorithm, const char *boundary)
{
    begin(w, kind, two, algorithm, boundary);
    struct transient_report report;
    for (int i = 0; w->in_time && i < STEPS; i++) transient_advance(&w->unsteady.t, 0.05, &report);
    if (!w->in_time && trial_settle(&w->steady) < 0) fail_msg("%s: not converged", algorithms[algorithm]);
}

static void end(struct tried *w)
{
    if (w->in_time) close_unsteady(&w->unsteady);
    else trial_close(&w->steady);
}

/* Component k of x in the order of the file. */
static double *in_file(const struct tried *w, const double *x, int k)
{
    double *here, *there;
    NEW(here, w->m->n_cells), NEW(there, w->m->n_cells);
    device_download(here, x + k * w->f->s.pitch, (size_t)w->m->n_cells * sizeof *here);
    for (int32_t c = 0; c < w->m->n_cells; c++) there[w->m->cell_original[c]] = here[c];
    free(here);
    return there;
}

/* The flow in cells first .. of `both` is that of the whole of `one`, up to a constant in the pressure. */
static void compare(const struct tried *both, int32_t first, const struct tried *one)
{
    for (int k = 0; k <= one->m->dim; k++) {
        bool pressure = k == one->m->dim;
        double *a = in_file(both, pressure ? both->f->p : both->f->u, pressure ? 0 : k);
        double *b = in_file(one, pressure ? one->f->p : one->f->u, pressure ? 0 : k), largest = 0;
        double level = pressure ? a[first] - b[0] : 0;
        for (int32_t c = 0; c < one->m->n_cells; c++) largest = fmax(largest, fabs(a[first + c] - b[c] - level));
        if (!(largest < 2e-6)) fail_msg("component %d: %g", k, largest);
        free(a), free(b);
    }
}

/* initial: its keys.  Returns the pressure in the second part's first cell. */
static double compare_started(enum grid kind, int algorithm, const char *initial, const char *first,
                              const char *second, const char *second2)
{
    static const char form[] = "%s %s }; initial = { %s";
    struct tried both, one;
    char text[1500];
    snprintf(text, sizeof text, form, first, second2, initial);
    start(&both, kind, true, algorithm, text);
    assert_int_equal(both.m->n_components, 2);
    snprintf(text, sizeof text, form, first, "", initial);
    start(&one, kind, false, algorithm, text);
    compare(&both, 0, &one);
    end(&one);
    snprintf(text, sizeof text, form, second, "", initial);
    start(&one, kind, false, algorithm, text);
    compare(&both, one.m->n_cells, &one);
    double *p = in_file(&both, both.f->p, 0), there = p[one.m->n_cells];
    free(p);
    end(&one), end(&both);
    return there;
}

static void compare_parts(enum grid kind, int algorithm, const char *first, const char *second, const char *second2)
{
    double p = compare_started(kind, algorithm, "pressure = 3.0;", first, second, second2);
    assert_true(fabs(p - 3) < 0.1);                     /* the initial pressure in the part's first cell */
}

#define SIDES(n) "left" n " = { type = \"wall\"; }; right" n " = { type = \"wall\"; }; bottom" n \
                 " = { type = \"wall\"; };"
#define CAVITY(n, lid) SIDES(n) " top" n " = { type = \"wall\"; velocity = " lid "; };"
#define FRONTS(n) " back" n " = { type = \"slip\"; }; front" n " = { type = \"slip\"; };"
#define CHANNEL "left = { type = \"inlet\"; velocity = [1.0, 0.0]; }; right = { type = \"outlet\"; }; " \
                "top = { type = \"wall\"; }; bottom = { type = \"wall\"; };"

static void two_cavities(void **state)
{
    (void)state;
    for (int i = 0; i < N_ALGORITHMS_TRIED; i++)
        for (enum grid kind = GRID_QUADS; kind <= GRID_TRIANGLES; kind++)
            compare_parts(kind, i, CAVITY("", "[1.0, 0.0]"), CAVITY("", "[-2.0, 0.0]"), CAVITY("2", "[-2.0, 0.0]"));
    compare_parts(GRID_TETRAHEDRA, 1, CAVITY("", "[1.0, 0.0, 0.0]") FRONTS(""),
                  CAVITY("", "[-2.0, 0.0, 0.0]") FRONTS(""), CAVITY("2", "[-2.0, 0.0, 0.0]") FRONTS("2"));
}

static void cavity_beside_channel(void **state)
{
    (void)state;
    for (int i = 0; i < N_ALGORITHMS_TRIED; i++)
        compare_parts(GRID_QUADS, i, CHANNEL, CAVITY("", "[-2.0, 0.0]"), CAVITY("2", "[-2.0, 0.0]"));
}

/* Circuits at their own levels of pressure, which the start follows in each, whatever pressure the case starts from. */
#define LEVEL(n, p, more) "left" n " = { type = \"inlet\"; " more "}; right" n " = { type = \"outlet\"; pressure = " \
                          p "; }; top" n " = { type = \"wall\"; }; bottom" n " = { type = \"wall\"; };"
#define OUTLETS(n, p, q) "left" n " = { type = \"outlet\"; pressure = " p "; }; right" n \
                         " = { type = \"outlet\"; pressure = " q "; }; top" n " = { type = \"wall\"; }; bottom" n \
                         " = { type = \"wall\"; };"
#define FLOWS "velocity = [1.0, 0.0]; "

static void circuits_at_levels(void **state)
{
    (void)state;
    static const char *const initial[] = {"", "pressure = 5e4;", "field = \"potential\";"};
    for (int i = 0; i < N_ALGORITHMS_TRIED; i++)
        for (int k = 0; k < (i < IN_TIME ? 3 : 1); k++)
            compare_started(GRID_QUADS, i, initial[k], LEVEL("", "1e3", FLOWS), LEVEL("", "1e5", FLOWS),
                            LEVEL("2", "1e5", FLOWS));
    compare_started(GRID_TRIANGLES, 0, "", LEVEL("", "0.0", FLOWS), LEVEL("", "\"1000 + 0*y\"", FLOWS),
                    LEVEL("2", "\"1000 + 0*y\"", FLOWS));
}

/* Pressures alone drive both, by differences a thousandfold apart. */
static void circuits_driven_by_pressure(void **state)
{
    (void)state;
    for (int i = 0; i < IN_TIME; i++)
        for (int k = 0; k < 2; k++)
            compare_started(GRID_QUADS, i, k ? "field = \"potential\";" : "",
                            LEVEL("", "100.0", "total_pressure = 101.0; "),
                            LEVEL("", "1000.0", "total_pressure = 1000.001; "),
                            LEVEL("2", "1000.0", "total_pressure = 1000.001; "));
}

/* The first residual of the pressure does not depend on how far apart the levels are: it would be that much smaller,
 * and the run converged at once.  Between outlets the velocity starts from zero, and so do its residuals. */
static void residuals_of_circuits(void **state)
{
    (void)state;
    static const char *const form[] = {OUTLETS("", "1.0", "0.0") OUTLETS("2", "1.0", "0.0"),
                                       OUTLETS("", "1.0", "0.0") OUTLETS("2", "10000001.0", "10000000.0")};
    for (int i = 0; i < IN_TIME; i++) {
        double residual[2];
        for (int k = 0; k < 2; k++) {
            struct tried w;
            struct simple_report r;
            begin(&w, GRID_QUADS, true, i, form[k]);
            simple_iterate(&w.steady.simple, &r);
            residual[k] = r.residual[2];
            end(&w);
        }
        assert_true(residual[0] > 1e-4 && fabs(residual[1] - residual[0]) < 1e-6 * residual[0]);
    }
}

/* A part of inflow alone cannot be balanced by another part's outlet. */
static void inlet_without_outlet(void **state)
{
    (void)state;
    struct case_settings c;
    struct simple w;
    struct mesh m = {0};
    struct error e;
    struct box_setting box = grid_box(GRID_QUADS, 4, 0);
    grid_mesh(&m, GRID_QUADS, &box);
    add_copy(&m, 3);
    if (!mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    case_of_text(&c, "mesh = { box = { cells = [1, 1]; }; }; fluid = { viscosity = 0.1; };\nboundary = { " CHANNEL "\n"
                     SIDES("2") "\ntop2 = { type = \"inlet\"; velocity = [0.0, -1.0]; }; };");
    assert_false(simple_create(&w, &c.flow, &m, &e));
    assert_non_null(strstr(e.text, ":4: inlet \"top2\" belongs to one of the 2 separate parts of the mesh, which has "
                                   "no outlet, yet its inlets give a net volume flow of 1 "));
    case_free(&c), mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_cavities), cmocka_unit_test(cavity_beside_channel),
                                       cmocka_unit_test(circuits_at_levels),
                                       cmocka_unit_test(circuits_driven_by_pressure),
                                       cmocka_unit_test(residuals_of_circuits),
                                       cmocka_unit_test(inlet_without_outlet)};
    return RUN_TESTS("parts", tests);
}

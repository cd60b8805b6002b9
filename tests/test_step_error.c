/* time.tolerance: the error of a step is the scheme's, rejected steps restart from the same state, the error of a run
 * is proportional to the tolerance, and that of temperature and scalars counts; a flow at rest has none. */
#include "solids_fixture.h"
#include "flow/scalar.h"

static const char *const periodic = "boundary = { left = { type = \"periodic\"; }; right = { type = \"periodic\"; }; "
                                    "bottom = { type = \"periodic\"; }; top = { type = \"periodic\"; }; };\n";

/* The Taylor-Green vortex in 2 pi by 2 pi, which decays by exp(-2 nu t) whatever convection does. */
static void open_vortex(struct unsteady *w, double viscosity, double step, const char *scheme, double tolerance)
{
    struct box_setting box = grid_box(GRID_QUADS, 32, 0);
    char text[1000];
    box.to[0] = box.to[1] = 2 * M_PI;
    snprintf(text, sizeof text, "fluid = { viscosity = %g; };\n%sinitial = { field = \"taylor-green\"; };\n"
             "time = { end = 1.0; step = %.17g; scheme = \"%s\"; tolerance = %g; };\n"
             "solver = { algorithm = \"piso\"; convection = \"central\"; pressure = { tolerance = 1e-9; }; "
             "velocity = { tolerance = 1e-9; }; };\n", viscosity, periodic, step, scheme, tolerance);
    open_unsteady(w, GRID_QUADS, &box, 2, text);
}

static void error_is_that_of_the_scheme(void **state)
{
    (void)state;
    enum { STEPS = 8 };
    const double rate = 2 * 5.0, step = 0.01, x = rate * step;
    const struct { const char *scheme; double error; } row[] = {
        {"euler", x / 2}, {"bdf2", x * x / 3}, {"crank-nicolson", x * x / 12}};
    for (int k = 0; k < 3; k++) {
        struct unsteady w;
        struct transient_report r;
        open_vortex(&w, rate / 2, step, row[k].scheme, 0.9);
        for (int i = 0; i < STEPS; i++) transient_advance(&w.t, step, &r);
        print_message("%s: %.4e, expected %.4e\n", row[k].scheme, r.error, row[k].error);
        assert_true(fabs(r.error / row[k].error - 1) < 0.2);
        close_unsteady(&w);
    }
}

/* ---------------------------------------------------------------- rejected steps */
static const char *const lid =
    "fluid = { viscosity = 0.01; };\ntime = { end = 10.0; step = 1.0; scheme = \"%s\"; tolerance = %g; };\n"
    "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; "
    "top = { type = \"wall\"; velocity = [1.0, 0.0]; }; };\n"
    "scalars = { dye = { diffusivity = 0.01; values = { top = 1.0; }; }; };\nsolver = { algorithm = \"piso\"; };\n";
static const char *const shaken =
    "fluid = { viscosity = 0.01; heat_capacity = 1.0; conductivity = 0.02; };\n"
    "time = { end = 10.0; step = 1.0; scheme = \"%s\"; tolerance = %g; };\ninitial = { temperature = 300.0; };\n"
    "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; top = { "
    "type = \"wall\"; velocity = [\"1 + sin(20*t)\", 0.0]; temperature = \"300 + sin(30*t)\"; }; };\n"
    "solver = { algorithm = \"piso\"; };\n";
static const char *const rise =
    "fluid = { density = 10.0; viscosity = 0.02; gravity = [0.0, -1.0]; };\n"
    "second_fluid = { density = 0.1; viscosity = 0.001; surface_tension = 0.2; };\n"
    "shapes = { air = { type = \"sphere\"; centre = [0.5, 0.4]; radius = 0.2; }; };\n"
    "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; "
    "top = { type = \"wall\"; }; };\n"
    "time = { end = 10.0; step = 1.0; scheme = \"%s\"; tolerance = %g; courant = 0; capillary = 0; };\n"
    "solver = { algorithm = \"piso\"; };\n";

static void same_array(const char *what, const double *a, const double *b, int64_t n)
{
    double *x = FROM_DEVICE(a, n), *y = FROM_DEVICE(b, n);
    if (memcmp(x, y, (size_t)n * sizeof *x)) fail_msg("%s is not the same", what);
    free(x), free(y);
}

/* Five steps, of which the fifth is requested far too long; compared with five without a tolerance, the last of which
 * has the length found by the first run. */
static void again(const char *text, enum grid kind, const char *scheme)
{
    enum { STEPS = 5 };
    struct unsteady one, other;
    struct transient_report r;
    struct box_setting box = grid_box(kind, 12, kind == GRID_QUADS ? 0 : 0.1);
    char with[2000], without[2000];
    snprintf(with, sizeof with, text, scheme, 0.02), snprintf(without, sizeof without, text, scheme, 0.0);
    open_unsteady(&one, kind, &box, 0, with), open_unsteady(&other, kind, &box, 0, without);
    for (int i = 0; i < STEPS; i++) {
        transient_advance(&one.t, i < STEPS - 1 ? 0.001 : 0.3, &r);
        transient_advance(&other.t, one.t.step, &(struct transient_report){0});
    }
    print_message("made again %d times, at last %g\n", r.rejected, one.t.step);
    assert_true(r.rejected > 0 && r.error <= 0.02);
    for (int i = 0; i < other.t.f.fields.n; i++) {
        const struct field *f = &other.t.f.fields.field[i], *g = fields_find(&one.t.f.fields, f->name, f->use);
        if (!(f->use & FIELD_CHECKPOINT) || !f->value) continue;
        assert_non_null(g);
        same_array(f->name, *f->value, *g->value, f->components * f->pitch);
    }
    close_unsteady(&one), close_unsteady(&other);
}

static void a_step_made_again_has_the_same_bits(void **state)
{
    (void)state;
    again(lid, GRID_QUADS, "bdf2");
    again(lid, GRID_TRIANGLES, "crank-nicolson");
    again(shaken, GRID_QUADS, "crank-nicolson");
    again(rise, GRID_QUADS, "bdf2");
    again(rise, GRID_TRIANGLES, "euler");
}

/* ---------------------------------------------------------------- runs */
/* The vortex at t = 1 with viscosity 1, decayed to exp(-2): the error of the largest speed, minus the mesh's error,
 * which is that of a run with a small tolerance. */
static double speed_at_end(const char *scheme, double tolerance, int64_t *steps)
{
    struct unsteady w;
    open_vortex(&w, 1, 0.5, scheme, tolerance);
    advance_to_end(&w);
    double u = flow_fastest(&w.t.f);
    *steps = w.t.steps;
    close_unsteady(&w);
    return u;
}

/* The velocity has then changed twice by its own size. */
static void errors_are_proportional_to_the_tolerance(void **state)
{
    (void)state;
    static const char *const scheme[] = {"euler", "bdf2", "crank-nicolson"};
    int64_t steps;
    const double exact = speed_at_end("crank-nicolson", 1e-5, &steps);
    for (int k = 0; k < 3; k++) {
        double before = NAN;
        for (int i = 0; i < (k ? 3 : 2); i++) {
            double tolerance = pow(10, -2 - i), off = fabs(speed_at_end(scheme[k], tolerance, &steps) / exact - 1);
            print_message("%s, tolerance %g: %.2e off after %d steps\n", scheme[k], tolerance, off, (int)steps);
            if (!(off < 2 * tolerance)) fail_msg("more than twice the tolerance");
            if (i && !(before / off > 5 && before / off < 20)) fail_msg("not proportional");
            before = off;
        }
    }
}

/* ---------------------------------------------------------------- temperature and scalars */
#define SLAB "bottom = { type = \"symmetry\"; }; top = { type = \"symmetry\"; }; };\n"
#define HOT "initial = { temperature = %g; };\nboundary = { left = { type = \"wall\"; temperature = " \
            "\"%g + sin(8*pi*t)\"; }; right = { type = \"wall\"; temperature = %g; }; " SLAB

#define FLUID "fluid = { viscosity = 0.01; heat_capacity = 1.0; conductivity = 0.05; };\n"
#define METAL "solids = { metal = { density = 1.0; heat_capacity = 1.0; conductivity = 0.05; }; };\n"
#define PISO "solver = { algorithm = \"piso\"; };\n"

static int all_metal(const double x[3]) { (void)x; return 1; }
static int half_metal(const double x[3]) { return x[0] > 0.5; }

/* At rest beside a wall whose value swings about a level: that at the start, left and right. */
static const struct { const char *what, *text; int equation; int (*region_of)(const double x[3]); } media[] = {
    {"fluid", FLUID PISO HOT, 1, NULL}, {"fluid beside metal", FLUID METAL PISO HOT, 1, half_metal},
    {"metal", METAL "solver = { algorithm = \"transient-conduction\"; };\n" HOT, 1, all_metal},
    {"dye", "fluid = { viscosity = 0.01; };\n" PISO
            "scalars = { dye = { diffusivity = 0.05; initial = %g; values = { left = \"%g + sin(8*pi*t)\"; "
            "right = %g; }; }; };\nboundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; " SLAB,
     0, NULL}};

/* The values at t = 1.03, [*n], freed by the caller. */
static double *swing(int medium, const char *scheme, double level, double tolerance, int64_t *steps, int64_t *n)
{
    static const char *const names[] = {"fluid", "metal"};
    struct beside w;
    struct box_setting box = grid_box(GRID_QUADS, 12, 0);
    char text[2000];
    int at = snprintf(text, sizeof text, media[medium].text, level, level, level);
    snprintf(text + at, sizeof text - (size_t)at, "time = { end = 1.03; step = 0.5; scheme = \"%s\"; tolerance = %g; "
             "};\n", scheme, tolerance);
    if (media[medium].region_of) open_solids(&w, GRID_QUADS, 12, 0, names, 2, media[medium].region_of, true, text);
    else open_unsteady(&w.unsteady, GRID_QUADS, &box, 0, text);
    struct transient *t = &w.unsteady.t;
    advance_to_end(&w.unsteady);
    const struct scalars *all = t->f.equation[media[medium].equation];
    *steps = t->steps, *n = all->s->n_cells;
    double *x = FROM_DEVICE(all->item->x, *n);
    if (media[medium].region_of) close_solids(&w);
    else close_unsteady(&w.unsteady);
    return x;
}

/* In 26 times the time in which they change by their own size, and at another level alike. */
static void temperature_and_scalars_count(void **state)
{
    (void)state;
    static const struct { int medium; const char *scheme; } row[] = {{0, "euler"}, {0, "bdf2"}, {1, "crank-nicolson"},
                                                                     {2, "bdf2"}, {3, "bdf2"}};
    const double tolerance = 0.01;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int64_t steps, fine, at_level, n;
        double *x = swing(row[i].medium, row[i].scheme, 0, tolerance, &steps, &n), off = 0, size = 0;
        double *exact = swing(row[i].medium, "bdf2", 0, 1e-3, &fine, &n);
        free(swing(row[i].medium, "bdf2", 256, tolerance, &at_level, &n));
        for (int c = 0; c < n; c++) off += pow(x[c] - exact[c], 2), size += exact[c] * exact[c];
        off = sqrt(off / size);
        print_message("%s, %s: %.2e off after %d steps\n", media[row[i].medium].what, row[i].scheme, off, (int)steps);
        if (!(off < 4 * tolerance)) fail_msg("too far off");
        if (i > 0 && labs((long)(at_level - steps)) > steps / 20) fail_msg("%d steps at 256", (int)at_level);
        free(x), free(exact);
    }
}

/* ---------------------------------------------------------------- at rest */
/* Forces that die away: the last velocities are nothing beside the first ones, and so are their errors. */
static void a_flow_that_has_come_to_rest_has_no_error(void **state)
{
    (void)state;
    static const char *const scheme[] = {"euler", "bdf2", "crank-nicolson"};
    for (int i = 0; i < 3; i++) {
        struct unsteady w;
        struct transient_report r;
        struct box_setting box = grid_box(GRID_QUADS, 12, 0);
        char text[1000];
        snprintf(text, sizeof text, "fluid = { viscosity = 0.1; };\nboundary = { left = { type = \"wall\"; }; right = "
                 "{ type = \"wall\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
                 "sources = { all = { force = [\"y*exp(-10*t)\", 0]; }; };\nsolver = { algorithm = \"piso\"; };\n"
                 "time = { end = 50.0; step = 0.1; scheme = \"%s\"; };\n", scheme[i]);
        open_unsteady(&w, GRID_QUADS, &box, 0, text);
        for (int k = 0; k < 300; k++) transient_advance(&w.t, 0.1, &r);
        print_message("%s: speed %.1e, error %.1e\n", scheme[i], r.speed, transient_splitting(&w.t));
        assert_true(transient_splitting(&w.t) < 0.01);
        close_unsteady(&w);
    }
}

/* time.step as a far too large bound does not make the first step large. */
static void the_first_step_is_short(void **state)
{
    (void)state;
    struct unsteady w;
    struct transient_report r;
    double h = 2 * M_PI / 32;
    open_vortex(&w, 1e-3, 1.0, "bdf2", 1e-3);
    w.c.flow.time.step = w.c.flow.time.end = 1e5;
    w.t.speed = 1;
    double dt = transient_choose_step(&w.t, 1e5);
    assert_true(dt <= 0.1 * h * (1 + 1e-12) && dt > 0.09 * h);
    transient_advance(&w.t, dt, &r);
    assert_true(transient_choose_step(&w.t, 1e5) <= 1.5 * dt * (1 + 1e-12));
    close_unsteady(&w);
}

/* The unit of mass changes no bit of it, and so no step. */
static void units_of_mass_do_not_matter(void **state)
{
    (void)state;
    double step[2];
    for (int i = 0; i < 2; i++) {
        struct unsteady w;
        char text[1000];
        const double mass = i ? 128 : 1;
        struct box_setting box = grid_box(GRID_TRIANGLES, 5, 0.2);
        snprintf(text, sizeof text, "fluid = { density = %g; viscosity = %g; };\n"
                 "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; };\n"
                 "bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = [1.0, 0.0]; }; };\n"
                 "time = { end = 0.3; step = 0.02; tolerance = 1e-3; };\nsolver = { algorithm = \"piso\"; };\n",
                 3 * mass, 0.1 * mass);
        open_unsteady(&w, GRID_TRIANGLES, &box, 0, text);
        advance_to_end(&w);
        step[i] = w.t.older_step;
        close_unsteady(&w);
    }
    assert_true(step[0] == step[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(error_is_that_of_the_scheme),
                                       cmocka_unit_test(a_step_made_again_has_the_same_bits),
                                       cmocka_unit_test(errors_are_proportional_to_the_tolerance),
                                       cmocka_unit_test(temperature_and_scalars_count),
                                       cmocka_unit_test(a_flow_that_has_come_to_rest_has_no_error),
                                       cmocka_unit_test(the_first_step_is_short),
                                       cmocka_unit_test(units_of_mass_do_not_matter)};
    return RUN_TESTS("step_error", tests);
}

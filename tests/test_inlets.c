/* Inlets with a flow rate, a mass flow and a total pressure. */
#include "unsteady_fixture.h"

/* Volume per time out of the domain through a patch. */
static double flow_through(const struct flow *f, const struct mesh *m, const char *name)
{
    double *flux = FROM_DEVICE(f->flux, f->s.n_faces), sum = 0;
    for (int i = 0; i < m->n_patches; i++)
        for (int32_t k = 0; k < m->patch[i].count && !strcmp(m->patch[i].name, name); k++)
            sum += flux[m->patch[i].first + k];
    free(flux);
    return sum;
}

static const char *sides(enum grid kind, const char *type)
{
    static char text[200];
    snprintf(text, sizeof text, "bottom = { type = \"%s\"; }; top = { type = \"%s\"; };%s", type, type,
             grid_dim(kind) == 2 ? "" : " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };");
    return text;
}

/* Exactly what the case asks for, on every kind of cell, for every profile. */
static void rates_are_exact(void **state)
{
    (void)state;
    static const char *const given[] = {"flow_rate = 2.0;", "flow_rate = 2.0; profile = \"parabolic\";",
                                        "mass_flow = 5.0; profile = \"parabolic\";", "mass_flow = 5.0;"};
    for (int kind = 0; kind <= GRID_MIXED_3D; kind++)
        for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
            struct box_setting box = grid_box(kind, 4, 0.2);
            struct trial w = {0};
            struct simple_report r;
            char text[1000];
            snprintf(text, sizeof text, "fluid = { density = 2.5; viscosity = 0.1; };\nboundary = { left = { type = "
                     "\"inlet\"; %s }; right = { type = \"outlet\"; }; %s };\n", given[i], sides(kind, "slip"));
            trial_open(&w, kind, &box, false, text);
            simple_iterate(&w.simple, &r);
            double in = -flow_through(w.f, &w.m, "left");
            if (!(fabs(in - 2) < 1e-14)) fail_msg("%s, %s: %.17g", grid_name[kind], given[i], in);
            trial_close(&w);
        }
}

/* A channel whose height falls from 1 to `less` between x = 0.25 and 0.75. */
static void contract(struct mesh *m, double less)
{
    for (int32_t i = 0; i < m->n_vertices; i++) {
        double x = fmin(fmax(2 * m->vertex[3 * (int64_t)i] - 0.5, 0), 1);
        m->vertex[3 * (int64_t)i + 1] *= 1 - (1 - less) * 0.5 * (1 - cos(M_PI * x));
        m->vertex[3 * (int64_t)i] *= 4;
    }
}

static void nozzle_mesh(struct mesh *m, enum grid kind, int n)
{
    struct error e;
    struct box_setting box = grid_box(kind, n, 0);
    box.cells[0] = 3 * n, box.cells[2] = 2, box.to[2] = 2.0 / n;
    memset(m, 0, sizeof *m);
    grid_mesh(m, kind, &box);
    contract(m, 0.5);
    if (!mesh_complete(m, ORDERING_HILBERT, (int[]){0, 1, 2, 3, 4, 5}, 0, &e)) fail_msg("%s", e.text);
}

static void nozzle_text(char *text, size_t size, enum grid kind, double density, double pressure, const char *more)
{
    snprintf(text, size, "fluid = { density = %.17g; viscosity = %.17g; };\nboundary = { left = { type = \"inlet\"; "
             "total_pressure = %.17g; }; right = { type = \"outlet\"; pressure = %.17g; }; %s };\n%s", density,
             1e-5 * density, pressure + 2 * density, pressure, sides(kind, "slip"), more);
}

/* The outflow has the speed of Bernoulli's equation, 2, through half the height, whatever the algorithm. */
static void nozzle_obeys_bernoulli(void **state)
{
    (void)state;
    static const struct { enum grid kind; const char *algorithm; double density, pressure; } row[] = {
        {GRID_QUADS, "simple", 1, 0}, {GRID_QUADS, "simplec", 1000, -7}, {GRID_QUADS, "coupled", 1, 3},
        {GRID_TRIANGLES, "simplec", 1, 0}, {GRID_TRIANGLES, "coupled", 1e-3, 0}, {GRID_TETRAHEDRA, "coupled", 1, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct trial w = {0};
        char text[1500], more[200];
        int n = grid_dim(row[i].kind) == 2 ? 12 : 6;
        nozzle_mesh(&w.m, row[i].kind, n);
        snprintf(more, sizeof more, "solver = { algorithm = \"%s\"; tolerance = 1e-7; max_iterations = 1000; };\n",
                 row[i].algorithm);
        nozzle_text(text, sizeof text, row[i].kind, row[i].density, row[i].pressure, more);
        trial_start(&w, text);
        int iterations = trial_converge(&w);
        double depth = grid_dim(row[i].kind) == 2 ? 1 : 2.0 / n, out = flow_through(w.f, &w.m, "right") / depth;
        print_message("%s, %s: %d iterations, flow %.6f\n", grid_name[row[i].kind], row[i].algorithm, iterations, out);
        assert_true(iterations > 0 && fabs(out - 1) < (depth < 1 ? 2e-2 : 1e-3));
        trial_close(&w);
    }
}

/* In time, from rest, with steps of small and large Courant numbers. */
static void nozzle_in_time(void **state)
{
    (void)state;
    static const struct { enum grid kind; const char *algorithm; double step; } row[] = {
        {GRID_QUADS, "piso", 0.05}, {GRID_QUADS, "pimple", 0.5}, {GRID_TRIANGLES, "piso", 0.2}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct unsteady w;
        char text[1500], more[200];
        nozzle_mesh(&w.m, row[i].kind, 8);
        snprintf(more, sizeof more, "time = { end = 40.0; step = %g; };\nsolver = { algorithm = \"%s\"; };\n",
                 row[i].step, row[i].algorithm);
        nozzle_text(text, sizeof text, row[i].kind, 2, 1, more);
        start_unsteady(&w, text);
        advance_to_end(&w);
        double out = flow_through(&w.t.f, &w.m, "right");
        print_message("%s, %s: flow %.6f\n", grid_name[row[i].kind], row[i].algorithm, out);
        assert_true(fabs(out - 1) < 2e-3);
        close_unsteady(&w);
    }
}

/* The flux at the end of a step is the given one of that time, whatever the scheme, and the pressure that accelerates
 * the flow does not alternate. */
static void inlets_follow_the_time(void **state)
{
    (void)state;
    static const char *const schemes[] = {"euler", "bdf2", "crank-nicolson"};
    for (int i = 0; i < 3; i++) {
        struct unsteady w;
        struct transient_report r;
        struct box_setting box = grid_box(GRID_QUADS, 8, 0);
        char text[800];
        double last = 0;
        snprintf(text, sizeof text, "fluid = { density = 1.0; viscosity = 0.1; };\nboundary = { left = { type = "
                 "\"inlet\"; velocity = [\"t\", 0.0]; }; right = { type = \"outlet\"; }; bottom = { type = "
                 "\"slip\"; }; top = { type = \"slip\"; }; };\nsolver = { algorithm = \"piso\"; };\n"
                 "time = { end = 2.0; step = 0.1; scheme = \"%s\"; };\n", schemes[i]);
        open_unsteady(&w, GRID_QUADS, &box, 0, text);
        while (w.t.time < 2 * (1 - 1e-12)) {
            transient_advance(&w.t, transient_choose_step(&w.t, 2), &r);
            double in = -flow_through(&w.t.f, &w.m, "left"), *p = FROM_DEVICE(w.t.f.p, w.m.n_cells), mean = 0;
            for (int32_t c = 0; c < w.m.n_cells; c++) mean += p[c] / w.m.n_cells;
            free(p);
            if (!(fabs(in - w.t.time) < 1e-12)) fail_msg("%s: %.12g in at t = %g", schemes[i], in, w.t.time);
            if (w.t.steps > 1 && !(fabs(mean - last) < 0.1))
                fail_msg("%s: pressure %g after %g at t = %g", schemes[i], mean, last, w.t.time);
            last = mean;
        }
        close_unsteady(&w);
    }
}

/* A fraction that jumps within faces is averaged over them. */
static void fractions_that_jump(void **state)
{
    (void)state;
    for (int kind = 0; kind <= GRID_MIXED_3D; kind++) {
        struct box_setting box = grid_box(kind, 5, 0);
        struct unsteady w;
        struct transient_report r;
        char text[1000];
        const int dim = grid_dim(kind);
        const double step = 0.01, exact = 0.43 * step;
        snprintf(text, sizeof text, "fluid = { viscosity = 0.1; };\nsecond_fluid = { density = 1.0; viscosity = 0.1; "
                 "};\nboundary = { left = { type = \"inlet\"; velocity = %s; fraction = \"y < 0.43 ? 1 : 0\"; }; right "
                 "= { type = \"outlet\"; }; %s };\nsolver = { algorithm = \"piso\"; };\ntime = { end = 1.0; step = %g; "
                 "};\n", dim == 2 ? "[1.0, 0.0]" : "[1.0, 0.0, 0.0]", sides(kind, "slip"), step);
        open_unsteady(&w, kind, &box, 0, text);
        transient_advance(&w.t, step, &r);
        double *fraction = FROM_DEVICE(w.t.f.interface->fraction, w.m.n_cells), volume = 0;
        for (int32_t c = 0; c < w.m.n_cells; c++) volume += fraction[c] * w.m.cell_volume[c];
        if (!(fabs(volume - exact) < 0.012 * exact)) fail_msg("%s: %g entered, of %g", grid_name[kind], volume, exact);
        free(fraction);
        close_unsteady(&w);
    }
}

/* The largest velocity before the run, which limits the step by the Courant number and so chooses the velocity's
 * preconditioner. */
static void largest_speeds(void **state)
{
    (void)state;
    static const struct { const char *left; double least, most; } row[] = {
        {"velocity = [3.0, 4.0]", 5, 5}, {"velocity = [\"6*y*(1 - y)\", \"0\"]", 1.4, 1.5},
        {"velocity = [\"1 + sin(t)\", \"0\"]", 1.98, 2}, {"flow_rate = 2.0", 2, 2},
        {"flow_rate = \"2*cos(t)\"", 2, 2},
        {"flow_rate = 2.0; profile = \"parabolic\"", 2.9, 3}, {"mass_flow = 5.0", 2, 2},
        {"total_pressure = 5.0", 0, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct box_setting box = grid_box(GRID_QUADS, 8, 0);
        struct case_settings c;
        struct mesh m = {0};
        struct error e;
        char text[1000];
        snprintf(text, sizeof text, "mesh = { box = { cells = [1, 1]; }; };\n"
                 "fluid = { density = 2.5; viscosity = 5.0; };\n"
                 "boundary = { left = { type = \"inlet\"; %s; }; right = { type = \"outlet\"; }; %s };\n"
                 "solver = { algorithm = \"piso\"; };\ntime = { end = 1.0; step = 0.1; courant = 0.5; };\n",
                 row[i].left, sides(GRID_QUADS, "slip"));
        case_of_text(&c, text);
        grid_mesh(&m, GRID_QUADS, &box);
        if (!mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
        double speed = boundary_largest_speed(&m, &c.flow.boundary, 0.1);
        if (!(speed >= row[i].least - 1e-12 && speed <= row[i].most + 1e-12)) fail_msg("%s: %g", row[i].left, speed);
        double step = speed > 0 ? fmin(0.1, 0.5 * 0.125 / speed) : 0.1;
        assert_true(fabs(flow_viscous_number(&c.flow, 0.125, speed) - 2 * step * 64) < 1e-10);
        mesh_free(&m), case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates_are_exact), cmocka_unit_test(nozzle_obeys_bernoulli),
                                       cmocka_unit_test(nozzle_in_time),
                                       cmocka_unit_test(inlets_follow_the_time),
                                       cmocka_unit_test(fractions_that_jump), cmocka_unit_test(largest_speeds)};
    return RUN_TESTS("inlets", tests);
}

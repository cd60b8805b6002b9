/* In cells that are much thinner than long, with large viscous numbers across them, a flow along them hardly depends
 * on their thickness, at any step. */
#include "unsteady_fixture.h"

/* The largest velocity of a flow between two outlets and two walls, and thin in x; at a time when the error of the
 * first step, which only thin cells repeat (transient_correctors()), has decayed. */
static double speed(double thickness, int nx, const char *sides, const char *scheme)
{
    struct box_setting box = grid_box(GRID_HEXAHEDRA, 3, 0);
    struct unsteady w;
    char text[1500];
    box.cells[0] = nx, box.to[0] = thickness, box.cells[1] = 4;
    snprintf(text, sizeof text, "fluid = { viscosity = 0.005; };\nboundary = { left = { type = \"%s\"; }; right = { "
             "type = \"%s\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; back = { type = \"outlet\"; "
             "pressure = 0.001; }; front = { type = \"outlet\"; }; };\ntime = { end = 60.0; step = 1.0; scheme = "
             "\"%s\"; };\nsolver = { algorithm = \"piso\"; pressure = { tolerance = 1e-12; }; velocity = { tolerance "
             "= 1e-12; }; };\n", sides, sides, scheme);
    open_unsteady(&w, GRID_HEXAHEDRA, &box, !strcmp(sides, "periodic"), text);
    double most = advance_to_end(&w).speed;
    close_unsteady(&w);
    return most;
}

static void compare(const char *sides)
{
    static const char *const schemes[] = {"euler", "bdf2", "crank-nicolson"};
    static const double thin[] = {0.1, 0.001};
    open_device();
    for (int i = 0; i < 6; i++) {
        const int nx = i < 3 ? 2 : 5;
        double thick = speed(1, nx, sides, schemes[i % 3]);
        for (int k = 0; k < 2; k++) {
            double found = speed(thin[k], nx, sides, schemes[i % 3]);
            if (!(fabs(found / thick - 1) < 3e-3))
                fail_msg("%s, %s, %d: speed %g if %g thick, %g if 1", sides, schemes[i % 3], nx, found, thin[k], thick);
        }
    }
    device_close();
}

static void between_periodic_sides(void **state)
{
    (void)state;
    compare("periodic");
}

/* Along a slip boundary there is no friction, which would be that of a cell's small thickness. */
static void between_slip_boundaries(void **state)
{
    (void)state;
    compare("slip");
}

/* Half of a channel that starts from rest, up to its plane of symmetry, is half of the channel. */
static void half_a_channel(void **state)
{
    (void)state;
    static const char *const schemes[] = {"euler", "bdf2", "crank-nicolson"};
    open_device();
    for (int i = 0; i < 6; i++) {
        double found[2];
        for (int half = 0; half < 2; half++) {
            struct box_setting box = grid_box(i < 3 ? GRID_QUADS : GRID_TRIANGLES, 4, 0);
            struct unsteady w;
            char text[1500];
            box.cells[1] = half ? 16 : 32, box.to[1] = half ? 0.5 : 1, box.to[0] = 0.25;
            snprintf(text, sizeof text, "fluid = { viscosity = 0.1; acceleration = [1.0, 0.0]; };\nboundary = { left = "
                     "{ type = \"periodic\"; }; right = { type = \"periodic\"; }; bottom = { type = \"wall\"; }; top = "
                     "{ type = \"%s\"; }; };\ntime = { end = 1.0; step = 0.1; scheme = \"%s\"; };\nsolver = { "
                     "algorithm = \"piso\"; pressure = { tolerance = 1e-8; }; velocity = { tolerance = 1e-8; "
                     "}; };\n", half ? "symmetry" : "wall", schemes[i % 3]);
            open_unsteady(&w, i < 3 ? GRID_QUADS : GRID_TRIANGLES, &box, 1, text);
            found[half] = advance_to_end(&w).speed;
            close_unsteady(&w);
        }
        if (!(fabs(found[1] / found[0] - 1) < 2e-3))
            fail_msg("%s, %s: speed %g in half of the channel, %g in all", i < 3 ? "squares" : "triangles",
                     schemes[i % 3], found[1], found[0]);
    }
    device_close();
}

/* Mean square of the velocity in a cavity with a moving lid and this many layers of cells between slip walls. */
static double cavity(int layers)
{
    struct box_setting box = grid_box(GRID_HEXAHEDRA, 5, 0);
    struct unsteady w;
    double sum = 0;
    box.cells[2] = layers, box.to[2] = 1;
    open_unsteady(&w, GRID_HEXAHEDRA, &box, 0, "fluid = { viscosity = 1.0; };\nboundary = { left = { type = \"wall\"; "
                  "}; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = "
                  "[1.0, 0.0, 0.0]; }; back = { type = \"slip\"; }; front = { type = \"slip\"; }; };\n"
                  "time = { end = 4.0; step = 0.5; scheme = \"euler\"; };\nsolver = { algorithm = \"piso\"; };\n");
    advance_to_end(&w);
    double *u = FROM_DEVICE(w.t.f.u, 2 * w.t.f.s.pitch);
    for (int32_t c = 0; c < w.m.n_cells; c++) sum += u[c] * u[c] + u[w.t.f.s.pitch + c] * u[w.t.f.s.pitch + c];
    free(u);
    sum /= w.m.n_cells;
    close_unsteady(&w);
    return sum;
}

/* A direction without neighbours is no reason not to extrapolate the pressure to walls in others. */
static void one_layer_is_as_good_as_two(void **state)
{
    (void)state;
    open_device();
    double one = cavity(1), two = cavity(2);
    if (!(fabs(one / two - 1) < 0.01)) fail_msg("mean square %g with one layer of cells, %g with two", one, two);
    device_close();
}

/* Between two outlets, cells that are thin across one of them and long steps: from rest the flow ends at the flow of
 * cells of equal thickness. */
static double between_outlets(enum grid kind, double stretch, double step)
{
    struct box_setting box = grid_box(kind, 4, 0);
    struct unsteady w;
    char text[1500];
    double sum[N_PASSING];
    const bool flat = grid_dim(kind) == 2;
    box.cells[0] = 8, box.to[0] = 2, box.stretch[1] = stretch;
    snprintf(text, sizeof text, "fluid = { viscosity = 0.01; };\nboundary = { left = { type = \"wall\"; }; right = { "
             "type = \"wall\"; }; bottom = { type = \"outlet\"; pressure = 1e-5; }; top = { type = "
             "\"outlet\"; };%s };\ntime = { end = %g; step = %g; scheme = \"euler\"; };\n"
             "solver = { algorithm = \"piso\"; };\n",
             flat ? "" : " back = { type = \"slip\"; }; front = { type = \"slip\"; };", 100 * step, step);
    open_unsteady(&w, kind, &box, 0, text);
    advance_to_end(&w);
    flow_passing(&w.t.f, sum);
    close_unsteady(&w);
    return sum[PASSING_GROSS];
}

static void thin_across_outlets(void **state)
{
    (void)state;
    static const struct { enum grid kind; double stretch, step; } row[] = {
        {GRID_QUADS, 6.1, 1}, {GRID_QUADS, 6.1, 1000}, {GRID_QUADS, 100, 0.1}, {GRID_QUADS, 100, 1000},
        {GRID_TRIANGLES, 6.1, 1000}, {GRID_TETRAHEDRA, 6.1, 1000}};
    open_device();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double equal = between_outlets(row[i].kind, 1, row[i].step);
        double found = between_outlets(row[i].kind, row[i].stretch, row[i].step);
        if (!(fabs(found / equal - 1) < 1e-3))
            fail_msg("%s, %g times as thick, step %g: flow %g, with equal cells %g", grid_name[row[i].kind],
                     row[i].stretch, row[i].step, found, equal);
    }
    device_close();
}

/* The velocities after a step in which layers of thin cells, fast and slow, become one, and walls at the ends of the
 * layers slow them down; freed by the caller. */
static double *mixed(const char *algorithm, double thickness, const char *solver, int32_t *n)
{
    struct box_setting box = grid_box(GRID_HEXAHEDRA, 4, 0);
    struct unsteady w;
    struct error e;
    char text[1500];
    box.to[0] = box.to[2] = 7.71, box.to[1] = thickness, box.cells[1] = 8;
    snprintf(text, sizeof text, "fluid = { viscosity = 2.2e-4; };\nboundary = { left = { type = \"wall\"; }; right = { "
             "type = \"wall\"; }; bottom = { type = \"slip\"; }; top = { type = \"slip\"; }; back = { type = "
             "\"periodic\"; with = \"front\"; }; front = { type = \"periodic\"; with = \"back\"; }; };\n"
             "initial = { velocity = [\"0\", \"0\", \"y > %g ? 1 : 0\"]; };\n"
             "time = { end = 23700.0; step = 23700.0; scheme = \"euler\"; };\n"
             "solver = { algorithm = \"%s\"; %s };\n", 0.49 * thickness, algorithm, solver);
    memset(&w.m, 0, sizeof w.m);
    grid_mesh(&w.m, GRID_HEXAHEDRA, &box);
    if (!mesh_complete(&w.m, ORDERING_HILBERT, (int[]){4, 5, 0, 1, 2, 3}, 1, &e)) fail_msg("%s", e.text);
    start_unsteady(&w, text);
    advance_to_end(&w);
    *n = w.m.n_cells;
    double *u = FROM_DEVICE(w.t.f.u + 2 * w.t.f.s.pitch, *n);
    close_unsteady(&w);
    return u;
}

/* The linear solver does not end at a part of the first residual, which is that of the thin direction. */
static void solvers_end_at_errors_that_are_small(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"piso", "pimple"};
    open_device();
    for (int i = 0; i < 4; i++) {
        const double thickness = i % 2 ? 0.142 : 0.0142;
        int32_t n;
        double worst = 0, *u = mixed(algorithms[i / 2], thickness, "", &n),
               *exact = mixed(algorithms[i / 2], thickness, "velocity = { tolerance = 1e-13; };", &n);
        for (int32_t c = 0; c < n; c++) worst = fmax(worst, fabs(u[c] - exact[c]));
        print_message("# layers of %g that mix, %s: within %.2g\n", thickness, algorithms[i / 2], worst);
        assert_true(worst < 1e-4);
        free(u), free(exact);
    }
    device_close();
}

/* The velocities of a cavity of this height after 0.3 periods of its lid, with nu dt / h^2 = 300 across the
 * cells; freed by the caller. */
static double *shallow(double height, const char *solver, int32_t *n)
{
    struct box_setting box = grid_box(GRID_QUADS, 24, 0);
    struct unsteady w;
    char text[1500];
    const double step = 0.05, h = height / 24;
    box.to[1] = height;
    snprintf(text, sizeof text, "fluid = { viscosity = %g; };\nboundary = { left = { type = \"wall\"; }; right = { "
             "type = \"wall\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = "
             "[\"sin(2*pi*t)\", 0.0]; }; };\ntime = { end = 0.3; step = %g; };\nsolver = { %s };\n",
             300 * h * h / step, step, solver);
    open_unsteady(&w, GRID_QUADS, &box, 0, text);
    advance_to_end(&w);
    *n = w.m.n_cells;
    double *u = FROM_DEVICE(w.t.f.u, *n);
    close_unsteady(&w);
    return u;
}

/* The correctors of a step settle where viscosity dominates across thin cells, too. */
static void correctors_settle(void **state)
{
    (void)state;
    open_device();
    for (int i = 0; i < 2; i++) {
        const double height = i ? 0.02 : 0.1;
        int32_t n;
        double worst = 0, *u = shallow(height, "algorithm = \"piso\";", &n),
               *exact = shallow(height, "algorithm = \"pimple\"; outer_correctors = 40; correctors = 6;", &n);
        for (int32_t c = 0; c < n; c++) worst = fmax(worst, fabs(u[c] - exact[c]));
        print_message("# shallow cavity of height %g: piso within %.2g\n", height, worst);
        assert_true(worst < 0.03);
        free(u), free(exact);
    }
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(between_periodic_sides),
                                       cmocka_unit_test(between_slip_boundaries),
                                       cmocka_unit_test(half_a_channel),
                                       cmocka_unit_test(thin_across_outlets),
                                       cmocka_unit_test(solvers_end_at_errors_that_are_small),
                                       cmocka_unit_test(correctors_settle),
                                       cmocka_unit_test(one_layer_is_as_good_as_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Temperatures in steps of large Courant and diffusion numbers: they are stable with every scheme, and end at the
 * steady state. */
#include "solids_fixture.h"
#include "flow/heat.h"
#include "flow/scalar.h"

static int all_plate(const double x[3]) { (void)x; return 1; }
static const char *const names[] = {"fluid", "plate"};
static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_TETRAHEDRA};
enum { N_KINDS = sizeof kinds / sizeof *kinds, CELLS_2D = 12, CELLS_3D = 4 };

/* Two layers of a stream that mix a little on their way through the box.  time: that section, or "". */
static void stream(char *text, size_t size, enum grid kind, const char *algorithm, const char *scheme,
                   const char *time)
{
    const char *w = grid_dim(kind) == 3 ? ", 0.0" : "";
    snprintf(text, size, "fluid = { viscosity = 1.0; heat_capacity = 1.0; conductivity = 0.01; };\nboundary = { left = "
             "{ type = \"inlet\"; velocity = [1.0, 0.0%s]; temperature = \"y < 0.5 ? 300 : 301\"; }; right = { type = "
             "\"outlet\"; }; bottom = { type = \"symmetry\"; }; top = { type = \"symmetry\"; };%s };\ninitial = { "
             "velocity = [1.0, 0.0%s]; temperature = 300.0; };\nsolver = { algorithm = \"%s\"; convection_temperature "
             "= \"%s\"; %s };\n%s", w, *w ? " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };" : "",
             w, algorithm, scheme, *time ? "" : "tolerance = 1e-9; max_iterations = 400;", time);
}

static struct box_setting box_of(enum grid kind)
{
    return grid_box(kind, grid_dim(kind) == 3 ? CELLS_3D : CELLS_2D, 0.1);
}

/* [n_cells], freed by the caller. */
static double *steady_temperature(enum grid kind, const char *scheme)
{
    const struct box_setting box = box_of(kind);
    struct simple_report r = {.residual = {0}};
    struct trial w = {.c = {.flow = {.solver = {.tolerance = 0}}}};
    char text[2000];
    stream(text, sizeof text, kind, "simplec", scheme, "");
    trial_open(&w, kind, &box, false, text);
    for (int i = 0; i < 400 && (i < 2 || r.residual[w.m.dim + 1] > 1e-9); i++) simple_iterate(&w.simple, &r);
    assert_true(r.residual[w.m.dim + 1] <= 1e-9);
    double *x = FROM_DEVICE(*temperature(w.f)->value, w.m.n_cells);
    trial_close(&w);
    return x;
}

/* After 20 steps the largest difference from it. */
static double difference_after(enum grid kind, const char *scheme, const char *time_scheme, double courant,
                               const double *steady)
{
    const struct box_setting box = box_of(kind);
    const double dt = courant / box.cells[0];
    struct unsteady w;
    char text[2000], time[200];
    snprintf(time, sizeof time, "time = { step = %.17g; end = %.17g; scheme = \"%s\"; };\n", dt, fmax(20 * dt, 4),
             time_scheme);
    stream(text, sizeof text, kind, "piso", scheme, time);
    open_unsteady(&w, kind, &box, 0, text);
    advance_to_end(&w);
    double *x = FROM_DEVICE(*temperature(&w.t.f)->value, w.m.n_cells), worst = 0;
    for (int32_t c = 0; c < w.m.n_cells; c++) worst = fmax(worst, fabs(x[c] - steady[c]));
    free(x);
    close_unsteady(&w);
    return worst;
}

/* upwind, limited: near Courant number 1 their limiter allows more than that of steady flow.  central: without damping
 * for the shortest waves its passes are given up in the longest steps, so that it advances by Euler's rule with lagged
 * corrections. */
static void long_steps_end_at_the_steady_state(void **state)
{
    (void)state;
    static const char *const schemes[] = {"upwind", "linear-upwind", "limited", "van-leer", "central"};
    static const double courant[] = {2, 20, 2000, 20}, most[] = {5e-4, 2e-5, 2e-5, 2e-5, 1e-3}, near_1 = 5e-3;
    static const char *const times[] = {"bdf2", "bdf2", "bdf2", "euler"};
    for (int k = 0; k < N_KINDS * 5; k++) {
        const enum grid kind = kinds[k / 5];
        double *steady = steady_temperature(kind, schemes[k % 5]);
        for (int i = 0; i < 4; i++) {
            double d = difference_after(kind, schemes[k % 5], times[i], courant[i], steady);
            print_message("# %s, %s, %s, Courant number %g: %.1e\n", grid_name[kind], schemes[k % 5], times[i],
                          courant[i], d);
            assert_true(d <= (k % 5 % 2 == 0 && i == 0 ? near_1 : most[k % 5]));
        }
        free(steady);
    }
}

/* On cells so oblique that lagged corrections of diffusion alone would make the two stages oscillate. */
static void long_steps_conduct_through_oblique_cells(void **state)
{
    (void)state;
    double *end[2];
    int32_t n = 0;
    for (int i = 0; i < 2; i++) {
        struct box_setting box = grid_box(GRID_TETRAHEDRA, 4, 0.35);
        struct beside w;
        char text[1000];
        box.to[2] = 0.15;
        snprintf(text, sizeof text, "solids = { plate = { density = 1.0; heat_capacity = 1.0; conductivity = 1.0; "
                 "}; };\nboundary = { left = { type = \"wall\"; temperature = 1.0; }; right = { type = \"wall\"; "
                 "temperature = \"sin(7*z)*cos(5*y)\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; "
                 "transfer = [3.0, 2.0]; }; back = { type = \"wall\"; }; front = { type = \"wall\"; }; };\n"
                 "time = { step = %g; end = %g; scheme = \"%s\"; };\n", i ? 100.0 : 0.1, i ? 4000.0 : 15.0,
                 i ? "bdf2" : "euler");
        open_solids_in(&w, GRID_TETRAHEDRA, &box, names, 2, all_plate, true, text);
        advance_to_end(&w.unsteady);
        n = w.whole.n_cells;
        end[i] = FROM_DEVICE(*temperature(w.f)->value, n);
        close_solids(&w);
    }
    double worst = 0;
    for (int32_t c = 0; c < n; c++) worst = fmax(worst, fabs(end[0][c] - end[1][c]));
    print_message("# steps of 100 and of 0.1: %.1e\n", worst);
    free(end[0]), free(end[1]);
    assert_true(worst < 1e-6);
}

/* In a plate of flat cells, of which one side gives heat: with steps of a diffusion number of 1e8 the inflow in a step
 * is so much more than the plate holds that its smallest error would be any temperature. */
static void heat_of_long_steps_is_conducted(void **state)
{
    (void)state;
    static const char *const times[] = {"bdf2", "euler"};
    double end[2][200];
    for (int i = 0; i < 2; i++) {
        struct box_setting box = {.given = true, .dim = 2, .cells = {6, 28}, .to = {6, 1, 1}, .stretch = {1, 11, 1}};
        struct beside w;
        char text[1000];
        snprintf(text, sizeof text, "solids = { plate = { density = 2940.0; heat_capacity = 953.0; conductivity = "
                 "159.0; }; };\nboundary = { left = { type = \"wall\"; temperature = 393.0; }; right = { type = "
                 "\"wall\"; }; bottom = { type = \"wall\"; temperature = 293.0; }; top = { type = \"wall\"; heat_flux "
                 "= 4400.0; }; };\ninitial = { temperature = 293.0; };\n"
                 "time = { step = %g; end = %g; scheme = \"%s\"; };\n", i ? 4.55e7 : 4.55e5, i ? 1.82e9 : 1.82e7,
                 times[i]);
        open_solids_in(&w, GRID_QUADS, &box, names, 2, all_plate, true, text);
        advance_to_end(&w.unsteady);
        double *x = FROM_DEVICE(*temperature(w.f)->value, w.whole.n_cells);
        memcpy(end[i], x, (size_t)w.whole.n_cells * sizeof *x);
        for (int32_t c = 0; c < w.whole.n_cells && i; c++) assert_true(fabs(end[0][c] - end[1][c]) < 1e-6);
        free(x);
        close_solids(&w);
    }
}

/* What is missing in the balance of heat of the last step, over all that passes the boundary. */
static double missing_heat(struct unsteady *w)
{
    const int32_t n = w->t.f.s.n_boundary;
    double *in = FROM_DEVICE((double *)heat_inflow(&w->t.f, w->t.f.c->heat.reference), n);
    double sum = -heat_stored(&w->t.f), gross = fabs(sum);
    for (int32_t i = 0; i < n; i++) sum += in[i], gross += fabs(in[i]);
    free(in);
    return fabs(sum) / gross;
}

/* A front that passes the box in a step, and cells that cool between walls in a step in which the midpoint rule rings:
 * cut off at the bounds, steps of second order would leave no room for the heat.  Then the temperature is uniform,
 * except for what a flux that is divergence-free only to a loose tolerance makes of it. */
static void heat_of_long_steps_is_kept_within_bounds(void **state)
{
    (void)state;
    static const char *const schemes[] = {"bounded", "upwind", "limited"};
    for (int k = 0; k < 2 * N_KINDS * 3; k++) {
        const enum grid kind = kinds[k / 3 % N_KINDS];
        const bool wall = k >= N_KINDS * 3, solid = grid_dim(kind) == 3;
        struct box_setting box = grid_box(kind, wall ? 2 : solid ? 4 : 8, wall ? 0 : 0.1);
        struct unsteady w;
        struct transient_report r;
        const char *at_wall = wall ? "temperature = 300.0;" : "";
        char text[2000];
        snprintf(text, sizeof text, "fluid = { viscosity = 1.0; heat_capacity = 1.0; conductivity = %g; };\nboundary = "
                 "{ left = { type = \"inlet\"; velocity = [1.0, 0.0%s]; temperature = 300.0; }; right = { type = "
                 "\"outlet\"; }; bottom = { type = \"slip\"; %s }; top = { type = \"slip\"; %s };%s };\ninitial = { "
                 "velocity = [1.0, 0.0%s]; temperature = 301.0; };\ntime = { step = %g; end = 100.0; };\nsolver = { "
                 "algorithm = \"pimple\"; convection_temperature = \"%s\"; pressure = { tolerance = 1e-3; }; };\n",
                 wall ? 10.0 : 0.01, solid ? ", 0.0" : "", at_wall, at_wall,
                 solid ? " back = { type = \"slip\"; }; front = { type = \"slip\"; };" : "", solid ? ", 0.0" : "",
                 wall ? 0.25 : 1.0, schemes[k % 3]);
        open_unsteady(&w, kind, &box, 0, text);
        for (int step = 0; step < 4; step++) {
            transient_advance(&w.t, transient_choose_step(&w.t, 100), &r);
            double *x = FROM_DEVICE(*temperature(&w.t.f)->value, w.m.n_cells);
            for (int32_t c = 0; c < w.m.n_cells; c++)
                assert_true(x[c] >= 300 - 1e-9 && x[c] <= 301 + 1e-9);
            free(x);
            const double open = missing_heat(&w);
            if (!(open < 1e-5))
                fail_msg("%s, %s, %s, step %d: %.2g of the heat is missing", wall ? "wall" : "front", grid_name[kind],
                         schemes[k % 3], step, open);
        }
        close_unsteady(&w);
    }
}

/* Heated from the side, a fluid of Rayleigh number 1e-2 creeps, and the temperature is that of conduction.  In a step
 * of 1e8 times h^2/nu the first corrector balances buoyancy without viscosity, by velocities far beyond the result: the
 * solves after it must not end at a part of its residual. */
static void creeping_flow_in_long_steps(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"piso", "pimple"}, *const schemes[] = {"euler", "bdf2", "crank-nicolson"};
    struct box_setting box = grid_box(GRID_QUADS, 1, 0);
    box.cells[0] = 11, box.cells[1] = 6, box.to[0] = 0.559, box.to[1] = 14.1;
    for (int i = 0; i < 6; i++) {
        struct unsteady w;
        char text[1500];
        snprintf(text, sizeof text, "fluid = { viscosity = 0.0185; gravity = [-0.215, -0.307]; heat_capacity = 1.23; "
                 "conductivity = 0.000488; expansion = 0.000248; reference_temperature = 1000.0; };\n"
                 "boundary = { left = { type = \"wall\"; temperature = 1001.0; }; right = { type = \"wall\"; "
                 "temperature = 1000.0; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
                 "initial = { temperature = 1000.5; };\nsolver = { algorithm = \"%s\"; };\n"
                 "time = { step = 2e7; end = 2e8; scheme = \"%s\"; };\n", algorithms[i / 3], schemes[i % 3]);
        open_unsteady(&w, GRID_QUADS, &box, 0, text);
        double speed = advance_to_end(&w).speed, worst = 0;
        double *x = FROM_DEVICE(*temperature(&w.t.f)->value, w.m.n_cells);
        for (int32_t c = 0; c < w.m.n_cells; c++)
            worst = fmax(worst, fabs(x[c] - 1001 + w.m.cell_centre[c] / 0.559));
        print_message("creeping flow, %s, %s: temperature within %.2g, speed %.2g\n", algorithms[i / 3],
                      schemes[i % 3], worst, speed);
        assert_true(worst < 1e-3 && speed < 2e-4);
        free(x);
        close_unsteady(&w);
    }
}

/* A front that moves in x through cells that are thin in z, where a dye spreads at once, and long in y, where it
 * does not spread at all: it stays the same in y and z.  Rounding must not open the limiter in one cell and close it in
 * the next. */
static void fronts_through_thin_cells_stay_plane(void **state)
{
    (void)state;
    static const char *const schemes[] = {"euler", "bdf2", "crank-nicolson"};
    struct box_setting box = grid_box(GRID_HEXAHEDRA, 1, 0);
    const double to[] = {23.9, 129, 1.79};
    const int cells[] = {3, 4, 6};
    for (int k = 0; k < 3; k++) box.to[k] = to[k], box.cells[k] = cells[k];
    for (int i = 0; i < 3; i++) {
        struct unsteady w;
        char text[1500];
        double apart = 0;
        snprintf(text, sizeof text, "fluid = { viscosity = 131.0; };\n"
                 "scalars = { dye = { diffusivity = 1.45; values = { left = 1.0; }; }; };\n"
                 "boundary = { left = { type = \"inlet\"; velocity = [0.315, 0.0, 0.0]; }; "
                 "right = { type = \"outlet\"; }; bottom = { type = \"slip\"; }; top = { type = \"slip\"; }; "
                 "back = { type = \"slip\"; }; front = { type = \"slip\"; }; };\n"
                 "initial = { velocity = [0.315, 0.0, 0.0]; };\n"
                 "solver = { algorithm = \"piso\"; };\n"
                 "time = { step = 6.54; end = 32.7; scheme = \"%s\"; };\n", schemes[i]);
        open_unsteady(&w, GRID_HEXAHEDRA, &box, 0, text);
        advance_to_end(&w);
        double *x = FROM_DEVICE(*fields_find(&w.t.f.fields, "dye", FIELD_OUTPUT)->value, w.m.n_cells);
        for (int32_t c = 0; c < w.m.n_cells; c++)
            for (int32_t d = 0; d < c; d++)
                if (fabs(w.m.cell_centre[c] - w.m.cell_centre[d]) < 1e-6) apart = fmax(apart, fabs(x[c] - x[d]));
        print_message("a front through thin cells, %s: %.2g apart\n", schemes[i], apart);
        assert_true(apart < 1e-3);
        free(x);
        close_unsteady(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_steps_end_at_the_steady_state),
                                       cmocka_unit_test(creeping_flow_in_long_steps),
                                       cmocka_unit_test(fronts_through_thin_cells_stay_plane),
                                       cmocka_unit_test(long_steps_conduct_through_oblique_cells),
                                       cmocka_unit_test(heat_of_long_steps_is_conducted),
                                       cmocka_unit_test(heat_of_long_steps_is_kept_within_bounds)};
    return RUN_TESTS("long steps", tests);
}

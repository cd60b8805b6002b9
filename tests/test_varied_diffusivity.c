/* Conductivities and diffusivities that depend on the temperature, a scalar, or place and time
 * (assembly/diffusivity.h): exact conduction, the same for a scalar, second order in time. */
#include "unsteady_fixture.h"
#include "gpu/device.h"

static char path[] = "/tmp/poise-test-XXXXXX.csv", of_table[60];      /* made by main(): k = 1 + T / 2 */

static double *values_of(const struct flow *f, const char *name)
{
    const struct field *t = fields_find(&f->fields, name, FIELD_OUTPUT);
    return FROM_DEVICE(*t->value, f->s.n_padded);
}

/* ---------------------------------------------------------------- exact */
/* Between a wall of one kind at x = 0 and the temperature 1 at x = 1: from the flux q, by int k dT = q (1 - x) with
 * k = 1 + T / 2, and for two layers, 1 and 1000. */
static double warm(double x, double q) { return -2 + 2 * sqrt(2.25 + q * (1 - x)); }
static double layered(double x, double q) { return 1 + q * (x < 0.5 ? 0.5e-3 + 0.5 - x : (1 - x) * 1e-3); }

static const struct { const char *law; double (*exact)(double, double); const char *left; double q; } wall[] = {
    {"1 + temperature/2", warm, "temperature = 3.0;", 4}, {"1 + temperature/2", warm, "heat_flux = 1.5;", 1.5},
    {"1 + temperature/2", warm, "transfer = [2.0, 5.0];", 4}, {of_table, warm, "temperature = 3.0;", 4},
    {"x < 0.5 ? 1 : 1000", layered, "temperature = 2.001;", 2}, {"x < 0.5 ? 1 : 1000", layered, "heat_flux = 2;", 2},
    {"x < 0.5 ? 1 : 1000", layered, "transfer = [2.0, 3.001];", 2}};
enum { N_WALLS = sizeof wall / sizeof *wall };

static void case_of_wall(char *text, size_t size, int k, bool solid, const char *rest)
{
    snprintf(text, size, "fluid = { density = 2.0; viscosity = 1.0; heat_capacity = 3.0; conductivity = \"%s\";%s };\n"
             "boundary = { left = { type = \"wall\"; %s }; right = { type = \"slip\"; temperature = 1.0; }; bottom = { "
             "type = \"symmetry\"; }; top = { type = \"wall\"; };%s };\n%s", wall[k].law,
             wall[k].exact == warm && wall[k].law != of_table ? " property_range = [0.0, 6.0];" : "", wall[k].left,
             solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", rest);
}

static double worst_error(const struct flow *f, const struct mesh *m, int k)
{
    double *x = values_of(f, "temperature"), worst = 0;
    for (int32_t c = 0; c < m->n_cells; c++)
        worst = fmax(worst, fabs(x[c] - wall[k].exact(m->cell_centre[c], wall[k].q)));
    free(x);
    return worst;
}

static void conduction_is_exact(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"simplec", "coupled", "simple"};
    static const enum grid kinds[] = {GRID_QUADS, GRID_HEXAHEDRA};
    open_device();
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < N_WALLS; k++) {
            struct trial w;
            struct simple_report r;
            char text[1000], rest[100];
            const bool solid = kinds[i] == GRID_HEXAHEDRA;
            struct box_setting box = grid_box(kinds[i], solid ? 4 : 6, 0);
            snprintf(rest, sizeof rest, "solver = { algorithm = \"%s\"; };\n", algorithm[k % 3]);
            case_of_wall(text, sizeof text, k, solid, rest);
            trial_open(&w, kinds[i], &box, false, text);
            for (int j = 0; j < 2000 && (j < 10 || r.residual[w.m.dim + 1] > 1e-15); j++)
                simple_iterate(&w.simple, &r);
            const double worst = worst_error(w.f, &w.m, k);
            print_message("# %s, %s, %s %s: largest error %.1e\n", grid_name[kinds[i]], algorithm[k % 3], wall[k].law,
                          wall[k].left, worst);
            if (!(worst < 1e-11)) fail_msg("error %g", worst);
            trial_close(&w);
        }
    device_close();
}

/* Steps of BDF2 that are long for conduction through a cell would not be damped. */
static void conduction_becomes_steady(void **state)
{
    (void)state;
    static const char *const scheme[] = {"euler", "bdf2"};
    open_device();
    for (int k = 0; k < 2 * N_WALLS; k += wall[k / 2].exact == warm ? 1 : 2) {
        struct unsteady w;
        char text[1000], rest[200];
        struct box_setting box = grid_box(GRID_QUADS, 6, 0);
        snprintf(rest, sizeof rest, "solver = { algorithm = \"piso\"; };\ntime = { end = 120.0; step = 0.5; scheme = "
                 "\"%s\"; };\ninitial = { temperature = 2.0; };\n", scheme[k % 2]);
        case_of_wall(text, sizeof text, k / 2, false, rest);
        open_unsteady(&w, GRID_QUADS, &box, 0, text);
        advance_to_end(&w);
        const double worst = worst_error(&w.t.f, &w.m, k / 2);
        print_message("# %s, %s %s: largest error %.1e\n", scheme[k % 2], wall[k / 2].law, wall[k / 2].left, worst);
        if (!(worst < 1e-7)) fail_msg("error %g", worst);
        close_unsteady(&w);
    }
    device_close();
}

/* ---------------------------------------------------------------- scalars */
/* The same as the temperature of a fluid whose heat capacity per volume is 1; in time to the bit. */
static void a_scalar_is_a_temperature(void **state)
{
    (void)state;
    static const char *const flow[] = {"solver = { algorithm = \"simplec\"; };",
                                       "solver = { algorithm = \"piso\"; };\ntime = { end = 1; step = 0.05; };"};
    static const char *const law[] = {"0.1 + %s^2/8", "0.1*exp(x*y)"};
    open_device();
    for (int k = 0; k < 4; k++) {
        double *x[2];
        for (int i = 0; i < 2; i++) {
            struct trial w;
            struct unsteady u;
            struct simple_report r;
            struct box_setting box = grid_box(GRID_TRIANGLES, 6, 0.1);
            const char *name = i ? "dye" : "temperature";
            char text[2000], diffusivity[100];
            const bool in_time = k % 2;
            snprintf(diffusivity, sizeof diffusivity, law[k / 2], name);
            snprintf(text, sizeof text, i ?
                     "fluid = { viscosity = 0.1; };\nscalars = { dye = { diffusivity = \"%s\"; convection = "
                     "\"bounded\"; initial = 0.5; values = { left = 1.0; right = 0.0; }; }; };\nboundary = { "
                     "left = { type = \"wall\"; }; right = { type = \"wall\"; }; %s" :
                     "fluid = { viscosity = 0.1; heat_capacity = 1.0; conductivity = \"%s\"; };\nboundary = { left = { "
                     "type = \"wall\"; temperature = 1.0; }; right = { type = \"wall\"; temperature = 0.0; }; %s",
                     diffusivity, "bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = [1, 0]; }; };\n");
            strcat(text, flow[k % 2]);
            if (in_time) open_unsteady(&u, GRID_TRIANGLES, &box, 0, text), advance_to_end(&u);
            else trial_open(&w, GRID_TRIANGLES, &box, false, text);
            for (int j = 0; j < 300 && !in_time; j++) simple_iterate(&w.simple, &r);
            x[i] = values_of(in_time ? &u.t.f : w.f, name);
            if (in_time) close_unsteady(&u);
            else trial_close(&w);
        }
        if (k % 2) assert_memory_equal(x[0], x[1], 70 * sizeof **x);
        for (int c = 0; c < 70; c++) assert_true(fabs(x[0][c] - x[1][c]) < 1e-9);
        assert_true(x[0][5] > 0.01 && x[0][5] < 0.99);
        free(x[0]), free(x[1]);
    }
    device_close();
}

/* A wave of dye that diffuses faster where there is more of it, or where it is warmer, in a vortex. */
static double *wave(const char *law, const char *convection, const char *scheme, double step, int64_t *n)
{
    struct box_setting box = grid_box(GRID_TRIANGLES, 16, 0.15);
    struct unsteady w;
    char text[2000];
    for (int k = 0; k < 2; k++) box.to[k] = 2 * M_PI;
    snprintf(text, sizeof text, "fluid = { viscosity = 0.1; heat_capacity = 1.0; conductivity = 0.1;%s };\n"
             "scalars = { dye = { diffusivity = \"%s\"; initial = \"sin(x + y)\";%s convection = \"%s\"; }; "
             "};\nboundary = { left = { type = \"periodic\"; with = \"right\"; };\n"
             "right = { type = \"periodic\"; }; bottom = { type = \"periodic\"; with = \"top\"; };\n"
             "top = { type = \"periodic\"; }; };\ninitial = { field = \"taylor-green\"; temperature = \"cos(x)\"; };\n"
             "time = { end = 1.0; step = %.17g; scheme = \"%s\"; };\nsolver = { algorithm = \"piso\"; "
             "pressure = { tolerance = 1e-9; }; velocity = { tolerance = 1e-9; }; };\n",
             strstr(law, "dye") ? "" : " property_range = [-1.2, 1.2];", law,
             strstr(law, "dye") ? " range = [-1.2, 1.2];" : "", convection, step, scheme);
    open_unsteady(&w, GRID_TRIANGLES, &box, 2, text);
    advance_to_end(&w);
    *n = w.t.f.s.n_cells;
    double *x = values_of(&w.t.f, "dye");
    close_unsteady(&w);
    return x;
}

static void second_order_in_time(void **state)
{
    (void)state;
    static const struct { const char *law, *convection, *scheme; } cases[] = {
        {"0.1 + 0.05*dye", "linear-upwind", "bdf2"}, {"0.1 + 0.05*dye", "linear-upwind", "crank-nicolson"},
        {"0.1 + 0.05*temperature", "linear-upwind", "crank-nicolson"}};
    open_device();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t n;
        double *x[3];
        for (int k = 0; k < 3; k++)
            x[k] = wave(cases[i].law, cases[i].convection, cases[i].scheme, 0.05 / (1 << k), &n);
        double coarse = distance(x[0], x[1], n), fine = distance(x[1], x[2], n), order = log2(coarse / fine);
        print_message("# %s, %s, %s: differences %.2e, %.2e, order %.2f\n", cases[i].law, cases[i].convection,
                      cases[i].scheme, coarse, fine, order);
        for (int k = 0; k < 3; k++) free(x[k]);
        if (!(order > 1.8)) fail_msg("order %g", order);
    }
    device_close();
}

/* One number for the pseudo-time steps of buoyancy: the geometric mean of the range, here of cells at 1/8 ... 7/8. */
static void a_law_acts_by_its_range(void **state)
{
    (void)state;
    struct box_setting box = grid_box(GRID_QUADS, 4, 0);
    struct trial w;
    open_device();
    trial_open(&w, GRID_QUADS, &box, false, "fluid = { density = 2.0; viscosity = 1.0; heat_capacity = 3.0; "
               "conductivity = \"8*x\"; expansion = 0.1; gravity = [0.0, -1.0]; };\nboundary = { left = { type = "
               "\"wall\"; temperature = 1.0; }; right = { type = \"wall\"; temperature = 0.0; }; "
               "bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
               "solver = { algorithm = \"coupled\"; };\n");
    assert_true(fabs(w.f->acting_diffusivity - sqrt(1 * 7) / 6) < 1e-12);
    trial_close(&w);
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(conduction_is_exact),
                                       cmocka_unit_test(conduction_becomes_steady),
                                       cmocka_unit_test(a_scalar_is_a_temperature),
                                       cmocka_unit_test(second_order_in_time),
                                       cmocka_unit_test(a_law_acts_by_its_range)};
    FILE *f = fdopen(mkstemps(path, 4), "w");
    fputs("conductivity,temperature,unused\n2.0,2.0,0\n1.0,0.0,0\n4.0,6.0,0\n", f);
    fclose(f);
    snprintf(of_table, sizeof of_table, "table:%s", path);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}

/* Viscosity that depends on a transported field, or on position and time (flow/varied_viscosity.c). */
#include "unsteady_fixture.h"
#include "assembly/field_table.h"
#include "gpu/device.h"

/* ---------------------------------------------------------------- the table */
static void the_table_is_the_expression(void **state)
{
    (void)state;
    static const char *const names[] = {"temperature"};
    const struct property_setting v = {.range = {280, 350}, .formula = {.text = "2e-5*exp(1800/temperature)",
                                                                        .variable = names, .n_variables = 1}};
    open_device();
    struct field_table on_device = field_table_create(&v, 1, 0), t = on_device;
    t.cubic = FROM_DEVICE(on_device.cubic, 4 * FIELD_INTERVALS);
    for (double x = 270; x < 360; x += 0.0137) {
        double within = fmin(fmax(x, 280), 350), exact = 2e-5 * exp(1800 / within);
        if (!(fabs(field_table_at(&t, x) - exact) < 1e-10 * exact))
            fail_msg("at %g: %g, exact %g", x, field_table_at(&t, x), exact);
    }
    assert_true(isfinite(field_table_at(&t, NAN)) && isfinite(field_table_at(&t, -INFINITY)));
    free((void *)t.cubic);
    field_table_free(&on_device);
    device_close();
}

/* ---------------------------------------------------------------- channels */
/* In a channel of height 1 with a force of 1 and the viscosity exp(-2 y) / 10: u' = 10 exp(2 y) (c - y). */
static double profile(double y)
{
    const double c = (exp(2) + 1) / (2 * (exp(2) - 1));
    return 10 * ((c / 2 + 0.25) * (exp(2 * y) - 1) - y * exp(2 * y) / 2);
}

static double channel_error(enum grid kind, int n, const char *viscosity, const char *field, const char *algorithm)
{
    struct trial w;
    struct box_setting box = grid_box(kind, n, kind == GRID_QUADS ? 0 : 0.15);
    char text[2000];
    const bool warm = !strcmp(viscosity, "temperature");
    for (int k = 0; k < 3; k += 2) box.cells[k] = 4, box.to[k] = 4.0 / n;
    snprintf(text, sizeof text, "fluid = { viscosity = \"0.1*exp(-2*%s)\"; %s };\nboundary = { left = { type = "
             "\"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; };\nbottom = { type = \"wall\"; %s }; "
             "top = { type = \"wall\"; %s };%s };\nsources = { all = { force = [1.0, 0.0%s]; }; };\n"
             "solver = { algorithm = \"%s\"; tolerance = 1e-8; max_iterations = 4000; };", viscosity, field,
             warm ? "temperature = 0.0;" : "", warm ? "temperature = 1.0;" : "",
             grid_dim(kind) == 3 ? " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };" : "",
             grid_dim(kind) == 3 ? ", 0.0" : "", algorithm);
    trial_open(&w, kind, &box, true, text);
    if (trial_converge(&w) < 0) fail_msg("%s, %s, %d: not converged", algorithm, grid_name[kind], n);
    double *u = FROM_DEVICE(w.f->u, w.m.dim * w.f->s.pitch), sum = 0, volume = 0;
    for (int32_t i = 0; i < w.m.n_cells; i++) {
        double miss = u[i] - profile(w.m.cell_centre[w.m.n_all + i]), size = w.m.cell_volume[i];
        sum += size * miss * miss, volume += size;
    }
    free(u);
    trial_close(&w);
    return sqrt(sum / volume) / profile(0.6);
}

/* Plates at 0 and 1: the temperature, and the scalar, is y. */
static void channel_between_cold_and_hot(void **state)
{
    (void)state;
    static const char heat[] = "heat_capacity = 2.0; conductivity = 0.5; ";
    static const char dye[] = "};\nscalars = { dye = { diffusivity = 0.5; values = { bottom = 0.0; top = 1.0; }; }; ";
    static const struct { const char *variable, *field; enum grid kind; const char *algorithm; } cases[] = {
        {"temperature", heat, GRID_QUADS, "coupled"}, {"temperature", heat, GRID_TRIANGLES, "simplec"},
        {"temperature", heat, GRID_TETRAHEDRA, "coupled"}, {"dye", dye, GRID_TRIANGLES, "coupled"},
        {"dye", dye, GRID_QUADS, "simple"}, {"y", "", GRID_QUADS, "simplec"}, {"y", "", GRID_TRIANGLES, "coupled"},
        {"y", "", GRID_HEXAHEDRA, "coupled"}};
    open_device();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int n = grid_dim(cases[i].kind) == 3 || strcmp(cases[i].algorithm, "coupled") ? 12 : 64;
        double error[2];
        for (int k = 0; k < 2; k++)
            error[k] = channel_error(cases[i].kind, n << k, cases[i].variable, cases[i].field, cases[i].algorithm);
        double order = log2(error[0] / error[1]);
        print_message("# %s, %s, %s: errors %.2e, %.2e, order %.2f\n", cases[i].variable, grid_name[cases[i].kind],
                      cases[i].algorithm, error[0], error[1], order);
        if (!(order > 1.8 && error[1] < 1e-3)) fail_msg("error %g, order %g", error[1], order);
    }
    device_close();
}

/* ---------------------------------------------------------------- in time */
/* The velocity of a Taylor-Green vortex, whose viscosity is that of a dye carried by it, at time 1. */
static double *vortex(const char *viscosity, const char *scheme, double step, int64_t *n)
{
    struct box_setting box = grid_box(GRID_TRIANGLES, 16, 0.15);
    char text[2000];
    for (int k = 0; k < 2; k++) box.to[k] = 2 * M_PI;
    snprintf(text, sizeof text, "fluid = { viscosity = \"%s\"; };\nscalars = { dye = { diffusivity = 0.05; "
             "initial = \"sin(x)\"; convection = \"linear-upwind\";%s }; };\n"
             "boundary = { left = { type = \"periodic\"; with = \"right\"; };\n"
             "right = { type = \"periodic\"; }; bottom = { type = \"periodic\"; with = \"top\"; };\n"
             "top = { type = \"periodic\"; }; };\ninitial = { field = \"taylor-green\"; };\n"
             "time = { end = 1.0; step = %.17g; scheme = \"%s\"; };\nsolver = { algorithm = \"piso\"; "
             "pressure = { tolerance = 1e-9; }; velocity = { tolerance = 1e-9; }; };\n", viscosity,
             strstr(viscosity, "dye") ? " range = [-1.2, 1.2];" : "", step, scheme);
    return velocity_at_end(GRID_TRIANGLES, &box, text, n);
}

static void second_order_in_time(void **state)
{
    (void)state;
    static const struct { const char *viscosity, *scheme; } cases[] = {
        {"0.1 + 0.05*dye", "bdf2"}, {"0.1 + 0.05*dye", "crank-nicolson"}, {"0.1 + 0.05*sin(x)*cos(2*t)", "bdf2"}};
    open_device();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t n;
        double *u[3];
        for (int k = 0; k < 3; k++) u[k] = vortex(cases[i].viscosity, cases[i].scheme, 0.05 / (1 << k), &n);
        double coarse = distance(u[0], u[1], n), fine = distance(u[1], u[2], n), order = log2(coarse / fine);
        print_message("# %s, %s: differences %.2e, %.2e, order %.2f\n", cases[i].viscosity, cases[i].scheme, coarse,
                      fine, order);
        for (int k = 0; k < 3; k++) free(u[k]);
        if (!(order > 1.8)) fail_msg("order %g", order);
    }
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_table_is_the_expression),
                                       cmocka_unit_test(channel_between_cold_and_hot),
                                       cmocka_unit_test(second_order_in_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

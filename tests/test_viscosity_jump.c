/* Two fluids of different viscosity: the stress where the shear jumps. */
#include "unsteady_fixture.h"
#include "assembly/mixture.h"

/* A round drop of radius 1 in slow plane strain u = (x, -y), without tension: outside the stream function is
 * 2 x y (1/2 + 2 X/r^2 - X/r^4), X = (1 - m)/(1 + m)/2 with the ratio m of the viscosities; inside the strain is
 * 2/(1 + m).  Returns how much faster the computed velocity inside is, as a fraction. */
static double strain_inside(double m, double distortion, double step)
{
    struct unsteady w;
    struct box_setting box = grid_box(GRID_QUADS, 64, distortion);
    char u[300], v[300], text[3500];
    const double X = (1 - m) / (1 + m) / 2;
    for (int k = 0; k < 2; k++) box.from[k] = -2 + 0.013 - 0.004 * k, box.to[k] = 2 + 0.013 - 0.004 * k;
    static const char form[] = "%s2*%s*(0.5+2*%.17g/(x^2+y^2)-%.17g/(x^2+y^2)^2+4*%s^2*(%.17g/(x^2+y^2)^3-%.17g/"
                               "(x^2+y^2)^2))";
    snprintf(u, sizeof u, form, "", "x", X, X, "y", X, X), snprintf(v, sizeof v, form, "-", "y", X, X, "x", X, X);
    int length = snprintf(text, sizeof text, "fluid = { density = 1e-4; viscosity = 1.0; };\n"
                          "second_fluid = { density = 1e-4; viscosity = %.17g; };\n"
                          "shapes = { drop = { type = \"sphere\"; centre = [0.0, 0.0]; radius = 1.0; }; };\n"
                          "time = { end = %.17g; step = %.17g; };\nsolver = { algorithm = \"piso\"; };\nboundary = {",
                          m, 30 * step, step);
    static const char *const sides[] = {"left", "right", "bottom", "top"};
    for (int k = 0; k < 4; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, " %s = { type = \"inlet\"; velocity = "
                           "[\"%s\", \"%s\"]; };", sides[k], u, v);
    snprintf(text + length, sizeof text - (size_t)length, " };\n");
    open_unsteady(&w, GRID_QUADS, &box, 0, text);
    advance_to_end(&w);
    double *found = FROM_DEVICE(w.t.f.u, 2 * w.t.f.s.pitch), sum = 0, all = 0;
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        double x = w.m.cell_centre[c], y = w.m.cell_centre[w.m.n_all + c];
        if (x * x + y * y > 0.5) continue;
        sum += found[c] * x - found[w.t.f.s.pitch + c] * y, all += x * x + y * y;
    }
    free(found);
    close_unsteady(&w);
    return sum / all * (1 + m) / 2 - 1;
}

/* Of about first order: 11 % at a ratio of 100 with the viscosity of the interpolated fraction. */
static void a_drop_is_strained_as_stokes_says(void **state)
{
    (void)state;
    static const struct { double ratio, distortion, step, most; } row[] = {
        {100, 0, 2e-6, 0.05}, {10, 0, 2e-5, 0.02}, {10, 0.1, 2e-5, 0.02}, {0.1, 0, 2e-5, 0.02}, {1, 0, 2e-5, 1e-4}};
    open_device();
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        double off = strain_inside(row[k].ratio, row[k].distortion, row[k].step);
        print_message("ratio %g, distortion %g: %+.3f %%\n", row[k].ratio, row[k].distortion, 100 * off);
        if (!(fabs(off) < row[k].most)) fail_msg("ratio %g: %g off", row[k].ratio, off);
    }
    device_close();
}

/* Two layers between walls on 16 cells, the second fluid, of viscosity m, above the height y: moved by the upper wall,
 * or by a force, until they are steady.  step: nu dt / h^2 of the more viscous fluid; tension: more keys of the second
 * fluid; heat: of both. */
struct layers { double m, y, step, end; bool force; const char *tension, *heat; };

/* The exact velocity at height y. */
static double layers_velocity(const struct layers *l, double y)
{
    const double f = l->force ? fmin(1, l->m) : 0, wall = l->force ? 0 : 1, h = l->y, m = l->m, below = 1 - h;
    /* The stress is a - f y, the velocity 0 at 0, `wall` at 1 and continuous. */
    const double a = (wall + f * h * h / 2 + f * (1 - h * h) / (2 * m)) / (h + below / m);
    const double at_h = a * h - f * h * h / 2;
    return y < h ? a * y - f * y * y / 2 : at_h + (a * (y - h) - f * (y * y - h * h) / 2) / m;
}

/* The largest error, as a fraction of the largest velocity. */
static double layers_error(const struct layers *l)
{
    struct unsteady w;
    struct box_setting box = grid_box(GRID_QUADS, 16, 0);
    char text[2000];
    const double least = fmin(1, l->m), step = l->step * least / fmax(1, l->m) / 256;
    box.cells[0] = 2, box.to[0] = 0.125;
    snprintf(text, sizeof text, "fluid = { density = %.17g; viscosity = 1.0; acceleration = [%d.0, 0.0]; %s };\n"
             "second_fluid = { density = %.17g; viscosity = %.17g; %s %s };\n"
             "shapes = { above = { type = \"half-space\"; point = [0.0, %.17g]; normal = [0.0, -1.0]; }; };\n"
             "boundary = { left = { type = \"periodic\"; }; right = { type = \"periodic\"; }; bottom = { type = "
             "\"wall\"; %s }; top = { type = \"wall\"; velocity = [%d.0, 0.0]; }; };\n%s"
             "solver = { algorithm = \"piso\"; };\ntime = { end = %.17g; step = %.17g; scheme = \"bdf2\"; };\n",
             least, l->force, l->heat, least, l->m, l->heat, l->tension, l->y, *l->heat ? "temperature = 1.0;" : "",
             !l->force, *l->heat ? "initial = { temperature = 1.0; };\n" : "", fmax(l->end, 100 * step), step);
    open_unsteady(&w, GRID_QUADS, &box, 1, text);
    advance_to_end(&w);
    double *found = FROM_DEVICE(w.t.f.u, 2 * w.t.f.s.pitch), error = 0, most = 0;
    for (int k = 0; k <= 100; k++) most = fmax(most, fabs(layers_velocity(l, 0.01 * k)));
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        double off = found[c] - layers_velocity(l, w.m.cell_centre[w.m.n_all + c]), up = found[w.t.f.s.pitch + c];
        error = fmax(error, hypot(off, up) / most);
    }
    free(found);
    close_unsteady(&w);
    return error;
}

/* Velocities grew to 18,000 times these: the rotational part of the pressure had the cells' mean viscosity, the
 * momentum equation that of layers. */
static void layers_of_varying_tension_are_stable(void **state)
{
    (void)state;
    static const double ratio[] = {0.01, 100}, step[] = {800, 1e4}, place[] = {0.5, 0.8};
    open_device();
    for (int k = 0; k < 8; k++) {
        struct layers l = {ratio[k % 2], (6 + place[k / 2 % 2]) / 16, step[k / 4], 3, true,
                           "surface_tension = 1e-6; surface_tension_slope = -1e-12;",
                           "heat_capacity = 1.0; conductivity = 1.0;"};
        double error = layers_error(&l);
        print_message("ratio %g, at %g of a cell, nu dt / h^2 %g: %.2g\n", l.m, place[k / 2 % 2], l.step, error);
        if (!(error < (k / 2 % 2 ? 0.02 : 1e-9))) fail_msg("ratio %g, step %g: %g", l.m, l.step, error);
    }
    device_close();
}

/* They were 21 to 55 % off with the viscosity of the interpolated fraction, and grew at 1e4 : 1 where passes of a step
 * ended at 0.3 % of its change. */
static void layers_are_right_at_any_height(void **state)
{
    (void)state;
    static const double ratio[] = {1e-4, 0.1, 10, 1e4}, place[] = {0, 0.2, 0.5, 0.8};
    open_device();
    for (int k = 0; k < 32; k++) {
        struct layers l = {ratio[k % 4], (7 + place[k / 4 % 4]) / 16,
                           8 * fmax(ratio[k % 4], 1 / ratio[k % 4]), 3, k / 16, "", ""};
        double error = layers_error(&l);
        print_message("ratio %g, at %g of a cell, nu dt / h^2 %g, %s: %.2g\n", l.m, place[k / 4 % 4], l.step,
                      l.force ? "force" : "wall", error);
        if (!(error < (l.force ? 0.02 : 0.003))) fail_msg("ratio %g, step %g: %g", l.m, l.step, error);
    }
    device_close();
}

/* Layers across a periodic box at an angle to the mesh, of viscosities 1 and m in turn, moved by the force sin 2 pi z
 * along them, z = a x + b y: the largest error of the velocity, and the largest one across, over half its range. */
struct slanted { double m; int a, b; enum grid kind; };

static double slanted_error(const struct slanted *l, int n, double *across)
{
    enum { MANY = 20000 };
    struct unsteady w;
    struct box_setting box = grid_box(l->kind, n, 0);
    const double length = hypot(l->a, l->b), least = fmin(1, l->m), force = least * least, end = 1e-3 / least;
    double *exact = calloc(MANY, sizeof *exact), mean[2] = {0}, sum = 0, range[2] = {INFINITY, -INFINITY}, error = 0;
    char text[2000], z[50];
    snprintf(z, sizeof z, "2*pi*(%d*x + %d*y)", l->a, l->b);
    snprintf(text, sizeof text, "fluid = { density = 1e-3; viscosity = 1.0; };\n"
             "second_fluid = { density = 1e-3; viscosity = %.17g; };\n"
             "shapes = { w = { type = \"level\"; function = \"cos(%s - 2*pi*0.3)\"; }; };\n"
             "sources = { f = { force = [\"%.17g*sin(%s)\", \"%.17g*sin(%s)\"]; }; };\nboundary = { left = { type = "
             "\"periodic\"; }; right = { type = \"periodic\"; }; bottom = { type = \"periodic\"; }; top = { type = "
             "\"periodic\"; }; };\nsolver = { algorithm = \"piso\"; };\ntime = { end = %.17g; step = %.17g; scheme = "
             "\"bdf2\"; };\n", l->m, z, force * l->b / length, z, -force * l->a / length, z, end, end / 30);
    open_unsteady(&w, l->kind, &box, 2, text);
    advance_to_end(&w);
    for (int pass = 0; pass < 2; pass++)            /* mu u' = cos / (2 pi) + C, C for a periodic velocity */
        for (int k = 0; k < MANY; k++) {
            const double at = (k + 0.5) / MANY, mu = cos(2 * M_PI * (at - 0.3)) < 0 ? l->m : 1;
            const double shear = cos(2 * M_PI * at) / (2 * M_PI) / mu;
            if (pass == 0) mean[0] += shear / MANY, mean[1] += 1 / mu / MANY;
            else sum += exact[k] = force * (shear - mean[0] / mean[1] / mu) / MANY / (length * length);
        }
    sum = 0;
    for (int k = 0; k < MANY; k++) sum += exact[k], exact[k] = sum;
    double *u = FROM_DEVICE(w.t.f.u, 2 * w.t.f.s.pitch), offset = 0;
    *across = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t c = 0; c < w.m.n_cells; c++) {
            const double at = l->a * w.m.cell_centre[c] + l->b * w.m.cell_centre[w.m.n_all + c];
            const double is = exact[(int)((at - floor(at)) * MANY) % MANY];
            const double along = (u[c] * l->b - u[w.t.f.s.pitch + c] * l->a) / length;
            if (pass == 0) offset += (along - is) / w.m.n_cells;
            else error = fmax(error, fabs(along - is - offset));
            *across = fmax(*across, fabs(u[c] * l->a + u[w.t.f.s.pitch + c] * l->b) / length);
            range[0] = fmin(range[0], is), range[1] = fmax(range[1], is);
        }
    free(u), free(exact);
    close_unsteady(&w);
    *across *= 2 / (range[1] - range[0]);
    return 2 * error / (range[1] - range[0]);
}

/* At 45 degrees any ratio has the same error; it was 67 %.  At 1 : 2 it was 120 % at 1000 : 1. */
static void slanted_layers_are_right(void **state)
{
    (void)state;
    static const struct { struct slanted l; double most, finer, across; } row[] = {
        {{1e-3, 1, 1, GRID_QUADS}, 0.02, 0.005, 1e-6}, {{1e3, 1, 1, GRID_QUADS}, 0.02, 0.005, 1e-6},
        {{10, 1, 2, GRID_QUADS}, 0.08, 0.033, 0.11}, {{1e3, 1, 2, GRID_QUADS}, 0.09, 0.07, 0.18}};
    open_device();
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const struct slanted *l = &row[k].l;
        double across, across_finer;
        const double error = slanted_error(l, 16, &across), finer = slanted_error(l, 32, &across_finer);
        print_message("%s, ratio %g, %d : %d: %.3g, %.3g, across %.2g, %.2g\n", grid_name[l->kind], l->m, l->a, l->b,
                      error, finer, across, across_finer);
        if (!(error < row[k].most && finer < row[k].finer && across_finer < row[k].across))
            fail_msg("ratio %g: %g, %g, across %g", l->m, error, finer, across_finer);
    }
    device_close();
}

static void properties_are_numbers_or_of_cells(void **state)
{
    (void)state;
    const double cells[3] = {3, 5, 7};
    const struct fluid_value number = {.number = 2}, given = {.number = 2, .cells = cells};
    for (int64_t c = 0; c < 3; c++)
        assert_true(fluid_value_in(&number, c, 300) == 2 && fluid_value_in(&given, c, 300) == cells[c]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_drop_is_strained_as_stokes_says),
                                       cmocka_unit_test(layers_of_varying_tension_are_stable),
                                       cmocka_unit_test(layers_are_right_at_any_height),
                                       cmocka_unit_test(slanted_layers_are_right),
                                       cmocka_unit_test(properties_are_numbers_or_of_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

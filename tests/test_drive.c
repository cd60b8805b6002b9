/* Flows driven by accelerations, mean pressure gradients and given flow rates (flow/drive.h). */
#include <complex.h>
#include "unsteady_fixture.h"
#include "gpu/device.h"
#include "interface/interface.h"

#define WALLS "left = { type = \"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; }; " \
              "bottom = { type = \"wall\"; }; top = { type = \"wall\"; };"
#define MORE_WALLS " back = { type = \"wall\"; }; front = { type = \"wall\"; };"
static const double density = 2, viscosity = 0.1, gradient = 0.8;
static const double omega = 2 * M_PI, viscous = 1;      /* of an oscillation */

/* The velocity on the host, [dim pitch], with what drives it. */
struct driven_result { double *u, gradient, flow_rate; int dim; int32_t n; int64_t pitch; };

static struct driven_result result_of(struct flow *f)
{
    struct driven_result r = {.u = FROM_DEVICE(f->u, f->s.dim * f->s.pitch), .dim = f->s.dim, .n = f->s.n_cells,
                              .pitch = f->s.pitch};
    if (f->c->driven.given) drive_measure(f, &r.gradient, &r.flow_rate);
    return r;
}

/* The largest difference of two velocities, over the largest velocity. */
static double difference(const struct driven_result *a, const struct driven_result *b)
{
    double worst = 0, most = 0;
    for (int k = 0; k < a->dim; k++)
        for (int32_t c = 0; c < a->n; c++) {
            int64_t i = k * a->pitch + c;
            worst = fmax(worst, fabs(a->u[i] - b->u[i])), most = fmax(most, fabs(a->u[i]));
        }
    return worst / most;
}

/* ---------------------------------------------------------------- the same flow by three causes */
/* Iterates until the velocity no longer changes; the residual of the pressure ends at rounding errors of Anderson's
 * history, which is in single precision. */
static bool settle(struct trial *w)
{
    struct simple_report r;
    for (int i = 0; i < 6000; i++) {
        double worst = 0;
        simple_iterate(&w->simple, &r);
        for (int k = 0; k < w->m.dim; k++) worst = fmax(worst, r.residual[k]);
        if (worst < 2e-11 && r.residual[w->m.dim] < 2e-9) return true;
    }
    return false;
}

/* A duct with this cause; solver: algorithm and time. */
static struct driven_result flow_by(const char *cause, enum grid kind, const char *solver)
{
    struct driven_result r;
    struct box_setting box = grid_box(kind, grid_dim(kind) == 2 ? 8 : 4, kind == GRID_HEXAHEDRA ? 0 : 0.2);
    char text[1500];
    box.to[0] = 0.5;
    snprintf(text, sizeof text, "fluid = { density = %g; viscosity = %g;%s\nboundary = { %s%s };\n%s", density,
             viscosity, cause, WALLS, grid_dim(kind) == 3 ? MORE_WALLS : "", solver);
    if (strstr(solver, "time")) {
        struct unsteady w;
        open_unsteady(&w, kind, &box, 1, text);
        advance_to_end(&w);
        r = result_of(&w.t.f);
        close_unsteady(&w);
    } else {
        struct trial w;
        trial_open(&w, kind, &box, true, text);
        if (!settle(&w)) fail_msg("%s, %s, %s: not converged", grid_name[kind], solver, cause);
        r = result_of(w.f);
        trial_close(&w);
    }
    return r;
}

static void compare_causes(enum grid kind, const char *solver)
{
    const char *more = grid_dim(kind) == 3 ? ", 0" : "";
    char by_acceleration[300], by_gradient[300], by_rate[300];
    snprintf(by_acceleration, sizeof by_acceleration, " acceleration = [%.17g, 0%s]; };", gradient / density, more);
    snprintf(by_gradient, sizeof by_gradient, " };\ndriven = { direction = [1, 0%s]; pressure_gradient = %.17g; };",
             more, gradient);
    struct driven_result a = flow_by(by_acceleration, kind, solver), g = flow_by(by_gradient, kind, solver);
    snprintf(by_rate, sizeof by_rate, " };\ndriven = { direction = [3, 0%s]; flow_rate = %.17g; };", more,
             g.flow_rate);
    struct driven_result r = flow_by(by_rate, kind, solver);
    double by_a = difference(&g, &a), by_r = difference(&g, &r), found = fabs(r.gradient / gradient - 1);
    if (!(by_a < 1e-8 && by_r < 1e-8 && found < 1e-8 && fabs(r.flow_rate / g.flow_rate - 1) < 1e-8))
        fail_msg("%s, %s: velocity by acceleration differs by %g, by flow rate by %g; gradient %g instead of %g, flow "
                 "rate %g instead of %g", grid_name[kind], solver, by_a, by_r, r.gradient, gradient, r.flow_rate,
                 g.flow_rate);
    free(a.u), free(g.u), free(r.u);
}

static void three_causes_drive_the_same_flow(void **state)
{
    (void)state;
    static const char *const steady[] = {"simple", "simplec", "coupled"};
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int i = 0; i < 3; i++) {
            char solver[200];
            snprintf(solver, sizeof solver, "solver = { algorithm = \"%s\"; tolerance = 1e-10; };", steady[i]);
            compare_causes((enum grid)kind, solver);
        }
    device_close();
}

/* The same in time, until the flow is steady. */
static void three_causes_drive_the_same_flow_in_time(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_TETRAHEDRA};
    open_device();
    for (int i = 0; i < 3; i++)
        compare_causes(kinds[i], "solver = { algorithm = \"piso\"; pressure = { tolerance = 1e-8; }; velocity = { "
                       "tolerance = 1e-8; }; };\ntime = { end = 60.0; step = 0.5; scheme = \"euler\"; };");
    device_close();
}

/* ---------------------------------------------------------------- a flow rate in time */
/* The flow rate is the given one after every step, with every scheme, whatever the walls do; steps vary. */
static void every_step_has_the_flow_rate(void **state)
{
    (void)state;
    static const char *const schemes[] = {"euler", "bdf2", "crank-nicolson"}, *const algorithms[] = {"piso", "pimple"};
    static const char second[] = "second_fluid = { density = 0.01; viscosity = 0.001; surface_tension = 0.1; };\n"
        "shapes = { bubble = { type = \"sphere\"; centre = [0.9, 0.4]; radius = 0.3; }; };\n";
    open_device();
    for (int i = 0; i < 12; i++) {
        struct unsteady w;
        struct transient_report r;
        struct box_setting box = grid_box(i % 2 ? GRID_TRIANGLES : GRID_QUADS, 10, i % 2 ? 0.2 : 0);
        char text[2000];
        snprintf(text, sizeof text, "fluid = { density = 2; viscosity = 0.1; gravity = [0.5, -1]; };\n%s"
                 "boundary = { left = { type = \"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; };\n"
                 "bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = [-1, 0]; }; };\n"
                 "initial = { velocity = [0, 0]; };\ndriven = { direction = [-2, 0]; flow_rate = 0.7; };\n"
                 "solver = { algorithm = \"%s\"; };\ntime = { end = 1.0; step = 0.01; scheme = \"%s\"; };\n",
                 i < 6 ? "" : second, algorithms[i / 3 % 2], schemes[i % 3]);
        open_unsteady(&w, i % 2 ? GRID_TRIANGLES : GRID_QUADS, &box, 1, text);
        for (int k = 0; k < 7; k++) {
            transient_advance(&w.t, k % 2 ? 0.01 : 0.007, &r);
            struct driven_result now = result_of(&w.t.f);
            if (!(fabs(now.flow_rate - 0.7) < 1e-13))
                fail_msg("run %d, step %d: the flow rate is %.17g", i, k + 1, now.flow_rate);
            free(now.u);
        }
        close_unsteady(&w);
    }
    device_close();
}

/* Womersley's flow between plates at y = 0 and y = 1: the velocity over the gradient, both e^(i omega t). */
static double complex womersley(double y)
{
    const double complex k = csqrt(I * omega * density / viscous);
    return (1 - ccosh(k * (y - 0.5)) / ccosh(k / 2)) / (I * omega * density);
}

/* The flow rate over the gradient. */
static double complex womersley_rate(void)
{
    const double complex k = csqrt(I * omega * density / viscous) / 2;
    return (1 - ctanh(k) / k) / (I * omega * density);
}

/* After three periods from rest, in n steps each: the gradient; *error: of the velocity, over its amplitude. */
static double oscillate(const char *cause, const char *scheme, int n, double *error)
{
    struct unsteady w;
    struct transient_report r;
    struct box_setting box = grid_box(GRID_QUADS, 40, 0);
    char text[2000];
    box.cells[0] = 2, box.to[0] = 4;
    snprintf(text, sizeof text, "fluid = { density = %g; viscosity = %g;%s\nboundary = { %s };\n"
             "initial = { velocity = [0, 0]; };\nsolver = { algorithm = \"piso\"; pressure = { tolerance = 1e-8; }; "
             "velocity = { tolerance = 1e-8; }; };\ntime = { end = 3.0; step = %.17g; scheme = \"%s\"; };\n", density,
             viscous, cause, WALLS, 1.0 / n, scheme);
    open_unsteady(&w, GRID_QUADS, &box, 1, text);
    for (int k = 0; k < 3 * n; k++) transient_advance(&w.t, 1.0 / n, &r);
    struct driven_result now = result_of(&w.t.f);
    *error = 0;
    for (int32_t c = 0; c < w.m.n_cells; c++)
        *error = fmax(*error, fabs(now.u[c] - creal(womersley(w.m.cell_centre[w.m.n_all + c]))) /
                              cabs(womersley(0.5)));
    const double at = (w.t.part - 1) / n;               /* the time of the momentum equation */
    close_unsteady(&w);
    free(now.u);
    return now.gradient / cos(omega * at);
}

/* A table of an acceleration. */
static void write_pull(char *path)
{
    FILE *to = fdopen(mkstemps(path, 4), "w");
    assert_non_null(to);
    fprintf(to, "t,pull\n");
    for (int i = 0; i <= 3000; i++) fprintf(to, "%.17g,%.17g\n", i / 1000.0, cos(omega * i / 1000) / density);
    fclose(to);
}

/* By an oscillating acceleration, as an expression and from a table, gradient and flow rate: the exact velocity, and
 * the gradient 1 that this flow rate needs, to the error of 40 cells; its error in time is of second order. */
static void womersley_flow(void **state)
{
    (void)state;
    static const char *const schemes[] = {"bdf2", "crank-nicolson"};
    const double complex rate = womersley_rate();
    char by_acceleration[200], by_rate[300], by_table[200], path[] = "/tmp/poise-test-XXXXXX.csv";
    write_pull(path);
    snprintf(by_table, sizeof by_table, " acceleration = [\"table:%s:pull\", 0]; };", path);
    snprintf(by_acceleration, sizeof by_acceleration, " acceleration = [\"%.17g*cos(2*pi*t)\", 0]; };", 1 / density);
    snprintf(by_rate, sizeof by_rate, " };\ndriven = { direction = [1, 0]; flow_rate = \"%.17g*cos(2*pi*t) - "
             "%.17g*sin(2*pi*t)\"; };", creal(rate), cimag(rate));
    const char *const causes[] = {by_acceleration, " };\ndriven = { direction = [1, 0]; pressure_gradient = "
                                  "\"cos(2*pi*t)\"; };", by_table, by_rate};
    open_device();
    for (int i = 0; i < 8; i++) {
        double error[3], found[3];
        const bool given = i < 6;
        for (int k = 0; k < 3; k++) found[k] = oscillate(causes[i / 2], schemes[i % 2], 40 << k, &error[k]);
        if (!(error[1] < 0.36 * error[0] && error[2] < 5e-4))
            fail_msg("%s,%s: errors %g, %g, %g", schemes[i % 2], causes[i / 2], error[0], error[1], error[2]);
        if (!given && !(fabs(found[1] - found[2]) < 0.3 * fabs(found[0] - found[1]) && fabs(found[2] - 1) < 6e-4))
            fail_msg("%s: gradient %g, %g, %g", schemes[i % 2], found[0], found[1], found[2]);
    }
    unlink(path);
    device_close();
}

/* ---------------------------------------------------------------- accelerations that the pressure balances */
static double fastest(const struct flow *f)
{
    double *u = FROM_DEVICE(f->u, f->s.dim * f->s.pitch), most = 0;
    for (int k = 0; k < f->s.dim; k++)
        for (int32_t c = 0; c < f->s.n_cells; c++) most = fmax(most, fabs(u[k * f->s.pitch + c]));
    free(u);
    return most;
}

/* The pressure rho a.x. */
static void balance(struct flow *f, const struct mesh *m, const double a[3])
{
    double *p;
    NEW(p, f->s.pitch);
    for (int32_t c = 0; c < m->n_cells; c++)
        for (int k = 0; k < m->dim; k++) p[c] += density * a[k] * m->cell_centre[(int64_t)k * m->n_all + c];
    device_upload(f->p, p, (size_t)f->s.pitch * sizeof *p);
    free(p);
}

/* A tank that is accelerated, closed or with an outlet, stays at rest to rounding. */
static void an_accelerated_tank_stays_at_rest(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"simple", "simplec", "coupled", "piso", "pimple"};
    static const double a[3] = {0.4, -1, 0.3};
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int i = 0; i < 5; i++) {
            const bool solid = grid_dim((enum grid)kind) == 3;
            struct box_setting box = grid_box((enum grid)kind, solid ? 4 : 8, 0.2);
            char text[1500];
            double speed;
            snprintf(text, sizeof text, "fluid = { density = %g; viscosity = 0.01; acceleration = [%g, %g%s]; };\n"
                     "boundary = { left = { type = \"wall\"; }; right = { type = \"symmetry\"; };\n"
                     "bottom = { type = \"wall\"; }; top = { type = \"wall\"; };%s };\n"
                     "solver = { algorithm = \"%s\"; };\n%s", density, a[0], a[1], solid ? ", 0.3" : "",
                     solid ? MORE_WALLS : "", algorithms[i], i < 3 ? "" : "time = { end = 10.0; step = 0.05; };\n");
            if (i < 3) {
                struct trial w;
                struct simple_report r;
                trial_open(&w, (enum grid)kind, &box, false, text);
                balance(w.f, &w.m, a);
                for (int k = 0; k < 10; k++) simple_iterate(&w.simple, &r);
                speed = fastest(w.f);
                trial_close(&w);
            } else {
                struct unsteady w;
                struct transient_report r;
                open_unsteady(&w, (enum grid)kind, &box, 0, text);
                balance(&w.t.f, &w.m, a);
                for (int k = 0; k < 10; k++) transient_advance(&w.t, 0.05, &r);
                speed = fastest(&w.t.f);
                close_unsteady(&w);
            }
            if (!(speed < 1e-11)) fail_msg("%s, %s: speed %g", grid_name[kind], algorithms[i], speed);
        }
    device_close();
}

/* Water below air, with a surface across the acceleration, stays at rest too. */
static void a_surface_across_the_acceleration_stays_at_rest(void **state)
{
    (void)state;
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_TRIANGLES; kind++) {
        struct unsteady w;
        struct transient_report r;
        struct box_setting box = grid_box((enum grid)kind, 12, 0.1);
        open_unsteady(&w, (enum grid)kind, &box, 0, "fluid = { density = 1000; viscosity = 1; acceleration = [-0.3, -1]"
                      "; };\nsecond_fluid = { density = 1; viscosity = 0.01; };\n"
                      "shapes = { air = { type = \"half-space\"; point = [0.5, 0.51]; normal = [0.3, 1]; }; };\n"
                      "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; };\n"
                      "bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
                      "solver = { algorithm = \"piso\"; pressure = { tolerance = 1e-10; }; };\n"
                      "time = { end = 1.0; step = 0.01; };\n");
        for (int k = 0; k < 10; k++) transient_advance(&w.t, 0.01, &r);
        double speed = fastest(&w.t.f);
        if (!(speed < 1e-10)) fail_msg("%s: speed %g", grid_name[kind], speed);
        close_unsteady(&w);
    }
    device_close();
}

/* ---------------------------------------------------------------- two fluids along a wall */
/* Layers between walls at y = 0 and y = 1, the second fluid below y = height, with a force per volume on each. */
struct layers { double height, viscosity[2], force[2]; };

/* mu u'' = -force in both, with velocity and shear the same on both sides of the interface. */
static double exact_velocity(const struct layers *l, double y)
{
    const double *mu = l->viscosity, *f = l->force, h = l->height;
    /* u = shear y / mu_2 - f_2 y^2 / (2 mu_2) below; above with shear - f_2 h + f_1 h at y = 0 */
    double a = f[1] * h - f[0] * h;             /* the shear above, extrapolated to y = 0, is less by this */
    double below = h / mu[1], above = (1 - h) / mu[0];
    double rest = f[1] * h * h / (2 * mu[1]) + f[0] * (1 - h * h) / (2 * mu[0]) + a * above;
    double shear = rest / (below + above);
    if (y < h) return (shear * y - f[1] * y * y / 2) / mu[1];
    return ((shear - a) * (y - 1) - f[0] * (y * y - 1) / 2) / mu[0];
}

/* A film of water runs down a wall beside air, 2 cells of n to a wall: the largest error in the film over its velocity
 * at the surface, and that in the air over the same. */
static void fall(int n, const char *driven, const struct layers *exact, double error[2])
{
    struct unsteady w;
    struct transient_report r;
    struct box_setting box = grid_box(GRID_QUADS, n, 0);
    char text[1500];
    box.cells[0] = 2, box.to[0] = 4;
    snprintf(text, sizeof text, "fluid = { density = 1; viscosity = %g; gravity = [1, 0]; };\n"
             "second_fluid = { density = 1000; viscosity = %g; };\nshapes = { film = { type = \"box\"; "
             "from = [-9, -9]; to = [9, %g]; }; };\nboundary = { %s };\n%s"
             "solver = { algorithm = \"piso\"; pressure = { tolerance = 1e-8; }; velocity = { tolerance = 1e-8; }; "
             "};\ntime = { end = 1.0; step = 0.01; scheme = \"euler\"; };\n", exact->viscosity[0], exact->viscosity[1],
             exact->height, WALLS, driven);
    open_unsteady(&w, GRID_QUADS, &box, 1, text);
    for (int k = 0; k < 100; k++) transient_advance(&w.t, 0.4, &r);
    double *u = FROM_DEVICE(w.t.f.u, 2 * w.t.f.s.pitch), surface = exact_velocity(exact, exact->height);
    error[0] = error[1] = 0;
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        double y = w.m.cell_centre[w.m.n_all + c], off = fabs(u[c] - exact_velocity(exact, y)) / surface;
        double *most = &error[y > exact->height];
        *most = fmax(*most, off);
    }
    free(u);
    close_unsteady(&w);
}

static void check_film(const char *what, const double coarse[2], const double fine[2])
{
    if (!(coarse[0] < 1e-5 && fine[0] < 1e-5 && (fine[1] < 0.3 * coarse[1] || fine[1] < 1e-11)))
        fail_msg("%s: error of the film %g, then %g; of the air %g, then %g", what, coarse[0], fine[0], coarse[1],
                 fine[1]);
}

/* Nusselt's film: the air is at rest far from it, since a pressure gradient balances its weight; then air that falls
 * too. */
static void a_film_falls_as_nusselt_says(void **state)
{
    (void)state;
    static const struct layers still = {0.25, {0.1, 100}, {0, 999}}, falling = {0.25, {0.1, 100}, {1, 1000}};
    double coarse[2], fine[2];
    open_device();
    fall(16, "driven = { direction = [1, 0]; pressure_gradient = -1; };\n", &still, coarse);
    fall(32, "driven = { direction = [1, 0]; pressure_gradient = -1; };\n", &still, fine);
    double nusselt = 999 * 0.25 * 0.25 / 2 / 100;
    assert_true(fabs(exact_velocity(&still, 0.25) / nusselt - 1) < 1e-3);
    check_film("air at rest", coarse, fine);
    fall(16, "", &falling, coarse);
    fall(32, "", &falling, fine);
    check_film("falling air", coarse, fine);
    device_close();
}

/* Friction acts in the first step, too: of a step ten times as long as the channel needs (pi^2 nu dt = 9.9), with a
 * viscous number of 1.6 to 64, Euler's rule makes 91 % of the steady flow, 82 % with explicit corrections of viscosity
 * (triangles); without friction it is 800 %. */
static void a_long_first_step_has_friction(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_HEXAHEDRA};
    static const char *const causes[] = {
        "acceleration = [1, 0%s]; };\nboundary = { " WALLS "%s };\n",
        "};\ndriven = { direction = [1, 0%s]; pressure_gradient = 1; };\nboundary = { " WALLS "%s };\n",
        "};\nboundary = { left = { type = \"outlet\"; pressure = 1 /* 0%s */; }; right = { type = \"outlet\"; }; "
        "bottom = { type = \"wall\"; }; top = { type = \"wall\"; };%s };\n"};
    open_device();
    for (int i = 0; i < 9; i++) {
        struct unsteady w;
        struct transient_report r;
        const bool solid = kinds[i / 3] == GRID_HEXAHEDRA;
        struct box_setting box = grid_box(kinds[i / 3], solid ? 4 : 8, 0);
        char text[1500] = "fluid = { viscosity = 0.1; ", *end = text + strlen(text);
        snprintf(end, 1200, causes[i % 3], solid ? ", 0" : "", solid ? MORE_WALLS : "");
        strcat(text, "time = { end = 99.0; step = 10.0; scheme = \"euler\"; };\nsolver = { algorithm = \"piso\"; };\n");
        open_unsteady(&w, kinds[i / 3], &box, i % 3 == 2 ? 0 : 1, text);
        transient_advance(&w.t, 10, &r);
        double first = r.speed;
        for (int k = 0; k < 20; k++) transient_advance(&w.t, 10, &r);
        close_unsteady(&w);
        if (!(first > 0.75 * r.speed && first < r.speed))
            fail_msg("%s, cause %d: speed %g after a step, %g at the end", grid_name[kinds[i / 3]], i % 3, first,
                     r.speed);
    }
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(three_causes_drive_the_same_flow),
                                       cmocka_unit_test(three_causes_drive_the_same_flow_in_time),
                                       cmocka_unit_test(every_step_has_the_flow_rate),
                                       cmocka_unit_test(a_long_first_step_has_friction),
                                       cmocka_unit_test(womersley_flow),
                                       cmocka_unit_test(an_accelerated_tank_stays_at_rest),
                                       cmocka_unit_test(a_surface_across_the_acceleration_stays_at_rest),
                                       cmocka_unit_test(a_film_falls_as_nusselt_says)};
    return cmocka_run_group_tests_name("drive", tests, NULL, NULL);
}

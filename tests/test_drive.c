/* Flows driven by accelerations, mean pressure gradients and given flow rates (flow/drive.h). */
#include "unsteady_fixture.h"
#include "gpu/device.h"
#include "interface/interface.h"

#define WALLS "left = { type = \"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; }; " \
              "bottom = { type = \"wall\"; }; top = { type = \"wall\"; };"
#define MORE_WALLS " back = { type = \"wall\"; }; front = { type = \"wall\"; };"
static const double density = 2, viscosity = 0.1, gradient = 0.8;

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(three_causes_drive_the_same_flow),
                                       cmocka_unit_test(three_causes_drive_the_same_flow_in_time)};
    return cmocka_run_group_tests_name("drive", tests, NULL, NULL);
}

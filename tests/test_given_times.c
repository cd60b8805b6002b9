/* Values that depend on time: every kind of them keeps the order of Crank-Nicolson, and the flow at the end of a step
 * has those at its end. */
#include "unsteady_fixture.h"
#include "assembly/given.h"

/* From rest: rises as t^2, so that the Euler steps at the start are no larger an error. */
#define RISE "(1-cos(4*t))"
#define PERIODIC "left = { type = \"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; };\n"
#define SIDES "bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
#define DRIVEN "boundary = { " PERIODIC SIDES "driven = { direction = [1.0, 0.0]; "
#define LID "boundary = { " PERIODIC "bottom = { type = \"wall\"; };\n" \
            "top = { type = \"wall\"; velocity = [\"" RISE "\", 0]; }; };\n"
#define ONE "density = 1.3; viscosity = 0.13; "
#define SECOND "second_fluid = { density = 0.4; viscosity = 0.02; };\n" \
               "shapes = { air = { type = \"half-space\"; point = [0.0, 0.5]; normal = [0.0, -1.0]; }; };\n"

static const struct { const char *name, *fluid, *rest; } rows[] = {
    {"wall", ONE, LID},
    {"wall, two fluids", ONE, LID SECOND},
    {"inlet", ONE, "boundary = { left = { type = \"inlet\"; velocity = [\"y*(1-y)*" RISE "\", 0]; };\n"
                   "right = { type = \"outlet\"; };\n" SIDES},
    {"flow rate", ONE, "boundary = { left = { type = \"inlet\"; flow_rate = \"" RISE "\"; };\n"
                       "right = { type = \"outlet\"; };\n" SIDES},
    {"outlet", ONE, "boundary = { left = { type = \"outlet\"; pressure = \"" RISE "\"; };\n"
                    "right = { type = \"outlet\"; };\n" SIDES},
    {"outlet, two fluids", ONE, "boundary = { left = { type = \"outlet\"; fraction = \"y > 0.5 ? 1 : 0\"; "
                                "pressure = \"" RISE "\"; };\n"
                                "right = { type = \"outlet\"; };\n" SIDES SECOND},
    {"source", ONE, "boundary = { " PERIODIC SIDES "sources = { all = { force = [\"y*" RISE "\", 0]; }; };\n"},
    {"viscosity", "density = 1.3; viscosity = \"0.1 + 0.05*" RISE "\"; ",
     DRIVEN "pressure_gradient = -1.0; };\n"},
    {"gradient", ONE, DRIVEN "pressure_gradient = \"" RISE "\"; };\n"},
    {"driven flow rate", ONE, DRIVEN "flow_rate = \"" RISE "\"; };\n"},
    {"driven flow rate, two fluids", ONE, DRIVEN "flow_rate = \"" RISE "\"; };\n" SECOND},
    {"acceleration", ONE "acceleration = [\"" RISE "\", 0]; ", "boundary = { " PERIODIC SIDES},
};

static void open_row(struct unsteady *w, size_t row, int n, const char *more)
{
    struct box_setting box = grid_box(GRID_QUADS, 8, 0);
    char text[2000];
    const bool periodic = strstr(rows[row].rest, "periodic") != NULL;
    box.cells[0] = 4, box.cells[1] = 10;
    snprintf(text, sizeof text, "fluid = { %s};\n%sinitial = { velocity = [0, 0]; };\n"
             "solver = { algorithm = \"pimple\"; outer_correctors = 2; pressure = { tolerance = 1e-9; }; "
             "velocity = { tolerance = 1e-9; }; };\n"
             "time = { end = 1.0; step = %.17g; scheme = \"crank-nicolson\"; %s};\n", rows[row].fluid, rows[row].rest,
             1.0 / n, more);
    open_unsteady(w, GRID_QUADS, &box, periodic, text);
}

/* The velocities at the end, freed by the caller. */
static double *velocities(size_t row, int n, int64_t *size)
{
    struct unsteady w;
    struct transient_report r;
    open_row(&w, row, n, "");
    for (int i = 0; i < n; i++) transient_advance(&w.t, 1.0 / n, &r);
    *size = 2 * w.t.f.s.pitch;
    double *u = FROM_DEVICE(w.t.f.u, *size);
    close_unsteady(&w);
    return u;
}

static void crank_nicolson_is_of_second_order(void **state)
{
    (void)state;
    bool bad = false;
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        int64_t n;
        double *fine = velocities(row, 160, &n), *zero, error[2];
        NEW(zero, n);
        for (int k = 0; k < 2; k++) {
            double *u = velocities(row, 20 << k, &n);
            error[k] = distance(u, fine, n) / distance(fine, zero, n);
            free(u);
        }
        const double order = log2(error[0] / error[1]);
        print_message("%s: error %.2e, order %.2f\n", rows[row].name, error[1], order);
        bad |= !(order > 1.8 && error[1] < 0.01);
        free(fine), free(zero);
    }
    assert_false(bad);
}

/* Fluid that enters through an outlet has the velocity of the cell there: in linear-upwind's gradients, too, that of
 * the present step's guess. */
static double *entering(const char *scheme, int n, int64_t *size)
{
    struct box_setting box = grid_box(GRID_QUADS, 4, 0);
    struct unsteady w;
    char text[2000];
    snprintf(text, sizeof text, "fluid = { viscosity = 0.0265; };\n"
             "boundary = { left = { type = \"outlet\"; pressure = \"0.00974*(1-cos(0.117*t))\"; };\n"
             "right = { type = \"outlet\"; };\n" SIDES "initial = { velocity = [0, 0]; };\n"
             "solver = { algorithm = \"piso\"; correctors = 4; pressure = { tolerance = 1e-9; }; "
             "velocity = { tolerance = 1e-9; }; };\n"
             "time = { end = 26.75; step = %.17g; scheme = \"%s\"; };\n", 26.75 / n, scheme);
    open_unsteady(&w, GRID_QUADS, &box, 0, text);
    advance_to_end(&w);
    *size = 2 * w.t.f.s.pitch;
    double *u = FROM_DEVICE(w.t.f.u, *size);
    close_unsteady(&w);
    return u;
}

static void inflow_through_outlets_is_of_second_order(void **state)
{
    (void)state;
    static const char *const schemes[] = {"bdf2", "crank-nicolson"};
    for (int i = 0; i < 2; i++) {
        int64_t n;
        double *u[3];
        for (int k = 0; k < 3; k++) u[k] = entering(schemes[i], 40 << k, &n);
        const double order = log2(distance(u[0], u[1], n) / distance(u[1], u[2], n));
        print_message("through outlets, %s: order %.2f\n", schemes[i], order);
        for (int k = 0; k < 3; k++) free(u[k]);
        assert_true(order > 1.7);
    }
}

/* What the flow shows after a step, and the next one starts from. */
static void steps_end_with_the_values_of_their_end(void **state)
{
    (void)state;
    struct unsteady w;
    struct transient_report r;
    open_row(&w, 0, 10, "");
    for (int i = 0; i < 8; i++) {
        transient_advance(&w.t, i % 2 ? 0.1 : 0.07, &r);
        const struct patch *top = &w.m.patch[3];
        double *u = FROM_DEVICE(w.t.f.b.velocity, w.t.f.s.n_boundary), end = 1 - cos(4 * w.t.time);
        assert_true(i < 4 || w.t.part < 1);
        for (int32_t k = 0; k < top->count; k++)
            assert_true(fabs(u[top->first - w.m.n_internal + k] - end) < 1e-14);
        free(u);
    }
    close_unsteady(&w);
}

/* Values that a thread evaluates ahead, as with a GPU, make the same steps. */
static void values_ahead_are_the_same(void **state)
{
    (void)state;
    struct unsteady w[2];
    struct transient_report r;
    double *u[2];
    for (int k = 0; k < 2; k++) {
        open_row(&w[k], 0, 10, "");
        for (int i = 0; i < 8; i++) {
            transient_advance(&w[k].t, 0.1, &r);
            if (k) given_prepare(&w[k].t.f.given, w[k].t.time + (i == 5 ? 0.2 : 0.1));
        }
        u[k] = FROM_DEVICE(w[k].t.f.u, 2 * w[k].t.f.s.pitch);
    }
    assert_memory_equal(u[0], u[1], 2 * (size_t)w[0].t.f.s.pitch * sizeof(double));
    for (int k = 0; k < 2; k++) free(u[k]), close_unsteady(&w[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(crank_nicolson_is_of_second_order),
                                       cmocka_unit_test(inflow_through_outlets_is_of_second_order),
                                       cmocka_unit_test(steps_end_with_the_values_of_their_end),
                                       cmocka_unit_test(values_ahead_are_the_same)};
    return RUN_TESTS("given_times", tests);
}

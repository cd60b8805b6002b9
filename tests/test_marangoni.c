/* Surface tension that depends on the temperature: its force along the interface, and none on closed parts. */
#include "interface_shapes.h"

static const struct flow_setting warm = {.fluid = {.density = 1, .viscosity = 0.3, .conductivity = 2},
                                         .second_fluid = {.given = true, .density = 1000, .viscosity = 7,
                                                          .surface_tension = 3, .surface_tension_slope = -0.1,
                                                          .conductivity = 5, .conductivity_given = 1,
                                                          .tension_reference = 2}};

/* Temperature 3 + 2 x + 0.5 z, with a gradient in y of 5 above y0 and 2 below. */
static double kinked(const double x[3], double y0)
{
    return 3 + 2 * x[0] + 0.5 * x[2] + (x[1] - y0) * (x[1] > y0 ? 5 : 2);
}

/* Makes the forces for a temperature in the cells' centres; the caller frees the temperature. */
static double *make_forces_of(const struct flow_setting *law, struct two_fluids *t, double y0)
{
    double *T;
    NEW(T, t->s.pitch);
    for (int32_t c = 0; c < t->m.n_cells; c++) {
        double x[3] = {0};
        for (int k = 0; k < t->m.dim; k++) x[k] = t->m.cell_centre[(int64_t)k * t->m.n_cells + c];
        T[c] = kinked(x, y0);
    }
    take_case(t, law);
    double *there = device_copy_of(T, (size_t)t->s.pitch * sizeof *T, "temperature");
    t->i.temperature = there;
    free(T);
    make_forces(t);
    return there;
}

static double *make_warm_forces(struct two_fluids *t, double y0) { return make_forces_of(&warm, t, y0); }

/* The sum over the cells, and the mean height of what acts along x. */
static double whole_pull(const struct two_fluids *t, double sum[3])
{
    double *pull = FROM_DEVICE(t->i.pull, t->m.dim * t->s.pitch), height = 0;
    sum[0] = sum[1] = sum[2] = 0;
    for (int32_t c = 0; c < t->m.n_cells; c++) {
        for (int k = 0; k < t->m.dim; k++) sum[k] += pull[k * t->s.pitch + c];
        height += pull[c] * t->m.cell_centre[t->m.n_cells + c];
    }
    free(pull);
    return height / sum[0];
}

/* A plane through a box of unit edges: the force is slope times the gradient along it, times its area; it acts as close
 * to the plane as the resistances demand: within a cell. */
static void a_plane_feels_the_gradient(void **state)
{
    (void)state;
    static const double heights[] = {0.47, 0.5, 0.5 + 1e-6, 0.55};
    for (size_t k = 0; k < N_GRIDS; k++)
        for (int h = 0; h < 4; h++) {
            struct box_setting box = grid_box(every_grid[k], 8, h == 1 ? 0 : 0.1);
            double data[6] = {0.5, heights[h], 0.5, 0, 1, 0}, sum[3];
            struct two_fluids t;
            two_fluids_open(&t, every_grid[k], &box, half_space, data, 0);
            double *T = make_warm_forces(&t, heights[h]), height = whole_pull(&t, sum);
            double z = t.m.dim == 3 ? -0.05 : 0;
            if (!(fabs(sum[0] + 0.2) < 1e-11 && fabs(sum[1]) < 1e-11 && fabs(sum[2] - z) < 1e-11))
                fail_msg("%s, height %g: force %.9f %.9f %.9f", grid_name[every_grid[k]], heights[h], sum[0], sum[1],
                         sum[2]);
            if (!(fabs(height - heights[h]) < 0.125))
                fail_msg("%s: height %g, not %g", grid_name[every_grid[k]], height, heights[h]);
            device_free(T);
            two_fluids_close(&t);
        }
}

/* All forces on a drop, at faces and in cells, cancel. */
static void closed_drops_feel_no_force(void **state)
{
    (void)state;
    for (int k = 0; k < N_GRIDS; k++) {
        bool flat = grid_dim(every_grid[k]) == 2;
        struct box_setting box = grid_box(every_grid[k], flat ? 32 : 14, 0.1);
        struct ellipsoid e = {{0.51, 0.48, flat ? 0 : 0.49}, {0.31, 0.25, flat ? 0 : 0.28}};
        double sum[3];
        struct two_fluids t;
        two_fluids_open(&t, every_grid[k], &box, ellipsoid_value, &e, flat ? 6 : 2);
        double *T = make_warm_forces(&t, 0.48);
        double *force = FROM_DEVICE(t.force, t.s.n_faces), *g = FROM_DEVICE(t.s.g, t.s.n_faces);
        whole_pull(&t, sum);
        if (!(fabs(sum[0]) > 0.05)) fail_msg("%s: nothing pulls at the drop", grid_name[every_grid[k]]);
        for (int32_t f = 0; f < t.m.n_internal; f++)
            for (int i = 0; i < t.m.dim; i++)
                sum[i] += force[f] / g[f] * t.m.face_area[(int64_t)i * t.m.n_faces + f];
        double left = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        if (!(left < 1e-10)) fail_msg("%s: the force on the drop is %.2e", grid_name[every_grid[k]], left);
        free(force), free(g), device_free(T);
        two_fluids_close(&t);
    }
}

/* The tension does not become negative, and then nothing pulls. */
static void without_tension_nothing_pulls(void **state)
{
    (void)state;
    const struct tension law = {.value = 0.3, .slope = -0.1, .reference = 2};
    assert_true(tension_at(&law, 2) == 0.3 && fabs(tension_at(&law, 4) - 0.1) < 1e-15 && tension_at(&law, 5.1) == 0);
    struct box_setting box = grid_box(GRID_QUADS, 8, 0);
    double data[6] = {0.5, 0.5, 0.5, 0, 1, 0}, sum[3];
    struct two_fluids t;
    two_fluids_open(&t, GRID_QUADS, &box, half_space, data, 0);
    struct flow_setting cold = warm;
    double *T = make_warm_forces(&t, 0.5);
    cold.second_fluid.tension_reference = -40;
    t.i.in = flow_interface_inputs(&cold);
    make_forces(&t);
    whole_pull(&t, sum);
    assert_true(sum[0] == 0 && sum[1] == 0);
    device_free(T);
    two_fluids_close(&t);
}

/* An expression of the temperature: a linear one is a slope; a square, whose slope grows along the plane, pulls by the
 * difference of the tension at its ends, 3 + 2 x with x from 0 to 1, to second order. */
static void a_tension_by_an_expression(void **state)
{
    (void)state;
    static const char *const name[] = {"temperature"};
    static const struct { const char *text; double pull, most; } laws[] = {
        {"3 - 0.1*(temperature - 2)", -0.2, 1e-9}, {"3 - 0.01*temperature^2", -0.16, 3e-4}};
    for (int k = 0; k < 2; k++)
        for (int n = 8; n <= 16; n *= 2) {
            struct flow_setting by_law = warm;
            struct second_fluid_setting *second = &by_law.second_fluid;
            second->surface_tension_slope = 0;
            second->tension_law = (struct property_setting){.given = true, .field = "temperature", .range = {-20, 30},
                .formula = {.text = laws[k].text, .variable = name, .n_variables = 1}};
            struct box_setting box = grid_box(GRID_TRIANGLES, n, 0.1);
            double data[6] = {0.5, 0.5, 0.5, 0, 1, 0}, sum[3];
            struct two_fluids t;
            two_fluids_open(&t, GRID_TRIANGLES, &box, half_space, data, 0);
            double *T = make_forces_of(&by_law, &t, 0.5);
            whole_pull(&t, sum);
            print_message("# %s, %d: pull %.10f, exact %g\n", laws[k].text, n, sum[0], laws[k].pull);
            const double most = k ? laws[k].most * 64 / n / n : laws[k].most;
            if (!(fabs(sum[0] - laws[k].pull) < most)) fail_msg("%g instead of %g", sum[0], laws[k].pull);
            device_free(T);
            two_fluids_close(&t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_plane_feels_the_gradient),
                                       cmocka_unit_test(closed_drops_feel_no_force),
                                       cmocka_unit_test(without_tension_nothing_pulls),
                                       cmocka_unit_test(a_tension_by_an_expression)};
    return RUN_TESTS("marangoni", tests);
}

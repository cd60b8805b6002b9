/* Plugs: channels in which a yield stress or shear-thinning makes fluid nearly solid. */
#include "flow_fixture.h"
#include "gpu/device.h"

/* Channels driven by a given gradient of 1, of height 1, in which fluid moves like a solid: the flow rate of the exact
 * profile, in few iterations of the coupled algorithm, on cells as long as high and 16 times as long. */
static void fluid_like_a_solid_starts(void **state)
{
    (void)state;
    static const struct { const char *law; double rate; } of[] = {
        {"type = \"bingham\"; plastic_viscosity = 0.1; yield_stress = 0.2; regularisation = 1000.0;", 0.36},
        {"type = \"herschel-bulkley\"; consistency = 0.1; exponent = 0.5; yield_stress = 0.2; regularisation = "
         "1000.0;", 0.765},
        {"type = \"power-law\"; consistency = 0.1; exponent = 0.5;", 3.125},
        {"type = \"power-law\"; consistency = 0.1; exponent = 0.3;", 20.0354}};
    for (int i = 0; i < 12; i++) {
        const enum grid kind = i < 8 ? GRID_QUADS : GRID_TRIANGLES;
        const double length = i < 4 ? 4.0 / 64 : 1;
        struct box_setting box = {.given = true, .dim = 2, .cells = {4, 64}, .to = {length, 1}, .stretch = {1, 1, 1}};
        struct trial w;
        char text[1200];
        double rate = 0;
        if (kind == GRID_TRIANGLES) box.cells[1] = 32, box.to[0] = 4.0 / 32;
        snprintf(text, sizeof text, "fluid = { viscosity_model = { %s }; };\nboundary = { left = { type = "
                 "\"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; }; bottom = { type = \"wall\"; }; "
                 "top = { type = \"wall\"; }; };\ndriven = { direction = [1.0, 0.0]; pressure_gradient = 1.0; };\n"
                 "solver = { algorithm = \"coupled\"; tolerance = 1e-7; max_iterations = 2500; };\n", of[i % 4].law);
        trial_open(&w, kind, &box, true, text);
        int iterations = trial_settle(&w);
        double *u = FROM_DEVICE(w.f->u, w.f->s.n_cells);
        for (int32_t c = 0; c < w.m.n_cells; c++) rate += u[c] * w.m.cell_volume[c] / box.to[0];
        print_message("# %s: flow rate %.6g, expected %.6g, %d iterations\n", grid_name[kind], rate, of[i % 4].rate,
                      iterations);
        assert_true(iterations > 0 && fabs(rate / of[i % 4].rate - 1) < (kind == GRID_TRIANGLES ? 0.02 : 3e-3));
        free(u);
        trial_close(&w);
    }
}

/* The residual must not call it converged while a plug starts: at exponent 0.4 a_P of the fluid at rest is so large
 * that 1e-6 of a_P u was reached after 21 iterations with a 17th of the flow. */
static void starting_is_not_convergence(void **state)
{
    (void)state;
    struct box_setting box = {.given = true, .dim = 2, .cells = {3, 16}, .to = {1, 1}, .stretch = {1, 1, 1}};
    struct trial w;
    double rate = 0;
    trial_open(&w, GRID_QUADS, &box, true, "fluid = { viscosity_model = { type = \"power-law\"; consistency = 0.1; "
               "exponent = 0.4; }; };\nboundary = { left = { type = \"periodic\"; with = \"right\"; }; right = { "
               "type = \"periodic\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
               "driven = { direction = [1.0, 0.0]; pressure_gradient = 1.0; };\n"
               "solver = { algorithm = \"coupled\"; };\n");
    int iterations = trial_settle(&w);
    double *u = FROM_DEVICE(w.f->u, w.f->s.n_cells);
    for (int32_t c = 0; c < w.m.n_cells; c++) rate += u[c] * w.m.cell_volume[c];
    print_message("# flow rate %.6g in %d iterations\n", rate, iterations);
    assert_true(iterations > 0 && fabs(rate / 6.2113 - 1) < 3e-3);
    free(u);
    trial_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fluid_like_a_solid_starts),
                                       cmocka_unit_test(starting_is_not_convergence)};
    return RUN_TESTS("plugs", tests);
}

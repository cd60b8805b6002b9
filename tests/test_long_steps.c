/* Temperatures in steps of large diffusion numbers. */
#include "solids_fixture.h"
#include "flow/scalar.h"

static int all_plate(const double x[3]) { (void)x; return 1; }
static const char *const names[] = {"fluid", "plate"};
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(heat_of_long_steps_is_conducted)};
    return RUN_TESTS("long steps", tests);
}

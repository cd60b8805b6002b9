/* In cells that are much thinner than long, with large viscous numbers across them, a flow along them hardly depends
 * on their thickness, at any step. */
#include "unsteady_fixture.h"

/* The largest velocity of a flow between two outlets and two walls, and thin in x. */
static double speed(double thickness, int nx, const char *sides, const char *scheme)
{
    struct box_setting box = grid_box(GRID_HEXAHEDRA, 3, 0);
    struct unsteady w;
    char text[1500];
    box.cells[0] = nx, box.to[0] = thickness, box.cells[1] = 4;
    snprintf(text, sizeof text, "fluid = { viscosity = 0.005; };\nboundary = { left = { type = \"%s\"; }; right = { "
             "type = \"%s\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; back = { type = \"outlet\"; "
             "pressure = 0.001; }; front = { type = \"outlet\"; }; };\ntime = { end = 20.0; step = 1.0; scheme = \"%s\"; "
             "};\nsolver = { algorithm = \"piso\"; pressure = { tolerance = 1e-12; }; velocity = { tolerance = 1e-12; }; "
             "};\n", sides, sides, scheme);
    open_unsteady(&w, GRID_HEXAHEDRA, &box, !strcmp(sides, "periodic"), text);
    double most = advance_to_end(&w).speed;
    close_unsteady(&w);
    return most;
}

static void compare(const char *sides)
{
    static const char *const schemes[] = {"euler", "bdf2", "crank-nicolson"};
    static const double thin[] = {0.1, 0.01, 0.001};
    open_device();
    for (int i = 0; i < 3; i++) {
        double thick = speed(1, 3, sides, schemes[i]);
        for (int k = 0; k < 6; k++) {
            double found = speed(thin[k % 3], k < 3 ? 2 : 5, sides, schemes[i]);
            if (!(fabs(found / thick - 1) < 3e-3))
                fail_msg("%s, %s: speed %g if %g thick, %g if 1", sides, schemes[i], found, thin[k % 3], thick);
        }
    }
    device_close();
}

static void between_periodic_sides(void **state)
{
    (void)state;
    compare("periodic");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(between_periodic_sides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

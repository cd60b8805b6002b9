/* A flow that is the same everywhere along its direction is the same in a frame that moves along it, at any Courant
 * number: nothing but convection may depend on the speed of the frame. */
#include "unsteady_fixture.h"

static double *velocity(enum grid kind, double height, const char *law, const char *solver, double step,
                        double speed, int64_t *n)
{
    struct box_setting box = grid_box(kind, 6, 0);
    box.to[1] = height;
    const char *z = grid_dim(kind) == 3 ? ", 0.0" : "";
    char text[2000];
    snprintf(text, sizeof text, "fluid = { %s acceleration = [1.0, 0.0%s]; };\n"
             "boundary = { left = { type = \"periodic\"; }; right = { type = \"periodic\"; };\n"
             "bottom = { type = \"wall\"; velocity = [%.17g, 0.0%s]; }; top = { type = \"slip\"; }; %s };\n"
             "initial = { velocity = [%.17g, 0.0%s]; };\ntime = { end = %g; step = %g; %s };\n"
             "solver = { %s pressure = { tolerance = 1e-13; }; velocity = { tolerance = 1e-13; }; };\n",
             law, z, speed, z, *z ? "back = { type = \"slip\"; }; front = { type = \"slip\"; };" : "", speed, z,
             5 * step, step, strstr(solver, "middle") ? "scheme = \"crank-nicolson\";" : "", strchr(solver, 'a'));
    struct unsteady w;
    open_unsteady(&w, kind, &box, 1, text);
    advance_to_end(&w);
    *n = w.m.n_cells;
    double *u = FROM_DEVICE(w.t.f.u, *n);
    close_unsteady(&w);
    return u;
}

/* The velocity at rest, and in a frame that moves at 20. */
static void compare(enum grid kind, double height, const char *law, const char *solver, double step)
{
    int64_t n;
    double *a = velocity(kind, height, law, solver, step, 0, &n);
    double *b = velocity(kind, height, law, solver, step, 20, &n);
    double most = 0, apart = 0;
    for (int64_t c = 0; c < n; c++) most = fmax(most, fabs(a[c])), apart = fmax(apart, fabs(b[c] - a[c] - 20));
    print_message("%s %s: %.2e of %.3g\n", solver, law, apart, most);
    assert_true(apart < 1e-9 * most);
    free(a), free(b);
}

static void the_frame_does_not_count(void **state)
{
    (void)state;
    static const char *const laws[] = {
        "viscosity = 0.05;", "viscosity_model = { type = \"power-law\"; consistency = 0.1; exponent = 0.5; lowest = "
        "0.001; highest = 10.0; };"};
    static const char *const solvers[] = {
        "algorithm = \"piso\";", "algorithm = \"piso\"; convection = \"van-leer\"; gradient = \"green-gauss\";",
        "middle algorithm = \"piso\"; convection = \"central\";",
        "middle algorithm = \"pimple\"; convection = \"linear-upwind\";"};
    for (int i = 0; i < 48; i++)
        compare((enum grid[]){GRID_QUADS, GRID_HEXAHEDRA}[i / 8 % 2], 1, laws[i % 2], solvers[i / 2 % 4],
                i < 16 ? 0.8 : i < 32 ? 1.6 : 8);
}

/* In the first step neither the number of correctors, which depends on a part of the velocity, nor the treatment of
 * slip boundaries, which depends on the viscosity. */
static void nor_in_the_first_step(void **state)
{
    (void)state;
    compare(GRID_QUADS, 100, "viscosity = 0.05;", "algorithm = \"piso\";", 4);
    compare(GRID_QUADS, 1, "viscosity_model = { type = \"cross\"; zero = 1000.0; infinite = 0.0; time = 1000.0; "
            "exponent = 1.0; };", "algorithm = \"piso\";", 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_frame_does_not_count),
                                       cmocka_unit_test(nor_in_the_first_step)};
    return RUN_TESTS("frame", tests);
}

/* The temperature of two fluids: conserved, bounded and uniform where it was; layers; a drop that the heat moves. */
#include "unsteady_fixture.h"
#include "flow/heat.h"
#include "interface/interface.h"

static double *temperature_of(const struct flow *f)
{
    const struct field *t = fields_find(&f->fields, "temperature", FIELD_OUTPUT);
    return FROM_DEVICE(*t->value, f->s.n_padded);
}

/* Heat over the first fluid's capacity; extremes of the temperature; its mean in the second fluid. */
struct heat { double whole, lowest, highest, second; };
static struct heat heat_of(const struct unsteady *w)
{
    const struct flow *f = &w->t.f;
    double *x = temperature_of(f), *fraction = FROM_DEVICE(f->interface->fraction, f->s.n_padded), volume = 0;
    struct heat h = {0, INFINITY, -INFINITY, 0};
    for (int32_t c = 0; c < w->m.n_cells; c++) {
        double part = fraction[c] * w->m.cell_volume[c];
        h.whole += (w->m.cell_volume[c] + (w->c.flow.scalars.item[0].second_capacity - 1) * part) * x[c];
        h.lowest = fmin(h.lowest, x[c]), h.highest = fmax(h.highest, x[c]);
        h.second += part * x[c], volume += part;
    }
    h.second /= volume;
    free(x), free(fraction);
    return h;
}

/* A body of the second fluid in a closed box, which rises or falls; its heat capacity per volume is 1/1000 or 1000
 * times that of the first fluid. */
static void body_in_a_box(char *text, size_t size, bool light, double conductivity, bool solid, const char *temperature)
{
    snprintf(text, size, "fluid = { density = %g; viscosity = 0.1; gravity = [0.0, -1.0%s]; heat_capacity = %g; "
             "conductivity = %g; };\nsecond_fluid = { density = %g; viscosity = 0.05; surface_tension = 0.1; "
             "heat_capacity = %g; conductivity = %g; };\nshapes = { body = { type = \"sphere\"; centre = [0.5, 0.5%s]; "
             "radius = 0.25; }; };\nboundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { "
             "type = \"wall\"; }; top = { type = \"wall\"; };%s };\ninitial = { temperature = %s; };\nsolver = { "
             "algorithm = \"piso\"; };\ntime = { end = 0.4; step = 0.01; };\n", light ? 10.0 : 1.0,
             solid ? ", 0.0" : "", light ? 100.0 : 1.0, conductivity, light ? 1.0 : 10.0, light ? 1.0 : 100.0,
             0.1 * conductivity,
             solid ? ", 0.5" : "", solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "",
             temperature);
}

static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_HEXAHEDRA, GRID_TETRAHEDRA};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static void open_body(struct unsteady *w, enum grid kind, bool light, double conductivity, const char *temperature)
{
    char text[2000];
    bool solid = grid_dim(kind) == 3;
    struct box_setting box = grid_box(kind, solid ? 8 : 20, 0.1);
    body_in_a_box(text, sizeof text, light, conductivity, solid, temperature);
    open_unsteady(w, kind, &box, 0, text);
}

static void a_uniform_temperature_stays(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * N_KINDS; k++) {
        struct unsteady w;
        open_body(&w, kinds[k / 2], k % 2, 0.1, "300.0");
        struct heat before = heat_of(&w);
        advance_to_end(&w);
        struct heat now = heat_of(&w);
        double change = now.whole / before.whole - 1;
        if (!(now.lowest > 300 - 1e-9 && now.highest < 300 + 1e-9 && fabs(change) < 1e-13))
            fail_msg("%s: %.17g to %.17g, heat changed by %.1e", grid_name[kinds[k / 2]], now.lowest, now.highest,
                     change);
        close_unsteady(&w);
    }
}

/* The drop is somewhat smaller than its warm surroundings, so that all its cells are warm. */
static void heat_is_conserved_and_bounded(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * N_KINDS; k++) {
        struct unsteady w;
        enum grid kind = kinds[k / 2];
        bool solid = grid_dim(kind) == 3;
        open_body(&w, kind, k % 2, k % 2 ? 0.1 : 1e-9, solid ?
                  "\"(x-0.5)^2+(y-0.5)^2+(z-0.5)^2<0.4^2?400:300\"" : "\"(x-0.5)^2+(y-0.5)^2<0.32^2?400:300\"");
        struct heat before = heat_of(&w);
        advance_to_end(&w);
        struct heat now = heat_of(&w);
        double change = now.whole / before.whole - 1;
        print_message("# %s, %s: from %.9g to %.9g, %.4f in the second fluid, heat changed by %.1e\n", grid_name[kind],
                      k % 2 ? "light" : "heavy", now.lowest, now.highest, now.second, change);
        if (!(now.lowest > 300 - 1e-9 && now.highest < 400 + 1e-9 && fabs(change) < 1e-13))
            fail_msg("%s: %.17g to %.17g, heat changed by %.1e", grid_name[kind], now.lowest, now.highest, change);
        if (k % 2 == 0 && !(before.second > 399.99 && now.second > 399.9))
            fail_msg("%s: the drop has cooled from %g to %g", grid_name[kind], before.second, now.second);
        close_unsteady(&w);
    }
}

/* A wall of two layers at rest, which conduct 1 : 10000, wherever the interface is in the cells. */
static void layers_conduct_exactly(void **state)
{
    (void)state;
    static const double places[] = {0.43, 0.5, 0.4, 0.58};
    static const enum grid of[] = {GRID_QUADS, GRID_HEXAHEDRA};
    for (int k = 0; k < 8; k++) {
        struct unsteady w;
        char text[2000];
        enum grid kind = of[k % 2];
        double place = places[k / 2], worst = 0, flux = 1 / (place / 1e4 + 1 - place);
        bool solid = grid_dim(kind) == 3;
        struct box_setting box = grid_box(kind, solid ? 5 : 10, 0);
        snprintf(text, sizeof text, "fluid = { viscosity = 1.0; heat_capacity = 1.0; conductivity = 1.0; };\n"
                 "second_fluid = { density = 1.0; viscosity = 1.0; heat_capacity = 2.0; conductivity = 1e4; };\n"
                 "shapes = { slab = { type = \"half-space\"; point = [%g, 0.0%s]; normal = [1.0, 0.0%s]; }; };\n"
                 "boundary = { left = { type = \"wall\"; temperature = 1.0; }; right = { type = \"wall\"; "
                 "temperature = 0.0; }; bottom = { type = \"symmetry\"; }; top = { type = \"symmetry\"; };%s };\n"
                 "solver = { algorithm = \"piso\"; };\ntime = { end = 40.0; step = 1.0; scheme = \"euler\"; };\n",
                 place, solid ? ", 0.0" : "", solid ? ", 0.0" : "",
                 solid ? " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };" : "");
        open_unsteady(&w, kind, &box, 0, text);
        advance_to_end(&w);
        double *x = temperature_of(&w.t.f);
        for (int32_t c = 0; c < w.m.n_cells; c++) {
            double at = w.m.cell_centre[c];
            worst = fmax(worst, fabs(x[c] - (at < place ? 1 - flux * at / 1e4 : flux * (1 - at))));
        }
        if (!(worst < 1e-7)) fail_msg("%s, interface at %g: error %.2e", grid_name[kind], place, worst);
        free(x);
        close_unsteady(&w);
    }
}

/* A column of the second fluid on cells 65 times as high as wide, in steps 10^6 times as long as diffusion through
 * their width takes, has one temperature along a row: the limiter of fluxes left 0.15 of a range of 3.3. */
static void steps_may_be_long(void **state)
{
    (void)state;
    enum { N = 11 };
    struct unsteady w;
    struct box_setting box = grid_box(GRID_QUADS, N, 0);
    box.cells[1] = 3, box.to[0] = 0.37, box.to[1] = 6.55;
    open_unsteady(&w, GRID_QUADS, &box, 0,
        "fluid = { density = 1.0; viscosity = 0.1; heat_capacity = 13.1; conductivity = 8.29; };\n"
        "second_fluid = { density = 0.00519; viscosity = 0.1; heat_capacity = 3.5; conductivity = 460.0; };\n"
        "shapes = { s = { type = \"box\"; from = [0.0, 0.0]; to = [0.169, 3.93]; }; };\n"
        "boundary = { left = { type = \"slip\"; }; right = { type = \"symmetry\"; }; bottom = { type = \"wall\"; };\n"
        "top = { type = \"wall\"; temperature = 296.3; }; };\ninitial = { temperature = \"y<3.41?293.0:296.3\"; };\n"
        "solver = { algorithm = \"piso\"; convection_temperature = \"upwind\"; };\n"
        "time = { end = 0.21; step = 0.07; };\n");
    advance_to_end(&w);
    double *x = temperature_of(&w.t.f), lowest = INFINITY, highest = -INFINITY;
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        if (w.m.cell_centre[c] > 5 * 0.37 / N || w.m.cell_centre[w.m.n_cells + c] > 6.55 / 3) continue;
        lowest = fmin(lowest, x[c]), highest = fmax(highest, x[c]);
    }
    print_message("# long steps on thin cells: temperatures along a row differ by %.1e\n", highest - lowest);
    if (!(highest - lowest < 2e-3)) fail_msg("temperatures along a row: %.9g to %.9g", lowest, highest);
    free(x);
    close_unsteady(&w);
}

/* A drop in a temperature that rises along x, without inertia and convection of heat.  In an infinite plane it moves
 * with the velocity
 *     |slope| gradient radius / (2 (mu_1 + mu_2) (1 + k_2 / k_1)),
 * an exact solution of Stokes' equations without a force on the drop: outside stream function U (r - R^2/r) sin, inside
 * U (r^3/R^2 - r) sin.  Walls at distance L add the images of its dipole: -0.859 (R/L)^2, from sums over lattices. */
static void heat_moves_a_drop(void **state)
{
    (void)state;
    static const struct { double viscosity, bound; } fluid[] = {{1, 0.01}, {10, 0.04}};
    for (int k = 0; k < (full_size() ? 2 : 1); k++) {
        struct unsteady w;
        char text[2000];
        struct box_setting box = grid_box(GRID_QUADS, 64, 0);
        for (int i = 0; i < 2; i++) box.from[i] = -4, box.to[i] = 4;
        snprintf(text, sizeof text, "fluid = { density = 0.02; viscosity = 1.0; heat_capacity = 1.0; conductivity = "
                 "1.0; reference_temperature = 0.0; };\nsecond_fluid = { density = 0.02; viscosity = %g; "
                 "surface_tension = 2.0; surface_tension_slope = -1.0; heat_capacity = 1.0; conductivity = 1.0; };\n"
                 "shapes = { drop = { type = \"sphere\"; centre = [0.0, 0.0]; radius = 1.0; }; };\n"
                 "boundary = { left = { type = \"slip\"; temperature = -4.0; }; right = { type = \"slip\"; "
                 "temperature = 4.0; }; bottom = { type = \"symmetry\"; }; top = { type = \"symmetry\"; }; };\n"
                 "initial = { temperature = \"x\"; };\nsolver = { algorithm = \"piso\"; };\n"
                 "time = { end = 0.15; step = 0.01; scheme = \"euler\"; };\n", fluid[k].viscosity);
        open_unsteady(&w, GRID_QUADS, &box, 0, text);
        advance_to_end(&w);
        double *u = FROM_DEVICE(w.t.f.u, w.t.f.s.pitch), sum = 0, volume = 0;
        double *fraction = FROM_DEVICE(w.t.f.interface->fraction, w.t.f.s.n_padded);
        for (int32_t c = 0; c < w.m.n_cells; c++)
            sum += fraction[c] * w.m.cell_volume[c] * u[c], volume += fraction[c] * w.m.cell_volume[c];
        double exact = (1 - 0.859 / 16) / (4 * (1 + fluid[k].viscosity)), error = sum / volume / exact - 1;
        print_message("# viscosity %g: velocity %.5f, error %+.2f %%, %lld steps\n", fluid[k].viscosity, sum / volume,
                      100 * error, (long long)w.t.steps);
        if (!(fabs(error) < fluid[k].bound)) fail_msg("velocity %g, expected %g", sum / volume, exact);
        free(u), free(fraction);
        close_unsteady(&w);
    }
}

/* The heat that has left in a step while the interface passes an outlet does not depend on whether files or surfaces
 * show the heat flux. */
static void showing_changes_no_heat(void **state)
{
    (void)state;
    struct unsteady w;
    struct box_setting box = grid_box(GRID_TRIANGLES, 12, 0.1);
    open_unsteady(&w, GRID_TRIANGLES, &box, 0,
        "fluid = { viscosity = 0.01; heat_capacity = 1.0; conductivity = 0.01; };\n"
        "second_fluid = { density = 0.5; viscosity = 0.01; heat_capacity = 3.0; conductivity = 0.02; };\n"
        "shapes = { front = { type = \"half-space\"; point = [0.8, 0.5]; normal = [1.0, 0.0]; }; };\n"
        "boundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; temperature = 2.0; fraction = 0.0; };\n"
        "right = { type = \"outlet\"; }; bottom = { type = \"symmetry\"; }; top = { type = \"symmetry\"; }; };\n"
        "initial = { velocity = [1.0, 0.0]; temperature = 1.0; };\nsolver = { algorithm = \"piso\"; };\n"
        "time = { end = 0.25; step = 0.01; };\n");
    advance_to_end(&w);
    const size_t n = (size_t)w.t.f.s.n_boundary;
    const struct field *t = fields_find(&w.t.f.fields, "temperature", FIELD_OUTPUT);
    double *before = FROM_DEVICE((double *)heat_inflow(&w.t.f, 1.5), n);
    t->make_gradient(t->owner), t->make_flux(t->owner);
    double *after = FROM_DEVICE((double *)heat_inflow(&w.t.f, 1.5), n);
    assert_memory_equal(before, after, n * sizeof *before);
    free(before), free(after);
    close_unsteady(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_uniform_temperature_stays),
                                       cmocka_unit_test(heat_is_conserved_and_bounded),
                                       cmocka_unit_test(layers_conduct_exactly),
                                       cmocka_unit_test(steps_may_be_long),
                                       cmocka_unit_test(heat_moves_a_drop),
                                       cmocka_unit_test(showing_changes_no_heat)};
    return RUN_TESTS("heat_fluids", tests);
}

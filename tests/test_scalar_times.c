/* Values of a scalar that are given as functions of time, at boundaries and as sources: steps are of second order, with
 * Euler's scheme of first, in a fluid, in a solid and in both.  Steps much longer than conduction takes. */
#include "solids_fixture.h"
#include "flow/scalar.h"

static const char *const names[] = {"fluid", "plate"};
static int all_plate(const double x[3]) { (void)x; return 1; }
static int right_half(const double x[3]) { return x[0] > 0.5; }
static int (*const materials[])(const double x[3]) = {NULL, all_plate, right_half};
static const char *const material_name[] = {"fluid", "solid", "both"};

/* The temperature is a(t) (1 + x), a = 1 + sin(3 t) / 2: linear in space, so that the error is that in time. */
static double amplitude(double t) { return 1 + sin(3 * t) / 2; }
#define A "(1+sin(3*t)/2)"
static const struct { const char *name, *conductivity, *left, *right; } variants[] = {
    {"temperatures", "0.5", "temperature = \"" A "\"", "temperature = \"2*" A "\""},
    {"heat fluxes", "0.5", "temperature = \"" A "\"", "heat_flux = \"0.5*" A "\""},
    {"transfer", "0.5", "temperature = \"" A "\"", "transfer = [\"1+t\", \"(2+0.5/(1+t))*" A "\"]"},
    {"conductivity in time", "\"0.5*(1+t)\"", "temperature = \"" A "\"", "heat_flux = \"0.5*(1+t)*" A "\""},
    {"diffusion number 80", "100.0", "temperature = \"" A "\"", "heat_flux = \"100*" A "\""}};
enum { N_VARIANTS = sizeof variants / sizeof *variants, N_MATERIALS = 3 };

static double error_of(const struct flow *f, const struct mesh *m)
{
    double *x = FROM_DEVICE(*temperature(f)->value, m->n_cells), worst = 0;
    for (int32_t c = 0; c < m->n_cells; c++) worst = fmax(worst, fabs(x[c] - amplitude(1) * (1 + m->cell_centre[c])));
    free(x);
    return worst;
}

static double error_of_fluid(const char *text)
{
    const struct box_setting box = grid_box(GRID_QUADS, 4, 0);
    struct unsteady w;
    open_unsteady(&w, GRID_QUADS, &box, 0, text);
    advance_to_end(&w);
    double error = error_of(&w.t.f, &w.m);
    close_unsteady(&w);
    return error;
}

static double error_after(int material, int variant, int steps, const char *scheme, const char *convection)
{
    struct beside w;
    char text[3000], fluid[300] = "", solids[300] = "";
    const char *k = variants[variant].conductivity;
    if (material != 1)
        snprintf(fluid, sizeof fluid, "fluid = { viscosity = 1.0; heat_capacity = 1.0; conductivity = %s; };\n"
                 "solver = { algorithm = \"piso\"; convection_temperature = \"%s\"; };\n", k, convection);
    if (material != 0)
        snprintf(solids, sizeof solids, "solids = { plate = { density = 1.0; heat_capacity = 1.0; conductivity = %s; "
                 "}; };\n", k);
    snprintf(text, sizeof text, "%s%sboundary = { left = { type = \"wall\"; %s; }; right = { type = \"wall\"; %s; }; "
             "bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\ninitial = { temperature = \"1 + x\"; };\n"
             "sources = { all = { heat = \"1.5*cos(3*t)*(1 + x)\"; }; };\n"
             "time = { end = 1.0; step = %.17g; scheme = \"%s\"; };\n", fluid, solids, variants[variant].left,
             variants[variant].right, 1.0 / steps, scheme);
    if (!materials[material]) return error_of_fluid(text);
    open_solids(&w, GRID_QUADS, 4, 0, names, 2, materials[material], true, text);
    advance_to_end(&w.unsteady);
    double error = error_of(w.f, &w.whole);
    close_solids(&w);
    return error;
}

static void check_order(int material, int variant, const char *scheme, const char *convection, double low, double high,
                        double most)
{
    enum { STEPS = 20 };
    double coarse = error_after(material, variant, STEPS, scheme, convection);
    double fine = error_after(material, variant, 2 * STEPS, scheme, convection), order = log2(coarse / fine);
    print_message("# %s, %s, %s, %s: errors %.2e, %.2e, order %.2f\n", material_name[material], variants[variant].name,
                  scheme, convection, coarse, fine, order);
    assert_true(order > low && order < high && fine < most);
}

static void steps_are_of_second_order(void **state)
{
    (void)state;
    for (int material = 0; material < N_MATERIALS; material++)
        for (int variant = 0; variant < N_VARIANTS; variant++) {
            check_order(material, variant, "bdf2", "linear-upwind", 1.85, 2.3, 2e-3);
            check_order(material, variant, "euler", "linear-upwind", 0.8, 1.2, 1e-1);
        }
    check_order(0, 0, "crank-nicolson", "linear-upwind", 1.85, 2.3, 2e-3);
}

/* Advances to the end; the temperature's extremes on the way. */
static void advance_between(struct unsteady *w, double *low, double *high)
{
    const double end = w->c.flow.time.end;
    struct transient_report r;
    *low = INFINITY, *high = -INFINITY;
    while (w->t.time < end * (1 - 1e-12)) {
        transient_advance(&w->t, transient_choose_step(&w->t, end), &r);
        double *x = FROM_DEVICE(*temperature(&w->t.f)->value, w->m.n_cells);
        for (int32_t c = 0; c < w->m.n_cells; c++) *low = fmin(*low, x[c]), *high = fmax(*high, x[c]);
        free(x);
    }
}

/* A sudden temperature of a wall: after 20 steps of this diffusion number across the cells, of which there are n across
 * the box, the temperature is the steady one, and with bounds it is within them always. */
static void check_sudden_wall(enum grid kind, const struct box_setting *box, const char *scheme, const char *convection,
                              double number)
{
    const bool solid = grid_dim(kind) == 3;
    const int n = box->cells[0];
    struct unsteady w;
    char text[2000];
    double low, high, worst = 0;
    snprintf(text, sizeof text, "fluid = { viscosity = 1.0; heat_capacity = 1.0; conductivity = %g; };\n"
             "solver = { algorithm = \"piso\"; convection_temperature = \"%s\"; };\nboundary = { left = { type = "
             "\"wall\"; temperature = 310.0; }; right = { type = \"wall\"; temperature = 293.0; }; bottom = { type "
             "= \"wall\"; }; top = { type = \"wall\"; };%s };\ninitial = { temperature = 293.0; };\n"
             "time = { end = 1.0; step = 0.05; scheme = \"%s\"; };\n", number / 0.05 / n / n, convection,
             solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", scheme);
    open_unsteady(&w, kind, box, 0, text);
    advance_between(&w, &low, &high);
    double *x = FROM_DEVICE(*temperature(&w.t.f)->value, w.m.n_cells);
    for (int32_t c = 0; c < w.m.n_cells; c++) worst = fmax(worst, fabs(x[c] - 310 + 17 * w.m.cell_centre[c]));
    print_message("# %s, %s, %s, %g: error %.1e of 17, from %.9g to %.9g\n", grid_name[kind], scheme, convection,
                  number, worst, low, high);
    assert_true(worst < 0.01);
    if (!strcmp(convection, "limited")) assert_true(low >= 293 && high <= 310);
    free(x);
    close_unsteady(&w);
}

static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_HEXAHEDRA, GRID_TETRAHEDRA};
static const struct { const char *convection; double number; } long_steps[] = {{"linear-upwind", 300}, {"limited", 300},
                                                                               {"limited", 5}};
static const char *const schemes[] = {"bdf2", "crank-nicolson", "euler"};

/* In steps of 5 or 300 times the time that conduction through a cell takes. */
static void long_steps_do_not_oscillate(void **state)
{
    (void)state;
    for (int k = 0; k < 4 * 3 * 3; k++) {
        const enum grid kind = kinds[k % 4];
        const struct box_setting box = grid_box(kind, grid_dim(kind) == 3 ? 6 : 10, 0.1);
        check_sudden_wall(kind, &box, schemes[k / 12], long_steps[k / 4 % 3].convection, long_steps[k / 4 % 3].number);
    }
}

/* Across cells ten times as long as thick.  Bounds limit corrections on oblique ones. */
static void thin_cells_do_not_oscillate(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct box_setting box = grid_box(kinds[k], 20, 0.1);
        box.cells[1] = box.cells[2] = 2;
        check_sudden_wall(kinds[k], &box, "bdf2", "linear-upwind", 300);
        box.to[1] = box.to[2] = 10;                 /* a hundred times */
        if (k % 2 == 0) check_sudden_wall(kinds[k], &box, "bdf2", "limited", 60);
    }
}

/* Without bounds, too, where what a pass of corrections of conduction leaves of an error would grow. */
static void oblique_cells_do_not_oscillate(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct box_setting box = grid_box(kinds[k], grid_dim(kinds[k]) == 3 ? 6 : 10, 0.1);
        box.to[1] = box.to[2] = 4;
        check_sudden_wall(kinds[k], &box, "bdf2", "linear-upwind", 5);
    }
}

/* Two fronts along a uniform stream, of 0, 1/2 and 1, in steps of Courant number 8 and cell Peclet number 30: at the
 * lower one nothing exceeds 1/2, although that is no extreme of the whole. */
static void fronts_are_monotone_in_long_steps(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const bool solid = grid_dim(kinds[k]) == 3;
        const struct box_setting box = grid_box(kinds[k], 16, 0.1);
        struct unsteady w;
        char text[2000];
        double most = 0;
        snprintf(text, sizeof text, "fluid = { viscosity = 1.0; };\nboundary = { left = { type = \"inlet\"; velocity = "
                 "[1.0, 0.0%s]; scalars = { dye = \"y < 0.4 ? 0 : y < 0.75 ? 0.5 : 1\"; }; }; right = { type = "
                 "\"outlet\"; }; bottom = { type = \"symmetry\"; }; top = { type = \"symmetry\"; };%s };\n"
                 "initial = { velocity = [1.0, 0.0%s]; };\nsolver = { algorithm = \"piso\"; };\n"
                 "scalars = { dye = { diffusivity = 2e-3; }; };\ntime = { end = 5.0; step = 0.5; };\n",
                 solid ? ", 0.0" : "", solid ? " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };"
                                             : "", solid ? ", 0.0" : "");
        open_unsteady(&w, kinds[k], &box, 0, text);
        advance_to_end(&w);
        struct scalars *all = w.t.f.equation[0];
        double *x = FROM_DEVICE(all->item->x, w.m.n_cells);
        for (int32_t c = 0; c < w.m.n_cells; c++)
            if (w.m.cell_centre[w.m.n_cells + c] < 0.5) most = fmax(most, x[c]);
        print_message("# %s: at most %.6f below the middle\n", grid_name[kinds[k]], most);
        assert_true(most < 0.502 && most > 0.48);
        free(x);
        close_unsteady(&w);
    }
}

/* A dye in a stirred box that starts from an expression, on another level: the same differences. */
static double *stirred(double level, int32_t *n)
{
    struct unsteady w;
    char text[2000];
    const struct box_setting box = grid_box(GRID_TRIANGLES, 6, 0.1);
    snprintf(text, sizeof text, "fluid = { viscosity = 0.01; };\nboundary = { left = { type = \"wall\"; }; right = { "
             "type = \"wall\"; }; bottom = { type = \"wall\"; };\n"
             "top = { type = \"wall\"; velocity = [1.0, 0.0]; }; };\n"
             "scalars = { dye = { diffusivity = 0.01; initial = \"%g + (x < 0.53 ? 1 : 0)\"; }; };\n"
             "time = { end = 0.4; step = 0.2; };\nsolver = { algorithm = \"piso\"; };\n", level);
    open_unsteady(&w, GRID_TRIANGLES, &box, 0, text);
    advance_to_end(&w);
    struct scalars *all = w.t.f.equation[0];
    double *x = FROM_DEVICE(all->item->x, *n = w.m.n_cells);
    for (int32_t c = 0; c < *n; c++) x[c] -= level;
    close_unsteady(&w);
    return x;
}

static void levels_do_not_matter(void **state)
{
    (void)state;
    int32_t n;
    double *x = stirred(0, &n), *y = stirred(1000, &n), most = 0;
    for (int32_t c = 0; c < n; c++) most = fmax(most, fabs(x[c] - y[c]));
    if (!(most < 1e-8)) fail_msg("the level changes the dye by %g", most);
    free(x), free(y);
}

/* Scalars share a list of given values: in steps of two stages each has them at the times of its own stages. */
static void equal_scalars_stay_equal(void **state)
{
    (void)state;
    const struct box_setting box = grid_box(GRID_QUADS, 6, 0);
    struct unsteady w;
#define DYE "= { diffusivity = 0.05; values = { left = \"sin(3*t)\"; }; sources = { fluid = \"t\"; }; }; "
    open_unsteady(&w, GRID_QUADS, &box, 0, "fluid = { viscosity = 0.1; };\nboundary = { left = { type = \"inlet\"; "
                  "velocity = [1.0, 0.0]; }; right = { type = \"outlet\"; }; bottom = { type = \"wall\"; }; top = { "
                  "type = \"wall\"; }; };\nscalars = { one " DYE "two " DYE "three " DYE "};\n"
                  "solver = { algorithm = \"piso\"; };\ntime = { end = 2.0; step = 0.4; scheme = \"bdf2\"; };\n");
    advance_to_end(&w);
    double *x[3];
    for (int i = 0; i < 3; i++)
        x[i] = FROM_DEVICE(*fields_find(&w.t.f.fields, (const char *[]){"one", "two", "three"}[i], FIELD_OUTPUT)->value,
                           w.m.n_cells);
    for (int i = 1; i < 3; i++) assert_memory_equal(x[0], x[i], (size_t)w.m.n_cells * sizeof(double));
    for (int i = 0; i < 3; i++) free(x[i]);
    close_unsteady(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_of_second_order),
                                       cmocka_unit_test(long_steps_do_not_oscillate),
                                       cmocka_unit_test(thin_cells_do_not_oscillate),
                                       cmocka_unit_test(oblique_cells_do_not_oscillate),
                                       cmocka_unit_test(fronts_are_monotone_in_long_steps),
                                       cmocka_unit_test(levels_do_not_matter),
                                       cmocka_unit_test(equal_scalars_stay_equal)};
    return RUN_TESTS("scalar times", tests);
}

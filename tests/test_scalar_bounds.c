/* With the default scheme, `bounded`, and with `limited` temperatures stay within the given and initial values, where
 * a jump is carried obliquely through cells of every kind, steady and in time. */
#include "mms_fixture.h"
#include "unsteady_fixture.h"

static const struct { enum grid kind; int n; double distortion, stretch; } mesh[] = {
    {GRID_QUADS, 12, 0, 1}, {GRID_QUADS, 12, 0.3, 1}, {GRID_TRIANGLES, 10, 0.2, 1}, {GRID_TRIANGLES, 10, 0.2, 10},
    {GRID_HEXAHEDRA, 6, 0.3, 1}, {GRID_TETRAHEDRA, 4, 0.1, 1}, {GRID_PRISMS, 4, 0.1, 1}, {GRID_PYRAMIDS, 3, 0.1, 1}};
enum { N_MESHES = sizeof mesh / sizeof *mesh };
static const double level = 300, spread = 2;

/* What adds to the temperature, and whether only one of its extremes is a bound then: the lowest, or with -1 the
 * highest. */
struct adding { const char *text; int side; };
static const struct adding nothing = {"", 0};

/* The temperature `level` or `spread` more enters at the left, the bottom and the back.  more: for the solver. */
static void case_text(char *text, size_t size, int dim, const char *more, const char *time)
{
    const char *u = dim == 3 ? "[1.0, 0.5, 0.3]" : "[1.0, 0.5]";
    const char *side[] = {"left", "bottom", "back", "right", "top", "front"};
    int n = snprintf(text, size, "fluid = { viscosity = 0.1; heat_capacity = 1.0; conductivity = 1e-3; };\n"
                     "initial = { temperature = %g; velocity = %s; };\nsolver = { %s };\n%s\nboundary = {\n", level, u,
                     more, time);
    for (int i = 0; i < 6; i++) {
        if (i % 3 >= dim) continue;
        if (i >= 3) n += snprintf(text + n, size - (size_t)n, "%s = { type = \"outlet\"; };\n", side[i]);
        else
            n += snprintf(text + n, size - (size_t)n, "%s = { type = \"inlet\"; velocity = %s; temperature = \"y - "
                          "0.5*x > 0.2 %s ? %g : %g\"; };\n", side[i], u, dim == 3 ? "&& z - 0.3*x > 0.1" : "",
                          level + spread, level);
    }
    snprintf(text + n, size - (size_t)n, "};\n");
}

static struct box_setting box_of(int i)
{
    struct box_setting box = grid_box(mesh[i].kind, mesh[i].n, mesh[i].distortion);
    for (int k = 0; k < 3; k++) box.stretch[k] = mesh[i].stretch;
    return box;
}

/* How far the temperature is beyond its bounds, in parts of their distance. */
static double excess(const struct flow *f, int32_t n_cells, int side)
{
    const struct field *t = fields_find(&f->fields, "temperature", FIELD_OUTPUT);
    double *x = FROM_DEVICE(*t->value, n_cells), most = 0;
    for (int32_t c = 0; c < n_cells; c++)
        most = fmax(most, !isfinite(x[c]) ? INFINITY : fmax(side < 0 ? 0 : level - x[c],
                                                            side > 0 ? 0 : x[c] - level - spread));
    free(x);
    return most / spread;
}

static double steady_excess(int i, const char *scheme, struct adding adding, int *iterations)
{
    struct trial w;
    char text[3000], solver[200];
    struct box_setting box = box_of(i);
    snprintf(solver, sizeof solver, "algorithm = \"coupled\"; %s", scheme);
    case_text(text, sizeof text, grid_dim(mesh[i].kind), solver, adding.text);
    trial_open(&w, mesh[i].kind, &box, false, text);
    *iterations = trial_converge(&w);
    double most = excess(w.f, w.m.n_cells, adding.side);
    trial_close(&w);
    return most;
}

static void steady_temperatures_stay_within_given_ones(void **state)
{
    (void)state;
    static const char *const scheme[] = {"", "convection_temperature = \"limited\";",
                                         "convection_temperature = \"linear-upwind\";"};
    for (int i = 0; i < N_MESHES; i++) {
        double most[3];
        int iterations[3];
        for (int k = 0; k < 3; k++) most[k] = steady_excess(i, scheme[k], nothing, &iterations[k]);
        print_message("# %s %g, stretched %g: beyond by %.1e, limited %.1e, linear-upwind %.1e; %d, %d, %d "
                      "iterations\n", grid_name[mesh[i].kind], mesh[i].distortion, mesh[i].stretch, most[0], most[1],
                      most[2], iterations[0], iterations[1], iterations[2]);
        assert_true(most[0] < 1e-6 && most[1] < 1e-6 && most[2] > 1e-3);
        assert_true(iterations[0] > 0 && iterations[0] <= iterations[2] + iterations[2] / 4 + 4);
    }
}

static double excess_in_time(int i, double courant, const char *scheme, struct adding adding)
{
    struct mesh m;
    struct case_settings c;
    struct transient t;
    struct error e;
    char text[3000], whole[3200], time[400];
    struct box_setting box = box_of(i);
    double most = 0, step = courant / mesh[i].n;
    snprintf(time, sizeof time, "time = { end = %.17g; step = %.17g; };\n%s", 10 * step, step, adding.text);
    snprintf(whole, sizeof whole, "algorithm = \"pimple\"; %s", scheme);
    case_text(text, sizeof text, grid_dim(mesh[i].kind), whole, time);
    snprintf(whole, sizeof whole, "mesh = { box = { cells = [1, 1]; }; };\n%s", text);
    grid_mesh(&m, mesh[i].kind, &box);
    if (!mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    case_of_text(&c, whole);
    if (!transient_create(&t, &c.flow, &m, &e)) fail_msg("%s", e.text);
    for (int j = 0; j < 10; j++) {
        struct transient_report r;
        transient_advance(&t, step, &r);
        most = fmax(most, excess(&t.f, m.n_cells, adding.side));
    }
    transient_free(&t), case_free(&c), mesh_free(&m);
    return most;
}

static void temperatures_in_time_stay_within_their_values(void **state)
{
    (void)state;
    for (int i = 0; i < N_MESHES; i++)
        for (int k = 0; k < 2; k++) {
            const double courant = k ? 20 : 0.5, most = excess_in_time(i, courant, "", nothing);
            print_message("# %s, Courant number %g: beyond by %.1e\n", grid_name[mesh[i].kind], courant, most);
            assert_true(most < 1e-6);
        }
}

/* The value outside an exchange is a bound; x at the wall as of the solution to be corrected may be beyond it. */
static void exchange_creates_no_new_extremes(void **state)
{
    (void)state;
    struct unsteady w;
    struct transient_report r;
    struct box_setting box = grid_box(GRID_QUADS, 8, 0.25);
    double most = 0, step = 2e-4;
    open_unsteady(&w, GRID_QUADS, &box, 0,
                  "fluid = { viscosity = 1.0; };\nboundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; "
                  "}; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\nscalars = { dye = { diffusivity = "
                  "1.0; initial = \"y < 0.5 ? 1 : 0\"; coefficients = { bottom = 3.0; }; values = { bottom = 1.0; "
                  "top = 0.0; }; convection = \"limited\"; }; };\nsolver = { algorithm = \"piso\"; };\n"
                  "time = { end = 1.0; step = 2e-4; scheme = \"euler\"; };\n");
    const struct field *dye = fields_find(&w.t.f.fields, "dye", FIELD_OUTPUT);
    for (int i = 0; i < 8; i++) {
        transient_advance(&w.t, step, &r);
        double *x = FROM_DEVICE(*dye->value, w.m.n_cells);
        for (int32_t c = 0; c < w.m.n_cells; c++) most = fmax(most, fmax(x[c] - 1, -x[c]));
        free(x);
    }
    close_unsteady(&w);
    print_message("# with an exchange beyond by %.1e\n", most);
    assert_true(most < 1e-9);
}

/* What heats lets nothing fall below the lowest value, and what cools lets nothing rise above the highest. */
static void sources_leave_one_bound(void **state)
{
    (void)state;
    static const struct adding adding[] = {
        {"sources = { s = { heat = \"x > 0.8 && y < 0.2 ? 0.1 : 0\"; }; };", 1},
        {"sources = { s = { heat = \"x > 0.8 && y > 0.8 ? -0.1 : 0\"; }; };", -1}};
    static const char *const scheme[] = {"", "convection_temperature = \"limited\";"};
    for (int k = 0; k < 4; k++) {
        double most[3] = {0}, courant[] = {0.5, 20};
        for (int i = 0; i < N_MESHES; i += 1 + (i > 0)) {
            int iterations;
            most[0] = fmax(most[0], steady_excess(i, scheme[k % 2], adding[k / 2], &iterations));
            assert_true(iterations > 0);
            for (int j = 0; j < 2; j++)
                most[1 + j] = fmax(most[1 + j], excess_in_time(i, courant[j], scheme[k % 2], adding[k / 2]));
        }
        print_message("# %s, %s: beyond by %.1e, in time %.1e, %.1e\n", k / 2 ? "cooled" : "heated",
                      k % 2 ? "limited" : "bounded", most[0], most[1], most[2]);
        assert_true(fmax(most[0], fmax(most[1], most[2])) < 1e-6);
    }
}

/* Of a uniform temperature rounding alone is stored and enters: it is no lack of heat for which corrections are left
 * out, with a warning. */
static void uniform_temperatures_lack_nothing(void **state)
{
    (void)state;
    static const char *const text =
        "fluid = { density = 11.6; viscosity = 0.113; heat_capacity = 9.81; conductivity = 0.0972; };\n"
        "boundary = { left = { type = \"inlet\"; velocity = [5.47, 0.0]; temperature = 2540.0; };\n"
        "right = { type = \"outlet\"; }; bottom = { type = \"slip\"; }; top = { type = \"slip\"; }; };\n"
        "initial = { velocity = [5.47, 0.0]; temperature = 2540.0; };\n"
        "solver = { algorithm = \"pimple\"; };\n"
        "time = { end = 5.64e-5; step = 1.41e-5; };\n";
    struct box_setting box = grid_box(GRID_QUADS, 8, 0.27);
    struct unsteady w;
    struct equation_range range;
    box.to[0] = box.to[1] = 0.0201;
    open_unsteady(&w, GRID_QUADS, &box, 0, text);
    advance_to_end(&w);
    equations_ranges(&w.t.f, &range);
    assert_false(range.oblique);
    close_unsteady(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steady_temperatures_stay_within_given_ones),
                                       cmocka_unit_test(temperatures_in_time_stay_within_their_values),
                                       cmocka_unit_test(exchange_creates_no_new_extremes),
                                       cmocka_unit_test(sources_leave_one_bound),
                                       cmocka_unit_test(uniform_temperatures_lack_nothing)};
    return RUN_TESTS("scalar_bounds", tests);
}

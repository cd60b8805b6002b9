/* Heat capacities that depend on the temperature, or in solids on the place: conduction without them, enthalpy carried
 * by a flow, a slab against a fine solution, order in time, heat of fluid and solid (assembly/heat_capacity.h). */
#include "solids_fixture.h"
#include "unsteady_fixture.h"
#include "assembly/heat_capacity.h"
#include "flow/heat.h"

static double *temperature_of(const struct flow *f)
{
    const struct field *t = fields_find(&f->fields, "temperature", FIELD_OUTPUT);
    return FROM_DEVICE(*t->value, f->s.n_padded);
}

static const char *sides(enum grid kind)
{
    return grid_dim(kind) == 3 ? " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };" : "";
}

static void means_are_those_of_the_integral(void **state)
{
    (void)state;
    const struct property_setting law = {
        .given = true, .field = "temperature", .range = {0, 2},
        .formula = {.text = "2 + exp(-100*(temperature - 1)^2)*20", .variable = (const char *[]){"temperature"},
                    .n_variables = 1}};
    struct field_table t = field_table_create(&law, 0.5, 0);
    enum { N = 5 * FIELD_INTERVALS };
    double *cubic = FROM_DEVICE(t.cubic, N + 1);
    const struct field_table at = {cubic, t.low, t.per_interval};
    const double whole = field_table_integral(&at, 2) - field_table_integral(&at, 0);
    assert_true(fabs(whole - 0.5 * (4 + 20 * sqrt(M_PI / 100))) < 1e-9);
    assert_true(fabs(field_table_integral(&at, 3) - field_table_integral(&at, 2) - field_table_at(&at, 3)) < 1e-13);
    assert_true(fabs(field_table_integral(&at, -1) + field_table_at(&at, -1)) < 1e-13);
    for (int i = 0; i < 200; i++) {
        const double x = -0.2 + 0.0123 * i, y = x + pow(10, -i % 17) * (i % 2 ? 1 : -1);
        const double mean = field_table_exact_mean(&at, x, y);
        const double difference = field_table_integral(&at, y) - field_table_integral(&at, x);
        assert_true(fabs(mean * (y - x) - difference) < 1e-14);
        assert_true(mean > 0.99 && mean < 11.01);
    }
    for (int i = 0; i < 200; i++) {
        const double x = -0.5 + 0.0151 * i;
        assert_true(fabs(field_table_where(&at, field_table_integral(&at, x)) - x) < 1e-14);
    }
    assert_true(field_table_exact_mean(&at, 0.7, 0.7) == field_table_at(&at, 0.7));
    free(cubic);
    field_table_free(&t);
}

/* Of a mixture of two fluids, one of which melts; with parts of neither law, of a fluid of constant capacity. */
static void heat_of_two_fluids_is_inverted(void **state)
{
    (void)state;
    static const char *const text[] = {"1 + temperature", "1 + exp(-1e4*(temperature - 1)^2)*1000"};
    double share[] = {0, 0.3, 1, 1.1, -0.1}, *cubic[2];
    struct field_table t[2], law[2];
    for (int k = 0; k < 2; k++) {
        const struct property_setting of = {
            .given = true, .field = "temperature", .range = {0, 2},
            .formula = {.text = text[k], .variable = (const char *[]){"temperature"}, .n_variables = 1}};
        t[k] = field_table_create(&of, 1, 0);
        cubic[k] = FROM_DEVICE(t[k].cubic, 5 * FIELD_INTERVALS + 1);
        law[k] = (struct field_table){cubic[k], t[k].low, t[k].per_interval};
    }
    const struct field_table both[2][2] = {{law[0], law[1]}, {{0}, law[1]}};
    for (int k = 0; k < 2; k++) {
        const struct heat_laws heat = {.law = both[k], .reference = 0.5, .fraction = share, .fraction_old = share,
                                       .number = {1.5, 2}};
        for (int c = 0; c < 5; c++)
            for (int i = 0; i < 100; i++) {
                const double x = -0.5 + 0.031 * i, more = 20 * sin(7 * i), y = heat_where(&heat, c, x, more);
                assert_true(fabs(heat_mean(&heat, share, c, x, y) * (y - x) - more) < 1e-10);
                assert_true(fabs(heat_decrease(&heat, c, y, x) - more) < 1e-10);
            }
    }
    for (int k = 0; k < 2; k++) free(cubic[k]), field_table_free(&t[k]);
}

/* ---------------------------------------------------------------- steady */
static double *conduction(enum grid kind, const char *algorithm, const char *capacity, int32_t *n)
{
    struct trial w;
    struct simple_report r;
    char text[2000];
    const struct box_setting box = grid_box(kind, 4, 0.1);
    snprintf(text, sizeof text, "fluid = { density = 2.0; viscosity = 1.0; heat_capacity = \"%s\"; conductivity = "
             "\"1 + temperature/2\"; property_range = [0, 6]; };\nboundary = { left = { type = \"wall\"; temperature = "
             "3.0; }; right = { type = \"wall\"; transfer = [2.0, 0.5]; }; bottom = { type = \"symmetry\"; }; top = { "
             "type = \"wall\"; heat_flux = 0.3; };%s };\nsolver = { algorithm = \"%s\"; };\n", capacity, sides(kind),
             algorithm);
    trial_open(&w, kind, &box, false, text);
    for (int i = 0; i < 2000 && (i < 10 || r.residual[w.m.dim + 1] > 1e-14); i++) simple_iterate(&w.simple, &r);
    double *x = temperature_of(w.f);
    *n = w.m.n_cells;
    trial_close(&w);
    return x;
}

static void steady_conduction_has_no_capacity(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"simplec", "coupled", "simple"};
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        int32_t n;
        double *x = conduction(kind, algorithm[kind % 3], "3", &n), worst = 0;
        double *y = conduction(kind, algorithm[kind % 3], "1 + temperature^2", &n);
        for (int32_t c = 0; c < n; c++) worst = fmax(worst, fabs(x[c] - y[c]));
        print_message("# %s, %s: largest difference %.1e\n", grid_name[kind], algorithm[kind % 3], worst);
        assert_true(worst < 1e-11);
        free(x), free(y);
    }
}

/* c = 2 + T, heated everywhere: with density 2 and velocity 1, 2 (h(T) - h(1)) = 3 x, h = 2 T + T^2 / 2. */
static const char plug[] = "fluid = { density = 2.0; viscosity = 1.0; heat_capacity = \"2 + temperature\"; "
    "conductivity = 1e-12; property_range = [0.0, 3.0]; };\nboundary = { left = { type = \"inlet\"; velocity = [1.0, "
    "0.0%s]; temperature = 1.0; }; right = { type = \"outlet\"; }; bottom = { type = \"slip\"; }; top = { type = "
    "\"symmetry\"; };%s };\nsources = { all = { heat = 3.0; }; };\ninitial = { velocity = [1.0, 0.0%s]; temperature = "
    "1.0; };\nsolver = { algorithm = \"%s\"; convection_temperature = \"%s\"; };\n";
static double heat_at(double t) { return 2 * t + t * t / 2; }
static double warmed(double x) { return -2 + sqrt(4 + 2 * (2.5 + 1.5 * x)); }

/* The heat through the outlet, from the temperatures of its cells, and as balances have it. */
static void outlet_heat(struct flow *f, const struct mesh *m, double *exact, double *counted)
{
    const double *inflow = heat_inflow(f, f->c->heat.reference);
    double *x = temperature_of(f), *flux = FROM_DEVICE(f->flux, m->n_faces);
    double *through = FROM_DEVICE((double *)inflow, f->s.n_boundary);
    const struct patch *p = &m->patch[1];
    *exact = *counted = 0;
    for (int32_t i = p->first; i < p->first + p->count; i++) {
        *exact += 2 * flux[i] * (heat_at(x[m->face_owner[i]]) - heat_at(1));
        *counted -= through[i - m->n_internal];
    }
    free(x), free(flux), free(through);
}

static void a_flow_carries_the_heat_put_in(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"simplec", "coupled", "simple"};
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct trial w;
        struct simple_report r;
        char text[2000];
        const bool solid = grid_dim(kind) == 3, regular = kind == GRID_QUADS || kind == GRID_HEXAHEDRA;
        const struct box_setting box = grid_box(kind, 4, regular ? 0 : 0.1);
        double exact, counted, worst = 0;
        snprintf(text, sizeof text, plug, solid ? ", 0.0" : "", sides(kind), solid ? ", 0.0" : "", algorithm[kind % 3],
                 regular ? "upwind" : "linear-upwind");
        trial_open(&w, kind, &box, false, text);
        for (int i = 0; i < 2000 && (i < 10 || worst_residual(w.f, &r) > 1e-13); i++) simple_iterate(&w.simple, &r);
        outlet_heat(w.f, &w.m, &exact, &counted);
        double *x = temperature_of(w.f);
        for (int32_t c = 0; c < w.m.n_cells && regular; c++)
            worst = fmax(worst, fabs(x[c] - warmed(w.m.cell_centre[c] + 0.125)));       /* at its right side */
        print_message("# %s, %s: heat %.2e, %.2e from the heat put in; temperatures %.1e\n", grid_name[kind],
                      algorithm[kind % 3], exact - 3, counted - 3, worst);
        assert_true(fabs(exact - 3) < 1e-8 && fabs(counted - exact) < 1e-10 && worst < 1e-9);
        free(x);
        trial_close(&w);
    }
}

/* ---------------------------------------------------------------- in time */
/* A slab of conductivity 1, cold, whose left side is kept at 1 from the time 0, of c = 1 + 3 T^2, or that melts around
 * 0.3 with the latent heat 1: its temperatures at the time 0.1, by explicit steps. */
enum { N_LAYERS = 200 };
static const char *const law[] = {"1 + 3*temperature^2", "1 + 10/sqrt(pi)*exp(-(10*temperature - 3)^2)"};
static double capacity_of(double t, bool melts)
{
    return melts ? 1 + 10 / sqrt(M_PI) * exp(-pow(10 * t - 3, 2)) : 1 + 3 * t * t;
}
static double heat_of(double t, bool melts) { return melts ? t + 0.5 * erf(10 * t - 3) : t + t * t * t; }

static void slab(double t[N_LAYERS], bool melts)
{
    const double size = 1.0 / N_LAYERS, step = 0.4 * size * size;
    double heat[N_LAYERS];
    const int steps = (int)ceil(0.1 / step);
    memset(t, 0, N_LAYERS * sizeof *t);
    for (int i = 0; i < N_LAYERS; i++) heat[i] = heat_of(0, melts);
    for (int s = 0; s < steps; s++) {
        double before = 2 * (1 - t[0]) / size;          /* flux from the left */
        for (int i = 0; i < N_LAYERS; i++) {
            const double after = i < N_LAYERS - 1 ? (t[i] - t[i + 1]) / size : 0;
            heat[i] += 0.1 / steps * (before - after) / size, before = after;
        }
        for (int i = 0; i < N_LAYERS; i++)
            for (int k = 0; k < 3; k++) t[i] -= (heat_of(t[i], melts) - heat[i]) / capacity_of(t[i], melts);
    }
}

struct slab_run { enum grid kind; const char *scheme, *algorithm, *convection; double order; bool melts; };
static double slab_error(const struct slab_run *run, int n, const double *exact)
{
    const enum grid kind = run->kind;
    struct unsteady w;
    char text[2000];
    struct box_setting box = grid_box(kind, n, 0);
    double sum = 0, volume = 0, kept = 0;
    if (grid_dim(kind) == 3) box.cells[1] = box.cells[2] = n / 2, box.to[1] = box.to[2] = 0.5;
    snprintf(text, sizeof text, "fluid = { viscosity = 1.0; heat_capacity = \"%s\"; conductivity = 1.0; "
             "};\nboundary = { left = { type = \"wall\"; temperature = 1.0; }; right = { type = \"wall\"; }; "
             "bottom = { type = \"symmetry\"; }; top = { type = \"wall\"; };%s };\ninitial = { temperature = 0.0; };\n"
             "time = { end = 0.1; step = %.17g; scheme = \"%s\"; };\nsolver = { algorithm = \"%s\"; "
             "convection_temperature = \"%s\"; };\n", law[run->melts], sides(kind), 0.05 / n, run->scheme,
             run->algorithm, run->convection);
    open_unsteady(&w, kind, &box, 0, text);
    struct transient_report r;
    while (w.t.time < 0.1 * (1 - 1e-12)) {
        transient_advance(&w.t, transient_choose_step(&w.t, 0.1), &r);
        double *in = FROM_DEVICE((double *)heat_inflow(&w.t.f, 0), w.t.f.s.n_boundary), entered = 0;
        for (int32_t i = 0; i < w.t.f.s.n_boundary; i++) entered += in[i];
        kept = fmax(kept, fabs(heat_stored(&w.t.f) / entered - 1));
        free(in);
    }
    double *x = temperature_of(&w.t.f);
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        const double at = fmax(fmin(w.m.cell_centre[c] * N_LAYERS - 0.5, N_LAYERS - 1 - 1e-9), 0);
        const int i = (int)at;
        const double miss = x[c] - exact[i] - (at - i) * (exact[i + 1] - exact[i]);
        sum += miss * miss * w.m.cell_volume[c], volume += w.m.cell_volume[c];
    }
    if (!(kept < 1e-12)) fail_msg("%s, %s: heat is kept to %g", grid_name[kind], run->scheme, kept);
    free(x);
    close_unsteady(&w);
    return sqrt(sum / volume);
}

static void a_slab_is_heated_as_in_a_fine_solution(void **state)
{
    (void)state;
    static const struct slab_run run[] = {
        {GRID_QUADS, "bdf2", "piso", "linear-upwind", 1.7, false},
        {GRID_QUADS, "euler", "pimple", "limited", 0.8, false},
        {GRID_TRIANGLES, "crank-nicolson", "piso", "linear-upwind", 1.7, false},
        {GRID_TRIANGLES, "bdf2", "pimple", "linear-upwind", 1.7, false},
        {GRID_MIXED_2D, "euler", "piso", "limited", 0.8, false},
        {GRID_TETRAHEDRA, "bdf2", "piso", "linear-upwind", 1.7, false},
        {GRID_HEXAHEDRA, "euler", "piso", "limited", 0.8, false},
        {GRID_PRISMS, "bdf2", "piso", "linear-upwind", 1.7, false}, {GRID_QUADS, "bdf2", "piso", "limited", 0.8, true},
        {GRID_TRIANGLES, "euler", "piso", "linear-upwind", 0.8, true}};
    double exact[2][N_LAYERS];
    for (int k = 0; k < 2; k++) slab(exact[k], k);
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        const struct slab_run *a = &run[i];
        const int n = grid_dim(a->kind) == 3 ? 8 : 10;
        const double coarse = slab_error(a, n, exact[a->melts]), fine = slab_error(a, 2 * n, exact[a->melts]);
        print_message("# %s, %s, %s, %s%s: errors %.2e, %.2e, order %.2f\n", grid_name[a->kind], a->scheme,
                      a->algorithm, a->convection, a->melts ? ", melts" : "", coarse, fine, log2(coarse / fine));
        if (!(log2(coarse / fine) > a->order && fine < 0.01)) fail_msg("error %g", fine);
    }
}

/* A wave of temperature in a vortex. */
static double *wave(const char *algorithm, const char *scheme, double step, int64_t *n)
{
    struct box_setting box = grid_box(GRID_TRIANGLES, 16, 0.15);
    struct unsteady w;
    char text[2000];
    for (int k = 0; k < 2; k++) box.to[k] = 2 * M_PI;
    snprintf(text, sizeof text, "fluid = { viscosity = 0.1; heat_capacity = \"1 + 0.5*temperature\"; conductivity = "
             "0.1; property_range = [-1.2, 1.2]; };\nboundary = { left = { type = \"periodic\"; with = \"right\"; };\n"
             "right = { type = \"periodic\"; }; bottom = { type = \"periodic\"; with = \"top\"; };\n"
             "top = { type = \"periodic\"; }; };\ninitial = { field = \"taylor-green\"; temperature = \"sin(x + y)\"; "
             "};\ntime = { end = 1.0; step = %.17g; scheme = \"%s\"; };\nsolver = { algorithm = \"%s\"; "
             "convection_temperature = \"linear-upwind\"; pressure = { tolerance = 1e-9; }; velocity = { tolerance = "
             "1e-9; }; };\n", step, scheme, algorithm);
    open_unsteady(&w, GRID_TRIANGLES, &box, 2, text);
    advance_to_end(&w);
    *n = w.t.f.s.n_cells;
    double *x = temperature_of(&w.t.f);
    close_unsteady(&w);
    return x;
}

static void second_order_in_time(void **state)
{
    (void)state;
    static const struct { const char *algorithm, *scheme; } run[] = {{"piso", "bdf2"}, {"piso", "crank-nicolson"}};
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        int64_t n;
        double *x[3];
        for (int k = 0; k < 3; k++) x[k] = wave(run[i].algorithm, run[i].scheme, 0.05 / (1 << k), &n);
        const double coarse = distance(x[0], x[1], n), fine = distance(x[1], x[2], n), order = log2(coarse / fine);
        print_message("# %s, %s: differences %.2e, %.2e, order %.2f\n", run[i].algorithm, run[i].scheme, coarse, fine,
                      order);
        for (int k = 0; k < 3; k++) free(x[k]);
        if (!(order > 1.8)) fail_msg("order %g", order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(means_are_those_of_the_integral),
                                       cmocka_unit_test(heat_of_two_fluids_is_inverted),
                                       cmocka_unit_test(steady_conduction_has_no_capacity),
                                       cmocka_unit_test(a_flow_carries_the_heat_put_in),
                                       cmocka_unit_test(a_slab_is_heated_as_in_a_fine_solution),
                                       cmocka_unit_test(second_order_in_time)};
    return RUN_TESTS("heat_capacity", tests);
}

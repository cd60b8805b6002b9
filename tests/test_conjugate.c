/* The temperature of a fluid and solids: layers are exact on every kind of cell, with contact resistance too, and the
 * heat that leaves the one enters the other. */
#include "solids_fixture.h"
#include "flow/scalar.h"

static const char *const names[] = {"fluid", "plate"};
static int right_half(const double x[3]) { return x[0] > 0.5; }

static void open_beside(struct beside *w, enum grid kind, int n, double distortion, const char *algorithm,
                        const char *text)
{
    char whole[3000];
    snprintf(whole, sizeof whole, "solver = { algorithm = \"%s\"; };\n%s", algorithm, text);
    open_solids(w, kind, n, distortion, names, 2, right_half, strstr("piso pimple", algorithm), whole);
}

/* ---------------------------------------------------------------- two layers */
/* From 3 at the left, in a fluid of conductivity 0.7 at rest, to 1 at the right of the plate. */
enum { FLUID_CAPACITY = 6 };
struct layers { double ratio, resistance; };

static void case_of_layers(char *text, size_t size, const struct layers *l, int dim, const char *rest)
{
    snprintf(text, size, "fluid = { density = 2.0; viscosity = 1.0; heat_capacity = 3.0; conductivity = 0.7; };\n"
             "solids = { plate = { density = 5.0; heat_capacity = 0.5; conductivity = %.17g; contact_resistance = "
             "%.17g; }; };\nboundary = { left = { type = \"wall\"; temperature = 3.0; }; right = { type = \"wall\"; "
             "temperature = 1.0; }; bottom = { type = \"symmetry\"; }; top = { type = \"wall\"; };%s };\n%s",
             0.7 * l->ratio, l->resistance,
             dim == 3 ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", rest);
}

static double flux_of(const struct layers *l) { return 2 / (0.5 / 0.7 + l->resistance + 0.5 / (0.7 * l->ratio)); }

static double error_of(const struct beside *w, const struct layers *l)
{
    double *x = FROM_DEVICE(*temperature(w->f)->value, w->whole.n_cells), worst = 0, q = flux_of(l);
    for (int32_t c = 0; c < w->whole.n_cells; c++) {
        double at = w->whole.cell_centre[c];
        double exact = at < 0.5 ? 3 - q * at / 0.7 : 1 + q * (1 - at) / (0.7 * l->ratio);
        worst = fmax(worst, fabs(x[c] - exact));
    }
    free(x);
    return worst;
}

static const struct layers some[] = {{1e4, 0}, {1e-4, 0}, {1, 0}, {1e4, 2}, {3, 0.1}};
enum { N_LAYERS = sizeof some / sizeof *some };

static void steady_layers_are_exact(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"simplec", "coupled"};
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int k = 0; k < N_LAYERS; k++) {
            struct beside w;
            struct simple_report r = {.residual = {0}};
            char text[2000];
            int dim = grid_dim(kind), i = 0;
            case_of_layers(text, sizeof text, &some[k], dim, "");
            open_beside(&w, kind, dim == 3 ? 4 : 6, kind == GRID_TETRAHEDRA ? 0.1 : 0.2, algorithm[k % 2], text);
            for (; i < 200 && (i < 10 || r.residual[dim + 1] > 1e-14); i++) simple_iterate(&w.steady.simple, &r);
            double worst = error_of(&w, &some[k]), into = heat_through(&w, "left"), out = heat_through(&w, "plate");
            print_message("# %s, %g times the conductivity, resistance %g: %d iterations, error %.1e, of the flux "
                          "%.1e, out %.1e\n", grid_name[kind], some[k].ratio, some[k].resistance, i, worst,
                          fabs(into - flux_of(&some[k])), into + out);
            if (!(worst < 1e-10)) fail_msg("error %g", worst);
            assert_true(fabs(into - flux_of(&some[k])) < 1e-12 && fabs(into + out) < 1e-12);
            close_solids(&w);
        }
}

/* The same, reached in time, with rounding times the number of cells that conduction crosses in a step, 1e4. */
static void layers_become_steady(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_HEXAHEDRA, GRID_TETRAHEDRA};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int k = 0; k < 2; k++) {
            struct beside w;
            char text[2000];
            case_of_layers(text, sizeof text, &some[3 * k], grid_dim(kinds[i]), "time = { end = 100.0; step = 0.5; "
                           "};\ninitial = { temperature = 2.0; };\n");
            open_beside(&w, kinds[i], 4, 0.1, k ? "pimple" : "piso", text);
            advance_to_end(&w.unsteady);
            double worst = error_of(&w, &some[3 * k]), into = heat_through(&w, "left");
            print_message("# %s in time, resistance %g: error %.1e\n", grid_name[kinds[i]], some[3 * k].resistance,
                          worst);
            assert_true(worst < 1e-10 && fabs(into - flux_of(&some[3 * k])) < 1e-10);
            close_solids(&w);
        }
}

/* ---------------------------------------------------------------- heat */
/* Heat capacities of both: numbers, of the temperature t, and of the place x. */
static const struct { const char *fluid, *plate; double fluid_t, fluid_tt, plate_t, plate_tt, plate_xt; } stored[] = {
    {"3.0", "0.5", 6, 0, 2.5, 0, 0}, {"1 + temperature/100", "0.1 + temperature/700", 2, 0.01, 0.5, 2.5 / 700, 0},
    {"3.0", "temperature/300", 6, 0, 0, 2.5 / 300, 0}, {"temperature/100", "0.2 + 0.5*x", 0, 0.01, 1, 0, 2.5}};
enum { N_STORED = sizeof stored / sizeof *stored };

static double heat_of(const struct beside *w, int k)
{
    double *t = FROM_DEVICE(*temperature(w->f)->value, w->whole.n_cells), sum = 0;
    for (int32_t c = 0; c < w->whole.n_cells; c++) {
        const double plate = stored[k].plate_t + stored[k].plate_xt * w->whole.cell_centre[c];
        const double heat = c < w->whole.n_fluid ? (stored[k].fluid_t + stored[k].fluid_tt * t[c]) * t[c]
                                                 : (plate + stored[k].plate_tt * t[c]) * t[c];
        sum += w->whole.cell_volume[c] * heat;
    }
    free(t);
    return sum;
}

static void check_kept(enum grid kind, int k, bool resists, const char *scheme)
{
    struct beside w;
    struct transient_report r;
    char text[2000];
    snprintf(text, sizeof text, "fluid = { density = 2.0; viscosity = 0.1; heat_capacity = \"%s\"; conductivity = 0.7; "
             "%s};\nsolids = { plate = { density = 5.0; heat_capacity = \"%s\"; conductivity = 7.0; "
             "contact_resistance = %g; }; };\nboundary = { left = { type = \"wall\"; velocity = [0.0, 1.0%s]; "
             "}; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; };%s "
             "};\n"
             "initial = { temperature = \"x < 0.5 ? 300 + y : 280\"; };\ntime = { end = 1.0; step = 0.05; "
             "scheme = \"%s\"; };\n", stored[k].fluid, k ? "property_range = [270, 310]; " : "", stored[k].plate,
             resists * 0.3, grid_dim(kind) == 3 ? ", 0.0" : "",
             grid_dim(kind) == 3 ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", scheme);
    open_beside(&w, kind, 6, 0, resists ? "pimple" : "piso", text);
    const double before = heat_of(&w, k);
    for (int j = 0; j < 20; j++) transient_advance(&w.unsteady.t, 0.05, &r);
    double *x = FROM_DEVICE(*temperature(w.f)->value, w.whole.n_cells), low = 1e9, high = 0;
    for (int32_t c = 0; c < w.whole.n_cells; c++) low = fmin(low, x[c]), high = fmax(high, x[c]);
    print_message("# %s, %s and %s, %s: heat changes by %.1e of itself, %g .. %g\n", grid_name[kind], stored[k].fluid,
                  stored[k].plate, scheme, fabs(heat_of(&w, k) / before - 1), low, high);
    assert_true(fabs(heat_of(&w, k) / before - 1) < 1e-13 && low > 280.5 && high < 301);
    free(x);
    close_solids(&w);
}

/* A cold plate beside a stirred fluid, insulated: the heat that the one loses the other gains. */
static void heat_is_kept(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_TETRAHEDRA};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int k = 0; k < 4 * N_STORED; k++)
            if (full_size() || (i + (size_t)k) % 3 == 0)            /* all of them, on one or two of the meshes */
                check_kept(kinds[i], k / 4, k % 2, k % 4 / 2 ? "bdf2" : "euler");
}

/* ---------------------------------------------------------------- order in time */
/* A wave of temperature through both at rest, at the time 1/2 after `steps` steps. */
static double *wave_after(enum grid kind, int steps, const char *scheme, bool varies)
{
    struct beside w;
    struct transient_report r;
    char text[2000];
    snprintf(text, sizeof text, "fluid = { density = 2.0; viscosity = 1.0; heat_capacity = 3.0; conductivity = 0.7; "
             "%s};\nsolids = { plate = { density = 5.0; heat_capacity = \"%s\"; conductivity = 7.0; "
             "contact_resistance = 0.1; }; };\nboundary = { left = { type = \"wall\"; temperature = 1.0; }; right = { "
             "type = \"wall\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
             "initial = { temperature = \"1 + sin(pi*x/2)*cos(pi*y)\"; };\n"
             "time = { end = 0.5; step = %.17g; scheme = \"%s\"; };\n", varies ? "property_range = [0, 2]; " : "",
             varies ? "0.2 + 0.3*temperature" : "0.5", 0.5 / steps, scheme);
    open_beside(&w, kind, 6, 0.2, "piso", text);
    for (int i = 0; i < steps; i++) transient_advance(&w.unsteady.t, 0.5 / steps, &r);
    double *x = FROM_DEVICE(*temperature(w.f)->value, w.whole.n_cells);
    close_solids(&w);
    return x;
}

static double wave_order(enum grid kind, const char *scheme, bool varies)
{
    enum { COARSE = 16, N = 3, N_CELLS = 36 };
    double *x[N], change[N - 1] = {0};
    for (int i = 0; i < N; i++) x[i] = wave_after(kind, COARSE << i, scheme, varies);
    for (int i = 0; i < N - 1; i++)
        for (int c = 0; c < N_CELLS; c++) change[i] = fmax(change[i], fabs(x[i][c] - x[i + 1][c]));
    for (int i = 0; i < N; i++) free(x[i]);
    print_message("# %s, %s: changes %.2e, %.2e\n", grid_name[kind], scheme, change[0], change[1]);
    return log2(change[0] / change[1]);
}

static void time_is_of_second_order(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES};
    for (int i = 0; i < 4; i++) {
        const double euler = wave_order(kinds[i / 2], "euler", i % 2);
        const double second = wave_order(kinds[i / 2], "bdf2", i % 2);
        print_message("# orders %.2f, %.2f\n", euler, second);
        assert_true(euler > 0.8 && euler < 1.3 && second > 1.8);
    }
}

/* ---------------------------------------------------------------- multigrid */
static void count_iterations(void **state)
{
    (void)state;
    for (int dim = 2; dim < 4; dim++) {
        int count[4];
        for (int k = 0; k < 4; k++) {
            struct beside w;
            struct case_settings *c = &w.steady.c;
            struct error e;
            char text[2000];
            const double ratio[] = {1, 1e4, 1e-4, 1e2};
            case_of_layers(text, sizeof text, &(struct layers){ratio[k], 0}, dim, "");
            open_beside(&w, dim == 2 ? GRID_TRIANGLES : GRID_HEXAHEDRA, dim == 2 ? 96 : 28, 0.2, "simplec", text);
            struct solids *s = solids_create(w.f, &w.steady.m, 1, 0.7);
            solids_create_structure(s);
            struct linear_setting set = c->flow.solver.pressure;
            set.tolerance = 1e-10, set.max_iterations = 500;
            struct solver_setup setup = {.components = 1, .values_follow = true};
            struct solver *solver = solver_create(&s->structure, &set, &setup, &e);
            if (!solver) fail_msg("%s", e.text);
            int64_t pitch = s->s.pitch;
            double *x = device_alloc((size_t)pitch * sizeof *x, "x"), *b = device_alloc((size_t)pitch * sizeof *b, "b");
            double *diagonal = FROM_DEVICE(s->structure.diag, s->s.n_cells), *rhs;
            NEW(rhs, s->s.n_cells);
            for (int32_t i = 0; i < s->s.n_cells; i++) rhs[i] = sin(i * i) * 1e-3 + 0.7 * (i == 5);
            for (int32_t f = s->m->n_internal; f < s->m->n_faces; f++) {
                int32_t cell = s->m->face_owner[f];
                if (face_centre(s->m, 0, f) > 1 - 1e-9) diagonal[cell] *= 1.5;
                if (face_centre(s->m, 0, f) < 1e-9) diagonal[cell] *= 1.5;
            }
            device_upload(s->structure.diag, diagonal, (size_t)s->s.n_cells * sizeof *diagonal);
            device_upload(b, rhs, (size_t)s->s.n_cells * sizeof *rhs);
            struct linear_result r = solver_solve_from_zero(solver, &s->structure, x, b);
            assert_int_equal(r.status, LINEAR_CONVERGED);
            count[k] = r.iterations;
            print_message("# %d-D, %d cells, ratio %g: %d iterations\n", dim, s->s.n_cells, ratio[k], r.iterations);
            free(diagonal), free(rhs), device_free(x), device_free(b);
            solver_free(solver), solids_free(s);
            close_solids(&w);
        }
        for (int k = 1; k < 4; k++) assert_true(count[k] <= 1.3 * count[0]);
    }
}

/* A plate of conductivity 1 + T beside a fluid of conductivity 1 + x, or 1: with the heat flux q and t at the contact,
 * 3 - t = q log(3/2) or q / 2, and t + t^2 / 2 - 3 / 2 = q / 2. */
static double varied_error(enum grid kind, int n, bool fluid_varies)
{
    struct beside w;
    struct simple_report r = {.residual = {0}};
    char text[2000];
    const double resistance = fluid_varies ? log(1.5) : 0.5, part = 1 + 0.5 / resistance;
    const double t = -part + sqrt(part * part + 3 + 3 / resistance), q = (3 - t) / resistance;
    double square = 0, volume = 0;
    snprintf(text, sizeof text, "fluid = { viscosity = 1.0; heat_capacity = 3.0; conductivity = \"%s\"; property_range "
             "= [0, 4]; };\nsolids = { plate = { density = 5.0; heat_capacity = 0.5; conductivity = \"1 + "
             "temperature\"; }; };\nboundary = { left = { type = \"wall\"; temperature = 3.0; }; right = { type = "
             "\"wall\"; temperature = 1.0; }; bottom = { type = \"symmetry\"; }; top = { type = \"wall\"; };%s };\n",
             fluid_varies ? "1 + x" : "1", grid_dim(kind) == 3 ? " back = { type = \"wall\"; }; front = { type = "
             "\"wall\"; };" : "");
    open_beside(&w, kind, n, 0.1, "simplec", text);
    for (int i = 0; i < 300 && (i < 10 || r.residual[grid_dim(kind) + 1] > 1e-13); i++)
        simple_iterate(&w.steady.simple, &r);
    double *x = FROM_DEVICE(*temperature(w.f)->value, w.whole.n_cells);
    for (int32_t c = 0; c < w.whole.n_cells; c++) {
        const double at = w.whole.cell_centre[c];
        const double liquid = 3 - q * (fluid_varies ? log(1 + at) : at);
        const double miss = x[c] - (at < 0.5 ? liquid : -1 + sqrt(4 + 2 * q * (1 - at)));
        square += w.whole.cell_volume[c] * miss * miss, volume += w.whole.cell_volume[c];
    }
    free(x);
    assert_true(fabs(heat_through(&w, "left") + heat_through(&w, "plate")) < 1e-10);
    close_solids(&w);
    return sqrt(square / volume);
}

static void varied_conductivities_are_of_second_order(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_TETRAHEDRA};
    for (int i = 0; i < 6; i++) {
        const enum grid kind = kinds[i / 2];
        const int n = grid_dim(kind) == 3 ? 6 : 8;
        double coarse = varied_error(kind, n, i % 2), fine = varied_error(kind, 2 * n, i % 2);
        print_message("# %s, %s: errors %.2e, %.2e, order %.2f\n", grid_name[kind], i % 2 ? "both vary" :
                      "the plate's varies", coarse, fine, log2(coarse / fine));
        assert_true(log2(coarse / fine) > 1.9 && fine < 5e-3);
    }
}

/* ---------------------------------------------------------------- with limits */
/* A plate heated from the right, beside a poor conductor stirred by the left wall.  If the plate's cells limited the
 * correction of the flux at the contact, too, the temperature would not converge. */
static void good_conductors_converge_with_limits(void **state)
{
    (void)state;
    static const double ratio[] = {1, 1e2, 1e3, 1e5};
    for (size_t k = 0; k < sizeof ratio / sizeof *ratio; k++) {
        struct beside w;
        struct simple_report r = {.residual = {0}};
        char text[2000];
        int i = 0;
        snprintf(text, sizeof text,
                 "solver = { algorithm = \"coupled\"; convection_temperature = \"limited\"; };\n"
                 "fluid = { density = 1.0; viscosity = 0.1; heat_capacity = 10.0; conductivity = 0.026; };\n"
                 "solids = { plate = { density = 1000.0; heat_capacity = 1.0; conductivity = %.17g; }; };\n"
                 "boundary = { left = { type = \"wall\"; velocity = [0.0, 10.0, 0.0]; temperature = 0.0; }; "
                 "right = { type = \"wall\"; heat_flux = 1.0; }; bottom = { type = \"wall\"; }; "
                 "top = { type = \"wall\"; }; back = { type = \"wall\"; }; front = { type = \"wall\"; }; };\n",
                 0.026 * ratio[k]);
        open_solids(&w, GRID_TETRAHEDRA, 8, 0.2, names, 2, right_half, false, text);
        for (; i < 100 && (i < 10 || r.residual[4] > 1e-6); i++) simple_iterate(&w.steady.simple, &r);
        print_message("# %g times the conductivity: residual %.1e after %d iterations\n", ratio[k], r.residual[4], i);
        close_solids(&w);
        if (!(r.residual[4] <= 1e-6)) fail_msg("a residual of %g", r.residual[4]);
    }
}

/* Limits hold in the fluid beside a solid, too: a stirred fluid that conducts little stays within the values given. */
static void fluids_beside_solids_are_limited(void **state)
{
    (void)state;
    struct beside w;
    struct simple_report r = {.residual = {0}};
    double low = INFINITY, high = -INFINITY;
    open_solids(&w, GRID_QUADS, 16, 0, names, 2, right_half, false,
                "solver = { algorithm = \"coupled\"; convection_temperature = \"limited\"; };\n"
                "fluid = { density = 1.0; viscosity = 0.1; heat_capacity = 10.0; conductivity = 0.001; };\n"
                "solids = { plate = { density = 1.0; heat_capacity = 1.0; conductivity = 100.0; }; };\n"
                "boundary = { left = { type = \"wall\"; velocity = [0.0, 10.0]; temperature = 0.0; }; right = { type "
                "= \"wall\"; temperature = 1.0; }; bottom = { type = \"wall\"; temperature = 0.0; }; top = { type = "
                "\"wall\"; temperature = 1.0; }; };\n");
    for (int i = 0; i < 60 && (i < 3 || r.residual[3] > 1e-6); i++) simple_iterate(&w.steady.simple, &r);
    const struct field *t = temperature(w.f);
    double *T = FROM_DEVICE(*t->value, t->pitch);
    for (int32_t c = 0; c < w.whole.n_cells; c++) low = fmin(low, T[c]), high = fmax(high, T[c]);
    free(T);
    close_solids(&w);
    print_message("# residual %.1e, %.9g to %.9g\n", r.residual[3], low, high);
    if (!(low > -1e-6 && high < 1 + 1e-6)) fail_msg("temperatures of %.9g to %.9g", low, high);
}

/* A good conductor enclosed in a poor one: its level changes only by the heat that the poor one conducts, so that any
 * relaxation of the temperature would slow it down by the ratio of conductivities. */
static int outside_of_middle(const double x[3])
{
    return fabs(x[0] - 0.5) > 0.25 || fabs(x[1] - 0.5) > 0.25;
}

static void enclosed_good_conductors_converge(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES};
    for (int k = 0; k < 2; k++) {
        struct beside w;
        struct simple_report r = {.residual = {0}};
        int i = 0;
        open_solids(&w, kinds[k], 16, 0, names, 2, outside_of_middle, false,
                    "solver = { algorithm = \"coupled\"; convection_temperature = \"limited\"; };\n"
                    "fluid = { density = 1.0; viscosity = 0.1; heat_capacity = 1.0; conductivity = 100.0; };\n"
                    "solids = { plate = { density = 1.0; heat_capacity = 1.0; conductivity = 0.01; }; };\n"
                    "boundary = { left = { type = \"wall\"; temperature = 1.0; }; right = { type = \"wall\"; "
                    "temperature = 0.0; }; bottom = { type = \"wall\"; temperature = 0.0; }; top = { type = "
                    "\"wall\"; }; };\n");
        for (; i < 100 && (i < 3 || r.residual[3] > 1e-8); i++) simple_iterate(&w.steady.simple, &r);
        print_message("# %s: residual %.1e after %d iterations\n", grid_name[kinds[k]], r.residual[3], i);
        close_solids(&w);
        assert_true(i < 40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steady_layers_are_exact),
                                       cmocka_unit_test(layers_become_steady),
                                       cmocka_unit_test(varied_conductivities_are_of_second_order),
                                       cmocka_unit_test(good_conductors_converge_with_limits),
                                       cmocka_unit_test(fluids_beside_solids_are_limited),
                                       cmocka_unit_test(enclosed_good_conductors_converge),
                                       cmocka_unit_test(heat_is_kept),
                                       cmocka_unit_test(time_is_of_second_order),
                                       cmocka_unit_test(count_iterations)};
    return RUN_TESTS("conjugate", tests);
}

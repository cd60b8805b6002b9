/* Properties of two fluids by expressions: conductivities of layers, heat that is conserved and balanced, weights of
 * layers, Marangoni stress; as with numbers where they are constant. */
#include "unsteady_fixture.h"
#include "flow/heat.h"
#include "interface/interface.h"

static double *temperature_of(const struct flow *f)
{
    const struct field *t = fields_find(&f->fields, "temperature", FIELD_OUTPUT);
    return FROM_DEVICE(*t->value, f->s.n_padded);
}

static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_HEXAHEDRA, GRID_TETRAHEDRA};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* ---------------------------------------------------------------- conductivities */
/* Two layers at rest, of the conductivities 1 + T and 1 + 2 T, from 3 to 0: in each Kirchhoff's transform is linear,
 * and T and the flux q are continuous: int k dT from the wall is q times the distance. */
static double of_layer(double b, double from, double flux)
{
    return (sqrt(pow(1 + b * from, 2) + 2 * b * flux) - 1) / b;
}

static double exact_in_layers(double x, double place)
{
    double low = 0, high = 10;
    for (int k = 0; k < 200; k++) {                     /* q: both layers meet at the interface */
        const double q = (low + high) / 2;
        const bool warmer = 7.5 - q * place > 0 && of_layer(1, 3, -q * place) > of_layer(2, 0, q * (1 - place));
        if (warmer) low = q;
        else high = q;
    }
    return x < place ? of_layer(1, 3, -low * x) : of_layer(2, 0, low * (1 - x));
}

static const char of_layers[] = "fluid = { viscosity = 1.0; heat_capacity = 1.0; conductivity = \"%s\";%s "
    "};\nsecond_fluid = { density = 1.0; viscosity = 1.0; heat_capacity = 2.0; "
    "conductivity = \"%s\"; };\nshapes = { slab = { type = \"half-space\"; point = [%g, 0.0%s]; normal = [-1.0, "
    "0.0%s]; }; };\nboundary = { left = { type = \"wall\"; temperature = 3.0; }; right = { type = \"wall\"; "
    "temperature = 0.0; }; bottom = { type = \"symmetry\"; }; top = { type = \"symmetry\"; };%s };\n"
    "solver = { algorithm = \"piso\"; };\ntime = { end = %g; step = 1.0; scheme = \"euler\"; };\n";

/* The temperatures at the end; the caller frees them. */
static double *layers_at_end(struct unsteady *w, enum grid kind, const char *first, const char *second, double place,
                             double end)
{
    char text[2000];
    const bool solid = grid_dim(kind) == 3;
    const struct box_setting box = grid_box(kind, solid ? 5 : 10, 0);
    const bool varies = strstr(first, "temperature") || strstr(second, "temperature");
    snprintf(text, sizeof text, of_layers, first, varies ? " property_range = [-0.1, 4.0];" : "", second,
             place, solid ? ", 0.0" : "", solid ? ", 0.0" : "",
             solid ? " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };" : "", end);
    open_unsteady(w, kind, &box, 0, text);
    advance_to_end(w);
    return temperature_of(&w->t.f);
}

static void layers_of_the_temperature_are_exact(void **state)
{
    (void)state;
    static const double places[] = {0.43, 0.5, 0.4, 0.58};
    static const enum grid of[] = {GRID_QUADS, GRID_HEXAHEDRA};
    for (int k = 0; k < 8; k++) {
        struct unsteady w;
        double place = places[k / 2], worst = 0;
        double *x = layers_at_end(&w, of[k % 2], "1 + temperature", "1 + 2*temperature", place, 40);
        for (int32_t c = 0; c < w.m.n_cells; c++)
            worst = fmax(worst, fabs(x[c] - exact_in_layers(w.m.cell_centre[c], place)));
        print_message("# %s, interface at %g: error %.1e\n", grid_name[of[k % 2]], place, worst);
        if (!(worst < 1e-9)) fail_msg("%s, interface at %g: error %.2e", grid_name[of[k % 2]], place, worst);
        free(x);
        close_unsteady(&w);
    }
}

/* By place in one of them: three layers, of 1, 4 and 8, exact where their limits are faces. */
static void layers_of_place_are_exact(void **state)
{
    (void)state;
    struct unsteady w;
    double worst = 0, q = 3 / (0.2 + 0.3 / 4 + 0.5 / 8);
    double *x = layers_at_end(&w, GRID_QUADS, "x < 0.2 ? 1 : 4", "8", 0.5, 40);
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        const double at = w.m.cell_centre[c];
        const double exact = at < 0.2 ? 3 - q * at : at < 0.5 ? q * (0.5 / 8 + (0.5 - at) / 4) : q * (1 - at) / 8;
        worst = fmax(worst, fabs(x[c] - exact));
    }
    if (!(worst < 1e-9)) fail_msg("error %.2e", worst);
    free(x);
    close_unsteady(&w);
}

/* Laws that are constant give the bits of numbers. */
static void constant_laws_are_numbers(void **state)
{
    (void)state;
    static const char *const law[][2] = {{"4", "0.5"}, {"4 + 0*temperature", "0.5"}, {"4", "0.5 + 0*x"},
                                         {"4 + 0*temperature", "0.5 + 0*temperature"}};
    double *x[4];
    int32_t n = 0;
    for (int k = 0; k < 4; k++) {
        struct unsteady w;
        x[k] = layers_at_end(&w, GRID_QUADS, law[k][0], law[k][1], 0.43, 5);
        n = w.m.n_cells;
        close_unsteady(&w);
    }
    for (int k = 1; k < 4; k++) assert_memory_equal(x[k], x[0], (size_t)n * sizeof **x);
    for (int k = 0; k < 4; k++) free(x[k]);
}

/* ---------------------------------------------------------------- heat capacities */
/* The densities 1 and 5 with the capacities 2 + T and 1 + T^2: the heat of a volume. */
static double heat_at(double fraction, double t)
{
    return (1 - fraction) * (2 * t + t * t / 2) + 5 * fraction * (t + t * t * t / 3);
}

static double heat_by_laws(const struct unsteady *w, double *lowest, double *highest)
{
    const struct flow *f = &w->t.f;
    double *x = temperature_of(f), *fraction = FROM_DEVICE(f->interface->fraction, f->s.n_padded), sum = 0;
    *lowest = INFINITY, *highest = -INFINITY;
    for (int32_t c = 0; c < w->m.n_cells; c++) {
        sum += w->m.cell_volume[c] * heat_at(fraction[c], x[c]);
        *lowest = fmin(*lowest, x[c]), *highest = fmax(*highest, x[c]);
    }
    free(x), free(fraction);
    return sum;
}

/* The heat that enters in the last step. */
static double heat_entered(struct unsteady *w)
{
    double *in = FROM_DEVICE((double *)heat_inflow(&w->t.f, 0), w->t.f.s.n_boundary), sum = 0;
    for (int32_t i = 0; i < w->t.f.s.n_boundary; i++) sum += in[i];
    free(in);
    return sum;
}

/* bottom: a wall, or an inlet, opposite to an outlet. */
static void open_by_laws(struct unsteady *w, enum grid kind, const char *left, const char *bottom, const char *start,
                         double end, double step)
{
    char text[2000];
    const bool solid = grid_dim(kind) == 3;
    const struct box_setting box = grid_box(kind, solid ? 8 : 16, 0.1);
    snprintf(text, sizeof text, "fluid = { density = 1.0; viscosity = 0.1; gravity = [0.0, -1.0%s]; heat_capacity = "
             "\"2 + temperature\"; conductivity = \"0.1 + 0.05*temperature\"; property_range = [-0.5, 3.5]; "
             "reference_temperature = 0.5; expansion = 0.0; };\nsecond_fluid = { density = 5.0; viscosity = 0.2; "
             "surface_tension = 0.1; heat_capacity = \"1 + temperature^2\"; conductivity = 0.3; expansion = 0.0; };\n"
             "shapes = { body = { type = \"sphere\"; centre = [0.5, 0.5%s]; radius = 0.27; }; };\nboundary = { left = "
             "{ type = \"wall\"; %s }; right = { type = \"wall\"; }; top = { type = \"%s\"; }; bottom = { %s };%s };\n"
             "initial = { temperature = %s; };\nsolver = { algorithm = \"piso\"; };\ntime = { end = %g; step = %g; "
             "};\n",
             solid ? ", 0.0" : "", solid ? ", 0.5" : "", left, strstr(bottom, "inlet") ? "outlet" : "wall", bottom,
             solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", start, end, step);
    open_unsteady(w, kind, &box, 0, text);
}

static void heat_by_laws_is_conserved(void **state)
{
    (void)state;
    for (int k = 0; k < N_KINDS; k++) {
        struct unsteady w;
        double low, high;
        open_by_laws(&w, kinds[k], "", "type = \"wall\";", "\"x < 0.5 ? 3 : 0\"", 0.3, 0.01);
        const double before = heat_by_laws(&w, &low, &high);
        advance_to_end(&w);
        const double change = heat_by_laws(&w, &low, &high) / before - 1;
        print_message("# %s: from %.4f to %.4f, heat changed by %.1e\n", grid_name[kinds[k]], low, high, change);
        if (!(fabs(change) < 1e-13 && low > -1e-12 && high < 3 + 1e-12)) fail_msg("heat changed by %g", change);
        close_unsteady(&w);
    }
}

/* What is stored in a step is what enters, through walls and with an inflow of the first fluid, and in a closed box the
 * difference of the heat in cells. */
static void heat_by_laws_is_balanced(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * N_KINDS; k++) {
        struct unsteady w;
        struct transient_report r;
        const bool solid = grid_dim(kinds[k / 2]) == 3;
        double low, high, worst = 0, most = 0;
        char inlet[200];
        snprintf(inlet, sizeof inlet, "type = \"inlet\"; velocity = [0.0, 1.0%s]; temperature = 2.0;", solid ? ", 0.0" :
                 "");
        open_by_laws(&w, kinds[k / 2], k % 2 ? "heat_flux = 2.0;" : "temperature = 3.0;",
                     k % 2 ? inlet : "type = \"wall\"; heat_flux = -0.5;", "0.5", 0.2, 0.01);
        double heat = heat_by_laws(&w, &low, &high);
        while (w.t.time < 0.2 * (1 - 1e-12)) {
            const double old = heat, time = w.t.time;
            transient_advance(&w.t, transient_choose_step(&w.t, 0.2), &r);
            heat = heat_by_laws(&w, &low, &high);
            const double entered = heat_entered(&w), stored = heat_stored(&w.t.f);
            worst = fmax(worst, fabs(stored - entered));
            if (k % 2 == 0) worst = fmax(worst, fabs(stored - (heat - old) / (w.t.time - time)));
            most = fmax(most, fabs(entered));
        }
        print_message("# %s, %s: heat stored and entered differ by %.1e of %.2g\n", grid_name[kinds[k / 2]],
                      k % 2 ? "inflow" : "walls", worst, most);
        if (!(worst < 1e-11 * most)) fail_msg("balance %g of %g", worst, most);
        close_unsteady(&w);
    }
}

static void a_uniform_temperature_stays_by_laws(void **state)
{
    (void)state;
    for (int k = 0; k < N_KINDS; k++) {
        struct unsteady w;
        double low, high;
        open_by_laws(&w, kinds[k], "", "type = \"wall\";", "1.5", 0.3, 0.01);
        advance_to_end(&w);
        heat_by_laws(&w, &low, &high);
        if (!(low > 1.5 - 1e-10 && high < 1.5 + 1e-10)) fail_msg("%s: %.17g to %.17g", grid_name[kinds[k]], low, high);
        close_unsteady(&w);
    }
}

/* An inflow of either fluid, all of it at 1.5: what it carries is the heat from the reference 0.5 on, and up to there
 * c(1.5), that of the middle of the range; in the last step and as files have it. */
static void inflow_carries_its_heat(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct unsteady w;
        char inlet[200];
        const bool second = k % 2;
        snprintf(inlet, sizeof inlet, "type = \"inlet\"; velocity = [0.0, 1.0]; temperature = 1.5; fraction = %d.0;",
                 second);
        open_by_laws(&w, kinds[k / 2], "", inlet, "1.5", 0.05, 0.01);
        advance_to_end(&w);
        const struct field *t = fields_find(&w.t.f.fields, "temperature", FIELD_OUTPUT);
        t->make_gradient(t->owner);
        const double exact = 0.5 * (second ? 5 * 3.25 : 3.5) + heat_at(second, 1.5) - heat_at(second, 0.5);
        for (int show = 0; show < 2; show++) {
            const double *of = show ? heat_through_boundary(&w.t.f) : heat_inflow(&w.t.f, 0);
            double *in = FROM_DEVICE((double *)of, w.t.f.s.n_boundary), sum = 0;
            for (int p = 0; p < w.m.n_patches; p++)
                for (int32_t i = 0; !strcmp(w.m.patch[p].name, "bottom") && i < w.m.patch[p].count; i++)
                    sum += in[w.m.patch[p].first - w.m.n_internal + i];
            if (!(fabs(sum / exact - 1) < 1e-9)) fail_msg("fluid %d: heat %.12g, expected %.12g", k % 2, sum, exact);
            free(in);
        }
        close_unsteady(&w);
    }
}

/* Both fluids with the same laws are one fluid, wherever the interface is in the cells. */
static void two_equal_fluids_are_one(void **state)
{
    (void)state;
    static const char law[] = "density = 2.0; viscosity = 1.0; heat_capacity = \"1 + 3*temperature^2\"; conductivity = "
                              "\"0.1 + 0.05*temperature\";";
    double *x[2];
    int32_t n = 0;
    for (int k = 0; k < 2; k++) {
        struct unsteady w;
        char text[2000];
        const struct box_setting box = grid_box(GRID_QUADS, 12, 0);
        snprintf(text, sizeof text, "fluid = { %s property_range = [-0.5, 2.5]; };\n%s%s%sboundary = { left = { type = "
                 "\"wall\"; temperature = 2.0; }; right = { type = \"wall\"; heat_flux = 1.0; }; bottom = { type = "
                 "\"symmetry\"; }; top = { type = \"wall\"; }; };\ninitial = { temperature = 0.0; };\nsolver = { "
                 "algorithm = \"piso\"; convection_temperature = \"limited\"; };\ntime = { end = 1.0; step = 0.05; "
                 "};\n",
                 law, k ? "second_fluid = { " : "", k ? law : "", k ? " };\nshapes = { slab = { type = \"half-space\"; "
                 "point = [0.43, 0.0]; normal = [1.0, 0.0]; }; };\n" : "");
        open_unsteady(&w, GRID_QUADS, &box, 0, text);
        advance_to_end(&w);
        x[k] = temperature_of(&w.t.f), n = w.m.n_cells;
        close_unsteady(&w);
    }
    double worst = 0, most = 0;
    for (int32_t c = 0; c < n; c++) worst = fmax(worst, fabs(x[1][c] - x[0][c])), most = fmax(most, x[0][c]);
    print_message("# up to %g, largest difference %.1e\n", most, worst);
    if (!(worst < 1e-9 && most > 1)) fail_msg("difference %g", worst);
    free(x[0]), free(x[1]);
}

/* ---------------------------------------------------------------- densities */
/* Two layers at rest, at T = y: in both the reduced pressure rises by the integral of the excess of the density over
 * that at 0.5. */
static double excess(bool second, double y)
{
    return second ? -0.3 * (pow(y, 4) / 4 - 0.125 * y) : -0.2 * (y * y * y / 3 - 0.25 * y);
}

static void layers_weigh_exactly(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct unsteady w;
        char text[2000];
        const enum grid kind = k ? GRID_HEXAHEDRA : GRID_QUADS;
        const struct box_setting box = grid_box(kind, k ? 6 : 10, 0);
        double worst = 0, moves = 0;
        snprintf(text, sizeof text, "fluid = { density = \"1 - 0.2*temperature^2\"; viscosity = 0.1; gravity = [0.0, "
                 "-1.0%s]; heat_capacity = 1.0; conductivity = 1.0; reference_temperature = 0.5; property_range = "
                 "[-0.5, 1.5]; };\nsecond_fluid = { density = \"2 - 0.3*temperature^3\"; viscosity = 0.2; "
                 "heat_capacity = 2.0; conductivity = 1.0; };\nshapes = { pool = { type = \"half-space\"; point = "
                 "[0.0, 0.5%s]; normal = [0.0, 1.0%s]; }; };\nboundary = { left = { type = \"wall\"; }; right = { "
                 "type = \"wall\"; }; bottom = { type = \"wall\"; temperature = 0.0; }; top = { type = \"wall\"; "
                 "temperature = 1.0; };%s };\ninitial = { temperature = \"y\"; };\nsolver = { algorithm = \"piso\"; "
                 "pressure = { tolerance = 1e-13; }; velocity = { tolerance = 1e-12; }; };\n"
                 "time = { end = 0.6; step = 0.02; };\n",
                 k ? ", 0.0" : "", k ? ", 0.0" : "", k ? ", 0.0" : "",
                 k ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "");
        open_unsteady(&w, kind, &box, 0, text);
        advance_to_end(&w);
        const struct flow *f = &w.t.f;
        double *p = FROM_DEVICE(f->p, f->s.n_padded), *u = FROM_DEVICE(f->u, f->s.dim * f->s.pitch), at[2];
        const double *height = w.m.cell_centre + w.m.n_all;
        for (int32_t c = 0; c < w.m.n_cells; c++) at[height[c] < 0.5] = p[c] + excess(height[c] < 0.5, height[c]);
        for (int32_t c = 0; c < w.m.n_cells; c++) {
            const double y = height[c];
            worst = fmax(worst, fabs(p[c] + excess(y < 0.5, y) - at[y < 0.5]));
            for (int i = 0; i < f->s.dim; i++) moves = fmax(moves, fabs(u[i * f->s.pitch + c]));
        }
        print_message("# %s: pressure %.1e, velocity %.1e\n", grid_name[kind], worst, moves);
        if (!(worst < 1e-10 && moves < 1e-10)) fail_msg("pressure %g, velocity %g", worst, moves);
        free(p), free(u);
        close_unsteady(&w);
    }
}

/* A warm body that rises: a law that is linear, or a number, is `expansion`. */
static void linear_laws_are_expansion(void **state)
{
    (void)state;
    static const char *const of[2][2] = {
        {"density = 1.0; expansion = 0.2;", "density = 2.0; expansion = 0.0;"},
        {"density = \"1 - 0.2*(temperature - 0.5)\"; property_range = [-1, 2];", "density = 2.0;"}};
    double *u[2], worst = 0, most = 0;
    int64_t n = 0;
    for (int k = 0; k < 2; k++) {
        struct unsteady w;
        char text[2000];
        const struct box_setting box = grid_box(GRID_TRIANGLES, 12, 0.1);
        snprintf(text, sizeof text, "fluid = { viscosity = 0.02; gravity = [0.0, -1.0]; heat_capacity = 1.0; "
                 "conductivity = 0.01; reference_temperature = 0.5; %s };\nsecond_fluid = { viscosity = 0.05; "
                 "surface_tension = 0.1; heat_capacity = 2.0; conductivity = 0.05; %s };\nshapes = { body = { type = "
                 "\"sphere\"; centre = [0.5, 0.5]; radius = 0.25; }; };\nboundary = { left = { type = \"wall\"; "
                 "temperature = 0.0; }; right = { type = \"wall\"; temperature = 1.0; }; bottom = { type = \"wall\"; "
                 "}; top = { type = \"wall\"; }; };\ninitial = { temperature = \"x\"; };\nsolver = { algorithm = "
                 "\"piso\"; };\ntime = { end = 0.3; step = 0.01; };\n", of[k][0], of[k][1]);
        open_unsteady(&w, GRID_TRIANGLES, &box, 0, text);
        advance_to_end(&w);
        n = w.t.f.s.n_cells, u[k] = FROM_DEVICE(w.t.f.u, w.t.f.s.pitch);
        close_unsteady(&w);
    }
    for (int64_t c = 0; c < n; c++) worst = fmax(worst, fabs(u[1][c] - u[0][c])), most = fmax(most, fabs(u[0][c]));
    print_message("# velocities up to %.2g, largest difference %.1e\n", most, worst);
    if (!(worst < 1e-10 && most > 0.01)) fail_msg("difference %g of %g", worst, most);
    free(u[0]), free(u[1]);
}

/* ---------------------------------------------------------------- Marangoni stress */
/* The flow by the force along the interface of a drop is that of numbers where laws are constant. */
static double *pulled_with(const char *viscosity, const char *second_viscosity, const char *first, const char *second,
                           int64_t *n)
{
    struct unsteady w;
    char text[2000];
    struct box_setting box = grid_box(GRID_TRIANGLES, 20, 0.1);
    const bool varies = strstr(first, "temperature") || strstr(second, "temperature") ||
                        strstr(viscosity, "temperature");
    for (int i = 0; i < 2; i++) box.from[i] = -3, box.to[i] = 3;
    snprintf(text, sizeof text, "fluid = { density = 0.2; %s; heat_capacity = 3.0; conductivity = "
             "\"%s\"; reference_temperature = 0.0;%s };\nsecond_fluid = { density = 0.2; %s; "
             "surface_tension = 2.0; surface_tension_slope = -1.0; heat_capacity = 1.0; conductivity = \"%s\"; "
             "};\nshapes = { drop = { type = \"sphere\"; centre = [0.0, 0.0]; radius = 1.0; }; };\nboundary = { left "
             "= { type = \"slip\"; temperature = -3.0; }; right = { type = \"slip\"; temperature = 3.0; }; bottom = "
             "{ type = \"symmetry\"; }; top = { type = \"symmetry\"; }; };\ninitial = { temperature = \"x\"; "
             "};\nsolver = { algorithm = \"piso\"; pressure = { tolerance = 1e-12; }; velocity = { tolerance = 1e-12; "
             "}; };\ntime = { end = 0.05; step = 0.01; scheme = \"euler\"; };\n", viscosity, first,
             varies ? " property_range = [-9, 9];" : "", second_viscosity, second);
    open_unsteady(&w, GRID_TRIANGLES, &box, 0, text);
    advance_to_end(&w);
    double *u = FROM_DEVICE(w.t.f.u, w.t.f.s.pitch);
    *n = w.t.f.s.n_cells;
    close_unsteady(&w);
    return u;
}

static double *pulled(const char *first, const char *second, int64_t *n)
{
    return pulled_with("viscosity = 1.0", "viscosity = 1.0", first, second, n);
}

static void constant_viscosities_pull_as_numbers(void **state)
{
    (void)state;
#define POWER(exponent) "viscosity_model = { type = \"power-law\"; consistency = 0.4; exponent = " exponent "; }"
    static const char *const law[][2] = {
        {"viscosity = 0.4", "viscosity = 3.0"}, {POWER("1.0"), "viscosity = 3.0"},
        {"viscosity = \"0.4 + 0*temperature\"", "viscosity = \"3 + 0*x\""},
        {POWER("1.0"), "viscosity_model = { type = \"carreau\"; zero = 3.0; infinite = 3.0; time = 1.0; exponent = "
                       "0.5; }"},
        {POWER("0.5"), "viscosity = 3.0"}};
    enum { LAWS = sizeof law / sizeof *law };
    double *u[LAWS], differ[LAWS] = {0}, most = 0;
    int64_t n;
    for (int k = 0; k < LAWS; k++) u[k] = pulled_with(law[k][0], law[k][1], "0.3", "3", &n);
    for (int k = 0; k < LAWS; k++)
        for (int64_t c = 0; c < n; c++)
            differ[k] = fmax(differ[k], fabs(u[k][c] - u[0][c])), most = fmax(most, fabs(u[k][c]));
    print_message("# velocities up to %.2g, differences %.1e, %.1e, %.1e, of a law that varies %.1e\n", most,
                  differ[1], differ[2], differ[3], differ[4]);
    for (int k = 1; k < LAWS - 1; k++) assert_true(differ[k] < 1e-9 * most);
    assert_true(differ[LAWS - 1] > 0.05 * most && most < 1);
    for (int k = 0; k < LAWS; k++) free(u[k]);
}

static void constant_laws_pull_as_numbers(void **state)
{
    (void)state;
    static const char *const law[][2] = {{"0.3", "3"}, {"0.3 + 0*temperature", "3"}, {"0.3", "3 + 0*x"},
                                         {"0.3 + 0*y", "3 + 0*temperature"}, {"0.3", "0.3"}};
    double *u[5], differ[5] = {0}, most = 0;
    int64_t n;
    for (int k = 0; k < 5; k++) u[k] = pulled(law[k][0], law[k][1], &n);
    for (int k = 0; k < 5; k++)
        for (int64_t c = 0; c < n; c++) differ[k] = fmax(differ[k], fabs(u[k][c] - u[0][c]));
    for (int64_t c = 0; c < n; c++) most = fmax(most, fabs(u[0][c]));
    print_message("# velocities up to %.2g, differences %.1e, %.1e, %.1e, of equal ones %.1e\n", most, differ[1],
                  differ[2], differ[3], differ[4]);
    for (int k = 1; k < 4; k++) assert_true(differ[k] < 1e-9 * most);
    assert_true(differ[4] > 0.05 * most);
    for (int k = 0; k < 5; k++) free(u[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(layers_of_the_temperature_are_exact),
                                       cmocka_unit_test(layers_of_place_are_exact),
                                       cmocka_unit_test(constant_laws_are_numbers),
                                       cmocka_unit_test(heat_by_laws_is_conserved),
                                       cmocka_unit_test(heat_by_laws_is_balanced),
                                       cmocka_unit_test(a_uniform_temperature_stays_by_laws),
                                       cmocka_unit_test(inflow_carries_its_heat),
                                       cmocka_unit_test(two_equal_fluids_are_one),
                                       cmocka_unit_test(layers_weigh_exactly),
                                       cmocka_unit_test(linear_laws_are_expansion),
                                       cmocka_unit_test(constant_laws_pull_as_numbers),
                                       cmocka_unit_test(constant_viscosities_pull_as_numbers)};
    return RUN_TESTS("fluid_laws", tests);
}

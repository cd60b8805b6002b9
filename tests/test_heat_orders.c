/* The temperature: second order by manufactured solutions on every kind of cell, with convection, heat, and every kind
 * of wall by expressions; the developed heat transfer in a round pipe.
 *
 * T = sin(x + 2 y - z + 0.3), in the closed flow of mms_fixture.h.
 * test_heat_orders --full: on meshes twice as fine. */
#include "mms_fixture.h"
#include "gmsh_fixture.h"

static const double heat_capacity = 2, coefficient = 0.1;
static int refined = 1;         /* --full: 2 */

#define PHASE2 "(x + 2*y + 0.3)"
#define PHASE3 "(x + 2*y - z + 0.3)"

/* ---------------------------------------------------------------- manufactured solutions */
enum law { CONSTANT, OF_TEMPERATURE, OF_PLACE };
static const char *const law_name[] = {"", ", conductivity of temperature", ", conductivity of place"};
struct study { enum grid kind; double distortion; const char *file; double h; bool central, flux; enum law law; };
static const struct study studies[] = {
#define GMSH(name) 0, "tests/meshes/" name ".geo"
#define BOX(distortion, n) distortion, NULL, 1 / (n)
    {GRID_QUADS, BOX(0, 16.0), false, false, CONSTANT}, {GRID_QUADS, BOX(0.25, 16.0), false, false, CONSTANT},
    {GRID_QUADS, BOX(0.25, 16.0), true, false, CONSTANT}, {GRID_TRIANGLES, BOX(0.2, 16.0), false, false, CONSTANT},
    {GRID_TRIANGLES, BOX(0.2, 16.0), true, false, CONSTANT}, {GRID_MIXED_2D, BOX(0.2, 16.0), false, false, CONSTANT},
    {GRID_HEXAHEDRA, BOX(0.2, 8.0), false, false, CONSTANT}, {GRID_TETRAHEDRA, BOX(0.1, 6.0), false, false, CONSTANT},
    {GRID_PRISMS, BOX(0.1, 6.0), false, false, CONSTANT}, {GRID_PYRAMIDS, BOX(0.1, 6.0), false, false, CONSTANT},
    {GRID_MIXED_3D, BOX(0.15, 6.0), false, false, CONSTANT},
    {GRID_TRIANGLES, GMSH("square"), 0.16, false, false, CONSTANT},
    {GRID_TETRAHEDRA, GMSH("cube_tets"), 0.2, false, false, CONSTANT},
    {GRID_TETRAHEDRA, GMSH("cube_tets"), 0.2, false, true, CONSTANT},
    {GRID_QUADS, BOX(0.25, 16.0), false, false, OF_TEMPERATURE},
    {GRID_QUADS, BOX(0.25, 16.0), false, false, OF_PLACE},
    {GRID_TRIANGLES, BOX(0.2, 16.0), false, false, OF_TEMPERATURE},
    {GRID_PRISMS, BOX(0.1, 6.0), false, false, OF_TEMPERATURE},
    {GRID_HEXAHEDRA, BOX(0.2, 8.0), false, false, OF_PLACE},
    {GRID_TRIANGLES, GMSH("square"), 0.16, false, false, OF_TEMPERATURE},
    {GRID_TETRAHEDRA, GMSH("cube_tets"), 0.2, false, false, OF_TEMPERATURE},
    {GRID_TETRAHEDRA, GMSH("cube_tets"), 0.2, false, true, OF_PLACE},
};

/* The conductivity k, as a function of this temperature. */
static const char *conductivity(enum law law, const char *temperature)
{
    static char text[300];
    if (law == OF_TEMPERATURE) snprintf(text, sizeof text, "0.05*(1 + 0.5*%s)", temperature);
    else snprintf(text, sizeof text, "%s", law == OF_PLACE ? "0.05*exp(x)" : "0.05");
    return text;
}

/* Heat that enters through a wall per area, k dT/dn; n: how often the wall's normal is in the gradient's direction. */
static const char *flux_by(enum law law, const char *n, const char *phase)
{
    static char text[500];
    char sine[100];
    snprintf(sine, sizeof sine, "sin%s", phase);
    snprintf(text, sizeof text, "%s*(%s)*cos%s", conductivity(law, sine), n, phase);
    return text;
}

/* The temperature outside of a wall with this n that exchanges heat. */
static const char *outside(enum law law, const char *n, const char *phase)
{
    static char text[700];
    snprintf(text, sizeof text, "sin%s + (%s)/%g", phase, flux_by(law, n, phase), coefficient);
    return text;
}

static void walls_of_box(char *text, size_t size, bool solid, enum law law)
{
    const char *q = solid ? PHASE3 : PHASE2, *wall = "type = \"wall\";";
    int n = snprintf(text, size, "left = { %s temperature = \"sin%s\"; }; bottom = { %s temperature = \"sin%s\"; }; "
                     "right = { %s heat_flux = \"%s\"; };\n", wall, q, wall, q, wall, flux_by(law, "1", q));
    n += snprintf(text + n, size - (size_t)n, "top = { %s transfer = [%g, \"%s\"]; };\n", wall, coefficient,
                  outside(law, "2", q));
    if (!solid) return;
    n += snprintf(text + n, size - (size_t)n, "back = { %s heat_flux = \"%s\"; };\n", wall, flux_by(law, "1", q));
    snprintf(text + n, size - (size_t)n, "front = { %s transfer = [%g, \"%s\"]; };\n", wall, coefficient,
             outside(law, "-1", q));
}

/* The lid at y = 1, or z = 1, gives heat to the outside. */
static void walls_of_file(char *text, size_t size, bool solid, bool flux, enum law law)
{
    const char *q = solid ? PHASE3 : PHASE2;
    int n = snprintf(text, size, "lid = { type = \"wall\"; transfer = [%g, \"%s\"]; };\n", coefficient,
                     outside(law, solid ? "-1" : "2", q));
    if (flux)
        snprintf(text + n, size - (size_t)n, "walls = { type = \"wall\"; heat_flux = \"%s\"; };\n",
                 flux_by(law, "x < 1e-6 ? -1 : x > 1 - 1e-6 ? 1 : y < 1e-6 ? -2 : y > 1 - 1e-6 ? 2 : 1", q));
    else
        snprintf(text + n, size - (size_t)n, "walls = { type = \"wall\"; temperature = \"sin%s\"; };\n", q);
}

/* rho c u.grad T - div k grad T: with the derivatives of psi, u.(1, 2, -1) is psi_y - 2 psi_x in 2-D, in 3-D
 * 1.6 psi_y - 1.2 psi_x + 2 psi_z. */
static void heat_of(char *text, size_t size, bool solid, enum law law)
{
    const double c = mms_density * heat_capacity;
    const char *q = solid ? PHASE3 : PHASE2;
    char sine[100];
    const int square = solid ? 6 : 5;                   /* of the phase's gradient */
    int n = solid
        ? snprintf(text, size, "%g*(1.6*sin(2*pi*y)*(sin(pi*x)*sin(pi*z))^2 - 1.2*sin(2*pi*x)*(sin(pi*y)*sin(pi*z))^2 "
                   "+ 2*sin(2*pi*z)*(sin(pi*x)*sin(pi*y))^2)*cos" PHASE3, c)
        : snprintf(text, size, "%g*(sin(2*pi*y)*sin(pi*x)^2 - 2*sin(2*pi*x)*sin(pi*y)^2)*cos" PHASE2, c);
    snprintf(sine, sizeof sine, "sin%s", q);
    n += snprintf(text + n, size - (size_t)n, " + %d*%s*%s", square, conductivity(law, sine), sine);
    if (law == OF_TEMPERATURE) snprintf(text + n, size - (size_t)n, " - %g*cos%s^2", 0.025 * square, q);
    if (law == OF_PLACE) snprintf(text + n, size - (size_t)n, " - 0.05*exp(x)*cos%s", q);
}

static double temperature_error(const struct trial *w)
{
    const struct field *t = fields_find(&w->f->fields, "temperature", FIELD_OUTPUT);
    double *value = FROM_DEVICE(*t->value, w->f->s.n_padded), square = 0, volume = 0;
    for (int32_t c = 0; c < w->m.n_cells; c++) {
        double x[3];
        mms_cell(&w->m, c, x);
        double miss = value[c] - sin(x[0] + 2 * x[1] - x[2] + 0.3);
        square += w->m.cell_volume[c] * miss * miss, volume += w->m.cell_volume[c];
    }
    free(value);
    return sqrt(square / volume);
}

static double solve(const struct study *s, double h, int *cells)
{
    struct trial w;
    char text[4000], walls[1500], heat[700];
    bool solid = grid_dim(s->kind) == 3;
    struct box_setting box = grid_box(s->kind, (int)lrint(1 / h), s->distortion);
    struct mms exact = mms_of(MMS_CLOSED, grid_dim(s->kind));
    if (s->file) walls_of_file(walls, sizeof walls, solid, s->flux, s->law);
    else walls_of_box(walls, sizeof walls, solid, s->law);
    heat_of(heat, sizeof heat, solid, s->law);
    snprintf(text, sizeof text, "fluid = { density = %g; viscosity = %g; heat_capacity = %g; "
             "conductivity = \"%s\";%s };\ninitial = { temperature = 0.0; };\nboundary = { %s };\n"
             "sources = { s = { heat = \"%s\"; }; };\nsolver = { algorithm = \"coupled\"; tolerance = 1e-7; "
             "convection_temperature = \"%s\"; };\n",
             mms_density, exact.viscosity, heat_capacity, conductivity(s->law, "temperature"),
             s->law == OF_TEMPERATURE ? " property_range = [-1.5, 1.5];" : "", walls, heat,
             s->central ? "central" : "linear-upwind");
    if (s->file) {
        load(&w.m, s->file, &(struct parameter){"h", h}, 1);
        trial_start(&w, text);
    } else trial_open(&w, s->kind, &box, false, text);
    mms_impose(&exact, w.f, &w.m);
    if (trial_converge(&w) < 0) fail_msg("%s, h = %g: not converged", grid_name[s->kind], h);
    double error = temperature_error(&w);
    *cells = w.m.n_cells;
    trial_close(&w);
    return error;
}

static void second_order_on_all_cells(void **state)
{
    (void)state;
    bool good = true;
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
        const struct study *s = &studies[i];
        int cells[2];
        if (s->file && !*program) continue;
        double coarse = solve(s, s->h / refined, &cells[0]), fine = solve(s, s->h / 2 / refined, &cells[1]);
        double order = log(coarse / fine) / log((double)cells[1] / cells[0]) * grid_dim(s->kind);
        print_message("# %s%s %g, %s%s%s: %d cells, errors %.2e, %.2e, order %.2f\n", s->file ? "Gmsh's " : "",
                      grid_name[s->kind], s->distortion, s->central ? "central" : "linear-upwind",
                      s->flux ? ", given flux" : "", law_name[s->law], cells[1], coarse, fine, order);
        if (!(order > 1.9)) good = false;
    }
    assert_true(good);
}

/* ---------------------------------------------------------------- developed flow in a pipe */
/* The Nusselt number of a pipe of diameter 1, 7 behind the inlet. */
static double pipe_nusselt(const char *wall_of, double peclet, int cells)
{
    struct trial w;
    char text[1000];
    double carried = 0, passing = 0, at_wall = 0, flux = 0, area = 0;
    const double k = 1 / peclet, length = 8, layers = 24, at = 20.5 * length / layers;
    load(&w.m, "tests/meshes/pipe.geo", &(struct parameter){"n", cells}, 1);
    snprintf(text, sizeof text, "fluid = { viscosity = 0.1; heat_capacity = 1.0; conductivity = %.17g; };\n"
             "boundary = { inlet = { type = \"inlet\"; velocity = [0, 0, \"2 - 8*(x^2 + y^2)\"]; temperature = 0.0; "
             "};\noutlet = { type = \"outlet\"; }; left = { type = \"symmetry\"; }; bottom = { type = \"symmetry\"; "
             "};\nwall = { type = \"wall\"; %s }; };\nsolver = { algorithm = \"coupled\"; tolerance = 1e-7; };\n", k,
             wall_of);
    trial_start(&w, text);
    assert_true(trial_converge(&w) > 0);
    const struct field *t = fields_find(&w.f->fields, "temperature", FIELD_OUTPUT);
    const struct patch *wall = patch(&w.m, "wall");
    t->make_gradient(t->owner);
    double *through = FROM_DEVICE((double *)t->make_flux(t->owner), w.f->s.n_boundary);
    double *x = FROM_DEVICE(*t->value, w.f->s.n_padded), *u = FROM_DEVICE(w.f->u, 3 * w.f->s.pitch);
    double *face = FROM_DEVICE(*t->boundary, w.f->s.n_boundary);
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        double along = u[2 * w.f->s.pitch + c] * w.m.cell_volume[c];
        if (fabs(w.m.cell_centre[2 * (int64_t)w.m.n_cells + c] - at) < 0.1) carried += along * x[c], passing += along;
    }
    for (int32_t i = wall->first; i < wall->first + wall->count; i++) {
        double size = 0, middle[3];
        int32_t b = i - w.m.n_internal;
        mms_boundary_face(&w.m, b, middle);
        if (fabs(middle[2] - at) > 0.1) continue;
        for (int j = 0; j < 3; j++) size += pow(w.m.face_area[(int64_t)j * w.m.n_faces + i], 2);
        at_wall += sqrt(size) * face[b], flux += through[b], area += sqrt(size);
    }
    free(through), free(x), free(u), free(face);
    trial_close(&w);
    return flux / area / (k * (at_wall / area - carried / passing));
}

/* With a given flux, conduction along the pipe changes nothing, and a small Peclet number shortens the entrance.  With
 * a given temperature it makes 1 + 1.227 / Peclet^2 of 3.6568 (Michelsen and Villadsen 1974). */
static void a_pipe_has_its_nusselt_numbers(void **state)
{
    (void)state;
    const double conducting = 3.6568 * (1 + 1.227 / 3600);
    if (!*program) skip();
    double error[2][2];
    for (int i = 0; i < 2; i++) {
        int n = (4 * refined) << i;
        double flux = pipe_nusselt("heat_flux = 1.0;", 20, n), warm = pipe_nusselt("temperature = 1.0;", 60, n);
        error[i][0] = fabs(flux / (48 / 11.0) - 1), error[i][1] = fabs(warm / conducting - 1);
        print_message("# pipe, %d cells per radius: Nusselt number %.4f for a given flux (4.3636), %.4f for a given "
                      "temperature (3.6581)\n", 2 * n, flux, warm);
    }
    for (int k = 0; k < 2; k++) assert_true(error[1][k] < 4e-3 && error[1][k] < error[0][k] / 3);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(second_order_on_all_cells),
                                       cmocka_unit_test(a_pipe_has_its_nusselt_numbers)};
    if (argc > 1 && !strcmp(argv[1], "--full")) refined = 2;
    if (!prepare()) *program = 0;
    open_device();
    return finish_tests(cmocka_run_group_tests_name("heat_orders", tests, NULL, clean));
}

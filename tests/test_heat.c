/* The temperature: conduction is exact on every kind of cell with every kind of wall, sources and forces in regions,
 * the same flow as with a scalar of the same diffusivity. */
#include "run_fixture.h"
#include "unsteady_fixture.h"
#include "flow/scalar.h"

static double *temperature_of(const struct flow *f)
{
    const struct field *t = fields_find(&f->fields, "temperature", FIELD_OUTPUT);
    return FROM_DEVICE(*t->value, f->s.n_padded);
}

static double centre(const struct mesh *m, int k, int32_t c) { return m->cell_centre[(int64_t)k * m->n_cells + c]; }

/* Heat that enters through boundary patch i per unit of time. */
static double heat_through(struct flow *f, const struct mesh *m, int i)
{
    const struct field *t = fields_find(&f->fields, "temperature", FIELD_OUTPUT);
    t->make_gradient(t->owner);
    double *through = FROM_DEVICE((double *)t->make_flux(t->owner), f->s.n_boundary), sum = 0;
    for (int32_t k = 0; k < m->patch[i].count; k++) sum += through[m->patch[i].first - m->n_internal + k];
    free(through);
    return sum;
}

/* ---------------------------------------------------------------- conduction */
/* In a fluid at rest with rho c = 6 and k = 0.7, from a wall of one kind at the left to 1 at the right. */
static const struct { const char *left; double flux; } wall[] = {
    {"temperature = 3.0;", 1.4}, {"heat_flux = -0.5;", -0.5}, {"transfer = [2.0, 5.0];", 4 / (0.5 + 1 / 0.7)}};
enum { N_WALLS = sizeof wall / sizeof *wall };

static void a_wall(char *text, size_t size, const char *left, bool solid, const char *rest)
{
    snprintf(text, size, "fluid = { density = 2.0; viscosity = 1.0; heat_capacity = 3.0; conductivity = 0.7; };\n"
             "boundary = { left = { type = \"wall\"; %s }; right = { type = \"slip\"; temperature = 1.0; }; bottom = { "
             "type = \"symmetry\"; }; top = { type = \"wall\"; };%s };\n%s", left,
             solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", rest);
}

static double worst_error(const struct flow *f, const struct mesh *m, double flux)
{
    double *x = temperature_of(f), worst = 0;
    for (int32_t c = 0; c < m->n_cells; c++)
        worst = fmax(worst, fabs(x[c] - 1 - flux / 0.7 * (1 - centre(m, 0, c))));
    free(x);
    return worst;
}

static void steady_conduction_is_exact(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"simplec", "coupled"};
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int k = 0; k < 2 * N_WALLS; k++) {
            struct trial w;
            struct simple_report r;
            char text[1000], rest[100];
            bool solid = grid_dim((enum grid)kind) == 3;
            struct box_setting box = grid_box((enum grid)kind, solid ? 4 : 6, kind == GRID_TETRAHEDRA ? 0.1 : 0.2);
            double flux = wall[k / 2].flux;
            snprintf(rest, sizeof rest, "solver = { algorithm = \"%s\"; convection_temperature = \"%s\"; };\n",
                     algorithm[k % 2], k % 2 ? "linear-upwind" : "limited");
            a_wall(text, sizeof text, wall[k / 2].left, solid, rest);
            trial_open(&w, (enum grid)kind, &box, false, text);
            for (int i = 0; i < 3000 && (i < 10 || r.residual[w.m.dim + 1] > 1e-15); i++) simple_iterate(&w.simple, &r);
            double worst = worst_error(w.f, &w.m, flux), into = heat_through(w.f, &w.m, 0);
            print_message("# %s, %s %s: largest error %.1e, of the flux %.1e\n", grid_name[kind], algorithm[k % 2],
                          wall[k / 2].left, worst, fabs(into - flux));
            if (!(worst < 1e-12 && fabs(into - flux) < 1e-12))
                fail_msg("%s, %s: error %g, flux %g instead of %g", grid_name[kind], wall[k / 2].left, worst, into,
                         flux);
            trial_close(&w);
        }
}

/* The same, reached in time, on orthogonal cells. */
static void conduction_becomes_steady(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_HEXAHEDRA};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int k = 0; k < N_WALLS; k++) {
            struct unsteady w;
            char text[1000];
            bool solid = grid_dim(kinds[i]) == 3;
            struct box_setting box = grid_box(kinds[i], solid ? 3 : 5, 0);
            a_wall(text, sizeof text, wall[k].left, solid, "solver = { algorithm = \"piso\"; };\ntime = { end = 800.0; "
                   "step = 4.0; scheme = \"euler\"; };\ninitial = { temperature = 2.0; };\n");
            open_unsteady(&w, kinds[i], &box, 0, text);
            advance_to_end(&w);
            double worst = worst_error(&w.t.f, &w.m, wall[k].flux);
            print_message("# %s in time, %s: largest error %.1e\n", grid_name[kinds[i]], wall[k].left, worst);
            if (!(worst < 1e-9)) fail_msg("%s, %s: error %g", grid_name[kinds[i]], wall[k].left, worst);
            close_unsteady(&w);
        }
}

/* ---------------------------------------------------------------- sources */
/* Heated everywhere but in a band, which has a heat of its own: everything leaves at the left. */
static void sources_are_in_their_regions(void **state)
{
    (void)state;
    struct trial w = {0};
    struct simple_report r;
    struct error e;
    struct box_setting box = grid_box(GRID_QUADS, 8, 0);
    grid_mesh(&w.m, GRID_QUADS, &box);
    RESIZE(w.m.region, 2);
    memset(w.m.region[1], 0, NAME_LENGTH);
    strcpy(w.m.region[1], "block"), w.m.n_regions = 2;
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        double y = w.m.vertex[3 * (int64_t)w.m.cell_vertex[w.m.cell_start[c]] + 1];
        w.m.cell_region[c] = y > 0.2 && y < 0.7;
    }
    if (!mesh_complete(&w.m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    trial_start(&w, "fluid = { density = 2.0; viscosity = 1.0; heat_capacity = 3.0; conductivity = 0.7; };\n"
                    "boundary = { left = { type = \"wall\"; temperature = 1.0; }; right = { type = \"wall\"; "
                    "heat_flux = 0.25; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
                    "sources = { b = { region = \"block\"; heat = 3.0; force = [0.5, 0.0]; }; a = { heat = -1.0; "
                    "resistance = 2.0; }; };\n");
    for (int i = 0; i < 3000 && (i < 10 || r.residual[w.m.dim + 1] > 1e-14); i++) simple_iterate(&w.simple, &r);
    double made = 0, into = heat_through(w.f, &w.m, 0), *sink = FROM_DEVICE(w.f->sink, w.f->s.n_padded);
    double *force = FROM_DEVICE(w.f->source, w.f->s.n_padded);
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        bool in_block = w.m.cell_region[c];
        made += w.m.cell_volume[c] * (in_block ? 3 : -1);
        assert_true(sink[c] == 2 && force[c] == (in_block ? 0.5 : 0));
    }
    if (!(fabs(into + made + 0.25) < 1e-9)) fail_msg("%g are made, %g leave", made + 0.25, -into);
    free(sink), free(force);
    trial_close(&w);
}

/* ---------------------------------------------------------------- buoyancy */
static double *velocity_after(const char *text, bool in_time)
{
    struct box_setting box = grid_box(GRID_TRIANGLES, 6, 0.1);
    double *u;
    if (in_time) {
        struct unsteady w;
        open_unsteady(&w, GRID_TRIANGLES, &box, 0, text);
        advance_to_end(&w);
        u = FROM_DEVICE(w.t.f.u, 2 * w.t.f.s.pitch);
        close_unsteady(&w);
        return u;
    }
    struct trial w;
    struct simple_report r;
    trial_open(&w, GRID_TRIANGLES, &box, false, text);
    for (int i = 0; i < 20; i++) simple_iterate(&w.simple, &r);
    u = FROM_DEVICE(w.f->u, 2 * w.f->s.pitch);
    trial_close(&w);
    return u;
}

/* The same case with a scalar of this diffusivity: the same bits. */
static void a_temperature_is_a_scalar_with_units(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"simplec", "coupled", "pimple"};
    static const char *const kind[] = {
        "fluid = { density = 2.0; viscosity = 0.02; gravity = [0.0, -1.0]; heat_capacity = 4.0; conductivity = 0.125; "
        "expansion = 0.5; };\nboundary = { left = { type = \"wall\"; temperature = 1.0; }; right = { type = \"wall\"; "
        "temperature = 0.0; };",
        "fluid = { density = 2.0; viscosity = 0.02; gravity = [0.0, -1.0]; };\nscalars = { t = { diffusivity = "
        "0.015625; initial = 0.5; convection = \"bounded\"; values = { "
        "left = 1.0; right = 0.0; }; }; };\nbuoyancy = { scalar = \"t\"; expansion "
        "= 0.5; };\nboundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; };"};
    for (int k = 0; k < 3; k++) {
        double *u[2];
        for (int i = 0; i < 2; i++) {
            char text[1500];
            snprintf(text, sizeof text, "%s bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\nsolver = { "
                     "algorithm = \"%s\"; };\n%s", kind[i], algorithm[k], k == 2 ? "time = { end = 2.0; step = 0.1; "
                     "};\n" : "");
            u[i] = velocity_after(text, k == 2);
        }
        assert_memory_equal(u[0], u[1], 70 * sizeof **u);
        assert_true(fabs(u[0][10]) > 1e-6);
        free(u[0]), free(u[1]);
    }
}

/* The flow does not depend on it: it is solved in few of the iterations, and ends where it would without waiting. */
static void a_passive_temperature_waits(void **state)
{
    (void)state;
    static const char text[] = "fluid = { viscosity = 0.005; heat_capacity = 1.0; conductivity = 0.005; };\n"
        "boundary = { left = { type = \"wall\"; temperature = 1.0; }; right = { type = \"wall\"; temperature = 0.0; }; "
        "bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = [1.0, 0.0]; }; };\n"
        "solver = { algorithm = \"simplec\"; tolerance = 1e-9; };\n";
    double *x[2];
    int iterations[2], solves[2] = {0};
    for (int i = 0; i < 2; i++) {
        struct box_setting box = grid_box(GRID_QUADS, 24, 0);
        struct trial w;
        struct simple_report r = {.residual = {1}};
        double worst = 1, before = 0;
        trial_open(&w, GRID_QUADS, &box, false, text);
        struct scalar *q = w.f->temperature->item;
        for (iterations[i] = 0; iterations[i] < 2000 && worst > 1e-9; iterations[i]++) {
            if (i) q->wait[0] = 0;
            simple_iterate(&w.simple, &r);
            solves[i] += r.residual[3] != before, before = r.residual[3], worst = 0;
            for (int k = 0; k < 4; k++) worst = fmax(worst, r.residual[k]);
        }
        x[i] = FROM_DEVICE(q->x, w.f->s.n_padded);
        trial_close(&w);
    }
    double miss = 0;
    for (int c = 0; c < 24 * 24; c++) miss = fmax(miss, fabs(x[0][c] - x[1][c]));
    print_message("# %d solves in %d iterations, without waiting %d in %d; difference %.1e\n", solves[0], iterations[0],
                  solves[1], iterations[1], miss);
    assert_true(3 * solves[0] < solves[1] && solves[1] == iterations[1] && iterations[0] <= iterations[1] + 10);
    assert_true(miss < 1e-7);
    free(x[0]), free(x[1]);
}

/* A linear density has the weight of an expansion, of a temperature and of a scalar. */
static void a_density_is_an_expansion(void **state)
{
    (void)state;
    static const char *const weight[2][2] = {
        {"expansion = 0.5; reference_temperature = 0.5;",
         "density = \"2.5 - temperature\"; reference_temperature = 0.5; property_range = [-0.5, 1.5];"},
        {"};\nbuoyancy = { scalar = \"dye\"; expansion = 0.5;", "density = \"2.5 - dye\";"}};
    static const char dye[] = "scalars = { dye = { diffusivity = 0.02; initial = 0.5; values = { left = 1.0; right = "
                              "0.0; }; }; };\n";
    static const char *const algorithm[] = {"simplec", "coupled", "piso"};
    for (int k = 0; k < 6; k++) {
        const bool scalar = k % 2, in_time = k / 2 == 2;
        double *u[2], size = 0, miss = 0;
        for (int i = 0; i < 2; i++) {
            char text[1500];
            snprintf(text, sizeof text, "fluid = { viscosity = 0.02; gravity = [0.0, -1.0]; %s%s%s };\n%s"
                     "boundary = { left = { type = \"wall\";%s }; right = { type = \"wall\";%s }; "
                     "bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
                     "solver = { algorithm = \"%s\"; };\n%s", i ? "" : "density = 2.0; ",
                     scalar ? "" : "heat_capacity = 1.0; conductivity = 0.04; ", weight[scalar][i], scalar ? dye : "",
                     scalar ? "" : " temperature = 1.0;", scalar ? "" : " temperature = 0.0;", algorithm[k / 2],
                     in_time ? "time = { end = 2.0; step = 0.1; };\n" : "");
            u[i] = velocity_after(text, in_time);
        }
        for (int c = 0; c < 70; c++) size = fmax(size, fabs(u[0][c])), miss = fmax(miss, fabs(u[1][c] - u[0][c]));
        print_message("# %s, %s: velocity %.2g, difference %.1e\n", algorithm[k / 2], scalar ? "scalar" : "temperature",
                      size, miss);
        assert_true(size > 1e-3 && miss < 1e-6 * size);
        free(u[0]), free(u[1]);
    }
}

/* Water is heaviest at 4 degrees: between walls as much above and below, it rises at both alike and sinks between. */
static void water_is_heaviest_at_four_degrees(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"simplec", "coupled"};
    for (int k = 0; k < 2; k++) {
        enum { N = 24 };
        struct trial w;
        struct box_setting box = grid_box(GRID_QUADS, N, 0);
        char text[1500];
        snprintf(text, sizeof text, "fluid = { density = \"1 - 0.01*(temperature - 4)^2\"; viscosity = 0.01; gravity "
                 "= [0.0, -1.0]; heat_capacity = 1.0; conductivity = 0.02; reference_temperature = 4.0; "
                 "property_range = [0, 8]; };\nboundary = { left = { type = \"wall\"; temperature = 8.0; }; "
                 "right = { type = \"wall\"; temperature = 0.0; }; bottom = { type = \"wall\"; }; top = { type = "
                 "\"wall\"; }; };\nsolver = { algorithm = \"%s\"; tolerance = 1e-9; };\n", algorithm[k]);
        trial_open(&w, GRID_QUADS, &box, false, text);
        const int iterations = trial_converge(&w);
        double *u = FROM_DEVICE(w.f->u, 2 * w.f->s.pitch), *up = u + w.f->s.pitch, most = 0, miss = 0, beside = 0;
        double middle = 0;
        for (int32_t c = 0; c < w.m.n_cells; c++)
            for (int32_t d = 0; d < w.m.n_cells; d++) {
                const double x = centre(&w.m, 0, c), y = centre(&w.m, 1, c);
                if (fabs(centre(&w.m, 0, d) - 1 + x) > 0.1 / N || fabs(centre(&w.m, 1, d) - y) > 0.1 / N) continue;
                most = fmax(most, fabs(up[c])), miss = fmax(miss, fabs(up[c] - up[d]));
                if (fabs(y - 0.5) > 1.0 / N) continue;
                if (x < 2.0 / N) beside += up[c];
                if (fabs(x - 0.5) < 1.0 / N) middle += up[c];
            }
        print_message("# %s: %d iterations, velocity %.3g, mirrored to %.1e\n", algorithm[k], iterations, most, miss);
        assert_true(iterations > 0 && most > 0.01 && miss < 1e-2 * most && beside > 0 && middle < 0);
        free(u);
        trial_close(&w);
    }
}

/* Natural convection at Ra 1e6 needs the implicit weight: tens of iterations. */
static void coupled_convection_converges(void **state)
{
    (void)state;
    struct trial w;
    struct box_setting box = grid_box(GRID_QUADS, 64, 0);
    box.stretch[0] = box.stretch[1] = 6;
    trial_open(&w, GRID_QUADS, &box, false,
               "fluid = { viscosity = 8.426149773e-4; gravity = [0.0, -1.0]; heat_capacity = 1.0; conductivity = "
               "1.186781658e-3; expansion = 1.0; };\nboundary = { left = { type = \"wall\"; temperature = 0.5; }; "
               "right = { type = \"wall\"; temperature = -0.5; }; bottom = { type = \"wall\"; }; "
               "top = { type = \"wall\"; }; };\nsolver = { algorithm = \"coupled\"; tolerance = 1e-8; "
               "max_iterations = 45; };\n");
    int iterations = trial_converge(&w);
    double nusselt = heat_through(w.f, &w.m, 0) / 1.186781658e-3;
    print_message("# %d iterations, Nusselt number %.4f\n", iterations, nusselt);
    assert_true(iterations > 0 && fabs(nusselt / 8.825 - 1) < 2e-3);
    trial_close(&w);
}

/* ---------------------------------------------------------------- fully developed, and the onset of convection */
/* The Nusselt number of parallel plates, of twice their distance, far from the inlet: by the heat flux, and the
 * difference between the wall and the mean that the flow carries. */
static double plates_nusselt(const char *wall_of)
{
    struct trial w;
    struct box_setting box = grid_box(GRID_QUADS, 1, 0);
    char text[1000];
    double carried = 0, passing = 0, at_wall = 0, flux = 0;
    const double length = 40, conductivity = 0.01;
    box.cells[0] = 80, box.cells[1] = 24, box.to[0] = length;
    snprintf(text, sizeof text, "fluid = { viscosity = 0.1; heat_capacity = 1.0; conductivity = %g; };\nboundary = { "
             "left = { type = \"inlet\"; velocity = [1.5, 0.0]; profile = \"parabolic\"; temperature = 0.0; }; "
             "right = { type = \"outlet\"; }; "
             "bottom = { type = \"wall\"; %s }; top = { type = \"wall\"; %s }; };\nsolver = { "
             "algorithm = \"coupled\"; tolerance = 1e-8; };\n", conductivity, wall_of, wall_of);
    trial_open(&w, GRID_QUADS, &box, false, text);
    assert_true(trial_converge(&w) > 0);
    const struct field *t = fields_find(&w.f->fields, "temperature", FIELD_OUTPUT);
    t->make_gradient(t->owner);
    double *through = FROM_DEVICE((double *)t->make_flux(t->owner), w.f->s.n_boundary);
    double *x = temperature_of(w.f), *u = FROM_DEVICE(w.f->u, w.f->s.n_padded);
    double *face = FROM_DEVICE(*t->boundary, w.f->s.n_boundary);
    const double width = length / box.cells[0], column = 64.5 * width;
    for (int32_t c = 0; c < w.m.n_cells; c++)
        if (fabs(centre(&w.m, 0, c) - column) < width / 4) carried += u[c] * x[c], passing += u[c];
    for (int32_t b = 0; b < w.f->s.n_boundary; b++)
        if (fabs(centre(&w.m, 0, w.m.face_owner[w.m.n_internal + b]) - column) < width / 4)
            at_wall += face[b] / 2, flux += through[b] / width / 2;
    free(through), free(x), free(u), free(face);
    trial_close(&w);
    return flux * 2 / (conductivity * (at_wall - carried / passing));
}

static void developed_flow_has_its_nusselt_number(void **state)
{
    (void)state;
    double flux = plates_nusselt("heat_flux = 1.0;"), warm = plates_nusselt("temperature = 1.0;");
    print_message("# parallel plates: Nusselt number %.3f for a given flux (8.235), %.3f for a given temperature "
                  "(7.541)\n", flux, warm);
    assert_true(fabs(flux / 8.235 - 1) < 5e-3 && fabs(warm / 7.541 - 1) < 5e-3);
}

static double kinetic_energy(const struct unsteady *w)
{
    const struct flow *f = &w->t.f;
    double *u = FROM_DEVICE(f->u, 2 * f->s.pitch), sum = 0;
    for (int32_t c = 0; c < w->m.n_cells; c++)
        sum += w->m.cell_volume[c] * (u[c] * u[c] + u[f->s.pitch + c] * u[f->s.pitch + c]);
    free(u);
    return sum;
}

/* The growth rate of rolls of the critical wave length, 2.016 heights, between plates heated from below. */
static double growth_rate(double rayleigh)
{
    struct unsteady w;
    struct box_setting box = grid_box(GRID_QUADS, 24, 0);
    char text[1500];
    struct transient_report r;
    box.to[0] = 2.016, box.cells[0] = 32;
    snprintf(text, sizeof text, "fluid = { viscosity = 1.0; heat_capacity = 1.0; conductivity = 1.0; expansion = 1.0; "
             "reference_temperature = 0.0; gravity = [0.0, %g]; };\nboundary = { left = { type = \"periodic\"; with = "
             "\"right\"; }; right = { type = \"periodic\"; }; bottom = { type = \"wall\"; temperature = 0.5; }; "
             "top = { type = \"wall\"; temperature = -0.5; }; };\ninitial = { temperature = \"0.5 - y + "
             "0.001*sin(pi*y)*cos(2*pi*x/2.016)\"; };\nsolver = { algorithm = \"piso\"; };\n"
             "time = { end = 1.0; step = 0.02; };\n", -rayleigh);
    open_unsteady(&w, GRID_QUADS, &box, 1, text);
    double early = 0;
    for (int i = 0; i < 50; i++) {
        transient_advance(&w.t, 0.02, &r);
        if (i == 24) early = kinetic_energy(&w);
    }
    double rate = log(kinetic_energy(&w) / early) / 2 / 0.5;
    close_unsteady(&w);
    return rate;
}

static void convection_sets_in(void **state)
{
    (void)state;
    double below = growth_rate(1600), above = growth_rate(1800);
    print_message("# growth rates at Ra 1600, 1800: %.3f, %.3f; zero at %.0f (1708)\n", below, above,
                  1600 - 200 * below / (above - below));
    assert_true(below < 0 && above > 0);
}

/* ---------------------------------------------------------------- heat.csv */
/* A heated channel with all kinds of walls, properties that are constant or not, a source, and a flow that carries
 * heat: the last row is balanced, in time every row. */
static void heat_is_balanced(void **state)
{
    (void)state;
    static const char *const algorithm[] = {
        "solver = { algorithm = \"simplec\"; tolerance = 1e-9; };\n",
        "solver = { algorithm = \"coupled\"; tolerance = 1e-9; };\n",
        "solver = { algorithm = \"piso\"; convection_temperature = \"limited\"; };\n"
        "time = { end = 0.5; step = 0.05; };\n",
        "solver = { algorithm = \"pimple\"; };\ntime = { end = 0.5; step = 0.05; scheme = \"euler\"; };\n"};
    for (int k = 0; k < 8; k++) {
        char text[3000], log[20000], header[2000];
        double *table, worst = 0;
        bool in_time = k % 4 > 1;
        NEW(table, 20000);
        snprintf(text, sizeof text, "mesh = { box = { cells = [16, 8]; to = [2.0, 1.0]; distortion = 0.2; }; };\nfluid "
                 "= { density = 2.0; viscosity = 0.1; heat_capacity = %s; conductivity = %s; };\nboundary = { left = "
                 "{ type = \"inlet\"; velocity = [1.0, 0.0]; profile = \"parabolic\"; temperature = 300.0; }; right = "
                 "{ type = \"outlet\"; temperature = 300.0; }; bottom = { type = \"wall\"; transfer = [2.0, 320.0]; "
                 "}; top = { type = \"wall\"; heat_flux = 5.0; }; };\nsources = { s = { heat = \"3*x\"; }; };\n"
                 "nusselt = { length = 1.0; temperature_difference = 20.0; };\n%s", k < 4 ? "3.0" :
                 "\"3 + 0.05*(temperature - 310)\"", k % 2 ? "0.5" : "\"0.5*temperature/310\"", algorithm[k % 4]);
        run_case(text, 1, false, log);
        int rows = read_csv("heat.csv", header, table, 1000), n = csv_columns(header);
        const double *last = table + (int64_t)(rows - 1) * n;
        int balance = csv_column(header, "balance"), sources = csv_column(header, "sources");
        for (int i = in_time ? 0 : rows - 1; i < rows; i++)
            worst = fmax(worst, fabs(table[i * n + balance] / table[i * n + sources]));
        print_message("# %s: balance %.1e of the sources\n", header, worst);
        if (!(worst < (in_time ? 1e-11 : 1e-6))) fail_msg("algorithm %d: balance %g", k, worst);
        assert_true((strstr(header, ",storage,") != NULL) == in_time);
        assert_true(fabs(last[csv_column(header, "top")] - 10) < 1e-9 && fabs(last[sources] - 6) < 1e-2);
        assert_true(fabs(last[csv_column(header, "top_nusselt")] - 0.5) < 1e-9);
        assert_true(fabs(last[csv_column(header, "right")]) < 100);
        assert_non_null(strstr(log, "  heat   balance "));
        free(table);
    }
}

/* A chimney of warm walls with openings to the cold: g expansion difference width^3 / (12 viscosity) rises, where the
 * case gives no reference; with an inlet it is the inlet's temperature. */
static void a_chimney_draws_from_outside(void **state)
{
    (void)state;
    struct box_setting box = {.given = true, .dim = 2, .cells = {12, 20}, .to = {0.01, 1}, .stretch = {1, 1, 1}};
    struct trial w;
    double up = 0;
    trial_open(&w, GRID_QUADS, &box, false, "fluid = { viscosity = 0.01; gravity = [0.0, -10.0]; expansion = 0.003; "
               "heat_capacity = 1.0; conductivity = 1.0; };\nboundary = { left = { type = \"wall\"; temperature = "
               "310.0; }; right = { type = \"wall\"; temperature = 310.0; }; bottom = { type = \"outlet\"; temperature "
               "= 300.0; }; top = { type = \"outlet\"; }; };\n");
    assert_true(w.c.flow.buoyancy.reference == 300 && w.c.flow.initial.temperature.number == 305);
    assert_true(trial_converge(&w) > 0);
    double *flux = FROM_DEVICE(w.f->flux, w.f->s.n_faces);
    const struct patch *top = &w.m.patch[3];
    for (int32_t i = top->first; i < top->first + top->count; i++) up += flux[i];
    print_message("# rises with %.4g\n", up);
    assert_true(fabs(up / 2.5e-6 - 1) < 0.02);
    free(flux);
    trial_close(&w);
    case_of_text(&w.c, "mesh = { box = { cells = [1, 1]; }; };\nfluid = { viscosity = 0.01; gravity = [0.0, -1.0]; "
                 "expansion = 0.003; heat_capacity = 1.0; conductivity = 1.0; };\nboundary = { left = { type = "
                 "\"inlet\"; velocity = [1.0, 0.0]; temperature = 280.0; }; right = { type = \"outlet\"; }; "
                 "bottom = { type = \"wall\"; temperature = 310.0; }; top = { type = \"wall\"; }; };\n"
                 "initial = { temperature = \"x\"; };");
    assert_true(w.c.flow.buoyancy.reference == 280);
    case_free(&w.c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_conduction_is_exact), cmocka_unit_test(conduction_becomes_steady),
        cmocka_unit_test(sources_are_in_their_regions), cmocka_unit_test(a_temperature_is_a_scalar_with_units),
        cmocka_unit_test(a_passive_temperature_waits),
        cmocka_unit_test(a_density_is_an_expansion), cmocka_unit_test(water_is_heaviest_at_four_degrees),
        cmocka_unit_test(coupled_convection_converges), cmocka_unit_test(a_chimney_draws_from_outside),
        cmocka_unit_test(developed_flow_has_its_nusselt_number), cmocka_unit_test(convection_sets_in),
        cmocka_unit_test_setup_teardown(heat_is_balanced, make_folder, remove_folder)};
    return RUN_TESTS("heat", tests);
}

/* Results on boundaries: shear of flows with closed form, on every kind of cell; flow rates; files. */
#include "run_fixture.h"
#include "io/series.h"
#include "run/monitor_kind.h"

#define COUETTE_2D "boundary = { left = { type = \"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; };" \
                   " bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = [1.0, 0.0]; }; };\n"
#define COUETTE_3D "boundary = { left = { type = \"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; };" \
                   " bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = [1.0, 0.0, 0.0]; };"           \
                   " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; }; };\n"
#define SURFACES "surfaces = { low = { boundaries = [\"bottom\"]; fields = [\"shear\", \"velocity\", " \
                 "\"wall-distance\", \"flow\"]; }; high = { boundaries = [\"top\"]; fields = [\"shear\"]; }; };\n"

/* A surface that is read once. */
struct reading { struct watching x; struct watch row; struct monitor monitor; };

static void read_surface(struct reading *s, struct trial *w, int i)
{
    const struct monitor_kind *k = &surfaces_kind;
    struct error e;
    s->x = (struct watching){.c = &w->c, .m = &w->m, .f = w->f};
    s->row = (struct watch){0};
    s->monitor = (struct monitor){.kind = k, .x = &s->x, .set = &w->c.surfaces.item[i], .own = calloc(1, k->size),
                                  .row = &s->row, .n_rows = 1};
    k->columns(s->monitor.set, &w->f->fields, w->m.dim, &s->row);
    assert_true(k->create(&s->monitor, &e));
    k->read(&s->monitor, w->f);
}

static void free_reading(struct reading *s)
{
    surfaces_kind.free(s->monitor.own);
    free(s->monitor.own), watch_free(&s->row);
}

static double column(const struct watch *w, const char *name)
{
    for (int i = 0; i < w->n; i++) if (!strcmp(w->column[i], name)) return w->value[i];
    fail_msg("there is no column %s", name);
    return 0;
}

static void expect_near(double found, double expected, double tolerance, const char *what)
{
    if (!(fabs(found - expected) <= tolerance)) fail_msg("%s is %.10g, expected %.10g", what, found, expected);
}

/* Between a wall at rest and a moving one the velocity is linear: without inertia exact on any mesh, and so is the
 * shear. */
static void shear_of_couette_flow(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct trial w;
        char text[2000], shear[64];
        int dim = grid_dim(kind);
        bool distorted = kind == GRID_QUADS || kind == GRID_TRIANGLES;
        struct box_setting box = grid_box(kind, dim == 2 ? 6 : 3, distorted ? 0.2 : 0);
        snprintf(text, sizeof text, "fluid = { density = 1e-9; viscosity = 0.5; };\n"
                 "%ssolver = { tolerance = 1e-11; };\n%s", dim == 2 ? COUETTE_2D : COUETTE_3D, SURFACES);
        trial_open(&w, kind, &box, true, text);
        assert_true(trial_settle(&w) > 0);
        fields_look(&w.f->fields);
        struct reading low, high;
        read_surface(&low, &w, 0), read_surface(&high, &w, 1);
        snprintf(shear, sizeof shear, "shear on %s", grid_name[kind]);
        expect_near(column(&low.row, "area"), 1, 1e-12, "area");
        expect_near(column(&low.row, "shear_x_min"), 0.5, 1e-7, shear);
        expect_near(column(&low.row, "shear_x_max"), 0.5, 1e-7, shear);
        expect_near(column(&high.row, "shear_x"), -0.5, 1e-7, shear);
        expect_near(column(&low.row, "shear_y"), 0, 1e-7, shear);
        expect_near(column(&low.row, "velocity_x_max"), 0, 0, "velocity of the wall");
        expect_near(column(&low.row, "flow"), 0, 0, "flow through the wall");
        if (kind == GRID_HEXAHEDRA) expect_near(column(&low.row, "wall-distance"), 1.0 / 6, 1e-12, "wall-distance");
        free_reading(&low), free_reading(&high);
        trial_close(&w);
    }
}

/* Between walls at 0 and 1 the conducted flux is the diffusivity, on every kind of cell: into the fluid at the top, out
 * of it at the bottom, independent of the flow. */
static void flux_of_conducted_scalar(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct trial w;
        char text[2000];
        int dim = grid_dim(kind);
        bool distorted = kind == GRID_QUADS || kind == GRID_TRIANGLES;      /* u T is not constant along their faces */
        struct box_setting box = grid_box(kind, dim == 2 ? 6 : kind == GRID_MIXED_3D ? 4 : 3, distorted ? 0.2 : 0);
        double tolerance = kind == GRID_HEXAHEDRA ? 1e-6 : 1e-3;
        snprintf(text, sizeof text, "fluid = { density = 2.0; viscosity = 0.5; };\n%ssolver = { tolerance = 1e-11; };\n"
                 "scalars = { heat = { diffusivity = 0.3; values = { bottom = 0.0; top = 1.0; }; }; };\n"
                 "surfaces = { low = { boundaries = [\"bottom\"]; fields = [\"heat-flux\"]; };"
                 " high = { boundaries = [\"top\"]; fields = [\"heat\", \"heat-flux\"]; }; };\n",
                 dim == 2 ? COUETTE_2D : COUETTE_3D);
        trial_open(&w, kind, &box, true, text);
        assert_true(trial_settle(&w) > 0);
        fields_look(&w.f->fields);
        struct reading low, high;
        read_surface(&low, &w, 0), read_surface(&high, &w, 1);
        expect_near(column(&low.row, "heat-flux_min"), -0.3, tolerance, grid_name[kind]);
        expect_near(column(&low.row, "heat-flux_max"), -0.3, tolerance, grid_name[kind]);
        expect_near(column(&high.row, "heat-flux"), 0.3, tolerance, grid_name[kind]);
        expect_near(column(&high.row, "heat"), 1, 0, grid_name[kind]);
        free_reading(&low), free_reading(&high);
        trial_close(&w);
    }
}

/* The mesh knows the cell and the face number of every face in its file. */
static void cells_of_marked_faces(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct mesh m;
        struct error e;
        struct box_setting box = grid_box(kind, 3, 0);
        grid_mesh(&m, kind, &box);
        assert_true(mesh_complete(&m, ORDERING_HILBERT, (int[]){0, 1}, 1, &e));
        for (int32_t k = 0; k < m.n_marked; k++) {
            int32_t c = m.marked_cell[k], f = m.marked_face[k];
            for (int64_t j = m.marked_start[k]; j < m.marked_start[k + 1]; j++) {
                bool found = false;
                for (int64_t v = m.cell_start[c]; v < m.cell_start[c + 1]; v++)
                    found = found || m.cell_vertex[v] == m.marked_vertex[j];
                assert_true(found);
            }
            if (m.marked_patch[k] < 2) { assert_int_equal(f, -1); continue; }          /* a joint */
            const struct patch *p = &m.patch[m.marked_patch[k]];
            assert_true(f >= p->first && f < p->first + p->count && m.face_owner[f] == c);
        }
        mesh_free(&m);
    }
}

/* ---------------------------------------------------------------- files */
/* The last row of a CSV file; returns how many there are. */
static int last_row(const char *name, char header[2000], double value[64])
{
    enum { MOST = 500 };
    static double table[64 * MOST];
    int rows = read_csv(name, header, table, MOST), columns = csv_columns(header);
    memcpy(value, table + (rows - 1) * columns, (size_t)columns * sizeof *value);
    return rows;
}

static const char channel[] = "mesh = { box = { cells = [16, 16]; to = [2.0, 1.0]; }; };\n"
    "fluid = { density = 2.0; viscosity = 0.1; };\n"
    "boundary = { left = { type = \"inlet\"; velocity = [1.5, 0.0]; profile = \"parabolic\"; };"
    " right = { type = \"outlet\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
    "surfaces = { walls = { boundaries = [\"bottom\", \"top\"]; every = 10; }; end = { boundaries = [\"right\"];"
    " fields = [\"velocity\", \"flow\", \"pressure\"]; }; };\n"
    "convergence = { shear = { of = \"walls\"; quantity = \"shear_x_max\"; tolerance = 1e-6; over = 5; }; };\n";

/* Developed channel flow: shear 6 mu U / H, pressure drop 12 mu U / H^2 per length. */
static void channel_on_surfaces(void **state)
{
    (void)state;
    static char log[20000];
    char header[2000];
    double value[64];
    assert_int_equal(run_case(channel, 1, false, log), EXIT_CONVERGED);
    int rows = last_row("surfaces/walls.csv", header, value);
    assert_string_equal(header, "iteration,area,pressure,pressure_min,pressure_max,shear_x,shear_x_min,shear_x_max,"
                        "shear_y,shear_y_min,shear_y_max,wall-distance,wall-distance_min,wall-distance_max,flow");
    double iterations = value[0];
    assert_int_equal(rows, (int)iterations);
    expect_near(value[1], 4, 1e-12, "area");
    expect_near(value[5], 0.6, 0.01, "shear");
    expect_near(value[11], 1.0 / 32, 1e-12, "distance of the first cell");
    assert_int_equal(last_row("surfaces/walls/faces.csv", header, value), 32);
    assert_string_equal(header, "x,y,area,normal_x,normal_y,pressure,shear_x,shear_y,wall-distance,flow");
    expect_near(value[0], 2 - 1.0 / 16, 1e-12, "place of the last face");
    expect_near(value[1], 1, 1e-12, "height of the last face");
    expect_near(value[5], 1.2 / 16, 0.002, "pressure beside the outlet");
    expect_near(value[6], 0.6, 0.01, "shear at the last face");
    last_row("surfaces/end.csv", header, value);
    assert_string_equal(header, "iteration,area,velocity_x,velocity_x_min,velocity_x_max,velocity_y,velocity_y_min,"
                        "velocity_y_max,flow,pressure,pressure_min,pressure_max");
    expect_near(value[8], value[2], 1e-7, "flow, the mean of the velocity times an area of 1");
    expect_near(value[9], 0, 0, "pressure at the outlet");
    double out = value[8];
    assert_int_equal(last_row("flows.csv", header, value), rows);
    assert_string_equal(header, "iteration,left,right,balance");
    expect_near(value[1], -1, 1e-12, "flow in: that of the parabola");
    expect_near(value[2], out, 1e-15, "flow out");
    expect_near(value[3], value[1] + value[2], 1e-15, "balance");
    expect_near(value[3], 0, 1e-6, "balance");
    if (!strstr(log, "  flow   left            1 ")) fail_msg("the log has no flow rates: %s", log);
}

/* The series on the faces: the due steps, values as in the table, each with its cell. */
static void series_of_faces(void **state)
{
    (void)state;
    static char log[20000];
    char header[2000], directory[200];
    double row[64];
    struct written_step step;
    struct error e;
    run_case(channel, 1, false, log);
    last_row("surfaces/walls/faces.csv", header, row);
    snprintf(directory, sizeof directory, "%s/surfaces/walls", folder);
    for (int k = 10; k <= 40; k += 10)
        if (!series_step(&step, directory, k, &e)) fail_msg("%s", e.text);
    assert_true(series_step(&step, directory, -1, &e));
    assert_int_equal(step.n_fields, 4);
    for (int i = 0; i < step.n_fields; i++) {
        double *value = series_field(&step, &step.field[i], 32, &e);
        if (!value) fail_msg("%s", e.text);
        if (!strcmp(step.field[i].name, "pressure")) assert_true(value[31] == row[5]);
        if (!strcmp(step.field[i].name, "shear")) assert_true(value[3 * 31] == row[6] && value[3 * 31 + 2] == 0);
        free(value);
    }
}

/* Developed flow between walls of the same temperature: the Nusselt number based on twice the height is 7.5407 (Shah &
 * London 1978), from surfaces alone.  The fluxes through all boundaries sum to zero, also if one wall has a given flux
 * and another one an exchange coefficient. */
static void heat_through_a_channel(void **state)
{
    (void)state;
    static char log[20000], text[3000];
    static const char *const walls[2] = {"values = { left = 1.0; bottom = 0.0; top = 0.0; };",
        "values = { left = 1.0; top = 0.5; }; fluxes = { bottom = 0.3; }; coefficients = { top = 0.2; };"};
    static const char *const name[4] = {"left", "right", "bottom", "top"};
    for (int k = 0; k < 2; k++) {
        char header[2000], file[100];
        double value[64], mean[4], out = 0, sum = 0, size = 0;
        snprintf(text, sizeof text, "mesh = { box = { cells = [64, 32]; to = [10.0, 1.0]; }; };\n"
                 "fluid = { density = 2.0; viscosity = 0.1; };\n"
                 "boundary = { left = { type = \"inlet\"; velocity = [1.5, 0.0]; profile = \"parabolic\"; };"
                 " right = { type = \"outlet\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
                 "scalars = { heat = { diffusivity = 0.02; %s }; };\nsolver = { tolerance = 1e-9; };\n"
                 "surfaces = { ", walls[k]);
        for (int i = 0; i < 4; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "%s = { boundaries = [\"%s\"]; fields = [\"heat-flux\", \"flow\"]; };", name[i], name[i]);
        strcat(text, " };\n");
        assert_int_equal(run_case(text, 1, false, log), EXIT_CONVERGED);
        for (int i = 0; i < 4; i++) {
            snprintf(file, sizeof file, "surfaces/%s.csv", name[i]);
            last_row(file, header, value);
            assert_string_equal(header, "iteration,area,heat-flux,heat-flux_min,heat-flux_max,flow");
            mean[i] = value[2];
            if (i == 1) out = value[5];
            sum += value[1] * value[2], size += fabs(value[1] * value[2]);
        }
        expect_near(sum, 0, 1e-7 * size, "what comes in through all boundaries");
        if (k == 1) expect_near(mean[2], 0.3, 1e-14, "the flux that is given");
        if (k == 1) continue;
        last_row("surfaces/top/faces.csv", header, value);
        assert_string_equal(header, "x,y,area,normal_x,normal_y,heat-flux,flow");
        double bulk = (-mean[1] - value[5] * value[2]) / out;       /* at the middle of the walls' last faces */
        expect_near(-value[5] * 2 / (0.02 * bulk), 7.5407, 0.08, "Nusselt number");
    }
}

/* A restarted run has the rows and steps of an uninterrupted one. */
static void restart_goes_on(void **state)
{
    (void)state;
    static char log[20000], text[5000];
    char header[2000], directory[200];
    double whole[64], both[64];
    struct written_step step;
    struct error e;
    run_case(channel, 1, false, log);
    int rows = last_row("surfaces/walls.csv", header, whole);
    snprintf(text, sizeof text, "%ssolver = { max_iterations = 25; };\n", channel);
    assert_int_equal(run_case(text, 1, false, log), EXIT_NOT_CONVERGED);
    assert_int_equal(run_case(channel, 1, true, log), EXIT_CONVERGED);
    assert_int_equal(last_row("surfaces/walls.csv", header, both), rows);
    assert_memory_equal(whole, both, 15 * sizeof *whole);
    snprintf(directory, sizeof directory, "%s/surfaces/walls", folder);
    static const int steps[] = {10, 20, 25, 30, 40};
    for (int i = 0; i < 5; i++)
        if (!series_step(&step, directory, steps[i], &e)) fail_msg("%s", e.text);
}

/* ---------------------------------------------------------------- compared with lines */
/* Where column k of a table changes sign along column 0; both as from read_csv().  Returns how often. */
static int sign_changes(const double *table, int rows, int columns, int k, double *place)
{
    int n = 0;
    for (int i = 1; i < rows && n < 16; i++) {
        double a = table[(i - 1) * columns + k], b = table[i * columns + k];
        if ((a < 0) != (b < 0)) place[n++] = (table[(i - 1) * columns] + table[i * columns]) / 2;
    }
    return n;
}

/* The flow separates from the floor of a cavity where the shear is zero: a line close to the floor has a change of sign
 * there, and nowhere else. */
static void lines_find_where_flow_parts(void **state)
{
    (void)state;
    static char log[20000], text[4000], header[2000];
    static double face[40 * 10], line[2001 * 5];
    for (int distorted = 0; distorted < 2; distorted++) {
        double by_shear[16], by_line[16];
        snprintf(text, sizeof text, "mesh = { box = { cells = [20, 20]; distortion = %g; }; };\n"
                 "fluid = { viscosity = 0.01; };\n"
                 "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; };"
                 " bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = [1.0, 0.0]; }; };\n"
                 "surfaces = { floor = { boundaries = [\"bottom\"]; }; };\n"
                 "lines = { l = { from = [0.02, 0.003]; to = [0.98, 0.003]; points = 2001; }; };\n", 0.2 * distorted);
        assert_int_equal(run_case(text, 1, false, log), EXIT_CONVERGED);
        int faces = read_csv("surfaces/floor/faces.csv", header, face, 40);
        int points = read_csv("lines/l.csv", header, line, 2001);
        assert_true(faces == 20 && points == 2001);
        int n = sign_changes(face, faces, 10, 6, by_shear);
        assert_int_equal(n, 2);
        assert_int_equal(sign_changes(line, points, 5, 2, by_line), n);
        for (int i = 0; i < n; i++) expect_near(by_line[i], by_shear[i], 0.05, "where the flow parts");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shear_of_couette_flow), cmocka_unit_test(flux_of_conducted_scalar),
        cmocka_unit_test(cells_of_marked_faces),
        cmocka_unit_test_setup_teardown(channel_on_surfaces, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(heat_through_a_channel, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(series_of_faces, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(lines_find_where_flow_parts, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(restart_goes_on, make_folder, remove_folder)};
    return RUN_TESTS("surfaces", tests);
}

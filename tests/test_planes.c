/* Planes: the facets cover the plane inside the mesh exactly once, on every kind of cell; values; files. */
#include <unistd.h>
#include "run_fixture.h"
#include "io/series.h"
#include "run/plane.h"

static void expect_near(double found, double expected, double tolerance, const char *what)
{
    if (!(fabs(found - expected) <= tolerance)) fail_msg("%s is %.15g, expected %.15g", what, found, expected);
}

/* Area of a facet, or length of a line; its corners must lie in the plane. */
static double size_of(const struct facets *p, int32_t i, const double point[3], const double normal[3])
{
    double sum[3] = {0}, along[3] = {0};
    int n = (int)(p->start[i + 1] - p->start[i]);
    for (int k = 0; k < n; k++) {
        const double *a = p->vertex + 3 * p->corner[p->start[i] + k];
        const double *b = p->vertex + 3 * p->corner[p->start[i] + (k + 1) % n];
        double height = 0;
        for (int j = 0; j < 3; j++) {
            height += normal[j] * (a[j] - point[j]), along[j] = b[j] - a[j];
            sum[j] += 0.5 * (a[(j + 1) % 3] * b[(j + 2) % 3] - a[(j + 2) % 3] * b[(j + 1) % 3]);
        }
        expect_near(height, 0, 1e-12, "height of a corner");
        if (n == 2) return sqrt(along[0] * along[0] + along[1] * along[1]);
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

static void facets_cover_the_plane(void **state)
{
    (void)state;
    static const struct { double point[3], normal[3], size; bool solid; } row[] = {
        {{0.37, 0, 0}, {1, 0, 0}, 1, false}, {{0.5, 0, 0}, {-2, 0, 0}, 1, false},    /* through cells; along faces */
        {{0.5, 0.5, 0}, {1, 1, 0}, M_SQRT2, false}, {{0, 0, 0.41}, {0, 0, 3}, 1, true},
        {{0.5, 0.5, 0.5}, {1, 1, 1}, 1.299038105676658, true}};                          /* a regular hexagon */
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
            struct mesh m;
            struct error e;
            struct facets p;
            double *centre, sum = 0;
            int32_t *cell;
            struct box_setting box = grid_box(kind, 4, kind <= GRID_TRIANGLES && r != 1 ? 0.2 : 0);
            if (row[r].solid && grid_dim(kind) == 2) continue;
            grid_mesh(&m, kind, &box);
            assert_true(mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e));
            plane_cut(&m, row[r].point, row[r].normal, &p, &centre, &cell);
            for (int32_t i = 0; i < p.n; i++) {
                sum += size_of(&p, i, row[r].point, row[r].normal);
                assert_int_equal(m.cell_original[cell[i]], p.cell[i]);
                assert_true(i == 0 || p.cell[i] > p.cell[i - 1]);
            }
            expect_near(sum, row[r].size, 1e-12, grid_name[kind]);
            free(centre), free(cell);
            facets_free(&p);
            mesh_free(&m);
        }
}

#define COUETTE_3D "boundary = { left = { type = \"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; };" \
                   " bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = [1.0, 0.0, 0.0]; };"           \
                   " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; }; };\n"

/* A linear velocity is exact at the facets' centres; a field that is constant in a cell has that value. */
static void values_on_a_plane(void **state)
{
    (void)state;
    for (enum grid kind = GRID_HEXAHEDRA; kind <= GRID_TETRAHEDRA; kind++) {
        struct trial w;
        struct error e;
        struct plane p = {0};
        struct facets again;
        double *centre;
        int32_t *cell;
        struct box_setting box = grid_box(kind, 3, 0);
        trial_open(&w, kind, &box, true, "fluid = { density = 1e-9; viscosity = 0.5; };\n" COUETTE_3D
                   "solver = { tolerance = 1e-11; };\n"
                   "planes = { p = { point = [0.4, 0.5, 0.5]; normal = [1.0, 0.5, 0.2];"
                   " fields = [\"vorticity\", \"velocity\"]; }; };\n");
        assert_true(trial_settle(&w) > 0);
        const struct plane_setting *set = &w.c.planes.item[0];
        const struct watching x = {.c = &w.c, .m = &w.m, .f = w.f};
        struct monitor monitor = {.kind = &planes_kind, .x = &x, .set = set, .own = &p};
        assert_true(planes_kind.create(&monitor, &e));
        plane_cut(&w.m, set->point, set->normal, &again, &centre, &cell);
        fields_look(&w.f->fields);
        planes_kind.read(&monitor, w.f);
        int32_t n = p.columns.n;
        assert_true(n > 5 && n == again.n);
        for (int32_t i = 0; i < n; i++) {
            expect_near(p.columns.value[2 * n + i], -1, 1e-6, "vorticity_z");
            expect_near(p.columns.value[3 * n + i], centre[3 * i + 1], 1e-7, "velocity_x");
        }
        free(centre), free(cell);
        facets_free(&again), planes_kind.free(&p);
        trial_close(&w);
    }
}

/* A run writes the plane when due, with its averages, and full fields only at its end. */
static void series_of_planes(void **state)
{
    (void)state;
    static char log[20000];
    char path[200];
    struct written_step step;
    struct error e;
    assert_int_equal(run_case("mesh = { box = { cells = [8, 8]; }; };\nfluid = { viscosity = 0.01; };\n"
             "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; };"
             " top = { type = \"wall\"; velocity = [1.0, 0.0]; }; };\nsolver = { algorithm = \"piso\"; };\n"
             "time = { end = 0.3; step = 0.03; };\naverages = { from = 0.1; };\n"
             "planes = { mid = { point = [0.5, 0.3]; normal = [0.0, 1.0]; every = 4; }; };\n", 1, false, log),
             EXIT_CONVERGED);
    snprintf(path, sizeof path, "%s/planes/mid", folder);
    int n = 0, last = 0;
    for (int i = 1; i < 30; i++) if (series_step(&step, path, i, &e)) n++, last = i, assert_true(i % 4 == 0 || i > 8);
    assert_true(n == 3 && last < 12);
    assert_true(series_step(&step, path, -1, &e));
    assert_int_equal(step.n_fields, 6);
    for (int i = 0; i < step.n_fields; i++) {
        double *value = series_field(&step, &step.field[i], 8, &e);
        if (!value) fail_msg("%s", e.text);
        for (int k = 0; k < 8 * step.field[i].components; k++) assert_true(isfinite(value[k]));
        free(value);
    }
    assert_true(series_step(&step, folder, -1, &e) && step.step == last && !series_step(&step, folder, 4, &e));
}

static enum exit_status run_cut(const char *normal, int end, bool restart, char log[20000])
{
    static char text[2000];
    snprintf(text, sizeof text, "mesh = { box = { cells = [8, 6]; }; };\nfluid = { viscosity = 0.01; };\n"
             "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; };"
             " top = { type = \"wall\"; velocity = [1.0, 0.0]; }; };\n"
             "solver = { tolerance = 1e-14; max_iterations = %d; };\n"
             "planes = { p = { point = [0.45, 0.55]; normal = %s; every = 2; }; };\n", end, normal);
    return run_case(text, 1, restart, log);
}

/* All steps are on one mesh: those of a plane that was moved by a restart are dropped. */
static void a_plane_that_is_moved(void **state)
{
    (void)state;
    static char log[20000];
    char path[200];
    struct written_step step;
    struct error e;
    snprintf(path, sizeof path, "%s/planes/p", folder);
    assert_int_equal(run_cut("[1, 0]", 4, false, log), EXIT_NOT_CONVERGED);
    assert_int_equal(run_cut("[1, 0]", 6, true, log), EXIT_NOT_CONVERGED);
    for (int i = 2; i <= 6; i += 2) assert_true(series_step(&step, path, i, &e));
    assert_int_equal(run_cut("[0, 1]", 8, true, log), EXIT_NOT_CONVERGED);
    for (int i = 2; i <= 8; i += 2) assert_int_equal(series_step(&step, path, i, &e), i == 8);
    double *value = series_field(&step, &step.field[0], 8, &e);
    if (!value) fail_msg("%s", e.text);
    free(value);
    if (!strstr(log, "planes/p: starts again")) fail_msg("the log says nothing of it: %s", log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facets_cover_the_plane), cmocka_unit_test(values_on_a_plane),
        cmocka_unit_test_setup_teardown(series_of_planes, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_plane_that_is_moved, make_folder, remove_folder)};
    return RUN_TESTS("planes", tests);
}

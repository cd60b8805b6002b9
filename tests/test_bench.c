/* The systems measured by poise bench: the Laplacian of a mesh, in CSR and in mod.SELL, and the median. */
#include "test.h"
#include <math.h>
#include <unistd.h>
#include "bench/bench.h"
#include "system/laplacian.h"

static void median(void **state)
{
    (void)state;
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    assert_true(bench_median(odd, 3) == 2);
    assert_true(bench_median(even, 4) == 2.5);
}

/* Linear along x between walls at 0 and 1: the fluxes of inner cells cancel. */
static void linear_field(void **state)
{
    (void)state;
    struct box_setting box = {.given = true, .dim = 3, .cells = {9, 8, 10}, .to = {1, 1, 1}, .stretch = {2, 1, 1}};
    struct mesh m = {0};
    struct error e;
    struct linear_system s;
    struct matrix a;
    mesh_box(&m, &box);
    assert_true(mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e));
    laplacian(&s, &m, NULL, NULL);
    linear_system_upload(&s, &a);
    int64_t n = a.p.n_padded;
    double *x = device_alloc((size_t)n * 8, "x"), *y = device_alloc((size_t)n * 8, "y"), *host;
    NEW(host, n);
    device_upload(x, m.cell_centre, (size_t)m.n_cells * 8);
    matrix_product(&a, x, y);
    device_download(host, y, (size_t)n * 8);
    for (int32_t c = 0; c < m.n_cells; c++) {
        double sum = 0, all = 0;
        assert_int_equal(s.column[s.start[c]], c);
        for (int64_t k = s.start[c]; k < s.start[c + 1]; k++)
            sum += s.value[k] * m.cell_centre[s.column[k]], all += s.value[k];
        assert_true(fabs(sum - host[c]) < 1e-13);
        bool inside = s.start[c + 1] - s.start[c] == 7;
        assert_true(inside ? fabs(sum) < 1e-13 && fabs(all) < 1e-12 : all > 1e-3);
    }
    device_free(x), device_free(y);
    free(host);
    matrix_free_alone(&a);
    linear_system_free(&s);
    mesh_free(&m);
}

static void box_of(struct mesh *m, int dim)
{
    struct box_setting box = {.given = true, .dim = dim, .cells = {6, 5, 4}, .to = {2, 1, 1}, .stretch = {1, 1, 1}};
    struct error e;
    mesh_box(m, &box);
    assert_true(mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e));
}

static void cavity(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct mesh m = {0};
        struct case_settings c;
        struct error e;
        box_of(&m, dim);
        assert_true(bench_cavity(&c, &m, &e));
        assert_int_equal(c.flow.boundary.n, 2 * dim);
        for (int i = 0; i < c.flow.boundary.n; i++) {
            assert_int_equal(c.flow.boundary.item[i].type, BOUNDARY_WALL);
            assert_true(c.flow.boundary.item[i].velocity[0].number == !strcmp(c.flow.boundary.item[i].name, "top"));
        }
        assert_true(c.flow.fluid.viscosity == 2.0 / 1000 && c.flow.fluid.density == 1 &&
                    c.flow.solver.tolerance == 1e-6);
        case_free(&c);
        for (int i = 0; i < m.n_patches; i++) strcat(m.patch[i].name, "_wall");
        assert_false(bench_cavity(&c, &m, &e));
        assert_int_equal(e.status, EXIT_INPUT);
        assert_non_null(strstr(e.text, "box: no boundary is named \"lid\" or \"top\""));
        mesh_free(&m);
    }
}

/* The subjects run on meshes of both kinds; their output is not checked. */
static void subjects_run(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct bench b = {.repeat = 2, .copy = 1e9};
        struct error e;
        box_of(&b.mesh, dim);
        b.n = b.mesh.n_cells;
        assert_true(bench_assembly(&b, &e) && bench_simple(&b, &e) && bench_cg(&b, &e) && bench_formats(&b, &e));
        mesh_free(&b.mesh);
    }
}

static void a_matrix_of_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/poise-test-XXXXXX.mtx";
    struct bench b = {.repeat = 2, .copy = 1e9, .matrix = path};
    struct error e;
    FILE *file = fdopen(mkstemps(path, 4), "w");
    fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 2\n");
    fclose(file);
    assert_true(bench_formats(&b, &e) && b.n == 3);
    unlink(path);
    assert_false(bench_formats(&b, &e));
    assert_int_equal(e.status, EXIT_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(median), cmocka_unit_test(linear_field),
                                       cmocka_unit_test(cavity), cmocka_unit_test(subjects_run),
                                       cmocka_unit_test(a_matrix_of_a_file)};
    return RUN_TESTS("bench", tests);
}

/* Generated linear systems: Laplacians, bubbles, stretched layers, cavities. */
#include "system_fixture.h"
#include "system/generate.h"
#include "system/laplacian.h"
#include "system/matrix_file.h"

/* Five points at 3 x 3 inner points of a square. */
static void laplace(void **state)
{
    (void)state;
    struct linear_system s;
    struct error e;
    assert_true(generate(&s, "laplace2d:3", NULL, &e));
    assert_int_equal(s.n, 9);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            int distance = abs(i % 3 - j % 3) + abs(i / 3 - j / 3);
            assert_true(fabs(entry(&s, i, j) - (distance == 0 ? 4 : distance == 1 ? -1 : 0)) < 1e-14);
        }
    assert_true(!s.singular && s.rhs[0] != s.rhs[1]);
    linear_system_free(&s);
}

static void sides(void **state)
{
    (void)state;
    struct linear_system s;
    struct error e;
    assert_true(generate(&s, "poisson2d:4,3", NULL, &e));
    assert_true(s.n == 12 && fabs(entry(&s, 0, 0) - 4) < 1e-13 && fabs(entry(&s, 3, 3) - 2) < 1e-13 && s.rhs[5] == 1);
    linear_system_free(&s);
    assert_true(generate(&s, "poisson3d:2", "all", &e));
    assert_true(fabs(entry(&s, 0, 0) - 9) < 1e-13);
    linear_system_free(&s);
    assert_true(generate(&s, "poisson2d:3", "top,right", &e));
    assert_true(fabs(entry(&s, 0, 0) - 2) < 1e-13 && fabs(entry(&s, 8, 8) - 6) < 1e-13);
    linear_system_free(&s);
    assert_true(generate(&s, "poisson2d:3", "none", &e));
    assert_true(s.singular);
    linear_system_free(&s);
}

/* Half of the distance across a face in one layer, half in the other. */
static void layers(void **state)
{
    (void)state;
    struct linear_system s;
    struct error e;
    assert_true(generate(&s, "layers:4,9", NULL, &e));
    assert_true(s.ordering == ORDERING_NONE && !s.phase[7] && s.phase[8]);
    assert_true(fabs(entry(&s, 5, 9) + 1 / (0.5 / 1 + 0.5 / 9)) < 1e-13);
    assert_true(fabs(entry(&s, 5, 6) + 1) < 1e-13 && fabs(entry(&s, 9, 10) + 9) < 1e-13);
    linear_system_free(&s);
}

/* Cells of phase 1, and the regions that they form. */
static int32_t regions(const struct linear_system *s, int64_t *cells)
{
    int32_t *seen, *stack, n = 0;
    *cells = 0;
    NEW(seen, s->n), NEW(stack, s->n);
    for (int32_t c = 0; c < s->n; c++) {
        int32_t top = 0;
        *cells += s->phase[c];
        if (!s->phase[c] || seen[c]) continue;
        for (n++, seen[c] = 1, stack[top++] = c; top > 0;) {
            int32_t i = stack[--top];
            for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
                if (s->phase[s->column[k]] && !seen[s->column[k]]) seen[s->column[k]] = 1, stack[top++] = s->column[k];
        }
    }
    free(seen), free(stack);
    return n;
}

static void bubbles(void **state)
{
    (void)state;
    static const struct { const char *text; int count; double share; } cases[] = {
        {"bubbles2d:64", 1, 3.14159 / 16}, {"bubbles2d:128,2", 2, 3.14159 / 16}, {"bubbles2d:128,20", 20, 3.14159 / 16},
        {"bubbles3d:32", 1, 0.0654}, {"bubbles3d:48,3,10", 3, 0.0654}, {"bubbles3d:40,30", 30, 0.0654}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct linear_system s;
        struct error e;
        int64_t cells;
        if (!generate(&s, cases[i].text, NULL, &e)) fail_msg("%s", e.text);
        assert_int_equal(regions(&s, &cells), cases[i].count);
        assert_true(fabs((double)cells / s.n / cases[i].share - 1) < 0.1);
        linear_system_free(&s);
    }
}

static void stretched(void **state)
{
    (void)state;
    struct linear_system s;
    struct error e;
    assert_true(generate(&s, "stretched2d:20,7", NULL, &e));
    double least = 1, most = 0;
    for (int i = 0; i + 1 < 20; i++) {
        double width = s.centre[i + 1] - s.centre[i];
        least = fmin(least, width), most = fmax(most, width);
    }
    assert_true(most / least > 4 && most / least < 7 && s.n == 400);
    linear_system_free(&s);
    assert_true(generate(&s, "stretched:5", NULL, &e));
    assert_true(s.n == 125 && s.dim == 3);
    linear_system_free(&s);
    assert_true(generate(&s, "laplacian:distorted:5,4,3", NULL, &e));
    assert_true(s.n == 60 && s.dim == 3 && !s.singular);
    linear_system_free(&s);
}

static void generator_errors(void **state)
{
    (void)state;
    static const struct { const char *text, *sides, *expected; } cases[] = {
        {"poisn3d:4", NULL, "\"poisn3d\" is not known (did you mean poisson3d?); expected one of poisson2d"},
        {"poisson3d", NULL, "--generate poisson3d: expected poisson3d:N[,M,K]"},
        {"poisson3d:0", NULL, "expected poisson3d:N[,M,K]"},
        {"poisson3d:4,4", NULL, "expected poisson3d:N[,M,K]"},
        {"poisson2d:4x", NULL, "expected poisson2d:N[,M]"},
        {"poisson2d:4,", NULL, "expected poisson2d:N[,M]"},
        {"layers:4,-1", NULL, "expected layers:N[,CONTRAST]"},
        {"stretched:4,0.5", NULL, "expected stretched:N[,RATIO]"},
        {"bubbles2d:16,20", NULL, "a bubble has a radius of 0.89 cells"},
        {"bubbles2d:16,2.5", NULL, "expected bubbles2d:N[,COUNT[,CONTRAST]]"},
        {"poisson3d:2000", NULL, "8.01e+09 grid points"},
        {"poisson2d:4", "lef", "--dirichlet lef: poisson2d:4 has no boundary \"lef\" (did you mean left?)"},
        {"laplacian", NULL, "expected laplacian:MESH"},
        {"laplacian:box:4", NULL, "box:4: expected two or three cell counts"},
        {"laplacian:mesh.vtp", NULL, "mesh.vtp: expected .geo, .msh, .unv"},
    };
    struct linear_system s;
    struct error e;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        EXPECT(generate(&s, cases[i].text, cases[i].sides, &e), "%s", cases[i].expected);
}

/* ---------------------------------------------------------------- flow in a cavity */
static double in_cavity(const struct linear_system *s, int32_t row, int32_t column, int i, int j)
{
    for (int64_t k = s->start[row]; k < s->start[row + 1]; k++)
        if (s->column[k] == column) return s->value[9 * k + 3 * i + j];
    fail_msg("row %d has no block in column %d", row, column);
    return 0;
}

/* The equations of Ma's cavity, and the published counts. */
static void cavity(void **state)
{
    (void)state;
    struct linear_system s;
    struct error e;
    enum { U, V, W };
    assert_true(generate(&s, "cavity-vorticity:300", NULL, &e));
    assert_true(s.n == 90000 && s.start[s.n] == 448800 && s.block == 3 && s.ordering == ORDERING_NONE);
    linear_system_free(&s);
    assert_true(generate(&s, "cavity-vorticity:5", NULL, &e));
    assert_in_order(&s);
    const double h = 0.25;
    assert_true(in_cavity(&s, 12, 12, U, U) == 4 && in_cavity(&s, 12, 11, V, V) == -1 &&
                in_cavity(&s, 12, 12, U, W) == 0);
    assert_true(in_cavity(&s, 12, 17, U, W) == -h / 2 && in_cavity(&s, 12, 7, U, W) == h / 2);
    assert_true(in_cavity(&s, 12, 13, V, W) == h / 2 && in_cavity(&s, 12, 11, V, W) == -h / 2);
    assert_true(in_cavity(&s, 2, 2, W, U) == -1 / h && in_cavity(&s, 2, 7, W, U) == 1 / h &&
                in_cavity(&s, 2, 1, W, U) == 0);
    assert_true(in_cavity(&s, 22, 22, W, U) == 1 / h && in_cavity(&s, 22, 17, W, U) == -1 / h);
    assert_true(in_cavity(&s, 0, 0, W, V) == 1 / h && in_cavity(&s, 0, 1, W, V) == -1 / h &&
                in_cavity(&s, 0, 0, W, W) == 1);
    assert_true(in_cavity(&s, 24, 24, W, V) == -1 / h && in_cavity(&s, 24, 23, W, V) == 1 / h &&
                in_cavity(&s, 24, 19, W, U) == 0);
    for (int i = 0; i < 75; i++) assert_true(s.rhs[i] == (i == 63 || i == 66 || i == 69));
    linear_system_free(&s);
    assert_true(generate(&s, "convection3d:6,5,4", NULL, &e));
    for (int i = 0; i < s.n; i++) {             /* inflow equals outflow, except at boundaries */
        double sum = 0;
        for (int64_t k = s.start[i]; k < s.start[i + 1]; k++) sum += s.value[k];
        assert_true(s.start[i + 1] - s.start[i] < 7 ? sum > 0 : fabs(sum) < 1e-12);
    }
    linear_system_free(&s);
    assert_true(generate(&s, "stratified3d:6,5,4", NULL, &e));
    for (int i = 0; i < s.n; i++)               /* symmetric along x and y, convection along z */
        for (int64_t k = s.start[i]; k < s.start[i + 1]; k++) {
            int to = s.column[k] - i;
            assert_true(s.value[k] == (to == 0 ? 6.02 : to == -30 ? -1.02 : -1));
        }
    assert_true(fabs(s.rhs[0] - sin(M_PI / 7) * sin(M_PI / 6) * sin(M_PI / 5)) < 1e-15);
    assert_true(fabs(s.rhs[119] - s.rhs[0]) < 1e-15);
    assert_true(fabs(s.rhs[62] - sin(3 * M_PI / 7) * sin(M_PI / 6) * sin(3 * M_PI / 5)) < 1e-15);
    linear_system_free(&s);
    EXPECT(generate(&s, "cavity-vorticity:2", NULL, &e), "expected N >= 3");
    EXPECT(generate(&s, "convection2d:4", "left", &e), "has fixed values on all its boundaries");
}

/* Velocity and pressure together: constant pressures are the null space, also when detected from the entries; a uniform
 * velocity is convected without force, except at walls; the face between two cells is the same from both. */
static void check_coupled(const struct linear_system *s, int m, bool even)
{
    enum { U, V, P };
    const double h = 1.0 / m, viscosity = 0.02;
    for (int i = 0; i < s->n; i++) {
        double sum[9] = {0};
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
            for (int c = 0; c < 9; c++) sum[c] += s->value[9 * k + c];
        int x = i % m, y = i / m, walls = (x == 0) + (x == m - 1) + (y == 0) + (y == m - 1);
        assert_true(walls ? sum[0] > 1e-3 : fabs(sum[0]) < 1e-14);
        assert_true(sum[3 * V + V] == sum[0] && (!even || fabs(sum[0] - 2 * viscosity * walls) < 1e-14));
        for (int c = U; c <= P; c++) assert_true(fabs(sum[3 * c + P]) < 1e-14);
        assert_true(!even || fabs(sum[3 * P + U] - h * ((x == 0) - (x == m - 1))) < 1e-14);
        for (int64_t k = s->start[i] + 1; k < s->start[i + 1]; k++) {
            int j = s->column[k], along = abs(j - i) == 1 ? U : V;
            double own = s->value[9 * k + 3 * along + P], other = in_cavity(s, j, i, along, P);
            assert_true(own * (j - i) > 0 && own * other < 0 && own == s->value[9 * k + 3 * P + along]);
            assert_true(!even || fabs(fabs(own) - h / 2) < 1e-14);
            assert_true(fabs(in_cavity(s, j, i, P, P) - s->value[9 * k + 8]) < 1e-14 && s->value[9 * k + 8] < 0 &&
                        s->value[9 * k] < 0);
        }
        assert_true((s->rhs[3 * i] > 0) == (y == m - 1) && s->rhs[3 * i + P] == 0);
    }
}

static void coupled_cavity(void **state)
{
    (void)state;
    struct linear_system s, read = {.name = "again"};
    struct error e;
    assert_true(generate(&s, "cavity-coupled:7,50,9", NULL, &e));
    check_coupled(&s, 7, false);
    double narrow = 2 * s.centre[0];
    double wide = 2 * (0.5 - s.centre[2] - (s.centre[2] - s.centre[1] - (s.centre[1] - narrow)));
    assert_true(fabs(s.centre[3] - 0.5) < 1e-14 && fabs(wide / narrow - 9) < 1e-10);
    linear_system_free(&s);
    assert_true(generate(&s, "cavity-coupled:6,50", NULL, &e));
    assert_in_order(&s);
    assert_true(s.n == 36 && s.block == 3 && s.singular && s.ordering == ORDERING_HILBERT && s.dim == 2);
    check_coupled(&s, 6, true);
    for (int keep = 1; keep >= 0; keep--) {
        struct csr a = {.n = s.n, .block = 3};
        NEW(a.start, s.n + 1), NEW(a.column, s.start[s.n]), NEW(a.value, 9 * s.start[s.n]);
        memcpy(a.start, s.start, (size_t)(s.n + 1) * sizeof *a.start);
        memcpy(a.column, s.column, (size_t)s.start[s.n] * sizeof *a.column);
        memcpy(a.value, s.value, (size_t)s.start[s.n] * 9 * sizeof *a.value);
        if (!keep) a.value[9 * s.start[20] + 8] *= 1.01;
        assert_true(linear_system_of_rows(&read, &a, &e) && read.singular == keep);
        linear_system_free(&read);
    }
    linear_system_free(&s);
    EXPECT(generate(&s, "cavity-coupled:4,0", NULL, &e), "RE > 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laplace), cmocka_unit_test(sides), cmocka_unit_test(layers), cmocka_unit_test(bubbles),
        cmocka_unit_test(stretched), cmocka_unit_test(generator_errors), cmocka_unit_test(cavity),
        cmocka_unit_test(coupled_cavity)};
    return RUN_TESTS("generate", tests);
}

/* Linear systems: from entries, Matrix Market and HDF5 files, generators; orders; on the machine. */
#include "test.h"
#include <math.h>
#include <unistd.h>
#include <zlib.h>
#include "system/generate.h"
#include "system/laplacian.h"
#include "system/matrix_hdf5.h"
#include "system/matrix_market.h"

static char folder[] = "/tmp/poise-system-XXXXXX";

static const char *at(const char *name)
{
    static char path[2][200];
    static int which;
    snprintf(path[which ^= 1], sizeof path[0], "%s/%s", folder, name);
    return path[which];
}

static const char *file(const char *name, const char *text)
{
    FILE *f = fopen(at(name), "w");
    fputs(text, f);
    fclose(f);
    return at(name);
}

static double entry(const struct linear_system *s, int32_t i, int32_t j)
{
    for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) if (s->column[k] == j) return s->value[k];
    return 0;
}

/* The diagonal first, then ascending columns. */
static void assert_in_order(const struct linear_system *s)
{
    for (int32_t i = 0; i < s->n; i++) {
        assert_int_equal(s->column[s->start[i]], i);
        for (int64_t k = s->start[i] + 2; k < s->start[i + 1]; k++) assert_true(s->column[k - 1] < s->column[k]);
    }
}

#define EXPECT(call, ...)                                                                                              \
    do {                                                                                                               \
        char expected[500];                                                                                            \
        assert_false(call);                                                                                            \
        assert_int_equal(e.status, EXIT_INPUT);                                                                        \
        snprintf(expected, sizeof expected, __VA_ARGS__);                                                              \
        if (!strstr(e.text, expected)) fail_msg("expected \"%s\", found \"%s\"", expected, e.text);                    \
    } while (0)

/* ---------------------------------------------------------------- entries */
static bool rows(struct linear_system *s, int32_t n, const int64_t *start, const int32_t *column, const double *value,
                 struct error *e)
{
    struct csr a = {.n = n};
    NEW(a.start, n + 1), NEW(a.column, start[n]), NEW(a.value, start[n]);
    memcpy(a.start, start, (size_t)(n + 1) * sizeof *start);
    memcpy(a.column, column, (size_t)start[n] * sizeof *column);
    memcpy(a.value, value, (size_t)start[n] * sizeof *value);
    *s = (struct linear_system){.name = "m", .first_row = 1};
    return linear_system_of_rows(s, &a, e);
}

/* Out of order, places twice, a zero on either side of the diagonal. */
static void entries(void **state)
{
    (void)state;
    struct linear_system s;
    struct error e;
    assert_true(rows(&s, 3, (int64_t[]){0, 5, 7, 10}, (int32_t[]){2, 1, 0, 0, 1, 1, 0, 2, 1, 0},
                     (double[]){0, -1, 3, 1, -1, 5, -2, 7, 0, 0}, &e));
    assert_int_equal(s.start[3], 5);
    assert_in_order(&s);
    assert_true(entry(&s, 0, 0) == 4 && entry(&s, 0, 1) == -2 && entry(&s, 1, 0) == -2 && entry(&s, 1, 1) == 5);
    assert_true(entry(&s, 2, 2) == 7 && !s.singular);
    linear_system_free(&s);
    assert_true(rows(&s, 2, (int64_t[]){0, 2, 4}, (int32_t[]){0, 1, 0, 1}, (double[]){0.1, -0.1, -0.1, 0.1}, &e));
    assert_true(s.singular);
    linear_system_free(&s);
}

static void refusals(void **state)
{
    (void)state;
    struct linear_system s;
    struct error e;
    const int64_t start[] = {0, 2, 4};
    const int32_t column[] = {0, 1, 0, 1};
    EXPECT(rows(&s, 2, start, column, (double[]){2, -1, -1, 0}, &e), "m: row 2 has 0 on the diagonal");
    EXPECT(rows(&s, 2, start, column, (double[]){-2, -1, -1, 2}, &e), "m: row 1 has -2 on the diagonal");
    EXPECT(rows(&s, 2, start, column, (double[]){2, -1, -1, NAN}, &e), "m: row 2 has nan in column 2");
    EXPECT(rows(&s, 2, start, column, (double[]){2, INFINITY, -1, 2}, &e), "m: row 1 has inf in column 2");
    EXPECT(rows(&s, 3, (int64_t[]){0, 1, 3, 5}, (int32_t[]){0, 1, 2, 1, 2}, (double[]){3, 1, -1, -1, 1}, &e),
           "m: row 2 and those that are connected with it add up to zero");
    EXPECT(rows(&s, 2, (int64_t[]){0, 1, 1}, column, (double[]){1}, &e), "m: row 2 is empty");
    EXPECT(rows(&s, 2, (int64_t[]){0, 2, 3}, column, (double[]){1, 1, 1}, &e), "m: row 2 has no diagonal entry");
}

static void product(const struct linear_system *s, const double *x, double *y)
{
    for (int32_t i = 0; i < s->n; i++) {
        y[i] = 0;
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) y[i] += s->value[k] * x[s->column[k]];
    }
}

/* Where the matrix is not symmetric, and what is asked of it then. */
static void not_symmetric(void **state)
{
    (void)state;
    struct linear_system s;
    struct error e;
    const int64_t start[] = {0, 2, 4};
    const int32_t column[] = {0, 1, 0, 1};
    static const struct { double value[4]; const char *where; } row[] = {
        {{2, -1, -1.001, 2}, "row 1, column 2 holds -1, row 2, column 1 -1.001"},
        {{2, -1, 0, 2}, "row 1, column 2 holds -1, row 2, column 1 nothing"},
        {{2, 0, -1, 2}, "row 1, column 2 holds nothing, row 2, column 1 -1"},
        {{2, -1, 1, 0}, "row 1, column 2 holds -1, row 2, column 1 1"}};                /* 0 on the diagonal */
    for (int i = 0; i < 4; i++) {
        assert_true(rows(&s, 2, start, column, row[i].value, &e));
        assert_true(s.nonsymmetric && !s.singular && s.block == 1);
        assert_string_equal(s.asymmetry, row[i].where);
        assert_in_order(&s);
        linear_system_free(&s);
    }
    assert_true(rows(&s, 2, (int64_t[]){0, 2, 3}, column, (double[]){1, 1, 2}, &e));    /* row 2 has no diagonal */
    assert_true(!s.nonsymmetric || s.start[2] == 4);
    linear_system_free(&s);
    EXPECT(rows(&s, 2, start, column, (double[]){1, -1, -2, 2}, &e),
           "m: row 1 and all others add up to zero, their columns do not");
    int32_t ring[] = {0, 1, 1, 2, 2, 0};
    assert_true(rows(&s, 3, (int64_t[]){0, 2, 4, 6}, ring, (double[]){1, -1, 1, -1, 1, -1}, &e));
    assert_true(s.nonsymmetric && s.singular);
    linear_system_free(&s);
}

/* Rows of numbers become rows of blocks: the same product, in every order, through files. */
static void blocks(void **state)
{
    (void)state;
    struct error e;
    for (int b = 1; b <= MOST_BLOCK; b++)
        for (int o = ORDERING_CUTHILL_MCKEE; o <= ORDERING_NONE; o++) {
            enum { SIDE = 30, N = 2 * SIDE * SIDE };
            struct linear_system s;
            struct matrix a;
            double *x, *y;
            assert_true(generate(&s, "convection2d:30,60", NULL, &e));
            NEW(x, N), NEW(y, N);
            for (int i = 0; i < N; i++) x[i] = number(i);
            product(&s, x, y);
            assert_true(linear_system_regroup(&s, b, &e) && s.block == b && s.n == N / b && s.nonsymmetric);
            assert_in_order(&s);
            const char *path = at(o == ORDERING_NONE ? "blocks.mtx" : "blocks.h5");
            assert_true((o == ORDERING_NONE ? matrix_market_write : matrix_hdf5_write)(&s, path, &e));
            double *rhs = s.rhs;
            s.rhs = NULL;
            linear_system_free(&s);
            assert_true((o == ORDERING_NONE ? matrix_market_read : matrix_hdf5_read)(&s, path, &e));
            if (o != ORDERING_NONE) assert_memory_equal(s.rhs, rhs, N * 8);
            assert_int_equal(s.block, o == ORDERING_NONE ? 1 : b);
            assert_true(linear_system_order(&s, (enum ordering)o, &e));
            linear_system_upload(&s, &a);
            double *moved, *back;
            NEW(moved, N);
            memcpy(moved, x, N * 8);
            linear_system_arrange(&s, moved);
            double *from = linear_system_vector(&a, moved, "x"), *to = linear_system_vector(&a, moved, "y");
            matrix_product(&a, from, to);
            back = linear_system_download(&s, &a, to);
            for (int i = 0; i < N; i++) assert_true(fabs(back[i] - y[i]) < 1e-13);
            free(x), free(y), free(rhs), free(moved), free(back), device_free(from), device_free(to);
            matrix_free_alone(&a);
            linear_system_free(&s);
        }
    struct linear_system s;
    assert_true(generate(&s, "convection2d:5", NULL, &e));
    EXPECT(linear_system_regroup(&s, 2, &e), "25 rows are no whole number of blocks of 2 rows");
    linear_system_free(&s);
    assert_true(generate(&s, "cavity-vorticity:4", NULL, &e));
    EXPECT(linear_system_regroup(&s, 2, &e), "has blocks of 3 rows already");
    linear_system_free(&s);
}

static double in_cavity(const struct linear_system *s, int32_t row, int32_t column, int i, int j)
{
    for (int64_t k = s->start[row]; k < s->start[row + 1]; k++)
        if (s->column[k] == column) return s->value[9 * k + 3 * i + j];
    fail_msg("row %d has no block in column %d", row, column);
    return 0;
}

/* The equations of Ma's cavity, and the counts of the report. */
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
    for (int i = 0; i < s.n; i++) {             /* as much comes in as goes out, but at boundaries */
        double sum = 0;
        for (int64_t k = s.start[i]; k < s.start[i + 1]; k++) sum += s.value[k];
        assert_true(s.start[i + 1] - s.start[i] < 7 ? sum > 0 : fabs(sum) < 1e-12);
    }
    linear_system_free(&s);
    assert_true(generate(&s, "stratified3d:6,5,4", NULL, &e));
    for (int i = 0; i < s.n; i++)               /* symmetric along x and y, blown along z */
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

/* Velocity and pressure together: constants of the pressure are the null space, also where they are found in the
 * entries; a uniform velocity is carried without force, but at walls; the face between two cells is seen alike from
 * both. */
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

/* ---------------------------------------------------------------- order and machine */
/* The product on the machine, in any order, is that of the rows as they were. */
static void orders(void **state)
{
    (void)state;
    for (int o = ORDERING_HILBERT; o <= ORDERING_NONE; o++) {
        struct linear_system s;
        struct matrix a;
        struct error e;
        double *x, *y, *moved;
        assert_true(generate(&s, "bubbles2d:40,2", NULL, &e));
        int32_t n = s.n;
        NEW(x, n), NEW(y, n), NEW(moved, n);
        for (int32_t i = 0; i < n; i++) x[i] = number(i);
        product(&s, x, y);
        double rhs = s.rhs[17], centre = s.centre[n + 17];
        int32_t phases = 0, before = 0;
        for (int32_t i = 0; i < n; i++) before += s.phase[i] * (i % 7);
        assert_true(linear_system_order(&s, (enum ordering)o, &e));
        assert_in_order(&s);
        for (int32_t i = 0; i < n; i++) {
            int32_t was = s.original ? s.original[i] : i;
            phases += s.phase[i] * (was % 7);
            if (was == 17) assert_true(s.rhs[i] == rhs && s.centre[n + i] == centre);
        }
        assert_int_equal(phases, before);
        linear_system_arrange(&s, x);
        struct pattern layout = linear_system_layout(&s);
        linear_system_upload(&s, &a);
        assert_true(layout.n_stored == a.p.n_stored && layout.n_local == a.p.n_local &&
                    layout.n_padded == a.p.n_padded && layout.n_slices == a.p.n_slices &&
                    layout.n_entries == a.p.n_entries);
        double *from = linear_system_vector(&a, x, "x"), *to = linear_system_vector(&a, x, "y");
        matrix_product(&a, from, to);
        double *back = linear_system_download(&s, &a, to);
        for (int32_t i = 0; i < n; i++) assert_true(fabs(back[i] - y[i]) < 1e-9 * (1 + fabs(y[i])));
        device_free(from), device_free(to);
        free(back), free(x), free(y), free(moved);
        matrix_free_alone(&a);
        linear_system_free(&s);
    }
}

static void no_centres(void **state)
{
    (void)state;
    struct linear_system s;
    struct error e;
    const char *path = file("a.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n");
    assert_true(matrix_market_read(&s, path, &e));
    EXPECT(linear_system_order(&s, ORDERING_HILBERT, &e), "has no cell centres");
    linear_system_free(&s);
}

/* ---------------------------------------------------------------- Matrix Market */
#define HEAD "%%MatrixMarket matrix coordinate "

static void assert_small(struct linear_system *s)
{
    assert_int_equal(s->n, 3);
    assert_int_equal(s->start[3], 7);
    assert_in_order(s);
    assert_true(entry(s, 0, 0) == 4 && entry(s, 0, 2) == -1 && entry(s, 2, 0) == -1 && entry(s, 1, 2) == -3);
    linear_system_free(s);
}

static void kinds(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD "real general\n3 3 7\n1 1 4\n1 3 -1\n2 2 4e0\n2 3 -3\n3 1 -1.0\n3 2 -3\n3 3 .4E+1\n",
        HEAD "real symmetric\n% comment\n\n3 3 5\n1 1 4\n\n2 2 4\n3 1 -1\n 3  2\t-3 \n3 3 4",
        HEAD "integer symmetric\r\n3 3 5\r\n1 1 4\r\n2 2 4\r\n3 1 -1\r\n3 2 -3\r\n3 3 4\r\n",
        "%%matrixmarket MATRIX Coordinate Real Symmetric\n3 3 6\n3 3 4\n2 2 4\n3 1 -1\n3 2 -2\n3 2 -1\n1 1 4\n"};
    struct linear_system s;
    struct error e;
    for (int i = 0; i < 4; i++) {
        if (!matrix_market_read(&s, file("k.mtx", texts[i]), &e)) fail_msg("%s", e.text);
        assert_small(&s);
        gzFile f = gzopen(at("k.mtx.gz"), "w");
        gzputs(f, texts[i]);
        gzclose(f);
        assert_true(matrix_market_read(&s, at("k.mtx.gz"), &e));
        assert_small(&s);
    }
    assert_true(matrix_market_read(&s, file("p.mtx", HEAD "pattern general\n2 2 2\n1 1\n2 2\n"), &e));
    assert_true(s.n == 2 && s.start[2] == 2 && s.value[0] == 1 && s.value[1] == 1);
    linear_system_free(&s);
    static const char *const skew[] = {HEAD "real skew-symmetric\n2 2 1\n2 1 -3\n",
                                       HEAD "integer general\n2 2 4\n1 2 3\n2 1 -3\n1 1 0\n2 2 0\n"};
    for (int i = 0; i < 2; i++) {               /* a diagonal that the file lacks is 0 */
        if (!matrix_market_read(&s, file("skew.mtx", skew[i]), &e)) fail_msg("%s", e.text);
        static const double value[] = {0, 3, 0, -3};
        assert_true(s.nonsymmetric && s.n == 2 && s.start[1] == 2 && s.start[2] == 4);
        assert_memory_equal(s.value, value, sizeof value);
        linear_system_free(&s);
    }
}

static void market_errors(void **state)
{
    (void)state;
    static const struct { const char *text, *expected; } cases[] = {
        {"hello\n", "bad.mtx:1: found \"hello\"; expected a Matrix Market file"},
        {"", "bad.mtx:1: the file ends here"},
        {HEAD "reel general\n", "bad.mtx:1: found \"%%MatrixMarket matrix coordinate reel general\"; field \"reel\" is "
         "not known (did you mean real?): expected real, integer or pattern"},
        {HEAD "complex general\n", "field \"complex\" is not supported"},
        {HEAD "real hermitian\n", "symmetry \"hermitian\" is not supported: expected general, symmetric or skew-"},
        {HEAD "real general x\n", "expected nothing behind the symmetry"},
        {"%%MatrixMarket matrix array real general\n2 2\n", "bad.mtx:1: \"array\" is a full matrix or a vector"},
        {"%%MatrixMarket vector coordinate real general\n", "object \"vector\" is not supported"},
        {HEAD "real general\n%\n3 3\n", "bad.mtx:3: found \"3 3\"; expected the numbers of rows, columns and entries"},
        {HEAD "real general\n3 2 1\n", "bad.mtx:2: found \"3 2 1\"; the matrix has 3 rows and 2 columns"},
        {HEAD "real general\n0 0 0\n", "bad.mtx:2: found \"0 0 0\"; expected between 1 and 2^31 - 2 rows"},
        {HEAD "real general\n2 2 99999\n", "99999 entries are more than the file can hold"},
        {HEAD "real general\n2 2 2\n1 1 x\n", "bad.mtx:3: found \"1 1 x\"; expected a row, a column and a finite"},
        {HEAD "real general\n2 2 2\n1 1\n2 2 1\n", "bad.mtx:3: found \"1 1\"; expected a row, a column and a finite"},
        {HEAD "real general\n2 2 2\n1 1 1 1\n", "bad.mtx:3: found \"1 1 1 1\""},
        {HEAD "real general\n2 2 2\n1 1 1\n2 2 inf\n", "bad.mtx:4: found \"2 2 inf\""},
        {HEAD "real general\n2 2 2\n1 1 1\n2 2 1e999\n", "bad.mtx:4: found \"2 2 1e999\""},
        {HEAD "real general\n2 2 2\n1.5 1 1\n", "bad.mtx:3: found \"1.5 1 1\""},
        {HEAD "pattern general\n2 2 2\n1 1 1\n", "bad.mtx:3: found \"1 1 1\"; expected a row and a column"},
        {HEAD "real general\n2 2 2\n1 1 1\n\n2 3 1\n", "bad.mtx:5: found \"2 3 1\"; expected a row and a column from"},
        {HEAD "real general\n2 2 2\n0 1 1\n", "bad.mtx:3: found \"0 1 1\"; expected a row and a column from 1 to 2"},
        {HEAD "real symmetric\n2 2 2\n1 2 1\n", "bad.mtx:3: found \"1 2 1\"; a symmetric file holds the lower"},
        {HEAD "real skew-symmetric\n2 2 1\n1 1 0\n", "bad.mtx:3: found \"1 1 0\"; a skew-symmetric file holds what"},
        {HEAD "real general\n2 2 2\n1 1 1\n", "bad.mtx:4: the file ends here; expected 2 entries, found 1"},
        {HEAD "real general\n1 1 1\n1 1 1\n1 1 1\n", "bad.mtx:4: found \"1 1 1\"; expected the end of the file"},
        {HEAD "real symmetric\n2 2 2\n1 1 1\n2 1 1\n", "bad.mtx: row 2 has no diagonal entry"},
    };
    struct linear_system s;
    struct error e;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        EXPECT(matrix_market_read(&s, file("bad.mtx", cases[i].text), &e), "%s", cases[i].expected);
    EXPECT(matrix_market_read(&s, at("none.mtx"), &e), "none.mtx: No such file");
    gzFile f = gzopen(at("cut.mtx.gz"), "w");
    for (int i = 0; i < 1000; i++) gzprintf(f, "%% %d\n", i * 7919 % 1000);
    gzclose(f);
    assert_int_equal(truncate(at("cut.mtx.gz"), 500), 0);
    EXPECT(matrix_market_read(&s, at("cut.mtx.gz"), &e), "cut.mtx.gz: cannot be read");
}

/* Every number as strtod has it, to the bit. */
static void numbers_are_exact(void **state)
{
    (void)state;
    enum { N = 3000 };
    static const char *const formats[] = {"%.17g\n", "%.15g\n", "%.6f\n", "%.3e\n", "%+.0f.\n", "%a\n"};
    char *text = allocate(N + 20, 40, "text"), *to = text;
    double *expected, *found;
    struct error e;
    NEW(expected, N);
    to += sprintf(to, "%%%%MatrixMarket matrix array real general\n%d 1\n", N);
    for (int i = 0; i < N; i++) {
        char *first = to;
        double v = number(i) * pow(10, i % 7 ? i % 19 - 9 : i % 301 - 150);
        to += snprintf(to, 39, formats[fabs(v) < 1e20 && fabs(v) > 1e-20 ? i % 6 : 0], v);
        expected[i] = strtod(first, NULL);
    }
    found = matrix_market_read_vector(file("v.mtx", text), N, &e);
    if (!found) fail_msg("%s", e.text);
    for (int i = 0; i < N; i++) assert_memory_equal(&found[i], &expected[i], sizeof *found);
    free(text), free(expected), free(found);
}

static void vectors(void **state)
{
    (void)state;
    static const struct { const char *text, *expected; } cases[] = {
        {HEAD "real general\n1 1 1\n1 1 1\n", "bad.mtx:1: expected a vector"},
        {"%%MatrixMarket matrix array real general\n3 1\n", "bad.mtx:2: found \"3 1\"; the matrix has 2 rows"},
        {"%%MatrixMarket matrix array real general\n2 2\n", "bad.mtx:2: found \"2 2\"; the matrix has 2 rows"},
        {"%%MatrixMarket matrix array real general\n2 1\n1\n", "bad.mtx:4: the file ends here; expected 2 numbers"},
        {"%%MatrixMarket matrix array real general\n2 1\n1\nx\n", "bad.mtx:4: found \"x\"; expected one finite number"},
        {"%%MatrixMarket matrix array real general\n2 1\n1\n2\n3\n", "bad.mtx:5: found \"3\"; expected the end of"},
    };
    struct error e;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        EXPECT(matrix_market_read_vector(file("bad.mtx", cases[i].text), 2, &e), "%s", cases[i].expected);
    EXPECT(matrix_hdf5_read_vector(at("none.h5"), 2, &e), "none.h5: No such file");
    double v[] = {0.1, -1e-300, 3e10}, *back;
    assert_true(matrix_hdf5_write_vector((double[]){1, NAN}, 2, at("nan.h5"), &e));
    EXPECT(matrix_hdf5_read_vector(at("nan.h5"), 2, &e), "nan.h5: row 1 of the array \"value\" holds nan");
    assert_true(matrix_market_write_vector(v, 3, at("w.mtx"), &e) && matrix_hdf5_write_vector(v, 3, at("w.h5"), &e));
    assert_memory_equal(back = matrix_market_read_vector(at("w.mtx"), 3, &e), v, sizeof v);
    free(back);
    assert_memory_equal(back = matrix_hdf5_read_vector(at("w.h5"), 3, &e), v, sizeof v);
    free(back);
    EXPECT(matrix_hdf5_read_vector(at("w.h5"), 4, &e),
           "w.h5: \"value\" has 3 rows; expected 4");
}

/* ---------------------------------------------------------------- written and read again */
static void round_trip(void **state)
{
    (void)state;
    struct linear_system s, t;
    struct error e;
    assert_true(generate(&s, "bubbles3d:9,1", NULL, &e));
    assert_true(matrix_market_write(&s, at("r.mtx"), &e) && matrix_hdf5_write(&s, at("r.h5"), &e));
    for (int hdf5 = 0; hdf5 < 2; hdf5++) {
        bool good = hdf5 ? matrix_hdf5_read(&t, at("r.h5"), &e) : matrix_market_read(&t, at("r.mtx"), &e);
        if (!good) fail_msg("%s", e.text);
        assert_int_equal(t.n, s.n);
        assert_memory_equal(t.start, s.start, (size_t)(s.n + 1) * 8);
        assert_memory_equal(t.column, s.column, (size_t)s.start[s.n] * 4);
        assert_memory_equal(t.value, s.value, (size_t)s.start[s.n] * 8);
        if (hdf5) {
            assert_memory_equal(t.rhs, s.rhs, (size_t)s.n * 8);
            assert_memory_equal(t.phase, s.phase, (size_t)s.n * 4);
            assert_memory_equal(t.centre, s.centre, (size_t)s.n * 24);
            assert_int_equal(t.dim, 3);
        }
        linear_system_free(&t);
    }
    linear_system_free(&s);
    assert_true(matrix_hdf5_write_vector((double[]){1}, 1, at("v.h5"), &e));
    EXPECT(matrix_hdf5_read(&t, at("v.h5"), &e),
           "its attribute \"format\" is \"poise-vector\"; expected \"poise-matrix\"");
    EXPECT(matrix_hdf5_read(&t, file("x.h5", "no HDF5"), &e), "x.h5: it is no HDF5 file");
    EXPECT(matrix_hdf5_read(&t, at("none.h5"), &e), "none.h5: No such file");
}

/* ---------------------------------------------------------------- generators */
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

/* Half of a face's way in one layer, half in the other. */
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

/* Cells of phase 1, and the regions that they make. */
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
        {"laplacian:box:4", NULL, "box:4: expected two or three numbers of cells"},
        {"laplacian:mesh.vtp", NULL, "mesh.vtp: expected .geo, .msh, .unv"},
    };
    struct linear_system s;
    struct error e;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        EXPECT(generate(&s, cases[i].text, cases[i].sides, &e), "%s", cases[i].expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries), cmocka_unit_test(refusals), cmocka_unit_test(not_symmetric),
        cmocka_unit_test(blocks), cmocka_unit_test(cavity), cmocka_unit_test(coupled_cavity), cmocka_unit_test(orders),
        cmocka_unit_test(no_centres), cmocka_unit_test(kinds), cmocka_unit_test(market_errors),
        cmocka_unit_test(vectors), cmocka_unit_test(numbers_are_exact), cmocka_unit_test(round_trip),
        cmocka_unit_test(laplace), cmocka_unit_test(sides), cmocka_unit_test(layers),
        cmocka_unit_test(bubbles), cmocka_unit_test(stretched), cmocka_unit_test(generator_errors)};
    if (!mkdtemp(folder)) return 1;
    int failed = RUN_TESTS("system", tests);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) || failed;
}

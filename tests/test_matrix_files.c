/* Linear systems in files: Matrix Market, HDF5. */
#include "system_fixture.h"
#include <zlib.h>
#include "system/generate.h"
#include "system/matrix_file.h"

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
    for (int i = 0; i < 2; i++) {               /* a missing diagonal entry is 0 */
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
        {HEAD "real general x\n", "expected nothing after the symmetry"},
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
        {HEAD "real general\n2 2 2\n1 1 e5\n", "bad.mtx:3: found \"1 1 e5\""},
        {HEAD "real general\n2 2 2\n1 1 .e5\n", "bad.mtx:3: found \"1 1 .e5\""},
        {HEAD "real general\n2 2 2\n1 1 -\n", "bad.mtx:3: found \"1 1 -\""},
        {HEAD "pattern general\n2 2 2\n1 1 1\n", "bad.mtx:3: found \"1 1 1\"; expected a row and a column"},
        {HEAD "real general\n2 2 2\n1 1 1\n\n2 3 1\n", "bad.mtx:5: found \"2 3 1\"; expected a row and a column from"},
        {HEAD "real general\n2 2 2\n0 1 1\n", "bad.mtx:3: found \"0 1 1\"; expected a row and a column from 1 to 2"},
        {HEAD "real symmetric\n2 2 2\n1 2 1\n", "bad.mtx:3: found \"1 2 1\"; a symmetric file holds only the lower"},
        {HEAD "real skew-symmetric\n2 2 1\n1 1 0\n", "bad.mtx:3: found \"1 1 0\"; a skew-symmetric file holds only"},
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

/* Every number equals strtod's, bit by bit. */
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
    EXPECT(matrix_hdf5_read(&t, file("x.h5", "no HDF5"), &e), "x.h5: it is not an HDF5 file");
    EXPECT(matrix_hdf5_read(&t, at("none.h5"), &e), "none.h5: No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds), cmocka_unit_test(market_errors), cmocka_unit_test(vectors),
        cmocka_unit_test(numbers_are_exact), cmocka_unit_test(round_trip)};
    return RUN_TESTS_IN_FOLDER("matrix_files", tests);
}

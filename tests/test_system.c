/* Linear systems: from entries and blocks, their orders, on the device. */
#include "system_fixture.h"
#include "system/generate.h"
#include "system/matrix_file.h"

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

/* Unsorted, with duplicates, a zero on either side of the diagonal. */
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
           "m: row 2 and those connected with it sum to zero");
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

/* Location of the asymmetry, and the requirements for a nonsymmetric matrix. */
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
           "m: row 1 and all others sum to zero, but their columns do not");
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
    EXPECT(linear_system_regroup(&s, 2, &e), "25 rows are not a multiple of the block size 2");
    linear_system_free(&s);
    assert_true(generate(&s, "cavity-vorticity:4", NULL, &e));
    EXPECT(linear_system_regroup(&s, 2, &e), "has blocks of 3 rows already");
    linear_system_free(&s);
}

/* ---------------------------------------------------------------- order and device */
/* The product on the device, in any order, equals that in the original order. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries), cmocka_unit_test(refusals), cmocka_unit_test(not_symmetric),
        cmocka_unit_test(blocks), cmocka_unit_test(orders), cmocka_unit_test(no_centres)};
    return RUN_TESTS_IN_FOLDER("system", tests);
}

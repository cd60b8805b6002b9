/* The formats compared with mod.SELL: each product equals a plain one over CSR, bit by bit. */
#include "test.h"
#include <math.h>
#include <omp.h>
#include "bench/formats.h"

typedef int length_of(int n, int row);
static int diagonal(int n, int row) { (void)n, (void)row; return 1; }
static int even(int n, int row) { (void)row; return n < 7 ? n : 7; }
/* One row in 64 has many entries, one in 5 only the diagonal, the others 1 to 9. */
static int uneven(int n, int row)
{
    int length = row % 64 == 40 ? n / 2 + 1 : row % 5 == 3 ? 1 : 1 + (int)((number(row) + 0.5) * 9);
    return length < n ? length : n;
}

/* Diagonal first, the others anywhere. */
static struct peers_matrix matrix_of(length_of *length, int n)
{
    int64_t *start;
    int32_t *column;
    double *value;
    NEW(start, n + 1);
    for (int r = 0; r < n; r++) start[r + 1] = start[r] + length(n, r);
    NEW(column, start[n]), NEW(value, start[n]);
    for (int r = 0; r < n; r++)
        for (int64_t k = start[r]; k < start[r + 1]; k++) {
            column[k] = (int32_t)((r + (k - start[r]) * (1 + r % 3)) % n);
            value[k] = number(3 * k + r);
        }
    return (struct peers_matrix){n, start, column, value};
}
static void matrix_free(struct peers_matrix *a)
{
    free((void *)a->start), free((void *)a->column), free((void *)a->value);
}

static void check_product(const struct peers_matrix *a, enum format format)
{
    struct format_matrix f;
    double *x, *y;
    format_create(&f, format, a);
    NEW(x, f.p.n_padded), NEW(y, f.p.n_padded);
    for (int r = 0; r < a->n; r++) x[r] = number(7 * (int64_t)r + 1);
    double *dx = device_alloc((size_t)f.p.n_padded * 8, "x"), *dy = device_alloc((size_t)f.p.n_padded * 8, "y");
    device_upload(dx, x, (size_t)f.p.n_padded * 8);
    struct format_args args = {f, dx, dy};
    format_product(&args, format);
    device_download(y, dy, (size_t)f.p.n_padded * 8);
    for (int r = 0; r < a->n; r++) {
        double s = 0;
        for (int64_t k = a->start[r]; k < a->start[r + 1]; k++) s = fma(a->value[k], x[a->column[k]], s);
        assert_true(y[r] == s);
    }
    for (int64_t r = a->n; r < f.p.n_padded; r++) assert_true(y[r] == 0);
    device_free(dx), device_free(dy);
    free(x), free(y);
    format_free(&f);
}

static void products(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 511, 512, 513, 3000};
    length_of *const lengths[] = {diagonal, even, uneven};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int m = 0; m < 3; m++) {
            struct peers_matrix a = matrix_of(lengths[m], sizes[i]);
            for (int f = 0; f < N_FORMATS; f++)
                for (int threads = 1; threads <= 3; threads++) {
                    omp_set_num_threads(threads);
                    check_product(&a, (enum format)f);
                }
            matrix_free(&a);
        }
}

/* Compared with trying every width. */
static void width_of_hec(void **state)
{
    (void)state;
    length_of *const lengths[] = {diagonal, even, uneven};
    for (int m = 0; m < 3; m++) {
        struct peers_matrix a = matrix_of(lengths[m], 1000);
        int64_t least = INT64_MAX, chosen = 0;
        for (int w = 0; w <= a.n; w++) {
            int64_t cost = (int64_t)a.n * w;
            for (int r = 0; r < a.n; r++)
                if (a.start[r + 1] - a.start[r] > w) cost += 20 * (a.start[r + 1] - a.start[r] - w);
            if (cost < least) least = cost;
            if (w == hec_width(&a)) chosen = cost;
        }
        assert_int_equal(chosen, least);
        assert_true(m == 2 ? hec_width(&a) > 1 && hec_width(&a) < 20 : hec_width(&a) == (m ? 7 : 1));
        matrix_free(&a);
    }
}

/* 70 rows of 2 and 1 of 30, row 40: 28 entries in the CSR part. */
static int one_long(int n, int row) { (void)n; return row == 40 ? 30 : 2; }
static void storage(void **state)
{
    (void)state;
    struct peers_matrix a = matrix_of(one_long, 71);
    static const int64_t bytes[N_FORMATS] = {12 * 32 * (2 + 30 + 2) + 8 * 17, 12 * (70 * 2 + 30) + 4 * 513,
                                             12 * (2 * 512 + 28) + 4 * 513};
    for (int k = 0; k < N_FORMATS; k++) {
        struct format_matrix f;
        format_create(&f, (enum format)k, &a);
        assert_int_equal(format_bytes(&f), bytes[k]);
        format_free(&f);
    }
    matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(width_of_hec),
                                       cmocka_unit_test(storage)};
    return RUN_TESTS("formats", tests);
}

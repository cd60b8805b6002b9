/* Matrices of blocks of 1 to 5 rows: product and inverses of the diagonal blocks compared with plain loops; detection
 * of singular blocks; arrow blocks compared with whole ones; several matrices on one pattern. */
#include "block_system.h"
#include "solve/pattern_row.h"

static double five_points(int n, int i, int j) { return grid(n, i, j, 1); }
static int64_t at(const struct matrix *a, int64_t place, int i, int j)
{
    int64_t lane = place % WARP;
    return (place - lane) * a->block * a->block + (i * a->block + j) * WARP + lane;
}

static void check_blocks(const struct system *s, int block)
{
    struct matrix a;
    matrix_create_blocks(&a, &s->a.p, block);
    int64_t n = a.p.n_padded, pitch = a.p.pitch, square = block * block, *warp;
    int32_t *col;
    double *val, *diag = FROM_DEVICE(a.diag, n * square), *x, *wanted, *right;
    for (int64_t r = 0; r < n; r++)
        for (int k = 0; k < square; k++) assert_true(diag[at(&a, r, k / block, k % block)] == (k / block == k % block));
    NEW(val, a.p.n_stored * square), NEW(x, pitch * block), NEW(wanted, pitch * block), NEW(right, pitch * block);
    NEW(warp, n / WARP + 1), NEW(col, a.p.n_stored);
    device_download(warp, a.p.warp_start, (size_t)(n / WARP + 1) * 8);
    device_download(col, a.p.col, (size_t)a.p.n_stored * 4);
    for (int32_t r = 0; r < s->n; r++) {
        for (int i = 0; i < block; i++) x[i * pitch + r] = number(7 * r + i);
        for (int i = 0; i < block; i++)         /* the largest of a row is off the diagonal: pivots are exchanged */
            for (int j = 0; j < block; j++)
                diag[at(&a, r, i, j)] = number(100 * r + block * i + j) + (j == (i + 1) % block ? 9 : 0);
    }
    for (int32_t r = 0; r < s->n; r++)
        for (int i = 0; i < block; i++)
            for (int j = 0; j < block; j++) {
                wanted[i * pitch + r] += diag[at(&a, r, i, j)] * x[j * pitch + r];
                right[i * pitch + r] = wanted[i * pitch + r];
            }
    for (int32_t r = 0; r < s->n; r++)
        for (int64_t k = warp[r / WARP] + r % WARP; k < warp[r / WARP + 1]; k += WARP)
            for (int i = 0; col[k] && i < block; i++)
                for (int j = 0; j < block; j++) {
                    val[at(&a, k, i, j)] = number(k + 1000 * i + 77 * j);
                    wanted[i * pitch + r] += val[at(&a, k, i, j)] * x[j * pitch + COLUMN(r / SLICE, col[k])];
                }
    device_upload(a.val, val, (size_t)(a.p.n_stored * square) * 8),
        device_upload(a.diag, diag, (size_t)(n * square) * 8);
    double *dx = to_device(x, pitch * block), *dy = to_device(NULL, pitch * block),
           *dr = to_device(right, pitch * block);
    matrix_product(&a, dx, dy);
    double *y = FROM_DEVICE(dy, pitch * block);
    assert_true(distance(y, wanted, (int)(pitch * block)) < 1e-14);
    double *inverse = to_device(NULL, n * square), *bad = to_device(NULL, n);
    assert_int_equal(matrix_invert_diagonal(&a, inverse, bad), -1);
    matrix_scale(&a, inverse, dr, dy);
    double *z = FROM_DEVICE(dy, pitch * block);
    assert_true(distance(z, x, (int)(pitch * block)) < 1e-12);
    for (int i = 0; i < block; i++) diag[at(&a, s->n / 2, i, block - 1)] = 0;
    device_upload(a.diag, diag, (size_t)(n * square) * 8);
    assert_int_equal(matrix_invert_diagonal(&a, NULL, bad), s->n / 2);
    device_free(inverse), device_free(bad);
    for (int i = 0; i < block; i++)
        for (int64_t r = s->n; r < n; r++) assert_true(y[i * pitch + r] == 0 && z[i * pitch + r] == 0);
    free(val), free(diag), free(x), free(wanted), free(right), free(warp), free(col), free(y), free(z);
    device_free(dx), device_free(dy), device_free(dr);
    matrix_free(&a);
}

static void blocks(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 511, 512, 513, 729};
    for (int i = 0; i < 8; i++)
        for (int block = 1; block <= MOST_BLOCK; block++) {
            struct system s = system_of(five_points, sizes[i], 30);
            check_blocks(&s, block);
            system_free(&s);
        }
}

static double *product_of(const struct block_system *s, const double *x)
{
    double *dx = block_vector(s, x), *dy = block_vector(s, NULL);
    matrix_product(&s->a, dx, dy);
    double *y = block_download(s, dy);
    device_free(dx), device_free(dy);
    return y;
}

static void check_arrow(int n, int block)
{
    struct block_system arrow = block_system_of(n, block, 9, 8, BLOCKS_ARROW),
                        whole = block_system_of(n, block, 9, 8, BLOCKS_ARROW_WHOLE);
    struct { int64_t *start; int32_t *column; double *value; } rows[2];
    double *x = numbers(n * block, 5), *y = product_of(&arrow, x), *wanted = product_of(&whole, x);
    assert_true(distance(y, wanted, n * block) < 2e-7);
    matrix_download(&arrow.a, &rows[0].start, &rows[0].column, &rows[0].value);
    matrix_download(&whole.a, &rows[1].start, &rows[1].column, &rows[1].value);
    int64_t entries = rows[1].start[n];
    assert_memory_equal(rows[0].start, rows[1].start, (size_t)(n + 1) * sizeof *rows[0].start);
    assert_memory_equal(rows[0].column, rows[1].column, (size_t)entries * sizeof *rows[0].column);
    for (int64_t k = 0; k < entries * block * block; k++) assert_true(rows[0].value[k] == (float)rows[1].value[k]);
    for (int i = 0; i < 2; i++) free(rows[i].start), free(rows[i].column), free(rows[i].value);
    free(x), free(y), free(wanted);
    block_system_free(&arrow), block_system_free(&whole);
}

static void arrow_blocks(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 511, 512, 513};
    for (int i = 0; i < 7; i++)
        for (int block = 3; block <= 4; block++) check_arrow(sizes[i], block);
}

/* Another matrix on the pattern has values of its own and does not own the pattern. */
static void one_pattern(void **state)
{
    (void)state;
    struct system s = system_of(five_points, 400, 30);
    struct matrix other;
    matrix_create(&other, &s.a.p);
    assert_true(other.p.col == s.a.p.col && other.p.warp_start == s.a.p.warp_start);
    assert_true(other.val != s.a.val && other.diag != s.a.diag);
    double *x = numbers(400, 3), *dx = to_device(NULL, s.a.p.n_padded), *dy = to_device(NULL, s.a.p.n_padded), *exact;
    device_upload(dx, x, 400 * 8);
    matrix_product(&other, dx, dy);                             /* the identity */
    double *y = FROM_DEVICE(dy, 400);
    assert_memory_equal(x, y, 400 * 8);
    matrix_free(&other);
    free(y);
    NEW(exact, 400);
    product(&s, x, exact);
    matrix_product(&s.a, dx, dy);
    y = FROM_DEVICE(dy, 400);
    assert_true(distance(y, exact, 400) < 1e-14);
    free(x), free(y), free(exact), device_free(dx), device_free(dy);
    system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks), cmocka_unit_test(arrow_blocks),
                                       cmocka_unit_test(one_pattern)};
    return RUN_TESTS("matrix", tests);
}

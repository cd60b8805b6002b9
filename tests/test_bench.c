/* What poise bench measures on: the Laplacian of a mesh, in CSR and in mod.SELL, and the median. */
#include "test.h"
#include <math.h>
#include "bench/bench.h"

static void median(void **state)
{
    (void)state;
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    assert_true(bench_median(odd, 3) == 2);
    assert_true(bench_median(even, 4) == 2.5);
}

/* Linear along x between walls at 0 and 1: the fluxes of inner cells cancel. */
static void laplacian(void **state)
{
    (void)state;
    struct box_setting box = {.given = true, .dim = 3, .cells = {9, 8, 10}, .to = {1, 1, 1}, .stretch = {2, 1, 1}};
    struct mesh m = {0};
    struct error e;
    struct bench_system s;
    mesh_box(&m, &box);
    assert_true(mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e));
    bench_system(&s, &m);
    int64_t n = s.a.n_padded;
    double *x = device_alloc((size_t)n * 8, "x"), *y = device_alloc((size_t)n * 8, "y"), *host;
    NEW(host, n);
    device_upload(x, m.cell_centre, (size_t)m.n_cells * 8);
    struct spmv_args args = {s.a, x, y};
    mod_sell_spmv(&args, s.a.n_slices);
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
    bench_system_free(&s);
    mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(median), cmocka_unit_test(laplacian)};
    return RUN_TESTS("bench", tests);
}

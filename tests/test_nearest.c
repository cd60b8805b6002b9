/* The nearest of many points, compared with a search through all of them: scattered, on a lattice (many equal), on a
 * line. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/memory.h"
#include "base/random.h"
#include "mesh/nearest.h"

static double away(const double *point, int dim, int32_t n, int32_t i, const double *x)
{
    double square = 0;
    for (int k = 0; k < dim; k++) square += (x[k] - point[(int64_t)k * n + i]) * (x[k] - point[(int64_t)k * n + i]);
    return sqrt(square);
}

/* lattice: coordinates are rounded to so many steps; 0: not rounded. */
static void try_points(int dim, int32_t n, int lattice, bool line)
{
    double *point, x[3], distance;
    struct nearest t;
    NEW(point, (int64_t)dim * n);
    for (int64_t i = 0; i < (int64_t)dim * n; i++) {
        point[i] = random_number((uint64_t)i);
        if (lattice) point[i] = round(lattice * point[i]) / lattice;
        if (line && i >= n) point[i] = 0;
    }
    nearest_create(&t, point, dim, n);
    for (int q = 0; q < 300; q++) {
        double least = INFINITY;
        for (int k = 0; k < dim; k++) x[k] = 1.4 * random_number((uint64_t)(1000000 + 3 * q + k)) - 0.2;
        for (int32_t i = 0; i < n; i++) least = fmin(least, away(point, dim, n, i, x));
        int32_t found = nearest_find(&t, x, &distance);
        assert_true(found >= 0 && found < n);
        assert_true(distance == least && away(point, dim, n, found, x) == least);
        for (int32_t i = 0; i < found; i++) assert_true(away(point, dim, n, i, x) > least);
    }
    for (int q = 0; q < 50; q++) {
        enum { MOST = 9 };
        int32_t found[MOST];
        double square[MOST];
        for (int k = 0; k < dim; k++) x[k] = 1.4 * random_number((uint64_t)(2000000 + 3 * q + k)) - 0.2;
        int count = nearest_several(&t, x, MOST, found, square);
        assert_int_equal(count, n < MOST ? n : MOST);
        for (int32_t i = 0; i < n; i++) {               /* each is among them, or after the last one */
            int rank = 0;
            double mine = away(point, dim, n, i, x);
            for (int32_t j = 0; j < n; j++) {
                double other = away(point, dim, n, j, x);
                rank += other < mine || (other == mine && j < i);
            }
            if (rank < count) assert_true(found[rank] == i && sqrt(square[rank]) == mine);
            if (i > 200) break;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        for (int k = 0; k < dim; k++) x[k] = point[(int64_t)k * n + i];
        nearest_find(&t, x, &distance);
        assert_true(distance == 0);
    }
    nearest_free(&t);
    free(point);
}

static void finds_the_nearest(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int32_t n = 1; n < 2000; n = 3 * n + 1) {
            try_points(dim, n, 0, false);
            try_points(dim, n, 4, false);
            try_points(dim, n, 0, true);
        }
}

static void none_of_none(void **state)
{
    (void)state;
    struct nearest t;
    double distance, x[2] = {0, 0};
    nearest_create(&t, NULL, 2, 0);
    assert_int_equal(nearest_find(&t, x, &distance), -1);
    nearest_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_the_nearest), cmocka_unit_test(none_of_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

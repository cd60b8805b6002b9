/* Condition numbers: bisection compared with known eigenvalues, Lanczos with a dense eigenvalue computation, both with
 * the estimates of conjugate gradients. */
#include "linear_system.h"
#include "gpu/vector.h"
#include "lanczos.h"

static double poisson(int n, int i, int j) { return grid(n, i, j, 2); }
static double neumann(int n, int i, int j) { return grid(n, i, j, 0); }
static double scaled(int n, int i, int j)
{
    return grid(n, i, j, 2) * exp(2 * (number(i) + number(j)));
}
static double diagonal(int n, int i, int j) { (void)n; return i == j ? 2 + i % 3 : 0; }

static void tridiagonal(void **state)
{
    (void)state;
    enum { N = 200 };
    double diag[N], off[N];
    for (int i = 0; i < N; i++) diag[i] = 2, off[i] = -1;
    for (int k = 0; k < N; k += 7) {
        double exact = 4 * pow(sin((k + 1) * acos(-1) / (2 * (N + 1))), 2);
        assert_true(fabs(tridiagonal_eigenvalue(diag, off, N, k) - exact) < 1e-14);
    }
    off[99] = 0;                                /* two equal halves: double eigenvalues */
    assert_true(fabs(tridiagonal_eigenvalue(diag, off, N, 0) - tridiagonal_eigenvalue(diag, off, N, 1)) < 1e-15);
    assert_true(tridiagonal_eigenvalue(diag, off, 1, 0) == 2);
}

/* Smallest and largest eigenvalue of a dense symmetric matrix by Jacobi rotations (destroys it), skipping the `skip`
 * smallest. */
static void dense_extremes(double *m, int n, int skip, double *least, double *most)
{
    for (int sweep = 0; sweep < 12; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                double pq = m[p * n + q];
                if (pq == 0) continue;
                double theta = (m[q * n + q] - m[p * n + p]) / (2 * pq);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < n; k++) {
                    double x = m[k * n + p], y = m[k * n + q];
                    m[k * n + p] = c * x - s * y, m[k * n + q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    double x = m[p * n + k], y = m[q * n + k];
                    m[p * n + k] = c * x - s * y, m[q * n + k] = s * x + c * y;
                }
            }
    for (int k = 0; k <= skip; k++) {
        int at = 0;
        for (int i = 1; i < n; i++)
            if (m[i * n + i] < m[at * n + at]) at = i;
        *least = m[at * n + at];
        if (k < skip) m[at * n + at] = INFINITY;
    }
    *most = -INFINITY;
    for (int i = 0; i < n; i++)
        if (m[i * n + i] < INFINITY && m[i * n + i] > *most) *most = m[i * n + i];
}

/* Row by row, M as a dense matrix; NULL: the identity. */
static double *dense_preconditioner(const struct system *s, struct preconditioner *p)
{
    int n = s->n;
    double *m, *r = to_device(NULL, s->a.p.n_padded), *z = to_device(NULL, s->a.p.n_padded), *unit;
    NEW(m, (size_t)n * n), NEW(unit, n);
    for (int i = 0; i < n; i++) {
        unit[i] = 1;
        device_upload(r, unit, (size_t)n * 8);
        if (p) p->apply(p, r, NULL, z);
        device_download(m + (size_t)i * n, p ? z : r, (size_t)n * 8);
        unit[i] = 0;
    }
    free(unit);
    device_free(r), device_free(z);
    return m;
}

/* M A is similar to C^T A C with M = C C^T. */
static void dense_condition(const struct system *s, struct preconditioner *p, int skip, double *least, double *most)
{
    int n = s->n;
    double *c = dense_preconditioner(s, p), *x, *y;
    NEW(x, (size_t)n * n), NEW(y, n);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double v = c[(size_t)i * n + j];
            for (int k = 0; k < j; k++) v -= c[(size_t)i * n + k] * c[(size_t)j * n + k];
            c[(size_t)i * n + j] = i == j ? sqrt(v) : v / c[(size_t)j * n + j];
        }
    double *column;
    NEW(column, n);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) column[i] = i < j ? 0 : c[(size_t)i * n + j];
        product(s, column, y);
        for (int i = 0; i < n; i++)
            for (int k = i; k < n; k++) x[(size_t)i * n + j] += c[(size_t)k * n + i] * y[k];
    }
    dense_extremes(x, n, skip, least, most);
    free(c), free(x), free(y), free(column);
}

static const struct linear_setting method[] = {
    {.preconditioner = PRECONDITIONER_NONE}, {.preconditioner = PRECONDITIONER_NEUMANN, .terms = 0},
    {.preconditioner = PRECONDITIONER_NEUMANN, .terms = 2},
    {.preconditioner = PRECONDITIONER_INCOMPLETE_POISSON, .scaling = SCALING_NONE},
    {.preconditioner = PRECONDITIONER_BLOCK_IC, .block_rows = 20},
    {.preconditioner = PRECONDITIONER_IC0, .triangular = TRIANGULAR_HOST}};

static bool near(double a, double b) { return fabs(a - b) <= 1e-8 * fabs(b); }

static void lanczos_against_dense(void **state)
{
    (void)state;
    static const struct { entry *f; int n; bool singular; } matrix[] = {
        {poisson, 100, false}, {scaled, 100, false}, {neumann, 64, true}, {diagonal, 40, false}, {diagonal, 1, false}};
    for (int k = 0; k < 5; k++) {
        struct system s = system_of(matrix[k].f, matrix[k].n, 20);
        for (int m = 0; m < 6; m++) {
            struct error e;
            double least = 0, most = 0;
            struct preconditioner *p = m ? preconditioner_create(&s.a, &method[m], matrix[k].singular, &e) : NULL;
            if (p) assert_null(preconditioner_refresh(p, &s.a));
            dense_condition(&s, p, matrix[k].singular, &least, &most);
            struct extremes c = condition_by_lanczos(&s.a, p, matrix[k].singular, 1e-9, 10000);
            assert_true(c.converged);
            assert_true(near(c.least, least) && near(c.most, most));
            if (p) p->free(p);
        }
        system_free(&s);
    }
}

/* At 40 x 40: Lanczos ends long before the space is exhausted; conjugate gradients to 1e-12 give the same estimate. */
static void cg_against_lanczos(void **state)
{
    (void)state;
    enum { N = 1600 };
    struct system s = system_of(scaled, N, 40);
    double *b = numbers(N, 1), *db = to_device(NULL, s.a.p.n_padded), *dx = to_device(NULL, s.a.p.n_padded);
    device_upload(db, b, N * 8);
    for (int m = 1; m < 6; m++) {
        struct linear_setting set = method[m];
        struct error e;
        set.tolerance = 1e-12;
        set.max_iterations = 3000;
        struct preconditioner *p = preconditioner_create(&s.a, &set, false, &e);
        assert_null(preconditioner_refresh(p, &s.a));
        struct extremes exact = condition_by_lanczos(&s.a, p, false, 1e-8, N);
        assert_true(exact.converged && exact.steps < N / 2);
        assert_true(!condition_by_lanczos(&s.a, p, false, 1e-8, 10).converged);
        struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, &e);
        solver_keep_history(cg);
        struct fill_args zero = {dx, 0};
        fill(&zero, s.a.p.n_padded);
        struct linear_result r = solver_solve(cg, &s.a, dx, db);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        struct linear_history *h = solver_history(cg);
        struct condition seen = condition_from_cg(h, r.iterations);
        print_message("%d: %.6e %.6e (%d steps)   %.6e %.6e (%d)\n", m, exact.least, exact.most, exact.steps,
                      seen.least, seen.most, r.iterations);
        assert_true(fabs(seen.least / exact.least - 1) < 1e-4 && fabs(seen.most / exact.most - 1) < 1e-4);
        free(h);
        solver_free(cg);
        p->free(p);
    }
    device_free(db), device_free(dx);
    free(b);
    system_free(&s);
}

/* Gupta, van Gijzen & Vuik (2011), table 1: two fluids 1:1000 on 64 x 64, the interface one row off the middle,
 * arithmetic means, left and right fixed.  Their figures belong to other boundary conditions, which their text does not
 * give; the ratios agree. */
static double two_fluids(int n, int i, int j)
{
    enum { M = 64 };
    double k[2] = {i / M < 31 ? 1 : 1000, j / M < 31 ? 1 : 1000}, sum = i % M == 0 || i % M == M - 1 ? 2 * k[0] : 0;
    static const int beside[] = {-M, -1, 1, M};
    if (i != j) return grid(n, i, j, 0) * 0.5 * (k[0] + k[1]);
    for (int d = 0; d < 4; d++)
        if (i + beside[d] >= 0 && i + beside[d] < n) sum -= two_fluids(n, i, i + beside[d]);
    return sum;
}

static void published_ratios(void **state)
{
    (void)state;
    static const struct { struct linear_setting s; double published; } row[] = {
        {{.preconditioner = PRECONDITIONER_NEUMANN, .terms = 0}, 9.68e3},
        {{.preconditioner = PRECONDITIONER_BLOCK_IC, .block_rows = 128, .factor_ordering = FACTOR_MATRIX}, 2.50e3},
        {{.preconditioner = PRECONDITIONER_BLOCK_IC, .block_rows = 256, .factor_ordering = FACTOR_MATRIX}, 1.93e3},
        {{.preconditioner = PRECONDITIONER_BLOCK_IC, .block_rows = 512, .factor_ordering = FACTOR_MATRIX}, 1.60e3},
        {{.preconditioner = PRECONDITIONER_INCOMPLETE_POISSON, .scaling = SCALING_DIAGONAL}, 2.68e3},
        {{.preconditioner = PRECONDITIONER_NEUMANN, .terms = 1}, 2.66e3},
        {{.preconditioner = PRECONDITIONER_NEUMANN, .terms = 2}, 1.74e3}};
    struct system s = system_of(two_fluids, 64 * 64, 64);
    double first = 0;
    for (int m = 0; m < 7; m++) {
        struct error e;
        struct preconditioner *p = preconditioner_create(&s.a, &row[m].s, false, &e);
        assert_null(preconditioner_refresh(p, &s.a));
        struct extremes c = condition_by_lanczos(&s.a, p, false, 1e-4, 1000);
        assert_true(c.converged);
        if (m == 0) first = c.most / c.least;
        double ratio = first * c.least / c.most, published = row[0].published / row[m].published;
        print_message("%.4e: ratio %.3f, published %.3f\n", c.most / c.least, ratio, published);
        assert_true(fabs(ratio / published - 1) < 0.05);
        p->free(p);
    }
    assert_true(fabs(first / 3.295e3 - 1) < 1e-3);
    system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tridiagonal), cmocka_unit_test(lanczos_against_dense),
                                       cmocka_unit_test(cg_against_lanczos), cmocka_unit_test(published_ratios)};
    return RUN_TESTS("condition", tests);
}

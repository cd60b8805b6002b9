/* BiCGStab with several components compared with elimination, and with blocks compared with a textbook implementation
 * iteration by iteration; all stopping criteria, the same bits for any number of threads. */
#include "block_system.h"
#include "solve/bicgstab_kernels.h"

static double upwind(int n, int i, int j)       /* diffusion and convection to the upper right */
{
    double v = grid(n, i, j, 0);
    return i == j ? v + 2 * 3.0 + 0.1 : j == i - 1 || j == i - side(n) ? v * 4.0 : v;
}

/* together: half and product in one kernel; -1: chosen by the solver. */
static struct linear_result solve_in_form(const struct system *s, const struct linear_setting *set, int components,
                                          int together, double *const *b, double **x)
{
    int64_t pitch = s->a.p.pitch;
    double *db = to_device(NULL, components * pitch), *dx = to_device(NULL, components * pitch);
    for (int k = 0; k < components; k++) {
        device_upload(db + k * pitch, b[k], (size_t)s->n * 8);
        device_upload(dx + k * pitch, x[k], (size_t)s->n * 8);
    }
    struct solver *solver = solver_create(&s->a, set,
                                          &(struct solver_setup){.components = components, .nonsymmetric = true},
                                          NULL);
    if (together >= 0) bicgstab_use_form(solver, together);
    struct linear_result r = solver_solve(solver, &s->a, dx, db);
    for (int k = 0; k < components; k++) device_download(x[k], dx + k * pitch, (size_t)s->n * 8);
    solver_free(solver);
    device_free(db), device_free(dx);
    return r;
}

static struct linear_result solve_components(const struct system *s, const struct linear_setting *set, int components,
                                             double *const *b, double **x)
{
    return solve_in_form(s, set, components, -1, b, x);
}

static void bicgstab_same_bits_in_both_forms(void **state)
{
    (void)state;
    static const enum preconditioner_kind kinds[] = {PRECONDITIONER_JACOBI, PRECONDITIONER_NONE};
    enum { N = 40 * 40 };
    struct system s = system_of(upwind, N, 30);
    for (int p = 0; p < 2; p++)
        for (int components = 1; components <= 3; components++) {
            struct linear_setting set = {.method = METHOD_BICGSTAB, .preconditioner = kinds[p], .tolerance = 1e-6,
                                         .absolute = 1e-300, .max_iterations = 2000};
            double *b[3], *x[2][3];
            for (int k = 0; k < components; k++) {
                b[k] = numbers(N, 100 * k);
                for (int form = 0; form < 2; form++) x[form][k] = numbers(N, 55 + k);
            }
            struct linear_result r[2];
            for (int form = 0; form < 2; form++) r[form] = solve_in_form(&s, &set, components, form, b, x[form]);
            assert_true(r[0].status == LINEAR_CONVERGED && r[0].iterations == r[1].iterations);
            for (int k = 0; k < components; k++) {
                assert_memory_equal(x[0][k], x[1][k], N * sizeof(double));
                free(b[k]), free(x[0][k]), free(x[1][k]);
            }
        }
    system_free(&s);
}

static void bicgstab_against_elimination(void **state)
{
    (void)state;
    static const int sides[] = {1, 5, 23};
    struct linear_setting set = {.method = METHOD_BICGSTAB, .preconditioner = PRECONDITIONER_JACOBI, .tolerance = 1e-13,
                                 .absolute = 1e-300, .max_iterations = 2000};
    for (int i = 0; i < 3; i++)
        for (int components = 1; components <= 3; components++) {
            int n = sides[i] * sides[i];
            struct system s = system_of(upwind, n, 30);
            double *b[3], *x[3], *exact;
            NEW(exact, n);
            for (int k = 0; k < components; k++) {
                b[k] = numbers(n, 100 * k);
                for (int j = 0; j < n; j++) b[k][j] *= pow(1000, k);            /* components of different size */
                x[k] = numbers(n, 55 + k);
            }
            struct linear_result r = solve_components(&s, &set, components, b, x);
            assert_int_equal(r.status, LINEAR_CONVERGED);
            for (int k = 0; k < components; k++) {
                dense_solve(&s, b[k], exact);
                assert_true(distance(x[k], exact, n) < 1e-10);
                free(b[k]), free(x[k]);
            }
            free(exact);
            system_free(&s);
        }
}

static double chain(int n, int i, int j)        /* pure convection along a line, in large steps */
{
    (void)n;
    return i == j ? 1.1 : j == i - 1 ? -1 : 0;
}

/* A disturbance at one end gives residuals orthogonal to the first one: a breakdown after every restart, although each
 * restart brings the solution closer. */
static void bicgstab_starts_anew_while_it_helps(void **state)
{
    (void)state;
    enum { N = 60 };
    struct system s = system_of(chain, N, 30);
    for (int form = 0; form < 2; form++) {
        struct linear_setting set = {.method = METHOD_BICGSTAB, .preconditioner = PRECONDITIONER_JACOBI,
                                     .tolerance = 1e-12, .absolute = 1e-300, .max_iterations = 1000};
        double *b, *x, *exact;
        NEW(b, N), NEW(x, N), NEW(exact, N);
        b[0] = 1;
        struct linear_result r = solve_in_form(&s, &set, 1, form, &b, &x);
        dense_solve(&s, b, exact);
        if (r.status != LINEAR_CONVERGED || !(distance(x, exact, N) < 1e-10))
            fail_msg("status %d after %d iterations, error %.1e", r.status, r.iterations, distance(x, exact, N));
        free(b), free(x), free(exact);
    }
    system_free(&s);
}

static double dot(const double *x, const double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}

/* van der Vorst 1992, without a preconditioner; history[k]: |r|. */
static void textbook(const struct system *s, const double *b, double *x, int iterations, double *history)
{
    int n = s->n;
    double *r, *r0, *p, *v, *t, rho;
    NEW(r, n), NEW(r0, n), NEW(p, n), NEW(v, n), NEW(t, n);
    product(s, x, r);
    for (int i = 0; i < n; i++) p[i] = r0[i] = r[i] = b[i] - r[i];
    rho = dot(r0, r, n);
    history[0] = sqrt(rho);
    for (int k = 1; k <= iterations; k++) {
        product(s, p, v);
        double alpha = rho / dot(r0, v, n), old = rho;
        for (int i = 0; i < n; i++) r[i] -= alpha * v[i];
        product(s, r, t);
        double omega = dot(t, r, n) / dot(t, t, n);
        for (int i = 0; i < n; i++) x[i] += alpha * p[i] + omega * r[i], r[i] -= omega * t[i];
        history[k] = sqrt(dot(r, r, n));
        rho = dot(r0, r, n);
        for (int i = 0; i < n; i++) p[i] = r[i] + rho / old * alpha / omega * (p[i] - omega * v[i]);
    }
    free(r), free(r0), free(p), free(v), free(t);
}

static void bicgstab_against_a_textbook(void **state)
{
    (void)state;
    enum { ITERATIONS = 4 };                     /* this matrix amplifies rounding from one iteration to the next */
    for (int block = 1; block <= MOST_BLOCK; block++) {
        struct block_system s = block_system(400, block, 20, 3);
        int n = 400 * block;
        struct linear_setting set = {.method = METHOD_BICGSTAB, .preconditioner = PRECONDITIONER_NONE,
                                     .tolerance = 1e-14, .absolute = 1e-300, .max_iterations = ITERATIONS};
        double *b = numbers(n, 3), *x = numbers(n, 8), *db = block_vector(&s, b), *dx = block_vector(&s, x);
        double history[ITERATIONS + 1];
        struct solver *solver = solver_create(&s.a, &set, &(struct solver_setup){.nonsymmetric = true}, NULL);
        solver_keep_history(solver);
        assert_int_equal(solver_solve(solver, &s.a, dx, db).iterations, ITERATIONS);
        struct linear_history *h = solver_history(solver);
        textbook(&s.dense, b, x, ITERATIONS, history);
        for (int i = 0; i <= ITERATIONS; i++)
            if (fabs(sqrt(h[i].rr) - history[i]) > 1e-6 * history[i])
                fail_msg("blocks of %d, iteration %d: |r| %.17g, the textbook's %.17g", block, i, sqrt(h[i].rr),
                         history[i]);
        double *y = block_download(&s, dx);
        assert_true(distance(y, x, n) < 1e-6);
        free(b), free(x), free(y), free(h), device_free(db), device_free(dx);
        solver_free(solver);
        block_system_free(&s);
    }
}

/* Two rows for which r0 = (1, -1) gives r0.A r0 = 0 and A r0 orthogonal to r0. */
static double turning(int n, int i, int j)
{
    (void)n;
    return i == j ? 1 : i == 0 && j == 1 ? 2 : i == 1 && j == 0 ? 1e-300 : 0;
}

static void bicgstab_stops(void **state)
{
    (void)state;
    enum { N = 625 };
    struct system s = system_of(upwind, N, 30), turn = system_of(turning, 2, 2);
    struct linear_setting set = {.method = METHOD_BICGSTAB, .preconditioner = PRECONDITIONER_JACOBI, .tolerance = 1e-9,
                                 .absolute = 1e-300, .max_iterations = 2000};
    double *b[2] = {numbers(N, 0), numbers(N, 9)}, *x[2] = {numbers(N, 4), numbers(N, 5)}, *y;
    NEW(y, N);

    memset(b[0], 0, N * 8), memset(x[0], 0, N * 8);                     /* one component is solved from the start */
    struct linear_result r = solve_components(&s, &set, 2, b, x);
    assert_true(r.status == LINEAR_CONVERGED && r.iterations > 2 && r.iterations < 60);
    for (int i = 0; i < N; i++) assert_true(x[0][i] == 0);
    product(&s, x[1], y);
    assert_true(distance(y, b[1], N) < 1e-8);

    b[0][3] = NAN;                                                      /* the other one still converges */
    memset(x[1], 0, N * 8);
    assert_int_equal(solve_components(&s, &set, 2, b, x).status, LINEAR_NOT_FINITE);
    product(&s, x[1], y);
    assert_true(distance(y, b[1], N) < 1e-8);

    memset(x[0], 0, N * 8), memset(x[1], 0, N * 8), memset(b[0], 0, N * 8);
    set.max_iterations = 2;
    r = solve_components(&s, &set, 2, b, x);
    assert_true(r.status == LINEAR_MAX_ITERATIONS && r.iterations == 2);
    b[1][0] = 1, b[1][1] = -1, x[1][0] = x[1][1] = 0, b[0][0] = b[0][1] = x[0][0] = x[0][1] = 1;
    set.max_iterations = 50;
    r = solve_components(&turn, &set, 2, b, x);
    assert_int_equal(r.status, LINEAR_BREAKDOWN);
    for (int k = 0; k < 2; k++) free(b[k]), free(x[k]);
    free(y);
    system_free(&s), system_free(&turn);
}

/* Diffusion, convection at this cell Peclet number, and a small time term. */
static double peclet;
static double windy(int n, int i, int j)
{
    double v = grid(n, i, j, 0);
    return i == j ? v + 2 * peclet + 0.01 : j == i - 1 || j == i - side(n) ? v * (1 + peclet) : v;
}

/* By V-cycles with BiCGStab, by K-cycles with flexible GMRES; with few rows multigrid is just the inverse. */
static void multigrid_takes_convection(void **state)
{
    (void)state;
    static const double winds[] = {0, 0.1, 1, 10, 1000};
    for (int i = 0; i < 15; i++) {
        const int width[] = {6, 40, 80}, n = width[i / 5] * width[i / 5];
        peclet = winds[i % 5];
        struct system s = system_of(windy, n, width[i / 5]);
        for (int m = METHOD_BICGSTAB; m <= METHOD_FGMRES; m += METHOD_FGMRES - METHOD_BICGSTAB) {
            struct linear_setting set = {.method = (enum linear_method)m, .preconditioner = PRECONDITIONER_MULTIGRID,
                                         .restart = 10, .tolerance = 1e-4, .max_iterations = 100};
            double *b = numbers(n, 3), *x = numbers(n, 8), *y;
            NEW(y, n);
            struct linear_result r = solve_components(&s, &set, 1, &b, &x);
            print_message("%d rows, Peclet number %g, %s: %d\n", n, peclet, linear_method_words[m], r.iterations);
            if (r.status != LINEAR_CONVERGED || r.note || r.iterations > (n < 48 ? 2 : 20))
                fail_msg("status %d, %d iterations, %s", r.status, r.iterations, r.note ? r.note : "");
            product(&s, x, y);
            for (int k = 0; k < n; k++) y[k] -= b[k];
            assert_true(sqrt(dot(y, y, n)) <= 1.01e-4 * r.initial);
            free(b), free(x), free(y);
        }
        system_free(&s);
    }
}

/* On every number of threads; a component is independent of the others. */
static void components_have_the_same_bits(void **state)
{
    (void)state;
    enum { N = 70 * 70, KINDS = METHOD_FGMRES + 1 - METHOD_BICGSTAB };
    struct system s = system_of(upwind, N, 70);
    int threads = omp_get_max_threads();
    for (int kind = 0; kind < 2 * KINDS; kind++) {
        enum linear_method m = (enum linear_method)(METHOD_BICGSTAB + kind % KINDS);
        if (kind >= KINDS && m == METHOD_GMRES) continue;
        struct linear_setting set = {.method = m, .preconditioner = kind < KINDS ? PRECONDITIONER_JACOBI
                                                                                 : PRECONDITIONER_MULTIGRID,
                                     .restart = 20, .tolerance = 1e-3, .absolute = 1e-300, .max_iterations = 2000};
        uint64_t first[3];
        for (int t = 1; t <= 3; t++)
            for (int components = 3; components >= 2; components--) {
                double *b[3] = {numbers(N, 0), numbers(N, 99), numbers(N, 999)};
                double *x[3] = {numbers(N, 1), numbers(N, 2), numbers(N, 3)};
                omp_set_num_threads(t);
                assert_int_equal(solve_components(&s, &set, components, b, x).status, LINEAR_CONVERGED);
                for (int k = 0; k < components; k++) {
                    if (t == 1 && components == 3) first[k] = hash(x[k], N);
                    assert_true(hash(x[k], N) == first[k]);
                }
                for (int k = 0; k < 3; k++) free(b[k]), free(x[k]);
            }
    }
    omp_set_num_threads(threads);
    system_free(&s);
}

/* GMRES solves them one after the other; the result covers all of them. */
static void gmres_takes_components(void **state)
{
    (void)state;
    enum { N = 625 };
    struct system s = system_of(upwind, N, 30);
    struct linear_setting set = {.method = METHOD_GMRES, .preconditioner = PRECONDITIONER_ILU, .restart = 30,
                                 .tolerance = 1e-9, .max_iterations = 200};
    double *b[3] = {numbers(N, 0), numbers(N, 9), numbers(N, 5)}, *y;
    double *x[3] = {numbers(N, 4), numbers(N, 5), numbers(N, 6)};
    NEW(y, N);
    memset(b[0], 0, N * 8), memset(x[0], 0, N * 8);                     /* one is solved from the start */
    struct linear_result r = solve_components(&s, &set, 3, b, x);
    assert_true(r.status == LINEAR_CONVERGED && r.iterations > 2 && r.final < r.initial);
    for (int i = 0; i < N; i++) assert_true(x[0][i] == 0);
    for (int k = 1; k < 3; k++) {
        product(&s, x[k], y);
        assert_true(distance(y, b[k], N) < 1e-7);
    }
    b[0][3] = NAN;                                                      /* the others still converge */
    memset(x[2], 0, N * 8);
    assert_int_equal(solve_components(&s, &set, 3, b, x).status, LINEAR_NOT_FINITE);
    product(&s, x[2], y);
    assert_true(distance(y, b[2], N) < 1e-6);
    for (int k = 0; k < 3; k++) free(b[k]), free(x[k]);
    free(y);
    system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bicgstab_against_elimination),
                                       cmocka_unit_test(bicgstab_same_bits_in_both_forms),
                                       cmocka_unit_test(bicgstab_starts_anew_while_it_helps),
                                       cmocka_unit_test(bicgstab_against_a_textbook), cmocka_unit_test(bicgstab_stops),
                                       cmocka_unit_test(components_have_the_same_bits),
                                       cmocka_unit_test(multigrid_takes_convection),
                                       cmocka_unit_test(gmres_takes_components)};
    return RUN_TESTS("bicgstab", tests);
}

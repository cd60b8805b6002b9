/* Conjugate gradients compared with elimination, preconditioners as operators, all stopping criteria, same bits in
 * every form. */
#include "linear_system.h"
#include "gpu/vector.h"
#include "solve/cg_kernels.h"
#include "solve/study/ruiz.h"

/* ---------------------------------------------------------------- matrices */
static bool linked(int i, int j)                /* a chain with chords, row 5 isolated */
{
    int d = abs(i - j);
    return i != 5 && j != 5 && (d == 1 || d == 7 || (i % 10 == 0 && j % 10 == 0 && d == 90));
}
static double spd(int n, int i, int j)          /* badly scaled, so that preconditioners differ */
{
    (void)n;
    double scale = exp(0.5 * (number(i) + number(j)));
    if (i == j) return 8.2 * scale;
    return linked(i, j) ? (-1 + 0.5 * number((int64_t)(i + j) * abs(i - j))) * scale : 0;
}
static double diagonal(int n, int i, int j) { (void)n; return i == j ? 2 + i : 0; }
static double indefinite(int n, int i, int j) { return i == j ? (i == n / 2 ? -3 : 3) : abs(i - j) == 1 ? -1 : 0; }
static double poisson(int n, int i, int j) { return grid(n, i, j, 2); }
static double neumann(int n, int i, int j) { return grid(n, i, j, 0); }
/* ---------------------------------------------------------------- solving */
static const enum preconditioner_kind all[] = {PRECONDITIONER_NONE, PRECONDITIONER_JACOBI, PRECONDITIONER_RUIZ,
                                          PRECONDITIONER_BLOCK_JACOBI};
static const enum inner_method inner[] = {INNER_JACOBI, INNER_GAUSS_SEIDEL, INNER_CG};

static struct linear_setting setting(enum preconditioner_kind p, enum inner_method m, double tolerance)
{
    return (struct linear_setting){.preconditioner = p, .inner = m, .inner_sweeps = 3, .tolerance = tolerance,
                                   .absolute = 1e-300, .max_iterations = 2000};
}

/* x: in guess, out solution, host arrays of n. form: bit 0 one kernel, bit 1 fold; -1: chosen by the solver. */
static struct linear_result solve(const struct system *s, const struct linear_setting *set, bool singular, int form,
                                  const double *b, double *x)
{
    double *db = to_device(NULL, s->a.p.n_padded), *dx = to_device(NULL, s->a.p.n_padded), *padding;
    device_upload(db, b, (size_t)s->n * 8);
    device_upload(dx, x, (size_t)s->n * 8);
    struct solver *cg = solver_create(&s->a, set, &(struct solver_setup){.singular = singular}, NULL);
    if (form >= 0) cg_use_form(cg, form & 1, form & 2);
    struct linear_result r = solver_solve(cg, &s->a, dx, db);
    NEW(padding, s->a.p.n_padded);
    device_download(padding, dx, (size_t)s->a.p.n_padded * 8);
    memcpy(x, padding, (size_t)s->n * 8);
    for (int64_t i = s->n; i < s->a.p.n_padded; i++) assert_true(padding[i] == 0);
    free(padding);
    solver_free(cg);
    device_free(db), device_free(dx);
    return r;
}

static void check_against_dense(entry *f, int n)
{
    struct system s = system_of(f, n, 90);
    double *b = numbers(n, 17), *exact, *x;
    NEW(exact, n);
    dense_solve(&s, b, exact);
    for (int p = 0; p < 4; p++)
        for (int m = 0; m < (all[p] == PRECONDITIONER_BLOCK_JACOBI ? 3 : 1); m++) {
            struct linear_setting set = setting(all[p], inner[m], 1e-13);
            x = numbers(n, 5);
            struct linear_result r = solve(&s, &set, false, -1, b, x);
            assert_int_equal(r.status, LINEAR_CONVERGED);
            assert_true(r.final <= 1e-13 * r.initial);
            assert_true(distance(x, exact, n) < 1e-11);
            free(x);
        }
    free(b), free(exact);
    system_free(&s);
}

static void cg_against_elimination(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 511, 512, 513};
    for (int i = 0; i < 7; i++) check_against_dense(spd, sizes[i]);
    check_against_dense(diagonal, 40);
}

/* Every division of an iteration into kernels gives the same bits, at any number of threads. */
static void same_bits(void **state)
{
    (void)state;
    enum { N = 4800 };                          /* enough for several threads */
    struct system s = system_of(spd, N, 90);
    double *b = numbers(N, 1);
    int threads = omp_get_max_threads();
    for (int p = 0; p < 4; p++) {
        struct linear_setting set = setting(all[p], INNER_GAUSS_SEIDEL, 1e-6);
        uint64_t first = 0;
        for (int form = 0; form < 4; form++)
            for (int t = 1; t <= 3; t++) {
                double *x = numbers(N, 3);
                omp_set_num_threads(t);
                struct linear_result r = solve(&s, &set, false, form, b, x);
                assert_int_equal(r.status, LINEAR_CONVERGED);
                if (!form && t == 1) first = hash(x, N);
                assert_true(hash(x, N) == first);
                free(x);
            }
    }
    omp_set_num_threads(threads);
    free(b);
    system_free(&s);
}

/* More than 512 slices: the sum over slices wraps around. */
static void many_slices(void **state)
{
    (void)state;
    enum { N = 530 * SLICE - 3 };
    struct system s = system_of(spd, N, 7);
    double *b = numbers(N, 1), *y;
    uint64_t first = 0;
    NEW(y, N);
    for (int form = 0; form < 4; form += 3) {
        struct linear_setting set = setting(PRECONDITIONER_JACOBI, INNER_JACOBI, 1e-6);
        double *x = numbers(N, 2);
        assert_int_equal(solve(&s, &set, false, form, b, x).status, LINEAR_CONVERGED);
        product(&s, x, y);
        assert_true(distance(y, b, N) < 2e-5);
        if (!form) first = hash(x, N);
        assert_true(hash(x, N) == first);
        free(x);
    }
    free(b), free(y);
    system_free(&s);
}

/* z = M v for block-Jacobi, through the kernel that CG uses. */
static double *precondition(const struct system *s, enum inner_method m, const double *v)
{
    int64_t n = s->a.p.n_padded;
    double *r = to_device(NULL, n), *z = to_device(NULL, n), *q = to_device(NULL, n), *out;
    struct sums sums = sums_create(CG_SUMS, s->a.p.n_slices, "sums");
    struct cg_state begin[2] = {{.iteration = -1}, {.iteration = -1}}, *state = device_alloc(sizeof begin, "test");
    device_upload(state, begin, sizeof begin);
    device_upload(r, v, (size_t)s->n * 8);
    struct cg_args args = {.a = s->a, .z = z, .q = q, .r = r, .sums = sums, .stepped = state,
                           .searched = state + 1, .inner = m, .inner_sweeps = 3, .everywhere = true};
    cg_update_block(&args, s->a.p.n_slices);
    NEW(out, n);
    device_download(out, z, (size_t)n * 8);
    device_free(r), device_free(z), device_free(q), sums_free(&sums), device_free(state);
    return out;
}

static double dot(const double *x, const double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}

static void preconditioners_are_symmetric_positive(void **state)
{
    (void)state;
    entry *matrices[] = {spd, poisson, neumann};
    static const int sizes[] = {1100, 1024, 400};
    for (int k = 0; k < 3; k++) {
        int n = sizes[k];
        struct system s = system_of(matrices[k], n, 90);
        for (int m = 0; m < 3; m++)
            for (int trial = 0; trial < 5; trial++) {
                double *u = numbers(n, 1000 * trial), *v = numbers(n, 700 * trial + 77777);
                double *mu = precondition(&s, inner[m], u), *mv = precondition(&s, inner[m], v);
                double size = sqrt(dot(mu, u, n) * dot(mv, v, n));
                assert_true(dot(mu, u, n) > 0 && dot(mv, v, n) > 0);
                if (inner[m] != INNER_CG) assert_true(fabs(dot(u, mv, n) - dot(v, mu, n)) < 1e-13 * size);
                free(u), free(v), free(mu), free(mv);
            }
        system_free(&s);
    }
}

static void ruiz_equilibrates(void **state)
{
    (void)state;
    enum { N = 700 };
    struct system s = system_of(spd, N, 90);
    double *weight = to_device(NULL, s.a.p.n_padded), *scratch = to_device(NULL, s.a.p.n_padded), *w;
    ruiz_weight(&s.a, weight, scratch);
    NEW(w, s.a.p.n_padded);
    device_download(w, weight, (size_t)s.a.p.n_padded * 8);
    for (int i = 0; i < N; i++) {
        double sum = s.diag[i] * s.diag[i] / (w[i] * w[i]);
        for (int64_t k = s.start[i]; k < s.start[i + 1]; k++)
            sum += s.value[k] * s.value[k] / (w[i] * w[s.column[k]]);
        assert_true(fabs(sqrt(sum) - 1) < 2e-3);
    }
    device_free(weight), device_free(scratch);
    free(w);
    system_free(&s);
}

/* The right-hand side has a component outside the range; the solution is that of the rest, with mean 0. */
static void pure_neumann(void **state)
{
    (void)state;
    static const int sizes[] = {100, 625, 1600};
    for (int k = 0; k < 3; k++)
        for (int p = 1; p < 4; p++) {
            int n = sizes[k];
            struct system s = system_of(neumann, n, 40);
            struct linear_setting set = setting(all[p], INNER_JACOBI, 1e-11);
            double *b = numbers(n, 9), *x = numbers(n, 4), *y, mean = 0, sum = 0;
            NEW(y, n);
            for (int i = 0; i < n; i++) mean += b[i] += 3;
            for (int i = 0; i < n; i++) x[i] += 50;
            struct linear_result r = solve(&s, &set, true, -1, b, x);
            assert_int_equal(r.status, LINEAR_CONVERGED);
            product(&s, x, y);
            for (int i = 0; i < n; i++) b[i] -= mean / n, sum += x[i];
            assert_true(distance(y, b, n) < 1e-9);
            assert_true(fabs(sum) < 1e-9 * n);
            free(b), free(x), free(y);
            system_free(&s);
        }
}

static void ways_to_stop(void **state)
{
    (void)state;
    enum { N = 600 };
    struct system s = system_of(spd, N, 90), bad = system_of(indefinite, N, 1);
    for (int p = 0; p < 4; p++) {
        struct linear_setting set = setting(all[p], INNER_JACOBI, 1e-10);
        double *b = numbers(N, 1), *x, *zero;
        NEW(x, N), NEW(zero, N);
        struct linear_result r = solve(&s, &set, false, -1, zero, x);
        assert_true(r.status == LINEAR_CONVERGED && r.iterations == 0 && r.initial == 0 && r.final == 0);
        for (int i = 0; i < N; i++) assert_true(x[i] == 0);

        set.max_iterations = 3;
        r = solve(&s, &set, false, -1, b, x);
        assert_true(r.status == LINEAR_MAX_ITERATIONS && r.iterations == 3 && r.final > 1e-10 * r.initial);
        set.max_iterations = 0;
        double *before = numbers(N, 8), *same = numbers(N, 8);
        r = solve(&s, &set, false, -1, b, same);
        assert_true(r.status == LINEAR_MAX_ITERATIONS && r.iterations == 0);
        assert_memory_equal(before, same, N * sizeof *same);

        set.max_iterations = 2000;
        set.absolute = 1;
        r = solve(&s, &set, false, -1, b, same);
        assert_true(r.status == LINEAR_CONVERGED && r.final <= 1 && r.final > 1e-3);
        r = solve(&s, &set, false, -1, b, same);                        /* converged from the start */
        assert_true(r.status == LINEAR_CONVERGED && r.iterations == 0 && r.initial <= 1);
        set.absolute = 0;

        assert_int_equal(solve(&bad, &set, false, -1, b, x).status, LINEAR_BREAKDOWN);
        b[400] = NAN;
        assert_int_equal(solve(&s, &set, false, -1, b, x).status, LINEAR_NOT_FINITE);
        b[400] = INFINITY;
        assert_int_equal(solve(&s, &set, false, -1, b, x).status, LINEAR_NOT_FINITE);
        free(b), free(x), free(zero), free(before), free(same);
    }
    system_free(&s), system_free(&bad);
}

/* One solver, several solves: the state left by an earlier one, even NaN, does not matter. */
static void solver_is_reused(void **state)
{
    (void)state;
    enum { N = 900 };
    struct system s = system_of(poisson, N, 30);
    for (int p = 0; p < 4; p++) {
        struct linear_setting set = setting(all[p], INNER_CG, 1e-9);
        struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
        double *b = numbers(N, 1), *x = to_device(NULL, s.a.p.n_padded), *db = to_device(NULL, s.a.p.n_padded);
        struct linear_result first = {0};
        for (int k = 0; k < 3; k++) {
            b[7] = k == 1 ? NAN : 0.25;
            device_upload(db, b, N * 8);
            struct fill_args zero = {x, 0};
            fill(&zero, s.a.p.n_padded);
            struct linear_result r = solver_solve(cg, &s.a, x, db);
            assert_int_equal(r.status, k == 1 ? LINEAR_NOT_FINITE : LINEAR_CONVERGED);
            if (k == 0) first = r;
            if (k == 2) assert_true(r.iterations == first.iterations && r.final == first.final);
        }
        solver_free(cg);
        device_free(x), device_free(db);
        free(b);
    }
    system_free(&s);
}

static int iterations(const struct system *s, struct linear_setting set)
{
    double *b = numbers(s->n, 1), *x;
    NEW(x, s->n);
    struct linear_result r = solve(s, &set, false, -1, b, x);
    assert_int_equal(r.status, LINEAR_CONVERGED);
    free(b), free(x);
    return r.iterations;
}

/* Poisson, 64 x 64, row by row: 1e-8 of the residual. */
static void iteration_counts(void **state)
{
    (void)state;
    struct system s = system_of(poisson, 64 * 64, 64);
    int jacobi = iterations(&s, setting(PRECONDITIONER_JACOBI, INNER_JACOBI, 1e-8));
    int ruiz = iterations(&s, setting(PRECONDITIONER_RUIZ, INNER_JACOBI, 1e-8));
    int with_jacobi = iterations(&s, setting(PRECONDITIONER_BLOCK_JACOBI, INNER_JACOBI, 1e-8));
    int with_gauss_seidel = iterations(&s, setting(PRECONDITIONER_BLOCK_JACOBI, INNER_GAUSS_SEIDEL, 1e-8));
    struct linear_setting set = setting(PRECONDITIONER_BLOCK_JACOBI, INNER_CG, 1e-8);
    set.inner_sweeps = 12;
    int with_cg = iterations(&s, set);
    set = setting(PRECONDITIONER_JACOBI, INNER_JACOBI, 1e-8);
    set.smoothing_before = 5;
    int smoothed_before = iterations(&s, set);
    set.smoothing_every = 60;
    int smoothed_between = iterations(&s, set);
    print_message("jacobi %d, ruiz %d, block jacobi %d, gauss_seidel %d, cg %d; smoothed before %d, between %d\n",
                  jacobi, ruiz, with_jacobi, with_gauss_seidel, with_cg, smoothed_before, smoothed_between);
    assert_in_range(jacobi, 150, 260);
    assert_in_range(ruiz, 150, 260);
    assert_in_range(with_jacobi, 60, jacobi * 7 / 10);
    assert_in_range(with_gauss_seidel, 40, with_jacobi);
    assert_in_range(with_cg, 30, with_jacobi);
    assert_in_range(smoothed_before, 100, jacobi + 5);
    assert_in_range(smoothed_between, jacobi, 1200);                    /* a restart costs the information that CG had
                                                                           gained */
    system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cg_against_elimination), cmocka_unit_test(same_bits), cmocka_unit_test(many_slices),
        cmocka_unit_test(preconditioners_are_symmetric_positive), cmocka_unit_test(ruiz_equilibrates),
        cmocka_unit_test(pure_neumann), cmocka_unit_test(ways_to_stop), cmocka_unit_test(solver_is_reused),
        cmocka_unit_test(iteration_counts)};
    return RUN_TESTS("linear", tests);
}

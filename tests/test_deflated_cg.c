/* Deflated conjugate gradients: the algorithm of Gupta et al. (2011) with every preconditioner, and their results. */
#include "deflation_fixture.h"
#include "solve/contrast.h"
#include "base/random.h"
#include "gpu/vector.h"
#include "solve/cg_kernels.h"
#include "solve/multigrid.h"
#include "system/generate.h"

/* x: in guess, out solution, host arrays of n.  form: as in test_linear.c.  rr: r.r of every iteration, or NULL. */
static struct linear_result solve(const struct system *s, const struct linear_setting *set, bool singular, int form,
                                  const double *b, double *x, struct linear_history **history)
{
    struct error e;
    double *db = to_device(NULL, s->a.p.n_padded), *dx = to_device(NULL, s->a.p.n_padded);
    device_upload(db, b, (size_t)s->n * 8), device_upload(dx, x, (size_t)s->n * 8);
    struct solver *cg = solver_create(&s->a, set, &(struct solver_setup){.singular = singular}, &e);
    if (!cg) fail_msg("%s", e.text);
    if (form >= 0) cg_use_form(cg, form & 1, form & 2);
    if (history) solver_keep_history(cg);
    struct linear_result r = solver_solve(cg, &s->a, dx, db);
    if (history) *history = solver_history(cg);
    double *all = download(dx, s->a.p.n_padded);
    memcpy(x, all, (size_t)s->n * 8);
    for (int64_t i = s->n; i < s->a.p.n_padded; i++) assert_true(all[i] == 0);
    free(all);
    solver_free(cg);
    device_free(db), device_free(dx);
    return r;
}

static const enum preconditioner_kind some[] = {
    PRECONDITIONER_NONE, PRECONDITIONER_JACOBI, PRECONDITIONER_RUIZ, PRECONDITIONER_BLOCK_JACOBI,
    PRECONDITIONER_MULTIGRID, PRECONDITIONER_NEUMANN};
enum { SOME = sizeof some / sizeof *some };
static const enum deflation_solver solvers[] = {DEFLATION_INVERSE, DEFLATION_CHOLESKY};

static struct linear_setting with(struct linear_setting set, enum preconditioner_kind p)
{
    set.preconditioner = p;
    set.terms = 2;
    return set;
}

static void same_solution(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 511, 512, 513};
    for (int z = 0; z < 8; z++)
        for (int p = 0; p < SOME; p++) {
            int n = z < 7 ? sizes[z] : 40;
            struct system s = system_of(z < 7 ? spd : diagonal, n, 90);
            double *b = numbers(n, 17), *exact;
            NEW(exact, n);
            dense_solve(&s, b, exact);
            for (int kind = DEFLATION_STRIPES; kind <= DEFLATION_METIS; kind++) {
                double *x = numbers(n, 5);
                struct linear_setting set = with(setting(kind, 9, solvers[p % 2]), some[p]);
                struct linear_result r = solve(&s, &set, false, -1, b, x, NULL);
                assert_int_equal(r.status, LINEAR_CONVERGED);
                assert_true(distance(x, exact, n) < 1e-10);
                free(x);
            }
            free(b), free(exact);
            system_free(&s);
        }
}

/* Algorithm 1 of Gupta et al. with a dense projection and Jacobi: r.r of every iteration. Z^T r stays zero. */
static void textbook(const struct system *s, const int32_t *domain, int k, const double *b, const double *guess,
                     int steps, double *rr)
{
    int n = s->n;
    double *r, *z, *p, *q, rz = 0;
    NEW(r, n), NEW(z, n), NEW(p, n), NEW(q, n);
    product(s, guess, q);
    for (int i = 0; i < n; i++) q[i] = b[i] - q[i];
    double *projected = dense_project(s, domain, k, false, q);
    memcpy(r, projected, (size_t)n * 8);
    free(projected);
    for (int step = 0; step <= steps; step++) {
        double sums[MOST_DOMAINS] = {0}, new_rz = 0, pq = 0;
        rr[step] = 0;
        for (int i = 0; i < n; i++) {
            z[i] = r[i] / s->diag[i];
            new_rz += r[i] * z[i], rr[step] += r[i] * r[i], sums[domain[i]] += r[i];
        }
        for (int d = 0; d < k; d++) assert_true(fabs(sums[d]) < 1e-11 * sqrt(n * rr[0]));
        for (int i = 0; i < n; i++) p[i] = z[i] + (step ? new_rz / rz : 0) * p[i];
        product(s, p, q);
        double *w = dense_project(s, domain, k, false, q);
        for (int i = 0; i < n; i++) pq += p[i] * w[i];
        for (int i = 0; i < n; i++) r[i] -= new_rz / pq * w[i];
        rz = new_rz;
        free(w);
    }
    free(r), free(z), free(p), free(q);
}

static void against_the_algorithm(void **state)
{
    (void)state;
    enum { N = 1296, STEPS = 12, K = 43 };
    struct system s = system_of(jump, N, 36);
    struct error e;
    int32_t domain[N];
    double *b = numbers(N, 1), *guess = numbers(N, 7), *x, *ax, rr[STEPS + 1], norm2 = 0, first = 0;
    NEW(ax, N);
    for (int kind = DEFLATION_STRIPES; kind <= DEFLATION_LEVEL_SET_BLOCKS; kind++) {
        struct linear_setting set = setting(kind, K, DEFLATION_INVERSE);
        struct linear_history *h;
        set.max_iterations = STEPS;
        int32_t k = subdomains(&s.a, &set, NULL, domain, &e);
        textbook(&s, domain, k, b, guess, STEPS, rr);
        x = numbers(N, 7);
        struct linear_result r = solve(&s, &set, false, -1, b, x, &h);
        assert_true(r.status == LINEAR_MAX_ITERATIONS && r.iterations == STEPS);
        for (int step = 0; step <= STEPS; step++) assert_true(fabs(h[step].rr - rr[step]) < 1e-9 * rr[0]);
        double sums[K] = {0};                           /* rest of b after the last correction */
        product(&s, x, ax);
        norm2 = first = 0;
        for (int i = 0; i < N; i++) sums[domain[i]] += b[i] - ax[i], norm2 += (b[i] - ax[i]) * (b[i] - ax[i]);
        for (int d = 0; d < k; d++) assert_true(fabs(sums[d]) < 1e-12 * N);
        assert_true(fabs(r.final - sqrt(norm2)) < 1e-9 * r.initial);
        product(&s, guess, ax);
        for (int i = 0; i < N; i++) first += (b[i] - ax[i]) * (b[i] - ax[i]);
        assert_true(fabs(r.initial - sqrt(first)) < 1e-12 * r.initial);
        free(x), free(h);
    }
    free(b), free(guess), free(ax);
    system_free(&s);
}

/* Any number of threads, every division of an iteration into kernels. */
static void same_bits(void **state)
{
    (void)state;
    enum { N = 70 * 70 };
    struct system s = system_of(jump, N, 70);
    double *b = numbers(N, 1);
    int threads = omp_get_max_threads();
    for (int p = 1; p < SOME; p++) {
        struct linear_setting set = with(setting(DEFLATION_LEVEL_SET, 200, solvers[p % 2]), some[p]);
        uint64_t first = 0;
        set.tolerance = 1e-6;
        for (int form = 0; form < (p < 4 ? 4 : 1); form += 3)
            for (int t = 1; t <= 3; t++) {
                double *x = numbers(N, 3);
                omp_set_num_threads(t);
                assert_int_equal(solve(&s, &set, false, form, b, x, NULL).status, LINEAR_CONVERGED);
                if (!form && t == 1) first = hash(x, N);
                assert_true(hash(x, N) == first);
                free(x);
            }
    }
    omp_set_num_threads(threads);
    free(b);
    system_free(&s);
}

/* No value is fixed: constants are free, and b has a component outside the range. */
static void pure_neumann(void **state)
{
    (void)state;
    enum { N = 900 };
    struct system s = system_of(neumann, N, 30);
    for (int p = 0; p < SOME; p++)
        for (int k = 1; k <= 31; k += 10) {
            struct linear_setting set = with(setting(DEFLATION_STRIPES, k, solvers[p % 2]), some[p]);
            double *b = numbers(N, 9), *x = numbers(N, 4), *y, mean = 0, sum = 0;
            NEW(y, N);
            set.tolerance = 1e-10;
            for (int i = 0; i < N; i++) mean += b[i] += 3, x[i] += 50;
            assert_int_equal(solve(&s, &set, true, -1, b, x, NULL).status, LINEAR_CONVERGED);
            product(&s, x, y);
            for (int i = 0; i < N; i++) b[i] -= mean / N, sum += x[i];
            assert_true(distance(y, b, N) < 1e-8);
            assert_true(fabs(sum) < 1e-9 * N);
            free(b), free(x), free(y);
        }
    system_free(&s);
}

/* One solver, other values, other phases: nothing depends on the initial ones. */
static void new_values(void **state)
{
    (void)state;
    enum { N = 48 * 48 };
    struct linear_setting set = setting(DEFLATION_LEVEL_SET, 100, DEFLATION_INVERSE);
    struct system s = system_of(jump, N, 48), t;
    struct error e;
    int32_t phase[N];
    double *b = numbers(N, 1), *x = to_device(NULL, s.a.p.n_padded), *db = to_device(NULL, s.a.p.n_padded);
    struct fill_args zero = {x, 0};
    device_upload(db, b, N * 8);
    for (int i = 0; i < N; i++) phase[i] = bubble(N, i);
    struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){.phase = phase}, &e);
    assert_int_equal(solver_deflation_vectors(cg), 65);
    struct linear_result before = solver_solve(cg, &s.a, x, db);
    contrast = 10;
    t = system_of(jump, N, 48);                         /* the same pattern */
    device_copy(s.a.val, t.a.val, (size_t)s.a.p.n_stored * 8);
    device_copy(s.a.diag, t.a.diag, (size_t)N * 8);
    fill(&zero, s.a.p.n_padded);
    struct linear_result after = solver_solve(cg, &s.a, x, db);
    double *fresh;
    NEW(fresh, N);
    struct solver *other = solver_create(&t.a, &set, &(struct solver_setup){.phase = phase}, &e);
    double *y = to_device(NULL, s.a.p.n_padded), *found = download(x, N);
    struct linear_result r = solver_solve(other, &t.a, y, db);
    device_download(fresh, y, N * 8);
    assert_true(before.status == LINEAR_CONVERGED && after.status == LINEAR_CONVERGED && r.status == LINEAR_CONVERGED);
    assert_int_equal(after.iterations, r.iterations);
    assert_memory_equal(fresh, found, N * 8);
    for (int i = 0; i < N; i++) phase[i] = i < N / 2;
    assert_true(solver_set_phase(cg, phase, &e));
    assert_int_equal(solver_deflation_vectors(cg), 2);
    fill(&zero, s.a.p.n_padded);
    assert_int_equal(solver_solve(cg, &s.a, x, db).status, LINEAR_CONVERGED);
    memset(phase, 0, sizeof phase);
    assert_false(solver_set_phase(cg, phase, &e));
    assert_int_equal(solver_deflation_vectors(cg), 2);
    contrast = 1000;
    solver_free(cg), solver_free(other);
    device_free(x), device_free(y), device_free(db);
    free(b), free(fresh), free(found);
    system_free(&s), system_free(&t);
}

/* Regions separated by jumps of the coefficients are found, all or none. */
static void jumps_are_found(void **state)
{
    (void)state;
    struct linear_setting set = setting(DEFLATION_JUMPS, 100, DEFLATION_INVERSE);
    struct error e;
    set.preconditioner = PRECONDITIONER_MULTIGRID;
    contrast = 1e5;
    struct system s = system_of(jump, 48 * 48, 48);
    assert_true(fabs(matrix_contrast(&s.a) - contrast / 2) < 0.01 * contrast);
    struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, &e);
    assert_int_equal(solver_deflation_vectors(cg), 65);
    solver_free(cg);
    set.deflation_vectors = 20;
    assert_null(solver_create(&s.a, &set, &(struct solver_setup){0}, &e));
    assert_non_null(strstr(e.text, "deflation_vectors = 20"));
    system_free(&s);
    contrast = 1000;
}

static void refused(void **state)
{
    (void)state;
    struct system s = system_of(neumann, 100, 10);      /* singular, but not declared so */
    struct linear_setting set = setting(DEFLATION_STRIPES, 5, DEFLATION_INVERSE);
    double *b = numbers(100, 1), *x = numbers(100, 2);
    struct linear_result r = solve(&s, &set, false, -1, b, x, NULL);
    assert_int_equal(r.status, LINEAR_REFUSED);
    assert_non_null(r.note);
    free(b), free(x);
    system_free(&s);
}

/* ---------------------------------------------------------------- effectiveness */
/* With `poise solve --generate` systems; the initial guess is random, or 0. */
static int iterations(const char *what, double jumps, struct linear_setting set, bool random)
{
    char text[64];
    struct linear_system s = {0};
    struct matrix a;
    struct error e;
    double *guess;
    snprintf(text, sizeof text, "%s,%g", what, jumps);
    if (!generate(&s, text, NULL, &e) || !linear_system_order(&s, s.ordering, &e)) fail_msg("%s", e.text);
    linear_system_upload(&s, &a);
    NEW(guess, s.n);
    for (int i = 0; i < s.n && random; i++) guess[i] = random_number((uint64_t)i);
    double *b = linear_system_vector(&a, s.rhs, "test"), *x = linear_system_vector(&a, guess, "test");
    set.tolerance = 1e-6;
    struct solver *cg = solver_create(&a, &set, &(struct solver_setup){.singular = s.singular, .phase = s.phase}, &e);
    if (!cg) fail_msg("%s", e.text);
    struct linear_result r = solver_solve(cg, &a, x, b);
    assert_int_equal(r.status, LINEAR_CONVERGED);
    solver_free(cg);
    device_free(b), device_free(x);
    free(guess);
    matrix_free_alone(&a);
    linear_system_free(&s);
    return r.iterations;
}

static const enum preconditioner_kind theirs[] = {PRECONDITIONER_JACOBI, PRECONDITIONER_BLOCK_IC,
                                                  PRECONDITIONER_NEUMANN};

/* Gupta et al., section 7.1: half the iterations, whatever the contrast, with every preconditioner. */
static void halves_the_iterations(void **state)
{
    (void)state;
    for (double jumps = 10; jumps < 2e6; jumps *= 10)
        for (int p = 0; p < 3; p++) {
            struct linear_setting plain = with(setting(DEFLATION_NONE, 1, DEFLATION_INVERSE), theirs[p]);
            struct linear_setting deflated = with(setting(DEFLATION_STRIPES, 128, DEFLATION_INVERSE), theirs[p]);
            plain.block_rows = deflated.block_rows = 128;
            int before = iterations("layers:64", jumps, plain, true);
            int after = iterations("layers:64", jumps, deflated, true);
            print_message("layers, contrast %g, preconditioner %d: %d, deflated %d\n", jumps, theirs[p], before, after);
            assert_in_range(after, before * 4 / 10, before * 6 / 10);
        }
}

/* One vector per bubble: the count does not grow with the contrast, as it does without; and with the region between cut
 * into blocks it falls like that of blocks without contrast. */
static void contrast_does_not_matter(void **state)
{
    (void)state;
    for (int p = 0; p < 3; p++) {
        int before[6], after[6], cut[6], k = 0;
        for (double jumps = 10; jumps < 2e6; jumps *= 10, k++) {
            struct linear_setting plain = with(setting(DEFLATION_NONE, 1, DEFLATION_INVERSE), theirs[p]), set = plain;
            set.block_rows = plain.block_rows = 128;
            before[k] = iterations("bubbles2d:64,12", jumps, plain, false);
            set.deflation = DEFLATION_LEVEL_SET, set.deflation_vectors = 100;
            after[k] = iterations("bubbles2d:64,12", jumps, set, false);
            set.deflation = DEFLATION_LEVEL_SET_BLOCKS;
            cut[k] = iterations("bubbles2d:64,12", jumps, set, false);
            print_message("12 bubbles, contrast %g, preconditioner %d: %d, deflated %d, in blocks %d\n", jumps,
                          theirs[p], before[k], after[k], cut[k]);
            assert_in_range(after[k], after[0] * 9 / 10, after[0] * 13 / 10);
            assert_in_range(cut[k], after[k] / 5, after[k] * 7 / 10);
        }
        assert_in_range(before[5], 3 * after[5], 100 * after[5]);
        assert_in_range(before[5], 2 * before[0], 100 * before[0]);
    }
}

/* Multigrid's defaults reach tight tolerances over any jump, without falling back to another preconditioner. */
static void tight_over_jumps(void **state)
{
    (void)state;
    struct linear_system s = {0};
    struct matrix a;
    struct error e;
    if (!generate(&s, "bubbles2d:256,30,1e6", NULL, &e)) fail_msg("%s", e.text);
    if (!linear_system_order(&s, s.ordering, &e)) fail_msg("%s", e.text);
    linear_system_upload(&s, &a);
    double *zero, *b = linear_system_vector(&a, s.rhs, "test");
    NEW(zero, s.n);
    double *x = linear_system_vector(&a, zero, "test");
    for (int i = 0; i < 2; i++) {
        struct linear_setting set = {.preconditioner = PRECONDITIONER_MULTIGRID, .tolerance = 1e-8,
                                     .max_iterations = 1000, .deflation = i ? DEFLATION_JUMPS : DEFLATION_NONE,
                                     .deflation_vectors = 100};
        struct solver *cg = solver_create(&a, &set, &(struct solver_setup){.singular = s.singular}, &e);
        device_upload(x, zero, (size_t)s.n * sizeof *zero);
        struct linear_result r = solver_solve(cg, &a, x, b);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        assert_null(r.note);
        assert_in_range(r.iterations, 1, 60);
        solver_free(cg);
    }
    device_free(x), device_free(b), free(zero);
    matrix_free_alone(&a);
    linear_system_free(&s);
}

/* Rows along a bubble's surface are connected with it by entries that form no pairs.  They must not remain on every
 * level: the last level is small enough to be solved. */
static void coarsens_beside_bubbles(void **state)
{
    (void)state;
    struct linear_system s = {0};
    struct matrix a;
    struct error e;
    if (!generate(&s, "bubbles3d:64,8,1000", NULL, &e)) fail_msg("%s", e.text);
    if (!linear_system_order(&s, s.ordering, &e)) fail_msg("%s", e.text);
    linear_system_upload(&s, &a);
    struct multigrid *m = multigrid_create(&a, &(struct linear_setting){0}, s.singular);
    assert_in_range(multigrid_rows(m, multigrid_levels(m) - 1), 2, 48);
    multigrid_free(m);
    matrix_free_alone(&a);
    linear_system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_solution), cmocka_unit_test(against_the_algorithm), cmocka_unit_test(same_bits),
        cmocka_unit_test(pure_neumann), cmocka_unit_test(new_values), cmocka_unit_test(jumps_are_found),
        cmocka_unit_test(refused),
        cmocka_unit_test(halves_the_iterations), cmocka_unit_test(contrast_does_not_matter),
        cmocka_unit_test(tight_over_jumps), cmocka_unit_test(coarsens_beside_bubbles)};
    return RUN_TESTS("deflated cg", tests);
}

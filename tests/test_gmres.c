/* GMRES(m), flexible GMRES and BiCGStab on matrices of blocks of 1 to 5 rows with nonsymmetric values and patterns:
 * compared with elimination and with a textbook GMRES iteration by iteration, all stopping criteria, singular blocks,
 * the same bits for any number of threads. */
#include "block_system.h"
#include "solve/rows.h"

static const struct linear_setting standard = {.restart = 30, .tolerance = 1e-12, .absolute = 1e-300,
                                               .max_iterations = 3000};

static struct linear_result solve(const struct block_system *s, const struct linear_setting *set, const double *b,
                                  double *x, struct linear_history **history)
{
    struct error e = {0};
    double *db = block_vector(s, b), *dx = block_vector(s, x);
    struct solver *solver = solver_create(&s->a, set, &(struct solver_setup){.nonsymmetric = true}, &e);
    if (!solver) fail_msg("%s", e.text);
    if (history) solver_keep_history(solver);
    struct linear_result r = solver_solve(solver, &s->a, dx, db);
    if (history) *history = solver_history(solver);
    double *result = block_download(s, dx);
    memcpy(x, result, (size_t)(s->n * s->block) * sizeof *x);
    free(result), device_free(db), device_free(dx);
    static char note[300];                      /* copy, since the solver's own is freed with it */
    snprintf(note, sizeof note, "%s", r.note ? r.note : "");
    r.note = r.note ? note : NULL;
    solver_free(solver);
    return r;
}

static void check(const struct block_system *s, const struct linear_setting *set)
{
    int n = s->n * s->block;
    double *b = numbers(n, 7), *x = numbers(n, 5), *y;
    NEW(y, n);
    struct linear_result r = solve(s, set, b, x, NULL);
    if (r.status != LINEAR_CONVERGED)
        fail_msg("method %d, preconditioner %d, %d rows of %d: status %d after %d", (int)set->method,
                 (int)set->preconditioner, s->n, s->block, (int)r.status, r.iterations);
    if (n <= 700) {
        dense_solve(&s->dense, b, y);
        assert_true(distance(x, y, n) < 1e-9);
    } else {
        product(&s->dense, x, y);
        assert_true(distance(y, b, n) < 1e-10);
    }
    free(b), free(x), free(y);
}

static void against_elimination(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 511, 512, 513};
    static const enum preconditioner_kind kinds[] = {PRECONDITIONER_NONE, PRECONDITIONER_JACOBI};
    for (int i = 0; i < 7; i++)
        for (int block = 1; block <= MOST_BLOCK; block++) {
            struct block_system s = block_system(sizes[i], block, 9, 4);
            for (int m = METHOD_BICGSTAB; m <= METHOD_FGMRES; m++)
                for (int k = 0; k < 2; k++)
                    for (int side = 0; side <= (m == METHOD_GMRES && kinds[k] == PRECONDITIONER_JACOBI); side++) {
                        struct linear_setting set = standard;
                        set.method = (enum linear_method)m, set.preconditioner = kinds[k];
                        set.side = (enum preconditioning_side)side;
                        check(&s, &set);
                    }
            block_system_free(&s);
        }
}

/* Arnoldi's process by modified Gram-Schmidt, right-preconditioned by the scalar diagonal; history[k]: |r|. */
static int textbook(const struct system *s, const double *b, double *x, int m, int most, double tolerance,
                    double *history)
{
    int n = s->n, done = 0;
    double *v, *w, *h, *g, *y, *z, *c, *sn;
    NEW(v, (m + 1) * n), NEW(w, n), NEW(h, (m + 1) * m), NEW(g, m + 1), NEW(y, m), NEW(z, n), NEW(c, m), NEW(sn, m);
    for (bool converged = false; !converged && done < most;) {
        double beta = 0;
        product(s, x, w);
        for (int i = 0; i < n; i++) w[i] = b[i] - w[i], beta += w[i] * w[i];
        g[0] = beta = sqrt(beta);
        if (!done) history[0] = beta;
        for (int i = 0; i < n; i++) v[i] = w[i] / beta;
        int k = 0;
        while (k < m && done < most && !converged) {
            for (int i = 0; i < n; i++) z[i] = v[k * n + i] / s->diag[i];
            product(s, z, w);
            for (int j = 0; j <= k; j++) {
                double d = 0;
                for (int i = 0; i < n; i++) d += w[i] * v[j * n + i];
                for (int i = 0; i < n; i++) w[i] -= d * v[j * n + i];
                h[j * m + k] = d;
            }
            double norm = 0;
            for (int i = 0; i < n; i++) norm += w[i] * w[i];
            norm = sqrt(norm);
            for (int i = 0; i < n; i++) v[(k + 1) * n + i] = w[i] / norm;
            for (int j = 0; j < k; j++) {
                double up = h[j * m + k], low = h[(j + 1) * m + k];
                h[j * m + k] = c[j] * up + sn[j] * low, h[(j + 1) * m + k] = c[j] * low - sn[j] * up;
            }
            double length = hypot(h[k * m + k], norm);
            c[k] = h[k * m + k] / length, sn[k] = norm / length, h[k * m + k] = length;
            g[k + 1] = -sn[k] * g[k], g[k] *= c[k];
            history[++done] = fabs(g[++k]);
            converged = history[done] <= tolerance * history[0];
        }
        for (int j = k - 1; j >= 0; j--) {
            y[j] = g[j];
            for (int l = j + 1; l < k; l++) y[j] -= h[j * m + l] * y[l];
            y[j] /= h[j * m + j];
        }
        for (int j = 0; j < k; j++) for (int i = 0; i < n; i++) x[i] += y[j] * v[j * n + i] / s->diag[i];
    }
    free(v), free(w), free(h), free(g), free(y), free(z), free(c), free(sn);
    return done;
}

static void against_a_textbook(void **state)
{
    (void)state;
    static const int restarts[] = {1, 5, 7, 64};
    struct block_system s = block_system(400, 1, 20, 1.6);
    for (int k = 0; k < 4; k++)
        for (int flexible = 0; flexible < 2; flexible++) {
            struct linear_setting set = standard;
            set.method = flexible ? METHOD_FGMRES : METHOD_GMRES, set.preconditioner = PRECONDITIONER_JACOBI;
            set.restart = restarts[k], set.tolerance = 1e-6, set.max_iterations = 200;
            double *b = numbers(400, 3), *x = numbers(400, 8), *y = numbers(400, 8), *history;
            struct linear_history *h;
            NEW(history, 201);
            int iterations = textbook(&s.dense, b, y, set.restart, 200, 1e-6, history);
            struct linear_result r = solve(&s, &set, b, x, &h);
            assert_int_equal(r.iterations, iterations);
            assert_int_equal(r.restarts, (iterations - (r.status == LINEAR_CONVERGED)) / set.restart);
            for (int i = 0; i <= iterations; i++)
                if (fabs(sqrt(h[i].rr) - history[i]) > 1e-8 * history[0])
                    fail_msg("GMRES(%d), iteration %d: |r| %g, the textbook's %g", set.restart, i, sqrt(h[i].rr),
                             history[i]);
            assert_true(distance(x, y, 400) < 1e-6);
            free(b), free(x), free(y), free(history), free(h);
        }
    block_system_free(&s);
}

/* ---------------------------------------------------------------- stopping criteria */
/* The host's arrays of a block_system of 1 x 1 blocks. */
static struct block_system scalar(entry *f, int n, int near)
{
    struct system s = system_of(f, n, near);
    return (struct block_system){.a = s.a, .n = n, .block = 1, .start = s.start, .column = s.column, .value = s.value,
                                 .diag = s.diag, .dense = s};
}
static void scalar_free(struct block_system *s) { system_free(&s->dense); }

static double shift(int n, int i, int j) { return i == (j + 1) % n ? 1 : i == j ? 1e-300 : 0; }
static double twice(int n, int i, int j) { (void)n; return i == j ? 2 : 0; }
static double projector(int n, int i, int j) { (void)n; return i == j && i < 3 ? 1 : i == j ? 1e-300 : 0; }

static void ways_to_stop(void **state)
{
    (void)state;
    struct linear_setting set = standard;
    set.method = METHOD_GMRES, set.tolerance = 1e-8;
    double b[40] = {[3] = 1}, x[40] = {0};
    struct block_system s = scalar(shift, 40, 40);
    set.restart = 10;                           /* the shift of a unit vector is orthogonal to it for 39 iterations */
    struct linear_result r = solve(&s, &set, b, x, NULL);
    assert_true(r.status == LINEAR_MAX_ITERATIONS && r.iterations == 10 && r.restarts == 1);
    assert_non_null(strstr(r.note, "stagnates: a cycle of 10 iterations"));
    set.restart = 40;
    memset(x, 0, sizeof x);
    r = solve(&s, &set, b, x, NULL);
    assert_true(r.status == LINEAR_CONVERGED && r.iterations == 40 && fabs(x[2] - 1) < 1e-12);
    set.max_iterations = 7;
    memset(x, 0, sizeof x);
    r = solve(&s, &set, b, x, NULL);
    assert_true(r.status == LINEAR_MAX_ITERATIONS && r.iterations == 7 && !r.note);
    b[0] = NAN;
    memset(x, 0, sizeof x);
    assert_int_equal(solve(&s, &set, b, x, NULL).status, LINEAR_NOT_FINITE);
    scalar_free(&s);

    s = scalar(twice, 40, 1);                   /* the first vector solves it: nothing is left to orthogonalise */
    memset(x, 0, sizeof x), b[0] = 5;
    set.max_iterations = 100;
    r = solve(&s, &set, b, x, NULL);
    assert_true(r.status == LINEAR_CONVERGED && r.iterations == 1 && x[0] == 2.5 && x[3] == 0.5);
    memset(x, 0, sizeof x), memset(b, 0, sizeof b);
    r = solve(&s, &set, b, x, NULL);
    assert_true(r.status == LINEAR_CONVERGED && r.iterations == 0 && x[0] == 0);
    scalar_free(&s);

    s = scalar(projector, 40, 1);               /* A A b = A b, and b is not in its range */
    for (int i = 0; i < 40; i++) b[i] = 1, x[i] = 0;
    r = solve(&s, &set, b, x, NULL);
    assert_int_equal(r.status, LINEAR_BREAKDOWN);
    assert_true(r.iterations == 2 && fabs(x[0] - 1) < 1e-12);
    scalar_free(&s);
}

static void same_bits(void **state)
{
    (void)state;
    int threads = omp_get_max_threads();
    struct block_system s = block_system(3000, 3, 40, 2.5);
    for (int m = METHOD_BICGSTAB; m <= METHOD_FGMRES; m++) {
        struct linear_setting set = standard;
        uint64_t first = 0;
        set.method = (enum linear_method)m, set.preconditioner = PRECONDITIONER_JACOBI, set.restart = 9,
        set.tolerance = 1e-5;
        for (int t = 1; t <= 3; t++) {
            double *b = numbers(9000, 4), *x = numbers(9000, 2);
            omp_set_num_threads(t);
            assert_int_equal(solve(&s, &set, b, x, NULL).status, LINEAR_CONVERGED);
            if (t == 1) first = hash(x, 9000);
            assert_true(hash(x, 9000) == first);
            free(b), free(x);
        }
    }
    omp_set_num_threads(threads);
    block_system_free(&s);
}

static void refusals(void **state)
{
    (void)state;
    struct block_system s = block_system(40, 3, 9, 4);
    const struct { struct linear_setting set; const char *says; } row[] = {
        {{.method = METHOD_CG}, "method \"cg\" needs a symmetric matrix; expected bicgstab, gmres, fgmres"},
        {{.method = METHOD_GMRES, .preconditioner = PRECONDITIONER_IC0},
         "\"ic0\" does not suit block matrices; expected one of none, jacobi"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct error e = {0};
        assert_null(solver_create(&s.a, &row[i].set, &(struct solver_setup){.nonsymmetric = true}, &e));
        if (!strstr(e.text, row[i].says)) fail_msg("%s; expected %s", e.text, row[i].says);
    }
    struct error e = {0};
    assert_null(solver_create(&s.a, &(struct linear_setting){.method = METHOD_CG}, &(struct solver_setup){0}, &e));
    assert_non_null(strstr(e.text, "\"cg\" does not support block matrices; expected bicgstab, gmres, fgmres"));
    block_system_free(&s);
}

/* A singular diagonal block is reported when the solver is created; one that appears later, when it solves. */
static void singular_blocks(void **state)
{
    (void)state;
    for (int block = 1; block <= MOST_BLOCK; block++) {
        struct block_system s = block_system(40, block, 9, 4);
        struct linear_setting set = standard;
        struct error e = {0};
        set.method = METHOD_GMRES, set.preconditioner = PRECONDITIONER_JACOBI;
        struct solver *solver = solver_create(&s.a, &set, &(struct solver_setup){.nonsymmetric = true}, &e);
        for (int i = 0; i < block; i++) s.diag[18 * block * block + i * block] = 0;     /* a column of row 19 */
        int64_t *start, *place;
        int32_t *column;
        rows_download(&s.a.p, &start, &column, &place);
        block_upload(&s, place);
        double *b = block_vector(&s, NULL), *x = block_vector(&s, NULL);
        struct linear_result r = solver_solve(solver, &s.a, x, b);
        if (block > 1) {
            assert_int_equal(r.status, LINEAR_REFUSED);
            assert_string_equal(r.note, "row 19 of 40 (from 1, as the solver orders them) has a singular block on the "
                                "diagonal");
        }
        assert_null(solver_create(&s.a, &set, &(struct solver_setup){.nonsymmetric = true}, &e));
        assert_non_null(strstr(e.text, "row 19 of 40 (from 1, as the solver orders them) has "));
        assert_non_null(strstr(e.text, block > 1 ? "a singular block on the diagonal, by" : "0 on the diagonal, by"));
        free(start), free(column), free(place), device_free(b), device_free(x);
        solver_free(solver);
        block_system_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_elimination), cmocka_unit_test(against_a_textbook),
                                       cmocka_unit_test(ways_to_stop), cmocka_unit_test(same_bits),
                                       cmocka_unit_test(refusals), cmocka_unit_test(singular_blocks)};
    return RUN_TESTS("gmres", tests);
}

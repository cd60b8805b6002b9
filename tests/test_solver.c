/* Combinations of Krylov methods and preconditioners: every suitable pair compared with elimination; the others are
 * rejected with the names of suitable ones; a solver solves the matrix passed to it; recorded launches are reused. */
#include "linear_system.h"
#include "solve/linear_setting.h"
#include "solve/batch.h"
#include "solve/krylov.h"

enum { N = 900 };
static double poisson(int n, int i, int j) { return grid(n, i, j, 2); }
static double steeper(int n, int i, int j)      /* on the same pattern; symmetric */
{
    double scale = exp(0.3 * (number(i) + number(j)));
    return i == j ? 9 * scale : grid(n, i, j, 0) * (0.5 + 0.4 * number((int64_t)i + j)) * scale;
}
static double closed(int n, int i, int j) { return grid(n, i, j, 0); }
static double upwind(int n, int i, int j)       /* diffusion and convection to the upper right */
{
    double v = grid(n, i, j, 0);
    return i == j ? v + 2 * 3.0 + 0.1 : j == i - 1 || j == i - side(n) ? v * 4.0 : v;
}

static struct linear_setting setting(enum preconditioner_kind p, enum linear_method m)
{
    char method[40];
    const char *standard[] = {"tolerance=1e-11", "max_iterations=20000", method};
    struct linear_setting s;
    struct error e;
    snprintf(method, sizeof method, "method=%s", linear_method_words[m]);
    if (!linear_setting_read(&s, preconditioner_words[p], "none", standard, 3, &e)) fail_msg("%s", e.text);
    return s;
}

static struct linear_result solve(struct solver *solver, const struct system *s, int components, double *const *b,
                                  double **x)
{
    int64_t pitch = s->a.p.pitch;
    double *db = to_device(NULL, components * pitch), *dx = to_device(NULL, components * pitch);
    for (int k = 0; k < components; k++) device_upload(db + k * pitch, b[k], (size_t)s->n * 8);
    struct linear_result r = solver_solve(solver, &s->a, dx, db);
    for (int k = 0; k < components; k++) device_download(x[k], dx + k * pitch, (size_t)s->n * 8);
    device_free(db), device_free(dx);
    return r;
}

/* Solves with `solver` for components right-hand sides and compares with elimination. */
static void check(struct solver *solver, const struct system *s, int components, const char *what)
{
    double *b[3] = {NULL}, *x[3], *exact;
    NEW(exact, s->n);
    for (int k = 0; k < components; k++) {
        b[k] = numbers(s->n, 100 * k), x[k] = numbers(s->n, 5);
        for (int i = 0; i < s->n; i++) b[k][i] *= pow(1e6, k);
    }
    struct linear_result r = solve(solver, s, components, b, x);
    if (r.status != LINEAR_CONVERGED)
        fail_msg("%s: status %d after %d: %s", what, (int)r.status, r.iterations, r.note ? r.note : "");
    for (int k = 0; k < components; k++) {
        dense_solve(s, b[k], exact);
        double error = distance(x[k], exact, s->n);
        if (!(error < 1e-8)) fail_msg("%s: component %d differs by %g", what, k, error);
        free(b[k]), free(x[k]);
    }
    free(exact);
}

/* The stationary iteration is skipped where it is known to diverge: none, and preconditioners meant for Krylov
 * methods. */
static bool iterates(enum preconditioner_kind p, enum linear_method m)
{
    return m != METHOD_STATIONARY || p == PRECONDITIONER_GAUSS_SEIDEL || p == PRECONDITIONER_TWO_STAGE_GS ||
           p == PRECONDITIONER_IC0;
}

static void every_combination(void **state)
{
    (void)state;
    struct system s = system_of(poisson, N, 40), t = system_of(steeper, N, 40), u = system_of(upwind, N, 40);
    for (int m = 0; m < N_LINEAR_METHODS; m++)
        for (int p = 0; p < N_PRECONDITIONERS; p++)
            for (int nonsymmetric = 0; nonsymmetric < 2; nonsymmetric++) {
                bool refused = p == PRECONDITIONER_ASYNC_BLOCK_JACOBI && m == METHOD_CG;      /* rejected when parsed,
                                                                                                 too */
                struct linear_setting set = setting(refused ? PRECONDITIONER_BLOCK_JACOBI : (enum preconditioner_kind)p,
                                                    (enum linear_method)m);
                set.preconditioner = (enum preconditioner_kind)p;
                struct solver_setup setup = {.components = m == METHOD_BICGSTAB ? 3 : 1, .nonsymmetric = nonsymmetric};
                struct system *systems[] = {&s, &t, &u};
                struct error e = {0};
                char what[100];
                snprintf(what, sizeof what, "%s with %s", linear_method_words[m], preconditioner_words[p]);
                bool lu = p == PRECONDITIONER_ILU || p == PRECONDITIONER_BLOCK_ISAI ||
                          p == PRECONDITIONER_NESTED_SCHWARZ;
                bool changes = p == PRECONDITIONER_ASYNC_BLOCK_JACOBI || p == PRECONDITIONER_MULTIGRID;
                bool unfit = (m == METHOD_CG && lu) || (m == METHOD_GMRES && changes);
                bool suits = !refused && !unfit &&
                             (!nonsymmetric || (krylov_kinds[m].nonsymmetric && preconditioner_kinds[p].nonsymmetric));
                struct solver *solver = solver_create(&s.a, &set, &setup, &e);
                if (suits != !!solver) fail_msg("%s, symmetric or not %d: %s", what, nonsymmetric, e.text);
                if (!solver) {
                    assert_int_equal(e.status, EXIT_INPUT);
                    assert_non_null(strstr(e.text, "; expected "));
                    assert_non_null(strstr(e.text, krylov_kinds[m].nonsymmetric || !nonsymmetric ? "jacobi, "
                                                   : "bicgstab, gmres, fgmres"));
                }
                solver_free(solver);
                /* One solver, several matrices in turn; all on the pattern of the first. */
                int first = nonsymmetric ? 2 : 0, last = nonsymmetric ? 2 : 1;
                solver = suits && iterates((enum preconditioner_kind)p, (enum linear_method)m)
                         ? solver_create(&systems[first]->a, &set, &setup, &e) : NULL;
                for (int k = first; solver && k <= last; k++) {
                    struct system one = *systems[k];
                    one.a.p = systems[first]->a.p;
                    check(solver, &one, setup.components, what);
                }
                if (solver && !nonsymmetric) check(solver, &s, setup.components, what);
                solver_free(solver);
            }
    system_free(&s), system_free(&t), system_free(&u);
}

/* A zero on the diagonal is allowed for GMRES without a preconditioner; methods that divide by it reject it. */
static double turned(int n, int i, int j)
{
    (void)n;
    return i == j ? (i == 3 ? 0 : 2) : abs(i - j) == 1 ? (i < j ? 1 : -1) : 0;
}
static void zero_diagonal(void **state)
{
    (void)state;
    struct system s = system_of(turned, 50, 2);
    struct linear_setting set = setting(PRECONDITIONER_NONE, METHOD_GMRES);
    struct solver_setup setup = {.nonsymmetric = true};
    struct error e = {0};
    struct solver *solver = solver_create(&s.a, &set, &setup, &e);
    check(solver, &s, 1, "gmres, 0 on the diagonal");
    solver_free(solver);
    set.preconditioner = PRECONDITIONER_JACOBI;
    assert_null(solver_create(&s.a, &set, &setup, &e));
    assert_non_null(strstr(e.text, "row 4 of 50 (from 1, as the solver orders them) has 0 on the diagonal, by which"));
    system_free(&s);
}

/* Colouring of a nonsymmetric pattern: a row never has the colour of a row in its columns. */
static double one_sided(int n, int i, int j)
{
    (void)n;
    return i == j ? 4 : j == i + 7 || (j == i + 1 && i % 3) || (j == i - 2 && i % 5 == 1) ? -1 : 0;
}
static void one_sided_pattern(void **state)
{
    (void)state;
    static const enum preconditioner_kind kinds[] = {PRECONDITIONER_MULTICOLOUR_GS, PRECONDITIONER_TWO_STAGE_GS,
                                                     PRECONDITIONER_JACOBI_RICHARDSON, PRECONDITIONER_BLOCK_JACOBI};
    struct system s = system_of(one_sided, 1500, 8);
    for (int p = 0; p < 4; p++)
        for (int m = METHOD_BICGSTAB; m <= METHOD_FGMRES; m++) {
            struct linear_setting set = setting(kinds[p], (enum linear_method)m);
            uint64_t first = 0;
            for (int t = 1; t <= 3; t++) {
                struct solver *solver = solver_create(&s.a, &set, &(struct solver_setup){.nonsymmetric = true}, NULL);
                double *b = numbers(1500, 1), *x = numbers(1500, 2), *y;
                NEW(y, 1500);
                omp_set_num_threads(t);
                assert_int_equal(solve(solver, &s, 1, &b, &x).status, LINEAR_CONVERGED);
                product(&s, x, y);
                assert_true(distance(y, b, 1500) < 1e-9);
                if (t == 1) first = hash(x, 1500);
                assert_true(hash(x, 1500) == first);
                free(b), free(x), free(y);
                solver_free(solver);
            }
        }
    system_free(&s);
}

static void refusals(void **state)
{
    (void)state;
    struct system s = system_of(poisson, N, 40);
    const struct { struct linear_setting set; struct solver_setup setup; const char *says; } row[] = {
        {{.method = METHOD_CG}, {.components = 2},
         "method \"cg\" solves for at most 1 at once, not 2; expected bicgstab"},
        {{.method = METHOD_BICGSTAB}, {.components = 4},
         "method \"bicgstab\" solves for at most 3 at once, not 4; expected fewer"},
        {{.method = METHOD_CG}, {.nonsymmetric = true},
         "method \"cg\" needs a symmetric matrix; expected bicgstab, gmres, fgmres"},
        {{.method = METHOD_BICGSTAB, .preconditioner = PRECONDITIONER_IC0}, {.nonsymmetric = true},
         "preconditioner \"ic0\" does not suit nonsymmetric matrices; "
         "expected one of none, jacobi, block-jacobi, "},
        {{.method = METHOD_BICGSTAB, .deflation = DEFLATION_STRIPES}, {0},
         "does not support deflation; expected deflation = \"none\", or method cg"},
        {{.method = METHOD_BICGSTAB, .smoothing_before = 2}, {0},
         "does not support smoothing_before and smoothing_every"},
        {{.method = METHOD_CG, .preconditioner = PRECONDITIONER_GAUSS_SEIDEL, .direction = DIRECTION_FORWARD}, {0},
         "forward sweeps alone are not symmetric"},
        {{.method = METHOD_GMRES, .preconditioner = PRECONDITIONER_MULTIGRID}, {0},
         "because the operator depends on r (use fgmres)"},
        {{.method = METHOD_GMRES, .preconditioner = PRECONDITIONER_BLOCK_JACOBI, .inner = INNER_CG}, {0},
         "expected inner = \"jacobi\" or \"gauss-seidel\", or method = \"fgmres\""}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct error e = {0};
        assert_null(solver_create(&s.a, &row[i].set, &row[i].setup, &e));
        assert_int_equal(e.status, EXIT_INPUT);
        if (!strstr(e.text, row[i].says)) fail_msg("%s; expected %s", e.text, row[i].says);
    }
    system_free(&s);
}

/* BiCGStab if constants are the null space: A x = b minus its mean, x of mean zero. */
static void singular_bicgstab(void **state)
{
    (void)state;
    struct system s = system_of(closed, N, 40);
    static const enum preconditioner_kind kinds[] = {PRECONDITIONER_JACOBI, PRECONDITIONER_MULTIGRID};
    for (int p = 0; p < 2; p++) {
        struct linear_setting set = setting(kinds[p], METHOD_BICGSTAB);
        struct solver *solver = solver_create(&s.a, &set, &(struct solver_setup){.singular = true}, NULL);
        double *b = numbers(N, 3), *x = numbers(N, 9), *ax, mean = 0, sum = 0;
        solver_keep_history(solver);
        struct linear_result r = solve(solver, &s, 1, &b, &x);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        struct linear_history *h = solver_history(solver);
        assert_true(fabs(sqrt(h[0].rr) - r.initial) <= 1e-12 * r.initial);
        assert_true(fabs(sqrt(h[r.iterations].rr) - r.final) <= 1e-12 * r.initial);
        NEW(ax, N);
        product(&s, x, ax);
        for (int i = 0; i < N; i++) mean += b[i] / N, sum += x[i];
        for (int i = 0; i < N; i++) b[i] -= mean;
        assert_true(distance(ax, b, N) < 1e-9 && fabs(sum) < 1e-9);
        free(b), free(x), free(ax), free(h);
        solver_free(solver);
    }
    system_free(&s);
}

/* A second right-hand side with the same matrix: the same bits, whether or not matrix-dependent data is recomputed. */
static void solved_again(void **state)
{
    (void)state;
    struct system s = system_of(poisson, N, 40);
    for (int p = 0; p < N_PRECONDITIONERS; p++) {
        struct linear_result r[2];
        if (p == PRECONDITIONER_ASYNC_BLOCK_JACOBI) continue;           /* never the same twice */
        double *x[2], *b = numbers(N, 100), *other = numbers(N, 7);
        struct linear_setting set = setting((enum preconditioner_kind)p, METHOD_BICGSTAB);
        if (p == PRECONDITIONER_MULTIGRID) set.method = METHOD_CG;
        for (int again = 0; again < 2; again++) {
            struct error e;
            struct solver *solver = solver_create(&s.a, &set, &(struct solver_setup){0}, &e);
            if (!solver) fail_msg("%s", e.text);
            x[again] = numbers(N, 5);
            solve(solver, &s, 1, &b, &x[again]);
            double *db = to_device(NULL, s.a.p.pitch), *dx = to_device(NULL, s.a.p.pitch);
            device_upload(db, other, N * sizeof *db);
            r[again] = (again ? solver_solve_again : solver_solve)(solver, &s.a, dx, db);
            device_download(x[again], dx, N * sizeof *dx);
            device_free(db), device_free(dx);
            solver_free(solver);
        }
        assert_int_equal(r[0].iterations, r[1].iterations);
        assert_memory_equal(x[0], x[1], N * sizeof *x[0]);
        free(x[0]), free(x[1]), free(b), free(other);
    }
    system_free(&s);
}

static int launches;
static void iterate(void *solver) { (void)solver, launches++; }
static bool finished(void *solver) { (void)solver; return true; }

/* As in a time step: three arrays in rotation. */
static void recordings_are_kept(void **state)
{
    (void)state;
    struct batch b = {.length = 1};
    double x[BATCH_RECORDINGS + 1], val, other;
    struct device_graph *first[3];
    for (int step = 0; step < 12; step++) {
        batch_iterate(&b, (struct batch_arrays){.x = &x[step % 3], .val = &val}, iterate, finished, NULL);
        if (step < 3) first[step] = b.recorded[step].graph;
    }
    for (int i = 0; i < 3; i++) assert_true(first[i] && b.recorded[i].graph == first[i]);
    assert_null(b.recorded[3].graph);
    batch_iterate(&b, (struct batch_arrays){.x = &x[0], .val = &other}, iterate, finished, NULL);    /* another */
    assert_true(b.recorded[3].graph && b.recorded[3].arrays.val == &other);
    /* When all places are occupied, it replaces the oldest. */
    for (int i = 4; i <= BATCH_RECORDINGS; i++)
        batch_iterate(&b, (struct batch_arrays){.x = &x[i], .val = &val}, iterate, finished, NULL);
    assert_true(b.recorded[0].arrays.x == &x[BATCH_RECORDINGS] && b.recorded[1].graph == first[1]);
    /* A graph runs without the function it was recorded from. */
    const bool cuda = device_kind() == DEVICE_CUDA;
    assert_int_equal(launches, cuda ? BATCH_RECORDINGS + 1 : BATCH_RECORDINGS + 10);
    /* Several iterations are one recording, and there are as few recordings as possible. */
    launches = 0;
    for (int again = 0; again < 2; again++)
        batch_launch(&b, (struct batch_arrays){.x = x, .val = &val}, BATCH_ITERATIONS + 3, iterate, NULL);
    assert_int_equal(launches, (cuda ? 1 : 2) * (BATCH_ITERATIONS + 3));
    assert_true(b.recorded[1].body.times == BATCH_ITERATIONS && b.recorded[2].body.times == 3);
    batch_free(&b);
    for (int i = 0; i < BATCH_RECORDINGS; i++) assert_null(b.recorded[i].graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_combination), cmocka_unit_test(refusals),
                                       cmocka_unit_test(zero_diagonal), cmocka_unit_test(one_sided_pattern),
                                       cmocka_unit_test(singular_bicgstab), cmocka_unit_test(solved_again),
                                       cmocka_unit_test(recordings_are_kept)};
    return RUN_TESTS("solver", tests);
}

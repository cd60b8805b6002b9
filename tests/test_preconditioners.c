/* Incomplete Cholesky in all its forms, incomplete Poisson and Neumann compared with textbook formulas; symmetric,
 * positive, same bits on any number of threads; rejected matrices; iterations saved. */
#include "linear_system.h"
#include "gpu/vector.h"
#include "solve/study/incomplete_cholesky.h"
#include "textbook_preconditioners.h"

/* ---------------------------------------------------------------- matrices */
/* Rows in triangles, so that factors have products; row 5 isolated; badly scaled. */
static double meshed(int n, int i, int j)
{
    (void)n;
    int d = abs(i - j);
    double scale = exp(0.5 * (number(i) + number(j)));
    if (i == j) return 7 * scale;
    bool linked = i != 5 && j != 5 && (d <= 2 || d == 9 || (d == 40 && i % 3 == j % 3));
    return linked ? (-1 + 0.5 * number((int64_t)(i + j) * d)) * scale : 0;
}
static double diagonal(int n, int i, int j) { (void)n; return i == j ? 2 + i : 0; }
static double poisson(int n, int i, int j) { return grid(n, i, j, 2); }
static double indefinite(int n, int i, int j) { return i == j ? (i == n / 2 ? -3 : 3) : abs(i - j) == 1 ? -1 : 0; }
static double kershaw(int n, int i, int j)      /* Kershaw 1978: positive definite, but IC(0) has a pivot of -5 */
{
    static const double a[4][4] = {{3, -2, 0, 2}, {-2, 3, -2, 0}, {0, -2, 3, -2}, {2, 0, -2, 3}};
    (void)n;
    return i / 4 == j / 4 ? a[i % 4][j % 4] : 0;
}
static double chain(int n, int i, int j)        /* singular: the last pivot is 0 */
{
    return i == j ? (i > 0) + (i < n - 1) : abs(i - j) == 1 ? -1 : 0;
}

/* ---------------------------------------------------------------- methods */
#define IC(how, sweeps, ordering)                                                                                \
    {.preconditioner = PRECONDITIONER_IC0, .triangular = TRIANGULAR_##how, .factor_ordering = FACTOR_##ordering, \
     .factor_sweeps = sweeps, .triangular_sweeps = sweeps}
#define ISAI(power, ordering)                                                                                   \
    {.preconditioner = PRECONDITIONER_IC0, .triangular = TRIANGULAR_ISAI, .factor_ordering = FACTOR_##ordering, \
     .factor_sweeps = 100, .isai_power = power}
#define BLOCK_IC(g, ordering)                                                                                \
    {.preconditioner = PRECONDITIONER_BLOCK_IC, .factor_ordering = FACTOR_##ordering, .block_rows = g}
#define POISSON(how) {.preconditioner = PRECONDITIONER_INCOMPLETE_POISSON, .scaling = SCALING_##how}
#define NEUMANN(k) {.preconditioner = PRECONDITIONER_NEUMANN, .terms = k}
static const struct linear_setting method[] = {
    IC(HOST, 0, MATRIX), IC(LEVELS, 0, MATRIX), IC(FIXED_POINT, 100, MATRIX), IC(HOST, 0, CUTHILL_MCKEE),
    IC(LEVELS, 0, CUTHILL_MCKEE), IC(FIXED_POINT, 100, CUTHILL_MCKEE), IC(HOST, 0, MULTICOLOUR),
    IC(LEVELS, 0, MULTICOLOUR), BLOCK_IC(1, MATRIX), BLOCK_IC(7, MATRIX), BLOCK_IC(32, MATRIX), BLOCK_IC(100, MATRIX),
    BLOCK_IC(3000, MATRIX), BLOCK_IC(INT32_MAX, MATRIX), BLOCK_IC(33, MULTICOLOUR), BLOCK_IC(7, CUTHILL_MCKEE),
    BLOCK_IC(100, CUTHILL_MCKEE), BLOCK_IC(5000, CUTHILL_MCKEE), POISSON(DIAGONAL), POISSON(NONE), NEUMANN(1),
    NEUMANN(2), NEUMANN(3), NEUMANN(6), ISAI(1, MATRIX), ISAI(2, CUTHILL_MCKEE), ISAI(3, MATRIX),
    IC(FIXED_POINT, 1, MATRIX), IC(FIXED_POINT, 2, CUTHILL_MCKEE)};
enum { N_METHODS = sizeof method / sizeof *method };

static struct preconditioner *create(const struct system *s, const struct linear_setting *set)
{
    struct error e;
    struct preconditioner *p = preconditioner_create(&s->a, set, false, &e);
    assert_non_null(p);
    assert_null(preconditioner_refresh(p, &s->a));
    return p;
}

/* z [n] of r [n], both on the host. */
static void apply(const struct system *s, struct preconditioner *p, const double *r, double *z)
{
    int64_t n = s->a.p.n_padded;
    double *in = to_device(NULL, n), *out = to_device(NULL, n), *all;
    NEW(all, n);
    device_upload(in, r, (size_t)s->n * 8);
    p->apply(p, in, NULL, out);
    device_download(all, out, (size_t)n * 8);
    for (int64_t i = s->n; i < n; i++) assert_true(all[i] == 0 || isnan(r[0]));
    memcpy(z, all, (size_t)s->n * 8);
    free(all);
    device_free(in), device_free(out);
}

static void check_against_textbook(entry *f, int n)
{
    struct system s = system_of(f, n, 90);
    double *r = numbers(n, 17), *z, *exact, *nonsense = numbers(n, 3);
    NEW(z, n), NEW(exact, n);
    nonsense[0] = NAN;
    for (int m = 0; m < N_METHODS; m++) {
        struct preconditioner *p = create(&s, &method[m]);
        apply(&s, p, nonsense, z);              /* the result of an earlier call does not matter */
        apply(&s, p, r, z);
        textbook(&s, &method[m], r, exact);
        assert_true(distance(z, exact, n) < 1e-13);
        p->free(p);
    }
    free(r), free(z), free(exact), free(nonsense);
    system_free(&s);
}

static void against_textbook(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 511, 512, 513};
    for (int i = 0; i < 7; i++) check_against_textbook(meshed, sizes[i]);
    check_against_textbook(diagonal, 40);
    check_against_textbook(poisson, 900);
}

/* The values change, the pattern does not: the same as a new one. */
static void new_values(void **state)
{
    (void)state;
    enum { N = 700 };
    struct system s = system_of(poisson, N, 90), other = system_of(poisson, N, 90);
    double *r = numbers(N, 5), *z, *anew, *val, *diag;
    NEW(z, N), NEW(anew, N), NEW(val, s.a.p.n_stored), NEW(diag, N);
    device_download(val, s.a.val, (size_t)s.a.p.n_stored * 8);
    for (int64_t k = 0; k < s.a.p.n_stored; k++) val[k] *= 0.5;
    for (int i = 0; i < N; i++) diag[i] = s.diag[i] + 1;
    device_upload(other.a.val, val, (size_t)s.a.p.n_stored * 8), device_upload(other.a.diag, diag, N * 8);
    for (int m = 0; m < N_METHODS; m++) {
        struct preconditioner *p = create(&s, &method[m]), *q = create(&other, &method[m]);
        struct matrix kept = s.a;
        double *old_val = to_device(NULL, s.a.p.n_stored), *old_diag = to_device(NULL, s.a.p.n_padded);
        device_copy(old_val, s.a.val, (size_t)s.a.p.n_stored * 8);
        device_copy(old_diag, s.a.diag, (size_t)s.a.p.n_padded * 8);
        device_upload(kept.val, val, (size_t)s.a.p.n_stored * 8), device_upload(kept.diag, diag, N * 8);
        assert_null(preconditioner_refresh(p, &s.a));
        apply(&s, p, r, z), apply(&other, q, r, anew);
        assert_memory_equal(z, anew, N * 8);
        device_copy(kept.val, old_val, (size_t)s.a.p.n_stored * 8);
        device_copy(kept.diag, old_diag, (size_t)s.a.p.n_padded * 8);
        device_free(old_val), device_free(old_diag);
        p->free(p), q->free(q);
    }
    free(r), free(z), free(anew), free(val), free(diag);
    system_free(&s), system_free(&other);
}

static double dot(const double *x, const double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}

static void symmetric_positive(void **state)
{
    (void)state;
    entry *matrices[] = {meshed, poisson};
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < N_METHODS; m++) {
            enum { N = 1024 };
            struct system s = system_of(matrices[k], N, 90);
            struct preconditioner *p = create(&s, &method[m]);
            for (int trial = 0; trial < 3; trial++) {
                double *u = numbers(N, 1000 * trial), *v = numbers(N, 700 * trial + 77777), *mu, *mv;
                NEW(mu, N), NEW(mv, N);
                apply(&s, p, u, mu), apply(&s, p, v, mv);
                double size = sqrt(dot(mu, u, N) * dot(mv, v, N));
                assert_true(dot(mu, u, N) > 0 && dot(mv, v, N) > 0);
                assert_true(fabs(dot(u, mv, N) - dot(v, mu, N)) < 1e-13 * size);
                free(u), free(v), free(mu), free(mv);
            }
            p->free(p);
            system_free(&s);
        }
}

/* Levels of thousands of rows and of few, several device blocks in parallel. */
static void same_bits(void **state)
{
    (void)state;
    enum { N = 160 * 160 };
    struct system s = system_of(poisson, N, 160);
    int threads = omp_get_max_threads();
    double *r = numbers(N, 1), *z, *nonsense = numbers(N, 1);
    NEW(z, N);
    nonsense[0] = NAN;
    for (int m = 1; m < N_METHODS; m++) {
        if (method[m].factor_sweeps == 100) continue;           /* slow, and fewer sweeps show the same */
        uint64_t first = 0;
        for (int t = 1; t <= 3; t++) {
            omp_set_num_threads(t);
            struct preconditioner *p = create(&s, &method[m]);
            apply(&s, p, nonsense, z);
            apply(&s, p, r, z);
            for (int i = 0; i < N; i++) assert_true(isfinite(z[i]));
            if (t == 1) first = hash(z, N);
            assert_true(hash(z, N) == first);
            p->free(p);
        }
    }
    omp_set_num_threads(threads);
    free(r), free(z), free(nonsense);
    system_free(&s);
}

/* Wide levels are divided among blocks: the rows of the grid are one level each if columns are not coupled. */
static double columns(int n, int i, int j)
{
    (void)n;
    return i == j ? 4 : abs(i - j) == 3000 ? -1 - number(i + j) : 0;
}

static void wide_levels(void **state)
{
    (void)state;
    enum { N = 9100 };
    struct system s = system_of(columns, N, 3000);
    struct incomplete_cholesky *f = incomplete_cholesky_create(&s.a, N, IC_LEVELS, &method[1], NULL);
    assert_int_equal(incomplete_cholesky_plan(f)->n_levels, 4);
    assert_int_equal(incomplete_cholesky_plan(f)->n_launches, 4);
    incomplete_cholesky_free(f);
    double *r = numbers(N, 1), *z, *exact;
    NEW(z, N), NEW(exact, N);
    struct preconditioner *host = create(&s, &method[0]);
    apply(&s, host, r, exact);
    for (int m = 1; m < 3; m++) {
        struct preconditioner *p = create(&s, &method[m]);
        apply(&s, p, r, z);
        assert_true(distance(z, exact, N) < 1e-14);
        p->free(p);
    }
    host->free(host);
    free(r), free(z), free(exact);
    system_free(&s);
}

/* Rows that depend on each other one by one: rejected by levels in the matrix's order, but not in any other way. */
static double long_chain(int n, int i, int j) { (void)n; return i == j ? 3 : abs(i - j) == 1 ? -1 : 0; }
static void chains(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct system s = system_of(long_chain, N, 1);
    struct error e = {0};
    double *r = numbers(N, 1), *z, *exact;
    NEW(z, N), NEW(exact, N);
    struct preconditioner *host = create(&s, &method[0]);
    apply(&s, host, r, exact);
    assert_null(preconditioner_create(&s.a, &method[1], false, &e));
    assert_non_null(strstr(e.text, "5000 levels"));
    struct preconditioner *p = create(&s, &method[2]);
    apply(&s, p, r, z);
    assert_true(distance(z, exact, N) < 1e-14);
    host->free(host), p->free(p);
    free(r), free(z), free(exact);
    system_free(&s);
}

static void refusals(void **state)
{
    (void)state;
    static const struct { entry *f; int n; const char *row, *pivot; } bad[] = {
        {indefinite, 601, "row 301 of 601 ", "-3.38,"}, {kershaw, 4, "row 4 of 4 ", "-5,"},
        {kershaw, 600, "row 4 of 600 ", "-5,"}, {chain, 33, "row 33 of 33 ", ""}};
    for (int i = 0; i < 4; i++)
        for (int m = 0; m < 3; m++) {           /* in the matrix's order */
            struct system s = system_of(bad[i].f, bad[i].n, 4);
            struct error e;
            struct preconditioner *p = preconditioner_create(&s.a, &method[m], false, &e);
            for (int twice = 0; twice < 2; twice++) {
                const char *why = preconditioner_refresh(p, &s.a);
                assert_non_null(why);
                assert_non_null(strstr(why, bad[i].row));
                assert_non_null(strstr(why, bad[i].pivot));
            }
            p->free(p);
            system_free(&s);
        }
}

/* Poisson, 64 x 64, row by row: 1e-8 of the residual. */
static void iteration_counts(void **state)
{
    (void)state;
    enum { N = 64 * 64 };
    struct system s = system_of(poisson, N, 64);
    double *b = numbers(N, 1), *db = to_device(NULL, s.a.p.n_padded), *dx = to_device(NULL, s.a.p.n_padded);
    device_upload(db, b, N * 8);
    static const struct { struct linear_setting set; const char *name; int least, most; } row[] = {
        {{.preconditioner = PRECONDITIONER_JACOBI}, "jacobi", 150, 260},
        {IC(HOST, 0, MATRIX), "ic0 host", 65, 90}, {IC(LEVELS, 0, CUTHILL_MCKEE), "ic0 levels", 65, 90},
        {IC(FIXED_POINT, 3, CUTHILL_MCKEE), "ic0 fixed-point 3", 65, 120},
        {ISAI(3, CUTHILL_MCKEE), "ic0 isai 3", 65, 120}, {IC(LEVELS, 0, MULTICOLOUR), "ic0 multicolour", 90, 150},
        {BLOCK_IC(128, CUTHILL_MCKEE), "block-ic 2n", 110, 160},
        {BLOCK_IC(512, CUTHILL_MCKEE), "block-ic 8n", 80, 130}, {POISSON(DIAGONAL), "incomplete-poisson", 90, 150},
        {NEUMANN(1), "neumann 1", 90, 150},      {NEUMANN(2), "neumann 2", 60, 120}};
    int found[11];
    for (int m = 0; m < 11; m++) {
        struct linear_setting set = row[m].set;
        struct error e;
        set.tolerance = 1e-8;
        set.max_iterations = 1000;
        struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, &e);
        struct fill_args zero = {dx, 0};
        fill(&zero, s.a.p.n_padded);
        struct linear_result r = solver_solve(cg, &s.a, dx, db);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        print_message("%s %d\n", row[m].name, found[m] = r.iterations);
        assert_in_range(r.iterations, row[m].least, row[m].most);
        solver_free(cg);
    }
    assert_true(abs(found[1] - found[2]) <= 1 && found[2] <= found[3] && found[2] < found[7] && found[7] < found[6]);
    device_free(db), device_free(dx);
    free(b);
    system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_textbook), cmocka_unit_test(new_values), cmocka_unit_test(symmetric_positive),
        cmocka_unit_test(same_bits), cmocka_unit_test(wide_levels), cmocka_unit_test(chains),
        cmocka_unit_test(refusals),
        cmocka_unit_test(iteration_counts)};
    return RUN_TESTS("preconditioners", tests);
}

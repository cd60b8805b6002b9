/* Jacobi-Richardson, Gauss-Seidel, multicolour and two-stage Gauss-Seidel, Chebyshev compared with their formulas. */
#include "smoother_fixture.h"
#include "base/random.h"
#include "solve/smoother.h"

static const char *const methods[] = {
    "jr", "jr:sweeps=2:damping=0.8", "jr:sweeps=5", "gs2", "gs2:richardson_sweeps=0",
    "gs2:form=compact:richardson_sweeps=0", "gs2:sweeps=3:richardson_sweeps=2:damping=1.2:inner_damping=0.7",
    "gs2:form=compact:sweeps=3:richardson_sweeps=0:damping=0.9",
    "gs2:form=compact:sweeps=2:damping=1.2:inner_damping=0.7", "sgs2", "sgs2:richardson_sweeps=0",
    "sgs2:sweeps=2:richardson_sweeps=3:damping=0.8:inner_damping=0.9", "sgs2:form=compact",
    "sgs2:form=compact:richardson_sweeps=0", "sgs2:form=compact:sweeps=3:richardson_sweeps=2",
    "sgs2:form=compact:sweeps=2:local_sweeps=2:damping=1.3:inner_damping=0.6",
    "sgs2:form=compact:sweeps=2:richardson_sweeps=0:damping=0.7", "chebyshev:degree=1", "chebyshev:degree=2",
    "chebyshev", "chebyshev:degree=4:ratio=8", "chebyshev:degree=7:ratio=100",
    "jr:domain=slice:sweeps=3:local_sweeps=2", "jr:local_sweeps=3:sweeps=2", "sgs2:domain=slice",
    "sgs2:domain=slice:sweeps=2:local_sweeps=3:richardson_sweeps=2:damping=0.9",
    "sgs2:domain=slice:form=compact:sweeps=3:local_sweeps=2:inner_damping=0.8", "chebyshev:domain=slice", "sgs",
    "gs:sweeps=3:damping=1.3", "sgs:sweeps=2:damping=0.8", "multicolour-gs", "multicolour-gs:damping=1.4",
    "multicolour-gs:direction=forward:sweeps=3", "multicolour-gs:sweeps=3:damping=0.7"};
enum { N_METHODS = sizeof methods / sizeof *methods };

/* The reference on the host is in double precision only. */
static bool has_precision(const char *method)
{
    return setting(method).preconditioner != PRECONDITIONER_GAUSS_SEIDEL;
}

static void check_method(const struct system *s, const char *method, const char *precision, double tolerance)
{
    char text[200];
    snprintf(text, sizeof text, "%s%s", method, precision);
    struct linear_setting set = setting(text);
    double *b = numbers(s->n, 11), *x = formula(s, &set, b), *z = precondition(s, text, b);
    double difference = distance(z, x, s->n);
    if (!(difference < tolerance)) fail_msg("%s, %d rows: %g", text, s->n, difference);
    free(b), free(x), free(z);
}

static void against_formulas(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 511, 512, 513, 1100};
    for (int i = 0; i < 16; i++) {
        struct system s = i < 8 ? system_of(spd, sizes[i], 90) : i < 15 ? system_of(lopsided, sizes[i - 8], 90) :
                                                                         system_of(diagonal, 40, 90);
        for (int m = 0; m < N_METHODS; m++) {
            if (i >= 8 && i < 15 && setting(methods[m]).preconditioner == PRECONDITIONER_CHEBYSHEV) continue;
            check_method(&s, methods[m], "", 1e-13);
            if (has_precision(methods[m])) check_method(&s, methods[m], ":precision=single", 3e-6);
        }
        system_free(&s);
    }
}

/* u.Mv = v.Mu and u.Mu > 0 for preconditioners of conjugate gradients. */
static void check_symmetric(const struct system *s, const char *method, double tolerance)
{
    for (int trial = 0; trial < 3; trial++) {
        double *u = numbers(s->n, 1000 * trial), *v = numbers(s->n, 700 * trial + 77777);
        double *mu = precondition(s, method, u), *mv = precondition(s, method, v);
        double uu = inner_product(u, mu, s->n), vv = inner_product(v, mv, s->n);
        double difference = fabs(inner_product(u, mv, s->n) - inner_product(v, mu, s->n));
        if (!(uu > 0 && vv > 0 && difference < tolerance * sqrt(uu * vv)))
            fail_msg("%s: u.Mu %g, v.Mv %g, difference %g", method, uu, vv, difference);
        free(u), free(v), free(mu), free(mv);
    }
}

static void symmetric_and_positive(void **state)
{
    (void)state;
    static const char *const symmetric[] = {
        "jr", "jr:sweeps=3", "sgs2", "sgs2:sweeps=2:damping=0.8", "sgs2:form=compact",
        "sgs2:form=compact:richardson_sweeps=0", "sgs2:form=compact:sweeps=3:damping=1.4:inner_damping=0.5",
        "sgs2:form=compact:sweeps=2:richardson_sweeps=3", "chebyshev", "chebyshev:degree=4",
        "sgs2:domain=slice:sweeps=2", "sgs2:domain=slice:form=compact:local_sweeps=2", "multicolour-gs",
        "multicolour-gs:sweeps=2:damping=1.5", "sgs"};
    struct system systems[] = {system_of(spd, 1100, 90), system_of(poisson, 1024, 32)};
    for (int k = 0; k < 2; k++) {
        for (size_t m = 0; m < sizeof symmetric / sizeof *symmetric; m++) {
            char single[200];
            snprintf(single, sizeof single, "%s:precision=single", symmetric[m]);
            check_symmetric(&systems[k], symmetric[m], 1e-13);
            if (has_precision(symmetric[m])) check_symmetric(&systems[k], single, 1e-5);
        }
        system_free(&systems[k]);
    }
}

static void same_bits(void **state)
{
    (void)state;
    enum { N = 4800 };                          /* enough for several threads */
    struct system s = system_of(spd, N, 90);
    double *r = numbers(N, 1);
    int threads = omp_get_max_threads();
    for (int m = 0; m < 2 * N_METHODS; m++) {
        char text[200];
        if (m % 2 && !has_precision(methods[m / 2])) continue;
        snprintf(text, sizeof text, "%s%s", methods[m / 2], m % 2 ? ":precision=single" : "");
        uint64_t first = 0;
        for (int t = 1; t <= 3; t++) {
            omp_set_num_threads(t);
            double *z = precondition(&s, text, r);
            if (t == 1) first = hash(z, N);
            assert_true(hash(z, N) == first);
            free(z);
        }
    }
    omp_set_num_threads(threads);
    free(r);
    system_free(&s);
}

/* L is nilpotent: with as many inner sweeps as rows two-stage Gauss-Seidel is Gauss-Seidel. */
static void two_stage_becomes_gauss_seidel(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"gs2", "gs"}, {"sgs2:sweeps=2:damping=1.3", "sgs:sweeps=2:damping=1.3"},
                                           {"sgs2:form=compact:sweeps=2", "sgs:sweeps=2"}};
    struct system s = system_of(spd, 60, 90);
    double *b = numbers(s.n, 3);
    for (int i = 0; i < 3; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s:richardson_sweeps=60", pairs[i][0]);
        struct linear_setting set = setting(pairs[i][1]);
        double *z = precondition(&s, text, b), *x = formula(&s, &set, b);
        assert_true(distance(z, x, s.n) < 1e-13);
        free(z), free(x);
    }
    free(b);
    system_free(&s);
}

/* Residuals whose squares overflow in single precision. */
static void any_size_of_residual(void **state)
{
    (void)state;
    struct system s = system_of(spd, 600, 90);
    double *one = numbers(s.n, 5), *z = precondition(&s, "sgs2:precision=single", one);
    for (int i = 0; i < 2; i++) {
        double scale = i ? 0x1p-200 : 0x1p+200, *r = numbers(s.n, 5);
        for (int k = 0; k < s.n; k++) r[k] *= scale;
        double *scaled = precondition(&s, "sgs2:precision=single", r);
        for (int k = 0; k < s.n; k++) assert_true(scaled[k] == scale * z[k]);
        free(r), free(scaled);
    }
    free(one), free(z);
    system_free(&s);
}

/* A preconditioner made for other values is, after refresh(), like one made for these. */
static void new_values(void **state)
{
    (void)state;
    static const char *const kinds[] = {"sgs2", "chebyshev:precision=single", "sgs2:precision=single", "sgs",
                                        "multicolour-gs", "multicolour-gs:precision=single"};
    struct system s = system_of(spd, 600, 90);
    double *r = numbers(s.n, 2), *diag = numbers(s.n, 9);
    for (int i = 0; i < s.n; i++) diag[i] = s.diag[i] * (1.6 + diag[i]);
    for (int m = 0; m < 6; m++) {
        struct linear_setting set = setting(kinds[m]);
        struct error e;
        struct preconditioner *p = preconditioner_create(&s.a, &set, false, &e);
        double norm2 = inner_product(r, r, s.n), *dr = to_device(NULL, s.a.p.n_padded), *dn = to_device(&norm2, 1);
        double *dz = to_device(NULL, s.a.p.n_padded), *z;
        device_upload(dr, r, (size_t)s.n * 8);
        assert_null(preconditioner_refresh(p, &s.a));
        device_upload(s.a.diag, diag, (size_t)s.n * 8);
        assert_null(preconditioner_refresh(p, &s.a));
        p->apply(p, dr, dn, dz);
        NEW(z, s.n);
        device_download(z, dz, (size_t)s.n * 8);
        double *fresh = precondition(&s, kinds[m], r);
        assert_memory_equal(z, fresh, (size_t)s.n * 8);
        device_upload(s.a.diag, s.diag, (size_t)s.n * 8);
        double *old = precondition(&s, kinds[m], r);
        assert_true(distance(z, old, s.n) > 0.1);
        p->free(p);
        device_free(dr), device_free(dn), device_free(dz);
        free(z), free(fresh), free(old);
    }
    free(r), free(diag);
    system_free(&s);
}

/* ---------------------------------------------------------------- multigrid's smoothers */
static float *to_float(const double *v, int64_t n)
{
    float *host, *on_device = device_alloc((size_t)n * sizeof *host, "test");
    NEW(host, n);
    for (int64_t i = 0; i < n; i++) host[i] = (float)v[i];
    device_upload(on_device, host, (size_t)n * sizeof *host);
    free(host);
    return on_device;
}

static struct level_matrix level_of(const struct matrix *a)
{
    struct level_matrix l = {.p = a->p};
    double *val, *diag;
    NEW(val, a->p.n_stored), NEW(diag, a->p.n_padded);
    device_download(val, a->val, (size_t)a->p.n_stored * 8);
    device_download(diag, a->diag, (size_t)a->p.n_padded * 8);
    l.val = to_float(val, a->p.n_stored), l.diag = to_float(diag, a->p.n_padded);
    free(val), free(diag);
    return l;
}

/* guess (may be NULL) + M (b - A guess), [n]. */
static double *smooth(const struct level_smoother *m, const struct system *s, enum smoother_half half, const double *b,
                      const double *guess)
{
    int64_t n = s->a.p.n_padded;
    double *padded, *x;
    float *host, *db, *dx, *dg = NULL;
    NEW(padded, n), NEW(x, s->n), NEW(host, n);
    memcpy(padded, b, (size_t)s->n * 8);
    db = to_float(padded, n), dx = to_float(padded, n);
    if (guess) memcpy(padded, guess, (size_t)s->n * 8), dg = to_float(padded, n);
    smoother_apply(m, half, db, dg, dx);
    device_download(host, dx, (size_t)n * sizeof *host);
    for (int i = 0; i < s->n; i++) x[i] = host[i];
    for (int64_t i = s->n; i < n; i++) assert_true(host[i] == 0);
    device_free(db), device_free(dx), device_free(dg);
    free(padded), free(host);
    return x;
}

static void check_smoother(const struct system *s, const char *text)
{
    struct linear_setting set = setting(text), half_of = set;           /* one half is a separate method */
    struct level_matrix a = level_of(&s->a);
    struct level_smoother *m = smoother_create(&a, &set);
    bool chebyshev = set.smoother == SMOOTHER_CHEBYSHEV;
    half_of.preconditioner = chebyshev ? PRECONDITIONER_CHEBYSHEV : PRECONDITIONER_TWO_STAGE_GS;
    half_of.form = FORM_NON_COMPACT;
    double *b = numbers(s->n, 8), *v = numbers(s->n, 800), *zero, *mb[2], *mv[2];
    NEW(zero, s->n);
    smoother_refresh(m);
    for (int half = SMOOTH_BEFORE; half <= SMOOTH_AFTER; half++) {
        mb[half] = smooth(m, s, half, b, NULL), mv[half] = smooth(m, s, half, v, NULL);
        for (int guess = 0; guess < 2; guess++) {
            double *x = guess ? numbers(s->n, 50) : numbers(s->n, 60), *z = smooth(m, s, half, b, guess ? x : NULL);
            if (!guess) memcpy(x, zero, (size_t)s->n * 8);
            half_of.direction = half == SMOOTH_AFTER ? BACKWARD : DIRECTION_FORWARD;
            formula_from(s, &half_of, b, x);
            if (!(distance(z, x, s->n) < 3e-6)) fail_msg("%s, half %d: %g", text, half, distance(z, x, s->n));
            free(x), free(z);
        }
    }
    double adjoint = inner_product(v, mb[SMOOTH_BEFORE], s->n) - inner_product(b, mv[SMOOTH_AFTER], s->n);
    assert_true(fabs(adjoint) < 1e-6 * sqrt(inner_product(v, v, s->n) * inner_product(mb[0], mb[0], s->n)));
    for (int half = 0; half < 2; half++) free(mb[half]), free(mv[half]);
    smoother_free(m);
    device_free(a.val), device_free(a.diag);
    free(b), free(v), free(zero);
}

static void smoothers_of_a_level(void **state)
{
    (void)state;
    static const char *const kinds[] = {
        "multigrid:smoother=two-stage-gs",
        "multigrid:smoother=two-stage-gs:richardson_sweeps=0:sweeps=2:damping=0.7",
        "multigrid:smoother=two-stage-gs:sweeps=2:richardson_sweeps=3:damping=0.9:inner_damping=0.8",
        "multigrid:smoother=chebyshev", "multigrid:smoother=chebyshev:degree=1",
        "multigrid:smoother=two-stage-gs:domain=slice:sweeps=2:local_sweeps=2",
        "multigrid:smoother=chebyshev:domain=slice", "multigrid:smoother=chebyshev:degree=2:ratio=6"};
    static const int sizes[] = {1, 32, 33, 513, 1100};
    for (int i = 0; i < 5; i++) {
        struct system s = system_of(spd, sizes[i], 90);
        for (int k = 0; k < 8; k++) check_smoother(&s, kinds[k]);
        system_free(&s);
    }
}

/* ---------------------------------------------------------------- in the solver */
static struct linear_result solve(const struct system *s, const char *method, enum linear_method how, double tolerance)
{
    struct linear_setting set = setting(method);
    struct error e;
    set.tolerance = tolerance;
    set.method = how;
    set.max_iterations = 5000;
    struct solver *cg = solver_create(&s->a, &set, &(struct solver_setup){0}, &e);
    double *b, *db = to_device(NULL, s->a.p.n_padded), *x = to_device(NULL, s->a.p.n_padded);
    NEW(b, s->n);
    for (int i = 0; i < s->n; i++) b[i] = random_number((uint64_t)i);
    device_upload(db, b, (size_t)s->n * 8);
    struct linear_result r = solver_solve(cg, &s->a, x, db);
    solver_free(cg);
    device_free(db), device_free(x);
    free(b);
    return r;
}

static void iterations_of_conjugate_gradients(void **state)
{
    (void)state;
    struct system s = system_of(poisson, 64 * 64, 64);
    static const struct { const char *method; int least, most; } row[] = {
        {"jacobi", 200, 250}, {"sgs", 80, 100}, {"multicolour-gs", 100, 125},
        {"multicolour-gs:precision=single", 100, 125}, {"sgs2", 85, 110}, {"sgs2:precision=single", 85, 110},
        {"sgs2:form=compact:richardson_sweeps=0", 120, 150}, {"jr:sweeps=3", 110, 145}, {"chebyshev", 70, 90},
        {"chebyshev:degree=5:ratio=100", 43, 55}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct linear_result r = solve(&s, row[i].method, METHOD_CG, 1e-8);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        assert_in_range(r.iterations, row[i].least, row[i].most);
    }
    system_free(&s);
}

/* Thomas et al. (2021), figure 19b, at a quarter of its width: Laplace, n_x = 250, random right-hand side, to 1e-9.
 * There, at 1000: 1108, 1279, 1627; here at 1000 (tests/verify): 1104, 1274, 1563. */
static void iterations_of_the_report(void **state)
{
    (void)state;
    struct system s = system_of(laplace, 250 * 250, 250);
    /* Whether SGS takes 280 or 306 depends on the values of the right-hand side. */
    static const struct { const char *method; int least, most; } row[] = {
        {"sgs2:precision=single", 318, 334}, {"sgs", 278, 314}};
    for (int i = 0; i < 2; i++) {
        struct linear_result r = solve(&s, row[i].method, METHOD_CG, 1e-9);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        assert_in_range(r.iterations, row[i].least, row[i].most);
    }
    system_free(&s);
}

/* In one slice there is no order of slices; in several it converges like the synchronous one.  The bits differ, so it
 * is not among those. */
static void asynchronous_blocks(void **state)
{
    (void)state;
    struct system one = system_of(spd, 512, 90), more = system_of(poisson, 48 * 48, 48);
    double *r = numbers(one.n, 3), *z = precondition(&one, "async-block-jacobi:inner_sweeps=3", r);
    double *jacobi = precondition(&one, "jr:local_sweeps=3:damping=0.9", r);
    assert_true(distance(z, jacobi, one.n) < 1e-13);
    struct linear_result synchronous = solve(&more, "block-jacobi", METHOD_STATIONARY, 0.02);
    struct linear_result asynchronous = solve(&more, "async-block-jacobi", METHOD_STATIONARY, 0.02);
    assert_int_equal(asynchronous.status, LINEAR_CONVERGED);
    assert_in_range(asynchronous.iterations, synchronous.iterations / 3, synchronous.iterations * 11 / 10);
    free(r), free(z), free(jacobi);
    system_free(&one), system_free(&more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_formulas), cmocka_unit_test(symmetric_and_positive), cmocka_unit_test(same_bits),
        cmocka_unit_test(two_stage_becomes_gauss_seidel), cmocka_unit_test(any_size_of_residual),
        cmocka_unit_test(new_values), cmocka_unit_test(smoothers_of_a_level),
        cmocka_unit_test(iterations_of_conjugate_gradients), cmocka_unit_test(iterations_of_the_report),
        cmocka_unit_test(asynchronous_blocks)};
    return RUN_TESTS("smoothers", tests);
}

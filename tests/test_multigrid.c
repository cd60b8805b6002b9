/* A multigrid cycle as an operator, its smoothing and two of its levels compared with their formulas, new values,
 * choices from the matrix. */
#include "multigrid_fixture.h"
#include "solve/multigrid_levels.h"

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* The cycle is not a symmetric operator, but r.z > 0 must hold, and the same r gives the same z. */
static void cycle_is_positive(void **state)
{
    (void)state;
    static const struct box boxes[] = {
        {{18, 19}, .walls = true}, {{6, 6, 7}, .weight = random_weight, .walls = true},
        {{17, 18}, .stretch = 20, .walls = true}, {{90, 90}, .walls = true},
        {{20, 20, 20}, .distortion = 0.3, .walls = true}, {{70, 70}, .weight = drop, .walls = true},
        {{50, 50}, .walls = false}};
    for (size_t i = 0; i < 9 * sizeof boxes / sizeof *boxes; i++) {
        const struct box *box = &boxes[i / 9];
        struct linear_setting set = {.cycle = i / 3 % 3, .smoother = i % 3, .sweeps = 1, .local_sweeps = 1,
                                     .richardson_sweeps = 1, .damping = 1, .inner_damping = 1, .degree = 3,
                                     .ratio = 15};
        struct system s = box_system(box);
        struct multigrid *m = multigrid_create(&s.a, &set, !box->walls);
        multigrid_refresh(m);
        for (int trial = 0; trial < 3; trial++) {
            double *u = numbers(s.n, 1000 * trial), mean = 0;
            for (int k = 0; k < s.n; k++) mean += u[k] / s.n;
            for (int k = 0; k < s.n && !box->walls; k++) u[k] -= mean;
            double *mu = cycle(m, &s, u), *again = cycle(m, &s, u);
            assert_memory_equal(mu, again, (size_t)s.n * 8);
            assert_true(dot(mu, u, s.n) > 0);
            free(u), free(mu), free(again);
        }
        multigrid_free(m);
        system_free(&s);
    }
}

/* x = from + p(D^-1 A) on each slice's own system, after subtracting the others' contributions from b (double, row by
 * row). */
static void smooth_reference(const struct system *s, const double *b, const double *from, double *x)
{
    double *r, *next, least = 2.0 / 6, theta = (2 + least) / 2, delta = (2 - least) / 2;
    NEW(r, s->n), NEW(next, s->n);
    for (int i = 0; i < s->n; i++) {
        x[i] = from[i], r[i] = b[i];
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
            if (s->column[k] / SLICE != i / SLICE) r[i] -= s->value[k] * from[s->column[k]];
    }
    for (int sweep = 0; sweep < SLICE_SWEEPS; sweep++) {
        double omega = 1 / (theta - delta * cos(M_PI * (2 * sweep + 1) / (2 * SLICE_SWEEPS)));
        for (int i = 0; i < s->n; i++) {
            double d = r[i] - s->diag[i] * x[i];
            for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
                if (s->column[k] / SLICE == i / SLICE) d -= s->value[k] * x[s->column[k]];
            next[i] = x[i] + omega * d / s->diag[i];
        }
        memcpy(x, next, (size_t)s->n * sizeof *x);
    }
    free(r), free(next);
}

static float *single_vector(const double *v, int n, int64_t n_padded)
{
    float *host, *on_device = device_alloc((size_t)n_padded * sizeof *on_device, "test");
    NEW(host, n_padded);
    for (int i = 0; i < n; i++) host[i] = (float)v[i];
    device_upload(on_device, host, (size_t)n_padded * sizeof *host);
    free(host);
    return on_device;
}

/* wanted: the smoothed rows of a slice; guess: values of the others. */
static void check_half(struct smooth_args a, enum half half, const struct kernel *k, const double *guess,
                       const double *wanted)
{
    a.half = half;
    device_launch(k, &a, a.a.p.n_slices);
    float *x = FROM_DEVICE(a.to, a.a.p.n_padded);
    double difference = 0, size = 0;
    for (int64_t i = 0; i < a.a.p.n_padded; i++) {
        bool smoothed = half == ALL_SLICES || i / SLICE % 2 == (half == ODD_SLICES);
        if (i >= a.a.p.n) assert_true(x[i] == 0);
        else if (smoothed) difference = fmax(difference, fabs(x[i] - wanted[i])), size = fmax(size, fabs(wanted[i]));
        else assert_true(x[i] == (float)guess[i]);
    }
    assert_true(difference <= 1e-5 * size);
    free(x);
}

static void check_smoothed(const struct smooth_args *a, const struct kernel *k, const double *guess,
                           const double *wanted)
{
    for (enum half half = ALL_SLICES; half <= ODD_SLICES; half++) check_half(*a, half, k, guess, wanted);
}

/* Rows of 1 to over 32 entries: registers, and entries that do not fit into them. */
static double fan(int n, int i, int j)
{
    (void)n;
    int reach = abs(i - j);
    if (i == j) return 45 + i % 7;
    return reach <= 2 + i / 40 % 20 && reach <= 2 + j / 40 % 20 ? -1 + 0.5 * number((int64_t)(i + j) * reach) : 0;
}

static void smoothing_against_formula(void **state)
{
    (void)state;
    static const struct { entry *f; int n; } row[] = {{chain, 1}, {chain, 31}, {chain, 33}, {chain, 511}, {chain, 512},
                                                      {chain, 513}, {fan, 1300}, {diagonal, 700}};
    for (size_t c = 0; c < sizeof row / sizeof *row; c++) {
        struct system s = system_of(row[c].f, row[c].n, 90);
        struct level_matrix l = single(&s.a);
        double *b = numbers(s.n, 1), *from = numbers(s.n, 7), *wanted, *guess, *few = numbers(s.n, 3);
        int32_t *parent, *on_device = device_alloc((size_t)s.a.p.n_padded * sizeof *on_device, "test");
        NEW(wanted, s.n), NEW(parent, s.a.p.n_padded);
        float *fb = single_vector(b, s.n, s.a.p.n_padded), *ff = single_vector(from, s.n, s.a.p.n_padded);
        float *fc = single_vector(few, s.n, s.a.p.n_padded), *to = single_vector(b, s.n, s.a.p.n_padded);
        for (int64_t i = 0; i < s.a.p.n_padded; i++) parent[i] = i < s.n ? (int32_t)(i * 7 % s.n / 8) : -1;
        device_upload(on_device, parent, (size_t)s.a.p.n_padded * sizeof *parent);
        NEW(guess, s.n);
        struct smooth_args plain = {.a = l, .b = fb, .from = ff, .to = to, .factor = 1};
        struct smooth_args prolonged = {.a = l, .b = fb, .from = fc, .parent = on_device, .to = to, .factor = 1.5f};
        smooth_reference(&s, b, from, wanted);
        static const struct kernel *const forms[] = {&multigrid_smooth_kernel, &multigrid_smooth_few_kernel,
                                                     &multigrid_smooth_short_kernel, &multigrid_smooth_long_kernel};
        static const struct kernel *const with_parents[] = {
            &multigrid_smooth_prolonged_kernel, &multigrid_smooth_prolonged_few_kernel,
            &multigrid_smooth_prolonged_short_kernel, &multigrid_smooth_prolonged_long_kernel};
        for (int f = 0; f < 4; f++) check_smoothed(&plain, forms[f], from, wanted);
        for (int i = 0; i < s.n; i++) guess[i] = 1.5f * (float)few[parent[i]];
        smooth_reference(&s, b, guess, wanted);
        for (int f = 0; f < 4; f++) check_smoothed(&prolonged, with_parents[f], guess, wanted);
        free(guess);
        free(b), free(from), free(wanted), free(few), free(parent);
        device_free(fb), device_free(ff), device_free(fc), device_free(to), device_free(on_device);
        level_matrix_free(&l, false);
        system_free(&s);
    }
}

/* z of two levels: sums over the aggregates, the coarse system solved, prolonged to the rows times the factor, smoothed
 * twice. */
static void two_levels_against_formula(void **state)
{
    (void)state;
    static const struct box boxes[] = {{{18, 19}, .walls = true}, {{6, 6, 7}, .weight = random_weight, .walls = true},
                                       {{14, 17}, .stretch = 20, .walls = true},
                                       {{16, 12}, .walls = true, .distortion = 0.3}};
    for (int c = 0; c < 4; c++) {
        struct system s = box_system(&boxes[c]), coarse = {0};
        struct multigrid *m = multigrid_create(&s.a, &(struct linear_setting){0}, false);
        double factor = m->choice.factor;
        multigrid_refresh(m);
        assert_int_equal(multigrid_levels(m), 2);
        struct level_matrix fine = single(&s.a), next;
        struct aggregation g;
        assert_true(aggregate(&fine, PAIRINGS, &g, &next));
        int32_t *parent = FROM_DEVICE(g.parent, fine.p.n_padded);
        struct host h = download(&next);
        coarse.n = h.n, coarse.start = h.start, coarse.column = h.column, coarse.value = h.value, coarse.diag = h.diag;
        double *v = numbers(s.n, 5), *z = cycle(m, &s, v), *sum, *coarse_x, *x, *y;
        NEW(sum, h.n), NEW(coarse_x, h.n), NEW(x, s.n), NEW(y, s.n);
        for (int i = 0; i < s.n; i++) sum[parent[i]] += v[i];
        dense_solve(&coarse, sum, coarse_x);
        for (int i = 0; i < s.n; i++) x[i] = factor * coarse_x[parent[i]];
        smooth_reference(&s, v, x, y);
        smooth_reference(&s, v, y, x);
        assert_true(distance(z, x, s.n) < 1e-4);
        free(v), free(z), free(sum), free(coarse_x), free(x), free(y), free(parent);
        host_free(&h);
        aggregation_free(&g);
        level_matrix_free(&fine, false), level_matrix_free(&next, true);
        multigrid_free(m);
        system_free(&s);
    }
}

/* Whichever level is the first whose steps are one launch, the cycle has the same bits. */
static void launches_make_no_difference(void **state)
{
    (void)state;
    static const struct box boxes[] = {{{90, 90}, .walls = true}, {{40, 40, 40}, .walls = true},
                                       {{30, 17}, .walls = true}, {{24, 24, 24}, .distortion = 0.3, .walls = false}};
    static const struct linear_setting settings[] = {
        {0}, {.k_levels = 3}, {.cycle = CYCLE_W, .k_levels = 2}, {.cycle = CYCLE_V}};
    for (size_t i = 0; i < 4 * sizeof boxes / sizeof *boxes; i++) {
        struct system s = box_system(&boxes[i / 4]);
        struct multigrid *m = multigrid_create(&s.a, &settings[i % 4], !boxes[i / 4].walls);
        double *u = numbers(s.n, 9), *wanted;
        multigrid_refresh(m);
        m->bottom = m->n_levels - 1;
        wanted = cycle(m, &s, u);
        for (m->bottom--; m->bottom >= 0 && m->level[m->bottom].a.p.n_slices <= MOST_CLUSTER; m->bottom--)
            for (int trial = 0; trial < 3; trial++) {
                double *z = cycle(m, &s, u);
                assert_memory_equal(z, wanted, (size_t)s.n * 8);
                free(z);
            }
        free(u), free(wanted);
        multigrid_free(m);
        system_free(&s);
    }
}

/* Off-diagonals times 4 are as strong relative to each other as before; the diagonal does not affect the structure. */
static void change_values(const struct matrix *a)
{
    double *val = FROM_DEVICE(a->val, a->p.n_stored), *diag = FROM_DEVICE(a->diag, a->p.n_padded);
    for (int64_t k = 0; k < a->p.n_stored; k++) val[k] *= 4;
    for (int64_t i = 0; i < a->p.n; i++) diag[i] *= 4.2 + 0.2 * number(i);
    device_upload(a->val, val, (size_t)a->p.n_stored * 8);
    device_upload(a->diag, diag, (size_t)a->p.n_padded * 8);
    free(val), free(diag);
}

static void refresh_is_a_new_hierarchy(void **state)
{
    (void)state;
    static const struct box box = {{24, 24, 24}, .walls = true};
    struct system s = box_system(&box), t = box_system(&box);
    change_values(&t.a);
    struct multigrid *m = multigrid_create(&s.a, &(struct linear_setting){0}, false),
                     *fresh = multigrid_create(&t.a, &(struct linear_setting){0}, false);
    multigrid_refresh(m), multigrid_refresh(fresh);
    assert_int_equal(multigrid_levels(m), multigrid_levels(fresh));
    for (int i = 0; i < multigrid_levels(m); i++) assert_int_equal(multigrid_rows(m, i), multigrid_rows(fresh, i));
    assert_true(multigrid_levels(m) >= 3 && multigrid_complexity(m) > 1 && multigrid_complexity(m) < 2);
    double *u = numbers(s.n, 3), *before = cycle(m, &s, u), *wanted = cycle(fresh, &t, u);
    change_values(&s.a);
    multigrid_refresh(m);
    double *after = cycle(m, &s, u);
    assert_memory_not_equal(before, wanted, (size_t)s.n * 8);
    assert_memory_equal(after, wanted, (size_t)s.n * 8);
    free(u), free(before), free(wanted), free(after);
    multigrid_free(m), multigrid_free(fresh);
    system_free(&s), system_free(&t);
}

static double cross_drop(int32_t face, double x, double y) { return drop(face, x, y) * 1000; }

/* Choices from the matrix, which keys override. */
static void choice(void **state)
{
    (void)state;
    static const struct { struct box box; struct linear_setting set; const char *words; } row[] = {
        {{{90, 90}, .walls = true}, {0}, "1 level by two steps, over-correction 1.5, 4 sweeps, aggregates of 8"},
        {{{320, 320}, .walls = true}, {0}, "2 levels by two steps, over-correction 1.4, 4 sweeps, aggregates of 8"},
        {{{90, 90}, .weight = cross_drop, .walls = true}, {0},
         "2 levels by two steps, over-correction 1.4, 4 sweeps, aggregates of 8"},
        {{{30, 30, 30}, .walls = true}, {0},
         "1 level by two steps, over-correction 1.5, 4 sweeps, level 2 smoothed once, aggregates of 8"},
        {{{30, 30, 30}, .stretch = 1000, .walls = true}, {0},
         "1 level by two steps, over-correction 1.25, 4 sweeps, aggregates of 8"},
        {{{20, 20, 20}, .distortion = 0.3, .walls = true}, {.smoother = SMOOTHER_CHEBYSHEV, .degree = 3, .ratio = 15},
         "1 level by two steps, over-correction 1.5, aggregates of 8"},
        {{{30, 30, 30}, .walls = true}, {.cycle = CYCLE_V},
         "0 levels by two steps, over-correction 1.5, 4 sweeps, level 2 smoothed once, aggregates of 8"},
        {{{30, 30, 30}, .walls = true},
         {.k_levels = 2, .pairings = 2},
         "2 levels by two steps, over-correction 1.4, 4 sweeps, level 2 smoothed once, aggregates of 4"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char words[160];
        struct system s = box_system(&row[i].box);
        struct multigrid *m = multigrid_create(&s.a, &row[i].set, false);
        for (int k = 0; k < 2; k++) {                   /* kept with the structure made anew, from other values */
            multigrid_describe(m, words, sizeof words);
            assert_string_equal(words, row[i].words);
            change_values(&s.a);
            assert_true(multigrid_rebuild(m, NULL, 0));
        }
        multigrid_free(m);
        system_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cycle_is_positive),
                                       cmocka_unit_test(smoothing_against_formula),
                                       cmocka_unit_test(two_levels_against_formula),
                                       cmocka_unit_test(launches_make_no_difference),
                                       cmocka_unit_test(refresh_is_a_new_hierarchy),
                                       cmocka_unit_test(choice)};
    return RUN_TESTS("multigrid", tests);
}

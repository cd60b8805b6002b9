/* When multigrid's structure is rebuilt, and from which matrix. */
#include "multigrid_fixture.h"
#include "solve/rebuild.h"

/* 64 cells in the direction: the faces across it are the strong ones. */
static bool on_line(double x) { return fabs(64 * x - round(64 * x)) < 0.25; }
static double strong_x(int32_t face, double x, double y) { return (void)face, (void)y, on_line(x) ? 1000 : 1; }
static double strong_y(int32_t face, double x, double y) { return (void)face, (void)x, on_line(y) ? 1000 : 1; }
static const struct box along[] = {{{64, 64}, .weight = strong_x, .walls = true},
                                   {{64, 64}, .weight = strong_y, .walls = true}};

static struct linear_result solve_from_zero(const struct system *s, struct solver *cg, uint64_t *bits)
{
    double *b = numbers(s->n, 8), *db = to_device(NULL, s->a.p.n_padded), *dx = to_device(NULL, s->a.p.n_padded);
    device_upload(db, b, (size_t)s->n * 8);
    struct linear_result r = solver_solve(cg, &s->a, dx, db);
    assert_int_equal(r.status, LINEAR_CONVERGED);
    device_download(b, dx, (size_t)s->n * 8);
    *bits = hash(b, s->n);
    free(b);
    device_free(db), device_free(dx);
    return r;
}

/* The next solves: n with about the same number of iterations, without a note. */
static void solve_quietly(const struct system *s, struct solver *cg, int n, int least, int most)
{
    for (uint64_t bits; n > 0; n--) {
        struct linear_result r = solve_from_zero(s, cg, &bits);
        assert_null(r.note);
        assert_in_range(r.iterations, least, most);
    }
}

static void structure_is_made_anew(void **state)
{
    (void)state;
    struct linear_setting set = {.preconditioner = PRECONDITIONER_MULTIGRID, .tolerance = 1e-8, .max_iterations = 500};
    struct system s = box_system(&along[0]), of[] = {box_system(&along[0]), box_system(&along[1])};
    struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
    uint64_t bits, again;
    char wanted[100];
    int good = solve_from_zero(&s, cg, &bits).iterations, slow[2], least = 2 * good + 6;
    take_values(&s.a, &of[1].a);
    for (int i = 0; i < 2; i++) slow[i] = solve_from_zero(&s, cg, &bits).iterations;
    print_message("structure for other values: %d iterations, %d then %d\n", good, slow[0], slow[1]);
    assert_true(slow[0] >= least && slow[1] >= least);
    struct linear_result r = solve_from_zero(&s, cg, &bits);
    snprintf(wanted, sizeof wanted, "multigrid's structure rebuilt: %d iterations, %d when it was built", slow[1],
             good);
    assert_string_equal(r.note, wanted);
    print_message("with a structure of its own: %d\n", r.iterations);
    assert_true(r.iterations <= 1.5 * good);
    int64_t n;
    int32_t *structure = solver_structure(cg, &n);                          /* another one from there: the same bits */
    take_values(&s.a, &of[0].a);
    struct solver *other = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
    take_values(&s.a, &of[1].a);
    assert_true(solver_set_structure(other, structure, n) &&
                solve_from_zero(&s, other, &again).iterations == r.iterations);
    assert_true(again == bits);
    take_values(&s.a, &of[0].a);
    solve_quietly(&s, cg, REBUILD_KEPT - 1, least, 500);                /* not anew so soon */
    assert_non_null(solve_from_zero(&s, cg, &bits).note);
    solve_quietly(&s, cg, REBUILD_KEPT + 3, 1, least);
    solver_free(cg), solver_free(other);
    free(structure);
    system_free(&s), system_free(&of[0]), system_free(&of[1]);
}

static int32_t *parents_of(const struct multigrid *m, int64_t *n)
{
    int32_t *parents;
    *n = multigrid_parents(m, NULL);
    NEW(parents, *n);
    assert_true(multigrid_parents(m, parents) == *n);
    return parents;
}

/* From values like a new hierarchy; from its parents with other values, back to the same bits. */
static void rebuilt_is_a_new_hierarchy(void **state)
{
    (void)state;
    struct system s = box_system(&along[0]), t = box_system(&along[1]);
    for (int smoother = 0; smoother < 3; smoother++) {
        struct linear_setting set = {.cycle = smoother % 3, .smoother = smoother, .sweeps = 1, .local_sweeps = 1,
                                     .richardson_sweeps = 1, .damping = 1, .inner_damping = 1, .degree = 3,
                                     .ratio = 15};
        struct system now = box_system(&along[0]);
        struct multigrid *fresh = multigrid_create(&t.a, &set, false);
        multigrid_refresh(fresh);
        int64_t n;
        size_t before = device_bytes();
        struct multigrid *m = multigrid_create(&now.a, &set, false);
        double *u = numbers(s.n, 3), *wanted = cycle(fresh, &t, u), *z[4];
        int32_t *parents = parents_of(fresh, &n);
        for (int k = 0; k < 4; k++) {                                   /* 0: of s; 1: of s on t; 2: anew; 3: given */
            take_values(&now.a, k == 1 || k == 2 ? &t.a : &s.a);
            if (k == 2) assert_true(multigrid_rebuild(m, NULL, 0));
            if (k == 3) assert_true(multigrid_rebuild(m, NULL, 0) && multigrid_rebuild(m, parents, n));
            take_values(&now.a, k ? &t.a : &s.a);
            multigrid_refresh(m);
            z[k] = cycle(m, &now, u);
            if (k > 1) assert_memory_equal(z[k], wanted, (size_t)s.n * 8);
            else assert_memory_not_equal(z[k], wanted, (size_t)s.n * 8);
            free(z[k]);
        }
        multigrid_free(m);
        assert_int_equal(device_bytes(), before);
        multigrid_free(fresh);
        free(u), free(wanted), free(parents);
        system_free(&now);
    }
    system_free(&s), system_free(&t);
}

static void parents_that_are_none(void **state)
{
    (void)state;
    struct system s = box_system(&along[0]);
    struct multigrid *m = multigrid_create(&s.a, &(struct linear_setting){0}, false);
    static const struct { int64_t at; int32_t by; } wrong[] = {
        {0, -1}, {511, INT32_MIN}, {700, INT32_MAX}, {600, 0}, {4100, 90}};
    int64_t n;
    int32_t *parents = parents_of(m, &n), levels = multigrid_levels(m);
    assert_true(levels >= 3 && n > 4096 && multigrid_rebuild(m, parents, n));
    assert_false(multigrid_rebuild(m, parents, n - 1));
    assert_false(multigrid_rebuild(m, parents, 4095));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int32_t right = parents[wrong[i].at];
        parents[wrong[i].at] = wrong[i].by;
        assert_false(multigrid_rebuild(m, parents, n));
        parents[wrong[i].at] = right;
    }
    for (int64_t i = 0; i < 4096; i++) parents[i] += parents[i] > 3;     /* the fifth without children */
    assert_false(multigrid_rebuild(m, parents, n));
    assert_int_equal(multigrid_levels(m), levels);
    assert_true(multigrid_rebuild(m, parents, 0) && multigrid_levels(m) == 1);
    multigrid_free(m);
    free(parents);
    system_free(&s);
}

/* The policy alone. */
static void when_it_is_due(void **state)
{
    (void)state;
    static const struct { int n, iterations[8]; bool due; } row[] = {
        {0, {0}, false}, {3, {10, 26, 26}, true}, {3, {10, 25, 26}, false}, {4, {10, 26, 25, 26}, false},
        {5, {10, 26, 11, 90, 40}, true}, {4, {0, 4, 13, 13}, false}, {4, {0, 4, 14, 14}, true}, {1, {90}, false}};
    struct system s = system_of(chain, 100, 90);
    struct multigrid *m = multigrid_create(&s.a, &(struct linear_setting){0}, false);
    char note[100];
    for (int anew = 0; anew < 2; anew++)
        for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
            struct rebuild r = {.anew = anew, .age = anew ? REBUILD_KEPT - row[i].n : 0};
            for (int k = 0; k < row[i].n; k++) {
                assert_false(rebuild_if_due(&r, m, note, sizeof note));
                rebuild_watch(&r, row[i].iterations[k]);
            }
            assert_true(rebuild_if_due(&r, m, note, sizeof note) == row[i].due);
            if (row[i].due) assert_true(r.anew && !r.made && !r.slow && !r.age);
        }
    multigrid_free(m);
    system_free(&s);
}

/* A smoother "auto" is replaced after two hard solves in a row, any other one never. */
static void when_the_smoother_is_replaced(void **state)
{
    (void)state;
    const struct linear_setting automatic = {.smoother = SMOOTHER_AUTO}, plain = {0};
    struct system s = box_system(&along[0]);
    struct multigrid *m = multigrid_create(&s.a, &automatic, false), *other = multigrid_create(&s.a, &plain, false);
    struct rebuild r = {0};
    assert_true(multigrid_may_strengthen(m));
    assert_false(multigrid_may_strengthen(other));
    for (int i = 0; i < 4; i++) {
        static const int iterations[] = {REBUILD_HARD + 1, REBUILD_HARD, REBUILD_HARD + 1, REBUILD_HARD + 1};
        rebuild_watch(&r, iterations[i]);
        assert_true(rebuild_due(&r, m) == (i == 3));
        assert_false(rebuild_due(&r, other));
    }
    multigrid_free(m), multigrid_free(other);
    system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(structure_is_made_anew),
                                       cmocka_unit_test(rebuilt_is_a_new_hierarchy),
                                       cmocka_unit_test(parents_that_are_none), cmocka_unit_test(when_it_is_due),
                                       cmocka_unit_test(when_the_smoother_is_replaced)};
    return RUN_TESTS("multigrid's structure", tests);
}

/* Conjugate gradients with multigrid: solutions, iteration counts, same bits, breakdown. */
#include "multigrid_fixture.h"
#include "gpu/vector.h"

static void check_elimination(struct system s)
{
    double *b = numbers(s.n, 17), *x = numbers(s.n, 5), *exact;
    NEW(exact, s.n);
    dense_solve(&s, b, exact);
    assert_int_equal(solve(&s, false, 1e-13, b, x).status, LINEAR_CONVERGED);
    assert_true(distance(x, exact, s.n) < 1e-9);
    free(b), free(x), free(exact);
    system_free(&s);
}

static void against_elimination(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 33, 128, 129, 513, 1000};
    static const struct box boxes[] = {{{30, 31}, .walls = true}, {{10, 9, 11}, .weight = random_weight, .walls = true},
                                       {{25, 40}, .weight = drop, .walls = true}};
    for (int i = 0; i < 7; i++) check_elimination(system_of(chain, sizes[i], 90));
    for (int i = 0; i < 3; i++) check_elimination(box_system(&boxes[i]));
    check_elimination(system_of(diagonal, 700, 1));
    check_elimination(system_of(two_parts, 900, 2));
    check_elimination(system_of(couples, 900, 2));
    check_elimination(system_of(star, 600, 600));
}

/* To 1e-8; the residual is computed independently. */
static int iterations(const struct box *box)
{
    struct system s = box_system(box);
    double *b = numbers(s.n, 1), *x, *y, mean = 0;
    NEW(x, s.n), NEW(y, s.n);
    struct linear_result r = solve(&s, !box->walls, 1e-8, b, x);
    assert_int_equal(r.status, LINEAR_CONVERGED);
    product(&s, x, y);
    for (int i = 0; i < s.n; i++) mean += b[i] / s.n;
    for (int i = 0; i < s.n && !box->walls; i++) b[i] -= mean;
    assert_true(distance(y, b, s.n) < 2e-8);
    free(b), free(x), free(y);
    system_free(&s);
    return r.iterations;
}

static void iteration_counts(void **state)
{
    (void)state;
    static const struct { const char *name; struct box box; int most; } row[] = {
        {"64^2", {{64, 64}, .walls = true}, 20}, {"128^2", {{128, 128}, .walls = true}, 20},
        {"256^2", {{256, 256}, .walls = true}, 20}, {"16^3", {{16, 16, 16}, .walls = true}, 20},
        {"32^3", {{32, 32, 32}, .walls = true}, 20},
        {"cells 30:1", {{96, 96}, .length = 30, .walls = true}, 50},
        {"graded 30:1", {{96, 96}, .stretch = 30, .walls = true}, 30},
        {"all Neumann 128^2", {{128, 128}, .walls = false}, 22},
        {"all Neumann 24^3", {{24, 24, 24}, .walls = false}, 22},
        {"distorted 32^3", {{32, 32, 32}, .distortion = 0.3, .walls = true}, 25},
        {"drop 1000:1", {{96, 96}, .weight = drop}, 25}, {"random weights", {{96, 96}, .weight = random_weight}, 36}};
    enum { N = sizeof row / sizeof *row };
    int count[N];
    for (int i = 0; i < N; i++) {
        count[i] = iterations(&row[i].box);
        print_message("%s: %d iterations\n", row[i].name, count[i]);
    }
    for (int i = 0; i < N; i++) assert_in_range(count[i], 1, row[i].most);
    assert_true(count[1] <= 1.3 * count[0] && count[2] <= 1.3 * count[1] && count[4] <= 1.3 * count[3]);
}

static void same_bits(void **state)
{
    (void)state;
    static const struct box box = {{26, 26, 26}, .distortion = 0.3};
    struct system s = box_system(&box);
    double *b = numbers(s.n, 1);
    int threads = omp_get_max_threads();
    uint64_t first = 0;
    for (int t = 1; t <= 3; t++) {
        double *x = numbers(s.n, 3);
        omp_set_num_threads(t);
        assert_int_equal(solve(&s, true, 1e-8, b, x).status, LINEAR_CONVERGED);
        if (t == 1) first = hash(x, s.n);
        assert_true(hash(x, s.n) == first);
        free(x);
    }
    omp_set_num_threads(threads);
    free(b);
    system_free(&s);
}

/* The solver is created with one matrix and solves others: smaller, larger, with a new jump. */
static void structure_is_reused(void **state)
{
    (void)state;
    static const struct box boxes[] = {{{48, 48}, .walls = true}, {{48, 48}, .weight = drop, .walls = true},
                                       {{48, 48}, .weight = random_weight, .walls = true}, {{48, 48}, .walls = true}};
    struct linear_setting set = {.preconditioner = PRECONDITIONER_MULTIGRID, .tolerance = 1e-9, .max_iterations = 200};
    struct system s = box_system(&boxes[0]);
    struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
    double *x = to_device(NULL, s.a.p.n_padded), *db = to_device(NULL, s.a.p.n_padded), *host, *y;
    int first = 0;
    NEW(host, s.n), NEW(y, s.n);
    for (int k = 0; k < 4; k++) {
        struct system now = box_system(&boxes[k]);
        double *b = numbers(s.n, 8);
        struct fill_args zero = {x, 0};
        fill(&zero, s.a.p.n_padded);
        device_copy(s.a.val, now.a.val, (size_t)s.a.p.n_stored * 8);
        device_copy(s.a.diag, now.a.diag, (size_t)s.a.p.n_padded * 8);
        device_upload(db, b, (size_t)s.n * 8);
        struct linear_result r = solver_solve(cg, &s.a, x, db);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        device_download(host, x, (size_t)s.n * 8);
        product(&now, host, y);
        assert_true(distance(y, b, s.n) < 2e-9);
        if (k == 0) first = r.iterations;
        if (k == 3) assert_int_equal(r.iterations, first);
        free(b);
        system_free(&now);
    }
    free(host), free(y);
    solver_free(cg);
    device_free(x), device_free(db);
    system_free(&s);
}

/* Far outside the range of single precision: the same iterations, because the cycle works on the residual divided by
 * its norm. */
static void any_size_of_right_hand_side(void **state)
{
    (void)state;
    static const struct box box = {{48, 48}, .walls = true};
    int count[3];
    for (int k = 0; k < 3; k++) {
        struct system s = box_system(&box);
        double *b = numbers(s.n, 1), *x;
        NEW(x, s.n);
        for (int i = 0; i < s.n; i++) b[i] *= k == 0 ? 1 : k == 1 ? 0x1p-200 : 0x1p200;
        struct linear_result r = solve(&s, false, 1e-8, b, x);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        count[k] = r.iterations;
        free(b), free(x);
        system_free(&s);
    }
    assert_true(count[1] == count[0] && count[2] == count[0]);
}

/* Values that overflow in single precision: Jacobi takes over, the solution is right, the note reports it. */
static void given_up_for_jacobi(void **state)
{
    (void)state;
    static const struct box box = {{48, 48}, .walls = true};
    struct system s = box_system(&box);
    struct linear_setting set = {.preconditioner = PRECONDITIONER_MULTIGRID, .tolerance = 1e-8, .max_iterations = 500};
    double *b = numbers(s.n, 1), *x, *y, *val = FROM_DEVICE(s.a.val, s.a.p.n_stored),
           *diag = FROM_DEVICE(s.a.diag, s.a.p.n_padded);
    for (int64_t k = 0; k < s.a.p.n_stored; k++) val[k] *= 1e50;
    for (int i = 0; i < s.n; i++) diag[i] *= 1e50;
    device_upload(s.a.val, val, (size_t)s.a.p.n_stored * 8), device_upload(s.a.diag, diag, (size_t)s.a.p.n_padded * 8);
    double *db = to_device(NULL, s.a.p.n_padded), *dx = to_device(NULL, s.a.p.n_padded);
    NEW(x, s.n), NEW(y, s.n);
    device_upload(db, b, (size_t)s.n * 8);
    struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
    solver_keep_history(cg);
    struct linear_result r = solver_solve(cg, &s.a, dx, db);
    struct linear_history *h = solver_history(cg);              /* of both, one after the other */
    assert_true(fabs(sqrt(h[0].rr) - r.initial) <= 1e-12 * r.initial);
    assert_true(sqrt(h[r.iterations].rr) <= 1e-8 * r.initial && sqrt(h[r.iterations - 1].rr) > 1e-8 * r.initial);
    free(h);
    assert_int_equal(r.status, LINEAR_CONVERGED);
    assert_true(r.note && strstr(r.note, "Jacobi") && r.iterations > 50);
    device_download(x, dx, (size_t)s.n * 8);
    for (int i = 0; i < s.n; i++) x[i] *= 1e50;
    product(&s, x, y);                                  /* with the previous values */
    assert_true(distance(y, b, s.n) < 2e-8);
    free(b), free(x), free(y), free(val), free(diag);
    solver_free(cg);
    device_free(db), device_free(dx);
    system_free(&s);
}

/* The reported residual is that of x, not the recursive one. */
static void true_residual_is_reported(void **state)
{
    (void)state;
    static const struct box box = {{40, 40}, .stretch = 30, .walls = true};
    struct system s = box_system(&box);
    for (int k = 0; k < 2; k++) {
        struct linear_setting set = {.preconditioner = k ? PRECONDITIONER_JACOBI : PRECONDITIONER_MULTIGRID,
                                     .tolerance = 1e-13, .max_iterations = 2000};
        double *b = numbers(s.n, 1), *x, *y, rr = 0;
        double *db = to_device(NULL, s.a.p.n_padded), *dx = to_device(NULL, s.a.p.n_padded);
        NEW(x, s.n), NEW(y, s.n);
        for (int i = 0; i < s.n; i++) x[i] = 1e3;       /* far away: rounding in r is that of the first residual */
        device_upload(db, b, (size_t)s.n * 8), device_upload(dx, x, (size_t)s.n * 8);
        struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
        struct linear_result r = solver_solve(cg, &s.a, dx, db);
        device_download(x, dx, (size_t)s.n * 8);
        product(&s, x, y);
        for (int i = 0; i < s.n; i++) rr += (b[i] - y[i]) * (b[i] - y[i]);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        assert_true(r.final <= 2.01e-13 * r.initial && fabs(sqrt(rr) - r.final) <= 0.3 * r.final);
        free(b), free(x), free(y);
        solver_free(cg);
        device_free(db), device_free(dx);
    }
    system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_elimination), cmocka_unit_test(iteration_counts),
                                       cmocka_unit_test(same_bits), cmocka_unit_test(structure_is_reused),
                                       cmocka_unit_test(any_size_of_right_hand_side),
                                       cmocka_unit_test(given_up_for_jacobi),
                                       cmocka_unit_test(true_residual_is_reported)};
    return RUN_TESTS("conjugate gradients with multigrid", tests);
}

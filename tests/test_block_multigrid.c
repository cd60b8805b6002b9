/* Multigrid on matrices of blocks: solves of a cavity with velocity and pressure together, its structure reused,
 * rebuilt and restored, the same bits for any number of threads; the triangles of slices. */
#include "block_system.h"
#include "solve/rebuild.h"
#include "solve/slice_triangles.h"

/* In any order the triangles of a slice are those of the matrix, each entry once, with no coupling between rows of one
 * level. */
static void check_triangle(const struct pattern *p, const struct slice_triangle *t, const uint16_t *order,
                           int64_t n_local, int64_t *found)
{
    int64_t *start, n_warps = p->n_padded / WARP;
    NEW(start, n_warps + 1);
    device_download(start, t->start, (size_t)(n_warps + 1) * sizeof *start);
    uint16_t *column;
    int32_t *from, *col;
    NEW(column, start[n_warps]), NEW(from, start[n_warps]), NEW(col, p->n_stored);
    device_download(column, t->column, (size_t)start[n_warps] * sizeof *column);
    device_download(from, t->from, (size_t)start[n_warps] * sizeof *from);
    device_download(col, p->col, (size_t)p->n_stored * sizeof *col);
    for (int64_t k = 0; k < start[n_warps]; k++)
        if (from[k] >= 0) {
            int64_t w = 0;
            while (start[w + 1] <= k) w++;
            assert_int_equal(-col[from[k]] - 1, order[w * WARP / SLICE * SLICE + column[k]]);
            ++*found;
        }
    assert_true(*found <= n_local);
    free(start), free(column), free(from), free(col);
}

static void triangles(void **state)
{
    (void)state;
    struct block_system s = block_system(1300, 2, 20, 8);
    for (int ordering = FACTOR_CUTHILL_MCKEE; ordering <= FACTOR_MATRIX; ordering++) {
        struct slice_triangles t = slice_triangles_create(&s.a.p, 2, (enum factor_ordering)ordering, false);
        int64_t found = 0;
        uint16_t *order;
        NEW(order, s.a.p.n_padded);
        device_download(order, t.order, (size_t)s.a.p.n_padded * sizeof *order);
        check_triangle(&s.a.p, &t.lower, order, s.a.p.n_local, &found);
        check_triangle(&s.a.p, &t.upper, order, s.a.p.n_local, &found);
        assert_int_equal(found, s.a.p.n_local);
        free(order), slice_triangles_free(&t);
    }
    block_system_free(&s);
}

/* ---------------------------------------------------------------- velocity and pressure together */
static const struct linear_setting standard = {.method = METHOD_FGMRES, .preconditioner = PRECONDITIONER_MULTIGRID,
                                               .restart = 40, .tolerance = 1e-6, .max_iterations = 200,
                                               .pairings = 2};

static struct solver *solver_for(const struct matrix *a, const struct linear_setting *set)
{
    struct error e = {0};
    struct solver *s = solver_create(a, set, &(struct solver_setup){.nonsymmetric = true, .singular = true}, &e);
    if (!s) fail_msg("%s", e.text);
    return s;
}

/* Returns the solution, [3 n]. */
static double *solved(struct solver *solver, const struct matrix *a, const struct linear_system *s,
                      struct linear_result *r)
{
    double *b = linear_system_vector(a, s->rhs, "test"), *x = pattern_alloc(&a->p, 3, sizeof *x, "test");
    *r = solver_solve(solver, a, x, b);
    double *v = linear_system_download(s, a, x);
    device_free(b), device_free(x);
    return v;
}

static void cavities(void **state)
{
    (void)state;
    /* Smoothed by the diagonal blocks, and by incomplete LU. */
    static const struct { const char *system; int most[2]; } row[] = {
        {"cavity-coupled:2", {1, 1}}, {"cavity-coupled:5", {1, 1}}, {"cavity-coupled:23,100", {18, 9}},
        {"cavity-coupled:48,100", {17, 9}},
        {"cavity-coupled:48", {26, 11}}, {"cavity-coupled:48,10000", {41, 14}},
        {"cavity-coupled:48,10000,8", {43, 16}}};
    for (size_t i = 0; i < 4 * sizeof row / sizeof *row; i++) {
        struct matrix a;
        struct linear_system s = block_cavity(row[i / 4].system, &a);
        struct linear_setting set = standard;
        set.restart = 100;
        set.smoother = i % 4 ? SMOOTHER_ILU : SMOOTHER_BLOCK_JACOBI;
        set.factor_ordering = (enum factor_ordering)(i % 4 ? i % 4 - 1 : 0);
        int at_most = row[i / 4].most[i % 4 > 0] * (i % 4 == FACTOR_MULTICOLOUR + 1 ? 2 : 1);
        struct solver *solver = solver_for(&a, &set);
        struct linear_result r;
        double *x = solved(solver, &a, &s, &r), mean = 0, most = 0;
        print_message("# %s, smoother %d: %d iterations\n", row[i / 4].system, (int)(i % 4), r.iterations);
        if (r.status != LINEAR_CONVERGED || r.iterations > at_most || r.note)
            fail_msg("%s, smoother %d: status %d after %d iterations, at most %d; %s", row[i / 4].system, (int)(i % 4),
                     (int)r.status,
                     r.iterations, at_most, r.note);
        for (int k = 0; k < s.n; k++) mean += x[3 * k + 2] / s.n, most = fmax(most, fabs(x[3 * k + 2]));
        assert_true(fabs(mean) <= 1e-12 * (1 + most));
        solver_free(solver), matrix_free_alone(&a), linear_system_free(&s), free(x);
    }
}

/* With levels of pairs, each in two steps, the iterations do not grow with the mesh; with the default, whose cycle is
 * shorter, they hardly do. */
static void growth(void **state)
{
    (void)state;
    static const char *const system[] = {"cavity-coupled:32", "cavity-coupled:128"};
    int found[2][2];
    for (int i = 0; i < 4; i++) {
        struct matrix a;
        struct linear_system s = block_cavity(system[i / 2], &a);
        struct linear_setting set = standard;
        set.restart = 100;
        set.pairings = i % 2, set.k_levels = i % 2 ? 9 : 0;
        struct solver *solver = solver_for(&a, &set);
        struct linear_result r;
        free(solved(solver, &a, &s, &r));
        print_message("# %s, pairings %d: %d iterations\n", system[i / 2], set.pairings, r.iterations);
        found[i % 2][i / 2] = r.status == LINEAR_CONVERGED ? r.iterations : 1000;
        solver_free(solver), matrix_free_alone(&a), linear_system_free(&s);
    }
    if (found[0][1] > 1.3 * found[0][0]) fail_msg("the default: %d, %d iterations", found[0][0], found[0][1]);
    if (found[1][1] > found[1][0]) fail_msg("pairs: %d, %d iterations", found[1][0], found[1][1]);
}

static void same_bits(void **state)
{
    (void)state;
    int threads = omp_get_max_threads();
    struct matrix a;
    struct linear_system s = block_cavity("cavity-coupled:70", &a);
    uint64_t first = 0;
    for (int i = 0; i < 6; i++) {
        struct linear_setting set = standard;
        set.smoother = i / 3 ? SMOOTHER_ILU : SMOOTHER_BLOCK_JACOBI;
        omp_set_num_threads(1 + i % 3);
        struct solver *solver = solver_for(&a, &set);
        struct linear_result r;
        double *x = solved(solver, &a, &s, &r);
        if (i % 3 == 0) first = hash(x, 3 * s.n);
        assert_true(hash(x, 3 * s.n) == first);
        free(x), solver_free(solver);
    }
    omp_set_num_threads(threads);
    matrix_free_alone(&a), linear_system_free(&s);
}

/* Values for which the structure was not made: the pressure couples along y alone, then along x alone. */
static void turn(const struct matrix *a, const struct linear_system *s, bool along_x)
{
    struct linear_system turned = *s;
    struct matrix values;
    NEW(turned.value, s->start[s->n] * 9);
    memcpy(turned.value, s->value, (size_t)s->start[s->n] * 9 * sizeof *s->value);
    for (int i = 0; i < s->n; i++)
        for (int64_t k = s->start[i] + 1; k < s->start[i + 1]; k++) {
            bool x = fabs(s->centre[s->column[k]] - s->centre[i]) > 1e-6;
            double *own = &turned.value[9 * s->start[i] + 8], *other = &turned.value[9 * k + 8], more = 300 * *other;
            if (x == along_x) *other += more, *own -= more;
        }
    linear_system_upload(&turned, &values);
    device_copy(a->val, values.val, (size_t)a->p.n_stored * 9 * sizeof(double));
    device_copy(a->diag, values.diag, (size_t)a->p.n_padded * 9 * sizeof(double));
    matrix_free_alone(&values), free(turned.value);
}

static void structure_is_made_anew(void **state)
{
    (void)state;
    struct matrix a;
    struct linear_system s = block_cavity("cavity-coupled:64,100", &a);
    turn(&a, &s, true);
    struct solver *solver = solver_for(&a, &standard), *other;
    struct linear_result r, good;
    free(solved(solver, &a, &s, &good));
    turn(&a, &s, false);
    for (int i = 0; i < REBUILD_SLOW; i++) {
        free(solved(solver, &a, &s, &r));
        if (r.note || r.iterations <= 2 * good.iterations + 5)
            fail_msg("%d iterations, then %d: %s", good.iterations, r.iterations, r.note);
    }
    int64_t n;
    double *x = solved(solver, &a, &s, &r), *y;
    assert_non_null(strstr(r.note, "structure rebuilt"));
    assert_true(r.iterations <= 2 * good.iterations + 5);
    int32_t *kept = solver_structure(solver, &n);
    other = solver_for(&a, &standard);
    assert_true(solver_set_structure(other, kept, n) && !solver_set_structure(other, kept, n - 1));
    free(x);
    x = solved(solver, &a, &s, &r), y = solved(other, &a, &s, &r);
    assert_memory_equal(x, y, (size_t)s.n * 3 * sizeof *x);
    free(x), free(y), free(kept);
    solver_free(solver), solver_free(other), matrix_free_alone(&a), linear_system_free(&s);
}

/* Values that underflow in single precision: Jacobi takes over. */
static void scaled(double *on_device, int64_t n, double by)
{
    double *v;
    NEW(v, n);
    device_download(v, on_device, (size_t)n * sizeof *v);
    for (int64_t i = 0; i < n; i++) v[i] *= by;
    device_upload(on_device, v, (size_t)n * sizeof *v);
    free(v);
}

static void gives_up(void **state)
{
    (void)state;
    struct block_system s = block_system(600, 3, 9, 4);
    struct linear_setting set = standard;
    double *b = numbers(1800, 2), *db = block_vector(&s, b), *dx = block_vector(&s, NULL), *y;
    set.tolerance = 1e-10, set.max_iterations = 1000;
    scaled(s.a.val, s.a.p.n_stored * 9, 1e-60), scaled(s.a.diag, s.a.p.n_padded * 9, 1e-60);
    struct solver *solver = solver_create(&s.a, &set, &(struct solver_setup){.nonsymmetric = true}, NULL);
    struct linear_result r = solver_solve(solver, &s.a, dx, db);
    if (!r.note || !strstr(r.note, "multigrid gave up after")) fail_msg("status %d, %s", (int)r.status, r.note);
    assert_int_equal(r.status, LINEAR_CONVERGED);
    double *x = block_download(&s, dx);
    NEW(y, 1800);
    product(&s.dense, x, y);
    for (int i = 0; i < 1800; i++) y[i] *= 1e-60;
    assert_true(distance(y, b, 1800) < 1e-9);
    solver_free(solver), device_free(db), device_free(dx), free(b), free(x), free(y), block_system_free(&s);
}

/* Arrow blocks have no matrix in double precision to fall back on: then there is no preconditioning.  A zero block on
 * the diagonal has no inverse. */
static void gives_up_on_arrow_blocks(void **state)
{
    (void)state;
    struct block_system s = block_system_of(600, 3, 9, 8, BLOCKS_ARROW);
    struct linear_setting set = standard;
    float *diag;
    int64_t n = s.a.p.n_padded * 9;
    NEW(diag, n);
    device_download(diag, s.a.arrow.diag, (size_t)n * sizeof *diag);
    for (int k = 0; k < 9; k++) diag[matrix_at(20, k, 9)] = 0;
    device_upload(s.a.arrow.diag, diag, (size_t)n * sizeof *diag);
    double *b = numbers(1800, 2), *db = block_vector(&s, b), *dx = block_vector(&s, NULL), *dy = block_vector(&s, NULL);
    struct solver *solver = solver_create(&s.a, &set, &(struct solver_setup){.nonsymmetric = true,
                                                                             .values_follow = true}, NULL);
    struct linear_result r = solver_solve(solver, &s.a, dx, db);
    if (!r.note || !strstr(r.note, "multigrid gave up after")) fail_msg("status %d, %s", (int)r.status, r.note);
    assert_int_equal(r.status, LINEAR_CONVERGED);
    matrix_product(&s.a, dx, dy);
    double *y = block_download(&s, dy);
    assert_true(distance(y, b, 1800) < 1e-5);
    solver_free(solver), device_free(db), device_free(dx), device_free(dy);
    free(b), free(y), free(diag), block_system_free(&s);
}

static void refusals(void **state)
{
    (void)state;
    struct block_system s = block_system(40, 3, 9, 4);
    struct linear_setting set = standard;
    struct error e = {0};
    set.smoother = SMOOTHER_CHEBYSHEV;
    assert_null(solver_create(&s.a, &set, &(struct solver_setup){.nonsymmetric = true}, &e));
    assert_non_null(strstr(e.text, "multigrid on block matrices does not support smoother \"chebyshev\"; expected "
                                   "block-jacobi, ilu, "
                                   "block-isai or auto"));
    set = standard, set.method = METHOD_GMRES;
    assert_null(solver_create(&s.a, &set, &(struct solver_setup){.nonsymmetric = true}, &e));
    assert_non_null(strstr(e.text, "\"multigrid\" does not suit gmres"));
    block_system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles), cmocka_unit_test(cavities), cmocka_unit_test(growth),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(structure_is_made_anew), cmocka_unit_test(gives_up),
        cmocka_unit_test(gives_up_on_arrow_blocks), cmocka_unit_test(refusals)};
    return RUN_TESTS("block_multigrid", tests);
}

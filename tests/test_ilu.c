/* Incomplete LU factorisations of matrices of blocks, ILU(k), and their approximate inverses, compared with textbook
 * code on dense arrays; subdomains with overlap compared with elimination; zero pivots; the same bits for any number of
 * threads. */
#include "block_system.h"
#include "base/order.h"
#include "solve/preconditioner.h"
#include "solve/rows.h"

static const struct linear_setting standard = {.factor_ordering = FACTOR_MATRIX, .power = 1, .parts = 1, .overlap = 1,
                                               .restart = 40, .tolerance = 1e-11, .absolute = 1e-300,
                                               .max_iterations = 400};

/* z = M r, both on the host; NULL: rejected, the reason in *why. */
static double *apply(const struct block_system *s, const struct linear_setting *set, const double *r, const char **why)
{
    static char text[sizeof(struct error)];
    struct error e = {0};
    struct preconditioner *p = preconditioner_create(&s->a, set, false, &e);
    if (!p) { snprintf(text, sizeof text, "%s", e.text); *why = text; return NULL; }
    const char *reason = preconditioner_refresh(p, &s->a);
    double *dr = block_vector(s, r), *dz = block_vector(s, NULL), *z = NULL;
    if (reason) snprintf(text, sizeof text, "%s", reason), *why = text;
    else {
        preconditioner_refresh(p, &s->a);       /* nothing is left of the previous values */
        p->apply(p, dr, NULL, dz);
        z = block_download(s, dz);
    }
    device_free(dr), device_free(dz);
    p->free(p);
    return z;
}

/* ---------------------------------------------------------------- textbook */
/* Dense, in the order of elimination: value of block (i, j) at [(i block + a) N + j block + b]; level[i n + j]:
 * INT32_MAX: none. */
struct dense { int n, block, size; double *v; int32_t *level; };

static struct dense dense_of(const struct block_system *s, const int32_t *order)
{
    struct dense d = {.n = s->n, .block = s->block, .size = s->n * s->block};
    int32_t *when;
    int b = s->block;
    NEW(d.v, d.size * d.size), NEW(d.level, d.n * d.n), NEW(when, d.n);
    for (int i = 0; i < d.n; i++) when[order[i]] = i;
    for (int i = 0; i < d.n * d.n; i++) d.level[i] = i % (d.n + 1) ? INT32_MAX : 0;
    for (int r = 0; r < s->n; r++)
        for (int64_t e = s->start[r] - 1; e < s->start[r + 1]; e++) {
            int i = when[r], j = e < s->start[r] ? i : when[s->column[e]];
            const double *from = e < s->start[r] ? s->diag + (int64_t)r * b * b : s->value + e * b * b;
            d.level[i * d.n + j] = 0;
            for (int k = 0; k < b * b; k++) d.v[(i * b + k / b) * d.size + j * b + k % b] = from[k];
        }
    free(when);
    return d;
}
static void dense_free(struct dense *d) { free(d->v), free(d->level); }

/* x = (the diagonal block k)^-1 x, for one column x of `block` numbers. */
static void divide(const struct dense *d, int k, double *x)
{
    int b = d->block;
    double m[MOST_BLOCK][MOST_BLOCK + 1];
    for (int i = 0; i < b; i++) {
        for (int j = 0; j < b; j++) m[i][j] = d->v[(k * b + i) * d->size + k * b + j];
        m[i][b] = x[i];
    }
    for (int p = 0; p < b; p++) {
        int best = p;
        for (int i = p; i < b; i++) if (fabs(m[i][p]) > fabs(m[best][p])) best = i;
        for (int j = 0; j <= b; j++) { double swap = m[p][j]; m[p][j] = m[best][j], m[best][j] = swap; }
        for (int i = 0; i < b; i++)
            for (int j = b; i != p && j >= p; j--) m[i][j] -= m[i][p] / m[p][p] * m[p][j];
    }
    for (int i = 0; i < b; i++) x[i] = m[i][b] / m[i][i];
}

/* Block (i, j) -= block (i, k) block (k, j) */
static void update(struct dense *d, int i, int k, int j)
{
    int b = d->block;
    for (int p = 0; p < b; p++)
        for (int q = 0; q < b; q++)
            for (int m = 0; m < b; m++)
                d->v[(i * b + p) * d->size + j * b + q] -= d->v[(i * b + p) * d->size + k * b + m] *
                                                           d->v[(k * b + m) * d->size + j * b + q];
}

/* I + L and D + U in one array: block (i, k) right-divided by block (k, k), by rows of the transpose.  The levels
 * first. */
static void factor(struct dense *d, int level)
{
    int b = d->block, n = d->n;
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++)
            for (int j = k + 1; j < n; j++) {
                if (d->level[i * n + k] > level || d->level[k * n + j] > level) continue;
                int fill = d->level[i * n + k] + d->level[k * n + j] + 1;
                if (fill < d->level[i * n + j]) d->level[i * n + j] = fill;
            }
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++) {
            if (d->level[i * n + k] > level) continue;
            double transposed[MOST_BLOCK * MOST_BLOCK];
            struct dense one = {1, b, b, transposed, NULL};
            for (int q = 0; q < b * b; q++) transposed[q] = d->v[(k * b + q % b) * d->size + k * b + q / b];
            for (int p = 0; p < b; p++) divide(&one, 0, &d->v[(i * b + p) * d->size + k * b]);
            for (int j = k + 1; j < n; j++)
                if (d->level[k * n + j] <= level && d->level[i * n + j] <= level) update(d, i, k, j);
        }
}

static void solve_dense(const struct dense *d, double *x)
{
    int N = d->size, b = d->block;
    for (int i = 0; i < N; i++) for (int j = 0; j < i / b * b; j++) x[i] -= d->v[i * N + j] * x[j];
    for (int i = d->n - 1; i >= 0; i--) {
        for (int p = i * b; p < (i + 1) * b; p++) for (int j = (i + 1) * b; j < N; j++) x[p] -= d->v[p * N + j] * x[j];
        divide(d, i, x + i * b);
    }
}

static int32_t *identity(int n)
{
    int32_t *order;
    NEW(order, n);
    for (int i = 0; i < n; i++) order[i] = i;
    return order;
}

static int32_t *breadth_first(const struct block_system *s)
{
    int64_t *start;
    int32_t *neighbour, *order = identity(s->n);
    rows_graph(s->n, s->start, s->column, &start, &neighbour);
    order_cuthill_mckee(order, start, neighbour, s->n);
    free(start), free(neighbour);
    return order;
}

static void compare(const struct block_system *s, const struct linear_setting *set, const int32_t *order,
                    struct dense *d)
{
    int N = d->size, b = s->block;
    const char *why = NULL;
    double *r = numbers(N, 77), *x, *z = apply(s, set, r, &why);
    if (!z) fail_msg("%d rows of %d: %s", s->n, b, why);
    NEW(x, N);
    for (int i = 0; i < N; i++) x[i] = r[order[i / b] * b + i % b];
    solve_dense(d, x);
    for (int i = 0; i < N; i++) r[order[i / b] * b + i % b] = x[i];
    if (!(distance(z, r, N) < 1e-11))
        fail_msg("%d rows of %d, level %d: differs by %g", s->n, b, set->level, distance(z, r, N));
    free(r), free(x), free(z);
}

static void check_factors(int rows, int block, int level, bool breadth)
{
    struct block_system s = block_system(rows, block, 9, 4);
    int32_t *order = breadth ? breadth_first(&s) : identity(s.n);
    struct dense d = dense_of(&s, order);
    struct linear_setting set = standard;
    set.preconditioner = PRECONDITIONER_ILU, set.level = level;
    set.factor_ordering = breadth ? FACTOR_CUTHILL_MCKEE : FACTOR_MATRIX;
    factor(&d, level);
    compare(&s, &set, order, &d);
    dense_free(&d), free(order);
    block_system_free(&s);
}

static void against_a_textbook(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 130};
    for (int i = 0; i < 5; i++)
        for (int block = 1; block <= MOST_BLOCK; block++)
            for (int level = 0; level <= 3; level++)
                for (int breadth = 0; breadth < 2; breadth++) check_factors(sizes[i], block, level, breadth);
    for (int n = 511; n <= 513; n++)            /* several slices; many groups per level */
        check_factors(n, n - 509, n % 2, false);
}

/* ---------------------------------------------------------------- approximate inverses */
/* Replaces the triangle by minus the strict part of its inverse on the pattern of its power, column by column, so that
 * multiplying inverts solve_dense(): here into separate arrays.  lower: I + L, else D + U. */
static void invert(const struct dense *d, bool lower, int power, double *to)
{
    int n = d->n, b = d->block, N = d->size;
    char *has, *more;
    NEW(has, n * n), NEW(more, n * n);
    for (int i = 0; i < n * n; i++) has[i] = i % (n + 1) == 0;
    for (int k = 0; k < power; k++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                more[i * n + j] = 0;
                for (int m = 0; m < n; m++) {
                    bool in = m == i || (d->level[i * n + m] == 0 && (lower ? m < i : m > i));
                    if (in && has[m * n + j]) more[i * n + j] = 1;
                }
            }
        memcpy(has, more, (size_t)(n * n));
    }
    memset(to, 0, (size_t)(N * N) * sizeof *to);
    for (int j = 0; j < n; j++)
        for (int q = 0; q < b; q++) {           /* column j b + q: the triangle's rows and columns in the pattern
                                                   `has` */
            for (int step = 0; step < n; step++) {
                int i = lower ? step : n - 1 - step;
                double x[MOST_BLOCK];
                if (!has[i * n + j]) continue;
                for (int p = 0; p < b; p++) {
                    x[p] = i == j && p == q;
                    for (int m = 0; m < n; m++)
                        if (has[m * n + j] && (lower ? m < i : m > i))
                            for (int k = 0; k < b; k++)
                                x[p] -= d->v[(i * b + p) * N + m * b + k] * to[(m * b + k) * N + j * b + q];
                }
                if (!lower) divide(d, i, x);
                for (int p = 0; p < b; p++) to[(i * b + p) * N + j * b + q] = x[p];
            }
        }
    free(has), free(more);
}

static void check_inverses(int rows, int block, int power)
{
    struct block_system s = block_system(rows, block, 9, 4);
    int32_t *order = identity(s.n);
    struct dense d = dense_of(&s, order);
    struct linear_setting set = standard;
    const char *why = NULL;
    int N = d.size;
    double *r = numbers(N, 5), *x, *y, *inverse;
    set.preconditioner = PRECONDITIONER_BLOCK_ISAI, set.power = power;
    NEW(x, N), NEW(y, N), NEW(inverse, N * N);
    factor(&d, 0);
    invert(&d, true, power, inverse);
    for (int k = 0; k < N; k++) for (int j = 0; j < N; j++) x[k] += inverse[k * N + j] * r[j];
    invert(&d, false, power, inverse);
    for (int k = 0; k < N; k++) for (int j = 0; j < N; j++) y[k] += inverse[k * N + j] * x[j];
    double *z = apply(&s, &set, r, &why);
    if (!z || !(distance(z, y, N) < 1e-11)) fail_msg("%d rows of %d, power %d: differs", s.n, block, power);
    free(r), free(x), free(y), free(inverse), free(z), free(order);
    dense_free(&d);
    block_system_free(&s);
}

static void approximate_inverses(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33};
    for (int power = 1; power <= 3; power++) {
        for (int block = 1; block <= MOST_BLOCK; block++)
            for (int i = 0; i < 4; i++) check_inverses(sizes[i], block, power);
        check_inverses(90, 5, power), check_inverses(510 + power, 1, power);
    }
}

/* ---------------------------------------------------------------- subdomains */
/* The graph of the rows, and the subdomain of each, as the preconditioner divides them. */
struct cut { int64_t *start; int32_t *neighbour, *part; };
static struct cut cut(const struct block_system *s, int parts)
{
    struct cut c;
    struct error e;
    NEW(c.part, s->n);
    rows_graph(s->n, s->start, s->column, &c.start, &c.neighbour);
    assert_true(order_parts(c.part, parts, c.start, c.neighbour, s->n, "", "", &e));
    return c;
}
static void cut_free(struct cut *c) { free(c->start), free(c->neighbour), free(c->part); }

/* [n]: is the row in part p, or in one of so many layers around it? */
static bool *rows_around(const struct cut *c, int n, int p, int layers)
{
    bool *in, *more;
    NEW(in, n), NEW(more, n);
    for (int i = 0; i < n; i++) in[i] = c->part[i] == p;
    for (int layer = 0; layer < layers; layer++) {
        memcpy(more, in, (size_t)n);
        for (int i = 0; i < n; i++)
            for (int64_t k = c->start[i]; in[i] && k < c->start[i + 1]; k++) more[c->neighbour[k]] = true;
        memcpy(in, more, (size_t)n);
    }
    free(more);
    return in;
}

/* x: the solution where `in` is, r on the other rows. */
static void solve_inside(const struct block_system *s, const bool *in, const double *r, double *x)
{
    const int N = s->n * s->block;
    const struct system *all = &s->dense;
    struct system sub = {.n = N};               /* the identity on the other rows */
    NEW(sub.start, N + 1), NEW(sub.column, all->start[N]), NEW(sub.value, all->start[N]), NEW(sub.diag, N);
    for (int i = 0; i < N; i++) {
        int64_t at = sub.start[i];
        sub.diag[i] = in[i / s->block] ? all->diag[i] : 1;
        for (int64_t k = all->start[i]; in[i / s->block] && k < all->start[i + 1]; k++)
            if (in[all->column[k] / s->block]) sub.column[at] = all->column[k], sub.value[at++] = all->value[k];
        sub.start[i + 1] = at;
    }
    dense_solve(&sub, r, x);
    free(sub.start), free(sub.column), free(sub.value), free(sub.diag);
}

/* Exact in each (all levels of fill): z = sum of the elimination results for a part and its overlap, restricted to the
 * part's own rows. */
static void subdomains(void **state)
{
    (void)state;
    for (int overlap = 0; overlap <= 2; overlap++)
        for (int block = 1; block <= 3; block += 2) {
            struct block_system s = block_system(150, block, 9, 6);
            struct cut c = cut(&s, 4);
            struct linear_setting set = standard;
            const char *why = NULL;
            int N = s.n * block;
            set.preconditioner = PRECONDITIONER_ILU, set.level = 149, set.parts = 4, set.overlap = overlap;
            set.factor_ordering = FACTOR_CUTHILL_MCKEE;
            double *r = numbers(N, 3), *z = apply(&s, &set, r, &why), *wanted, *x;
            if (!z) fail_msg("%s", why);
            NEW(wanted, N), NEW(x, N);
            for (int p = 0; p < 4; p++) {
                bool *in = rows_around(&c, s.n, p, overlap);
                solve_inside(&s, in, r, x);
                for (int i = 0; i < N; i++) if (c.part[i / block] == p) wanted[i] = x[i];
                free(in);
            }
            assert_true(distance(z, wanted, N) < 1e-10);
            free(r), free(z), free(wanted), free(x);
            cut_free(&c);
            block_system_free(&s);
        }
}

/* So many that several blocks of the device solve them.  Without overlap, exact in each: z of a part solves the part's
 * rows. */
static void many_subdomains(void **state)
{
    (void)state;
    enum { PARTS = 80 };
    for (int block = 1; block <= 2; block++) {
        struct block_system s = block_system(7000, block, 9, 6);
        struct cut c = cut(&s, PARTS);
        struct linear_setting set = standard;
        const char *why = NULL;
        int N = s.n * block;
        set.preconditioner = PRECONDITIONER_ILU, set.level = 1000, set.parts = PARTS, set.overlap = 0;
        double *r = numbers(N, 3), *z = apply(&s, &set, r, &why), worst = 0;
        if (!z) fail_msg("%s", why);
        for (int i = 0; i < N; i++) {
            double left = r[i] - s.dense.diag[i] * z[i];
            for (int64_t k = s.dense.start[i]; k < s.dense.start[i + 1]; k++) {
                int j = s.dense.column[k];
                if (c.part[j / block] == c.part[i / block]) left -= s.dense.value[k] * z[j];
            }
            worst = fmax(worst, fabs(left));
        }
        if (!(worst < 1e-10)) fail_msg("blocks of %d: %g left", block, worst);
        free(r), free(z);
        cut_free(&c);
        block_system_free(&s);
    }
}

/* ---------------------------------------------------------------- solving, pivots, same bits */
static void solves(void **state)
{
    (void)state;
    static const enum preconditioner_kind kinds[] = {PRECONDITIONER_ILU, PRECONDITIONER_BLOCK_ISAI};
    int threads = omp_get_max_threads();
    struct block_system s = block_system(2000, 3, 40, 2.2);
    for (int m = METHOD_BICGSTAB; m <= METHOD_FGMRES; m++)
        for (int k = 0; k < 4; k++) {
            uint64_t first = 0;
            struct linear_setting set = standard;
            set.method = (enum linear_method)m, set.preconditioner = kinds[k % 2];
            if (k / 2) set.parts = 5, set.factor_ordering = FACTOR_MULTICOLOUR;
            for (int t = 1; t <= 3; t++) {
                struct solver *solver = solver_create(&s.a, &set, &(struct solver_setup){.nonsymmetric = true}, NULL);
                double *b = numbers(6000, 3), *db = block_vector(&s, b), *dx = block_vector(&s, NULL), *y;
                omp_set_num_threads(t);
                struct linear_result r = solver_solve(solver, &s.a, dx, db);
                assert_true(r.status == LINEAR_CONVERGED && r.iterations < 40);
                double *x = block_download(&s, dx);
                NEW(y, 6000);
                product(&s.dense, x, y);
                assert_true(distance(y, b, 6000) < 1e-10);
                if (t == 1) first = hash(x, 6000);
                assert_true(hash(x, 6000) == first);
                free(b), free(x), free(y), device_free(db), device_free(dx);
                solver_free(solver);
            }
        }
    omp_set_num_threads(threads);
    block_system_free(&s);
}

static double tridiagonal(int n, int i, int j) { (void)n; return i == j ? 4 : -1; }

static void pivots(void **state)
{
    (void)state;
    struct linear_setting set = standard;
    const char *why = NULL;
    set.preconditioner = PRECONDITIONER_ILU;
    for (int block = 1; block <= 3; block += 2) {
        struct block_system s = block_system(40, block, 9, 4);
        double *r = numbers(40 * block, 1);
        for (int row = 0; row <= 18; row += 18) {       /* row 18 is isolated: nothing is subtracted from it */
            struct block_system t = block_system(40, block, 9, 4);
            for (int i = 0; i < block; i++) t.diag[(row * block + i) * block] = 0;      /* a column of zeros */
            int64_t *start, *place;
            int32_t *column;
            rows_download(&t.a.p, &start, &column, &place);
            block_upload(&t, place);
            assert_null(apply(&t, &set, r, &why));
            char expected[100];
            snprintf(expected, sizeof expected,
                     "row %d of 40 (from 1, as the solver orders them): the pivot of incomplete LU is %s", row + 1,
                     block > 1 ? "a singular block" : "zero");
            assert_string_equal(why, expected);
            free(start), free(column), free(place);
            block_system_free(&t);
        }
        free(r);
        block_system_free(&s);
    }
    struct system chain = system_of(tridiagonal, 9000, 1);      /* every row depends on the previous one */
    struct error e = {0};
    assert_null(preconditioner_create(&chain.a, &set, false, &e));
    assert_non_null(strstr(e.text, "9000 rows depend on each other in 9000 levels"));
    system_free(&chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_a_textbook), cmocka_unit_test(approximate_inverses),
                                       cmocka_unit_test(subdomains), cmocka_unit_test(many_subdomains),
                                       cmocka_unit_test(solves), cmocka_unit_test(pivots)};
    return RUN_TESTS("ilu", tests);
}

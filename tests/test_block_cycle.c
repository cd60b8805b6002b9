/* Multigrid's cycle on matrices of blocks, compared with its formulas in double precision on the host. */
#include "block_system.h"
#include "solve/multigrid.h"

/* ---------------------------------------------------------------- the cycle, dense on the host */
enum { MOST = 16, K = 2, SMOOTHINGS = 2 };
struct dense { int n; double *a; int32_t *parent; };            /* n unknowns, those of a row together */
struct reference {
    int block, n_levels;
    bool singular, ilu, isai;
    enum cycle cycle;
    double damping;
    struct dense level[MOST];
};

static struct reference reference_of(const struct block_system *s, const struct multigrid *m, bool singular,
                                     const struct linear_setting *set)
{
    bool isai = set->smoother == SMOOTHER_ISAI, ilu = set->smoother == SMOOTHER_ILU || isai;
    struct reference r = {s->block, multigrid_levels(m), singular, ilu, isai, set->cycle,
                          isai ? 0.6 : ilu ? 0.8 : 0.7, {{0}}};
    const struct system *d = &s->dense;
    struct dense *l = r.level;
    int32_t *parents;
    NEW(parents, multigrid_parents(m, NULL) + 1);
    multigrid_parents(m, parents);
    l->n = d->n;
    NEW(l->a, (size_t)d->n * d->n);
    for (int i = 0; i < d->n; i++) {
        l->a[(size_t)i * d->n + i] = d->diag[i];
        for (int64_t k = d->start[i]; k < d->start[i + 1]; k++) l->a[(size_t)i * d->n + d->column[k]] = d->value[k];
    }
    for (int32_t i = 0, *p = parents; i + 1 < r.n_levels; p += l->n / s->block, i++, l++) {
        int rows = l->n / s->block, coarse = 0;
        NEW(l->parent, rows);
        for (int k = 0; k < rows; k++) l->parent[k] = p[k], coarse = p[k] >= coarse ? p[k] + 1 : coarse;
        l[1].n = coarse * s->block;
        NEW(l[1].a, (size_t)l[1].n * l[1].n);
        for (int j = 0; j < l->n; j++)
            for (int k = 0; k < l->n; k++)
                l[1].a[(size_t)(p[j / s->block] * s->block + j % s->block) * l[1].n +
                       p[k / s->block] * s->block + k % s->block] += l->a[(size_t)j * l->n + k];
    }
    free(parents);
    return r;
}

static void reference_free(struct reference *r)
{
    for (int i = 0; i < r->n_levels; i++) free(r->level[i].a), free(r->level[i].parent);
}

static void times(const struct dense *d, const double *x, double *y)
{
    for (int i = 0; i < d->n; i++) {
        y[i] = 0;
        for (int j = 0; j < d->n; j++) y[i] += d->a[(size_t)i * d->n + j] * x[j];
    }
}

/* x = A^-1 b for unknowns from `first` on, `n` of them. */
static void eliminated(const double *a, int stride, int first, int n, const double *b, double *x)
{
    struct system s = {.n = n};
    NEW(s.start, n + 1), NEW(s.column, (size_t)n * n), NEW(s.value, (size_t)n * n), NEW(s.diag, n);
    for (int i = 0; i < n; i++) {
        int64_t at = s.start[i];
        for (int j = 0; j < n; j++) {
            double v = a[(size_t)(first + i) * stride + first + j];
            if (i == j) s.diag[i] = v;
            else if (v != 0) s.column[at] = j, s.value[at++] = v;
        }
        s.start[i + 1] = at;
    }
    dense_solve(&s, b, x);
    free(s.start), free(s.column), free(s.value), free(s.diag);
}

/* v (of row i) -= the block (i, j) times x (of row j) */
static void less(const struct reference *r, const struct dense *d, int i, int j, const double *x, double *v)
{
    for (int u = 0; u < r->block; u++)
        for (int c = 0; c < r->block; c++) v[u] -= d->a[(size_t)(i * r->block + u) * d->n + j * r->block + c] * x[c];
}

static bool is_linked(const struct reference *r, const struct dense *d, int i, int j)
{
    bool any = false;
    for (int u = 0; u < r->block; u++)
        for (int c = 0; c < r->block; c++) any |= d->a[(size_t)(i * r->block + u) * d->n + j * r->block + c] != 0;
    return any;
}

/* D_i^-1 a_ij */
static void scaled_block(const struct reference *r, const struct dense *d, const double *pivot, int i, int j,
                         double *block)
{
    const int b = r->block;
    double column[MOST_BLOCK], solved[MOST_BLOCK];
    for (int c = 0; c < b; c++) {
        for (int u = 0; u < b; u++) column[u] = d->a[(size_t)(i * b + u) * d->n + j * b + c];
        eliminated(pivot + i * b * b, b, 0, b, column, solved);
        for (int u = 0; u < b; u++) block[u * b + c] = solved[u];
    }
}

/* x = (I + N) x, N of the previous rows (sign -1) or the following ones: N_J (I + D^-1 A)_JJ = -(D^-1 A)_iJ for the
 * neighbours J of row i there, as a dense system of the transposed matrix, number by number of the block's rows. */
static void multiply_isai(const struct reference *r, const struct dense *d, const double *pivot, int sign, double *x)
{
    enum { NEAR = 16 };
    const int b = r->block, n = d->n / b;
    double *y, block[MOST_BLOCK * MOST_BLOCK];
    static double m[NEAR * MOST_BLOCK * NEAR * MOST_BLOCK], right[NEAR * MOST_BLOCK], row[NEAR * MOST_BLOCK];
    NEW(y, d->n);
    memcpy(y, x, (size_t)d->n * sizeof *y);
    for (int i = 0; i < n; i++) {
        int near[NEAR], count = 0, begin = i / SLICE * SLICE, end = begin + SLICE < n ? begin + SLICE : n;
        for (int j = begin; j < end; j++) if (sign * (j - i) > 0 && is_linked(r, d, i, j)) near[count++] = j;
        assert_true(count <= NEAR);
        int size = count * b;
        for (int k = 0; k < size * size; k++) m[k] = k / size == k % size;
        for (int p = 0; p < count; p++)
            for (int q = 0; q < count; q++) {
                if (sign * (near[q] - near[p]) <= 0 || !is_linked(r, d, near[p], near[q])) continue;
                scaled_block(r, d, pivot, near[p], near[q], block);
                for (int e = 0; e < b * b; e++) m[(q * b + e % b) * size + p * b + e / b] = block[e];
            }
        for (int u = 0; u < b && size; u++) {
            for (int q = 0; q < count; q++) {
                scaled_block(r, d, pivot, i, near[q], block);
                for (int c = 0; c < b; c++) right[q * b + c] = -block[u * b + c];
            }
            eliminated(m, size, 0, size, right, row);
            for (int k = 0; k < size; k++) y[i * b + u] += row[k] * x[near[k / b] * b + k % b];
        }
    }
    memcpy(x, y, (size_t)d->n * sizeof *y);
    free(y);
}

/* x = ((D + L) D^-1 (D + U))^-1 x in every slice, rows in their own order, or by approximate inverses of the two. */
static void solve_ilu(const struct reference *r, const struct dense *d, double *x)
{
    int n = d->n / r->block, b = r->block;
    double *pivot, column[MOST_BLOCK], solved[MOST_BLOCK];
    NEW(pivot, n * b * b);
    for (int i = 0; i < n; i++) {
        double *own = pivot + i * b * b;
        for (int u = 0; u < b * b; u++) own[u] = d->a[(size_t)(i * b + u / b) * d->n + i * b + u % b];
        for (int j = i / SLICE * SLICE; j < i; j++)
            for (int c = 0; is_linked(r, d, i, j) && c < b; c++) {
                for (int u = 0; u < b; u++) column[u] = d->a[(size_t)(j * b + u) * d->n + i * b + c];
                eliminated(pivot + j * b * b, b, 0, b, column, solved);
                for (int u = 0; u < b; u++)
                    for (int k = 0; k < b; k++)
                        own[u * b + c] -= d->a[(size_t)(i * b + u) * d->n + j * b + k] * solved[k];
            }
    }
    if (r->isai) {
        for (int i = 0; i < n; i++) {
            eliminated(pivot + i * b * b, b, 0, b, x + i * b, solved);
            memcpy(x + i * b, solved, (size_t)b * sizeof *x);
        }
        multiply_isai(r, d, pivot, -1, x), multiply_isai(r, d, pivot, 1, x);
        free(pivot);
        return;
    }
    for (int i = 0; i < n; i++) {
        for (int j = i / SLICE * SLICE; j < i; j++) less(r, d, i, j, x + j * b, x + i * b);
        eliminated(pivot + i * b * b, b, 0, b, x + i * b, solved);
        memcpy(x + i * b, solved, (size_t)b * sizeof *x);
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum[MOST_BLOCK] = {0};
        for (int j = i + 1; j < n && j < (i / SLICE + 1) * SLICE; j++) less(r, d, i, j, x + j * b, sum);
        eliminated(pivot + i * b * b, b, 0, b, sum, solved);
        for (int u = 0; u < b; u++) x[i * b + u] += solved[u];
    }
    free(pivot);
}

/* For the row whose first unknown is i: less where the last unknown's coupling with the others, through other rows,
 * outweighs the diagonals. */
static double damping_of(const struct reference *r, const struct dense *d, int i)
{
    const int last = i + r->block - 1;
    const double *a = d->a;
    double coupling = 0;
    for (int k = i; k < last; k++) {
        double row = 0, column = 0;
        for (int j = 0; j < d->n; j += r->block) {
            if (j == i) continue;
            row += fabs(a[(size_t)last * d->n + j + k - i]);
            column += fabs(a[(size_t)k * d->n + j + r->block - 1]);
        }
        coupling += row * column / fabs(a[(size_t)k * d->n + k] * a[(size_t)last * d->n + last]);
    }
    return fmin(r->damping, 1 / (1 + coupling));
}

static void smooth(const struct reference *r, const struct dense *d, const double *b, double *x)
{
    double *ax, *rest, z[MOST_BLOCK];
    NEW(ax, d->n), NEW(rest, d->n);
    times(d, x, ax);
    for (int i = 0; i < d->n; i++) rest[i] = b[i] - ax[i];
    if (r->ilu) solve_ilu(r, d, rest);
    for (int i = 0; i < d->n; i += r->block) {
        if (r->ilu) memcpy(z, rest + i, sizeof z / MOST_BLOCK * (size_t)r->block);
        else eliminated(d->a, d->n, i, r->block, rest + i, z);
        double damping = r->ilu ? r->damping : damping_of(r, d, i);
        for (int u = 0; u < r->block; u++) x[i + u] += damping * z[u];
    }
    free(ax), free(rest);
}

static void coarsest(const struct reference *r, const struct dense *d, const double *b, double *x)
{
    double *a, lift = 0;
    int rows = d->n / r->block, last = r->block - 1;
    NEW(a, (size_t)d->n * d->n);
    memcpy(a, d->a, (size_t)d->n * (size_t)d->n * sizeof *a);
    for (int i = last; i < d->n; i += r->block) lift += a[(size_t)i * d->n + i] / ((double)rows * rows);
    for (int i = last; r->singular && i < d->n; i += r->block)
        for (int j = last; j < d->n; j += r->block) a[(size_t)i * d->n + j] += lift;
    eliminated(a, d->n, 0, d->n, b, x);
    free(a);
}

static void cycle(const struct reference *r, int i, const double *b, double *x);

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void two_steps(const struct reference *r, int i, const double *b, double *x)
{
    const struct dense *d = &r->level[i];
    int n = d->n;
    double *one, *w, *v, *rest;
    NEW(one, n), NEW(w, n), NEW(v, n), NEW(rest, n);
    cycle(r, i, b, one);
    times(d, one, w);
    double ww = dot(w, w, n), first = r->cycle == CYCLE_W ? 1 : dot(w, b, n) / ww;
    for (int k = 0; k < n; k++) rest[k] = b[k] - first * w[k];
    cycle(r, i, rest, x);
    times(d, x, v);
    double along = r->cycle == CYCLE_W ? 0 : dot(v, w, n) / ww;
    for (int k = 0; k < n; k++) v[k] -= along * w[k], x[k] -= along * one[k];
    double second = r->cycle == CYCLE_W ? 1 : dot(v, rest, n) / dot(v, v, n);
    for (int k = 0; k < n; k++) x[k] = first * one[k] + second * x[k];
    free(one), free(w), free(v), free(rest);
}

static void cycle(const struct reference *r, int i, const double *b, double *x)
{
    const struct dense *d = &r->level[i];
    if (i == r->n_levels - 1) {
        for (int k = 0; k < d->n; k++) x[k] = 0;
        if (d->n <= 144 / r->block * r->block) coarsest(r, d, b, x);
        else for (int k = 0; k < SMOOTHINGS; k++) smooth(r, d, b, x);
        return;
    }
    int n = d[1].n, block = r->block;
    double *coarse_b, *coarse_x;
    NEW(coarse_b, n), NEW(coarse_x, n);
    for (int k = 0; k < d->n; k++) coarse_b[d->parent[k / block] * block + k % block] += b[k];
    if (i + 1 <= K && i + 1 < r->n_levels - 1 && r->cycle != CYCLE_V) two_steps(r, i + 1, coarse_b, coarse_x);
    else cycle(r, i + 1, coarse_b, coarse_x);
    for (int k = 0; k < d->n; k++) x[k] = coarse_x[d->parent[k / block] * block + k % block];
    for (int k = 0; k < SMOOTHINGS; k++) smooth(r, d, b, x);
    free(coarse_b), free(coarse_x);
}

static double *applied(const struct block_system *s, struct multigrid *m, const double *r)
{
    double *dr = block_vector(s, r), *dz = block_vector(s, NULL);
    multigrid_apply(m, dr, NULL, dz);
    double *z = block_download(s, dz);
    device_free(dr), device_free(dz);
    return z;
}

static void check_cycle(const struct block_system *s, const struct linear_setting *set, bool singular, int levels)
{
    struct multigrid *m = multigrid_create(&s->a, set, singular);
    multigrid_refresh(m);
    if (multigrid_levels(m) < levels) fail_msg("%d rows of %d: %d levels", s->n, s->block, multigrid_levels(m));
    struct reference ref = reference_of(s, m, singular, set);
    double *r = numbers(s->n * s->block, 3), *z = applied(s, m, r), *again = applied(s, m, r), *wanted;
    NEW(wanted, s->n * s->block);
    cycle(&ref, 0, r, wanted);
    if (!(distance(z, wanted, s->n * s->block) < 2e-4))
        fail_msg("%d rows of %d, cycle %d, %d levels: differs by %g", s->n, s->block, (int)set->cycle, ref.n_levels,
                 distance(z, wanted, s->n * s->block));
    assert_memory_equal(z, again, (size_t)(s->n * s->block) * sizeof *z);
    reference_free(&ref);
    multigrid_free(m);
    free(r), free(z), free(again), free(wanted);
}

static void check_cycles(int size, int block, enum block_kind kind)
{
    struct block_system s = block_system_of(size, block, 9, 8, kind);
    struct linear_setting set = {.cycle = (enum cycle)((size + block) % 3), .pairings = 2 + block % 2};
    check_cycle(&s, &set, false, size > 500 ? 2 : 1);
    set.smoother = SMOOTHER_ILU, set.factor_ordering = FACTOR_MATRIX;
    check_cycle(&s, &set, false, size > 500 ? 2 : 1);
    set.smoother = SMOOTHER_ISAI;
    check_cycle(&s, &set, false, size > 500 ? 2 : 1);
    block_system_free(&s);
}

static void against_formulas(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 511, 512, 513};
    for (int i = 0; i < 7; i++) {
        for (int block = 2; block <= MOST_BLOCK; block++) check_cycles(sizes[i], block, BLOCKS_JOINED);
        for (int block = 3; block <= 4; block++) check_cycles(sizes[i], block, BLOCKS_ARROW);
    }
}

/* With the constant pressure in the null space. */
static void singular_cycle(void **state)
{
    (void)state;
    struct matrix a;
    struct linear_system s = block_cavity("cavity-coupled:17", &a);
    struct block_system b = {.a = a, .n = s.n, .block = 3};
    NEW(b.start, s.n + 1), NEW(b.column, s.start[s.n]), NEW(b.value, s.start[s.n] * 9), NEW(b.diag, s.n * 9);
    for (int i = 0; i < s.n; i++) {
        b.start[i + 1] = s.start[i + 1] - i - 1;
        memcpy(b.diag + 9 * i, s.value + 9 * s.start[i], 9 * sizeof *s.value);
        memcpy(b.column + b.start[i], s.column + s.start[i] + 1,
               (size_t)(b.start[i + 1] - b.start[i]) * sizeof *s.column);
        memcpy(b.value + 9 * b.start[i], s.value + 9 * (s.start[i] + 1),
               9 * (size_t)(b.start[i + 1] - b.start[i]) * sizeof *s.value);
    }
    block_expand(&b);
    for (int kind = 0; kind < 6; kind++)
        check_cycle(&b, &(struct linear_setting){.cycle = (enum cycle)(kind % 3), .factor_ordering = FACTOR_MATRIX,
                                                 .pairings = 2,
                                                 .smoother = kind / 3 ? SMOOTHER_ILU : SMOOTHER_BLOCK_JACOBI}, true, 3);
    block_system_free(&b), linear_system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_formulas), cmocka_unit_test(singular_cycle)};
    return RUN_TESTS("block_cycle", tests);
}

/* Deflation: the projection compared with a dense one, the small matrix and its factor, subdomains. */
#include "deflation_fixture.h"
#include "solve/deflation.h"
#include "solve/envelope.h"

/* P v, p.v and x + Q (b - A x) of one set of subdomains. */
static void check_projection(const struct system *s, const int32_t *domain, int k, bool singular,
                             enum deflation_solver solver)
{
    int n = s->n;
    int64_t n_padded = s->a.p.n_padded;
    struct linear_setting set = setting(DEFLATION_BLOCKS, k, solver);
    struct deflation *d = deflation_create(&s->a, &set, domain, k, singular);
    assert_null(deflation_refresh(d, &s->a));
    assert_int_equal(deflation_vectors(d), k - singular);
    double *v = numbers(n, 3), *p = numbers(n, 99), mean = 0, largest = 0;
    for (int i = 0; i < n; i++) mean += v[i] / n;
    for (int i = 0; i < n && singular; i++) v[i] -= mean;
    double *exact = dense_project(s, domain, k, singular, v);
    double *dv = to_device(NULL, n_padded), *dp = to_device(NULL, n_padded), *x = to_device(NULL, n_padded);
    double *q = to_device(NULL, n_padded), *r = to_device(NULL, n_padded);
    struct sums sums = sums_create(1, s->a.p.n_slices, "sums");
    device_upload(dv, v, (size_t)n * 8), device_upload(dp, p, (size_t)n * 8), device_upload(x, p, (size_t)n * 8);
    deflation_project(d, dv, dp, &sums, NULL);
    double *found = download(dv, n_padded), *partial = download(sums.partial, s->a.p.n_slices), dot = 0, sum = 0,
           size = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(found[i] - exact[i])), size = fmax(size, fabs(v[i]));
    for (int i = 0; i < n; i++) dot += p[i] * found[i];
    for (int i = 0; i < s->a.p.n_slices; i++) sum += partial[i];
    assert_true(largest <= 1e-11 * size);
    assert_true(fabs(dot - sum) <= 1e-12 * n);
    for (int64_t i = n; i < n_padded; i++) assert_true(found[i] == 0);

    device_upload(dv, v, (size_t)n * 8);                /* now a right-hand side */
    deflation_correct(d, x, dv, q, r, &sums, sums.total);
    double *ax, *corrected = download(x, n_padded), norm2 = 0, before;
    NEW(ax, n);
    product(s, p, ax);
    for (int i = 0; i < n; i++) ax[i] = v[i] - ax[i], norm2 += ax[i] * ax[i];
    sums_download(&sums, 0, 1, &before);
    assert_true(fabs(before - norm2) <= 1e-12 * norm2);
    double *y = dense_coarse(s, domain, k, singular, ax);
    double shift = singular ? corrected[0] - p[0] - y[domain[0]] : 0;   /* constants are free */
    for (int i = 0; i < n; i++) assert_true(fabs(corrected[i] - p[i] - y[domain[i]] - shift) <= 1e-10);
    for (int64_t i = n; i < n_padded; i++) assert_true(corrected[i] == 0);
    free(v), free(p), free(exact), free(found), free(partial), free(ax), free(corrected), free(y);
    device_free(dv), device_free(dp), device_free(x), device_free(q), device_free(r), sums_free(&sums);
    deflation_free(d);
}

/* Subdomains of every shape: runs, scattered rows, one, and as many as rows. */
static void check_size(entry *f, int n, bool singular)
{
    struct system s = system_of(f, n, 90);
    int32_t *domain;
    NEW(domain, n);
    const int counts[] = {1, 2, 7, 31, 33, 70};
    for (int c = 0; c < 6; c++)
        for (int scattered = 0; scattered < 2; scattered++) {
            int k = counts[c] < n ? counts[c] : n;
            for (int i = 0; i < n; i++) domain[i] = !scattered ? i * k / n : i < k ? i : i * 7919 % k;
            check_projection(&s, domain, k, singular, DEFLATION_INVERSE);
            check_projection(&s, domain, k, singular, DEFLATION_CHOLESKY);
        }
    free(domain);
    system_free(&s);
}

static void projection_against_dense(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 32, 33, 511, 512, 513, 1100};
    for (int i = 0; i < 8; i++) check_size(spd, sizes[i], false);
    check_size(diagonal, 40, false);
    check_size(neumann, 400, true);
    check_size(neumann, 1024, true);
}

/* ---------------------------------------------------------------- the small matrix */
static void envelope_against_dense(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 17, 32, 33, 100};
    for (int z = 0; z < 6; z++) {
        int n = sizes[z], ld = (n + 31) / 32 * 32;
        struct envelope e;
        int32_t *first;
        double *full, *inverse;
        NEW(first, n), NEW(full, n * n), NEW(inverse, n * ld);
        for (int i = 0; i < n; i++) first[i] = i > 20 ? i - 20 + i % 7 : i / 3;
        envelope_create(&e, n, first);
        for (int i = 0; i < n; i++) {
            full[i * n + i] = e.diag[i] = 25 + number(i);
            for (int j = first[i]; j < i; j++)
                full[i * n + j] = full[j * n + i] = *envelope_at(&e, i, j) = number(i * n + j);
        }
        assert_int_equal(envelope_factor(&e, n), -1);
        envelope_inverse(&e, n, inverse, ld);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < ld; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) sum += full[i * n + k] * inverse[k * ld + j];
                assert_true(fabs(sum - (i == j)) < 1e-13);
                assert_true(j >= n || inverse[i * ld + j] == inverse[j * ld + i]);
            }
        envelope_free(&e);
        free(full), free(inverse);
    }
}

static void not_positive(void **state)
{
    (void)state;
    struct system s = system_of(neumann, 100, 10);      /* singular, but not declared so */
    struct linear_setting set = setting(DEFLATION_STRIPES, 5, DEFLATION_INVERSE);
    int32_t *domain;
    struct error e;
    NEW(domain, 100);
    assert_int_equal(subdomains(&s.a, &set, NULL, domain, &e), 5);
    struct deflation *d = deflation_create(&s.a, &set, domain, 5, false);
    const char *why = deflation_refresh(d, &s.a);
    assert_non_null(why);
    assert_non_null(strstr(why, "pivot 4 of 5"));
    deflation_free(d);
    free(domain);
    system_free(&s);
}

/* ---------------------------------------------------------------- subdomains */
static void subdomains_of_every_kind(void **state)
{
    (void)state;
    enum { N = 36 * 36 };
    struct system s = system_of(jump, N, 36);
    struct error e;
    int32_t domain[N], phase[N], count[MOST_DOMAINS];
    for (int kind = DEFLATION_STRIPES; kind <= DEFLATION_LEVEL_SET_BLOCKS; kind++)
        for (int k = 1; k <= 50; k += 7) {
            struct linear_setting set = setting(kind, k, DEFLATION_INVERSE);
            int32_t n = subdomains(&s.a, &set, NULL, domain, &e);
            assert_in_range(n, 1, k);
            if (kind == DEFLATION_STRIPES) assert_int_equal(n, k);
            if (kind == DEFLATION_BLOCKS) assert_int_equal(n, k < 3 ? k : 3);
            if (kind == DEFLATION_LEVEL_SET) assert_int_equal(n, k < 37 ? k : 37);
            if (kind == DEFLATION_LEVEL_SET_BLOCKS) assert_in_range(n, k < 37 ? k : 39, k);
            memset(count, 0, sizeof count);
            for (int i = 0; i < N; i++) count[domain[i]]++;
            for (int32_t d = 0; d < n; d++) assert_true(count[d] > 0);
            if (kind == DEFLATION_LEVEL_SET_BLOCKS && k > 37)           /* the region between is cut, no bubble is */
                for (int32_t d = 0; d < n; d++) assert_true(count[d] <= N / (k - 37) + 1);
            for (int i = 1; i < N; i++) {
                if (kind == DEFLATION_STRIPES) assert_in_range(domain[i] - domain[i - 1], 0, 1);
                if (kind == DEFLATION_STRIPES) assert_in_range(count[domain[i]], N / k, N / k + 1);
                if (kind == DEFLATION_BLOCKS) assert_true(domain[i] == domain[i - 1] || i % SLICE == 0);
                bool across = bubble(N, i) != bubble(N, i - 1);
                if (kind == DEFLATION_LEVEL_SET && k == 50) assert_int_equal(domain[i] != domain[i - 1], across);
                if (kind == DEFLATION_LEVEL_SET_BLOCKS && k == 50 && across) assert_true(domain[i] != domain[i - 1]);
            }
        }
    struct linear_setting set = setting(DEFLATION_LEVEL_SET, 100, DEFLATION_INVERSE);
    for (int i = 0; i < N; i++) phase[i] = i % 36 < 12 ? 7 : i / 36 < 10 ? -3 : 7;      /* any numbers */
    assert_int_equal(subdomains(&s.a, &set, phase, domain, &e), 2);
    for (int i = 0; i < N; i++) assert_int_equal(domain[i], phase[i] == -3);
    int32_t of_phase[N];
    for (int i = 0; i < N; i++) phase[i] = bubble(N, i);
    int32_t regions = subdomains(&s.a, &set, phase, of_phase, &e);
    set.deflation = DEFLATION_JUMPS;                    /* the same regions, from the values alone */
    assert_int_equal(subdomains(&s.a, &set, NULL, domain, &e), regions);
    assert_memory_equal(domain, of_phase, sizeof domain);
    set.deflation_vectors = regions - 1;
    assert_int_equal(subdomains(&s.a, &set, NULL, domain, &e), 0);
    assert_non_null(strstr(e.text, "expected from 2 to deflation_vectors"));
    set.deflation = DEFLATION_LEVEL_SET, set.deflation_vectors = 100;
    memset(phase, 0, sizeof phase);
    assert_int_equal(subdomains(&s.a, &set, phase, domain, &e), 0);
    assert_non_null(strstr(e.text, "only one region"));
    set.deflation_vectors = MOST_DOMAINS + 1;
    assert_int_equal(subdomains(&s.a, &set, NULL, domain, &e), 0);
    system_free(&s);
    s = system_of(diagonal, 3, 1);                      /* METIS leaves parts empty */
    set = setting(DEFLATION_METIS, 3, DEFLATION_INVERSE);
    assert_in_range(subdomains(&s.a, &set, NULL, domain, &e), 1, 3);
    system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection_against_dense), cmocka_unit_test(envelope_against_dense),
        cmocka_unit_test(not_positive), cmocka_unit_test(subdomains_of_every_kind)};
    return RUN_TESTS("deflation", tests);
}

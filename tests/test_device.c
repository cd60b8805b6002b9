/* Kernels, reductions and the mod.SELL product compared with plain loops, at sizes around the slice. */
#include <unistd.h>
#include "test.h"
#include "gpu/stale.h"
#include "gpu/stopwatch.h"
#include "gpu/sums.h"
#include "gpu/team.h"
#include "gpu/vector.h"
#include "solve/matrix.h"

static const int sizes[] = {1, 31, 32, 33, 511, 512, 513, 2000, 70000};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

/* A ring with chords: structurally symmetric, row 5 isolated, rows of different lengths. */
static bool linked(int n, int i, int j)
{
    if (i == j || i == 5 || j == 5) return false;
    int d = abs(i - j);
    return d == 1 || d == 7 || d == 600 || (i % 10 == 0 && j % 10 == 0 && d == 90) || d == n - 1;
}

static void product_equals_loop(void **state)
{
    (void)state;
    for (int s = 0; s < N_SIZES && sizes[s] <= 2000; s++) {
        int n = sizes[s];
        int64_t *start, *place;
        int32_t *column;
        NEW(start, n + 1), NEW(column, n * 12), NEW(place, n * 12);
        for (int i = 0; i < n; i++) {
            start[i + 1] = start[i];
            for (int j = 0; j < n; j++) if (linked(n, i, j)) column[start[i + 1]++] = j;
        }
        struct matrix a;
        matrix_create_alone(&a, n, start, column, place);
        assert_int_equal(a.p.n_entries, start[n]);
        double *val, *x, *y, *diag;
        NEW(val, a.p.n_stored), NEW(x, a.p.n_padded), NEW(y, a.p.n_padded), NEW(diag, a.p.n_padded);
        for (int i = 0; i < a.p.n_padded; i++)
            diag[i] = i < n ? 4 + number(i) : 1, x[i] = i < n ? number(3 * i + 1) : 0;
        for (int64_t k = 0; k < start[n]; k++) val[place[k]] = number(k);
        device_upload(a.val, val, (size_t)a.p.n_stored * 8);
        device_upload(a.diag, diag, (size_t)a.p.n_padded * 8);
        double *dx = device_alloc((size_t)a.p.n_padded * 8, "x"), *dy = device_alloc((size_t)a.p.n_padded * 8, "y");
        device_upload(dx, x, (size_t)a.p.n_padded * 8);
        matrix_product(&a, dx, dy);
        device_download(y, dy, (size_t)a.p.n_padded * 8);
        for (int i = 0; i < a.p.n_padded; i++) {
            double sum = diag[i] * x[i];
            for (int64_t k = i < n ? start[i] : 0; i < n && k < start[i + 1]; k++)
                sum = fma(number(k), x[column[k]], sum);
            assert_memory_equal(&y[i], &sum, 8);
        }
        device_free(dx), device_free(dy);
        matrix_free_alone(&a);
        free(start), free(column), free(place), free(val), free(x), free(y), free(diag);
    }
}

static void reductions(void **state)
{
    (void)state;
    for (int s = 0; s < N_SIZES; s++) {
        int64_t n = sizes[s], padded = (n + SLICE - 1) / SLICE * SLICE;
        double *x, sum = 0, abs_sum = 0, most = 0, dot = 0;
        NEW(x, padded);
        for (int64_t i = 0; i < n; i++) {
            x[i] = number(i);
            sum += x[i], abs_sum += fabs(x[i]), dot += x[i] * x[i];
            if (fabs(x[i]) > most) most = fabs(x[i]);
        }
        double *d = device_alloc((size_t)padded * 8, "x");
        device_upload(d, x, (size_t)padded * 8);
        assert_true(fabs(reduce(REDUCE_SUM, d, NULL, padded) - sum) <= 1e-13 * abs_sum);
        assert_true(fabs(reduce(REDUCE_DOT, d, d, padded) - dot) <= 1e-13 * dot);
        assert_true(reduce(REDUCE_ABS_MAX, d, NULL, padded) == most);
        device_free(d);
        free(x);
    }
}

/* A kernel that only examines the bytes of its arguments, whose members have padding between them. */
struct holed_args { int32_t a; double *b; struct { int64_t c; int8_t d; } inner[2]; int32_t e; };
static unsigned char bytes_seen[sizeof(struct holed_args)];
static void see_on_gpu(const void *args, int64_t n, void *stream)
{
    (void)n, (void)stream;
    memcpy(bytes_seen, args, sizeof bytes_seen);
}
static void see(const void *args, int64_t first, int64_t last, int64_t n)
{
    (void)first, (void)last;
    see_on_gpu(args, n, NULL);
}
const struct kernel holed_kernel = {"holed", see, 1, see_on_gpu, sizeof(struct holed_args)};
KERNEL(holed, struct holed_args)

/* Equal launches have equal bytes, regardless of the memory where their arguments were built. */
static void arguments_without_holes(void **state)
{
    (void)state;
#ifdef HOLES_STAY
    skip();
#endif
    for (int k = 0; k < 3; k++) {
        struct holed_args a, expected;
        memset(&a, 0x55 * k, sizeof a), memset(&expected, 0, sizeof expected);
        a.a = expected.a = 1, a.b = expected.b = NULL, a.e = expected.e = 4;
        for (int i = 0; i < 2; i++)
            a.inner[i].c = expected.inner[i].c = 2, a.inner[i].d = expected.inner[i].d = 3;
        holed(&a, 1);
        device_seconds();                       /* now it has been launched */
        assert_memory_equal(bytes_seen, &expected, sizeof expected);
    }
}

/* The second stage bitwise: a lane of 512 adds every 512th partial sum in turn; then by halving. */
static void many_partial_sums(void **state)
{
    static const int32_t counts[] = {1, 511, 513, 4096, 10000};
    (void)state;
    for (int s = 0; s < 5; s++) {
        const int32_t n = counts[s];
        struct sums sums = sums_create(2, n, "sums");
        double *partial, lane[SLICE] = {0}, found[2], largest = 0;
        NEW(partial, n);
        for (int32_t i = 0; i < n; i++) {
            partial[i] = fabs(number(i));
            lane[i % SLICE] += partial[i], largest = fmax(largest, partial[i]);
        }
        for (int h = SLICE / 2; h > 0; h /= 2) for (int l = 0; l < h; l++) lane[l] += lane[l + h];
        for (int k = 0; k < 2; k++) device_upload(sums.partial + k * n, partial, (size_t)n * sizeof *partial);
        sums_finish(&sums, 0, 1), sums_finish_largest(&sums, 1, 1);
        sums_download(&sums, 0, 2, found);
        assert_true(found[0] == lane[0] && found[1] == largest);
        sums_free(&sums);
        free(partial);
    }
}

/* More laps than stored moments: the parts' times sum to no more than the elapsed time, and time between laps and the
 * next start is not counted. */
static void stopwatch(void **state)
{
    (void)state;
    enum { ROUNDS = 3 * STOPWATCH_MOMENTS };
    struct stopwatch s = {0};
    double *x = device_alloc(100000 * sizeof *x, "x");
    struct fill_args f = {x, 1};
    double outside = 0, begun = device_seconds();
    for (int i = 0; i < ROUNDS; i++) {
        stopwatch_start(&s);
        fill(&f, 1000);
        stopwatch_lap(&s, 0);
        for (int k = 0; k < 5; k++) fill(&f, 100000);
        stopwatch_lap(&s, 1);
        double between = device_seconds();
        for (int k = 0; k < 5; k++) fill(&f, 100000);
        outside += device_seconds() - between;
    }
    double all = device_seconds() - begun;
    const double *seconds = stopwatch_seconds(&s);
    assert_true(seconds[0] > 0 && seconds[1] > 0 && seconds[2] == 0);
    assert_true(seconds[0] + seconds[1] <= (all - outside) * 1.001 + 1e-5);
    double before = seconds[1];
    stopwatch_start(&s), stopwatch_lap(&s, 0);
    assert_true(stopwatch_seconds(&s)[1] == before);
    stopwatch_free(&s);
    device_free(x);
}

/* Each piece of the job notes its thread, and takes long enough for every thread to get some. */
enum { NOTED = 16 };
static void note_thread(const void *args, int64_t first, int64_t last, int64_t n)
{
    pid_t *const *seen = args;
    (void)n;
    for (int64_t i = first; i < last; i++) (*seen)[i] = gettid();
    usleep(500);
}

/* A device opened while another is open replaces it: no thread of the old one remains, which would look for work in the
 * new one. */
static void opened_again(void **state)
{
    (void)state;
    struct error e;
    pid_t seen[NOTED], *noted = seen, found[NOTED];
    int threads = 0;
    assert_true(device_open("cpu", 4, &e));
    assert_true(device_open("cpu", 2, &e));
    for (int round = 0; round < 20; round++) {
        team_run(note_thread, &noted, NOTED, 1);
        for (int i = 0, k; i < NOTED; i++) {
            for (k = 0; k < threads && found[k] != seen[i]; k++) {}
            if (k == threads && threads < NOTED) found[threads++] = seen[i];
        }
    }
    assert_in_range(threads, 1, 2);
    reductions(state);
    open_device();
}

/* Ghosts after three own rows become NaN once these are written, in that component alone, and not before; they remain
 * if they were written too, and if the memory is another vector's. */
static void stale_copies(void **state)
{
    (void)state;
    double x[2][5] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
    stale_watch(x, 2, 3, 5, sizeof **x);
    stale_find();
    assert_true(x[0][3] == 4 && x[1][4] == 10);
    x[1][0] = 0;
    stale_find();
    assert_true(x[0][3] == 4 && x[0][4] == 5 && isnan(x[1][3]) && isnan(x[1][4]) && x[1][2] == 8);
    x[1][3] = 9, x[1][4] = 10;
    stale_watch(x, 2, 3, 5, sizeof **x);
    x[0][1] = 0, x[0][3] = 0;
    stale_find();
    assert_true(x[0][3] == 0 && x[0][4] == 5);
    stale_forget(x, sizeof x);
    x[1][1] = 0;
    stale_find();
    assert_true(x[1][3] == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(product_equals_loop), cmocka_unit_test(reductions),
                                       cmocka_unit_test(many_partial_sums), cmocka_unit_test(stopwatch),
                                       cmocka_unit_test(arguments_without_holes), cmocka_unit_test(opened_again),
                                       cmocka_unit_test(stale_copies)};
    return RUN_TESTS("device", tests);
}

/* Anderson acceleration: compared with plain loops on linear maps, exactness, safeguards, restart; with SIMPLE and
 * SIMPLEC. */
#include "flow_fixture.h"
#include "run_fixture.h"

static int open_machine(void **state) { return (void)state, open_device(), 0; }
static int close_machine(void **state) { return (void)state, device_close(), 0; }

/* A linear map of a velocity of two components and a flux: x -> x + B (b - A x), every number separately or coupled to
 * the next. */
enum { CELLS = 37, FLUXES = 50, DEPTH = 4 };

struct problem {
    struct anderson *anderson;
    struct fields fields;
    double *u, *flux, *volume;          /* on the device, [2 SLICE], [FLUXES], [SLICE] */
    double hu[2 * SLICE], hflux[FLUXES], hvolume[SLICE];        /* their copies here */
};

static void put(struct problem *p)
{
    device_upload(p->u, p->hu, sizeof p->hu);
    device_upload(p->flux, p->hflux, sizeof p->hflux);
}

static void get(struct problem *p)
{
    device_download(p->hu, p->u, sizeof p->hu);
    device_download(p->hflux, p->flux, sizeof p->hflux);
}

static void problem_open(struct problem *p, int depth)
{
    memset(p, 0, sizeof *p);
    for (int i = 0; i < SLICE; i++) p->hvolume[i] = 1.5 + number(i);
    p->u = device_alloc(sizeof p->hu, "u"), p->flux = device_alloc(sizeof p->hflux, "flux");
    p->volume = device_copy_of(p->hvolume, sizeof p->hvolume, "volume");
    struct anderson_setup s = {.name = "acceleration", .depth = depth, .volume = p->volume, .n_slices = 1,
                               .n_arrays = 2,
                               .array = {{"velocity", &p->u, 2, SLICE, ITEM_CELLS},
                                         {"flux", &p->flux, 1, FLUXES, ITEM_FACES}}};
    p->anderson = anderson_create(&s);
    anderson_fields(p->anderson, &p->fields);
}

static void problem_close(struct problem *p)
{
    anderson_free(p->anderson);
    fields_free(&p->fields);
    device_free(p->u), device_free(p->flux), device_free(p->volume);
}

/* One iteration of the map: `unknowns` of the velocity's numbers change; the flux follows the velocity linearly. */
static void apply(double *u, double *flux, int unknowns)
{
    double old[2 * SLICE];
    memcpy(old, u, sizeof old);
    for (int i = 0; i < unknowns; i++) {
        int at = i % CELLS + i / CELLS * SLICE, next = (i + 1) % unknowns % CELLS + (i + 1) % unknowns / CELLS * SLICE;
        double rate = 0.6 - 0.5 * i / unknowns;
        u[at] = rate * old[at] + 0.2 * (1 - rate) * old[next] + number(i + 7);
    }
    for (int i = 0; i < FLUXES; i++) flux[i] = 3 * u[i % CELLS] - u[SLICE + i % CELLS] + 1;
}

static enum anderson_action iterate(struct problem *p, int unknowns)
{
    anderson_begin(p->anderson);
    get(p);
    apply(p->hu, p->hflux, unknowns);
    put(p);
    enum anderson_action done = anderson_end(p->anderson);
    get(p);
    return done;
}

/* ---------------------------------------------------------------- compared with plain loops */
/* G and f of all iterations: Anderson's formula, by Gram-Schmidt on the steps of f. */
enum { NUMBERS = 2 * SLICE + FLUXES, MOST = 40 };
struct plain { double g[MOST][NUMBERS], f[MOST][2 * SLICE]; int n; };

static double product(const double *volume, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 2 * SLICE; i++) sum += volume[i % SLICE] * a[i] * b[i];
    return sum;
}

/* x = the mixture of the last iterations' results, at most DEPTH steps. */
static void plain_mix(const struct plain *p, const double *volume, double *x)
{
    static double q[DEPTH][2 * SLICE], d[DEPTH][NUMBERS], rest[2 * SLICE];
    int n = p->n - 1, m = n < DEPTH ? n : DEPTH;
    memcpy(rest, p->f[n], sizeof rest);
    memcpy(x, p->g[n], sizeof p->g[n]);
    for (int j = 0; j < m; j++) {               /* q: orthogonal steps of f; d: the same combinations of those of G */
        for (int i = 0; i < 2 * SLICE; i++) q[j][i] = p->f[n - j][i] - p->f[n - j - 1][i];
        for (int i = 0; i < NUMBERS; i++) d[j][i] = p->g[n - j][i] - p->g[n - j - 1][i];
        for (int k = 0; k < 2 * j; k++) {       /* twice, for accuracy */
            double part = product(volume, q[j], q[k % j]) / product(volume, q[k % j], q[k % j]);
            for (int i = 0; i < 2 * SLICE; i++) q[j][i] -= part * q[k % j][i];
            for (int i = 0; i < NUMBERS; i++) d[j][i] -= part * d[k % j][i];
        }
        double part = product(volume, rest, q[j]) / product(volume, q[j], q[j]);
        for (int i = 0; i < 2 * SLICE; i++) rest[i] -= part * q[j][i];
        for (int i = 0; i < NUMBERS; i++) x[i] -= part * d[j][i];
    }
}

static void as_plain_loops(void **state)
{
    (void)state;
    static struct problem p;
    static struct plain plain;
    double x[NUMBERS] = {0}, old[2 * SLICE];
    int mixed = 0;
    memset(&plain, 0, sizeof plain);
    problem_open(&p, DEPTH);
    for (int k = 0; k < 20; k++) {
        enum anderson_action done = iterate(&p, 2 * CELLS);
        memcpy(old, x, sizeof old);
        apply(x, x + 2 * SLICE, 2 * CELLS);
        if (k >= 5) {                           /* the first five are not mixed */
            memcpy(plain.g[plain.n], x, sizeof x);
            for (int i = 0; i < 2 * SLICE; i++) plain.f[plain.n][i] = x[i] - old[i];
            plain.n++;
        }
        if (plain.n > 1) plain_mix(&plain, p.hvolume, x);
        assert_int_equal(done, plain.n > 1 ? ANDERSON_MIXED : ANDERSON_PLAIN);
        mixed += done == ANDERSON_MIXED;
        for (int i = 0; i < NUMBERS; i++) {
            double is = i < 2 * SLICE ? p.hu[i] : p.hflux[i - 2 * SLICE];
            if (!(fabs(is - x[i]) <= 1e-7))
                fail_msg("iteration %d, number %d: %.12g, by plain loops %.12g", k, i, is, x[i]);
        }
    }
    assert_int_equal(mixed, 14);
    problem_close(&p);
}

/* Like GMRES, it converges on a linear map of n unknowns after n steps; and whatever is linear in all G remains so: the
 * flux. */
static void exact_on_linear_maps(void **state)
{
    (void)state;
    static struct problem p;
    double x[2 * SLICE] = {0}, flux[FLUXES];
    for (int k = 0; k < 2000; k++) apply(x, flux, 6);
    problem_open(&p, 8);
    for (int k = 0; k < 15; k++) iterate(&p, 6);
    for (int i = 0; i < 6; i++)
        if (!(fabs(p.hu[i] - x[i]) <= 1e-7)) fail_msg("number %d: %.12g, solution %.12g", i, p.hu[i], x[i]);
    for (int i = 0; i < FLUXES; i++)
        assert_true(fabs(p.hflux[i] - (3 * p.hu[i % CELLS] - p.hu[SLICE + i % CELLS] + 1)) < 1e-10);
    problem_close(&p);
}

/* ---------------------------------------------------------------- safeguards */
/* An iteration that adds `change` to every cell's u_x, and `other` to the first one's u_y. */
static enum anderson_action step(struct problem *p, double change, double other)
{
    anderson_begin(p->anderson);
    get(p);
    for (int i = 0; i < CELLS; i++) p->hu[i] += change;
    p->hu[SLICE] += other;
    put(p);
    return anderson_end(p->anderson);
}

/* The fields equal the iteration's result. */
static bool left_alone(struct problem *p)
{
    double before[2 * SLICE];
    memcpy(before, p->hu, sizeof before);
    get(p);
    return !memcmp(before, p->hu, sizeof before);
}

static void weights_are_limited(void **state)
{
    (void)state;
    static struct problem p;
    problem_open(&p, DEPTH);
    for (int k = 0; k < 6; k++) assert_int_equal(step(&p, 1, 0), ANDERSON_PLAIN);
    assert_int_equal(step(&p, 1 + 1e-6, 0), ANDERSON_MIXED);    /* without a limit: weights of a million */
    double before = p.hu[0];
    get(&p);
    assert_true(fabs(p.hu[0] - before) < 5 && fabs(p.hu[0] - before) > 1);
    problem_close(&p);
}

static void bad_histories_are_dropped(void **state)
{
    (void)state;
    static struct problem p;
    int dropped = 0, k;
    problem_open(&p, DEPTH);
    for (k = 0; k < 6; k++) step(&p, 1, 0);
    assert_int_equal(step(&p, 0.9, 0.1), ANDERSON_MIXED);
    assert_int_equal(step(&p, 20, 0), ANDERSON_DROPPED);
    assert_true(left_alone(&p));
    assert_int_equal(step(&p, 10, 1), ANDERSON_MIXED);                  /* a new history begins at once */
    assert_int_equal(step(&p, 0.1, 0.1), ANDERSON_MIXED);               /* the smallest so far: the drop is forgotten */
    double change = 1;
    for (k = 0; k < 100; k++, change *= 15) {
        enum anderson_action done = step(&p, change, k);
        if (done == ANDERSON_ENDED) break;
        dropped += done == ANDERSON_DROPPED;
        assert_int_equal(done, k ? ANDERSON_DROPPED : ANDERSON_MIXED);
    }
    assert_int_equal(dropped, 5);
    assert_true(left_alone(&p));
    assert_int_equal(step(&p, 0.01, 0), ANDERSON_OFF);
    assert_true(left_alone(&p));
    problem_close(&p);
}

/* ---------------------------------------------------------------- restart */
static void copy_fields(const struct fields *from, const struct fields *to)
{
    assert_int_equal(from->n, to->n);
    for (int i = 0; i < from->n; i++) {
        const struct field *a = &from->field[i], *b = &to->field[i];
        assert_true(a->use == (FIELD_CHECKPOINT | FIELD_MAY_LACK | FIELD_UNTIL_END) &&
                    a->components == b->components && a->pitch == b->pitch);
        size_t size = (size_t)(a->components * a->pitch) * (a->single ? sizeof(float) : sizeof(double));
        if (a->single) device_copy(*b->single, *a->single, size);
        else if (a->number) memcpy(b->number, a->number, size);
        else device_copy(*b->value, *a->value, size);
    }
}

static void goes_on_from_a_checkpoint(void **state)
{
    (void)state;
    static struct problem p, other;
    for (int stop = 2; stop < 16; stop += 3) {
        problem_open(&p, DEPTH), problem_open(&other, DEPTH);
        for (int k = 0; k < stop; k++) iterate(&p, 2 * CELLS);
        memcpy(other.hu, p.hu, sizeof p.hu), memcpy(other.hflux, p.hflux, sizeof p.hflux);
        put(&other);
        copy_fields(&p.fields, &other.fields);
        for (int k = 0; k < 5; k++) assert_int_equal(iterate(&p, 2 * CELLS), iterate(&other, 2 * CELLS));
        assert_memory_equal(p.hu, other.hu, sizeof p.hu);
        assert_memory_equal(p.hflux, other.hflux, sizeof p.hflux);
        problem_close(&p), problem_close(&other);
    }
}

/* Whatever the numbers in a checkpoint are, no access is out of bounds. */
static void any_numbers_do(void **state)
{
    (void)state;
    static const double odd[] = {-1, 0.5, 3, 1e300, -1e300, 0};
    static struct problem p;
    for (int first = 0; first < 6; first++) {
        problem_open(&p, DEPTH);
        for (int k = 0; k < 9; k++) iterate(&p, 2 * CELLS);
        const struct field *f = &p.fields.field[p.fields.n - 1];
        assert_non_null(f->number);
        for (int64_t i = 0; i < f->pitch; i++) f->number[i] = odd[(first + i) % 6];
        for (int k = 0; k < 9; k++) iterate(&p, 2 * CELLS);
        problem_close(&p);
    }
}

/* ---------------------------------------------------------------- with SIMPLE and SIMPLEC */
static const char *const cavity = "boundary = { top = { type = \"wall\"; velocity = [1.0, 0.0]; }; "
    "left = { type = \"wall\"; };right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; };\n"
    "fluid = { viscosity = 0.005; };\nsolver = { %s };\n";
static const char *const duct = "boundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; "
    "profile = \"parabolic\"; };right = { type = \"outlet\"; }; top = { type = \"wall\"; }; "
    "bottom = { type = \"symmetry\"; }; };\nfluid = { viscosity = 0.01; };\nsolver = { %s };\n";

/* Converged velocity (freed by the caller), iterations in *n. */
static double *converged(enum grid kind, const char *text, const char *more, int *iterations, int64_t *n)
{
    char whole[2000], solver[300];
    struct trial w;
    struct box_setting box = grid_box(kind, 20, 0.15);
    snprintf(solver, sizeof solver, "tolerance = 1e-9; max_iterations = 3000; %s", more);
    snprintf(whole, sizeof whole, text, solver);
    trial_open(&w, kind, &box, false, whole);
    *iterations = trial_converge(&w);
    *n = w.f->s.dim * w.f->s.pitch;
    double *u = FROM_DEVICE(w.f->u, *n);
    trial_close(&w);
    return u;
}

static void solution_is_the_same_and_comes_sooner(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"", "algorithm = \"simple\"; "};
    for (int i = 0; i < 8; i++) {
        const char *text = i / 2 % 2 ? duct : cavity;
        enum grid kind = i / 4 ? GRID_MIXED_2D : GRID_QUADS;
        char more[100];
        int without, with;
        int64_t n;
        double *u = converged(kind, text, algorithm[i % 2], &without, &n), most = 0;
        snprintf(more, sizeof more, "%sacceleration = 8;", algorithm[i % 2]);
        double *v = converged(kind, text, more, &with, &n);
        for (int64_t k = 0; k < n; k++) most = fmax(most, fabs(u[k] - v[k]));
        if (!(most <= 1e-7)) fail_msg("case %d: the velocity differs by %g", i, most);
        if (with < 0 || with > without) fail_msg("case %d: %d iterations, without acceleration %d", i, with, without);
        free(u), free(v);
    }
}

/* With more rows than one thread takes; restarted before mixing begins and during it, with another depth, and from a
 * run without acceleration. */
static void runs_restart_with_the_same_bits(void **state)
{
    (void)state;
    static char log[20000], text[3000];
    static const char *const form = "mesh = { box = { cells = [80, 70]; stretch = [3, 3]; }; };\n%s";
    char solver[200], part[2000];
    unsigned long long whole = 0;
    static const struct { int iterations, depth, threads; bool restart; } run[] = {
        {20, 4, 1, false}, {20, 4, 3, false}, {4, 4, 2, false}, {13, 4, 1, true}, {20, 4, 2, true},
        {10, 0, 2, false}, {20, 4, 2, true}, {25, 6, 2, true}};
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        snprintf(solver, sizeof solver, "max_iterations = %d; acceleration = %d;", run[i].iterations, run[i].depth);
        snprintf(part, sizeof part, cavity, solver);
        snprintf(text, sizeof text, form, part);
        assert_int_equal(run_case(text, run[i].threads, run[i].restart, log), EXIT_NOT_CONVERGED);
        if (i == 0) whole = digest_of(log);
        if ((i == 1 || i == 4) && digest_of(log) != whole)
            fail_msg("run %zu: digest %016llx, in one go: %016llx", i, digest_of(log), whole);
        if (i == 6) assert_true(digest_of(log) != whole);
    }
}

int main(void)
{
#define ON_MACHINE(test) cmocka_unit_test_setup_teardown(test, open_machine, close_machine)
    const struct CMUnitTest tests[] = {
        ON_MACHINE(as_plain_loops), ON_MACHINE(exact_on_linear_maps), ON_MACHINE(weights_are_limited),
        ON_MACHINE(bad_histories_are_dropped), ON_MACHINE(goes_on_from_a_checkpoint), ON_MACHINE(any_numbers_do),
        ON_MACHINE(solution_is_the_same_and_comes_sooner),
        cmocka_unit_test_setup_teardown(runs_restart_with_the_same_bits, make_folder, remove_folder)};
    return cmocka_run_group_tests_name("anderson", tests, NULL, NULL);
}

/* The coupled algorithm: its solution equals SIMPLEC's on every kind of cells and with every boundary type; its system
 * as a file; same bits, restart. */
#include "flow/coupled.h"
#include "flow_fixture.h"
#include "run/system_file.h"
#include "run_fixture.h"
#include "system/matrix_file.h"

/* ---------------------------------------------------------------- the same solution */
/* Flows in a box; %s: ", 0" in 3-D, where back is a wall and front a symmetry plane. */
struct flow_case { const char *name, *text; bool periodic; };
static const struct flow_case flows[] = {
    {"cavity", "top = { type = \"wall\"; velocity = [1, 0%s]; }; left = { type = \"wall\"; };"
     "bottom = { type = \"wall\"; }; right = { type = \"wall\"; };", false},
    {"channel", "left = { type = \"inlet\"; velocity = [1, 0%s]; profile = \"parabolic\"; };"
     "right = { type = \"outlet\"; pressure = 2.0; }; bottom = { type = \"wall\"; };"
     "top = { type = \"wall\"; };", false},
    {"channel with symmetry", "left = { type = \"inlet\"; velocity = [1, 0.2%s]; }; right = { type = \"outlet\"; };"
     "bottom = { type = \"symmetry\"; }; top = { type = \"slip\"; };", false},
    {"corner with two outlets", "left = { type = \"inlet\"; velocity = [1, 0.2%s]; }; right = { type = \"outlet\"; };"
     "bottom = { type = \"wall\"; velocity = [0.5, 0%s]; }; top = { type = \"outlet\"; pressure = 0.1; };", false},
    {"in and out through inlets", "left = { type = \"inlet\"; velocity = [1, 0%s]; };"
     "right = { type = \"inlet\"; velocity = [1, 0%s]; }; bottom = { type = \"wall\"; };"
     "top = { type = \"slip\"; };", false},
    {"periodic", "left = { type = \"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; };"
     "bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = [1, 0%s]; };", true}};

/* The velocity after convergence; *iterations: how many that took. */
static double *solution(const struct flow_case *flow, enum grid kind, const char *solver, int64_t *n, int *iterations)
{
    struct trial w;
    bool solid = grid_dim(kind) == 3;
    struct box_setting box = grid_box(kind, solid ? 5 : 12, solid ? 0.1 : 0.15);
    const char *third = solid ? ", 0" : "";
    char boundaries[1000], text[2000];
    snprintf(boundaries, sizeof boundaries, flow->text, third, third);
    snprintf(text, sizeof text, "boundary = { %s%s };\nfluid = { viscosity = 0.02; density = 1.2; };\n"
             "solver = { tolerance = 1e-10; max_iterations = 3000; %s };\n", boundaries,
             solid ? " back = { type = \"wall\"; }; front = { type = \"symmetry\"; };" : "", solver);
    trial_open(&w, kind, &box, flow->periodic, text);
    *iterations = trial_settle(&w);
    if (*iterations < 0) fail_msg("%s on %s: not converged with %s", flow->name, grid_name[kind], solver);
    double *u = FROM_DEVICE(w.f->u, *n = w.m.dim * w.f->s.pitch);
    trial_close(&w);
    return u;
}

static void coupled_is_simplec(void **state)
{
    (void)state;
    int64_t n;
    int together, apart;
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
            if (!full_size() && (kind + i) % 3) continue;           /* each flow, and two on each kind of cells */
            double *u = solution(&flows[i], (enum grid)kind, "algorithm = \"coupled\";", &n, &together), most = 0;
            double *v = solution(&flows[i], (enum grid)kind, "relaxation_velocity = 0.7;", &n, &apart);
            for (int64_t k = 0; k < n; k++) most = fmax(most, fabs(u[k] - v[k]));
            print_message("# %s on %s: %d iterations, simplec %d, difference %.1e\n", flows[i].name, grid_name[kind],
                          together, apart, most);
            if (!(most <= 1e-6)) fail_msg("%s on %s: velocities differ by %g", flows[i].name, grid_name[kind], most);
            if (together > 100) fail_msg("%s on %s: %d iterations", flows[i].name, grid_name[kind], together);
            free(u), free(v);
        }
    device_close();
}

/* The solution does not depend on the preconditioner, and uses the case's convection scheme. */
static void solvers_and_schemes(void **state)
{
    (void)state;
    static const char *const scheme[] = {"upwind", "central", "van-leer", "upwind", "central"};
    static const char *const linear[] = {"", "coupled = { preconditioner = \"ilu\"; level = 1; };",
                                         "coupled = { method = \"gmres\"; preconditioner = \"block-isai\"; "
                                         "restart = 40; };", "newton = 0.5;",
                                         "coupled = { smoother = \"block-isai\"; };"};
    int64_t n;
    int iterations;
    open_device();
    for (int i = 0; i < 5; i++) {
        char text[300];
        snprintf(text, sizeof text, "algorithm = \"coupled\"; convection = \"%s\"; %s", scheme[i], linear[i]);
        double *u = solution(&flows[0], GRID_MIXED_2D, text, &n, &iterations), most = 0;
        snprintf(text, sizeof text, "convection = \"%s\"; relaxation_velocity = 0.8;", scheme[i]);
        double *v = solution(&flows[0], GRID_MIXED_2D, text, &n, &iterations);
        for (int64_t k = 0; k < n; k++) most = fmax(most, fabs(u[k] - v[k]));
        if (!(most <= 1e-6)) fail_msg("%s: velocities differ by %g", text, most);
        free(u), free(v);
    }
    device_close();
}

/* ---------------------------------------------------------------- the same flow with another density */
/* An inlet, a pressure outlet, a moving wall and symmetry planes; everything with a unit of mass in proportion to the
 * density. */
static double *flow_of_density(enum grid kind, double density, int64_t *pitch, int *iterations)
{
    struct trial w;
    const bool solid = grid_dim(kind) == 3;
    struct box_setting box = grid_box(kind, solid ? 6 : 16, 0.1);
    char text[1500];
    snprintf(text, sizeof text,
             "boundary = { left = { type = \"inlet\"; velocity = [1, 0.2%s]; };"
             "right = { type = \"outlet\"; pressure = %.17g; }; bottom = { type = \"wall\"; velocity = [0.5, 0%s]; };"
             "top = { type = \"slip\"; }; %s };\nfluid = { viscosity = %.17g; density = %.17g; };\n"
             "solver = { algorithm = \"coupled\"; };\n", solid ? ", 0" : "", 3 * density, solid ? ", 0" : "",
             solid ? "back = { type = \"wall\"; }; front = { type = \"symmetry\"; };" : "", 0.1 * density, density);
    trial_open(&w, kind, &box, false, text);
    *iterations = trial_converge(&w);
    *pitch = w.f->s.pitch;
    double *u, *p = FROM_DEVICE(w.f->p, *pitch), *velocity = FROM_DEVICE(w.f->u, w.m.dim * *pitch);
    NEW(u, (w.m.dim + 1) * *pitch);
    memcpy(u, velocity, (size_t)(w.m.dim * *pitch) * sizeof *u);
    for (int64_t i = 0; i < *pitch; i++) u[w.m.dim * *pitch + i] = p[i] / density;
    free(p), free(velocity);
    trial_close(&w);
    return u;
}

/* A density that is a power of two changes no bit, any other density no digit within the tolerance. */
static void density_changes_nothing(void **state)
{
    (void)state;
    static const double density[] = {0x1p-10, 0x1p10, 0.001, 0.1, 5, 998.2};
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        int64_t pitch;
        int iterations, reference;
        double *u = flow_of_density((enum grid)kind, 1, &pitch, &reference);
        assert_true(reference > 0 && reference < 40);
        for (int i = 0; i < 6; i++) {
            if (!full_size() && (kind + i) % 2) continue;
            double *v = flow_of_density((enum grid)kind, density[i], &pitch, &iterations), most = 0;
            for (int64_t k = 0; k < (grid_dim((enum grid)kind) + 1) * pitch; k++) most = fmax(most, fabs(u[k] - v[k]));
            if (abs(iterations - reference) > (i > 1) || !(most <= (i > 1 ? 1e-4 : 0)))
                fail_msg("%s, density %g: %d iterations, at density 1 %d; fields differ by %g", grid_name[kind],
                         density[i], iterations, reference, most);
            free(v);
        }
        free(u);
    }
    device_close();
}

/* ---------------------------------------------------------------- flows that used to take hundreds of iterations */
/* From rest between two outlets; long channels of long cells, in the second of which smoothing by block-Jacobi diverges
 * unless it is damped by rows; a box of span 3, whose flow is three-dimensional. */
static void few_iterations(void **state)
{
    (void)state;
    static const char channel[] = "boundary = { left = { type = \"%s\"; %s }; right = { type = \"outlet\"; };"
                                  "bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
                                  "fluid = { viscosity = %g; };\n"
                                  "solver = { algorithm = \"coupled\"; coupled = { smoother = \"%s\"; }; };\n";
    static const char span[] = "boundary = { top = { type = \"wall\"; velocity = [1, 0, 0]; };"
                               "left = { type = \"wall\"; }; right = { type = \"wall\"; };"
                               "bottom = { type = \"wall\"; }; back = { type = \"wall\"; };"
                               "front = { type = \"wall\"; }; };\nfluid = { viscosity = 0.001; };\n"
                               "solver = { algorithm = \"coupled\"; };\n";
    const struct {
        enum grid kind; struct box_setting box; const char *inflow, *what; double viscosity; int most; bool jacobi;
    } flow[] = {
        {GRID_QUADS, {.given = true, .dim = 2, .cells = {64, 32}, .to = {2, 1}, .stretch = {1, 1, 1}}, "outlet",
         "pressure = 1.6;", 0.1, 20, false},
        {GRID_TRIANGLES, {.given = true, .dim = 2, .cells = {64, 32}, .to = {2, 1}, .stretch = {1, 1, 1}}, "outlet",
         "pressure = 1.6;", 0.1, 25, false},
        {GRID_QUADS, {.given = true, .dim = 2, .cells = {200, 25}, .to = {100, 1}, .stretch = {1, 1, 1}}, "inlet",
         "velocity = [1, 0];", 0.01, 20, false},
        {GRID_QUADS, {.given = true, .dim = 2, .cells = {400, 100}, .to = {100, 1}, .stretch = {1, 1, 1}}, "inlet",
         "velocity = [1, 0];", 0.01, 20, true},
        {GRID_HEXAHEDRA, {.given = true, .dim = 3, .cells = {16, 16, 32}, .to = {1, 1, 3}, .stretch = {4, 4, 4}}, NULL,
         NULL, 0, 50, false}};
    open_device();
    for (size_t i = 0; i < sizeof flow / sizeof *flow; i++) {
        struct trial w;
        char text[1000];
        snprintf(text, sizeof text, channel, flow[i].inflow, flow[i].what, flow[i].viscosity,
                 flow[i].jacobi ? "block-jacobi" : "auto");
        trial_open(&w, flow[i].kind, &flow[i].box, false, flow[i].inflow ? text : span);
        int found = trial_converge(&w);
        print_message("# flow %zu: %d iterations\n", i, found);
        if (found < 0 || found > flow[i].most) fail_msg("flow %zu: %d iterations, bound %d", i, found, flow[i].most);
        trial_close(&w);
    }
    device_close();
}

/* ---------------------------------------------------------------- inertia */
static const char *const cavity = "boundary = { top = { type = \"wall\"; velocity = [1%s]; };"
    "left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; };%s };\n"
    "fluid = { viscosity = 0.005; };\n"
    "solver = { algorithm = \"coupled\"; max_iterations = %d;%s };\n";

/* If every linear solve takes many iterations, Newton's terms are limited further and further and then the inertia is
 * multiplied by four; if none does, it stays at its minimum. */
static void hard_solves_raise_the_inertia(void **state)
{
    (void)state;
    open_device();
    for (int hard = 0; hard < 2; hard++) {
        struct box_setting box = grid_box(GRID_QUADS, 32, 0);
        struct simple_report r;
        struct trial w;
        char text[1000];
        snprintf(text, sizeof text, cavity, ", 0", "", 100,
                 hard ? " coupled = { tolerance = 1e-9; smoother = \"block-jacobi\"; };" : "");
        trial_open(&w, GRID_QUADS, &box, false, text);
        for (int i = 0; i < 12; i++) simple_iterate(&w.simple, &r);
        double times = r.inertia * 32 / 0.16;
        if (!(fabs(times - (hard ? 4 : 1)) < 1e-9)) fail_msg("inertia %g times the least, hard: %d", times, hard);
        trial_close(&w);
    }
    device_close();
}

/* ---------------------------------------------------------------- the system */
/* Rows of A x - b, with blocks, and the largest |b|. */
static double residual_of(const struct linear_system *s, const double *x, double *largest)
{
    double worst = 0;
    const int b = s->block;
    for (int32_t i = 0; i < s->n; i++)
        for (int u = 0; u < b; u++) {
            double rest = s->rhs[i * b + u];
            *largest = fmax(*largest, fabs(rest));
            for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
                for (int v = 0; v < b; v++) rest -= s->value[(k * b + u) * b + v] * x[s->column[k] * b + v];
            worst = fmax(worst, fabs(rest));
        }
    return worst;
}

static const char *const open_sided = "boundary = { top = { type = \"slip\"; };"
    "left = { type = \"inlet\"; velocity = [1, 0.1]; }; right = { type = \"outlet\"; };"
    "bottom = { type = \"wall\"; }; };\nfluid = { viscosity = 0.01; };\n"
    "solver = { algorithm = \"coupled\"; acceleration = 0; coupled = { tolerance = 1e-12; restart = 60; }; };\n";

/* The file's system is the one of the next iteration: its changes are the solution. */
static void system_as_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/poise-test-XXXXXX.h5";
    struct linear_system s = {0};
    struct box_setting box = grid_box(GRID_QUADS, 24, 0.1);
    struct simple_report r;
    struct trial w;
    struct error e;
    const double *rhs;
    double largest = 0, unit;
    close(mkstemps(path, 3));
    open_device();
    trial_open(&w, GRID_QUADS, &box, false, open_sided);
    for (int i = 0; i < 4; i++) simple_iterate(&w.simple, &r);
    int64_t pitch = w.f->s.pitch;
    double *u = FROM_DEVICE(w.f->u, 2 * pitch), *p = FROM_DEVICE(w.f->p, pitch), *x;
    coupled_assemble(&w.simple);
    const struct matrix *a = coupled_system(&w.simple, &rhs, &unit);
    assert_true(system_file_write(a, rhs, unit, "test", &w.m, path, &e));
    assert_false(system_file_write(a, rhs, unit, "test", &w.m, "/nowhere/c.h5", &e));
    assert_int_equal(e.status, EXIT_RESOURCE);
    trial_close(&w);
    trial_open(&w, GRID_QUADS, &box, false, open_sided);
    for (int i = 0; i < 5; i++) simple_iterate(&w.simple, &r);
    double *u_next = FROM_DEVICE(w.f->u, 2 * pitch), *p_next = FROM_DEVICE(w.f->p, pitch);
    if (!matrix_hdf5_read(&s, path, &e)) fail_msg("%s", e.text);
    assert_true(s.n == 24 * 24 && s.block == 3 && !s.singular && s.dim == 2);
    NEW(x, 3 * s.n);
    for (int32_t i = 0; i < s.n; i++) {
        for (int k = 0; k < 2; k++) x[3 * i + k] = u_next[k * pitch + i] - u[k * pitch + i];
        x[3 * i + 2] = p_next[i] - p[i];
    }
    double worst = residual_of(&s, x, &largest);
    if (!(worst < 1e-9 * largest)) fail_msg("residual %g, right-hand side %g", worst, largest);
    linear_system_free(&s);
    free(x), free(u), free(p), free(u_next), free(p_next);
    trial_close(&w);
    device_close();
    unlink(path);
}

/* ---------------------------------------------------------------- whole runs */
/* More rows than one thread takes; hexahedra with a scalar, distorted; quads.  hard: the linear solves take so many
 * iterations that block-Jacobi is replaced, and that the minimum inertia rises. */
static void describe(char text[5000], bool solid, bool hard, int iterations)
{
    char flow[2000];
    snprintf(flow, sizeof flow, cavity, solid ? ", 0, 0" : ", 0",
             solid ? " back = { type = \"wall\"; }; front = { type = \"symmetry\"; };" : "", iterations,
             hard ? " coupled = { tolerance = 1e-9; };" : "");
    snprintf(text, 5000, "mesh = { box = { %s }; };\n%s%s", solid ? "cells = [17, 16, 16]; distortion = 0.2;"
             : "cells = [66, 64]; stretch = [3, 3];", flow,
             solid ? "scalars = { dye = { diffusivity = 0.01; values = { top = 1.0; bottom = 0.0; }; }; };\n" : "");
}

static void same_bits_on_all_threads(void **state)
{
    (void)state;
    static char log[20000], text[5000];
    for (int solid = 0; solid < 2; solid++) {
        unsigned long long first = 0;
        describe(text, solid, false, 9);
        for (int threads = 1; threads <= 3; threads++) {
            assert_int_equal(run_case(text, threads, false, log), EXIT_NOT_CONVERGED);
            if (threads == 1) first = digest_of(log);
            else if (digest_of(log) != first)
                fail_msg("%d threads: digest %016llx, one thread: %016llx", threads, digest_of(log), first);
        }
    }
}

static void restart_gives_the_same_bits(void **state)
{
    (void)state;
    static char log[20000], text[5000];
    for (int kind = 0; kind < 4; kind++) {
        const bool solid = kind % 2, hard = kind > 1;
        describe(text, solid, hard, 14);
        run_case(text, 2, false, log);
        const unsigned long long whole = digest_of(log);
        if (hard && !strstr(log, "smooths by incomplete LU")) fail_msg("the smoother was not replaced:\n%s", log);
        for (int middle = 2; middle < 12; middle += 7) {
            if (!full_size() && middle != (kind % 3 ? 2 : 9)) continue;
            describe(text, solid, hard, middle);
            run_case(text, 2, false, log);
            assert_true(digest_of(log) != whole);
            describe(text, solid, hard, 14);
            run_case(text, 2, true, log);
            if (digest_of(log) != whole)
                fail_msg("restarted after %d: digest %016llx, in one go: %016llx", middle, digest_of(log), whole);
        }
    }
}

static void endings(void **state)
{
    (void)state;
    static char log[20000], text[5000];
    describe(text, false, false, 100);
    assert_int_equal(run_case(text, 0, false, log), EXIT_CONVERGED);
    assert_non_null(strstr(log, "  continuity   inner   all   Mcells/s"));
    describe(text, false, false, 3);
    assert_int_equal(run_case(text, 0, false, log), EXIT_NOT_CONVERGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coupled_is_simplec), cmocka_unit_test(solvers_and_schemes),
        cmocka_unit_test(density_changes_nothing), cmocka_unit_test(few_iterations),
        cmocka_unit_test(hard_solves_raise_the_inertia), cmocka_unit_test(system_as_a_file),
        cmocka_unit_test_setup_teardown(same_bits_on_all_threads, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(restart_gives_the_same_bits, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(endings, make_folder, remove_folder)};
    return finish_tests(cmocka_run_group_tests_name("coupled", tests, NULL, NULL));
}

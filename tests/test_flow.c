/* SIMPLE and SIMPLEC as a whole: closed forms, independence of relaxation, same bits, restart, how a run ends. */
#include "unsteady_fixture.h"
#include "assembly/gradient.h"
#include "gpu/vector.h"
#include "run/sample.h"
#include "run_fixture.h"
#include "run/system_file.h"
#include "run/write.h"
#include "solve/rebuild.h"
#include "system/matrix_file.h"

static const char *const cavity = "boundary = { top = { type = \"wall\"; velocity = [1.0, 0.0]; }; "
    "left = { type = \"wall\"; };right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; };\n"
    "fluid = { viscosity = %s; };\nsolver = { %s };\n";
static const char *const cube = "boundary = { top = { type = \"wall\"; velocity = [1.0, 0.0, 0.0]; }; "
    "left = { type = \"wall\"; };right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; "
    "back = { type = \"wall\"; }; front = { type = \"symmetry\"; }; };\nfluid = { viscosity = %s; };\n"
    "solver = { %s };\n";

/* ---------------------------------------------------------------- closed forms */
/* Largest error of u against 4 y (1 - y), over a flow driven from left to right in a channel of height 1. */
static double poiseuille_error(const struct trial *w)
{
    double *u = FROM_DEVICE(w->f->u, w->m.dim * w->f->s.pitch), worst = 0;
    for (int c = 0; c < w->m.n_cells; c++) {
        double y = w->m.cell_centre[w->m.n_cells + c];
        worst = fmax(worst, fmax(fabs(u[c] - 4 * y * (1 - y)), fabs(u[w->f->s.pitch + c])));
    }
    free(u);
    return worst;
}

/* A periodic channel driven by a force: 8 mu. */
static double driven_channel(enum grid kind, int n, double distortion)
{
    struct trial w;
    struct box_setting box = grid_box(kind, n, distortion);
    double force = 8 * 0.5;
    trial_open(&w, kind, &box, true, "boundary = { left = { type = \"periodic\"; with = \"right\"; }; "
               "right = { type = \"periodic\"; };bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
               "fluid = { viscosity = 0.5; };\nsolver = { tolerance = 1e-10; max_iterations = 2000; "
               "convection = \"central\"; };\n");
    assert_int_equal(w.m.n_joints, n);
    size_t size = 2 * (size_t)w.f->s.pitch * sizeof(double);
    double *source;
    NEW(source, 2 * w.f->s.pitch);
    for (int c = 0; c < w.m.n_cells; c++) source[c] = force;
    w.f->source = device_alloc(size, "source");
    device_upload(w.f->source, source, size);
    free(source);
    assert_true(trial_settle(&w) > 0);
    double error = poiseuille_error(&w);
    trial_close(&w);
    return error;
}

static void driven_channels(void **state)
{
    (void)state;
    open_device();
    double exact = driven_channel(GRID_QUADS, 16, 0);   /* the wall shear is exact for parabolas */
    if (!(exact <= 1e-8)) fail_msg("quads: error %.12g", exact);
    double coarse = driven_channel(GRID_TRIANGLES, 8, 0.2), fine = driven_channel(GRID_TRIANGLES, 16, 0.2);
    if (!(fine < 0.4 * coarse && fine < 0.01)) fail_msg("triangles: %g, then %g", coarse, fine);
    device_close();
}

static void channel_with_outlet(void **state)
{
    (void)state;
    struct trial w;
    struct box_setting box = grid_box(GRID_QUADS, 20, 0);
    box.to[0] = 3;
    open_device();
    trial_open(&w, GRID_QUADS, &box, false, "boundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; "
               "profile = \"parabolic\"; };right = { type = \"outlet\"; pressure = 2.0; }; "
               "bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\nfluid = { viscosity = 0.1; };\n"
               "solver = { tolerance = 1e-9; };\n");
    assert_true(trial_converge(&w) > 0);
    assert_true(poiseuille_error(&w) < 0.01);
    double *p = FROM_DEVICE(w.f->p, w.m.n_cells), worst = 0;
    for (int c = 0; c < w.m.n_cells; c++)
        if (w.m.cell_centre[c] > 1) worst = fmax(worst, fabs(p[c] - 2 - 0.8 * (3 - w.m.cell_centre[c])));
    if (!(worst < 0.01)) fail_msg("pressure is off by %g", worst);
    free(p);
    trial_close(&w);
    device_close();
}

/* Slip walls, with flow in and out through the sides: u = (1, 0), p = 0, on every mesh. */
static void uniform_stream(void **state)
{
    (void)state;
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct trial w;
        bool solid = grid_dim((enum grid)kind) == 3;
        struct box_setting box = grid_box((enum grid)kind, solid ? 3 : 6, 0.1);
        char text[1000];
        snprintf(text, sizeof text, "boundary = { left = { type = \"inlet\"; velocity = [1%s]; }; "
                 "right = { type = \"outlet\"; };bottom = { type = \"symmetry\"; }; top = { type = \"symmetry\"; "
                 "};%s };\nfluid = { viscosity = 0.1; };\nsolver = { tolerance = 1e-11; };\n", solid ? ", 0, 0" : ", 0",
                 solid ? " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };" : "");
        trial_open(&w, (enum grid)kind, &box, false, text);
        struct simple_report r;
        for (int i = 0; i < 200; i++) simple_iterate(&w.simple, &r);    /* residuals of a uniform field have no scale */
        double *u = FROM_DEVICE(w.f->u, w.m.dim * w.f->s.pitch), *p = FROM_DEVICE(w.f->p, w.m.n_cells);
        for (int c = 0; c < w.m.n_cells; c++) {
            double error = fabs(p[c]);
            for (int k = 0; k < w.m.dim; k++) error = fmax(error, fabs(u[k * w.f->s.pitch + c] - (k == 0)));
            if (!(error < 1e-8)) fail_msg("%s: error %g in cell %d", grid_name[kind], error, c);
        }
        free(u), free(p);
        trial_close(&w);
    }
    device_close();
}

/* Of a pressure 1e5 times its differences, which are 0 here, rounding leaves fluxes that no correction changes. */
static void uniform_stream_at_a_level(void **state)
{
    (void)state;
    struct trial w;
    struct box_setting box = grid_box(GRID_QUADS, 3, 0);
    open_device();
    trial_open(&w, GRID_QUADS, &box, false, "boundary = { left = { type = \"inlet\"; velocity = [0.01, 0]; }; "
               "right = { type = \"outlet\"; pressure = 22.7; }; bottom = { type = \"symmetry\"; }; "
               "top = { type = \"symmetry\"; }; };\nfluid = { viscosity = 0.0009; };\n"
               "solver = { tolerance = 1e-8; };\n");
    assert_true(trial_converge(&w) > 0);
    trial_close(&w);
    device_close();
}

static bool is_closed(const struct trial *w, int32_t b)
{
    uint8_t rule;
    device_download(&rule, w->f->b.flux_rule + b, 1);
    return rule == FLUX_NONE;
}

/* A line that ends on a wall or an inlet ends with the velocity there, regardless of the cell's value. */
static void lines_reach_walls(void **state)
{
    (void)state;
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_TETRAHEDRA; kind++) {
        struct trial w;
        struct sample s;
        struct error e;
        struct box_setting box = grid_box((enum grid)kind, 5, 0.1);
        bool solid = grid_dim((enum grid)kind) == 3;
        char text[1000];
        snprintf(text, sizeof text, "fluid = { viscosity = 0.1; };\nboundary = { left = { type = \"wall\"; }; "
                 "right = { type = \"wall\"; };bottom = { type = \"inlet\"; velocity = [0.3, 1]; }; "
                 "top = { type = \"inlet\"; velocity = [0.3, 1]; };%s };",
                 solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "");
        trial_open(&w, (enum grid)kind, &box, false, text);
        for (int i = 0; i < 3; i++) simple_iterate(&w.simple, &(struct simple_report){0});
        int32_t n = w.f->s.n_boundary;
        double *point, *value;
        NEW(point, 3 * (int64_t)n), NEW(value, 5 * (int64_t)n);
        for (int32_t b = 0; b < n; b++)
            for (int k = 0; k < w.m.dim; k++)
                point[3 * b + k] = w.m.cell_centre[(int64_t)k * w.m.n_cells + w.m.face_owner[w.m.n_internal + b]]
                                 + w.m.face_r[(int64_t)k * w.m.n_faces + w.m.n_internal + b];
        for (int32_t b = 0; b < n && !solid; b++)       /* not only at the middle of a face, where it is the wall's */
            for (int k = 0; k < 2 && is_closed(&w, b); k++)
                point[3 * b + k] += (k ? 0.3 : -0.3) *
                                    w.m.face_area[(int64_t)(1 - k) * w.m.n_faces + w.m.n_internal + b];
        if (!sample_create(&s, &w.m, point, n, "", "lines", "rim", &e)) fail_msg("%s", e.text);
        fields_look(&w.f->fields);
        sample_read(&s, w.f, value);
        double *given = FROM_DEVICE(w.f->b.velocity, (int64_t)w.m.dim * n);
        for (int64_t i = 0; i < (int64_t)w.m.dim * n; i++)
            if (!(fabs(value[i] - given[i]) < 1e-12))
                fail_msg("%s: %.15g at a wall that has %.15g", grid_name[kind], value[i], given[i]);
        sample_free(&s);
        free(point), free(value), free(given);
        trial_close(&w);
    }
    device_close();
}

/* The largest step of the fields from point to point of a line through the box, with n points. */
static double largest_step(const struct trial *w, int n)
{
    struct sample s;
    struct error e;
    double *point, *value, most = 0;
    NEW(point, 3 * (int64_t)n), NEW(value, 5 * (int64_t)n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < w->m.dim; k++)
            point[3 * i + k] = (double[]){0.02, 0.11, 0.97}[k] + (double[]){0.95, 0.23, -0.61}[k] * i / (n - 1);
    if (!sample_create(&s, &w->m, point, n, "", "lines", "across", &e)) fail_msg("%s", e.text);
    fields_look(&w->f->fields);
    sample_read(&s, w->f, value);
    for (int k = 0; k < w->m.dim + 1; k++)
        for (int i = 1; i < n; i++)
            most = fmax(most, fabs(value[(int64_t)k * n + i] - value[(int64_t)k * n + i - 1]));
    sample_free(&s);
    free(point), free(value);
    return most;
}

/* Lines are continuous from cell to cell: with points five times as dense the largest step is a fifth. */
static void lines_are_continuous(void **state)
{
    (void)state;
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct trial w;
        struct box_setting box = grid_box((enum grid)kind, 5, kind == GRID_QUADS || kind == GRID_TRIANGLES ? 0.2 : 0);
        bool solid = grid_dim((enum grid)kind) == 3;
        char text[1000];
        snprintf(text, sizeof text, "fluid = { viscosity = 0.01; };\nboundary = { left = { type = \"wall\"; }; "
                 "right = { type = \"wall\"; };bottom = { type = \"wall\"; }; "
                 "top = { type = \"wall\"; velocity = [1.0, 0.0%s]; };%s };", solid ? ", 0.0" : "",
                 solid ? " back = { type = \"wall\"; }; front = { type = \"symmetry\"; };" : "");
        trial_open(&w, (enum grid)kind, &box, false, text);
        for (int i = 0; i < 5; i++) simple_iterate(&w.simple, &(struct simple_report){0});
        double coarse = largest_step(&w, 401), fine = largest_step(&w, 2001);
        if (!(fine < 0.25 * coarse)) fail_msg("%s: steps of %g and %g", grid_name[kind], coarse, fine);
        trial_close(&w);
    }
    device_close();
}

/* ---------------------------------------------------------------- independence of the result */
static double *cavity_velocity(enum grid kind, double distortion, const char *solver, int64_t *n)
{
    struct trial w;
    char text[2000];
    struct box_setting box = grid_box(kind, 16, distortion);
    snprintf(text, sizeof text, cavity, "0.02", solver);
    trial_open(&w, kind, &box, false, text);
    if (trial_converge(&w) < 0) fail_msg("not converged: %s", solver);
    double *u = FROM_DEVICE(w.f->u, *n = 2 * w.f->s.pitch);
    trial_close(&w);
    return u;
}

static void relaxation_does_not_matter(void **state)
{
    (void)state;
    static const char *const solver[] = {"tolerance = 1e-9; relaxation_velocity = 0.9;",
                                         "tolerance = 1e-9; relaxation_velocity = 0.5;",
                                         "tolerance = 1e-9; algorithm = \"simple\"; relaxation_velocity = 0.7;",
                                         "tolerance = 1e-9; non_orthogonal_correctors = 1;"};
    open_device();
    for (int distorted = 0; distorted < 2; distorted++) {
        int64_t n;
        double *first = cavity_velocity(GRID_QUADS, 0.2 * distorted, solver[0], &n);
        for (int i = 1; i < 4; i++) {
            double *u = cavity_velocity(GRID_QUADS, 0.2 * distorted, solver[i], &n), most = 0;
            for (int64_t k = 0; k < n; k++) most = fmax(most, fabs(u[k] - first[k]));
            if (!(most <= 1e-6)) fail_msg("%s: differs by %g", solver[i], most);
            free(u);
        }
        free(first);
    }
    device_close();
}

/* Iterations of the pressure's solver in the first iteration. */
static int pressure_iterations(const char *solver)
{
    struct trial w;
    char text[2000];
    struct simple_report r;
    struct box_setting box = grid_box(GRID_QUADS, 16, 0.2);
    snprintf(text, sizeof text, cavity, "0.02", solver);
    trial_open(&w, GRID_QUADS, &box, false, text);
    simple_iterate(&w.simple, &r);
    trial_close(&w);
    return r.pressure_solve.iterations;
}

static void iterations_of_all_corrections_count(void **state)
{
    (void)state;
    open_device();
    int one = pressure_iterations("tolerance = 1e-9;");
    int two = pressure_iterations("tolerance = 1e-9; non_orthogonal_correctors = 1;");
    int three = pressure_iterations("tolerance = 1e-9; non_orthogonal_correctors = 2;");
    if (!(one > 0 && two > one && three > two)) fail_msg("%d, %d, %d iterations", one, two, three);
    device_close();
}

static void schemes_converge(void **state)
{
    (void)state;
    static const char *const scheme[] = {"upwind", "linear-upwind", "central", "van-leer"},
                                        *const how[] = {"least-squares", "green-gauss"};
    static const char *const algorithm[] = {"simple", "simplec"};
    open_device();
    for (int i = 0; i < 16; i++) {
        char solver[300];
        int64_t n;
        snprintf(solver, sizeof solver,
                 "convection = \"%s\"; gradient = \"%s\"; algorithm = \"%s\"; tolerance = 1e-6; max_iterations = 1000;",
                 scheme[i % 4], how[i / 4 % 2], algorithm[i / 8]);
        double *u = cavity_velocity(GRID_MIXED_2D, 0.15, solver, &n), most = 0;
        for (int64_t k = 0; k < n; k++) most = fmax(most, fabs(u[k]));
        assert_in_range((int)(100 * most), 30, 100);
        free(u);
    }
    device_close();
}

/* ---------------------------------------------------------------- whole runs */
/* More than SERIAL_BELOW rows, so that threads share them; distorted 3-D, and 2-D quads. */
static void describe(char text[5000], bool solid, int iterations, const char *more)
{
    char boundaries[3000], solver[300];
    snprintf(solver, sizeof solver, "max_iterations = %d; non_orthogonal_correctors = %d;", iterations, solid);
    snprintf(boundaries, sizeof boundaries, solid ? cube : cavity, "0.01", solver);
    snprintf(text, 5000, "mesh = { box = { %s }; };\n%s%s",
             solid ? "cells = [20, 18, 17]; distortion = 0.2;" : "cells = [80, 70]; stretch = [3, 3];", boundaries,
             more);
}

static void same_bits_on_all_threads(void **state)
{
    (void)state;
    static char log[20000], text[5000];
    for (int solid = 0; solid < 2; solid++) {
        describe(text, solid, 8, "");
        unsigned long long first = 0;
        for (int threads = 1; threads <= 3; threads++) {
            assert_int_equal(run_case(text, threads, false, log), EXIT_NOT_CONVERGED);
            if (threads == 1) first = digest_of(log);
            else if (digest_of(log) != first) fail_msg("%d threads: digest %016llx, one thread: %016llx", threads,
                                                       digest_of(log), first);
        }
    }
}

static void restart_gives_the_same_bits(void **state)
{
    (void)state;
    static char log[20000], text[5000];
    for (int solid = 0; solid < 2; solid++) {
        const char *probe = solid ? "probes = { one = { at = [0.4, 0.3, 0.2]; }; };\n"
                                  : "probes = { one = { at = [0.4, 0.3]; }; };\n";
        describe(text, solid, 9, probe);
        run_case(text, 2, false, log);
        unsigned long long whole = digest_of(log);
        describe(text, solid, 5, probe);
        run_case(text, 2, false, log);
        assert_true(digest_of(log) != whole);
        describe(text, solid, 9, probe);
        run_case(text, 2, true, log);
        if (digest_of(log) != whole) fail_msg("restarted: digest %016llx, in one go: %016llx", digest_of(log), whole);
    }
}

/* Faces of outlets are shut when the run is stopped, with pressures of their own, and open again: the pressure's
 * correction is zero there as if they had never been shut. */
static void restart_with_shut_outlets(void **state)
{
    (void)state;
    static char log[20000];
    static const char *const solver[] = {"algorithm = \"simplec\"; non_orthogonal_correctors = 1",
                                        "algorithm = \"coupled\""};
    static const char ducts[] = "mesh = { box = { cells = [3, 4, 3]; to = [10.0, 3.3, 20.0]; distortion = 0.2; }; };\n"
        "fluid = { viscosity = 0.0159; };\nboundary = { left = { type = \"inlet\"; flow_rate = 3.46; };\n"
        "right = { type = \"outlet\"; backflow = \"none\"; }; bottom = { type = \"wall\"; };\n"
        "top = { type = \"outlet\"; }; back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; }; };\n"
        "solver = { %s; max_iterations = %d; };\n";
    for (int i = 0; i < 2; i++) {
        unsigned long long digest[2];
        for (int restart = 0; restart < 2; restart++) {
            static const int stops[2][2] = {{40, 0}, {5, 40}};
            for (int k = 0; k < 2 && stops[restart][k]; k++) {
                char text[2000];
                snprintf(text, sizeof text, ducts, solver[i], stops[restart][k]);
                run_case(text, 1, k > 0, log);
                digest[restart] = digest_of(log);
            }
        }
        if (digest[1] != digest[0])
            fail_msg("%s: restarted: digest %016llx, in one go: %016llx", solver[i], digest[1], digest[0]);
    }
}

/* Multigrid's next solve rebuilds its structure. */
static void ask_for_a_structure(struct solver *cg)
{
    int64_t n;
    int32_t *all = solver_structure(cg, &n);
    struct rebuild counts;
    memcpy(&counts, all, sizeof counts);
    assert_true(n * 4 == sizeof counts && counts.made > 0 && counts.last > 0 && !counts.anew);
    counts.slow = REBUILD_SLOW;
    assert_true(solver_set_structure(cg, (int32_t *)&counts, n));
    free(all);
}

/* Iterations first+1 .. last of a cavity, from a checkpoint unless first is 0; anew: the structure in iteration 6.
 * Writes a checkpoint after iteration 5 and after the last one; returns the digest. */
static uint64_t cavity_in_parts(int first, int last, bool anew, int32_t **structure, int64_t *n)
{
    struct trial w;
    struct box_setting box = grid_box(GRID_QUADS, 40, 0.2);
    struct error e;
    struct simple_report r;
    int64_t step = 0;
    char text[2000], path[128];
    double clock = 0, ended = 0;
    snprintf(text, sizeof text, cavity, "1e-3", "relaxation_velocity = 0.9; non_orthogonal_correctors = 1;");
    trial_open(&w, GRID_QUADS, &box, false, text);
    snprintf(path, sizeof path, "%s/after%d.h5", folder, first);
    if (first && !read_checkpoint(path, w.f, &w.m, &step, &clock, &e)) fail_msg("%s", e.text);
    assert_int_equal(step, first);
    for (int i = first + 1; i <= last; i++) {
        if (i == 6 && anew) ask_for_a_structure(w.f->pressure_solver);
        simple_iterate(&w.simple, &r);
        if (i == 6 && anew) assert_memory_equal(r.pressure_solve.note, "multigrid's structure rebuilt: ", 31);
        else assert_null(r.pressure_solve.note);
        snprintf(path, sizeof path, "%s/after%d.h5", folder, i);
        if ((i == 5 || i == last) && !write_checkpoint(path, w.f, &w.m, i, &clock, &ended, "", &e))
            fail_msg("%s", e.text);
    }
    uint64_t digest = fields_digest(w.f, &w.m);
    *structure = solver_structure(w.f->pressure_solver, n);
    trial_close(&w);
    return digest;
}

static void restart_has_the_structure(void **state)
{
    (void)state;
    int32_t *of[4];
    int64_t n[4];
    open_device();
    uint64_t whole = cavity_in_parts(0, 12, true, &of[0], &n[0]), first = cavity_in_parts(0, 8, true, &of[1], &n[1]);
    uint64_t other = cavity_in_parts(5, 12, false, &of[3], &n[3]), second = cavity_in_parts(8, 12, true, &of[2], &n[2]);
    device_close();
    assert_true(n[0] > 1600 && n[3] == sizeof(struct rebuild) / 4);
    assert_true(first != whole && other != whole);              /* the structure makes a difference */
    assert_true(second == whole && n[2] == n[0]);
    assert_memory_equal(of[2], of[0], (size_t)n[0] * 4);
    for (int i = 0; i < 4; i++) free(of[i]);
}

/* A monitored quantity of a probe, for every sampled field: it must have been constant over so many iterations, from
 * the first one on, whatever the residuals are. */
static void quantities_must_stand_still(void **state)
{
    (void)state;
    static char log[20000], text[5000];
    int n = snprintf(text, sizeof text, "mesh = { box = { cells = [16, 16]; }; };\n"
                     "probes = { p = { at = [0.4, 0.8]; }; };\n"
                     "scalars = { dye = { diffusivity = 0.01; values = { top = 1.0; bottom = 0.0; }; }; };\n");
    const char *still = "convergence = { c = { of = \"p\"; quantity = \"dye\"; tolerance = %s; over = 7; }; };\n";
    n += snprintf(text + n, sizeof text - (size_t)n, cavity, "0.01", "tolerance = 0.9; max_iterations = 400;");
    snprintf(text + n, sizeof text - (size_t)n, still, "1e9");
    assert_int_equal(run_case(text, 0, false, log), EXIT_CONVERGED);
    assert_non_null(strstr(log, "CONVERGED in 8 "));
    snprintf(text + n, sizeof text - (size_t)n, still, "1e-5");
    assert_int_equal(run_case(text, 0, false, log), EXIT_CONVERGED);
    assert_true(atoi(strstr(log, "CONVERGED in ") + 13) > 20);
    n += snprintf(text + n, sizeof text - (size_t)n, still, "1e-5");
    char *most = strstr(text, "400");
    memcpy(most, "  9", 3);
    assert_int_equal(run_case(text, 0, false, log), EXIT_NOT_CONVERGED);
    assert_non_null(strstr(log, ", and convergence.c still changes by "));
}

static void endings(void **state)
{
    (void)state;
    static char log[20000], text[5000];
    const char *mesh = "mesh = { box = { cells = [16, 16]; distortion = 0.2; }; };\n";
    int n = snprintf(text, sizeof text, "%s", mesh);
    snprintf(text + n, sizeof text - (size_t)n, cavity, "0.01", "tolerance = 1e-5;");
    assert_int_equal(run_case(text, 0, false, log), EXIT_CONVERGED);
    assert_non_null(strstr(log, "CONVERGED in "));

    /* in the very last iteration allowed */
    char setting[80];
    snprintf(setting, sizeof setting, "tolerance = 1e-5; max_iterations = %d;",
             atoi(strstr(log, "CONVERGED in ") + 13));
    snprintf(text + n, sizeof text - (size_t)n, cavity, "0.01", setting);
    assert_int_equal(run_case(text, 0, false, log), EXIT_CONVERGED);

    snprintf(text + n, sizeof text - (size_t)n, cavity, "0.01", "max_iterations = 4;");
    assert_int_equal(run_case(text, 0, false, log), EXIT_NOT_CONVERGED);
    assert_non_null(strstr(log, "NOT CONVERGED: after 4 iterations the worst residual is "));

    snprintf(text + n, sizeof text - (size_t)n, cavity, "1e-5", "algorithm = \"simple\"; relaxation_velocity = 1.0; "
             "relaxation_pressure = 1.0;convection = \"central\"; max_iterations = 2000;");
    assert_int_equal(run_case(text, 0, false, log), EXIT_DIVERGED);
    assert_non_null(strstr(log, "DIVERGED at iteration "));
    assert_true(strstr(log, "The velocity is not a number, first in cell ") || strstr(log, "The largest velocity "));
    assert_non_null(strstr(log, "in cell "));
    assert_non_null(strstr(log, "set solver.relaxation_pressure = 0.2."));
}

/* The file's system is the one of the next iteration: its p', found by the continued run, solves it. */
static void pressure_as_a_file(void **state)
{
    (void)state;
    char text[2000], path[] = "/tmp/poise-test-XXXXXX.h5";
    struct box_setting box = grid_box(GRID_QUADS, 36, 0);
    struct linear_system s;
    struct simple_report r;
    struct trial w;
    struct error e;
    double largest = 0, worst = 0;
    close(mkstemps(path, 3));
    open_device();
    box.stretch[1] = 5;
    snprintf(text, sizeof text, cavity, "0.01", "pressure = { tolerance = 1e-12; max_iterations = 500; };");
    trial_open(&w, GRID_QUADS, &box, false, text);
    for (int i = 0; i < 3; i++) simple_iterate(&w.simple, &r);
    simple_assemble_pressure(&w.simple);
    assert_true(system_file_write(&w.f->pressure, w.f->rhs, 1, "test", &w.m, path, &e));
    assert_false(system_file_write(&w.f->pressure, w.f->rhs, 1, "test", &w.m, "/nowhere/p.h5", &e));
    assert_int_equal(e.status, EXIT_RESOURCE);
    trial_close(&w);
    trial_open(&w, GRID_QUADS, &box, false, text);
    for (int i = 0; i < 4; i++) simple_iterate(&w.simple, &r);
    double *x = FROM_DEVICE(w.simple.change, w.f->s.pitch);
    if (!matrix_hdf5_read(&s, path, &e)) fail_msg("%s", e.text);
    assert_true(s.n == 36 * 36 && s.singular && s.dim == 2);
    assert_memory_equal(s.centre, w.m.cell_centre, 2 * (size_t)s.n * sizeof(double));
    for (int32_t i = 0; i < s.n; i++) {
        double product = 0;
        for (int64_t k = s.start[i]; k < s.start[i + 1]; k++) product += s.value[k] * x[s.column[k]];
        largest = fmax(largest, fabs(s.rhs[i])), worst = fmax(worst, fabs(product - s.rhs[i]));
    }
    if (!(worst < 1e-9 * largest)) fail_msg("residual %g, right-hand side %g", worst, largest);
    linear_system_free(&s);
    free(x);
    trial_close(&w);
    device_close();
    unlink(path);
}

/* Water in SI units between walls a millimetre apart, its outlet at atmospheric pressure, by every steady algorithm: a
 * constant added to the pressure changes nothing, and the initial pressure, which the case does not give, follows
 * it. */
static double *channel_at_level(const char *algorithm, double level, int64_t *pitch)
{
    struct trial w;
    struct box_setting box = {.given = true, .dim = 2, .cells = {24, 10}, .to = {0.004, 0.001}, .stretch = {1, 1, 1}};
    char text[800];
    snprintf(text, sizeof text,
             "boundary = { left = { type = \"inlet\"; velocity = [0.01, 0]; }; bottom = { type = \"wall\"; };"
             "top = { type = \"wall\"; }; right = { type = \"outlet\"; pressure = %.17g; }; };\n"
             "fluid = { viscosity = 0.001; density = 1000.0; };\nsolver = { algorithm = \"%s\"; };\n",
             level, algorithm);
    trial_open(&w, GRID_QUADS, &box, false, text);
    double *p = FROM_DEVICE(w.f->p, 1);
    assert_true(*p == level);
    free(p);
    if (trial_converge(&w) < 0) fail_msg("%s, outlet at %g: not converged", algorithm, level);
    double *u = FROM_DEVICE(w.f->u, 2 * (*pitch = w.f->s.pitch));
    trial_close(&w);
    return u;
}

static void outlets_at_atmospheric_pressure(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"simple", "simplec", "coupled"};
    open_device();
    for (int i = 0; i < 3; i++) {
        int64_t pitch;
        double *u = channel_at_level(algorithm[i], 0, &pitch), *v = channel_at_level(algorithm[i], 1e5, &pitch);
        double most = 0;
        for (int64_t k = 0; k < 2 * pitch; k++) most = fmax(most, fabs(u[k] - v[k]));
        if (!(most <= 1e-6 * 0.01)) fail_msg("%s: velocities differ by %g", algorithm[i], most);
        free(u), free(v);
    }
    device_close();
}

/* From rest, a stream through a box with slip sides: that stream, up to the neglected terms on non-orthogonal cells;
 * inflow and outflow balance in every cell. */
static void starts_with_potential_flow(void **state)
{
    (void)state;
    static const struct { enum grid kind; double distortion, most; } row[] = {
        {GRID_QUADS, 0, 1e-6}, {GRID_QUADS, 0.3, 0.02}, {GRID_TRIANGLES, 0, 1e-6}, {GRID_MIXED_2D, 0.2, 0.002},
        {GRID_HEXAHEDRA, 0, 1e-4}, {GRID_TETRAHEDRA, 0, 0.2}, {GRID_PRISMS, 0.2, 0.005}, {GRID_MIXED_3D, 0, 1e-4}};
    open_device();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct trial w;
        const bool solid = grid_dim(row[i].kind) == 3;
        const struct box_setting box = grid_box(row[i].kind, 6, row[i].distortion);
        char text[1024];
        snprintf(text, sizeof text, "fluid = { viscosity = 0.1; density = 1000.0; };\nboundary = { left = { type = "
                 "\"inlet\"; velocity = %s; }; right = { type = \"outlet\"; pressure = 7.0; }; top = { type = "
                 "\"slip\"; }; bottom = { type = \"slip\"; }; %s };\nsolver = { algorithm = \"coupled\"; };\n",
                 solid ? "[2.0, 0.0, 0.0]" : "[2.0, 0.0]",
                 solid ? "front = { type = \"slip\"; }; back = { type = \"slip\"; };" : "");
        trial_open(&w, row[i].kind, &box, false, text);
        assert_int_equal(w.c.flow.initial.field, INITIAL_POTENTIAL);
        const struct stencil *s = &w.f->s;
        double *u = FROM_DEVICE(w.f->u, s->dim * s->pitch), *flux = FROM_DEVICE(w.f->flux, s->n_faces), *net, most = 0;
        NEW(net, s->n_cells);
        for (int32_t f = 0; f < s->n_faces; f++) {
            net[w.m.face_owner[f]] += flux[f];
            if (f < s->n_internal) net[w.m.face_neighbour[f]] -= flux[f];
        }
        for (int32_t c = 0; c < s->n_cells; c++) {
            most = fmax(most, hypot(u[c] - 2, hypot(u[s->pitch + c], solid ? u[2 * s->pitch + c] : 0)) / 2);
            if (!(fabs(net[c]) <= 1e-3 * 2000)) fail_msg("grid %zu: %g is left in a cell", i, net[c]);
        }
        if (!(most <= row[i].most)) fail_msg("grid %zu: the velocity is %g off", i, most);
        free(u), free(flux), free(net);
        trial_close(&w);
    }
    device_close();
}

/* From rest between a total pressure of 7 and an outlet at 3: as fast as these allow, and Bernoulli's pressure. */
static void starts_with_pressures_of_potential_flow(void **state)
{
    (void)state;
    static const char *const text = "fluid = { viscosity = 0.1; density = 2.0; };\nboundary = { left = { type = "
        "\"inlet\"; total_pressure = 7.0; }; right = { type = \"outlet\"; pressure = 3.0; }; top = { type = "
        "\"slip\"; }; bottom = { type = \"slip\"; }; };\nsolver = { algorithm = \"coupled\"; };\n";
    const struct box_setting box = grid_box(GRID_QUADS, 6, 0);
    struct trial w;
    open_device();
    trial_open(&w, GRID_QUADS, &box, false, text);
    double *u = FROM_DEVICE(w.f->u, w.f->s.pitch), *p = FROM_DEVICE(w.f->p, w.f->s.pitch);
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        if (!(fabs(u[c] - 2) < 1e-3)) fail_msg("velocity %g", u[c]);        /* 7 - 3 = 2 u^2 / 2 */
        if (!(fabs(p[c] - (7 - u[c] * u[c])) < 1e-3)) fail_msg("pressure %g", p[c]);
    }
    free(u), free(p);
    trial_close(&w);
    device_close();
}

/* ---------------------------------------------------------------- what every algorithm leaves after a step */
enum { SIDES = 6, STATE_CELLS = SIDES * SIDES };

/* On regular cells, so that what is beside a face is what the cell has.  Returns the face's u . S. */
static double check_velocity_at(const struct flow *f, const struct mesh *m, int32_t i, const double *u,
                                const double *velocity)
{
    const int32_t b = i - m->n_internal, c = m->face_owner[i], o = b < 0 ? m->face_neighbour[i] : c;
    double through = 0, area = hypot(m->face_area[i], m->face_area[m->n_faces + i]);
    for (int k = 0; k < 2; k++) {
        double normal = m->face_area[k * m->n_faces + i] / area, cell = u[k * f->s.pitch + c];
        double at = b < 0 ? (cell + u[k * f->s.pitch + o]) / 2 : velocity[k * f->s.n_boundary + b];
        double wanted = at;
        uint8_t rule = RULE_VALUE;
        if (b >= 0) device_download(&rule, f->b.velocity_rule + b, 1);
        if (rule == RULE_GRADIENT) wanted = cell;
        if (rule == RULE_SLIP) wanted = normal * normal > 0.5 ? 0 : cell;
        if (!(fabs(at - wanted) < 1e-12)) fail_msg("face %d, rule %d: %g, expected %g", i, rule, at, wanted);
        through += at * area * normal;
    }
    return through;
}

/* Volume: at open faces at most what Rhie and Chow add is beside the mean velocity. */
static void check_faces(const struct flow *f, const struct mesh *m)
{
    const struct stencil *s = &f->s;
    double *flux = FROM_DEVICE(f->flux, s->n_faces), *velocity = FROM_DEVICE(f->b.velocity, 2 * s->n_boundary),
           *u = FROM_DEVICE(f->u, 2 * s->pitch);
    for (int32_t i = 0; i < m->n_faces; i++) {
        double through = check_velocity_at(f, m, i, u, velocity), most = 0.1 / SIDES;
        uint8_t rule = FLUX_FREE;
        if (i >= m->n_internal) device_download(&rule, f->b.flux_rule + i - m->n_internal, 1);
        if (rule == FLUX_GIVEN) most = 1e-15;
        if (rule == FLUX_NONE) through = most = 0;
        if (!(fabs(flux[i] - through) <= most)) fail_msg("face %d: flux %g, u.S %g", i, flux[i], through);
    }
    free(flux), free(velocity), free(u);
}

/* Given at the outlet, else what its rule makes of the pressure and the gradient as they are.  Beside the outlet a
 * steady iteration has it from the gradient before. */
static void check_boundary_pressure(const struct flow *f)
{
    const struct stencil *s = &f->s;
    struct boundary_args args = flow_at_boundary(f);
    args.b.pressure = device_alloc((size_t)s->n_boundary * sizeof(double), "pressure");
    fill(&(struct fill_args){args.b.pressure, 7}, s->n_boundary);
    boundary_pressure(&args, s->n_boundary);
    wall_pressure(&args, f->b.n_wall_cells);
    double *fresh = FROM_DEVICE(args.b.pressure, s->n_boundary), *p = FROM_DEVICE(f->b.pressure, s->n_boundary);
    double range = 0;
    for (int32_t i = 0; i < s->n_boundary; i++) range = fmax(range, fabs(p[i] - 7));
    for (int32_t i = 0; i < s->n_boundary; i++)
        if (!(fabs(p[i] - fresh[i]) <= 0.01 * range)) fail_msg("face %d: pressure %g, %g", i, p[i], fresh[i]);
    assert_true(range > 0);
    free(fresh), free(p), device_free(args.b.pressure);
}

static bool beside_outlet(const struct mesh *m, int64_t cell)
{
    for (int p = 0; p < m->n_patches; p++)
        for (int32_t i = 0; i < m->patch[p].count && !strcmp(m->patch[p].name, "right"); i++)
            if (m->face_owner[m->patch[p].first + i] == cell) return true;
    return false;
}

/* m: of the pressure.  Where it is extrapolated beside an outlet, its last value is later than the gradient: by a
 * seventh of it in the corner with the plane of symmetry. */
static void same_numbers(const struct flow *f, const struct mesh *m, const double *found, const double *fresh,
                         int components, const char *what)
{
    const int64_t pitch = f->s.pitch;
    double *a = FROM_DEVICE(found, components * pitch), *b = FROM_DEVICE(fresh, components * pitch), most = 0;
    for (int64_t i = 0; i < components * pitch; i++) most = fmax(most, fabs(b[i]));
    for (int k = 0; k < components; k++)
        for (int64_t c = 0; c < STATE_CELLS; c++) {
            const int64_t i = k * pitch + c;
            double later = m && beside_outlet(m, c) ? 0.15 : 0;
            if (!(fabs(a[i] - b[i]) <= fmax(1e-3 * most, later * fabs(b[i]))))
                fail_msg("%s: %g, expected %g", what, a[i], b[i]);
        }
    assert_true(most > 0);
    free(a), free(b);
}

/* Volume fluxes, values at boundaries by their rules, gradients that are those of the fields: whatever the density. */
static void check_state(struct flow *f, const struct mesh *m)
{
    const struct stencil *s = &f->s;
    double *fresh = flow_cells(f, 4, "gradient"), *scratch = flow_cells(f, 4, "gradient");
    const double *grad_u = flow_velocity_gradient(f), *grad_p = flow_pressure_gradient(f);
    assert_true(grad_u == f->grad_u && grad_p == f->grad_p);
    gradient(s, GRADIENT_GREEN_GAUSS, 2, f->u, f->b.velocity, fresh, scratch);
    same_numbers(f, NULL, grad_u, fresh, 4, "velocity");
    gradient(s, GRADIENT_GREEN_GAUSS, 1, f->p, f->b.pressure, fresh, scratch);
    same_numbers(f, m, grad_p, fresh, 2, "pressure");
    check_faces(f, m), check_boundary_pressure(f);
    device_free(fresh), device_free(scratch);
}

static void one_state_after_every_step(void **state)
{
    (void)state;
    struct box_setting box = grid_box(GRID_QUADS, SIDES, 0);
    open_device();
    for (int i = 0; i < 2 * ALGORITHM_ADVECTION; i++) {
        const enum algorithm algorithm = i / 2;
        const bool in_time = algorithm >= ALGORITHM_PISO;
        const double density = i % 2 ? 1000 : 0.001;
        struct trial a;
        struct unsteady b;
        struct simple_report steady;
        struct transient_report r;
        char text[1000];
        snprintf(text, sizeof text, "fluid = { density = %g; viscosity = %g; };\nboundary = { left = { type = "
                 "\"inlet\"; velocity = [0.5, 0.0]; }; right = { type = \"outlet\"; pressure = 7.0; }; bottom = { "
                 "type = \"wall\"; }; top = { type = \"symmetry\"; }; };\nsolver = { algorithm = \"%s\"; gradient = "
                 "\"green-gauss\"; };\n%s", density, 0.1 * density, algorithm_words[algorithm],
                 in_time ? "time = { end = 1.0; step = 0.02; };\n" : "");
        if (in_time) open_unsteady(&b, GRID_QUADS, &box, 0, text);
        else trial_open(&a, GRID_QUADS, &box, false, text);
        for (int k = 0; k < 12; k++) {
            if (in_time) transient_advance(&b.t, 0.02, &r);
            else simple_iterate(&a.simple, &steady);
            if (k > 8) check_state(in_time ? &b.t.f : a.f, in_time ? &b.m : &a.m);
        }
        if (in_time) close_unsteady(&b);
        else trial_close(&a);
    }
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlets_at_atmospheric_pressure), cmocka_unit_test(starts_with_potential_flow),
        cmocka_unit_test(starts_with_pressures_of_potential_flow),
        cmocka_unit_test(one_state_after_every_step),
        cmocka_unit_test(driven_channels), cmocka_unit_test(channel_with_outlet), cmocka_unit_test(uniform_stream),
        cmocka_unit_test(uniform_stream_at_a_level),
        cmocka_unit_test(lines_reach_walls), cmocka_unit_test(lines_are_continuous),
        cmocka_unit_test(relaxation_does_not_matter), cmocka_unit_test(schemes_converge),
        cmocka_unit_test(iterations_of_all_corrections_count),
        cmocka_unit_test(pressure_as_a_file),
        cmocka_unit_test_setup_teardown(same_bits_on_all_threads, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(restart_gives_the_same_bits, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(restart_with_shut_outlets, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(restart_has_the_structure, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(quantities_must_stand_still, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(endings, make_folder, remove_folder)};
    return cmocka_run_group_tests_name("flow", tests, NULL, NULL);
}

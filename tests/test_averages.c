/* Time averages: of a known oscillation; of a run, compared with its own rows; the same bits after a restart. */
#include "run_fixture.h"
#include "io/series.h"
#include "run/average.h"
#include "gpu/vector.h"

static void expect_near(double found, double expected, double tolerance, const char *what)
{
    if (!(fabs(found - expected) <= tolerance)) fail_msg("%s is %.15g, expected %.15g", what, found, expected);
}

/* x = 3 + 2 sin over whole periods has the mean 3 and the root mean square sqrt 2, in cells and in monitors. */
static void of_a_known_oscillation(void **state)
{
    (void)state;
    struct trial w;
    struct box_setting box = grid_box(GRID_TRIANGLES, 4, 0);
    double followed[2];
    trial_open(&w, GRID_TRIANGLES, &box, false, "fluid = { viscosity = 1; };\n"
               "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; };"
               " top = { type = \"wall\"; }; };\naverages = { from = 5; fields = [\"velocity\", \"vorticity\"]; };\n");
    struct averages *a = averages_create(&w.c.averages, w.c.source->settings, w.f, &w.m);
    struct average *one = averages_follow(a, "probes", "p", followed, 2);
    assert_true(isnan(average_mean(one, 0)));
    assert_true(!averages_due(a, 5, 1) && averages_due(a, 6, 1) && averages_due(a, 5.5, 0.5));
    for (int step = 0; step < 3 * 40; step++) {
        double x = 3 + 2 * sin(2 * M_PI * (step + 0.3) / 40);
        fill(&(struct fill_args){w.f->u, x}, w.f->s.pitch);
        followed[0] = x, followed[1] = 7;
        averages_add(a, 0.25);
    }
    const struct field *mean = fields_find(&w.f->fields, "velocity_mean", FIELD_OUTPUT);
    const struct field *rms = fields_find(&w.f->fields, "velocity_rms", FIELD_OUTPUT);
    double *m = FROM_DEVICE(*mean->value, 2 * w.f->s.pitch), *r;
    NEW(r, 2 * w.f->s.pitch);
    rms->show(rms->owner, &w.m, r);
    expect_near(m[3], 3, 1e-12, "mean"), expect_near(m[w.f->s.pitch + 3], 0, 0, "mean of the other component");
    expect_near(r[3], sqrt(2), 1e-12, "root mean square");
    expect_near(average_mean(one, 0), 3, 1e-12, "mean"), expect_near(average_rms(one, 0), sqrt(2), 1e-12, "rms");
    expect_near(average_mean(one, 1), 7, 0, "mean of a constant"), expect_near(average_rms(one, 1), 0, 0, "its rms");
    free(m), free(r);
    averages_free(a);
    trial_close(&w);
}

/* ---------------------------------------------------------------- runs */
static const char swing[] = "mesh = { box = { cells = [8, 8]; }; };\nfluid = { viscosity = 0.01; };\n"
    "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; };"
    " top = { type = \"wall\"; velocity = [1.0, 0.0]; }; };\nsolver = { algorithm = \"piso\"; };\n"
    "time = { end = 0.5; step = 0.03; %s };\noutput = { times = [0.1, 0.22]; };\n"
    "averages = { from = 0.2; fields = [\"velocity\", \"pressure\", \"vorticity\"]; };\n"
    "probes = { p = { at = [0.6, 0.7]; }; };\nlines = { l = { from = [0.6, 0.7]; to = [0.6, 0.9]; points = 2; }; };\n"
    "forces = { lid = { boundaries = [\"top\"]; }; };\n"
    "surfaces = { lid = { boundaries = [\"top\"]; fields = [\"shear\"]; }; };\n";

enum { MOST_ROWS = 200 };

/* The averages of a column compared with averages of its rows. */
static void check_column(const char *file, const char *name, int columns)
{
    static double row[MOST_ROWS * 40];
    char header[2000], longer[100];
    int rows = read_csv(file, header, row, MOST_ROWS), k = csv_column(header, name), counted = 0;
    double span = 0, sum = 0, squares = 0;
    for (int i = 1; i < rows; i++) {
        double dt = row[i * columns + 1] - row[(i - 1) * columns + 1], x = row[i * columns + k];
        if (row[(i - 1) * columns + 1] < 0.2 - 1e-12) continue;
        span += dt, sum += dt * x, squares += dt * x * x, counted++;
    }
    assert_true(counted > 5);
    expect_near(span, 0.3, 1e-12, "time that counts");
    const double *last = row + (rows - 1) * columns;
    snprintf(longer, sizeof longer, "%s_mean", name);
    expect_near(last[csv_column(header, longer)], sum / span, 1e-10 * (1 + fabs(sum)), longer);
    snprintf(longer, sizeof longer, "%s_rms", name);
    expect_near(last[csv_column(header, longer)], sqrt(fmax(squares / span - sum / span * sum / span, 0)), 1e-7,
                longer);
    assert_true(isnan(row[csv_column(header, longer)]));
}

static void of_a_run(void **state)
{
    (void)state;
    static char log[20000], text[4000];
    static double row[MOST_ROWS * 40];
    char header[2000];
    struct written_step step;
    struct error e;
    snprintf(text, sizeof text, swing, "");
    assert_int_equal(run_case(text, 1, false, log), EXIT_CONVERGED);
    check_column("probes/p.csv", "velocity_x", 11), check_column("probes/p.csv", "pressure", 11);
    check_column("forces/lid.csv", "viscous_x", 17);
    check_column("surfaces/lid.csv", "shear_x_min", 23);
    int rows = read_csv("probes/p.csv", header, row, MOST_ROWS), k = csv_column(header, "velocity_x_mean");
    double probe = row[(rows - 1) * 11 + k], on = 0;
    for (int i = 0; i < rows; i++) on += row[i * 11 + 1] == 0.2;
    assert_true(on == 1);                               /* a step ends when the averages begin */
    assert_int_equal(read_csv("lines/l.csv", header, row, MOST_ROWS), 2);
    expect_near(row[csv_column(header, "velocity_x_mean")], probe, 1e-13, "mean on the line");
    static const double times[] = {0.1, 0.22, 0.5};
    struct written_step found = {.step = -1};
    int n = 0;
    for (int i = 0; i < 100 && n < 3; i++) {            /* fields at the requested times only */
        if (!series_step(&step, folder, i, &e)) continue;
        expect_near(step.time, times[n++], 0, "time of written fields");
        found = step;
    }
    assert_int_equal(n, 3);
    bool mean = false, rms = false;
    for (int i = 0; i < found.n_fields; i++) {
        mean |= !strcmp(found.field[i].name, "velocity_mean"), rms |= !strcmp(found.field[i].name, "vorticity_rms");
    }
    assert_true(mean && rms);
    if (!strstr(log, "averages   over 0.3, from 0.2 on")) fail_msg("the log says nothing of averages: %s", log);
}

/* The whole content of all tables and of the last fields. */
static uint64_t content(void)
{
    char command[300], text[100] = "";
    snprintf(command, sizeof command, "cd %s && cat probes/p.csv forces/lid.csv lines/l.csv surfaces/lid.csv "
             "surfaces/lid/faces.csv fields/*.h5 | md5sum", folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(text, sizeof text, pipe));
    pclose(pipe);
    text[15] = 0;
    return strtoull(text, NULL, 16);
}

static void same_bits_after_a_restart(void **state)
{
    (void)state;
    static char log[20000], text[4000], part[4000];
    snprintf(text, sizeof text, swing, "");
    for (int steps = 5; steps <= 12; steps += 7) {      /* before the averages begin, and after */
        snprintf(part, sizeof part, swing, steps == 5 ? "max_steps = 5;" : "max_steps = 12;");
        run_case(text, 1, false, log);
        uint64_t whole = content();
        unsigned long long digest = digest_of(log);
        assert_int_equal(run_case(part, 1, false, log), EXIT_NOT_CONVERGED);
        assert_int_equal(run_case(text, 2, true, log), EXIT_CONVERGED);
        char command[200];
        snprintf(command, sizeof command, "rm -f %s/fields/0000%02d.h5", folder, steps);    /* of the interruption */
        assert_int_equal(system(command), 0);
        assert_true(digest_of(log) == digest);
        assert_true(content() == whole);
    }
}

/* A restart with another start time begins new averages. */
static void another_beginning(void **state)
{
    (void)state;
    static char log[20000], text[4000];
    snprintf(text, sizeof text, swing, "max_steps = 12;");
    run_case(text, 1, false, log);
    snprintf(text, sizeof text, swing, "");
    char *from = strstr(text, "from = 0.2;");
    memcpy(from, "from = 0.4;", 11);
    assert_int_equal(run_case(text, 1, true, log), EXIT_CONVERGED);
    if (!strstr(log, "averages   over 0.1, from 0.4 on")) fail_msg("the averages did not begin anew: %s", log);
}

/* The old mean of a probe that is moved between a run and its restart is dropped; that of an unchanged one is kept. */
static void another_place(void **state)
{
    (void)state;
    static char log[20000], text[4000];
    static double row[MOST_ROWS * 11];
    char header[2000];
    for (int moved = 0; moved < 2; moved++) {
        snprintf(text, sizeof text, swing, "max_steps = 12;");
        run_case(text, 1, false, log);
        snprintf(text, sizeof text, swing, "max_steps = 13;");
        if (moved) memcpy(strstr(text, "at = [0.6, 0.7]"), "at = [0.6, 0.3]", 15);
        run_case(text, 1, true, log);
        const double *last = row + 11 * (read_csv("probes/p.csv", header, row, MOST_ROWS) - 1);
        assert_int_equal(last[csv_column(header, "velocity_x_mean")] == last[csv_column(header, "velocity_x")], moved);
    }
}

/* In a steady run an iteration counts as a step of length 1. */
static void of_iterations(void **state)
{
    (void)state;
    static char log[20000];
    static double row[100 * 10];
    char header[2000];
    run_case("mesh = { box = { cells = [8, 8]; }; };\nfluid = { viscosity = 0.01; };\n"
             "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; };"
             " top = { type = \"wall\"; velocity = [1.0, 0.0]; }; };\nsolver = { max_iterations = 12; };\n"
             "averages = { from = 8; };\nprobes = { p = { at = [0.6, 0.7]; }; };\n", 1, false, log);
    assert_int_equal(read_csv("probes/p.csv", header, row, MOST_ROWS), 12);
    double mean = 0;
    for (int i = 8; i < 12; i++) mean += row[i * 10 + 1] / 4;
    expect_near(row[11 * 10 + csv_column(header, "velocity_x_mean")], mean, 1e-13, "mean of the last four iterations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_known_oscillation),
        cmocka_unit_test_setup_teardown(of_a_run, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(same_bits_after_a_restart, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(another_beginning, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(another_place, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(of_iterations, make_folder, remove_folder)};
    return RUN_TESTS("averages", tests);
}

/* Whole transient runs: output times, tables, restart, same bits, exit conditions, forces. */
#include "run_fixture.h"
#include "base/timer.h"
#include "run/run_parts.h"

static const char one_fluid[] = "mesh = { box = { cells = [20, 18]; distortion = 0.1; }; };\n"
    "fluid = { viscosity = 0.01; };\nboundary = { top = { type = \"wall\"; velocity = [1.0, 0.0]; }; "
    "left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; };\n"
    "probes = { one = { at = [0.4, 0.3]; }; };\n";
static const char two_fluids[] = "mesh = { box = { cells = [24, 24]; }; };\n"
    "fluid = { density = 10.0; viscosity = 0.1; gravity = [0.0, -1.0]; };\n"
    "second_fluid = { density = 1.0; viscosity = 0.01; surface_tension = 0.1; };\n"
    "shapes = { bubble = { type = \"sphere\"; centre = [0.5, 0.4]; radius = 0.2; }; };\nbubbles = { every = 3; };\n"
    "boundary = { top = { type = \"wall\"; }; left = { type = \"wall\"; }; right = { type = \"wall\"; }; "
    "bottom = { type = \"wall\"; }; };\n";

static enum exit_status run(const char *flow, const char *more, int threads, bool restart, char log[20000])
{
    char text[5000];
    snprintf(text, sizeof text, "%s%s", flow, more);
    return run_case(text, threads, restart, log);
}

/* A column of a CSV file of the folder, at most so many rows; returns their number. */
static int read_column(const char *file, const char *column, double *value, int most)
{
    enum { MOST_COLUMNS = 32 };
    char header[2000];
    double *table;
    NEW(table, (int64_t)most * MOST_COLUMNS);
    int rows = read_csv(file, header, table, most), columns = csv_columns(header), k = csv_column(header, column);
    assert_true(columns <= MOST_COLUMNS);
    for (int i = 0; i < rows; i++) value[i] = table[i * columns + k];
    free(table);
    return rows;
}

/* Times listed in the .xdmf. */
static int series(double *time, int room)
{
    char path[200], line[2000];
    int n = 0;
    snprintf(path, sizeof path, "%s/test.xdmf", folder);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (n < room && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, "<Time Value=\"");
        if (at) time[n++] = strtod(at + 13, NULL);
    }
    fclose(f);
    return n;
}

static void times_of_output(void **state)
{
    (void)state;
    static char log[20000];
    double time[200], step[200];
    assert_int_equal(run(one_fluid, "solver = { algorithm = \"piso\"; }; time = { end = 0.5; step = 0.03; };\n"
                         "output = { interval = 0.2; report_every = 2; };\n", 0, false, log), EXIT_CONVERGED);
    assert_non_null(strstr(log, "FINISHED at t = 0.5 after "));
    assert_int_equal(series(time, 200), 4);
    assert_true(time[0] == 0 && time[1] == 0.2 && time[2] == 0.4 && time[3] == 0.5);
    int n = read_column("residuals.csv", "time", time, 200);
    assert_int_equal(read_column("residuals.csv", "step", step, 200), n);
    assert_true(n >= 9 && n <= 11 && time[n - 1] == 0.5);        /* the last step in any case */
    for (int i = 0; i < n; i++)
        assert_true(step[i] > 0 && step[i] <= 0.03 * (1 + 1e-12) && (!i || time[i] > time[i - 1]));
    assert_int_equal(read_column("probes/one.csv", "time", step, 200), n);
    assert_memory_equal(step, time, (size_t)n * sizeof *time);
}

static void limits_of_the_step(void **state)
{
    (void)state;
    static char log[20000];
    double courant[400], time[400];
    run(one_fluid, "solver = { algorithm = \"piso\"; }; time = { end = 0.5; step = 0.03; courant = 0.2; };\n", 0, false,
        log);
    int n = read_column("residuals.csv", "courant", courant, 400);
    assert_int_equal(read_column("residuals.csv", "time", time, 400), n);
    assert_true(n > 17 && time[n - 1] == 0.5);
    for (int i = 0; i < n; i++) assert_true(courant[i] <= 0.2 * (1 + 1e-12));
    assert_null(strstr(log, "warning"));
    assert_non_null(strstr(log, "Courant    max |u|  continuity"));
    run(two_fluids, "solver = { algorithm = \"piso\"; }; time = { end = 1.0; step = 0.1; capillary = 0; "
        "max_steps = 1; };\n", 0, false, log);
    assert_non_null(strstr(log, "warning    time.step = 0.1 is "));
    run(two_fluids, "solver = { algorithm = \"piso\"; }; time = { end = 1.0; step = 0.1; max_steps = 1; };\n", 0, false,
        log);
    assert_non_null(strstr(log, "time.courant = 0.5"));
    assert_non_null(strstr(log, "time.capillary = 0.8"));
    assert_null(strstr(log, "warning"));
    run(two_fluids,
        "solver = { algorithm = \"piso\"; }; time = { end = 1.0; step = 0.1; capillary = 0.5; max_steps = 1; };\n", 0,
        false, log);
    assert_null(strstr(log, "warning"));
    double h = 1 / 24.0, limit = sqrt(11 * h * h * h / (4 * M_PI * 0.1));
    assert_int_equal(read_column("residuals.csv", "step", time, 400), 1);
    assert_true(fabs(time[0] - 0.5 * limit) < 0.01 * limit);
}

/* Uninterrupted, and stopped in between; same tables too. */
static void restart_gives_the_same_bits(void **state)
{
    (void)state;
    static char log[20000], more[600];
    static double whole[3][400], found[400];
    static const struct { const char *flow, *solver, *time; } row[] = {
        {one_fluid, "piso", "scheme = \"euler\"; courant = 0.5;"},
        {one_fluid, "piso", "scheme = \"bdf2\"; courant = 0.5;"},
        {one_fluid, "pimple", "scheme = \"crank-nicolson\";"},
        {two_fluids, "piso", "interface_courant = 0.3; capillary = 0.5;"},
        {two_fluids, "pimple", "scheme = \"bdf2\"; capillary = 0.5;"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        static const char format[] = "solver = { algorithm = \"%s\"; }; time = { end = 0.3; step = 0.02; %s %s };\n"
            "output = { interval = 0.07; };\n";
        bool two = row[i].flow == two_fluids;
        snprintf(more, sizeof more, format, row[i].solver, row[i].time, "");
        assert_int_equal(run(row[i].flow, more, 1, false, log), EXIT_CONVERGED);
        unsigned long long digest = digest_of(log);
        int n = read_column("residuals.csv", "continuity", whole[0], 400),
            speeds = read_column("residuals.csv", "max_velocity", whole[2], 400),
            bubbles = two ? read_column("bubbles.csv", "y", whole[1], 400) : 0;
        snprintf(more, sizeof more, format, row[i].solver, row[i].time, "max_steps = 8;");
        assert_int_equal(run(row[i].flow, more, 1, false, log), EXIT_NOT_CONVERGED);
        assert_non_null(strstr(log, "NOT FINISHED: "));
        assert_true(digest_of(log) != digest);
        snprintf(more, sizeof more, format, row[i].solver, row[i].time, "");
        assert_int_equal(run(row[i].flow, more, 2, true, log), EXIT_CONVERGED);
        if (digest_of(log) != digest)
            fail_msg("%zu: restarted: digest %016llx, in one go: %016llx", i, digest_of(log), digest);
        assert_int_equal(read_column("residuals.csv", "continuity", found, 400), n);
        assert_memory_equal(found, whole[0], (size_t)n * sizeof *found);
        assert_int_equal(read_column("residuals.csv", "max_velocity", found, 400), speeds);
        assert_memory_equal(found, whole[2], (size_t)speeds * sizeof *found);
        if (!two) continue;
        assert_int_equal(read_column("bubbles.csv", "y", found, 400), bubbles);
        assert_memory_equal(found, whole[1], (size_t)bubbles * sizeof *found);
    }
}

/* A ball smaller than the cell that it is in: the cell is cut, but no direction separates its fluids. */
static void restart_of_a_ball_within_a_cell(void **state)
{
    (void)state;
    static char log[20000], more[600];
    static const char ball[] = "mesh = { box = { cells = [5, 5, 5]; }; };\nfluid = { viscosity = 0.01; };\n"
        "second_fluid = { density = 0.0147; viscosity = 0.01; };\n"
        "shapes = { ball = { type = \"sphere\"; centre = [0.5, 0.5, 0.5]; radius = 0.12; }; };\n"
        "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; "
        "top = { type = \"wall\"; }; back = { type = \"wall\"; }; front = { type = \"wall\"; }; };\n"
        "prescribed = { field = \"shear\"; period = 2.0; };\nsolver = { algorithm = \"advection\"; };\n";
    snprintf(more, sizeof more, "time = { end = 0.433; step = 0.0866; };\n");
    assert_int_equal(run(ball, more, 1, false, log), EXIT_CONVERGED);
    unsigned long long digest = digest_of(log);
    for (int stop = 1; stop < 5; stop++) {
        snprintf(more, sizeof more, "time = { end = 0.433; step = 0.0866; max_steps = %d; };\n", stop);
        assert_int_equal(run(ball, more, 1, false, log), EXIT_NOT_CONVERGED);
        snprintf(more, sizeof more, "time = { end = 0.433; step = 0.0866; };\n");
        assert_int_equal(run(ball, more, 1, true, log), EXIT_CONVERGED);
        assert_true(digest_of(log) == digest);
    }
}

/* More than SERIAL_BELOW cells, so that threads share them. */
static void same_bits_on_all_threads(void **state)
{
    (void)state;
    static char log[20000], text[5000];
    static const struct { const char *flow, *mesh, *with; } row[] = {
        {one_fluid, "[20, 18]", "[80, 70]"}, {two_fluids, "[24, 24]", "[72, 70]"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        unsigned long long first = 0;
        snprintf(text, sizeof text, "%s", row[i].flow);
        memcpy(strstr(text, row[i].mesh), row[i].with, strlen(row[i].with));
        for (int threads = 1; threads <= 3; threads++) {
            run(text, "solver = { algorithm = \"piso\"; }; time = { end = 1.0; step = 2e-3; max_steps = 6; };\n",
                threads, false, log);
            if (threads == 1) first = digest_of(log);
            else if (digest_of(log) != first) fail_msg("%d threads: digest %016llx, one thread: %016llx", threads,
                                                       digest_of(log), first);
        }
    }
}

static void endings(void **state)
{
    (void)state;
    static char log[20000];
    static const char short_run[] = "solver = { algorithm = \"piso\"; }; time = { end = 0.1; step = 0.05; };\n";
    int status = run(one_fluid, short_run, 0, false, log);              /* 2: the last step's splitting error is
                                                                           large */
    assert_int_equal(status, EXIT_NOT_CONVERGED);
    assert_int_equal(run(one_fluid, short_run, 0, true, log), status);
    assert_non_null(strstr(log, "Nothing to do: the checkpoint is at t = 0.1, time.end is 0.1."));
    assert_int_equal(run(one_fluid, "solver = { algorithm = \"piso\"; }; time = { end = 0.2; step = 0.05; };\n", 0,
                         true, log), EXIT_CONVERGED);
    assert_non_null(strstr(log, "FINISHED at t = 0.2 after 4 steps."));
    assert_int_not_equal(run(one_fluid, "solver = { algorithm = \"piso\"; convection = \"central\"; }; "
                             "time = { end = 200; step = 5; };\n", 0, false, log), EXIT_DIVERGED);
    assert_non_null(strstr(log, "warning: the Courant number is "));
    assert_int_equal(run(two_fluids, "solver = { algorithm = \"piso\"; correctors = 1; }; time = { end = 1e3; "
                         "step = 10; courant = 0; capillary = 0; };\n", 0, false, log), EXIT_DIVERGED);
    assert_non_null(strstr(log, "DIVERGED at step "));
    assert_non_null(strstr(log, "times the limit of waves of a cell's size"));
}

/* A wall that is cold again at each look at the extremes, and at the end: what it has warmed in between lies within the
 * values given in all of the run. */
static void values_given_between_looks(void **state)
{
    (void)state;
    static char log[20000];
    static const char slab[] = "mesh = { box = { cells = [8, 4]; }; };\nfluid = { viscosity = 1.0; density = 1.0; "
        "heat_capacity = 1.0; conductivity = 0.1; };\ninitial = { temperature = 0.0; };\n"
        "boundary = { top = { type = \"wall\"; }; bottom = { type = \"wall\"; }; right = { type = \"wall\"; };\n"
        "left = { type = \"wall\"; temperature = \"(1-cos(2*pi*t))/2\"; }; };\nsolver = { algorithm = \"piso\"; };\n";
    static const char *const scheme[] = {"euler", "bdf2", "crank-nicolson"};
    for (size_t i = 0; i < sizeof scheme / sizeof *scheme; i++) {
        char more[200];
        snprintf(more, sizeof more, "time = { end = 1.0; step = 0.1; scheme = \"%s\"; };\n", scheme[i]);
        const int status = run(slab, more, 1, false, log);
        if (status != EXIT_CONVERGED) fail_msg("%s: status %d: %s", scheme[i], status, strstr(log, "\n\n"));
    }
}

/* At rest, the interface between rows of cells: all walls together carry the weight. */
static void weight_on_the_walls(void **state)
{
    (void)state;
    static char log[20000];
    static const char at_rest[] = "mesh = { box = { cells = [12, 12]; }; };\n"
        "fluid = { density = 1.0; viscosity = 0.1; gravity = [0.0, -9.81]; };\n"
        "second_fluid = { density = 1000.0; viscosity = 1.0; };\n"
        "shapes = { water = { type = \"half-space\"; point = [0.0, 0.5]; normal = [0.0, 1.0]; }; };\n"
        "boundary = { top = { type = \"wall\"; }; left = { type = \"wall\"; }; right = { type = \"wall\"; }; "
        "bottom = { type = \"wall\"; }; };\nforces = { all = { boundaries = [\"top\", \"left\", \"right\", "
        "\"bottom\"]; about = [0.5, 0.5]; }; };\n";
    double force[4], weight = 9.81 * (0.5 * 1000 + 0.5);
    run(at_rest,
        "solver = { algorithm = \"piso\"; pressure = { tolerance = 1e-6; }; }; time = { end = 0.02; step = 0.01; };\n",
        0, false, log);
    int n = read_column("forces/all.csv", "force_y", force, 4);
    assert_int_equal(n, 2);
    if (!(fabs(force[n - 1] + weight) < 1e-6 * weight)) fail_msg("force %.10g, weight %.10g", force[n - 1], weight);
}

/* Rows of the table: those of round numbers, and one per minute in between; the first row of a run has the header above
 * it, whichever step it is. */
static void rows_of_the_log(void **state)
{
    (void)state;
    bool head = false;
    struct run r = {.step = 173, .start = wall_seconds() - 50};
    assert_false(run_row_is_due(&r, false, &head));
    r.start -= 11;
    assert_true(run_row_is_due(&r, false, &head) && head);
    assert_false(run_row_is_due(&r, false, &head));
    r.step = 200;
    assert_true(run_row_is_due(&r, false, &head) && !head);
    r.step = 201;
    assert_true(run_row_is_due(&r, true, &head) && !head);
    r.told -= 61;
    assert_true(run_row_is_due(&r, false, &head) && !head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(times_of_output, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(limits_of_the_step, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(restart_gives_the_same_bits, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(restart_of_a_ball_within_a_cell, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(same_bits_on_all_threads, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(weight_on_the_walls, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(values_given_between_looks, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(endings, make_folder, remove_folder),
        cmocka_unit_test(rows_of_the_log)};
    return cmocka_run_group_tests_name("run_transient", tests, NULL, NULL);
}

/* Balances of scalars in scalars/NAME.csv, and of heat: what enters, is produced and stored, in steady flow, in time,
 * in two fluids, after a restart; and their judgement. */
#include "flow/scalar_balance.h"
#include "run/balances.h"
#include "run_fixture.h"
#include "unsteady_fixture.h"

/* The largest balance over the sum of all, in all rows or the last. */
static double worst_balance(const char *name, bool all, char header[2000], double last[20])
{
    double *table, worst = 0;
    NEW(table, 100000);
    const int rows = read_csv(name, header, table, 5000), n = csv_columns(header), at = csv_column(header, "balance");
    for (int i = all ? 0 : rows - 1; i < rows; i++) {
        double gross = 0;
        for (int k = strstr(header, "time") ? 2 : 1; k < at; k++) gross += fabs(table[i * n + k]);
        worst = fmax(worst, fabs(table[i * n + at]) / gross);
    }
    memcpy(last, table + (int64_t)(rows - 1) * n, (size_t)n * sizeof *table);
    free(table);
    return worst;
}

/* With walls of all kinds, a source, a diffusivity that varies, and beside it a scalar far from 0; every scheme. */
#define CHANNEL "mesh = { box = { cells = [16, 8]; to = [2.0, 1.0]; distortion = 0.2; }; };\n" \
    "fluid = { density = 2.0; viscosity = 0.1; };\nboundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; " \
    "profile = \"parabolic\"; }; right = { type = \"outlet\"; }; bottom = { type = \"wall\"; }; top = { type = " \
    "\"wall\"; }; };\nscalars = { dye = { diffusivity = \"0.05*(1+x)\"; convection = \"%s\"; initial = 3.0; " \
    "values = { left = \"1+y\"; bottom = 2.0; }; coefficients = { bottom = 2.0; }; fluxes = { top = 0.5; }; " \
    "sources = { fluid = 0.3; }; };\nfar = { diffusivity = 0.01; convection = \"%s\"; initial = 300.0; values = { " \
    "left = 301.0; }; }; };\n%s"
static const char *const algorithm[] = {
    "solver = { algorithm = \"simplec\"; };\n", "solver = { algorithm = \"coupled\"; };\n",
    "solver = { algorithm = \"piso\"; };\ntime = { end = 0.5; step = 0.05; };\n",
    "solver = { algorithm = \"pimple\"; };\ntime = { end = 0.5; step = 0.05; scheme = \"euler\"; };\n",
    "solver = { algorithm = \"pimple\"; };\ntime = { end = 4.0; step = 0.5; scheme = \"bdf2\"; };\n"};

static void scalars_are_balanced(void **state)
{
    (void)state;
    static const char *const scheme[] = {"limited", "bounded", "linear-upwind", "central"};
    for (int k = 0; k < 5 * 4; k++) {
        const bool in_time = k / 4 > 1;
        char text[3000], log[20000], header[2000];
        double last[20];
        snprintf(text, sizeof text, CHANNEL, scheme[k % 4], scheme[k % 4], algorithm[k / 4]);
        assert_int_equal(run_case(text, 1, false, log), EXIT_CONVERGED);
        const double far = worst_balance("scalars/far.csv", in_time, header, last);
        const double dye = worst_balance("scalars/dye.csv", in_time, header, last);
        print_message("# %.*s, %s: balances %.1e, %.1e of the sum of all\n", (int)strcspn(algorithm[k / 4], ";"),
                      algorithm[k / 4], scheme[k % 4], dye, far);
        assert_string_equal(header, in_time ? "iteration,time,bottom,top,left,right,sources,storage,balance"
                                            : "iteration,bottom,top,left,right,sources,balance");
        assert_true(fmax(dye, far) < (in_time ? 1e-13 : 1e-7));
        if (!in_time) {
            double sum = -last[csv_column(header, "balance")];
            for (int i = 1; i < csv_column(header, "balance"); i++) sum += last[i];
            assert_true(fabs(sum) < 1e-13);
        }
        assert_true(fabs(last[csv_column(header, "top")] - 1) < 1e-12);
        assert_true(fabs(last[csv_column(header, "sources")] - 0.6) < 1e-12);
        assert_non_null(strstr(log, "  dye    balance "));
    }
}

/* Carried by both fluids, or dissolved in one, whose volume at the outlet changes. */
static void scalars_of_two_fluids_are_balanced(void **state)
{
    (void)state;
    char log[20000], header[2000];
    double last[20];
    run_case("mesh = { box = { cells = [16, 16]; }; };\nfluid = { density = 1000.0; viscosity = 1.0; gravity = [0.0, "
             "-1.0]; };\nsecond_fluid = { density = 1.0; viscosity = 0.01; surface_tension = 1.0; };\nshapes = { layer "
             "= { type = \"level\"; function = \"0.6 + 0.1*x - y\"; }; };\nboundary = { left = { type = \"inlet\"; "
             "velocity = [0.3, 0.0]; }; right = { type = \"outlet\"; }; bottom = { type = \"wall\"; }; top = { type = "
             "\"wall\"; }; };\nscalars = { both = { diffusivity = 0.05; initial = 2.0; values = { left = 1.0; top = "
             "2.0; }; sources = { fluid = 1.0; }; };\nfirst = { diffusivity = 0.05; fluid = \"first\"; initial = 1.0; "
             "values = { left = 0.5; }; };\nsecond = { diffusivity = 0.05; fluid = \"second\"; initial = 3.0; values = "
             "{ left = 0.5; }; }; };\nsolver = { algorithm = \"piso\"; };\ntime = { end = 0.4; step = 0.02; };\n", 1,
             false, log);
    for (int i = 0; i < 3; i++) {
        const double worst = worst_balance((const char *[]){"scalars/both.csv", "scalars/first.csv",
                                                            "scalars/second.csv"}[i], true, header, last);
        print_message("# %s: %.1e of the sum of all\n", header, worst);
        assert_true(worst < 1e-10 && fabs(last[csv_column(header, "storage")]) > 1e-3);
    }
}

/* The flow's net flux is 4e-6 of it, with a loose solver: the heat balance holds to rounding with any reference, also
 * where the heat capacity is not that of the reference, and what enters is the integral of it from there. */
static void a_reference_costs_no_heat(void **state)
{
    (void)state;
    double left[2];
    for (int k = 0; k < 3; k++) {
        char text[3000], log[20000], header[2000];
        double last[20];
        snprintf(text, sizeof text, "mesh = { box = { cells = [16, 8]; to = [2.0, 1.0]; }; };\n"
                 "fluid = { density = 2.0; viscosity = 0.1; heat_capacity = \"15 + 0.5*(temperature - 310)\"; "
                 "conductivity = 0.5; expansion = 1e-9; gravity = [0.0, -1.0]; reference_temperature = %d; "
                 "property_range = [290, 330]; };\nboundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; "
                 "profile = \"parabolic\"; temperature = 300.0; }; right = { type = \"outlet\"; }; bottom = { type = "
                 "\"wall\"; temperature = 320.0; }; top = { type = \"wall\"; }; };\nsolver = { algorithm = \"piso\"; "
                 "pressure = { tolerance = 0.5; }; };\ntime = { end = 0.5; step = 0.05; };\n",
                 k < 2 ? 300 + 10 * k : 0);
        run_case(text, 1, false, log);
        const double net = worst_balance("flows.csv", true, header, last);
        const double worst = worst_balance("heat.csv", true, header, last);
        print_message("# net flux %.1e, balance of the heat %.1e\n", net, worst);
        assert_true(net > 1e-7 && worst < 1e-12);
        if (k < 2) left[k] = last[csv_column(header, "left")];
    }
    assert_true(fabs((left[0] - left[1]) / (2 * 125 * 2.0 / 3) - 1) < 1e-3);
}

/* The amount in a closed flow changes slowly, as only little leaves through a wall: a steady run ends with the balance
 * closed, although the flow has long converged and the residual of the scalar hardly sees the amount. */
static void slow_scalars_close_their_balance(void **state)
{
    (void)state;
    static const double coefficient[] = {1, 1e-3, 1e-6};
    for (int k = 0; k < 12; k++) {
        char text[3000], log[20000], header[2000], dye[300] = "", heat[3][100] = {"", "", ""};
        double last[20], h = coefficient[k / 2 % 3];
        if (k < 6) snprintf(dye, sizeof dye, "scalars = { dye = { diffusivity = 0.01; values = { bottom = 5.0; }; "
                            "coefficients = { bottom = %g; }; fluxes = { top = 1.0; }; }; };\n", h);
        else {
            strcpy(heat[0], "heat_capacity = 1.0; conductivity = 0.01; "), strcpy(heat[1], "heat_flux = 1.0; ");
            snprintf(heat[2], sizeof heat[2], "transfer = [%g, 5.0]; ", h);
        }
        snprintf(text, sizeof text, "mesh = { box = { cells = [12, 12]; distortion = 0.2; }; };\nfluid = { viscosity = "
                 "0.1; %s};\nboundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type "
                 "= \"wall\"; %s}; top = { type = \"wall\"; velocity = [1.0, 0.0]; %s}; };\n%ssolver = { algorithm = "
                 "\"%s\"; };\n", heat[0], heat[2], heat[1], dye, k % 2 ? "coupled" : "simplec");
        assert_int_equal(run_case(text, 1, false, log), EXIT_CONVERGED);
        const double worst = worst_balance(k < 6 ? "scalars/dye.csv" : "heat.csv", false, header, last);
        print_message("# %s, coefficient %g: balance %.1e after %g iterations\n", k < 6 ? "dye" : "heat", h, worst,
                      last[0]);
        assert_true(worst < 1e-5 && fabs(last[csv_column(header, "bottom")] + 1) < 1e-5);
    }
}

static char *text_of(const char *name)
{
    char path[200], *text;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    NEW(text, 100000);
    assert_true(fread(text, 1, 99999, file) > 1000);
    fclose(file);
    return text;
}

/* Tables with the same bits on two threads, and after a restart in the middle. */
static void restarts_and_threads_change_no_bit(void **state)
{
    (void)state;
    for (int k = 2; k < 5; k += 2) {
        char text[3000], half[3100], log[20000], *whole[3];
        snprintf(text, sizeof text, CHANNEL, "limited", "bounded", algorithm[k]);
        for (int i = 0; i < 3; i++) {
            snprintf(half, sizeof half, "%.*s max_steps = %d; };\n", (int)(strrchr(text, '}') - text), text, 4);
            if (i == 2) run_case(half, 1, false, log);
            run_case(text, 1 + (i == 1), i == 2, log);
            whole[i] = text_of("scalars/dye.csv");
        }
        assert_string_equal(whole[0], whole[1]);
        assert_string_equal(whole[0], whole[2]);
        for (int i = 0; i < 3; i++) free(whole[i]);
    }
}

/* One that does not close is found, beside one that does. */
static void open_balances_are_found(void **state)
{
    (void)state;
    const struct box_setting box = grid_box(GRID_TRIANGLES, 6, 0.2);
    struct transported t = {0};
    struct unsteady w;
    struct error e;
    open_unsteady(&w, GRID_TRIANGLES, &box, 0, "fluid = { viscosity = 0.1; };\nboundary = { left = { type = \"inlet\"; "
                  "velocity = [1.0, 0.0]; }; right = { type = \"outlet\"; }; bottom = { type = \"wall\"; }; top = { "
                  "type = \"wall\"; }; };\nscalars = { good = { diffusivity = 0.1; values = { left = 1.0; }; }; open = "
                  "{ diffusivity = 0.1; values = { left = 1.0; }; }; };\n"
                  "solver = { algorithm = \"piso\"; };\ntime = { end = 0.2; step = 0.02; };\n");
    snprintf(w.c.output.directory, sizeof w.c.output.directory, "%s", folder);
    struct monitors *all = monitors_create(&w.c, &w.m, &w.t.f, false, 0, &e);
    assert_non_null(all);
    transported_begin(&t, &w.t.f);
    advance_to_end(&w);
    assert_int_equal(balances_look(all, 1, &w.t.f, &t, 0).of, 0);
    const struct scalar *q = scalar_of_name(&w.t.f, "open");
    const int32_t n = w.t.f.s.n_boundary;
    double *in = FROM_DEVICE(q->inflow, n);
    for (int32_t i = 0; i < n; i++) in[i] *= 1.001;
    device_upload(q->inflow, in, (size_t)n * sizeof *in);
    const struct unbalanced open = balances_look(all, 2, &w.t.f, &t, 0);
    assert_int_equal(open.of, BALANCE_SCALAR + 1);
    assert_true(fabs(open.missing / open.passes) > 1e-4 && fabs(open.missing / open.passes) < 1e-3);
    assert_int_equal(balances_look(all, 3, &w.t.f, &t, 1e-4).of, 0);
    free(in);
    monitors_free(all), transported_free(&t);
    close_unsteady(&w);
}

/* Runs close the device: so the flow without one comes first. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(open_balances_are_found, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(scalars_are_balanced, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(scalars_of_two_fluids_are_balanced, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_reference_costs_no_heat, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(slow_scalars_close_their_balance, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(restarts_and_threads_change_no_bit, make_folder, remove_folder)};
    return RUN_TESTS("scalar balance", tests);
}

/* What convergence promises: fields within about ten times the tolerance, also where residuals are far below that. */
#include "run_fixture.h"

/* The flow rate of a channel with cells 100 times as long as wide and distorted. */
static double flow_rate(const char *ordering, double tolerance, int *iterations)
{
    static char log[20000];
    char text[2000], header[2000];
    double *table;
    NEW(table, 4 * 3000);
    snprintf(text, sizeof text, "mesh = { box = { cells = [3, 4, 6]; to = [1.27, 145.0, 5.69]; distortion = 0.26; }; "
             "ordering = \"%s\"; };\nfluid = { viscosity = 972.0; };\n"
             "boundary = { left = { type = \"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; with = "
             "\"left\"; };\nback = { type = \"periodic\"; with = \"front\"; }; front = { type = \"periodic\"; with = "
             "\"back\"; };\nbottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
             "driven = { direction = [1.0, 0.0, 0.0]; pressure_gradient = 0.0414; };\n"
             "solver = { algorithm = \"coupled\"; accuracy = \"standard\"; tolerance = %g; max_iterations = 3000; };\n"
             "output = { directory = \"%s\"; };\n", ordering, tolerance, folder);
    assert_int_equal(run_case(text, 1, false, log), EXIT_CONVERGED);
    const int rows = read_csv("driven.csv", header, table, 3000), columns = csv_columns(header);
    const double rate = table[(rows - 1) * columns + csv_column(header, "flow_rate")];
    *iterations = (int)table[(rows - 1) * columns + csv_column(header, "iteration")];
    free(table);
    return rate;
}

/* A slow mode whose residual is a thousandth of its error: after 79 iterations, with residuals of 4e-7, the flow rate
 * was 5e-4 off. */
static void accelerated_steps_are_small(void **state)
{
    (void)state;
    static const char *const orderings[] = {"hilbert", "cuthill-mckee"};
    for (int i = 0; i < 2; i++) {
        int many, few;
        const double exact = flow_rate(orderings[i], 1e-9, &many), rate = flow_rate(orderings[i], 1e-6, &few);
        print_message("# %s: %.9g after %d iterations, %.9g after %d\n", orderings[i], rate, few, exact, many);
        assert_true(fabs(rate / exact - 1) < 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(accelerated_steps_are_small, make_folder, remove_folder)};
    return RUN_TESTS("settled", tests);
}

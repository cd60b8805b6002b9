/* Temperatures and scalars are judged as velocity and pressure are: values that are not numbers or have left those from
 * which they come end a run, values slightly beyond them are warned of. */
#include "unsteady_fixture.h"
#include "flow/scalar.h"
#include "run/balances.h"
#include "run/transported.h"

static void open_stream(struct unsteady *w, const char *convection, const char *more)
{
    const struct box_setting box = grid_box(GRID_QUADS, 6, 0);
    char text[2000];
    snprintf(text, sizeof text, "fluid = { viscosity = 1.0; heat_capacity = 1.0; conductivity = 1.0; };\nboundary = { "
             "left = { type = \"inlet\"; velocity = [1.0, 0.0]; temperature = \"y < 0.5 ? 293 : 296\"; }; right = "
             "{ type = \"outlet\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
             "initial = { temperature = 294.0; };\n"
             "solver = { algorithm = \"piso\"; convection_temperature = \"%s\"; };\ntime = { end = 1.0; "
             "step = 0.01; };\n%s", convection, more);
    open_unsteady(w, GRID_QUADS, &box, 0, text);
}

static void put(const struct unsteady *w, double value)
{
    device_upload(w->t.f.temperature->item->x + 7, &value, sizeof value);
}

static void values_beyond_their_causes_are_trouble(void **state)
{
    (void)state;
    static const struct { double value, most; const char *why; } trials[] = {
        {295, 1, NULL}, {297, 1, NULL},
        {289.5, 1, "\"temperature\" is 289.5 to 294 where its values at boundaries and at the start are 293 to 296"},
        {299.5, 1, "\"temperature\" is 294 to 299.5 where"}, {299.5, 1000, NULL},
        {-1e47, 1000, "\"temperature\" is -1e+47"}, {NAN, 1, "a value of \"temperature\" is not a number"},
        {INFINITY, 1, "a value of \"temperature\" is not a number"}};
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
        struct transported t = {0};
        struct unsteady w;
        open_stream(&w, "linear-upwind", "");
        transported_begin(&t, &w.t.f);
        assert_null(transported_trouble(&t, &w.t.f, 1));
        put(&w, trials[k].value);
        const char *why = transported_trouble(&t, &w.t.f, trials[k].most);
        if (!trials[k].why) assert_null(why);
        else if (!why || strncmp(why, trials[k].why, strlen(trials[k].why)))
            fail_msg("trial %zu: %s", k, why ? why : "no trouble");
        transported_free(&t);
        close_unsteady(&w);
    }
}

static double *imposed(const struct unsteady *w)
{
    const struct field *f = fields_find(&w->t.f.fields, "temperature.imposed", FIELD_CHECKPOINT);
    if (!f) fail_msg("a checkpoint has no temperature.imposed");
    return f->number;
}

/* A restart begins with values that are beyond their causes already. */
static void values_at_the_start_are_those_of_the_whole_run(void **state)
{
    (void)state;
    struct transported t = {0}, again = {0};
    struct unsteady w, restarted;
    open_stream(&w, "linear-upwind", "");
    transported_begin(&t, &w.t.f);
    open_stream(&restarted, "linear-upwind", "");
    memcpy(imposed(&restarted), imposed(&w), 3 * sizeof(double));
    put(&restarted, 299.5);
    transported_begin(&again, &restarted.t.f);
    assert_non_null(transported_trouble(&again, &restarted.t.f, 1));
    transported_free(&t), transported_free(&again);
    close_unsteady(&w), close_unsteady(&restarted);
}

/* A source of heat leads beyond the highest of the values at boundaries, but not below the lowest, nor to numbers that
 * no arithmetic can take. */
static void sources_lead_beyond_one_bound(void **state)
{
    (void)state;
    struct transported t = {0};
    struct unsteady w;
    open_stream(&w, "linear-upwind", "sources = { all = { heat = 1.0; }; };\n");
    transported_begin(&t, &w.t.f);
    put(&w, 1e6);
    assert_null(transported_trouble(&t, &w.t.f, 1));
    put(&w, -1e31);
    const char *why = transported_trouble(&t, &w.t.f, 1000);
    assert_true(why && strstr(why, "\"temperature\" is -1e+31 to "));
    transported_free(&t);
    close_unsteady(&w);
    for (int k = 0; k < 2; k++) {
        t = (struct transported){0};
        open_stream(&w, "limited", "sources = { all = { heat = 1.0; }; };\n");
        transported_begin(&t, &w.t.f);
        put(&w, k ? 292 : 1e6);
        assert_int_equal(transported_report(&t, &w.t.f), !k);
        transported_free(&t);
        close_unsteady(&w);
    }
}

/* Temperatures outside a wall with a coefficient of heat transfer are given ones: as means over the faces, which are
 * 1.0556 to 6.0556. */
static void exchange_leaves_both_bounds(void **state)
{
    (void)state;
    static const struct { const char *convection; double value; bool good; } trials[] = {
        {"bounded", 6.055, true}, {"bounded", 6.06, false}, {"central", 8.5, true}, {"central", 8.6, false},
        {"central", -2, false}};
    const struct box_setting box = grid_box(GRID_QUADS, 6, 0);
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
        struct transported t = {0};
        struct unsteady w;
        char text[1000];
        snprintf(text, sizeof text,
                 "fluid = { viscosity = 1.0; heat_capacity = 1.0; conductivity = 1.0; };\n"
                 "boundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; temperature = 2.0; };\n"
                 "right = { type = \"outlet\"; }; top = { type = \"wall\"; };\n"
                 "bottom = { type = \"wall\"; transfer = [2.0, \"1 + 6 * x ^ 2\"]; }; };\n"
                 "initial = { temperature = 2.0; };\n"
                 "solver = { algorithm = \"piso\"; convection_temperature = \"%s\"; };\n"
                 "time = { end = 1.0; step = 0.01; };\n", trials[k].convection);
        open_unsteady(&w, GRID_QUADS, &box, 0, text);
        transported_begin(&t, &w.t.f);
        put(&w, trials[k].value);
        assert_int_equal(transported_report(&t, &w.t.f), trials[k].good);
        put(&w, 12);
        assert_non_null(transported_trouble(&t, &w.t.f, 1));
        transported_free(&t);
        close_unsteady(&w);
    }
}

/* Of a scheme without bounds it is no failure, of one with bounds it is. */
static void the_end_tells_of_values_beyond(void **state)
{
    (void)state;
    static const struct { const char *convection; double value; bool good; } trials[] = {
        {"linear-upwind", 296.5, true}, {"limited", 296.5, false}, {"limited", 296, true}, {"upwind", 292.99, false},
        {"bounded", 296.5, false}};
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
        struct transported t = {0};
        struct unsteady w;
        open_stream(&w, trials[k].convection, "");
        transported_begin(&t, &w.t.f);
        put(&w, trials[k].value);
        assert_int_equal(transported_report(&t, &w.t.f), trials[k].good);
        transported_free(&t);
        close_unsteady(&w);
    }
}

/* Of balances at output times the one of which the largest part is missing counts, also after a restart, where its
 * numbers come from the checkpoint. */
static void the_worst_output_time_counts(void **state)
{
    (void)state;
    static const struct unbalanced open[] = {{BALANCE_HEAT, -0.1, 10, 0}, {BALANCE_SCALAR + 1, 0.5, 10, 0}, {0},
                                             {BALANCE_SECOND_FLUID, 0.04, 1, 0}};
    struct scalar_setting two[2] = {{.name = "dye"}, {.name = "salt"}};
    struct flow_setting c = {.scalars = {two, 2}}, fewer = {.scalars = {two, 1}};
    struct balances b = {{0}}, later = {{0}};
    struct fields all = {0};
    balances_fields(&later, &all);
    assert_false(balances_worst(&b, &c).of);
    for (int k = 0; k < 4; k++) balances_add(&b, &open[k], k + 1);
    memcpy(fields_find(&all, "balances", FIELD_CHECKPOINT)->number, b.worst, sizeof b.worst);
    const struct unbalanced worst = balances_worst(&later, &c);
    assert_int_equal(worst.of, BALANCE_SCALAR + 1);
    assert_false(balances_worst(&later, &fewer).of);
    assert_true(worst.missing == 0.5 && worst.passes == 10 && worst.time == 2);
    assert_true(!balances_report(&worst, &c, true));
    fields_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_beyond_their_causes_are_trouble),
                                       cmocka_unit_test(values_at_the_start_are_those_of_the_whole_run),
                                       cmocka_unit_test(sources_lead_beyond_one_bound),
                                       cmocka_unit_test(exchange_leaves_both_bounds),
                                       cmocka_unit_test(the_end_tells_of_values_beyond),
                                       cmocka_unit_test(the_worst_output_time_counts)};
    return RUN_TESTS("transported", tests);
}

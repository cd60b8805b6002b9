/* Models that act on the flow (flow/model.h). */
#include "flow_fixture.h"

/* The velocity, the pressure that is solved for, and the one that files show, of a few steady iterations. */
struct fields_of_run { double *u, *p, *shown; };
static struct fields_of_run iterate(const char *algorithm, const char *gravity, struct trial *w)
{
    struct fields_of_run r;
    struct simple_report report;
    struct box_setting box = grid_box(GRID_TRIANGLES, 8, 0.1);
    char text[1000];
    snprintf(text, sizeof text, "fluid = { density = 3.0; viscosity = 0.1;%s };\nboundary = {\n"
             "left = { type = \"inlet\"; velocity = [1.0, 0.0]; }; right = { type = \"outlet\"; pressure = 2.0; };\n"
             "bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\nsolver = { algorithm = \"%s\"; };\n",
             gravity, algorithm);
    trial_open(w, GRID_TRIANGLES, &box, false, text);
    for (int i = 0; i < 10; i++) simple_iterate(&w->simple, &report);
    r.u = FROM_DEVICE(w->f->u, 2 * w->f->s.pitch), r.p = FROM_DEVICE(w->f->p, w->f->s.pitch);
    const struct field *pressure = fields_find(&w->f->fields, "pressure", FIELD_OUTPUT);
    NEW(r.shown, w->f->s.pitch);
    if (pressure->show) pressure->show(pressure->owner, &w->m, r.shown);
    return r;
}

/* Gravity leaves a steady flow of one fluid as it is, to the bit, and adds the fluid's weight to its pressure. */
static void gravity_of_one_fluid(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"simple", "simplec", "coupled"};
    open_device();
    for (int i = 0; i < 3; i++) {
        struct trial without, with;
        struct fields_of_run a = iterate(algorithms[i], "", &without);
        struct fields_of_run b = iterate(algorithms[i], " gravity = [0.5, -2.0];", &with);
        assert_memory_equal(a.u, b.u, 2 * (size_t)without.f->s.pitch * sizeof(double));
        assert_memory_equal(a.p, b.p, (size_t)without.f->s.pitch * sizeof(double));
        for (int32_t c = 0; c < with.m.n_cells; c++) {
            double x = with.m.cell_centre[c], y = with.m.cell_centre[with.m.n_all + c];
            assert_true(fabs(b.shown[c] - b.p[c] - 3 * (0.5 * x - 2 * y)) < 1e-12);
        }
        free(a.u), free(a.p), free(a.shown), free(b.u), free(b.p), free(b.shown);
        trial_close(&without), trial_close(&with);
    }
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gravity_of_one_fluid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Models that act on the flow (flow/model.h). */
#include "unsteady_fixture.h"
#include "flow/rest.h"
#include "flow/scalar.h"
#include "gpu/device.h"

/* The velocity, the pressure that is solved for, and the output pressure, after a few steady iterations. */
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

/* Gravity leaves a steady flow of one fluid bitwise unchanged, and adds the fluid's weight to its pressure. */
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

/* ---------------------------------------------------------------- buoyancy */
enum { N_STEPS = 10 };
static const double reference = 0.2, expansion = 0.5, gravity = -3, density = 2;

/* A temperature that is linear in height, the last coordinate: 1 + height; and the resulting pressure. */
static void stratify(struct flow *f, const struct mesh *m)
{
    double *x, *p, *at;
    int up = m->dim - 1;
    struct scalar *t = ((struct scalars *)f->equation[0])->item;
    NEW(x, f->s.pitch), NEW(p, f->s.pitch), NEW(at, f->s.n_boundary);
    for (int32_t c = 0; c < m->n_cells; c++) {
        double height = m->cell_centre[(int64_t)up * m->n_all + c];
        x[c] = 1 + height;
        p[c] = -density * expansion * gravity * (height + height * height / 2 - reference * height);
    }
    for (int32_t i = m->n_internal; i < m->n_faces; i++)
        at[i - m->n_internal] = x[m->face_owner[i]] + m->face_r[(int64_t)up * m->n_faces + i];
    device_upload(t->x, x, (size_t)f->s.pitch * sizeof *x);
    device_upload(t->value, at, (size_t)f->s.n_boundary * sizeof *at);
    device_upload(f->p, p, (size_t)f->s.pitch * sizeof *p);
    free(x), free(p), free(at);
}

static double fastest(const struct flow *f, const struct mesh *m)
{
    double *u = FROM_DEVICE(f->u, m->dim * f->s.pitch), most = 0;
    for (int k = 0; k < m->dim; k++)
        for (int32_t c = 0; c < m->n_cells; c++) most = fmax(most, fabs(u[k * f->s.pitch + c]));
    free(u);
    return most;
}

/* Light fluid above, between a cold floor and a hot ceiling, stays at rest to rounding.  The transient case has no
 * diffusion, because the discrete linear temperature is exact only once it is steady. */
static void a_stratified_fluid_stays_at_rest(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"simple", "simplec", "coupled", "piso", "pimple"};
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int i = 0; i < 5; i++) {
            bool solid = grid_dim((enum grid)kind) == 3;
            struct box_setting box = grid_box((enum grid)kind, solid ? 4 : 8, 0.2);
            char text[2000];
            double speed;
            snprintf(text, sizeof text, "fluid = { density = %g; viscosity = 0.01; gravity = [%s0, %g]; };\n"
                     "boundary = { left = { type = \"wall\"; }; right = { type = \"symmetry\"; };\n"
                     "bottom = { type = \"wall\"; }; top = { type = \"wall\"; };%s };\n"
                     "scalars = { t = { diffusivity = %g; initial = 1; convection = \"linear-upwind\"; "
                     "values = { %s = 1; %s = 2; }; }; };\n"
                     "buoyancy = { scalar = \"t\"; expansion = %g; reference = %g; };\n"
                     "solver = { algorithm = \"%s\"; };\n%s", density, solid ? "0, " : "", gravity,
                     solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", i < 3 ? 0.01 : 0,
                     solid ? "back" : "bottom", solid ? "front" : "top", expansion, reference, algorithms[i],
                     i < 3 ? "" : "time = { end = 10.0; step = 0.05; };\n");
            if (i < 3) {
                struct trial w;
                struct simple_report r;
                trial_open(&w, (enum grid)kind, &box, false, text);
                stratify(w.f, &w.m);
                w.simple.rest = REST_DISTURBED;         /* the balance itself, without the disturbance of rest.h */
                for (int k = 0; k < N_STEPS; k++) simple_iterate(&w.simple, &r);
                speed = fastest(w.f, &w.m);
                trial_close(&w);
            } else {
                struct unsteady w;
                struct transient_report r;
                open_unsteady(&w, (enum grid)kind, &box, 0, text);
                stratify(&w.t.f, &w.m);
                for (int k = 0; k < N_STEPS; k++) transient_advance(&w.t, 0.05, &r);
                speed = fastest(&w.t.f, &w.m);
                close_unsteady(&w);
            }
            if (!(speed < 1e-11)) fail_msg("%s, %s: speed %g", grid_name[kind], algorithms[i], speed);
        }
    device_close();
}

static void the_reference_is_the_initial_value(void **state)
{
    (void)state;
    static const char before[] = "mesh = { box = { cells = [4, 4]; }; };\n"
        "fluid = { viscosity = 0.01; gravity = [0, -1]; };\nboundary = { left = { type = \"wall\"; };\n"
        "right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
        "scalars = { dye = { diffusivity = 1.0; values = { left = 1.0; }; };\n"
        "t = { diffusivity = 1.0; initial = 293.0; values = { left = 1.0; }; }; };\n";
    for (int given = 0; given < 2; given++) {
        struct case_settings c;
        char text[1000];
        snprintf(text, sizeof text, "%sbuoyancy = { scalar = \"t\"; expansion = 0.1; %s };\n", before,
                 given ? "reference = 0.0;" : "");
        case_of_text(&c, text);
        assert_true(c.flow.buoyancy.reference == (given ? 0 : 293));
        case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gravity_of_one_fluid),
                                       cmocka_unit_test(a_stratified_fluid_stays_at_rest),
                                       cmocka_unit_test(the_reference_is_the_initial_value)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

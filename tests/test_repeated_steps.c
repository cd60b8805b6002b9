/* Two fluids with outer correctors: a step that is repeated moves the interface once, and volume and heat leave once;
 * also where outlets shut. */
#include "unsteady_fixture.h"
#include "flow/heat.h"
#include "flow/scalar.h"
#include "interface/interface.h"

enum { EDGE = 24 };

/* A disc carried by a uniform flow through periodic boundaries: the fractions at the end. */
static double *carried_disc(const char *solver, const char *scheme)
{
    struct unsteady w;
    char text[1500];
    struct box_setting box = grid_box(GRID_QUADS, EDGE, 0);
    snprintf(text, sizeof text, "fluid = { viscosity = 0.01; };\nsecond_fluid = { density = 1.0; viscosity = 0.01; };\n"
             "shapes = { disc = { type = \"sphere\"; centre = [0.5, 0.5]; radius = 0.25; }; };\n"
             "initial = { velocity = [1.0, 0.6]; };\nboundary = { left = { type = \"wall\"; }; right = { type = "
             "\"wall\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\nsolver = { %s };\n"
             "time = { end = 0.2; step = 0.01; scheme = \"%s\"; };\n", solver, scheme);
    open_unsteady(&w, GRID_QUADS, &box, 2, text);
    advance_to_end(&w);
    double *fraction = FROM_DEVICE(w.t.f.interface->fraction, w.t.f.s.n_padded);
    close_unsteady(&w);
    return fraction;
}

static void a_step_moves_the_interface_once(void **state)
{
    (void)state;
    static const char *const schemes[] = {"euler", "bdf2"};
    for (int k = 0; k < 4; k++) {
        char solver[100];
        snprintf(solver, sizeof solver, "algorithm = \"pimple\"; outer_correctors = %d;", 2 + k / 2);
        double *once = carried_disc("algorithm = \"piso\";", schemes[k % 2]), most = 0;
        double *more = carried_disc(solver, schemes[k % 2]);
        for (int c = 0; c < EDGE * EDGE; c++) most = fmax(most, fabs(more[c] - once[c]));
        print_message("# %s, %s fractions differ by %.1e\n", schemes[k % 2], solver, most);
        assert_true(most < 1e-9);
        free(once), free(more);
    }
}

/* Second fluid that enters through an inlet, and leaves through an outlet. */
static void open_outflow(struct unsteady *w, enum grid kind, int outer, const char *scheme, const char *outlet)
{
    char text[2500];
    const bool solid = grid_dim(kind) == 3;
    struct box_setting box = grid_box(kind, solid ? 5 : 8, 0.1);
    snprintf(text, sizeof text, "fluid = { viscosity = 0.1; gravity = [0.0, -1.0%s]; heat_capacity = 2.0; conductivity "
             "= 0.01; };\nsecond_fluid = { density = 20.0; viscosity = 0.2; heat_capacity = 3.0; conductivity = 0.1; "
             "};\n"
             "shapes = { s = { type = \"half-space\"; point = [0.7, 0.5%s]; normal = [-1.0, 0.3%s]; }; };\n"
             "boundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0%s]; fraction = \"y<0.4?1:0\"; temperature = "
             "301.0; };\nright = { type = \"outlet\";%s }; bottom = { type = \"wall\"; }; top = { type = \"slip\"; "
             "};%s };\n"
             "scalars = { a = { fluid = \"first\"; diffusivity = 0.01; initial = \"y\"; values = { left = 0.5; }; };\n"
             "b = { fluid = \"second\"; diffusivity = 0.0; initial = \"1-y\"; values = { left = 1.0; }; }; };\n"
             "initial = { temperature = \"y<0.5?300:302\"; };\nsolver = { algorithm = \"%s\"; %s};\n"
             "time = { end = 0.3; step = 0.02; scheme = \"%s\"; };\n", solid ? ", 0.0" : "", solid ? ", 0.5" : "",
             solid ? ", 0.0" : "", solid ? ", 0.0" : "", outlet,
             solid ? " back = { type = \"slip\"; }; front = { type = \"symmetry\"; };" : "",
             outer > 1 ? "pimple" : "piso", outer == 3 ? "outer_correctors = 3; " : "", scheme);
    open_unsteady(w, kind, &box, 0, text);
}

/* The second fluid that left through the boundary in the last step. */
static double volume_out(const struct unsteady *w)
{
    double *carried = FROM_DEVICE(w->t.f.interface->carried, w->m.n_faces), sum = 0;
    for (int32_t f = w->m.n_internal; f < w->m.n_faces; f++) sum += carried[f];
    free(carried);
    return sum;
}

/* The heat that entered per unit of time; gross: the sum of the magnitudes over all faces. */
static double heat_in(struct unsteady *w, double *gross)
{
    const int32_t n = w->m.n_faces - w->m.n_internal;
    double *heat = FROM_DEVICE((double *)heat_inflow(&w->t.f, 0), n), sum = 0;
    *gross = 0;
    for (int32_t f = 0; f < n; f++) sum += heat[f], *gross += fabs(heat[f]);
    free(heat);
    return sum;
}

/* Of a scalar dissolved in one fluid: the amount in all cells, and what enters per unit of time. */
enum { DISSOLVED = 2 };
static struct scalar *dissolved(const struct unsteady *w, int i)
{
    return &((struct scalars *)w->t.f.equation[0])->item[i];
}

static double amount_of(const struct unsteady *w, int i)
{
    double *amount = FROM_DEVICE(dissolved(w, i)->amount, w->m.n_cells), sum = 0;
    for (int32_t c = 0; c < w->m.n_cells; c++) sum += amount[c] * w->m.cell_volume[c];
    free(amount);
    return sum;
}

static double amount_in(const struct unsteady *w, int i)
{
    const int32_t n = w->m.n_faces - w->m.n_internal;
    double *inflow = FROM_DEVICE(dissolved(w, i)->inflow, n), sum = 0;
    for (int32_t f = 0; f < n; f++) sum += inflow[f];
    free(inflow);
    return sum;
}

static void volume_heat_and_scalars_are_balanced(void **state)
{
    (void)state;
    static const struct { enum grid kind; int outer; const char *scheme, *outlet; } one[] = {
        {GRID_QUADS, 1, "bdf2", ""}, {GRID_QUADS, 2, "bdf2", ""}, {GRID_TRIANGLES, 3, "bdf2", " backflow = \"total\";"},
        {GRID_TRIANGLES, 2, "euler", " backflow = \"none\";"}, {GRID_HEXAHEDRA, 2, "bdf2", " backflow = \"none\";"},
        {GRID_TETRAHEDRA, 2, "euler", ""}};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        struct unsteady w;
        struct transient_report r;
        open_outflow(&w, one[i].kind, one[i].outer, one[i].scheme, one[i].outlet);
        struct interface_summary now;
        interface_summarise(w.t.f.interface, &now);
        double volume = now.volume, left = 0, miss = 0, unbalanced = 0, amount[DISSOLVED], lost = 0;
        for (int k = 0; k < DISSOLVED; k++) amount[k] = amount_of(&w, k);
        while (w.t.time < 0.3 * (1 - 1e-12)) {
            double gross;
            transient_advance(&w.t, transient_choose_step(&w.t, 0.3), &r);
            double out = volume_out(&w), heat = heat_in(&w, &gross);
            left += fabs(out), miss = fmax(miss, fabs(r.interface.volume - volume + out));
            unbalanced = fmax(unbalanced, fabs(heat - heat_stored(&w.t.f)) / gross);
            volume = r.interface.volume;
            for (int k = 0; k < DISSOLVED; k++) {
                double after = amount_of(&w, k);
                lost = fmax(lost, fabs(after - amount[k] - w.t.step * amount_in(&w, k))), amount[k] = after;
            }
        }
        print_message("# %s, %d outer correctors, %s%s: %.3f left, volume off by %.1e, heat %.1e, scalars %.1e\n",
                      grid_name[one[i].kind], one[i].outer, one[i].scheme, one[i].outlet, left, miss, unbalanced, lost);
        if (!(left > 0.01 && miss < 1e-13 && unbalanced < 1e-12 && lost < 1e-13))
            fail_msg("%s, %d: volume off by %g, heat by %g, a scalar by %g", grid_name[one[i].kind], one[i].outer, miss,
                     unbalanced, lost);
        close_unsteady(&w);
    }
}

/* A uniform temperature: the heat that flows in and out differs from the storage by the net flux alone, which is that
 * of the pressure's solver. */
static void a_face_that_shuts_loses_no_heat(void **state)
{
    (void)state;
    struct unsteady w;
    struct transient_report r;
    struct box_setting box = grid_box(GRID_TRIANGLES, 9, 0);
    double worst = 0, shut = 0;
    open_unsteady(&w, GRID_TRIANGLES, &box, 0,
        "fluid = { viscosity = 0.03; gravity = [0.0, -1.1]; heat_capacity = 35.0; conductivity = 1.0; };\n"
        "second_fluid = { density = 0.04; viscosity = 0.03; heat_capacity = 30.0; conductivity = 0.001; };\n"
        "shapes = { s = { type = \"half-space\"; point = [0.7, 0.5]; normal = [-1.0, 0.5]; }; };\n"
        "boundary = { left = { type = \"inlet\"; velocity = [0.3, 0.0]; fraction = \"y<0.4?1:0\"; temperature = 300.0; "
        "};\nright = { type = \"outlet\"; backflow = \"none\"; }; bottom = { type = \"symmetry\"; }; top = { type = "
        "\"slip\"; }; };\ninitial = { temperature = 300.0; };\n"
        "solver = { algorithm = \"piso\"; pressure = { tolerance = 1e-9; }; };\ntime = { end = 0.3; step = 0.02; };\n");
    for (int i = 0; i < 10; i++) {
        double gross;
        transient_advance(&w.t, 0.01, &r);
        double heat = heat_in(&w, &gross), *now = FROM_DEVICE(w.t.f.b.shut, w.t.f.s.n_boundary);
        worst = fmax(worst, fabs(heat - heat_stored(&w.t.f)) / gross);
        for (int32_t b = 0; b < w.t.f.s.n_boundary; b++) shut += now[b] > 0;
        free(now);
    }
    print_message("# %g faces were shut in a step, heat off by %.1e\n", shut / 10, worst);
    assert_true(shut > 0 && worst < 1e-7);
    close_unsteady(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_step_moves_the_interface_once),
                                       cmocka_unit_test(volume_heat_and_scalars_are_balanced),
                                       cmocka_unit_test(a_face_that_shuts_loses_no_heat)};
    return RUN_TESTS("repeated_steps", tests);
}

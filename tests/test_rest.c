/* Fluid between plates that are heated from below or above: rest where it is stable, rolls where it is not. */
#include "flow_fixture.h"
#include "assembly/field.h"
#include "gpu/device.h"

/* A layer of height 1 that holds two rolls, Pr 0.71, periodic if of quads; Rayleigh number < 0: heated from above. */
static int layer(struct trial *w, enum grid kind, double rayleigh, const char *solver, double *nusselt)
{
    const bool fine = kind == GRID_QUADS;
    struct box_setting box = {.given = true, .dim = grid_dim(kind), .cells = {fine ? 24 : 12, fine ? 12 : 8, 2},
                              .to = {2.0158, 1, 0.25}, .stretch = {1, 1, 1}};
    static const char *const joined = "left = { type = \"periodic\"; with = \"right\"; }; right = { type = "
                                      "\"periodic\"; };";
    static const char *const walls = "left = { type = \"wall\"; }; right = { type = \"wall\"; };";
    char text[1600];
    snprintf(text, sizeof text, "fluid = { density = 1.0; viscosity = 0.71; conductivity = 1.0; heat_capacity = 1.0; "
             "expansion = %g; reference_temperature = 300.5; gravity = [0.0, %g%s]; };\nboundary = { %s %s bottom = { "
             "type = \"wall\"; temperature = 301.0; }; top = { type = \"wall\"; temperature = 300.0; }; };\n"
             "initial = { temperature = 300.5; };\nsolver = { tolerance = 1e-7; max_iterations = 1500; %s };\n",
             0.71 * fabs(rayleigh), rayleigh < 0 ? 1.0 : -1.0, box.dim == 3 ? ", 0.0" : "",
             kind == GRID_QUADS ? joined : walls,
             box.dim == 3 ? "back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };" : "", solver);
    trial_open(w, kind, &box, kind == GRID_QUADS, text);
    int iterations = trial_converge(w);
    const int64_t pitch = w->f->s.pitch;
    const struct field *t = fields_find(&w->f->fields, "temperature", FIELD_CHECKPOINT);
    double *x = FROM_DEVICE(*t->value, w->f->s.n_cells), *u = FROM_DEVICE(w->f->u, 2 * pitch), sum = 0, all = 0;
    for (int32_t c = 0; c < w->f->s.n_cells; c++)
        sum += w->m.cell_volume[c] * u[pitch + c] * (x[c] - 300.5), all += w->m.cell_volume[c];
    free(x), free(u);
    *nusselt = 1 + sum / all;
    return iterations;
}

/* Acceleration finds rest whether it is stable or not. */
static void rolls_start_and_rest_converges(void **state)
{
    (void)state;
    static const char *const solvers[] = {
        "algorithm = \"coupled\";", "algorithm = \"coupled\"; acceleration = 0;", "algorithm = \"simplec\";",
        "algorithm = \"simplec\"; acceleration = 10;", "algorithm = \"simple\"; acceleration = 10;"};
    static const struct { double rayleigh, nusselt; } of[] = {{2000, 1.1846}, {1e4, 2.7088}, {1000, 1}, {-1e4, 1}};
    for (int i = 0; i < 4; i++)
        for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
            struct trial w;
            double nusselt;
            int iterations = layer(&w, GRID_QUADS, of[i].rayleigh, solvers[k], &nusselt);
            print_message("# Ra %g, %s Nusselt number %.4f, %d iterations\n", of[i].rayleigh, solvers[k], nusselt,
                          iterations);
            assert_true(iterations > 0 && fabs(nusselt - of[i].nusselt) < (of[i].nusselt > 1 ? 1e-3 : 1e-6));
            trial_close(&w);
        }
}

static void cells_of_every_kind(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_TRIANGLES, GRID_HEXAHEDRA, GRID_TETRAHEDRA};
    for (int i = 0; i < 6; i++) {
        struct trial w;
        double nusselt;
        int iterations = layer(&w, kinds[i / 2], i % 2 ? 1000 : 4000, "algorithm = \"coupled\";", &nusselt);
        print_message("# %s, Ra %d: Nusselt number %.4f, %d iterations\n", grid_name[kinds[i / 2]],
                      i % 2 ? 1000 : 4000, nusselt, iterations);
        assert_true(iterations > 0 && (i % 2 ? fabs(nusselt - 1) < 1e-6 : nusselt > 1.6 && nusselt < 2));
        trial_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rolls_start_and_rest_converges),
                                       cmocka_unit_test(cells_of_every_kind)};
    return RUN_TESTS("rest", tests);
}

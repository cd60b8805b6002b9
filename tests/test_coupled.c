/* The coupled algorithm: its solution is SIMPLEC's on every kind of cells and with every boundary type; same bits, restart. */
#include "flow_fixture.h"
#include "flow/coupled.h"
#include "run_fixture.h"

/* ---------------------------------------------------------------- the same solution */
/* Flows in a box, 2-D and 3-D; %s: the solver's settings.  In 3-D without the bracket of more boundaries at the end. */
struct flow_case { const char *name, *text; bool periodic; };
static const struct flow_case flows[] = {
    {"cavity", "top = { type = \"wall\"; velocity = [1, 0%s]; }; left = { type = \"wall\"; }; right = { type = \"wall\"; };"
     "bottom = { type = \"wall\"; };", false},
    {"channel", "left = { type = \"inlet\"; velocity = [1, 0%s]; profile = \"parabolic\"; }; right = { type = \"outlet\"; pressure = 2.0; };"
     "bottom = { type = \"wall\"; }; top = { type = \"wall\"; };", false},
    {"channel with symmetry", "left = { type = \"inlet\"; velocity = [1, 0.2%s]; }; right = { type = \"outlet\"; };"
     "bottom = { type = \"symmetry\"; }; top = { type = \"slip\"; };", false},
    {"corner with two outlets", "left = { type = \"inlet\"; velocity = [1, 0.2%s]; }; right = { type = \"outlet\"; };"
     "bottom = { type = \"wall\"; velocity = [0.5, 0%s]; }; top = { type = \"outlet\"; pressure = 0.1; };", false},
    {"in and out through inlets", "left = { type = \"inlet\"; velocity = [1, 0%s]; }; right = { type = \"inlet\"; velocity = [1, 0%s]; };"
     "bottom = { type = \"wall\"; }; top = { type = \"slip\"; };", false},
    {"periodic", "left = { type = \"periodic\"; with = \"right\"; }; right = { type = \"periodic\"; };"
     "bottom = { type = \"wall\"; }; top = { type = \"wall\"; velocity = [1, 0%s]; };", true}};

/* Velocity after convergence, and how many iterations that took. */
static double *solution(const struct flow_case *flow, enum grid kind, const char *algorithm, int64_t *n, int *iterations)
{
    struct trial w;
    bool solid = grid_dim(kind) == 3;
    struct box_setting box = grid_box(kind, solid ? 5 : 12, 0.15);
    char boundaries[1000], text[2000];
    const char *third = solid ? ", 0" : "";
    snprintf(boundaries, sizeof boundaries, flow->text, third, third);
    snprintf(text, sizeof text, "boundary = { %s%s };\nfluid = { viscosity = 0.01; density = 1.2; };\n"
             "solver = { algorithm = \"%s\"; tolerance = 1e-10; max_iterations = 3000;%s };\n", boundaries,
             solid ? " back = { type = \"wall\"; }; front = { type = \"symmetry\"; };" : "", algorithm,
             strcmp(algorithm, "coupled") ? "relaxation_velocity = 0.7;" : "");
    trial_open(&w, kind, &box, flow->periodic, text);
    if (getenv("TRACE60")) { struct simple_report r; for (int i = 0; i < 60; i++) { simple_iterate(&w.simple, &r); printf("%d %g %g %g %g in %d st %d\n", i, r.residual[0], r.residual[1], r.residual[w.m.dim], r.continuity, r.pressure_solve.iterations, r.pressure_solve.status); } }
    *iterations = trial_settle(&w);
    if (*iterations < 0) print_message("%s on %s: %s has not converged", flow->name, grid_name[kind], algorithm);
    double *u = from_device(w.f->u, *n = w.m.dim * w.f->s.pitch);
    trial_close(&w);
    return u;
}

static void coupled_is_simplec(void **state)
{
    (void)state;
    open_device();
    for (int kind = getenv("KIND") ? atoi(getenv("KIND")) : GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
            int64_t n;
            int together, apart;
            double *u = solution(&flows[i], (enum grid)kind, "coupled", &n, &together);
            double *v = solution(&flows[i], (enum grid)kind, "simplec", &n, &apart), most = 0;
            for (int64_t k = 0; k < n; k++) most = fmax(most, fabs(u[k] - v[k]));
            printf("%s on %s: %d %d %g\n", flows[i].name, grid_name[kind], together, apart, most);
            if (!(most <= 1e-6)) print_message("%s on %s: velocities differ by %g", flows[i].name, grid_name[kind], most);
            free(u), free(v);
        }
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(coupled_is_simplec)};
    return cmocka_run_group_tests_name("coupled", tests, NULL, NULL);
}

/* Forces at faces (assembly/face_force.h): a pressure that balances them leaves the fluid at rest, on every element
 * type and with every algorithm, although neither the force nor the pressure is smooth. */
#include "unsteady_fixture.h"
#include "gpu/device.h"

static const char *const algorithms[] = {"simple", "simplec", "coupled", "piso", "pimple"};
enum { N_ALGORITHMS_HERE = sizeof algorithms / sizeof *algorithms, FIRST_IN_TIME = 3 };

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

static void case_of(char *text, size_t size, const char *algorithm, enum grid kind, bool outlet)
{
    bool in_time = *algorithm == 'p';
    snprintf(text, size, "fluid = { density = 2.0; viscosity = 0.01; };\nboundary = { left = { type = \"wall\"; };\n"
             "right = { type = \"symmetry\"; }; bottom = { type = \"wall\"; }; top = { type = \"%s\"; };%s };\n"
             "solver = { algorithm = \"%s\"; };\n%s", outlet ? "outlet" : "wall",
             grid_dim(kind) == 2 ? "" : " back = { type = \"wall\"; }; front = { type = \"wall\"; };", algorithm,
             in_time ? "time = { end = 10.0; step = 0.1; };\n" : "");
}

/* Gives the flow a force that balances a random number in every cell, which is returned; at closed boundaries a random
 * step, at outlets the step to the pressure there, 0.  start: the pressure balances it already. */
static double *give_force(struct flow *f, const struct mesh *m, bool start)
{
    uint64_t state = 7;
    double *potential, *force, *g = FROM_DEVICE(f->s.g, m->n_faces);
    uint8_t *rule = FROM_DEVICE(f->b.pressure_rule, m->n_faces - m->n_internal);
    NEW(potential, f->s.pitch), NEW(force, m->n_faces);
    for (int32_t c = 0; c < m->n_cells; c++) potential[c] = next_random(&state);
    for (int32_t i = 0; i < m->n_faces; i++) {
        double mine = potential[m->face_owner[i]];
        bool inside = i < m->n_internal, given = !inside && rule[i - m->n_internal] == RULE_VALUE;
        force[i] = g[i] * (inside ? potential[m->face_neighbour[i]] - mine : given ? -mine : next_random(&state));
    }
    f->face_force = (struct face_force){device_copy_of(force, (size_t)m->n_faces * sizeof *force, "force"), true};
    if (start) device_upload(f->p, potential, (size_t)f->s.pitch * sizeof *potential);
    free(force), free(g), free(rule);
    return potential;
}

static double fastest_cell(const struct flow *f, const struct mesh *m)
{
    double *u = FROM_DEVICE(f->u, m->dim * f->s.pitch), most = 0;
    for (int k = 0; k < m->dim; k++)
        for (int32_t c = 0; c < m->n_cells; c++) most = fmax(most, fabs(u[k * f->s.pitch + c]));
    free(u);
    return most;
}

/* The largest difference between pressure and potential, minus its mean if the pressure is determined up to a
 * constant. */
static double off_balance(const struct flow *f, const struct mesh *m, const double *potential)
{
    double *p = FROM_DEVICE(f->p, m->n_cells), mean = 0, most = 0;
    for (int32_t c = 0; c < m->n_cells && f->b.closed; c++) mean += (p[c] - potential[c]) / m->n_cells;
    for (int32_t c = 0; c < m->n_cells; c++) most = fmax(most, fabs(p[c] - potential[c] - mean));
    free(p);
    return most;
}

struct rest { double speed, off; };

static struct rest steady(const char *algorithm, enum grid kind, bool outlet, bool start, int iterations)
{
    struct trial w;
    struct simple_report r;
    struct box_setting box = grid_box(kind, grid_dim(kind) == 2 ? 8 : 4, 0.2);
    char text[1000];
    case_of(text, sizeof text, algorithm, kind, outlet);
    trial_open(&w, kind, &box, false, text);
    double *potential = give_force(w.f, &w.m, start);
    for (int i = 0; i < iterations; i++) simple_iterate(&w.simple, &r);
    struct rest rest = {fastest_cell(w.f, &w.m), off_balance(w.f, &w.m, potential)};
    free(potential);
    trial_close(&w);
    return rest;
}

static struct rest in_time(const char *algorithm, enum grid kind, bool outlet, bool start, int steps)
{
    struct unsteady w;
    struct transient_report r;
    struct box_setting box = grid_box(kind, grid_dim(kind) == 2 ? 8 : 4, 0.2);
    char text[1000];
    case_of(text, sizeof text, algorithm, kind, outlet);
    open_unsteady(&w, kind, &box, 0, text);
    double *potential = give_force(&w.t.f, &w.m, start);
    for (int i = 0; i < steps; i++) transient_advance(&w.t, 0.1, &r);
    struct rest rest = {fastest_cell(&w.t.f, &w.m), off_balance(&w.t.f, &w.m, potential)};
    free(potential);
    close_unsteady(&w);
    return rest;
}

/* Rounding of the pressure, 1e-16, is a force of 1e-16 / h, which over a / nu h causes a velocity of about 1e-14. */
static void what_is_balanced_stays_at_rest(void **state)
{
    (void)state;
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int i = 0; i < N_ALGORITHMS_HERE; i++)
            for (int outlet = 0; outlet < 2; outlet++) {
                struct rest rest = (i < FIRST_IN_TIME ? steady : in_time)(algorithms[i], (enum grid)kind, outlet, true,
                                                                          20);
                if (!(rest.speed < 1e-13 && rest.off < 1e-13))
                    fail_msg("%s, %s%s: speed %g, pressure off by %g", grid_name[kind], algorithms[i],
                             outlet ? ", outlet" : "", rest.speed, rest.off);
            }
    device_close();
}

static void what_is_not_comes_to_rest(void **state)
{
    (void)state;
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int i = 0; i < FIRST_IN_TIME; i++) {
            struct rest rest = steady(algorithms[i], (enum grid)kind, kind % 2, false, i == 2 ? 120 : 400);
            print_message("%s, %s: speed %.1e, pressure off by %.1e\n", grid_name[kind], algorithms[i], rest.speed,
                          rest.off);
            if (!(rest.speed < 1e-8 && rest.off < 1e-8))
                fail_msg("%s, %s: speed %g, pressure off by %g", grid_name[kind], algorithms[i], rest.speed, rest.off);
        }
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_balanced_stays_at_rest),
                                       cmocka_unit_test(what_is_not_comes_to_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

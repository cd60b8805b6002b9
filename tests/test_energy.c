/* The energies of two fluids, and when they are more than what has been put in. */
#include "interface/energy.h"
#include "interface_fixture.h"
#include "run/energy_balance.h"

/* Of a half-space of the second fluid that flows with (1, -2, 3), in every cell the same velocity; nothing enters. */
static void energies_are_sums_over_the_fluids(void **state)
{
    (void)state;
    const struct flow_setting c = {.fluid = {.density = 1, .gravity = {0.3, -2, 0}},
                                   .second_fluid = {true, 5, 1, 0.7}};
    for (int g = 0; g < N_GRIDS; g++) {
        struct two_fluids t;
        struct box_setting box = grid_box(every_grid[g], 8, 0);
        const double data[6] = {0.5, 0.52, 0, 0, 1, 0}, u[3] = {1, -2, 3};
        two_fluids_open(&t, every_grid[g], &box, half_space, data, 0);
        take_case(&t, &c);
        const int dim = t.m.dim;
        double *moving, *still, of[N_ENERGIES], mass = 0, potential = 0, square = 0, low = INFINITY;
        uint8_t *rules;
        NEW(moving, dim * t.s.pitch), NEW(still, dim * t.s.n_faces), NEW(rules, t.s.n_boundary);
        for (int k = 0; k < dim; k++)
            for (int64_t i = 0; i < t.s.pitch; i++) moving[k * t.s.pitch + i] = u[k];
        for (int k = 0; k < dim; k++) square += u[k] * u[k];
        for (int32_t i = 0; i < t.m.n_vertices; i++)
            low = fmin(low, -0.3 * t.m.vertex[3 * i] + 2 * t.m.vertex[3 * i + 1]);
        for (int32_t i = 0; i < t.m.n_cells; i++) {
            const double x = t.m.cell_centre[i], y = t.m.cell_centre[t.m.n_cells + i], v = t.m.cell_volume[i];
            mass += v * (1 + 4 * t.fraction[i]);
            potential += 4 * v * t.fraction[i] * (-0.3 * x + 2 * y - low);
        }
        double *zero = on_device(still, dim * t.s.n_faces), *velocity = on_device(moving, dim * t.s.pitch), *to;
        const struct energy_flow flow = {
            .b = {.velocity = zero, .pressure = zero, .pressure_rule = device_copy_of(rules, t.s.n_boundary, "rules")},
            .properties = {.density = {1, 5}, .viscosity = {1, 1}}, .u = velocity, .p = zero, .flux = zero};
        to = on_device(still, N_ENERGIES);
        interface_energies(&t.i, &flow, to);
        device_download(of, to, sizeof of);
        assert_true(fabs(of[ENERGY_KINETIC] / (0.5 * mass * square) - 1) < 1e-13);
        assert_true(fabs(of[ENERGY_POTENTIAL] / potential - 1) < 1e-12);
        print_message("%s: area %.4f\n", grid_name[every_grid[g]], of[ENERGY_SURFACE] / 0.7);
        assert_true(of[ENERGY_SURFACE] > 0.98 * 0.7 && of[ENERGY_SURFACE] < 1.25 * 0.7);
        assert_true(of[ENERGY_WALL] == 0 && of[ENERGY_POWER] == 0 && of[ENERGY_CELLS] == t.i.n_cut);
        device_free(zero), device_free(velocity), device_free(to), device_free((void *)flow.b.pressure_rule);
        free(moving), free(still), free(rules);
        two_fluids_close(&t);
    }
}

static double judged(const double start[N_ENERGIES], const double then[N_ENERGIES])
{
    struct energy_balance b = {{0}, 0};
    energy_open(&b, start);
    for (int k = 0; k < 100; k++) energy_add(&b, then, 0.01, 0.01 * k);
    assert_int_equal(energy_report(&b), b.number[ENERGY_WORST] <= ENERGY_MUCH);
    return b.part;
}

/* Each kind of energy may become another one, and what enters may stay. */
static void what_nothing_put_in_is_found(void **state)
{
    (void)state;
    enum { K = ENERGY_KINETIC, P = ENERGY_POTENTIAL, S = ENERGY_SURFACE, W = ENERGY_WALL, IN = ENERGY_POWER,
           N = ENERGY_CELLS };
    const double rest[N_ENERGIES] = {[P] = 7, [S] = 2, [N] = 1000}, falls[N_ENERGIES] = {[K] = 3, [P] = 4, [S] = 2};
    const double wets[N_ENERGIES] = {[P] = 7, [S] = 3, [W] = -1}, enters[N_ENERGIES] = {[K] = 5, [P] = 7, [IN] = 4};
    assert_true(judged(rest, falls) == 0 && judged(rest, wets) == 0 && judged(rest, enters) < 0);
    const double surface[N_ENERGIES] = {[P] = 7, [S] = 2.2, [N] = 1000};
    const double fast[N_ENERGIES] = {[K] = 10, [P] = 7, [S] = 2};
    assert_true(fabs(judged(rest, surface) - 0.1) < 1e-12 && fabs(judged(rest, fast) - 5) < 1e-12);
    const double coarse[N_ENERGIES] = {[P] = 7, [S] = 2.2, [N] = 20};
    struct energy_balance b = {{0}, 0};
    energy_open(&b, rest);
    for (int k = 0; k < 100; k++) energy_add(&b, coarse, 0.01, 0);
    assert_true(energy_report(&b));
}

/* A restart whose case gives the same state another energy, as by another tension, has put in the difference; one
 * in which the energy is not known ends the judgement of the steps before it. */
static void a_changed_case_is_no_gain(void **state)
{
    (void)state;
    const double before[N_ENERGIES] = {[ENERGY_SURFACE] = 2, [ENERGY_CELLS] = 1000};
    const double after[N_ENERGIES] = {[ENERGY_SURFACE] = 16, [ENERGY_CELLS] = 1000};
    struct energy_balance b = {{0}, 0};
    energy_open(&b, before);
    for (int k = 0; k < 100; k++) energy_add(&b, before, 0.01, 0);
    energy_open(&b, after);
    for (int k = 0; k < 100; k++) energy_add(&b, after, 0.01, 0);
    assert_true(b.part == 0 && energy_report(&b));
    energy_open(&b, NULL);
    for (int k = 0; k < 100; k++) energy_add(&b, before, 0.01, 0);
    energy_open(&b, before);
    for (int k = 0; k < 100; k++) energy_add(&b, before, 0.01, 0);
    assert_true(b.part == 0 && energy_report(&b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energies_are_sums_over_the_fluids),
                                       cmocka_unit_test(what_nothing_put_in_is_found),
                                       cmocka_unit_test(a_changed_case_is_no_gain)};
    return RUN_TESTS("energy", tests);
}

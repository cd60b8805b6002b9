/* The interface does not depend on the numbering of cells and corners, on rounding, or on the direction of the axes. */
#include "interface_fixture.h"
#include "mesh/mesh_setting.h"

/* The cell whose centre is the reflection (way < 0) of that of c, after its coordinates are exchanged cyclically. */
static int32_t image(const struct mesh *m, int32_t c, int shift, double way)
{
    for (int32_t other = 0; other < m->n_cells; other++) {
        double apart = 0;
        for (int k = 0; k < m->dim; k++) {
            int of = (k + shift) % m->dim;
            double x = m->cell_centre[(int64_t)of * m->n_cells + c] - 0.5;
            apart = fmax(apart, fabs(m->cell_centre[(int64_t)k * m->n_cells + other] - 0.5 - way * x));
        }
        if (apart < 1e-9) return other;
    }
    fail_msg("cell %d has no image", c);
    return 0;
}

static double asymmetry(const struct two_fluids *t)
{
    double *fraction = FROM_DEVICE(t->i.fraction, t->m.n_cells), worst = 0;
    for (int32_t c = 0; c < t->m.n_cells; c++)
        for (int shift = 0; shift < t->m.dim; shift++)
            for (int way = -1; way <= 1; way += 2)
                worst = fmax(worst, fabs(fraction[c] - fraction[image(&t->m, c, shift, way)]));
    free(fraction);
    return worst;
}

/* A ball in the velocity (y, z, x) from the middle, which is the same if the axes are exchanged cyclically, or all
 * reversed. */
static void symmetric_flows_stay_symmetric(void **state)
{
    (void)state;
    const struct { int cells; double radius; } trial[] = {{8, 0.32}};
    for (int k = 0; k < 1; k++) {
        const struct box_setting box = grid_box(GRID_HEXAHEDRA, trial[k].cells, 0);
        const double data[4] = {0.5, 0.5, 0.5, trial[k].radius};
        double *u, *grad, *flux;
        struct two_fluids t;
        two_fluids_open(&t, GRID_HEXAHEDRA, &box, ball, data, 4);
        sheared(&t, &u, &grad, &flux);
        double start = asymmetry(&t);
        for (int step = 0; step < 4; step++) interface_advance(&t.i, flux, u, grad, 0.3 / trial[k].cells);
        double end = asymmetry(&t);
        print_message("# %d^3 cells, radius %g: asymmetry %.1e, later %.1e\n", trial[k].cells, trial[k].radius, start,
                      end);
        assert_true(start < 1e-13 && end < 1e-10);
        device_free(u), device_free(grad), device_free(flux);
        two_fluids_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(symmetric_flows_stay_symmetric)};
    return RUN_TESTS("interface symmetry", tests);
}

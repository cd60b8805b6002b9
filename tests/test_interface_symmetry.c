/* The interface does not depend on the numbering of cells and corners, on rounding, or on the direction of the axes. */
#include "interface_fixture.h"
#include "unsteady_fixture.h"

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

/* Balls in the velocity (y, z, x) from the middle, which is the same if the axes are exchanged cyclically, or all
 * reversed.  One ball is resolved; one is at a node and about as large as a cell, where passes of the reconstruction do
 * not converge; one is in a single cell, whose normal nothing determines, and cuts small parts from the next ones. */
static void symmetric_flows_stay_symmetric(void **state)
{
    (void)state;
    const struct { int cells; double radius; } trial[] = {{8, 0.32}, {6, 0.16}, {5, 0.14}};
    for (int k = 0; k < 3; k++) {
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

/* A plane in a mesh one cell thick, in each direction, is reconstructed as in others. */
static void planes_in_meshes_one_cell_thick(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int thin = 0; thin < dim; thin++) {
            struct box_setting box = grid_box(dim == 2 ? GRID_QUADS : GRID_HEXAHEDRA, 6, 0);
            double data[6] = {0.51, 0.52, 0.53, 0, 0, 0}, worst = 0;
            box.cells[thin] = 1;
            data[3 + (thin + 1) % dim] = 0.8, data[3 + (thin + 2) % dim] += 0.6;
            if (dim == 2) data[3 + thin] = 0, data[3 + (thin + 1) % 2] = 1;
            struct two_fluids t;
            two_fluids_open(&t, dim == 2 ? GRID_QUADS : GRID_HEXAHEDRA, &box, half_space, data, 0);
            double *n = FROM_DEVICE(t.i.normal, dim * t.s.pitch), *area = FROM_DEVICE(t.i.area, t.s.pitch);
            int cut = 0;
            for (int32_t c = 0; c < t.m.n_cells; c++)
                for (int k = 0; k < dim && area[c] > 0; k++, cut++)
                    worst = fmax(worst, fabs(n[k * t.s.pitch + c] - data[3 + k]));
            if (!(cut && worst < 1e-6))
                fail_msg("%d-D, thin along %c: error of the normal %g", dim, "xyz"[thin], worst);
            free(n), free(area);
            two_fluids_close(&t);
        }
}

/* The speed after a step of a column in a corner of a small box.  Its interface meets four sides within the reach of a
 * fit: only the images in three of them counted, those that the fit met first. */
static double speed_of_column(enum ordering ordering)
{
    struct box_setting box = grid_box(GRID_HEXAHEDRA, 5, 0);
    const double to[3] = {0.809, 0.647, 0.485};
    struct unsteady w = {0};
    struct error e;
    struct transient_report r;
    for (int k = 0; k < 3; k++) box.cells[k] = 5 - k, box.to[k] = to[k];
    grid_mesh(&w.m, GRID_HEXAHEDRA, &box);
    if (!mesh_complete(&w.m, ordering, NULL, 0, &e)) fail_msg("%s", e.text);
    start_unsteady(&w, "fluid = { density = 1.0; viscosity = 6.0; };\n"
                   "second_fluid = { density = 382.0; viscosity = 0.13; surface_tension = 450.0; };\n"
                   "shapes = { s = { type = \"box\"; from = [0.0, 0.0, 0.0]; to = [0.283, 0.388, 0.485]; }; };\n"
                   "boundary = { left = { type = \"slip\"; }; right = { type = \"wall\"; }; bottom = { type = "
                   "\"slip\"; }; top = { type = \"wall\"; }; back = { type = \"wall\"; }; front = { type = "
                   "\"symmetry\"; }; };\n"
                   "solver = { algorithm = \"piso\"; pressure = { tolerance = 1e-13; }; };\n"
                   "time = { end = 1.0; step = 0.006; };\n");
    transient_advance(&w.t, 0.006, &r);
    const double fastest = flow_fastest(&w.t.f);
    close_unsteady(&w);
    return fastest;
}

static void images_do_not_depend_on_numbering(void **state)
{
    (void)state;
    const double first = speed_of_column(ORDERING_HILBERT), second = speed_of_column(ORDERING_CUTHILL_MCKEE);
    print_message("# a column in a corner: speeds %.9g, %.9g\n", first, second);
    assert_true(first > 0 && fabs(second / first - 1) < 1e-8);
}

/* A step of two fluids in thin cells, with the pressure solved to rounding, gravity along y of this sign.  Where the
 * residual is down to rounding, its mean, on which the matrix is zero, was searched along until multigrid and then
 * Jacobi broke down, in some orders of the cells. */
static void solve_to_rounding(enum ordering ordering, int way)
{
    struct box_setting box = grid_box(GRID_QUADS, 5, 0);
    struct unsteady w = {0};
    struct error e;
    struct transient_report r;
    char text[1024];
    box.cells[1] = 11, box.to[0] = 0.025;
    box.from[1] = way < 0 ? 0 : -1.72, box.to[1] = box.from[1] + 1.72;
    grid_mesh(&w.m, GRID_QUADS, &box);
    if (!mesh_complete(&w.m, ordering, NULL, 0, &e)) fail_msg("%s", e.text);
    snprintf(text, sizeof text, "fluid = { density = 2.96; viscosity = 0.201; gravity = [0.0, %g]; };\n"
             "second_fluid = { density = 0.00855; viscosity = 0.00243; surface_tension = 0.0203; };\n"
             "shapes = { s = { type = \"half-space\"; point = [0.011, %g]; normal = [0.3, %d.0]; }; };\n"
             "boundary = { left = { type = \"slip\"; }; right = { type = \"slip\"; }; bottom = { type = \"slip\"; };\n"
             "top = { type = \"slip\"; }; };\n"
             "solver = { algorithm = \"piso\"; correctors = 1; non_orthogonal_correctors = 1; "
             "pressure = { tolerance = 1e-13; }; };\n"
             "time = { end = 1.0; step = 0.00258355; scheme = \"euler\"; };\n", way * 28.5, -way * 0.84108, -way);
    start_unsteady(&w, text);
    transient_advance(&w.t, 0.00258355, &r);
    const struct linear_result *p = &r.pressure_solve;
    if (p->status != LINEAR_CONVERGED || p->note || p->iterations > 40)
        fail_msg("ordering %d, gravity %+d: status %d after %d iterations; %s", ordering, way, p->status,
                 p->iterations, p->note ? p->note : "no note");
    close_unsteady(&w);
}

static void pressures_are_solved_to_rounding(void **state)
{
    (void)state;
    for (int way = -1; way <= 1; way += 2)
        solve_to_rounding(ORDERING_NONE, way), solve_to_rounding(ORDERING_HILBERT, way),
        solve_to_rounding(ORDERING_CUTHILL_MCKEE, way);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(images_do_not_depend_on_numbering),
                                       cmocka_unit_test(pressures_are_solved_to_rounding),
                                       cmocka_unit_test(symmetric_flows_stay_symmetric),
                                       cmocka_unit_test(planes_in_meshes_one_cell_thick)};
    return RUN_TESTS("interface symmetry", tests);
}

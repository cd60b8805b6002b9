/* The signed distance to the fitted paraboloids, and curvature from it. */
#include "interface_shapes.h"
#include "interface/forces.h"

struct errors { double distance, curvature; };          /* largest of the distance, over the spacing; mean of the
                                                           curvature, relative */

static struct errors of_ball(enum grid kind, int cells)
{
    struct flow_setting c = {.fluid.density = 1, .second_fluid = {true, 1000, 1, 0.3},
                             .interface = {.curvature = CURVATURE_LEVEL_SET}};
    struct box_setting box = grid_box(kind, cells, 0.1);
    struct ellipsoid e = {{0.5 + 0.13 / cells, 0.5 - 0.21 / cells, 0.5 + 0.07 / cells}, {0.3, 0.3, 0.3}};
    double nothing[4] = {9, 9, 9, 0.1}, all = 0;
    struct errors r = {0, 0};
    struct two_fluids t;
    two_fluids_open(&t, kind, &box, ball, nothing, 0);
    if (t.m.dim == 2) e.axis[2] = e.centre[2] = 0;
    forces_free(&t.i);
    t.i.in = flow_interface_inputs(&c);
    forces_create(&t.i, &t.m);
    set_ellipsoid(&t, &e);
    interface_curvature(&t.i);
    double *distance = FROM_DEVICE(t.i.distance, t.m.n_cells), *curvature = FROM_DEVICE(t.i.curvature, t.m.n_cells);
    double *area = FROM_DEVICE(t.i.area, t.m.n_cells), data[4] = {e.centre[0], e.centre[1], e.centre[2], 0.3};
    for (int32_t i = 0; i < t.m.n_cells; i++) {
        double x[3] = {0};
        for (int k = 0; k < t.m.dim; k++) x[k] = t.m.cell_centre[(int64_t)k * t.m.n_cells + i];
        if (fabs(distance[i]) < t.i.far) r.distance = fmax(r.distance, fabs(distance[i] - ball(x, data)) * cells);
        else assert_true(distance[i] * ball(x, data) > 0);
        r.curvature += area[i] * fabs(curvature[i] * 0.3 / (t.m.dim - 1) - 1), all += area[i];
    }
    r.curvature /= all;
    free(distance), free(curvature), free(area);
    two_fluids_close(&t);
    return r;
}

static void distance_and_its_curvature_are_right(void **state)
{
    (void)state;
    static const struct { enum grid kind; int cells; double distance, curvature; } wanted[] = {
        {GRID_QUADS, 64, 4e-4, 2.2e-3}, {GRID_TRIANGLES, 64, 3e-4, 1.2e-2}, {GRID_HEXAHEDRA, 20, 9e-3, 9e-3},
        {GRID_TETRAHEDRA, 20, 1.5e-2, 3e-2}};
    for (int k = 0; k < 4; k++) {
        struct errors coarse = of_ball(wanted[k].kind, wanted[k].cells / 2),
                      fine = of_ball(wanted[k].kind, wanted[k].cells);
        print_message("%s: curvature %.1e, order %.1f\n", grid_name[wanted[k].kind], fine.curvature,
                      log2(coarse.curvature / fine.curvature));
        if (fine.distance > wanted[k].distance || fine.curvature > wanted[k].curvature ||
            fine.distance > 0.5 * coarse.distance || fine.curvature > 0.6 * coarse.curvature)
            fail_msg("%s: distance %g -> %g cells, curvature %g -> %g", grid_name[wanted[k].kind], coarse.distance,
                     fine.distance, coarse.curvature, fine.curvature);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distance_and_its_curvature_are_right)};
    return RUN_TESTS("distance", tests);
}

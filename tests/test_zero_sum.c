/* Surface tension exerts no net force on a closed interface. */
#include "interface_shapes.h"

/* Two ellipsoids, or one if the second has no axis; the force on the cells closer to the first one's centre, divided by
 * the surface tension and the axis. */
struct two_ellipsoids { struct ellipsoid e[2]; };
static double either(const double x[3], const void *data)
{
    const struct two_ellipsoids *two = data;
    return fmin(ellipsoid_value(x, &two->e[0]), two->e[1].axis[0] > 0 ? ellipsoid_value(x, &two->e[1]) : 1);
}
static double distance_to(const double x[3], const struct ellipsoid *e)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (x[k] - e->centre[k]) * (x[k] - e->centre[k]);
    return sqrt(sum);
}

static double whole_force(const struct two_fluids *t, const struct two_ellipsoids *two, int which)
{
    double *force = FROM_DEVICE(t->force, t->s.n_faces), *g = FROM_DEVICE(t->s.g, t->s.n_faces), sum[3] = {0};
    for (int32_t f = 0; f < t->m.n_internal; f++) {
        double x[3] = {0};
        for (int k = 0; k < t->m.dim; k++)
            x[k] = t->m.cell_centre[(int64_t)k * t->m.n_cells + t->m.face_owner[f]];
        bool first = two->e[1].axis[0] == 0 || distance_to(x, &two->e[0]) < distance_to(x, &two->e[1]);
        for (int k = 0; k < t->m.dim && first == !which; k++)
            sum[k] += force[f] / g[f] * t->m.face_area[(int64_t)k * t->m.n_faces + f];
    }
    free(force), free(g);
    double unit = 0.3 * (t->m.dim == 2 ? 1 : two->e[which].axis[0]);
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / unit;
}

static const struct flow_setting with_tension = {.fluid.density = 1, .second_fluid = {true, 1000, 1, 0.3}};

/* Centres without any symmetry in the mesh. */
static void closed_parts_feel_no_force(void **state)
{
    (void)state;
    for (int k = 0; k < N_GRIDS; k++)
        for (int place = 0; place < 3; place++) {
            bool flat = grid_dim(every_grid[k]) == 2;
            if (!full_size() && !flat && place != k % 3) continue;
            int cells = flat ? 40 : 20;
            double off = (0.11 + 0.29 * place) / cells, z = flat ? 0 : 0.5 - off;
            struct box_setting box = grid_box(every_grid[k], cells, place ? 0.1 : 0);
            struct two_ellipsoids two = {{{{0.27 + off, 0.3 - off / 3, z}, {0.17, 0.14, flat ? 0 : 0.15}},
                                          {{0.74 - off, 0.74 + off / 2, z}, {0.15, 0.17, flat ? 0 : 0.16}}}};
            struct two_fluids t;
            two_fluids_open(&t, every_grid[k], &box, either, &two, flat ? 6 : 2);
            take_case(&t, &with_tension);
            make_forces(&t);
            for (int which = 0; which < 2; which++) {
                double sum = whole_force(&t, &two, which);
                if (!(sum < 1e-10)) fail_msg("%s, place %d: the force on drop %d is %.2e", grid_name[every_grid[k]],
                                             place, which, sum);
            }
            two_fluids_close(&t);
        }
}

/* The wall carries a part of the force on a drop that touches it, so the sum is not removed there: for a drop on a wall
 * it is 2 sigma times the sine of the angle at which the interface meets the wall. */
static void at_a_wall_the_sum_stays(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct box_setting box = grid_box(every_grid[k], 40, 0);
        struct two_ellipsoids two = {{{{0.5, 0.12, 0}, {0.2, 0.2, 0}}, {{0}, {0}}}};
        struct two_fluids t;
        two_fluids_open(&t, every_grid[k], &box, either, &two, 6);
        take_case(&t, &with_tension);
        make_forces(&t);
        double sum = whole_force(&t, &two, 0), foot = 2 * sqrt(0.2 * 0.2 - 0.12 * 0.12) / 0.2;
        if (!(fabs(sum - foot) < 0.1 * foot)) fail_msg("%s: %g, expected %g", grid_name[every_grid[k]], sum, foot);
        two_fluids_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_parts_feel_no_force),
                                       cmocka_unit_test(at_a_wall_the_sum_stays)};
    return RUN_TESTS("zero_sum", tests);
}

/* Surface force and gravity at faces: balance, contact angles, curvature from the distance. */
#include "interface_shapes.h"
#include "interface/reconstruct.h"

static void improve_normals(struct two_fluids *t, int times)
{
    struct interface *i = &t->i;
    struct pieces p = interface_pieces(i);
    size_t bytes = (size_t)(t->m.dim * t->s.pitch) * sizeof(double);
    double *normal = device_alloc(bytes, "normals");
    struct reconstruct_args a = {i->g, i->fraction, i->normal, i->offset, i->area, i->centroid, i->moment, i->distance,
                                 i->mark, i->band_mark, i->place, i->place, i->cell, i->band, i->far, normal,
                                 i->shape};
    for (int k = 0; k < times; k++) {
        curvature_normals(&i->fit, &p, normal);
        place_plane(&a, i->n_cut);
    }
    device_free(normal);
}

/* Smallest and largest potential = force / (g (alpha_N - alpha_P)) over the faces with a difference, of which there
 * must be some. */
static void potentials(const struct two_fluids *t, double *least, double *most)
{
    double *force = FROM_DEVICE(t->force, t->s.n_faces), *fraction = FROM_DEVICE(t->i.fraction, t->s.pitch);
    double *g = FROM_DEVICE(t->s.g, t->s.n_faces);
    int faces = 0;
    *least = 1e300, *most = -1e300;
    for (int32_t f = 0; f < t->m.n_faces; f++) {
        double difference = f < t->m.n_internal ? fraction[t->m.face_neighbour[f]] - fraction[t->m.face_owner[f]] : 0;
        if (difference == 0) assert_true(force[f] == 0);
        if (fabs(difference) < 1e-7) continue;
        double potential = force[f] / (g[f] * difference);
        *least = fmin(*least, potential), *most = fmax(*most, potential), faces++;
    }
    assert_true(faces > 0);
    free(force), free(fraction), free(g);
}

/* A half-space of the second fluid below data, in gravity, on the box: the smallest and the largest potential of the
 * forces.  The caller closes t. */
static void level_surface(struct two_fluids *t, enum grid grid, const struct box_setting *box, const double *data,
                          double gravity, double *least, double *most)
{
    struct flow_setting c = {.fluid = {.density = 1, .gravity = {0, gravity, 0}}, .second_fluid = {true, 1000, 1, 0}};
    two_fluids_open(t, grid, box, half_space, data, 0);
    take_case(t, &c);
    make_forces(t);
    potentials(t, least, most);
}

static void a_level_surface_is_a_gradient(void **state)
{
    (void)state;
    static const double heights[] = {0.5, 0.47, 0.5 + 1e-7, 0.5 + 0.001 / 6, 0.5 + 0.02 / 6, 0.5 - 0.0001 / 6};
    for (size_t k = 0; k < N_GRIDS; k++)
        for (int h = 0; h < 6; h++) {
            struct box_setting box = grid_box(every_grid[k], 6, h == 1 ? 0.2 : 0);
            double data[6] = {0.5, heights[h], 0.5, 0, 1, 0}, least, most;
            struct two_fluids t;
            level_surface(&t, every_grid[k], &box, data, -9.8, &least, &most);
            double exact = 999 * 9.8 * data[1];
            if (fabs(least - exact) > 1e-11 * exact || fabs(most - exact) > 1e-11 * exact)
                fail_msg("%s, height %g: potential %.15g to %.15g, not %.15g", grid_name[every_grid[k]], heights[h],
                         least, most, exact);
            two_fluids_close(&t);
        }
}

/* Far from the origin the potential is that of the depth below the surface, within the rounding of coordinates:
 * whichever way gravity points, the mesh's lowest point is its zero. */
static void depth_counts_from_the_bottom(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_GRIDS; k++)
        for (int up = 0; up < 2; up++) {
            const double start = 1e6, height = 0.47, gravity = up ? 9.8 : -9.8;
            struct box_setting box = grid_box(every_grid[k], 6, 0.2);
            for (int i = 0; i < 3; i++) box.from[i] = start, box.to[i] = start + 1;
            double data[6] = {start + 0.5, start + height, start + 0.5, 0, 1, 0}, least, most;
            struct two_fluids t;
            level_surface(&t, every_grid[k], &box, data, gravity, &least, &most);
            double exact = 999 * 9.8 * (up ? 1 - height : height);
            assert_true(t.i.bottom == gravity * (start + up));
            if (fabs(least - exact) > 1e-7 * exact || fabs(most - exact) > 1e-7 * exact)
                fail_msg("%s, gravity %s: potential %.15g to %.15g, not %.15g", grid_name[every_grid[k]],
                         up ? "up" : "down", least, most, exact);
            two_fluids_close(&t);
        }
}

static void a_given_curvature_is_one_potential(void **state)
{
    (void)state;
    struct flow_setting c = {.fluid.density = 1, .second_fluid = {true, 1000, 1, 0.3},
                             .interface = {.given_curvature = 5, .curvature_given = true}};
    for (size_t k = 0; k < N_GRIDS; k++) {
        struct box_setting box = grid_box(every_grid[k], 6, 0.2);
        double data[4] = {0.5, 0.48, grid_dim(every_grid[k]) == 3 ? 0.51 : 0, 0.3}, least, most;
        struct two_fluids t;
        two_fluids_open(&t, every_grid[k], &box, ball, data, 3);
        take_case(&t, &c);
        make_forces(&t);
        potentials(&t, &least, &most);
        assert_true(fabs(least - 1.5) < 1e-15 && fabs(most - 1.5) < 1e-15);
        two_fluids_close(&t);
    }
}

static void results_have_the_curvature(void **state)
{
    (void)state;
    struct flow_setting c = {.fluid.density = 1, .second_fluid = {true, 1000, 1, 0.3}};
    struct box_setting box = grid_box(GRID_QUADS, 20, 0);
    double data[4] = {0.51, 0.48, 0, 0.3}, most = 0;
    struct two_fluids t;
    struct fields all = {0};
    two_fluids_open(&t, GRID_QUADS, &box, ball, data, 3);
    take_case(&t, &c);
    interface_fields(&t.i, &all, &t.s);
    const struct field *shown = fields_find(&all, "curvature", FIELD_OUTPUT);
    double *curvature, *area;
    NEW(curvature, t.s.pitch);
    shown->show(shown->owner, &t.m, curvature);
    area = FROM_DEVICE(t.i.area, t.s.pitch);
    for (int32_t k = 0; k < t.m.n_cells; k++)
        if (area[k] > 0) most = fmax(most, fabs(curvature[k] * 0.3 - 1));
    if (!(most > 0 && most < 0.02)) fail_msg("off by %g", most);
    free(curvature), free(area), fields_free(&all);
    two_fluids_close(&t);
}

/* A drop on the bottom that meets it at `degrees`, part of a disc or ball of radius 0.3, in a case that gives another
 * contact angle or the same, all in a box of edge `edge` (radius 0.3 edge): the curvature times the radius, averaged
 * over cells at the bottom; all: largest error anywhere. */
static double curvature_at_wall(enum grid kind, int cells, double edge, double degrees, double given, double *all)
{
    static const char *const names[] = {"left", "right", "bottom", "top", "back", "front"};
    struct boundary_setting boundary[6] = {0};
    struct flow_setting c = {.fluid.density = 1, .second_fluid = {true, 1000, 1, 0.3}, .boundary = {boundary, 6}};
    for (int k = 0; k < 6; k++) {
        strcpy(boundary[k].name, names[k]);
        boundary[k].type = k == 2 ? BOUNDARY_WALL : BOUNDARY_INLET;
        boundary[k].contact_angle = given;
    }
    struct box_setting box = grid_box(kind, cells, 0);
    struct ellipsoid e = {{0.5 + 0.13 / cells, -0.3 * cos(degrees * acos(-1) / 180), 0.5}, {0.3, 0.3, 0.3}};
    for (int k = 0; k < 3; k++) box.to[k] *= edge, e.centre[k] *= edge, e.axis[k] *= edge;
    double nothing[4] = {9, 9, 9, 0.1}, sum = 0, weight = 0;
    struct two_fluids t;
    two_fluids_open(&t, kind, &box, ball, nothing, 0);
    if (t.m.dim == 2) e.axis[2] = 0;
    take_case(&t, &c);
    set_ellipsoid(&t, &e);
    improve_normals(&t, 2);
    interface_curvature(&t.i);
    double *curvature = FROM_DEVICE(t.i.curvature, t.s.pitch), *area = FROM_DEVICE(t.i.area, t.s.pitch);
    double whole = t.s.spacing;
    if (t.m.dim == 3) whole *= whole;
    *all = 0;
    for (int32_t f = t.m.n_internal; f < t.m.n_faces; f++) {
        int32_t o = t.m.face_owner[f];
        if (t.m.cell_centre[t.m.n_cells + o] > edge / cells) continue;
        sum += area[o] * curvature[o] * 0.3 * edge / (t.m.dim - 1), weight += area[o];
    }
    for (int32_t o = 0; o < t.m.n_cells; o++)
        if (area[o] > 0.05 * whole) *all = fmax(*all, fabs(curvature[o] * 0.3 * edge / (t.m.dim - 1) - 1));
    free(curvature), free(area);
    two_fluids_close(&t);
    return sum / weight;
}

static void drops_meet_walls_at_the_contact_angle(void **state)
{
    (void)state;
    static const struct { enum grid kind; int cells; double largest; } wanted[] = {
        {GRID_QUADS, 64, 4e-3}, {GRID_TRIANGLES, 64, 3.5e-3}, {GRID_HEXAHEDRA, 24, 1.1e-2},
        {GRID_TETRAHEDRA, 24, 3.4e-2}};
    for (int k = 0; k < 4; k++)
        for (int d = 0; d < 3; d++) {
            if (!full_size() && k > 1 && d == k % 2) continue;      /* in space two angles on each kind of cells */
            double all, at = curvature_at_wall(wanted[k].kind, wanted[k].cells, 1, 60 + 30 * d, 60 + 30 * d, &all);
            if (all > wanted[k].largest || fabs(at - 1) > wanted[k].largest)
                fail_msg("%s, %d degrees: %g at the wall, largest error %g", grid_name[wanted[k].kind], 60 + 30 * d, at,
                         all);
        }
}

/* If the interface is at 90 degrees and another contact angle is given, its foot bends towards that. */
static void another_angle_bends_the_foot(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_HEXAHEDRA, GRID_TETRAHEDRA};
    for (int k = 0; k < 4; k++) {
        int n = grid_dim(kinds[k]) == 2 ? 32 : 12;
        double all, spreads = curvature_at_wall(kinds[k], n, 1, 90, 60, &all),
                    rolls = curvature_at_wall(kinds[k], n, 1, 90, 120, &all);
        if (spreads > 0.5 || rolls < 1.3)
            fail_msg("%s: curvature %g at 60 degrees, %g at 120", grid_name[kinds[k]], spreads, rolls);
    }
}

/* The contact angle acts alike in metres and in other units. */
static void the_unit_of_length_does_not_matter(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_TRIANGLES, GRID_HEXAHEDRA};
    for (int k = 0; k < 2; k++) {
        double all, large = curvature_at_wall(kinds[k], 12, 1, 90, 60, &all),
                    small = curvature_at_wall(kinds[k], 12, 1.0 / 1024, 90, 60, &all);
        if (fabs(small - large) > 1e-9) fail_msg("%s: curvature %g, %g", grid_name[kinds[k]], large, small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_level_surface_is_a_gradient),
                                       cmocka_unit_test(depth_counts_from_the_bottom),
                                       cmocka_unit_test(a_given_curvature_is_one_potential),
        cmocka_unit_test(results_have_the_curvature),
                                       cmocka_unit_test(drops_meet_walls_at_the_contact_angle),
                                       cmocka_unit_test(another_angle_bends_the_foot),
                                       cmocka_unit_test(the_unit_of_length_does_not_matter)};
    return RUN_TESTS("forces", tests);
}

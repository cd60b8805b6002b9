/* Cells cut by planes, the reconstruction of the interface. */
#include "interface_fixture.h"

static void unit(double n[3], int64_t seed, int dim)
{
    double length = 0;
    n[2] = 0;
    for (int k = 0; k < dim; k++) n[k] = number(seed * 3 + k), length += n[k] * n[k];
    for (int k = 0; k < dim; k++) n[k] /= sqrt(length);
}

/* Parts of simplices compared with points counted on a lattice, and in limiting cases. */
static void fractions_of_simplices_are_those_of_their_points(void **state)
{
    (void)state;
    enum { N = 60 };
    for (int sample = 0; sample < 40; sample++) {
        double v[4], inside3 = 0, all3 = 0, inside2 = 0, all2 = 0;
        for (int k = 0; k < 4; k++) v[k] = number(4 * sample + k);
        for (int i = 0; i < N; i++)
            for (int j = 0; i + j < N; j++) {
                double x = (i + 1.0 / 3) / N, y = (j + 1.0 / 3) / N;
                all2++, inside2 += v[0] + x * (v[1] - v[0]) + y * (v[2] - v[0]) <= 0;
                if (i + j + 1 < N) {
                    double x2 = (i + 2.0 / 3) / N, y2 = (j + 2.0 / 3) / N;
                    all2++, inside2 += v[0] + x2 * (v[1] - v[0]) + y2 * (v[2] - v[0]) <= 0;
                }
                for (int k = 0; i + j + k < N; k++) {
                    double at = v[0] + (i + 0.25) / N * (v[1] - v[0]) + (j + 0.25) / N * (v[2] - v[0]) +
                                (k + 0.25) / N * (v[3] - v[0]);
                    all3++, inside3 += at <= 0;
                }
            }
        assert_true(fabs(inside2 / all2 - triangle_fraction(v[0], v[1], v[2])) < 0.02);
        assert_true(fabs(inside3 / all3 - tetrahedron_fraction(v[0], v[1], v[2], v[3])) < 0.03);
    }
    assert_true(triangle_fraction(1, -1, 1) == 0.25 && triangle_fraction(0, 0, 0) == 1 &&
                triangle_fraction(0, 1, 1) == 0);
    assert_true(tetrahedron_fraction(-1, 1, 1, 1) == 0.125 && fabs(tetrahedron_fraction(-1, -1, 1, 1) - 0.5) < 1e-15);
    assert_true(tetrahedron_fraction(-1e-300, 1, 1, 1) >= 0 && tetrahedron_fraction(0, 0, 0, 1) == 0);
}

/* The volumes below and above a plane sum to the cell; the derivative is the section's area; the hexahedron by
 * inclusion and exclusion (Scardovelli & Zaleski 2000). */
static void cut_volumes_are_right(void **state)
{
    (void)state;
    for (int g = 0; g < N_GRIDS; g++) {
        struct two_fluids t;
        struct box_setting box = grid_box(every_grid[g], 3, 0.3);
        double data[6] = {0.5, 0.5, 0.5, 1, 0, 0}, worst = 0, worst_area = 0;
        two_fluids_open(&t, every_grid[g], &box, half_space, data, 0);
        for (int32_t c = 0; c < t.m.n_cells; c++) {
            struct cut_cell k;
            double n[3], back[3], v[CUT_NODES], w[CUT_NODES], area, slope, none, centroid[3], second[6];
            unit(n, c, t.m.dim);
            cut_cell_load(&t.host, c, &k);
            for (int j = 0; j < 3; j++) back[j] = -n[j];
            cut_values(&k, n, v), cut_values(&k, back, w);
            assert_true(fabs(k.volume - t.m.cell_volume[c]) <= 1e-14 * k.volume);
            double offset = 0.3 * number(7 * c) * v[0], step = 1e-5 * t.s.spacing;
            double below = volume_below(&k, v, offset, &slope), above = volume_below(&k, w, -offset, &none);
            worst = fmax(worst, fabs(below + above - k.volume) / k.volume);
            double difference = (volume_below(&k, v, offset + step, &none) -
                                 volume_below(&k, v, offset - step, &none)) /
                                (2 * step);
            area = plane_section(&k, n, offset, centroid, second);
            double largest = t.m.dim == 2 ? sqrt(k.volume) : cbrt(k.volume) * cbrt(k.volume);
            worst_area = fmax(worst_area, fmax(fabs(difference - slope), fabs(area - slope)) / largest);
            if (area > 0)
                assert_true(fabs(centroid[0] * n[0] + centroid[1] * n[1] + centroid[2] * n[2] - offset) < 1e-14);
        }
        if (worst > 1e-14 || worst_area > 1e-3)
            fail_msg("%s: volume %g, area %g", grid_name[every_grid[g]], worst, worst_area);
        two_fluids_close(&t);
    }
}

static void a_cut_cube_is_the_closed_form(void **state)
{
    (void)state;
    struct two_fluids t;
    struct box_setting box = grid_box(GRID_HEXAHEDRA, 2, 0);
    double data[6] = {0.5, 0.5, 0.5, 1, 0, 0};
    two_fluids_open(&t, GRID_HEXAHEDRA, &box, half_space, data, 0);
    struct cut_cell k;
    cut_cell_load(&t.host, 0, &k);
    for (int sample = 0; sample < 200; sample++) {
        double n[3], v[CUT_NODES], slope, h = 0.5;
        unit(n, sample, 3);
        for (int j = 0; j < 3; j++) n[j] = fabs(n[j]) + 0.05;
        /* d: distance of the plane from the lowest corner, times |n|. */
        double d = (number(11 * sample) + 0.5) * h * (n[0] + n[1] + n[2]), sum = 0;
        for (int s = 0; s < 8; s++) {
            double rest = d;
            for (int j = 0; j < 3; j++) rest -= s >> j & 1 ? h * n[j] : 0;
            if (rest > 0) sum += (__builtin_popcount((unsigned)s) % 2 ? -1 : 1) * rest * rest * rest;
        }
        cut_values(&k, n, v);
        double volume = volume_below(&k, v, d - 0.5 * h * (n[0] + n[1] + n[2]), &slope);
        assert_true(fabs(volume - sum / (6 * n[0] * n[1] * n[2])) < 1e-14);
    }
    two_fluids_close(&t);
}

static void planes_are_placed_to_rounding(void **state)
{
    (void)state;
    static const double fractions[] = {2e-8, 1e-5, 0.01, 0.2, 0.5, 0.77, 0.999, 1 - 1e-7};
    for (int g = 0; g < N_GRIDS; g++) {
        struct two_fluids t;
        struct box_setting box = grid_box(every_grid[g], 3, 0.3);
        double data[6] = {0.5, 0.5, 0.5, 1, 0, 0}, worst = 0;
        two_fluids_open(&t, every_grid[g], &box, half_space, data, 0);
        for (int32_t c = 0; c < t.m.n_cells; c++)
            for (int f = 0; f < 16; f++) {
                struct cut_cell k;
                double n[3] = {0, 0, 0}, v[CUT_NODES], slope;
                if (f < 8) unit(n, c + 1000 * f, t.m.dim);
                else n[c % t.m.dim] = c % 2 ? 1 : -1;           /* along faces */
                cut_cell_load(&t.host, c, &k);
                cut_values(&k, n, v);
                double offset = plane_offset(&k, n, fractions[f % 8]);
                worst = fmax(worst, fabs(volume_below(&k, v, offset, &slope) / k.volume - fractions[f % 8]));
            }
        if (!(worst <= 1e-13)) fail_msg("%s: %g", grid_name[every_grid[g]], worst);
        two_fluids_close(&t);
    }
}

/* The largest error of the normals and of the distance in the band, for the half-space given by data. */
static double plane_error(struct two_fluids *t, const double data[6])
{
    double *n = FROM_DEVICE(t->i.normal, t->m.dim * t->s.pitch), *area = FROM_DEVICE(t->i.area, t->s.pitch);
    double *distance = FROM_DEVICE(t->i.distance, t->s.pitch), worst = 0;
    int cut = 0;
    for (int32_t c = 0; c < t->m.n_cells; c++) {
        double x[3] = {0};
        for (int k = 0; k < t->m.dim; k++) x[k] = t->m.cell_centre[(int64_t)k * t->m.n_cells + c];
        if (fabs(distance[c]) < t->i.far) worst = fmax(worst, fabs(distance[c] - half_space(x, data)));
        if (!(area[c] > 0)) continue;
        cut++;
        for (int k = 0; k < t->m.dim; k++) worst = fmax(worst, fabs(n[k * t->s.pitch + c] - data[3 + k]));
    }
    assert_int_equal(cut, t->i.n_cut);
    assert_true(cut > 0);
    free(n), free(area), free(distance);
    return worst;
}

/* A plane through a mesh is reconstructed to rounding, normals and distances, also in cells at the mesh's boundary; and
 * it stays so. */
static void planes_are_reconstructed(void **state)
{
    (void)state;
    for (int g = 0; g < N_GRIDS; g++)
        for (int distorted = 0; distorted < 2; distorted++)
            for (int sample = 0; sample < 6; sample++) {
                struct two_fluids t;
                struct box_setting box = grid_box(every_grid[g], 7, distorted ? 0.25 : 0);
                double data[6] = {0.5 + 0.6 * number(3 * sample), 0.5 + 0.6 * number(3 * sample + 1), 0.49, 0, 1, 0};
                if (sample % 3) unit(data + 3, 5 + g + 100 * sample, t.m.dim = box.dim);
                if (box.dim == 2) data[2] = 0;
                two_fluids_open(&t, every_grid[g], &box, half_space, data, 0);
                double first = plane_error(&t, data);
                for (int k = 0; k < 3; k++) interface_reconstruct(&t.i);
                double then = plane_error(&t, data);
                if (first > 1e-11 || then > 1e-11)
                    fail_msg("%s, distorted by %d/4, sample %d: %g, then %g", grid_name[every_grid[g]], distorted,
                             sample, first, then);
                two_fluids_close(&t);
            }
}

/* A cell with nothing around it on any side has no normal, so no facet: not that of the last step either. */
static void a_cell_alone_has_no_facet(void **state)
{
    (void)state;
    struct two_fluids t;
    const struct box_setting box = grid_box(GRID_QUADS, 7, 0);
    const double data[6] = {0.5, 0.5, 0, 1, 0, 0};
    two_fluids_open(&t, GRID_QUADS, &box, half_space, data, 0);
    int32_t alone = 0;
    for (int32_t c = 0; c < t.m.n_cells; c++) {
        if (hypot(t.m.cell_centre[c] - 0.5, t.m.cell_centre[t.m.n_cells + c] - 0.5) < 0.01) alone = c;
        t.fraction[c] = 1;
    }
    double *before = FROM_DEVICE(t.i.area, t.s.pitch), *area;
    assert_true(before[alone] > 0);
    t.fraction[alone] = 0.5;
    device_upload(t.i.fraction, t.fraction, (size_t)t.m.n_cells * sizeof *t.fraction);
    interface_reconstruct(&t.i);
    area = FROM_DEVICE(t.i.area, t.s.pitch);
    for (int32_t c = 0; c < t.m.n_cells; c++) assert_true(area[c] == 0);
    free(before), free(area);
    two_fluids_close(&t);
}

/* With periodic boundaries on all sides every cell has as many near cells as an inner one, at its own width. */
static void near_cells_are_seen_through_joints(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct two_fluids t;
        struct error e;
        struct box_setting box = grid_box(dim == 2 ? GRID_QUADS : GRID_HEXAHEDRA, 4, 0);
        double data[4] = {0.1, 0.1, 0.1, 0.2};
        box.cells[1] = 2;
        grid_mesh(&t.m, dim == 2 ? GRID_QUADS : GRID_HEXAHEDRA, &box);
        if (!mesh_complete(&t.m, ORDERING_HILBERT, (int[]){0, 1, 2, 3, 4, 5}, dim, &e)) fail_msg("%s", e.text);
        two_fluids_start(&t, ball, data, 2);
        const struct geometry *g = &t.host;
        for (int32_t c = 0; c < t.m.n_cells; c++) {
            assert_int_equal(g->near_start[c + 1] - g->near_start[c], dim == 2 ? 8 : 26);
            for (int64_t k = g->near_start[c]; k < g->near_start[c + 1]; k++) {
                double x[3];
                near_offset(g, c, k, x);
                for (int i = 0; i < dim; i++) assert_true(fabs(x[i]) < 1.001 / box.cells[i]);
            }
        }
        two_fluids_close(&t);
    }
}

/* Mean error of the normals on a circle or a ball, weighted by area. */
static double normal_error(enum grid kind, int n)
{
    struct two_fluids t;
    struct box_setting box = grid_box(kind, n, kind == GRID_QUADS || kind == GRID_HEXAHEDRA ? 0 : 0.2);
    double data[4] = {0.51, 0.52, box.dim == 2 ? 0 : 0.49, 0.3}, error = 0, sum = 0;
    two_fluids_open(&t, kind, &box, ball, data, box.dim == 2 ? 12 : 9);
    int dim = box.dim;
    double *normal = FROM_DEVICE(t.i.normal, dim * t.s.pitch), *centroid = FROM_DEVICE(t.i.centroid, dim * t.s.pitch);
    double *area = FROM_DEVICE(t.i.area, t.s.pitch);
    for (int32_t c = 0; c < t.m.n_cells; c++) {
        double x[3], r = 0, off = 0;
        if (!(area[c] > 0)) continue;
        for (int k = 0; k < dim; k++) {
            x[k] = t.m.cell_centre[(int64_t)k * t.m.n_cells + c] + centroid[k * t.s.pitch + c] - data[k];
            r += x[k] * x[k];
        }
        for (int k = 0; k < dim; k++) off += pow(normal[k * t.s.pitch + c] - x[k] / sqrt(r), 2);
        error += sqrt(off) * area[c], sum += area[c];
    }
    assert_true(fabs(sum / (dim == 2 ? 2 * M_PI * 0.3 : 4 * M_PI * 0.09) - 1) < 0.02);
    free(normal), free(centroid), free(area);
    two_fluids_close(&t);
    return error / sum;
}

static void normals_converge_faster_than_first_order(void **state)
{
    (void)state;
    static const struct { enum grid kind; int n; double most; } run[] = {
        {GRID_QUADS, 16, 3e-4}, {GRID_TRIANGLES, 16, 5e-4}, {GRID_HEXAHEDRA, 12, 8e-4}, {GRID_TETRAHEDRA, 8, 4e-3}};
    for (int k = 0; k < 4; k++) {
        double coarse = normal_error(run[k].kind, run[k].n), fine = normal_error(run[k].kind, 2 * run[k].n),
               order = log2(coarse / fine);
        printf("# normals, %s: %.2e, %.2e, order %.2f\n", grid_name[run[k].kind], coarse, fine, order);
        assert_true(order > 1.4 && fine < run[k].most);
    }
}

/* A cell beyond the kernels' limits: a face of a box is given five corners. */
static void too_many_corners_are_refused(void **state)
{
    (void)state;
    struct mesh m;
    struct stencil s;
    struct geometry g;
    struct error e = {.status = EXIT_CONVERGED};
    const struct box_setting box = grid_box(GRID_HEXAHEDRA, 2, 0);
    grid_mesh(&m, GRID_HEXAHEDRA, &box);
    if (!mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    stencil_create(&s, &m);
    m.face_start[1]++;
    assert_false(geometry_create(&g, &m, &s, &e));
    assert_int_equal(e.status, EXIT_INPUT);
    if (!strstr(e.text, "8 vertices and 6 faces of up to 5 corners, too many for two fluids")) fail_msg("%s", e.text);
    stencil_free(&s), mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fractions_of_simplices_are_those_of_their_points),
        cmocka_unit_test(cut_volumes_are_right),
        cmocka_unit_test(a_cut_cube_is_the_closed_form),
        cmocka_unit_test(planes_are_placed_to_rounding),
        cmocka_unit_test(planes_are_reconstructed),
        cmocka_unit_test(a_cell_alone_has_no_facet),
        cmocka_unit_test(near_cells_are_seen_through_joints),
        cmocka_unit_test(normals_converge_faster_than_first_order),
        cmocka_unit_test(too_many_corners_are_refused),
    };
    return RUN_TESTS("interface", tests);
}

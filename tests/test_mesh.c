/* Geometry of every cell type compared with closed forms; faces, boxes, periodic boundaries, orderings. */
#include <omp.h>
#include "mesh_fixture.h"

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * (1 + fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

/* Volume and centroid of the reference cells, in Gmsh's vertex order. */
static const struct reference { int type, n; double x[8][3], volume, centre[3]; } reference[] = {
    {CELL_TRIANGLE, 3, {{0, 0}, {1, 0}, {0, 1}}, 1. / 2, {1. / 3, 1. / 3}},
    {CELL_QUADRILATERAL, 4, {{0, 0}, {2, 0}, {1, 1}, {0, 1}}, 3. / 2, {7. / 9, 4. / 9}},
    {CELL_TETRAHEDRON, 4, {{0}, {1}, {0, 1}, {0, 0, 1}}, 1. / 6, {.25, .25, .25}},
    {CELL_PYRAMID, 5, {{0}, {1}, {1, 1}, {0, 1}, {0, 0, 1}}, 1. / 3, {3. / 8, 3. / 8, .25}},
    {CELL_PRISM, 6, {{0}, {1}, {0, 1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}, 1. / 2, {1. / 3, 1. / 3, .5}},
    {CELL_HEXAHEDRON, 8, {{0}, {1}, {1, 1}, {0, 1}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}, 1, {.5, .5, .5}},
};

/* An affine image of each reference cell, far from the origin: volume and centre follow the map. */
static void single_cells(void **state)
{
    (void)state;
    const double a[3][3] = {{2, .3, .1}, {-.2, 1.5, .4}, {.1, -.3, 3}}, at[3] = {10, -20, 30};
    for (size_t i = 0; i < sizeof reference / sizeof *reference; i++) {
        const struct reference *r = &reference[i];
        int dim = cell_shape[r->type].dim, cell[9] = {r->type, 0, 1, 2, 3, 4, 5, 6, 7};
        double x[24] = {0}, centre[3], det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        if (dim == 3) det = det * a[2][2] + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]) -
                            a[1][2] * (a[0][0] * a[2][1] - a[0][1] * a[2][0]);
        for (int k = 0; k < dim; k++) {
            centre[k] = at[k];
            for (int j = 0; j < dim; j++) centre[k] += a[k][j] * r->centre[j];
            for (int v = 0; v < r->n; v++) {
                x[3 * v + k] = at[k];
                for (int j = 0; j < dim; j++) x[3 * v + k] += a[k][j] * r->x[v][j];
            }
        }
        struct mesh m;
        build_mesh(&m, dim, x, r->n, cell, 1);
        mark_rim(&m);
        complete(&m, ORDERING_HILBERT);
        check_mesh(&m);
        assert_int_equal(m.n_internal, 0);
        assert_int_equal(m.n_faces, cell_shape[r->type].n_faces);
        near(m.cell_volume[0], det * r->volume);
        double gauss = 0;                               /* sum of area . face centre = dim volume */
        for (int k = 0; k < dim; k++) {
            near(m.cell_centre[k], centre[k]);
            for (int f = 0; f < m.n_faces; f++) gauss += m.face_area[k * m.n_faces + f] * m.face_r[k * m.n_faces + f];
        }
        near(gauss, dim * m.cell_volume[0]);
        mesh_free(&m);
    }
}

/* Trapezoid face: its centroid, not its vertices' mean.  Twisted hexahedron: volume by another formula. */
static void faces_and_twist(void **state)
{
    (void)state;
    double quad[] = {0, 0, 1, 2, 0, 1, 1, 1, 1, 0, 1, 1}, area[3], centre[3];
    const struct ring ring = {(int32_t[]){0, 1, 2, 3}, 4, 0, 1};
    face_measure(&(struct mesh){.vertex = quad}, &ring, area, centre);
    near(area[2], 1.5), near(area[0], 0);
    near(centre[0], 7. / 9), near(centre[1], 4. / 9), near(centre[2], 1);

    double x[24];
    for (int v = 0; v < 8; v++)
        for (int k = 0; k < 3; k++) x[3 * v + k] = reference[5].x[v][k] + .3 * number(3 * v + k);
    const int cell[] = {CELL_HEXAHEDRON, 0, 1, 2, 3, 4, 5, 6, 7};
    struct mesh m;
    build_mesh(&m, 3, x, 8, cell, 1);
    mark_rim(&m);
    complete(&m, ORDERING_NONE);
    check_mesh(&m);
    double volume = 0;                                  /* trilinear map, exact: Gauss points of 2 x 2 x 2 */
    for (int g = 0; g < 8; g++) {
        double j[3][3] = {{0}}, s[3];
        for (int k = 0; k < 3; k++) s[k] = .5 + (g >> k & 1 ? .5 : -.5) / sqrt(3);
        for (int v = 0; v < 8; v++)
            for (int d = 0; d < 3; d++) {
                double weight = 1;
                for (int k = 0; k < 3; k++) {
                    bool high = reference[5].x[v][k] > 0;
                    weight *= k == d ? (high ? 1 : -1) : high ? s[k] : 1 - s[k];
                }
                for (int k = 0; k < 3; k++) j[k][d] += weight * x[3 * v + k];
            }
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            volume += j[0][k] * (j[1][a] * j[2][b] - j[1][b] * j[2][a]) / 8;
        }
    }
    near(m.cell_volume[0], volume);
    mesh_free(&m);
}

/* A hexahedron with a pyramid on top and a prism beside it, a tetrahedron behind the prism. */
static const double mixed_x[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1,
                                 .5, .5, 1.9, 2, 0, 0, 2, 1, 0, 1.3, 2, .3};
static const int mixed_cells[] = {CELL_HEXAHEDRON, 0, 1, 2, 3, 4, 5, 6, 7, CELL_PYRAMID, 4, 5, 6, 7, 8,
                                  CELL_PRISM, 1, 5, 9, 2, 6, 10, CELL_TETRAHEDRON, 2, 6, 10, 11};

static void mixed_mesh(void **state)
{
    (void)state;
    for (enum ordering o = ORDERING_HILBERT; o <= ORDERING_NONE; o++) {
        struct mesh m;
        build_mesh(&m, 3, mixed_x, 12, mixed_cells, 4);
        mark_rim(&m);
        complete(&m, o);
        check_mesh(&m);
        assert_int_equal(m.n_internal, 3);
        assert_int_equal(m.n_faces, 3 + 4 + 4 + 3 + 3);
        near(total_volume(&m), 1 + .3 + .5 + 1. / 6);
        int c = 0;
        while (m.cell_original[c] != 1) c++;
        assert_int_equal(m.cell_type[c], CELL_PYRAMID);
        near(m.cell_centre[2 * 4 + c], 1 + .9 / 4);
        assert_false(m.orthogonal);
        mesh_free(&m);
    }
}

static void mixed_plane(void **state)
{
    (void)state;
    const double x[] = {0, 0, 3, 1, 0, 3, 2, 0, 3, 0, 1, 3, 1, 1, 3, 2, 1, 3};
    const int right[] = {CELL_QUADRILATERAL, 0, 1, 4, 3, CELL_TRIANGLE, 1, 2, 4, CELL_TRIANGLE, 2, 5, 4};
    const int wrong[] = {CELL_QUADRILATERAL, 0, 3, 4, 1, CELL_TRIANGLE, 1, 4, 2, CELL_TRIANGLE, 2, 4, 5};
    for (int turned = 0; turned < 2; turned++) {
        struct mesh m;
        build_mesh(&m, 2, x, 6, turned ? wrong : right, 3);
        mark_rim(&m);
        complete(&m, ORDERING_NONE);
        check_mesh(&m);
        assert_int_equal(m.n_internal, 2);
        assert_int_equal(m.n_faces, 8);
        near(total_volume(&m), 2);
        near(m.cell_centre[1], 4. / 3), near(m.cell_centre[3 + 1], 1. / 3);
        assert_string_equal(m.note, !turned ? "" : "the 3 cells of region \"fluid\" were clockwise and "
                                                   "have been reversed");
        mesh_free(&m);
    }
}

static void boxes(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct box_setting b = box_of(dim, 7, 5, 4);
        struct mesh m;
        b.from[0] = -1, b.to[1] = 2, b.stretch[0] = 8, b.stretch[1] = 3;
        mesh_box(&m, &b);
        complete(&m, ORDERING_HILBERT);
        check_mesh(&m);
        int layers = dim == 3 ? 4 : 1;
        assert_int_equal(m.n_cells, 35 * layers);
        assert_int_equal(m.n_internal, (6 * 5 + 7 * 4) * layers + (dim == 3 ? 35 * 3 : 0));
        assert_int_equal(m.n_patches, 2 * dim);
        assert_int_equal(m.patch[0].count, 5 * layers), assert_int_equal(m.patch[3].count, 7 * layers);
        near(total_volume(&m), 4);
        assert_true(m.orthogonal && m.unskewed);
        static const char *const names[] = {"left", "right", "bottom", "top", "back", "front"};
        for (int p = 0; p < m.n_patches; p++) {
            assert_string_equal(m.patch[p].name, names[p]);
            for (int f = m.patch[p].first; f < m.patch[p].first + m.patch[p].count; f++) {
                int k = p / 2, o = m.face_owner[f];
                double at = m.cell_centre[k * m.n_cells + o] + m.face_r[k * m.n_faces + f];
                near(at, p % 2 ? b.to[k] : b.from[k]);
                assert_true(m.face_area[k * m.n_faces + f] * (p % 2 ? 1 : -1) > 0);
            }
        }
        double thin = m.vertex[3] - m.vertex[0], thick = m.vertex[12] - m.vertex[9];
        near(thick / thin, 8);
        near(m.vertex[21] - m.vertex[18], thin);
        struct mesh_quality q;
        mesh_measure(&m, &q);
        assert_true(q.non_orthogonality_max < 1e-5 && q.skewness_max < 1e-12);
        near(q.volume_total, 4);
        mesh_free(&m);
    }
}

static void distorted(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct box_setting b = box_of(dim, 12, 11, 10);
        struct mesh m, again, plain;
        mesh_box(&plain, &b);
        b.distortion = .3;
        mesh_box(&m, &b), mesh_box(&again, &b);
        assert_memory_equal(m.vertex, again.vertex, 24 * (size_t)m.n_vertices);
        int moved = 0;
        for (int v = 0; v < m.n_vertices; v++) moved += memcmp(m.vertex + 3 * v, plain.vertex + 3 * v, 24) != 0;
        assert_int_equal(moved, dim == 2 ? 110 : 990);
        complete(&m, ORDERING_HILBERT);
        check_mesh(&m);
        near(total_volume(&m), 1);
        assert_false(m.orthogonal || m.unskewed);
        mesh_free(&m), mesh_free(&again), mesh_free(&plain);
    }
}

/* Quality of a sheared box: the shear angle is the non-orthogonality. */
static void quality(void **state)
{
    (void)state;
    struct box_setting b = box_of(2, 4, 4, 1);
    struct mesh m;
    struct mesh_quality q;
    b.to[0] = 5;
    mesh_box(&m, &b);
    for (int v = 0; v < m.n_vertices; v++) m.vertex[3 * v] += .5 * m.vertex[3 * v + 1];
    complete(&m, ORDERING_HILBERT);
    mesh_measure(&m, &q);
    near(q.non_orthogonality_max, atan(.5) * 180 / M_PI);
    near(q.non_orthogonality_mean, q.non_orthogonality_max);
    near(q.aspect_max, 5);
    near(q.volume_min, 5. / 16), near(q.volume_max, 5. / 16);
    assert_true(q.skewness_max < 1e-12 && m.unskewed && !m.orthogonal);
    mesh_free(&m);
}

/* A sheared box again: from 70 degrees on all its boundary cells are steep, and no inner ones. */
static void steep(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct box_setting b = box_of(2, 4, 5, 1);
        struct mesh m;
        bool is_steep[20] = {false};
        mesh_box(&m, &b);
        for (int v = 0; v < m.n_vertices; v++) m.vertex[3 * v] += tan((k ? 71 : 69) * M_PI / 180) * m.vertex[3 * v + 1];
        complete(&m, ORDERING_HILBERT);
        assert_int_equal(mesh_steep(&m, is_steep), k ? 14 : 0);
        assert_int_equal(mesh_steep(&m, NULL), k ? 14 : 0);
        for (int32_t f = m.n_internal; f < m.n_faces; f++) assert_int_equal(is_steep[m.face_owner[f]], k);
        mesh_free(&m);
    }
}

static void periodic(void **state)
{
    (void)state;
    const int pairs[] = {0, 1, 3, 2};
    for (int nx = 2; nx <= 6; nx += 4) {
        struct box_setting b = box_of(3, nx, 5, 3);
        struct mesh m;
        struct error e;
        b.from[0] = -3;
        mesh_box(&m, &b);
        if (!mesh_complete(&m, ORDERING_HILBERT, pairs, 2, &e)) fail_msg("%s", e.text);
        check_mesh(&m);
        int n = nx * 15;
        assert_int_equal(m.n_internal, 2 * n + nx * 10);
        assert_int_equal(m.n_faces, m.n_internal + 2 * nx * 5);
        assert_int_equal(m.n_joints, 15 + 3 * nx);
        assert_int_equal(m.patch[0].count + m.patch[1].count + m.patch[2].count + m.patch[3].count, 0);
        assert_true(m.orthogonal && m.unskewed);
        for (int f = 0; f < m.n_internal; f++) {
            double h[3] = {4. / nx, 1. / 5, 1. / 3}, length = 0, most = 0;
            for (int k = 0; k < 3; k++) {
                double d = m.face_d[k * m.n_faces + f];
                length += fabs(d);
                if (fabs(m.face_area[k * m.n_faces + f]) > 1e-12) most = h[k];
            }
            near(length, most);                         /* one cell width, across the periodic boundary too */
        }
        int64_t *start;
        int32_t *column, *face;
        mesh_adjacency(&m, &start, &column, &face);
        for (int c = 0; c < m.n_cells; c++) {
            assert_in_range(start[c + 1] - start[c], 5, 6);
            for (int64_t k = start[c]; k < start[c + 1]; k++) {
                int f = abs(face[k]) - 1;
                assert_int_equal(face[k] > 0 ? m.face_owner[f] : m.face_neighbour[f], c);
                assert_int_equal(face[k] > 0 ? m.face_neighbour[f] : m.face_owner[f], column[k]);
                if (k > start[c]) assert_true(column[k] >= column[k - 1] && f > abs(face[k - 1]) - 1);
            }
        }
        free(start), free(column), free(face);
        mesh_free(&m);
    }
}

/* Share of neighbours within the same 512 rows. */
static double local_share(const struct mesh *m)
{
    int local = 0;
    for (int f = 0; f < m->n_internal; f++) local += m->face_owner[f] / 512 == m->face_neighbour[f] / 512;
    return (double)local / m->n_internal;
}

static void orderings(void **state)
{
    (void)state;
    static const double least[] = {.85, 0, .85, 0};
    static const int shapes[][4] = {{2, 320, 313, 1}, {3, 24, 20, 17}};
    for (int s = 0; s < 2; s++)
        for (enum ordering o = ORDERING_HILBERT; o <= ORDERING_NONE; o++) {
            struct box_setting b = box_of(shapes[s][0], shapes[s][1], shapes[s][2], shapes[s][3]);
            struct mesh m, again;
            int bandwidth = 0;
            uint8_t *seen;
            mesh_box(&m, &b), mesh_box(&again, &b);
            complete(&m, o);
            int threads = omp_get_max_threads();
            omp_set_num_threads(threads == 1 ? 3 : 1);
            complete(&again, o);
            omp_set_num_threads(threads);
            assert_memory_equal(m.cell_original, again.cell_original, 4 * (size_t)m.n_cells);
            assert_memory_equal(m.face_owner, again.face_owner, 4 * (size_t)m.n_faces);
            assert_memory_equal(m.face_vertex, again.face_vertex, 4 * (size_t)m.face_start[m.n_faces]);
            assert_memory_equal(m.cell_face, again.cell_face, 4 * (size_t)m.cell_face_start[m.n_cells]);
            assert_memory_equal(m.face_d, again.face_d, 8 * (size_t)(m.dim * m.n_faces));
            NEW(seen, m.n_cells);
            for (int c = 0; c < m.n_cells; c++) seen[m.cell_original[c]]++;
            for (int c = 0; c < m.n_cells; c++) assert_int_equal(seen[c], 1);
            for (int f = 0; f < m.n_internal; f++) {
                int apart = m.face_neighbour[f] - m.face_owner[f];
                if (apart > bandwidth) bandwidth = apart;
            }
            if (o == ORDERING_CUTHILL_MCKEE) assert_true(bandwidth <= (s ? 20 * 17 * 3 / 2 : 320));
            if (s == 0) assert_true(local_share(&m) > least[o]);
            free(seen), mesh_free(&m), mesh_free(&again);
        }
}

/* Two parts that do not touch, one of them a single cell: Cuthill-McKee must visit both. */
static void separate_parts(void **state)
{
    (void)state;
    const int64_t start[] = {0, 1, 3, 4, 4};
    const int32_t adjacent[] = {1, 0, 2, 1};
    int32_t order[4], sum = 0;
    order_cuthill_mckee(order, start, adjacent, 4);
    assert_int_equal(order[1], 1), assert_int_equal(order[3], 3);
    for (int i = 0; i < 4; i++) sum += 1 << order[i];
    assert_int_equal(sum, 15);
}

/* Along the whole Hilbert curve of a 2^k box, neighbours on the curve are neighbours in space. */
static void hilbert_is_continuous(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        int side = 16, n = dim == 2 ? side * side : side * side * side;
        int32_t *order;
        double *x;
        NEW(order, n), NEW(x, dim * n);
        for (int i = 0; i < n; i++)
            for (int k = 0, rest = i; k < dim; k++, rest /= side) x[k * n + i] = rest % side;
        order_hilbert(order, x, dim, n, 1);
        for (int i = 1; i < n; i++) {
            double step = 0;
            for (int k = 0; k < dim; k++) step += fabs(x[k * n + order[i]] - x[k * n + order[i - 1]]);
            assert_true(step == 1);
        }
        free(order), free(x);
    }
}

/* With cubes cut into tetrahedra, 64 consecutive ones are a block of four per side. */
static void hilbert_keeps_cubes(void **state)
{
    (void)state;
    enum { SIDE = 8, CUT = TETRAHEDRA_OF_CUBE, CELLS = SIDE * SIDE * SIDE * CUT, BLOCK = 64 * CUT };
    int32_t *order;
    double *x;
    NEW(order, CELLS), NEW(x, 3 * CELLS);
    for (int i = 0; i < CELLS; i++)
        for (int k = 0, rest = i / CUT; k < 3; k++, rest /= SIDE)
            x[k * CELLS + i] = rest % SIDE + 0.25 * (1 + (i % CUT / 2 + k + 1) % 3);
    order_hilbert(order, x, 3, CELLS, CUT);
    for (int begin = 0; begin < CELLS; begin += BLOCK)
        for (int k = 0; k < 3; k++)
            for (int i = begin; i < begin + BLOCK; i++)
                assert_int_equal((int)x[k * CELLS + order[i]] / 4, (int)x[k * CELLS + order[begin]] / 4);
    free(order), free(x);
}

/* No face that passes the quick flatness test has a bend; in a box of cuboids all pass, in a distorted one some do
 * not. */
static void flat_faces(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        struct box_setting b = box_of(3, 7, 5, 4);
        struct mesh m;
        struct error e;
        int flat = 0;
        b.distortion = turn ? 0.2 : 0;
        mesh_box(&m, &b);
        if (!mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
        for (int32_t f = 0; f < m.n_faces; f++) {
            double moment[6], bend[3][3];
            if (!mesh_face_is_flat(&m, f)) continue;
            flat++;
            assert_false(mesh_face_moments(&m, f, moment, bend));
        }
        assert_true(turn ? flat < m.n_faces / 2 : flat == m.n_faces);
        mesh_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_cells), cmocka_unit_test(faces_and_twist), cmocka_unit_test(mixed_mesh),
        cmocka_unit_test(mixed_plane), cmocka_unit_test(boxes), cmocka_unit_test(distorted), cmocka_unit_test(quality),
        cmocka_unit_test(steep),        cmocka_unit_test(periodic), cmocka_unit_test(orderings),
        cmocka_unit_test(separate_parts),
        cmocka_unit_test(hilbert_is_continuous), cmocka_unit_test(hilbert_keeps_cubes),
        cmocka_unit_test(flat_faces)};
    return RUN_TESTS("mesh", tests);
}

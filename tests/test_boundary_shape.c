/* Inlet profiles, one for each connected piece, and symmetry planes. */
#include "mesh_fixture.h"
#include "assembly/boundary_shape.h"

static struct error e;

/* Moves the faces of "left" whose centres have a y in one of the ranges into a boundary "inlet". */
static void cut_inlet(struct mesh *m, const double *range, int n)
{
    add_patch(m, "inlet");
    for (int32_t k = 0; k < m->n_marked; k++) {
        double y = 0;
        int corners = (int)(m->marked_start[k + 1] - m->marked_start[k]);
        if (m->marked_patch[k]) continue;
        for (int i = 0; i < corners; i++) y += m->vertex[3 * m->marked_vertex[m->marked_start[k] + i] + 1];
        for (int i = 0; i < n; i++)
            if (y / corners > range[2 * i] && y / corners < range[2 * i + 1]) m->marked_patch[k] = m->n_patches - 1;
    }
    complete(m, ORDERING_HILBERT);
}

static bool profile(const struct mesh *m, const char *name, enum inlet_profile of, double **shape)
{
    struct boundary_setting set = {.type = BOUNDARY_INLET, .profile = of};
    const struct patch *p = m->patch;
    while (strcmp(p->name, name)) p++;
    NEW(*shape, p->count);
    return boundary_profile(m, p, &set, "c.cfg:3", *shape, &e);
}

static double centre(const struct mesh *m, const struct patch *p, int32_t i, int k)
{
    return m->cell_centre[k * m->n_cells + m->face_owner[p->first + i]] + m->face_r[k * m->n_faces + p->first + i];
}

/* Each of two openings in one wall has its own parabola, in 3-D too. */
static void two_pieces(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct box_setting b = box_of(dim, 2, 20, 4);
        struct mesh m;
        double *shape;
        mesh_box(&m, &b);
        cut_inlet(&m, (double[]){0, 0.4, 0.6, 0.7}, 2);
        const struct patch *p = &m.patch[m.n_patches - 1];
        double mean[2] = {0}, area[2] = {0};
        assert_int_equal(p->count, dim == 2 ? 10 : 40);
        if (!profile(&m, "inlet", PROFILE_PARABOLIC, &shape)) fail_msg("%s", e.text);
        for (int32_t i = 0; i < p->count; i++) {
            double y = centre(&m, p, i, 1), z = dim == 3 ? centre(&m, p, i, 2) : 0.5;
            double half = y < 0.5 ? 0.2 : 0.05, from = y - (y < 0.5 ? 0.2 : 0.65), along = z - 0.5;
            double expected = 1 - (from * from + 0.05 * 0.05 / 12) / (half * half);             /* mean over the face */
            if (dim == 3) expected *= 1 - 4 * (along * along + 0.25 * 0.25 / 12);
            assert_true(fabs(shape[i] - expected) < 1e-12);
            double size = mesh_face_size(&m, p->first + i);
            mean[y > 0.5] += shape[i] * size, area[y > 0.5] += size;
        }
        for (int k = 0; k < 2; k++) assert_true(fabs(mean[k] / area[k] - (dim == 2 ? 2.0 / 3 : 4.0 / 9)) < 1e-14);
        free(shape), mesh_free(&m);
    }
}

static void expect_refusal(const char *const *parts)
{
    for (; *parts; parts++) if (!strstr(e.text, *parts)) fail_msg("the message does not say '%s':\n%s", *parts, e.text);
}

/* A paraboloid requires discs, of hexagons or finer, a parabola in 3-D requires rectangles. */
static void other_shapes(void **state)
{
    (void)state;
    struct box_setting b = box_of(3, 2, 4, 4);
    struct mesh m;
    double *shape;
    mesh_box(&m, &b);
    complete(&m, ORDERING_HILBERT);
    assert_false(profile(&m, "left", PROFILE_PARABOLOID, &shape));
    expect_refusal((const char *const[]){"c.cfg:3: profile = \"paraboloid\" needs a round inlet", "\"parabolic\"",
                                         "of \"left\" around (0, 0.5, 0.5)", NULL});
    free(shape), mesh_free(&m);
    mesh_box(&m, &b);
    for (int32_t k = 0; k < m.n_marked; k++) {                          /* "left" without a quarter is an L */
        double y = 0, z = 0;
        for (int i = 0; i < 4; i++) {
            const double *at = m.vertex + 3 * m.marked_vertex[m.marked_start[k] + i];
            y += at[1] / 4, z += at[2] / 4;
        }
        if (m.marked_patch[k] == 0 && y > 0.5 && z > 0.5) m.marked_patch[k] = 1;
    }
    complete(&m, ORDERING_HILBERT);
    assert_false(profile(&m, "left", PROFILE_PARABOLIC, &shape));
    expect_refusal((const char *const[]){"profile = \"parabolic\" needs a rectangle", "of \"left\"", NULL});
    free(shape), mesh_free(&m);
}

/* Prisms around an axis, whose lower ends are the inlet: a disc of radius 0.5, stretched along x and tilted about the x
 * axis. */
static void open_disc(struct mesh *m, int sides, double stretch, double tilt)
{
    double x[3 * 2 * 61];
    int cells[7 * 60];
    for (int i = 0; i <= sides; i++)
        for (int k = 0; k < 2; k++) {
            double *at = x + 3 * (2 * i + k), angle = 2 * acos(-1) * i / sides, r = i < sides ? 0.5 : 0, y, z = k;
            y = r * sin(angle);
            at[0] = 3 + r * stretch * cos(angle), at[1] = y * cos(tilt) - z * sin(tilt);
            at[2] = y * sin(tilt) + z * cos(tilt);
        }
    for (int i = 0; i < sides; i++) {
        int a = 2 * i, c = 2 * ((i + 1) % sides), o = 2 * sides;
        int prism[7] = {CELL_PRISM, o, a, c, o + 1, a + 1, c + 1};
        memcpy(cells + 7 * i, prism, sizeof prism);
    }
    build_mesh(m, 3, x, 2 * (sides + 1), cells, sides);
    mark_rim(m);
    add_patch(m, "inlet");
    for (int32_t k = 0; k < m->n_marked; k++)
        if (m->marked_start[k + 1] - m->marked_start[k] == 3 && m->marked_vertex[m->marked_start[k]] % 2 == 0)
            m->marked_patch[k] = 1;
    complete(m, ORDERING_NONE);
}

/* The mean over a disc is a half, whatever its direction and the number of its sides, even those for which the bounding
 * box is not around its centre. */
static void discs(void **state)
{
    (void)state;
    double *shape;
    struct mesh m;
    for (int sides = 6; sides < 60; sides += 7)
        for (int tilted = 0; tilted < 2; tilted++) {
            open_disc(&m, sides, 1, tilted ? 0.5 : 0);
            if (!profile(&m, "inlet", PROFILE_PARABOLOID, &shape)) fail_msg("%s", e.text);
            for (int32_t i = 0; i < sides; i++) assert_true(fabs(shape[i] - 0.5) < 1e-12);
            free(shape);
            assert_false(profile(&m, "inlet", PROFILE_PARABOLIC, &shape));
            free(shape), mesh_free(&m);
        }
    open_disc(&m, 40, 1.06, 0);
    assert_false(profile(&m, "inlet", PROFILE_PARABOLOID, &shape));
    expect_refusal((const char *const[]){"c.cfg:3: profile = \"paraboloid\" needs a round inlet",
                                         "the rim of the one of \"inlet\" around (3, 0, 0)", NULL});
    free(shape), mesh_free(&m);
}

/* A box of n cells along y, bent into a part of a ring: "left" and "right" are arcs, "bottom" and "top" planes. */
static void ring(struct mesh *m, int dim, int n, double angle)
{
    struct box_setting b = box_of(dim, 2, n, 2);
    mesh_box(m, &b);
    for (int32_t v = 0; v < m->n_vertices; v++) {
        double *x = m->vertex + 3 * v, r = 1 + x[0], turn = angle * x[1];
        x[0] = r * cos(turn), x[1] = r * sin(turn);
    }
}

static bool plane(const struct mesh *m, int patch)
{
    struct boundary_setting set = {.type = BOUNDARY_SYMMETRY};
    return boundary_check_planes(m, &m->patch[patch], &set, "c.cfg:3", &e);
}

static void curved_symmetry(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int n = 4; n < 500; n *= 10) {
            struct mesh m;
            ring(&m, dim, n, 1.5);
            complete(&m, ORDERING_HILBERT);
            assert_false(plane(&m, 0));
            expect_refusal((const char *const[]){"c.cfg:3: boundary \"left\" has type = \"symmetry\" but is curved",
                                                 "type = \"slip\"", NULL});
            assert_false(plane(&m, 1));
            assert_true(plane(&m, 2) && plane(&m, 3));
            mesh_free(&m);
            struct box_setting b = box_of(dim, 2, n, 2);                /* planes that meet at an edge */
            mesh_box(&m, &b);
            for (int32_t k = 0; k < m.n_marked; k++) m.marked_patch[k] = m.marked_patch[k] / 2 * 2;
            for (int i = 0; i < dim; i++) m.patch[i] = m.patch[2 * i];
            for (int32_t k = 0; k < m.n_marked; k++) m.marked_patch[k] = m.marked_patch[k] > 1;
            m.n_patches = 2;
            complete(&m, ORDERING_HILBERT);
            assert_true(plane(&m, 0) && plane(&m, 1));
            mesh_free(&m);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_pieces), cmocka_unit_test(other_shapes),
                                       cmocka_unit_test(discs),
                                       cmocka_unit_test(curved_symmetry)};
    return RUN_TESTS("boundary_shape", tests);
}

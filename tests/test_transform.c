/* mesh.scale, rotate and translate: lengths, volumes, periodic faces, the stored mesh, what does not suit a mesh. */
#include "gmsh_fixture.h"
#include "mesh/mesh.h"

static void expect_near(double found, double expected) { assert_true(fabs(found - expected) < 1e-14); }

static void extent(const struct mesh *m, double x0, double x1, double y0, double y1)
{
    double low[3], high[3];
    mesh_extent(m, low, high);
    expect_near(low[0], x0), expect_near(high[0], x1), expect_near(low[1], y0), expect_near(high[1], y1);
}

static const struct box_setting strip = {.given = true, .dim = 2, .cells = {4, 3}, .to = {2, 1, 1},
                                         .stretch = {1, 1, 1}};
static const struct box_setting brick = {.given = true, .dim = 3, .cells = {4, 3, 2}, .to = {2, 1, 0.5},
                                         .stretch = {1, 3, 1}, .distortion = 0.2};

static void open_box(struct mesh *m, const struct box_setting *box, struct transform_setting t)
{
    static const int pair[] = {0, 1};
    const struct mesh_setting s = {.box = *box, .transform = t};
    if (!mesh_of_setting(m, &s, "", false, &e) || !mesh_complete(m, ORDERING_HILBERT, pair, 1, &e))
        fail_msg("%s", e.text);
}

static void plane(void **state)
{
    (void)state;
    struct mesh m;
    open_box(&m, &strip, (struct transform_setting){.n_scale = 1, .scale = {0.5}, .n_rotate = 1, .rotate = {90},
             .n_translate = 2, .translate = {3, 1}});
    extent(&m, 2.5, 3, 1, 2);
    assert_true(m.orthogonal && m.unskewed && m.n_joints == 3);
    for (int k = 0; k < m.n_joints; k++) {                      /* periodic along y now */
        expect_near(m.joint_shift[3 * k], 0), expect_near(fabs(m.joint_shift[3 * k + 1]), 1);
        expect_near(m.joint_shift[3 * k + 2], 0);
    }
    for (int32_t c = 0; c < m.n_cells; c++) expect_near(m.cell_volume[c], 0.25 / 6);
    mesh_free(&m);
    open_box(&m, &strip, (struct transform_setting){.n_scale = 2, .scale = {0.5, 4}, .n_rotate = 1, .rotate = {-450}});
    extent(&m, 0, 4, -1, 0);
    mesh_free(&m);
    open_box(&m, &strip, (struct transform_setting){.n_rotate = 1, .rotate = {30}});
    extent(&m, -0.5, sqrt(3), 0, 1 + 0.5 * sqrt(3));
    assert_true(m.orthogonal);
    mesh_free(&m);
}

/* A third of a turn about the diagonal makes y of x, z of y, x of z. */
static void space(void **state)
{
    (void)state;
    struct mesh a, b;
    open_box(&a, &brick, (struct transform_setting){.n_scale = 0});
    open_box(&b, &brick, (struct transform_setting){.n_scale = 3, .scale = {1, 2, 4}, .n_rotate = 4,
             .rotate = {1e200, 1e200, 1e200, 120}, .n_translate = 3, .translate = {1, 0, 0}});
    for (int32_t v = 0; v < a.n_vertices; v++) {
        const double *x = a.vertex + 3 * v, *y = b.vertex + 3 * v;
        expect_near(y[1], x[0]), expect_near(y[2], 2 * x[1]), expect_near(y[0], 4 * x[2] + 1);
    }
    struct mesh_quality q, r;
    mesh_measure(&a, &q), mesh_measure(&b, &r);
    expect_near(r.volume_total, 8 * q.volume_total);
    for (int k = 0; k < b.n_joints; k++) expect_near(fabs(b.joint_shift[3 * k + 1]), 2);
    mesh_free(&a), mesh_free(&b);
}

/* Every way to read a mesh. */
static void files(void **state)
{
    (void)state;
    static const char *const path[] = {"tests/data/strip.geo", "tests/data/strip_4.1.msh",
        "tests/data/foreign/flat.su2", "tests/data/foreign/solid.vtk", "box:2,2", "tests/data/mesh_version_1.h5"};
    for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
        struct mesh_setting s = {.transform = {.n_scale = 1, .scale = {1}}};
        struct mesh a, b, c;
        strcpy(s.file, path[i]);
        if (!mesh_open_as(&a, &s, ORDERING_NONE, &e)) fail_msg("%s", e.text);
        s.transform = (struct transform_setting){.n_scale = 1, .scale = {0.25}, .n_translate = a.dim,
                                                 .translate = {1, 2, 3}};
        if (!mesh_open_as(&b, &s, ORDERING_NONE, &e)) fail_msg("%s", e.text);
        for (int32_t v = 0; v < a.n_vertices; v++)
            for (int k = 0; k < a.dim; k++) expect_near(b.vertex[3 * v + k], 0.25 * a.vertex[3 * v + k] + k + 1);
        mesh_free(&a);
        if (i != 4) {
            assert_true(mesh_convert(&s, at("moved.h5"), &e));
            assert_true(mesh_open(&c, at("moved.h5"), ORDERING_NONE, &e));
            assert_memory_equal(b.vertex, c.vertex, 3 * (size_t)b.n_vertices * sizeof *b.vertex);
            mesh_free(&c);
        }
        mesh_free(&b);
    }
    struct mesh_setting same = {.curved = CURVED_REFUSE};
    strcpy(same.file, "tests/data/mesh_version_1.h5");
    assert_false(mesh_convert(&same, at("same.h5"), &e));
}

static void open_stored(const struct mesh_setting *s, bool keep, double length)
{
    struct mesh m;
    if (!mesh_of_setting(&m, s, at("stored"), keep, &e)) fail_msg("%s", e.text);
    extent(&m, 0, length, 0, 0.5 * length);
    mesh_free(&m);
}

static void stored_length(double length)
{
    struct mesh m;
    if (!mesh_read_native(&m, at("stored/mesh.h5"), &e)) fail_msg("%s", e.text);
    extent(&m, 0, length, 0, 0.5 * length);
    mesh_free(&m);
}

/* The mesh in the output directory is the transformed one, reused only by the same transform. */
static void stored(void **state)
{
    (void)state;
    struct mesh_setting s = {.transform = {.n_scale = 1, .scale = {0.001}}}, plain = {.curved = CURVED_REFUSE};
    strcpy(s.file, "tests/data/strip.geo"), strcpy(plain.file, s.file);
    open_stored(&s, true, 0.002), stored_length(0.002);
    setenv("POISE_GMSH", "/nowhere/poise-gmsh", 1);
    open_stored(&s, true, 0.002), open_stored(&s, false, 0.002);
    setenv("POISE_GMSH", program, 1);
    open_stored(&plain, false, 2), stored_length(0.002);
    open_stored(&plain, true, 2), stored_length(2);
    open_stored(&s, false, 0.002), stored_length(2);
    s.transform.scale[0] = 0.5;
    open_stored(&s, true, 1), stored_length(1);
    /* the stored mesh of one case is the source of another, whose own one is then not taken for the first's */
    strcpy(s.file, at("stored/mesh.h5"));
    struct mesh m;
    assert_true(mesh_of_setting(&m, &s, at("other"), false, &e));
    extent(&m, 0, 0.5, 0, 0.25);
    assert_true(mesh_write_native(&m, at("stored/mesh.h5"), &e));
    mesh_free(&m);
    strcpy(s.file, "tests/data/strip.geo");
    open_stored(&s, true, 1);
}

static void wrong(struct transform_setting t, int dim, int key, const char *text)
{
    char found[200];
    assert_int_equal(transform_fault(&t, dim, found), key);
    if (key >= 0) assert_string_equal(found, text);
}

static void faults(void **state)
{
    (void)state;
    wrong((struct transform_setting){.n_scale = 0}, 2, -1, "");
    wrong((struct transform_setting){.n_scale = 1, .n_rotate = 4, .rotate = {0, 0, 2, 1}, .n_translate = 3}, 3, -1, "");
    wrong((struct transform_setting){.n_scale = 3}, 2, 0,
          "has 3 numbers: expected one for all directions, or 2 in 2-D");
    wrong((struct transform_setting){.n_scale = 4}, 0, 0,
          "has 4 numbers: expected one for all directions, or one for each");
    wrong((struct transform_setting){.n_rotate = 1}, 3, 1,
          "has 1 number: expected 4 in 3-D, [x, y, z, degrees] with an axis");
    wrong((struct transform_setting){.n_rotate = 4, .rotate = {0, 0, 1, 1}}, 2, 1,
          "has 4 numbers: expected one in 2-D, the degrees");
    wrong((struct transform_setting){.n_rotate = 4, .rotate = {0, 0, 0, 30}}, 0, 1,
          "= [0, 0, 0, 30]: expected an axis of length > 0");
    wrong((struct transform_setting){.n_translate = 3}, 2, 2, "has 3 numbers: expected 2 in 2-D");
    struct case_source source = {.path = "strip.cfg"};
    struct mesh_setting s = {.transform = {.n_translate = 3, .place = {{0}, {0}, {&source, 4}}}};
    struct mesh m;
    strcpy(s.file, "tests/data/foreign/flat.su2");
    assert_false(mesh_of_setting(&m, &s, "", false, &e));
    expect_parts(e.text, (const char *const[]){"strip.cfg:4: mesh.translate has 3 numbers: expected 2 in 2-D; the mesh "
                                               "is tests/data/foreign/flat.su2", NULL});
    mesh_free(&m);
    s.transform.place[2].source = NULL;
    assert_false(mesh_open_as(&m, &s, ORDERING_NONE, &e));
    expect_parts(e.text, (const char *const[]){"flat.su2: --translate has 3 numbers: expected 2 in 2-D", NULL});
    s.transform = (struct transform_setting){.n_scale = 1, .scale = {1e300}};
    assert_false(mesh_open_as(&m, &s, ORDERING_NONE, &e));
    expect_parts(e.text, (const char *const[]){"vertex", "expected numbers from", NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plane), cmocka_unit_test(space), cmocka_unit_test(files),
                                       cmocka_unit_test(stored), cmocka_unit_test(faults)};
    if (!prepare()) return puts("ok transform # SKIP poise-gmsh is not built"), 0;
    return cmocka_run_group_tests_name("transform", tests, NULL, clean);
}

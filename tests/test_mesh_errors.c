/* Every mesh that is rejected, with its message; the native file and damage to it. */
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>
#include <sys/wait.h>
#include <unistd.h>
#include "mesh_fixture.h"

static char folder[] = "/tmp/poise_mesh_XXXXXX";
static char file[64];

/* Completes m, which must be rejected with all of the given parts in the message, and frees it. */
static void expect(struct mesh *m, const int *pairs, int n_pairs, const char *const *parts)
{
    struct error e = {.status = EXIT_CONVERGED};
    assert_false(mesh_complete(m, ORDERING_HILBERT, pairs, n_pairs, &e));
    assert_int_equal(e.status, EXIT_INPUT);
    for (; *parts; parts++)
        if (!strstr(e.text, *parts)) fail_msg("the message does not say '%s':\n%s", *parts, e.text);
    mesh_free(m);
}
#define EXPECT(m, pairs, n_pairs, ...) expect(m, pairs, n_pairs, (const char *const[]){__VA_ARGS__, NULL})

/* A 2 x 1 box of unit squares; vertices 0 1 2 below, 3 4 5 above. */
static void two_squares(struct mesh *m)
{
    struct box_setting b = box_of(2, 2, 1, 1);
    b.to[0] = 2;
    mesh_box(m, &b);
}

static void boundary_errors(void **state)
{
    (void)state;
    struct mesh m;
    two_squares(&m);                                    /* patch of the last face: top, above the second square */
    m.n_marked--;
    EXPECT(&m, NULL, 0, "box: 1 boundary face(s) are in no boundary",
           "at (1.5, 1), of cell 1 (quadrilateral) at (1.5, 0.5)",
           "Physical Curve(\"walls\") = {1, 2};");
    two_squares(&m);
    mark(&m, 0, (int32_t[]){1, 2, -1, -1});
    EXPECT(&m, NULL, 0, "1 boundary face(s) are in two boundaries or twice in one", "(1.5, 0)",
           "\"bottom\" and \"left\"", "only one Physical Curve");
    two_squares(&m);
    mark(&m, 0, (int32_t[]){4, 1, -1, -1});
    EXPECT(&m, NULL, 0, "1 face(s) of boundaries lie inside the mesh", "(1, 0.5) in \"left\"",
           "between cell 0", "and cell 1", "remove that curve from Physical Curve(\"left\")");
    two_squares(&m);
    mark(&m, 1, (int32_t[]){0, 5, -1, -1});
    EXPECT(&m, NULL, 0, "1 face(s) of boundaries are faces of no cell", "(1, 0.5) in \"right\"",
           "Physical Surface(\"fluid\")");
    two_squares(&m);
    add_patch(&m, "lid");
    EXPECT(&m, NULL, 0, "boundary \"lid\" has no faces", "Physical Curve(\"lid\") = {1, 2};");
    two_squares(&m);
    strcpy(m.patch[1].name, "a\033[2Jb");
    EXPECT(&m, NULL, 0, "box: the name of a boundary, \"a?[2Jb\", has unprintable characters; rename it");
    two_squares(&m);
    strcpy(m.region[0], "\xff");
    EXPECT(&m, NULL, 0, "box: the name of a region, \"?\", has unprintable characters; rename it");
    struct box_setting b = box_of(3, 2, 1, 1);
    mesh_box(&m, &b);
    m.n_marked--;
    EXPECT(&m, NULL, 0, "in no boundary, the first at (0.75, 0.5, 1)", "Physical Surface(\"walls\") = {1, 2};");
}

static void cell_errors(void **state)
{
    (void)state;
    struct mesh m;
    const double wrong[] = {NAN, -INFINITY, -1e308};
    for (int i = 0; i < 3; i++) {
        two_squares(&m);
        m.vertex[3 * 4 + i] = wrong[i];
        EXPECT(&m, NULL, 0, "box: vertex 4 (counted from 0) is at (", i == 0 ? "nan" : i == 1 ? "-inf" : "-1e+308",
               "expected numbers from -1e+50 to 1e+50");
    }
    struct box_setting b = box_of(3, 4, 4, 4);
    b.distortion = 2;
    mesh_box(&m, &b);
    EXPECT(&m, NULL, 0, "of 64 cells have a negative volume", "reduce the box's distortion");
    const double tets[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, .2, .2, 2};
    const int three[] = {CELL_TETRAHEDRON, 0, 1, 2, 3, CELL_TETRAHEDRON, 0, 2, 1, 4, CELL_TETRAHEDRON, 0, 1, 2, 5};
    build_mesh(&m, 3, tets, 6, three, 3);
    mark_rim(&m);
    EXPECT(&m, NULL, 0, "1 face(s) belong to three cells or more", "cell 0 (tetrahedron) at (0.25, 0.25, 0.25)",
           "cell 1", "cell 2", "BooleanFragments");

    const int inverted[] = {CELL_TETRAHEDRON, 0, 1, 2, 3, CELL_TETRAHEDRON, 0, 1, 2, 4};
    build_mesh(&m, 3, tets, 5, inverted, 2);
    mark_rim(&m);
    EXPECT(&m, NULL, 0, "hand.msh: 1 of 2 cells have a negative volume",
           "the first is cell 1 (tetrahedron) at (0.25, 0.25, -0.25)", "-0.167", "wrong order");

    const int overlapping[] = {CELL_TETRAHEDRON, 0, 1, 2, 3, CELL_TETRAHEDRON, 0, 1, 2, 4};
    build_mesh(&m, 3, (double[]){0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, .2, .2, 2}, 5, overlapping, 2);
    mark_rim(&m);
    EXPECT(&m, NULL, 0, "1 face(s) do not point out of their cell", "two cells overlap");

    const double flat[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    build_mesh(&m, 3, flat, 4, (int[]){CELL_TETRAHEDRON, 0, 1, 2, 3}, 1);
    mark_rim(&m);
    EXPECT(&m, NULL, 0, "1 of 1 cells have no volume");

    build_mesh(&m, 2, flat, 4, (int[]){CELL_TRIANGLE, 0, 1, 2}, 1);
    mark_rim(&m);
    EXPECT(&m, NULL, 0, "1 of 4 vertices are used by no cell, the first is 3 (counted from 0) at (0, 1)",
           "Physical Surface");

    build_mesh(&m, 2, flat, 4, (int[]){CELL_TRIANGLE, 0, 1, 2, CELL_QUADRILATERAL, 0, 2, 3, 3}, 2);
    mark_rim(&m);
    EXPECT(&m, NULL, 0, "1 cell(s) use a vertex twice, the first is cell 1 (quadrilateral)");

    build_mesh(&m, 2, (double[]){0, 0, 0, 3, 0, 0, 0, 1, 0, 1, 1, 0}, 4, (int[]){CELL_QUADRILATERAL, 0, 1, 2, 3}, 1);
    mark_rim(&m);
    EXPECT(&m, NULL, 0, "1 quadrilateral(s) are folded", "cell 0 (quadrilateral)", "Mesh.Algorithm");

    build_mesh(&m, 2, flat, 4, (int[]){CELL_TRIANGLE, 0, 1, 2, CELL_TRIANGLE, 0, 3, 2}, 2);
    mark_rim(&m);
    EXPECT(&m, NULL, 0, "1 of the 2 cells of region \"fluid\" are clockwise, the others not",
           "the first is cell 1 (triangle)", "ReverseMesh Surface{1};");

    build_mesh(&m, 2, (double[]){0, 0, 0, 1, 0, 0, 0, 0, 1}, 3, (int[]){CELL_TRIANGLE, 0, 1, 2}, 1);
    mark_rim(&m);
    EXPECT(&m, NULL, 0, "a 2-D mesh must lie in a plane z = constant", "vertex 2 at (0, 0, 1)", "Rotate");
}

static void periodic_errors(void **state)
{
    (void)state;
    static const int ends[] = {0, 1}, across[] = {2, 3}, twice[] = {0, 1, 1, 2}, unequal[] = {0, 2};
    struct mesh m;
    two_squares(&m);
    EXPECT(&m, across, 1, "\"bottom\" and \"top\" would make a cell its own neighbour: cell 0", "at least 2 cells");
    two_squares(&m);
    EXPECT(&m, twice, 2, "boundary \"right\" occurs twice among the periodic ones");
    two_squares(&m);
    EXPECT(&m, unequal, 1, "\"left\" and \"bottom\" do not match: 1 faces and 2",
           "Periodic Curve {2} = {4} Translate {1, -0.5, 0};", "2 is of \"bottom\" and 4 of \"left\"");
    struct box_setting b = box_of(2, 3, 3, 1);
    mesh_box(&m, &b);
    m.vertex[3 * 4 + 1] += .1;                          /* left, second line from below */
    EXPECT(&m, ends, 1, "the face of \"left\" at (0, 0.", "has no counterpart in \"right\"");
    mesh_box(&m, &b);                                   /* bottom is left, rotated */
    EXPECT(&m, unequal, 1, "has no counterpart in \"bottom\"");
}

static void fill_names(struct mesh *m)
{
    snprintf(m->key, sizeof m->key, "h=0.1");
    snprintf(m->patch[0].partner, NAME_LENGTH, "right"), snprintf(m->patch[1].partner, NAME_LENGTH, "left");
}

static void assert_same_mesh(const struct mesh *a, const struct mesh *b)
{
    assert_int_equal(a->dim, b->dim), assert_int_equal(a->n_cells, b->n_cells);
    assert_int_equal(a->n_vertices, b->n_vertices), assert_int_equal(a->n_marked, b->n_marked);
    assert_int_equal(a->n_patches, b->n_patches), assert_int_equal(a->n_regions, b->n_regions);
    assert_string_equal(a->source, b->source), assert_string_equal(a->key, b->key);
    assert_memory_equal(a->vertex, b->vertex, 24 * (size_t)a->n_vertices);
    assert_memory_equal(a->cell_type, b->cell_type, (size_t)a->n_cells);
    assert_memory_equal(a->cell_start, b->cell_start, 8 * (size_t)(a->n_cells + 1));
    assert_memory_equal(a->cell_vertex, b->cell_vertex, 4 * (size_t)a->cell_start[a->n_cells]);
    assert_memory_equal(a->cell_region, b->cell_region, 4 * (size_t)a->n_cells);
    assert_memory_equal(a->region, b->region, NAME_LENGTH * (size_t)a->n_regions);
    assert_memory_equal(a->marked_start, b->marked_start, 8 * (size_t)(a->n_marked + 1));
    assert_memory_equal(a->marked_vertex, b->marked_vertex, 4 * (size_t)a->marked_start[a->n_marked]);
    assert_memory_equal(a->marked_patch, b->marked_patch, 4 * (size_t)a->n_marked);
    for (int p = 0; p < a->n_patches; p++) {
        assert_string_equal(a->patch[p].name, b->patch[p].name);
        assert_string_equal(a->patch[p].partner, b->patch[p].partner);
    }
}

/* The mixed stream of XDMF, or one row per cell, read as plain numbers. */
static void check_xdmf(const struct mesh *m, bool mixed)
{
    hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT), d = H5Dopen2(f, "/xdmf/topology", H5P_DEFAULT);
    hid_t space = H5Dget_space(d);
    int64_t n = H5Sget_simple_extent_npoints(space), *value;
    assert_int_equal(H5Sget_simple_extent_ndims(space), mixed ? 1 : 2);
    assert_int_equal(n, m->cell_start[m->n_cells] + (mixed ? m->n_cells : 0));
    NEW(value, n);
    assert_true(H5Dread(d, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    for (int64_t c = 0, at = 0; c < m->n_cells; c++) {
        if (mixed) assert_int_equal(value[at++], m->cell_type[c]);
        for (int64_t k = m->cell_start[c]; k < m->cell_start[c + 1]; k++)
            assert_int_equal(value[at++], m->cell_vertex[k]);
    }
    free(value), H5Sclose(space), H5Dclose(d), H5Fclose(f);
}

static void round_trip(void **state)
{
    (void)state;
    const double x[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};
    const int cells[] = {CELL_TRIANGLE, 1, 2, 4, CELL_QUADRILATERAL, 0, 1, 4, 3, CELL_TRIANGLE, 2, 5, 4};
    struct error e;
    for (int which = 0; which < 3; which++) {
        struct mesh m, before, after;
        struct box_setting b = box_of(which == 2 ? 2 : 3, 9, 8, 7);
        for (struct mesh *k = &m; k; k = k == &m ? &before : NULL) {
            if (which == 0) build_mesh(k, 2, x, 6, cells, 3), mark_rim(k);
            else mesh_box(k, &b), fill_names(k);
        }
        complete(&m, ORDERING_HILBERT);
        if (!mesh_write_native(&m, file, &e) || !mesh_read_native(&after, file, &e)) fail_msg("%s", e.text);
        assert_same_mesh(&before, &after);
        check_xdmf(&before, which == 0);
        mesh_free(&after);
        if (!mesh_write_native(&before, file, &e) || !mesh_read_native(&after, file, &e)) fail_msg("%s", e.text);
        assert_same_mesh(&before, &after);
        mesh_free(&m), mesh_free(&before), mesh_free(&after);
    }
}

/* Removes the digest: the file then counts as one of another program. */
static void unguard(void)
{
    FILE *out = fopen(file, "r+b");
    assert_true(out && fputc(' ', out) == ' ' && !fclose(out));
}

/* Overwrites one number of a data set. */
static void spoil(const char *name, int64_t at, double value)
{
    hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT), d = H5Dopen2(f, name, H5P_DEFAULT), space = H5Dget_space(d);
    double *all;
    NEW(all, H5Sget_simple_extent_npoints(space));
    assert_true(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    all[at] = value;
    assert_true(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    free(all), H5Sclose(space), H5Dclose(d), H5Fclose(f);
    unguard();
}

static void expect_damage(const char *part)
{
    struct mesh m;
    struct error e = {.status = EXIT_CONVERGED};
    assert_false(mesh_read_native(&m, file, &e));
    assert_int_equal(e.status, EXIT_INPUT);
    if (!strstr(e.text, part) || !strstr(e.text, file)) fail_msg("the message does not say '%s':\n%s", part, e.text);
    assert_null(m.vertex);
}

static void damaged_files(void **state)
{
    (void)state;
    static const struct { const char *name; int64_t at; double value; const char *says; } damage[] = {
        {"/cells/type", 1, 9, "cell 1 is of type 9, unknown in 2-D"},
        {"/cells/type", 1, 4, "cell 1 is a triangle, but does not have 3 vertices"},
        {"/cells/type", 0, 77, "cell 0 is of type 77"},
        {"/cells/start", 0, 1, "cell 0 is a quadrilateral"},
        {"/cells/start", 2, 9, "cell 1 is a quadrilateral"},
        {"/cells/vertices", 3, 6, "names vertex 6, of 6"},
        {"/cells/vertices", 3, -1, "names vertex -1, of 6"},
        {"/cells/region", 1, 1, "cell 1 is in region 1, of 1"},
        {"/faces/start", 0, 1, "/faces/start does not begin with 0"},
        {"/faces/start", 1, 1, "face 0 has 1 vertices in 2-D"},
        {"/faces/start", 1, 3, "face 0 has 3 vertices in 2-D"},
        {"/faces/start", 2, 1, "face 1 has -1 vertices"},
        {"/faces/start", 6, 13, "/faces/vertices has 12 entries, not the 13 of /faces/start"},
        {"/faces/vertices", 1, 6, "face 0 names vertex 6, of 6"},
        {"/faces/vertices", 1, -1, "face 0 names vertex -1, of 6"},
        {"/boundary/face", 1, 6, "boundary face 1 is face 6, of 6"},
        {"/boundary/face", 1, 2, "face 2 is two boundary faces"},
        {"/boundary/patch", 5, 4, "boundary face 5 is in boundary 4, of 4"},
    };
    struct mesh m;
    struct error e;
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        two_squares(&m);
        assert_true(mesh_write_native(&m, file, &e));
        spoil(damage[i].name, damage[i].at, damage[i].value);
        expect_damage(damage[i].says);
        mesh_free(&m);
    }
    static const char *const sets[] = {"/vertices", "/cells/type", "/cells/start", "/cells/vertices", "/cells/region",
        "/regions/names", "/boundary/names", "/boundary/partners", "/faces/start", "/faces/vertices",
        "/boundary/face", "/boundary/patch"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        two_squares(&m);
        assert_true(mesh_write_native(&m, file, &e));
        hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate_simple(1, (hsize_t[]){3}, NULL);
        H5Ldelete(f, sets[i], H5P_DEFAULT);
        H5Fclose(f);
        unguard();
        expect_damage("is not there");
        f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
        H5Dclose(H5Dcreate2(f, sets[i], H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Sclose(space), H5Fclose(f);
        expect_damage(sets[i]);
        mesh_free(&m);
    }
}

static void copy_version_1(void)
{
    char buffer[1 << 15];
    FILE *from = fopen("tests/data/mesh_version_1.h5", "rb"), *to = fopen(file, "wb");
    assert_true(from && to);
    size_t n = fread(buffer, 1, sizeof buffer, from);
    assert_true(n < sizeof buffer && fwrite(buffer, 1, n, to) == n);
    fclose(from), fclose(to);
}

/* A file of version 1, with every 3-D cell type, is the same mesh as in version 2. */
static void version_1(void **state)
{
    (void)state;
    static const struct { int64_t at; double value; const char *says; } damage[] = {
        {0, 24, "face 0 names vertex 24, of 24"}, {0, -2, "face 0 names vertex -2, of 24"},
        {1, -1, "after the end of its row"}};
    struct mesh m, again;
    struct error e;
    int32_t quads = 0;
    if (!mesh_read_native(&m, "tests/data/mesh_version_1.h5", &e)) fail_msg("%s", e.text);
    assert_int_equal(m.n_cells, 30), assert_int_equal(m.n_marked, 35);
    for (int32_t k = 0; k < m.n_marked; k++) quads += m.marked_start[k + 1] - m.marked_start[k] == 4;
    assert_int_equal(quads, 7);
    assert_true(mesh_write_native(&m, file, &e));
    if (!mesh_read_native(&again, file, &e)) fail_msg("%s", e.text);
    assert_same_mesh(&m, &again);
    if (!mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    assert_true(fabs(total_volume(&m) - 3) < 1e-12);
    mesh_free(&m), mesh_free(&again);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        copy_version_1();
        spoil("/boundary/faces", damage[i].at, damage[i].value);
        expect_damage(damage[i].says);
    }
}

static void damaged_heads(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    two_squares(&m);
    m.dim = 5;
    assert_true(mesh_write_native(&m, file, &e));
    expect_damage("attribute \"dim\" is 5; expected 2 to 3");
    m.dim = 2;
    strcpy(m.patch[2].partner, "lid");
    assert_true(mesh_write_native(&m, file, &e));
    expect_damage("the partner \"lid\" of boundary \"bottom\" is not there");
    strcpy(m.patch[2].name, "left");
    assert_true(mesh_write_native(&m, file, &e));
    expect_damage("boundary 0 has no name of its own: \"left\"");
    hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Adelete(f, "key");
    H5Fclose(f);
    expect_damage("its contents do not match its checksum");
    unguard();
    expect_damage("attribute \"key\" is not there");
    f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t a = H5Aopen(f, "version", H5P_DEFAULT);
    H5Awrite(a, H5T_NATIVE_INT, &(int){3});
    H5Aclose(a), H5Fclose(f);
    expect_damage("attribute \"version\" is 3; expected 1 to 2");
    f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(f);
    expect_damage("attribute \"format\" is not there");
    assert_int_equal(truncate(file, 100), 0);
    expect_damage("it is not an HDF5 file, or an incomplete one");
    unlink(file);
    expect_damage("cannot be read: No such file or directory");
    char nowhere[128];
    snprintf(nowhere, sizeof nowhere, "%s/none/mesh.h5", folder);
    assert_false(mesh_write_native(&m, nowhere, &e));
    assert_int_equal(e.status, EXIT_RESOURCE);
    assert_non_null(strstr(e.text, "none/mesh.h5: could not be written: No such file or directory"));
    mesh_free(&m);
}

/* Each allocation while a mesh is read may fail: always the documented status, never a crash. */
static void memory_runs_out(void **state)
{
    (void)state;
    int status = EXIT_RESOURCE, n = 0;
    fflush(NULL);
    while (status == EXIT_RESOURCE && n < 1000) {
        pid_t child = fork();
        if (child == 0) {
            struct mesh m = {0};
            struct error e;
            struct box_setting box = {.given = true, .dim = 2, .cells = {6, 5}, .to = {1, 1, 1}, .stretch = {1, 1, 1}};
            if (!freopen("/dev/null", "w", stderr)) _exit(99);
            allocation_fails_at(++n);
            mesh_box(&m, &box);
            _exit(mesh_complete(&m, ORDERING_NONE, NULL, 0, &e) ? 0 : 98);
        }
        n++;
        assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
        status = WEXITSTATUS(status);
    }
    assert_int_equal(status, 0);
    assert_true(n > 10);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/mesh.h5", folder);
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_runs_out), cmocka_unit_test(boundary_errors),
                                       cmocka_unit_test(cell_errors), cmocka_unit_test(periodic_errors),
                                       cmocka_unit_test(round_trip), cmocka_unit_test(damaged_files),
                                       cmocka_unit_test(version_1), cmocka_unit_test(damaged_heads)};
    int failed = RUN_TESTS("mesh errors", tests);
    unlink(file), rmdir(folder);
    return failed;
}

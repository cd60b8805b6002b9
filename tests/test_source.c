/* Sources of meshes: parameters of a .geo, meshes of cases, reuse, and a crashing Gmsh. */
#include "gmsh_fixture.h"
#include "mesh/geo.h"
#include "run/case_settings.h"

static void geo_files(void **state)
{
    (void)state;
    struct geo g;
    write_file("part.inc", "DefineConstant[ depth = 1 ];\n// Include \"no.geo\"\nInclude \"absent.geo\"; Merge "
               "\"m.msh\";\n");
    write_file("m.msh", "DefineConstant[ hidden = 1 ]");
    const char *path = write_file("all.geo", "DefineConstant[ a, b = 2, c = {3, Name \"Parameters/d, e\", Min 1},\n"
        "  f = Sin(g + Max(1, h)) /* i, j */ ]; // DefineConstant[ k ];\nx = \"DefineConstant[ l ]\";\n"
        "Include \"part.inc\"; Include \"part.inc\"; y = \"Merge\";\nDefineConstant[ a = 5, m_1 = 2 ];\n");
    assert_true(geo_scan(&g, path, &e));
    static const char *const names[] = {"a", "b", "c", "f", "m_1", "depth"}, *const files[] = {"all.geo", "part.inc",
    "m.msh"};
    assert_int_equal(g.n_names, 6);
    for (int i = 0; i < 6; i++) assert_string_equal(g.name[i], names[i]);
    assert_int_equal(g.n_files, 3);
    for (int i = 0; i < 3; i++) assert_string_equal(g.file[i], at(files[i]));
    geo_free(&g);
    assert_false(geo_scan(&g, at("absent.geo"), &e));
    geo_free(&g);
}

static struct case_source source = {.path = "strip.cfg"};
static struct boundary_setting boundary[3] = {{"walls", {&source, 1}, .type = BOUNDARY_WALL},
    {"left", {&source, 2}, .type = BOUNDARY_PERIODIC}, {"right", {&source, 3}, .type = BOUNDARY_PERIODIC}};

static struct case_settings case_of(const char *file)
{
    struct case_settings c = {.source = &source, .flow.boundary = {boundary, 3}};
    snprintf(c.mesh.file, sizeof c.mesh.file, "%s", file);
    snprintf(c.output.directory, sizeof c.output.directory, "%s", at("cache"));
    c.mesh.place = (struct case_place){&source, 7};
    return c;
}

static void refused_case(const struct case_settings *c, const char *const *parts)
{
    struct mesh m;
    if (mesh_of_case(&m, c, true, &e)) fail_msg("accepted instead of '%s'", parts[0]);
    expect_parts(e.text, parts);
}
#define REFUSED(c, ...) refused_case(c, (const char *const[]){__VA_ARGS__, NULL})

static long long changed(const char *path)
{
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return (long long)s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec;
}

static void open_case(const struct case_settings *c, int32_t n_cells)
{
    struct mesh m;
    if (!mesh_of_case(&m, c, true, &e)) fail_msg("%s", e.text);
    assert_int_equal(m.n_cells, n_cells);
    assert_int_equal(patch(&m, "left")->count, 0);
    assert_int_equal(m.n_joints, 2);
    mesh_free(&m);
}

static void reuse(void **state)
{
    (void)state;
    char text[2000];
    FILE *f = fopen("tests/data/strip.geo", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    write_file("inner.geo", text);
    struct parameter p = {"length", 2};
    struct case_settings c = case_of(write_file("outer.geo", "Include \"inner.geo\";\n"));
    open_case(&c, 18);
    long long first = changed(at("cache/mesh.h5"));
    open_case(&c, 18);
    assert_true(changed(at("cache/mesh.h5")) == first);
    c.mesh.parameter = &p, c.mesh.n_parameters = 1;              /* other parameters */
    open_case(&c, 18);
    long long second = changed(at("cache/mesh.h5"));
    assert_true(second != first);
    write_file("inner.geo", strcat(text, "// changed\n"));       /* another included file */
    open_case(&c, 18);
    assert_true(changed(at("cache/mesh.h5")) != second);
    write_file("cache/mesh.h5", "not HDF5");                     /* a damaged file is made again */
    open_case(&c, 18);
    setenv("POISE_GMSH", "/nowhere/poise-gmsh", 1);              /* nor is Gmsh needed while nothing has changed */
    open_case(&c, 18);
    setenv("POISE_GMSH", program, 1);
    c.mesh.n_parameters = 0;
    snprintf(c.mesh.file, sizeof c.mesh.file, "%s", at("cache/mesh.h5"));
    open_case(&c, 18);
}

static void case_errors(void **state)
{
    (void)state;
    struct case_settings c = case_of("tests/data/absent.geo");
    REFUSED(&c, "strip.cfg:7: mesh.file \"tests/data/absent.geo\": No such file");
    c = case_of("tests/data/strip.vtp");
    REFUSED(&c, "strip.cfg:7:", "expected .geo, .msh, .unv");
    struct parameter p = {"n", 3};
    c = case_of("tests/data/strip_4.1.msh");
    c.mesh.parameter = &p, c.mesh.n_parameters = 1;
    REFUSED(&c, "strip.cfg:7: mesh.parameters are for a .geo file");
    c = case_of("tests/data/strip_4.1.msh");
    c.flow.boundary.n = 2;
    REFUSED(&c, "right");
    c = case_of("tests/data/strip_2.2.msh");
    REFUSED(&c, "strip.cfg:2: boundary \"left\" is periodic, but neither the case nor tests/data/strip_2.2.msh says "
            "with what");
    strcpy(boundary[2].with, "left");                            /* given by one of the two: enough */
    open_case(&c, 18);
    strcpy(boundary[2].with, "walls");
    c = case_of("tests/data/strip_4.1.msh");
    REFUSED(&c, "boundary \"left\" is periodic with \"right\", but that one is periodic with \"walls\" (strip.cfg:3)");
    strcpy(boundary[1].with, "walls");
    REFUSED(&c, "boundary \"left\" is periodic with \"walls\", which must then have type = \"periodic\" too");
    strcpy(boundary[1].with, "left");
    REFUSED(&c, "boundary \"left\"", "itself");
    boundary[1].with[0] = boundary[2].with[0] = 0;
}

static void crashes(void **state)
{
    (void)state;
    static const struct gmsh_sample script[] = {
        {"kill -SEGV $$", {"Gmsh crashed (signal 11", "while meshing tests/data/strip.geo", "Mesh.Algorithm"}},
        {"echo 'free(): double free detected' >&2; kill -ABRT $$",
         {"Gmsh crashed (signal 6, Aborted) while meshing", "double free"}},
        {"kill -KILL $$", {"was killed (signal 9) while meshing tests/data/strip.geo, with 0.", "GB in use"}},
        {"echo std::bad_alloc >&2; kill -ABRT $$", {"ended with signal 6 (Aborted)", "because memory ran out"}},
        {"kill -TERM $$", {"was stopped (signal 15)"}},
        {"echo libgmsh.so.4.8: cannot open >&2; exit 127", {"apt install libgmsh-dev", "libgmsh.so.4.8: cannot open"}},
        {"exit 3", {"failed without a message"}},
        {"head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1", {"xxx"}},
        {"echo full >&2; exit 4", {"full"}}};
    for (size_t i = 0; i < sizeof script / sizeof *script; i++) {
        char text[200];
        snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script[i].text);
        const char *path = write_file("fake-gmsh", text);
        assert_int_equal(chmod(path, 0700), 0);
        setenv("POISE_GMSH", path, 1);
        assert_false(convert("tests/data/strip.geo", at("x.h5"), NULL, 0));
        expect_parts(e.text, script[i].parts);
        assert_int_equal(e.status, i <= 1 || (i > 4 && i < 8) ? EXIT_INPUT : EXIT_RESOURCE);
    }
    setenv("POISE_GMSH", "/nowhere/poise-gmsh", 1);
    assert_false(convert("tests/data/strip.geo", at("x.h5"), NULL, 0));
    expect_parts(e.text, (const char *const[]){"/nowhere/poise-gmsh: No such file", "apt install libgmsh-dev", "make",
                                               "poise mesh convert", NULL});
    setenv("POISE_GMSH", program, 1);
}

static void any_file(void **state)
{
    (void)state;
    struct mesh m;
    assert_true(mesh_open(&m, "tests/data/strip.geo", ORDERING_NONE, &e));
    assert_int_equal(m.n_cells, 18);
    assert_int_equal(patch(&m, "left")->count, 2);
    assert_true(mesh_write_native(&m, at("any.h5"), &e));
    mesh_free(&m);
    assert_true(mesh_open(&m, at("any.h5"), ORDERING_HILBERT, &e));
    assert_int_equal(m.n_cells, 18);
    mesh_free(&m);
    assert_false(mesh_open(&m, "tests/data/every_key.cfg", ORDERING_NONE, &e));
    expect_parts(e.text, (const char *const[]){"expected .geo, .msh, .unv", NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geo_files), cmocka_unit_test(reuse), cmocka_unit_test(case_errors),
        cmocka_unit_test(crashes), cmocka_unit_test(any_file)};
    if (!prepare()) return puts("ok source # SKIP poise-gmsh is not built"), 0;
    return cmocka_run_group_tests_name("source", tests, NULL, clean);
}

/* poise-gmsh: every element type and file version, every error and note. */
#include "gmsh_fixture.h"

static int count(const struct mesh *m, int type)
{
    int n = 0;
    for (int32_t c = 0; c < m->n_cells; c++) n += m->cell_type[c] == type;
    return n;
}

static double volume(const struct mesh *m)
{
    struct mesh_quality q;
    mesh_measure(m, &q);
    return q.volume_total;
}

static void every_type(void **state)
{
    (void)state;
    struct mesh m;
    struct parameter n = {"n", 3};
    load(&m, "tests/data/all_types.geo", NULL, 0);
    assert_int_equal(m.dim, 3);
    assert_int_equal(count(&m, CELL_HEXAHEDRON), 8);
    assert_int_equal(count(&m, CELL_PRISM), 28);
    assert_int_equal(count(&m, CELL_PYRAMID), 4);
    assert_true(count(&m, CELL_TETRAHEDRON) > 50);
    assert_true(fabs(volume(&m) - 3) < 1e-12);
    assert_int_equal(m.n_regions, 2);
    assert_string_equal(m.region[0], "block");
    assert_int_equal(patch(&m, "floor")->count, 4 + 14);
    assert_int_equal(patch(&m, "ceiling")->count, 14 + 14);
    int32_t in_block = 0;
    for (int32_t c = 0; c < m.n_cells; c++) in_block += m.cell_region[c] == 0;
    assert_int_equal(in_block, 8);
    assert_string_equal(notes, "");
    mesh_free(&m);
    load(&m, "tests/data/all_types.geo", &n, 1);
    assert_int_equal(count(&m, CELL_HEXAHEDRON), 27);
    mesh_free(&m);
}

/* One mesh in every version that Gmsh writes: the same cells, boundaries, and (if Gmsh reads them) partners. */
static void every_version(void **state)
{
    (void)state;
    static const char *const file[] = {"strip.geo", "strip_4.1.msh", "strip_4.1_binary.msh", "strip_4.0.msh",
                                       "strip_2.2.msh", "strip_2.2_binary.msh", "strip_1.msh"};
    for (int i = 0; i < 7; i++) {
        struct mesh m;
        char path[100];
        bool named = i < 6, linked = i < 4;
        snprintf(path, sizeof path, "tests/data/%s", file[i]);
        load(&m, path, NULL, 0);
        assert_int_equal(count(&m, CELL_QUADRILATERAL), 4);
        assert_int_equal(count(&m, CELL_TRIANGLE), 14);
        assert_true(fabs(volume(&m) - 2) < 1e-12);
        assert_string_equal(m.source, path);
        const struct patch *left = patch(&m, named ? "left" : "group_1"), *right = patch(&m,
                                                                                         named ? "right" : "group_2");
        assert_int_equal(left->count, 2);
        assert_int_equal(patch(&m, named ? "walls" : "group_3")->count, 8);
        assert_string_equal(left->partner, linked ? "right" : "");
        assert_string_equal(right->partner, linked ? "left" : "");
        if (linked) assert_string_equal(notes, "");
        else expect_parts(notes, (const char *const[]){"Gmsh kept none of the periodic links", "MshFileVersion = 4.1;",
                          NULL});
        if (!named) expect_parts(notes, (const char *const[]){"Physical Curve 3", "is called \"group_3\"", NULL});
        mesh_free(&m);
    }
}

/* The cases' geometries with all their elements, coarse. */
static void every_case(void **state)
{
    (void)state;
    static const struct { const char *file; int elements; const char *name; double value; int dim; double volume; }
    list[] = {
        {"cavity", 0, "n", 16, 2, 1}, {"cavity", 1, "n", 16, 2, 1}, {"cavity", 2, "n", 16, 2, 1},
        {"cavity3d", 0, "n", 8, 3, 1}, {"cavity3d", 1, "n", 8, 3, 1},
        {"channel", 0, "n", 8, 2, 4}, {"channel", 1, "n", 8, 2, 4},
        {"cylinder", 0, "h", 0.005, 2, 0.894146}, {"cylinder", 1, "h", 0.005, 2, 0.894146}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct mesh m;
        struct mesh_quality q;
        char path[100];
        struct parameter p[2] = {{"elements", list[i].elements}, {"", list[i].value}};
        snprintf(path, sizeof path, "cases/%s/%s.geo", list[i].file, list[i].file);
        strcpy(p[1].name, list[i].name);
        load(&m, path, p, 2);
        mesh_measure(&m, &q);
        assert_int_equal(m.dim, list[i].dim);
        assert_true(fabs(q.volume_total / list[i].volume - 1) < 1e-3);
        assert_true(q.non_orthogonality_max < (m.dim == 2 ? 40 : 70));
        assert_string_equal(notes, "");
        mesh_free(&m);
    }
}

/* A unit square of 14 triangles followed by the given text, and parts that the error or notes must contain. */
#define SQUARE "Point(1) = {0,0,0,0.5}; Point(2) = {1,0,0,0.5}; Point(3) = {1,1,0,0.5}; Point(4) = {0,1,0,0.5};\n" \
    "Line(1) = {1,2}; Line(2) = {2,3}; Line(3) = {3,4}; Line(4) = {4,1};\n"                                        \
    "Curve Loop(1) = {1:4}; Plane Surface(1) = {1};\n"
/* and one to the right of it */
#define SECOND "Point(5) = {2,0,0,0.5}; Point(6) = {2,1,0,0.5}; Line(5) = {2,5}; Line(6) = {5,6}; Line(7) = {6,3};\n" \
    "Curve Loop(2) = {5,6,7,-2}; Plane Surface(2) = {2};\n"
#define WALLS "Physical Curve(\"walls\") = {1:4};\n"
#define FLUID "Physical Surface(\"fluid\") = {1};\n"
#define LONG_NAME "a_name_of_more_than_sixty_three_characters_which_is_more_than_fit_in_it"

static const struct gmsh_sample refused[] = {
    {"x = foo;\n", {"bad.geo: Gmsh stopped while reading it", "line 1: Unknown variable 'foo'"}},
    {"Point(1) = {0,0,0};\nLine(1) = {1,2;\n", {"line 2: syntax error"}},
    {SQUARE WALLS "Physical Surface(\"fluid\") = {1}; x = 1;", {"bad.geo:5:", "2 commands", "no line end"}},
    {"Point(1) = {0,0,0};\n", {"no surface and no volume", "Plane Surface(1) = {1};"}},
    {"Exit;\n", {"bad.geo: Gmsh ended without an error", "Exit;"}},
    {SQUARE "Transfinite Curve{1} = 4; Transfinite Curve{3} = 6; Transfinite Surface{1};\n" WALLS FLUID,
        {"Gmsh stopped while meshing it", "Surface 1 cannot be meshed using the transfinite algo"}},
    {SQUARE WALLS, {"no surface is in a physical group", "Physical Surface(\"fluid\") = {1};"}},
    {SQUARE FLUID, {"curves 1, 2, 3, 4 bound the domain", "Physical Curve(\"walls\") = {1, 2, 3, 4};"}},
    {SQUARE FLUID "Physical Curve(\"walls\") = {1:3};\n", {"curve 4 bounds the domain and is in no physical group",
        "Physical Curve(\"walls\") = {4};", "Coherence;"}},
    {SQUARE WALLS FLUID "Physical Curve(\"inlet\") = {};\n", {"group \"inlet\" is empty", "there are 1, 2, 3, 4",
        "Physical Curve(\"inlet\") = {1};"}},
    {SQUARE WALLS FLUID "Physical Curve(\"inlet\") = {7};\n", {"group \"inlet\" is empty"}},
    {SQUARE WALLS FLUID "Physical Curve(\"inlet\") = {4};\n", {"curve 4 is in two groups, \"walls\" and "
        "\"inlet\": write Physical Curve(\"walls\") = {1, 2, 3};"}},
    {SQUARE FLUID "Physical Curve(\"inlet\") = {4}; Physical Curve(\"walls\") = {1:4};\n",
        {"curve 4 is in two groups, \"inlet\" and \"walls\": write Physical Curve(\"walls\") = {1, 2, 3};"}},
    {SQUARE WALLS FLUID "Physical Curve(\"rim\") = {1:4};\n", {"curve 1 is in two groups, \"walls\" and \"rim\": "
        "remove the line Physical Curve(\"walls\"), whose curves are all in the other one"}},
    {SQUARE WALLS FLUID "Physical Surface(\"solid\") = {1};\n",
        {"surface 1 is in two groups, \"fluid\" and \"solid\""}},
    {SQUARE FLUID "Physical Curve(\"my wall\") = {1:4};\n", {"cannot name the boundary \"my wall\"",
        "Physical Curve(\"my_wall\")"}},
    {SQUARE FLUID "Physical Curve(\"" LONG_NAME "\") = {1:4};\n", {"at most 63 are allowed"}},
    {SQUARE WALLS FLUID "Mesh.ElementOrder = 2;\n", {"elements of order 2 (Triangle 6)", "Mesh.ElementOrder = 1;"}},
    {SQUARE WALLS FLUID "Rotate {{1,0,0}, {0,0,0}, Pi/2} { Surface{:}; }\n", {"not in a plane z = const",
        "Rotate {{1, 0, 0}, {0, 0, 0}, -Pi/2} { Surface{:}; }"}},
    {SQUARE WALLS FLUID "Rotate {{0,1,0}, {0,0,0}, Pi/3} { Surface{:}; }\n", {"not in a plane z = const",
        "Physical Volume(\"fluid\")"}},
    {SQUARE WALLS FLUID "Extrude {0,0,1} { Surface{1}; }\n", {"no volume is in a physical group",
        "Physical Volume(\"fluid\") = {1};", "for a 2-D mesh leave the volumes out"}},
    {SQUARE "e[] = Extrude {0,0,1} { Surface{1}; Layers{2}; };\nPhysical Volume(\"fluid\") = {1};\n"
        "Physical Surface(\"walls\") = {1, e[0], e[2], e[3], e[4]};\n", {"surface 25 bounds the domain",
        "Physical Surface(\"walls\") = {25};"}},
    {SQUARE WALLS FLUID "Point(5) = {2,2,0,0.5}; Line(5) = {3,5};\nPhysical Curve(\"tail\") = {5};\n",
        {"on curve 5 (group \"tail\") belong to no cell", "Take it out of Physical Curve(\"tail\")"}},
    {SQUARE SECOND FLUID "Physical Curve(\"walls\") = {1,3,4,5,6,7};\n",
        {"curve 5 (group \"walls\") belong to no cell", "put the surface that it bounds into a group"}},
    {SQUARE "Translate {-0.9,-0.9,0} { Point{3}; }\nTransfinite Curve{1:4} = 5; Transfinite Surface{1};\n"
        "Recombine Surface{1};\n" WALLS FLUID,
        {"surface 1 is folded", "of its 16 cells are inside out"}},
};

static void refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const char *text = refused[i].text;
        if (convert(write_file("bad.geo", text), at("bad.h5"), NULL, 0)) fail_msg("accepted:\n%s", text);
        expect_parts(e.text, refused[i].parts);
        assert_int_equal(e.status, EXIT_INPUT);
        assert_int_not_equal(access(at("bad.h5"), F_OK), 0);
    }
}

static const struct gmsh_sample noted[] = {
    {SQUARE FLUID "Physical Curve(\"neg\") = {-1, 2, -3, 4};\nPoint(9) = {5,5,0};\n", {""}},
    {SQUARE "Physical Curve(5) = {1:4};\nPhysical Surface(6) = {1};\n", {"Physical Curve 5",
        "called \"group_5\"", "\"group_6\""}},
    {SQUARE WALLS FLUID "ReverseMesh Surface{1};\n", {"surface 1 of", "has its normal along -z",
        "ReverseMesh Surface{1};"}},
    {SQUARE WALLS FLUID "Point(5) = {2,2,0,0.3}; Line(5) = {3,5};\n", {"vertices of", "on curve 5"}},
    {SQUARE WALLS FLUID "Point(5) = {0.3,0.5,0,0.5}; Point(6) = {0.7,0.5,0,0.5}; Line(5) = {5,6}; Curve{5} In "
        "Surface{1};\nPhysical Curve(\"inner\") = {5};\n", {"faces of the group \"inner\"", "between two cells",
        "and with them the group"}},
    {SQUARE "Periodic Curve{2} = {-4} Translate{1,0,0};\n" WALLS FLUID, {"periodic link of the group \"walls\"",
        "both sides are in it"}},
    {SQUARE "Periodic Curve{2} = {3} Rotate{{0,0,1}, {1,1,0}, Pi/2};\nPhysical Curve(\"a\") = {2};\n"
        "Physical Curve(\"b\") = {3};\nPhysical Curve(\"c\") = {1,4};\n" FLUID, {"rotated copy"}},
    {SQUARE SECOND FLUID WALLS, {"surface 2 of", "in no Physical Surface and ignored"}},
};

static void remarks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
        struct mesh m;
        load(&m, write_file("noted.geo", noted[i].text), NULL, 0);
        assert_true(fabs(volume(&m) - 1) < 1e-12);
        if (*noted[i].parts[0]) expect_parts(notes, noted[i].parts);
        else assert_string_equal(notes, "");
        assert_int_equal(m.note[0], 0);
        mesh_free(&m);
    }
}

/* Data that Gmsh omits when it saves a mesh; saved.msh is made by the .geo itself. */
static void saved_meshes(void **state)
{
    (void)state;
    struct mesh m;
    mesh_trust_geo(true);
    convert(write_file("save.geo", SQUARE FLUID "Physical Curve(\"walls\") = {1:3};\nMesh.MshFileVersion = 4.1;\n"
                       "Mesh 2;\nSave \"saved.msh\";\n"), at("bad.h5"), NULL, 0);
    assert_false(convert(at("saved.msh"), at("bad.h5"), NULL, 0));
    expect_parts(e.text, (const char *const[]){"curve 4 bounds the domain", NULL});
    convert(write_file("save.geo", SQUARE "e[] = Extrude {0,0,1} { Surface{1}; Layers{2}; };\n"
                       "Physical Surface(\"walls\") = {1, 13, 17, 21, 25, 26};\nMesh.MshFileVersion = 4.1;\n"
                       "Mesh 3;\nSave \"saved.msh\";\n"), at("bad.h5"), NULL, 0);
    assert_false(convert(at("saved.msh"), at("bad.h5"), NULL, 0));
    expect_parts(e.text, (const char *const[]){"has volumes but no cells in them", "Physical Volume(\"fluid\")", NULL});
    char text[PATH_LENGTH + 200], *here = realpath("tests/data/all_types.geo", NULL);
    assert_non_null(here);
    snprintf(text, sizeof text, "Include \"%s\";\nMesh.Binary = 1;\nMesh 3;\nPartitionMesh 2;\nSave \"saved.msh\";\n",
             here);
    free(here);
    load(&m, write_file("save.geo", text), NULL, 0);
    int32_t n = m.n_cells;
    mesh_free(&m);
    load(&m, at("saved.msh"), NULL, 0);
    assert_int_equal(m.n_cells, n);
    assert_int_equal(count(&m, CELL_PYRAMID), 4);
    assert_true(fabs(volume(&m) - 3) < 1e-12);
    assert_int_equal(m.n_patches, 3);                            /* the interface of the two parts is not a boundary */
    mesh_free(&m);
    mesh_trust_geo(false);
}

/* Actions other than meshing that a .geo may ask of Gmsh, openly and hidden.  Each would create, or remove, the file
 * `trace`. */
static const struct gmsh_sample dangerous[] = {
    {"x = 1;\nSystemCall \"touch trace\";\n", {"bad.geo:2: ", "run the command \"touch trace\"", "--trust-geo"}},
    {"System\n  /* a */ \"touch trace\" ;\n", {"bad.geo:2: ", "run the command \"touch trace\""}},
    {"NonBlockingSystemCall \"touch trace\";\n", {"bad.geo:1: ", "run the command \"touch trace"}},
    {"StringToName[StrCat(\"System\", \"Call\")] StrCat(\"touch\", \" trace\");\n",
     {"run the command \"touch trace\""}},
    {"S2N[\"System\"] \"touch trace\";\n", {"run the command \"touch trace\""}},
    {"Macro Innocent\n  SystemCall \"touch trace\";\nReturn\nx = 1;\nCall Innocent;\n", {"bad.geo:2: ", "touch trace"}},
    {"name = \"system\";\nInclude StrCat(name, \".txt\");\n", {"system.txt:1: ", "run the command \"touch trace\""}},
    {"Merge StrCat(\"sys\", \"tem.txt\");\n", {"system.txt:1: ", "run the command \"touch trace\""}},
    {"OnelabRun(\"a\", \"touch trace\");\n", {"bad.geo:1: ", "the geometry asks to"}},
    {SQUARE WALLS FLUID "Field[1] = ExternalProcess; Field[1].CommandLine = \"touch trace\";\nBackground Field = 1;\n",
        {"bad.geo: ", "start a program"}},
    {"Printf(\"a\") > \"trace\";\n", {"bad.geo:1: ", "write the file", "trace\""}},
    {"f = \"trace\";\nPrintf(\"%g\", 1) >> f;\n", {"bad.geo:2: ", "write the file"}},
    {SQUARE "Mesh 2;\nSave \"trace.msh\";\n", {"bad.geo:5: ", "write the file"}},
    {"Print \"trace.msh\";\n", {"write the file"}},
    {"x = 1;\nInclude \"fifo\";\n", {"bad.geo:2: ", "read the pipe or device", "fifo\""}},
    {"Merge \"/dev/zero\";\n", {"read the pipe or device \"/dev/zero\""}},
    {"CreateDir \"trace\";\n", {"bad.geo:1: ", "make the folder"}},
    {SQUARE "Physical Curve(1) = {1:4}; Mesh 2; Plugin(NewView).Run; Save View[0] \"trace.pos\";\n",
     {"write the file"}},
};

static void check_no_trace(const char *text)
{
    static const char *const traces[] = {"trace", "trace.msh", "trace.pos"};
    for (int i = 0; i < 3; i++)
        if (!access(traces[i], F_OK) || !access(at(traces[i]), F_OK)) fail_msg("left a trace:\n%s", text);
}

static void strangers(void **state)
{
    (void)state;
    struct mesh m;
    assert_int_equal(mkfifo(at("fifo"), 0600), 0);
    write_file("system.txt", "SystemCall \"touch trace\";\n");
    for (size_t i = 0; i < sizeof dangerous / sizeof *dangerous; i++) {
        const char *text = dangerous[i].text;
        if (convert(write_file("bad.geo", text), at("bad.h5"), NULL, 0)) fail_msg("accepted:\n%s", text);
        expect_parts(e.text, dangerous[i].parts);
        assert_int_equal(e.status, EXIT_INPUT);
        assert_int_not_equal(access(at("bad.h5"), F_OK), 0);
        check_no_trace(text);
    }
    char text[PATH_LENGTH + 1000];
    snprintf(text, sizeof text, "SystemCall \"touch %s\";\n" SQUARE WALLS FLUID, at("trace"));
    mesh_trust_geo(true);
    assert_false(convert(write_file("bad.msh", text), at("bad.h5"), NULL, 0));    /* mesh data are never trusted */
    check_no_trace(text);
    load(&m, write_file("good.geo", text), NULL, 0);
    mesh_trust_geo(false);
    mesh_free(&m);
    assert_int_equal(access(at("trace"), F_OK), 0);
}

/* Hand-written files of version 2: two squares as cells, and a hexahedron numbered inside out. */
#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define SIX "$Nodes\n7\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n6 2 1 0\n7 9 9 0\n$EndNodes\n"
static const struct gmsh_sample refused_msh[] = {
    {"hello\n", {"is not a Gmsh mesh: it begins with \"hello\"; expected $MeshFormat"}},
    {"", {"is not a Gmsh mesh"}},
    {" $MeshFormat\n", {"is not a Gmsh mesh"}},
    {"$MeshFormat\nhello\n", {"Gmsh stopped while reading it"}},
    {HEAD, {"has no cells", "Physical Surface(\"fluid\") = {1};"}},
    {HEAD SIX "$Elements\n1\n1 1 2 1 1 1 2\n$EndElements\n", {"has no cells", "Physical Surface(\"fluid\") = {1};"}},
    {HEAD SIX "$Elements\n1\n1 3 2 0 1 1 2 3 4\n$EndElements\n", {"no surface is in a physical group"}},
    {HEAD SIX "$Elements\n2\n1 3 2 1 1 1 2 3 4\n2 3 2 2 1 2 5 6 3\n$EndElements\n", {"surface 1 is in two groups"}},
    {HEAD SIX "$Elements\n2\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 2 3 6 5\n$EndElements\n",
        {"surface 1 is folded", "1 of its 2"}},
    {HEAD SIX "$Elements\n1\n1 2 2 1 1 1 2 5\n$EndElements\n", {"has no area"}},
    {HEAD "$PhysicalNames\n2\n2 1 \"fluid\"\n1 9 \"inlet\"\n$EndPhysicalNames\n" SIX
        "$Elements\n1\n1 3 2 1 1 1 2 3 4\n$EndElements\n", {"the group \"inlet\" is empty"}},
    {HEAD SIX "$Elements\n3\n1 3 2 1 1 1 2 3 4\n2 1 2 7 1 1 2\n3 1 2 8 2 1 2\n$EndElements\n",
        {"\"group_7\" and \"group_8\" overlap", "Coherence;"}},
    {HEAD SIX "$Elements\n1\n1 16 2 1 1 1 2 3 4 5 6 7 1\n$EndElements\n",
     {"order 2", "mesh.curved = \"straight\" (poise mesh convert --straight) keeps only their corners"}},
    {HEAD "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 nan 1 0\n$EndNodes\n$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n",
        {"vertex 2 (counted from 0) is at (nan, 1, 0); expected numbers"}},
    {HEAD "$Nodes\n3\n1 0 0 -1e308\n2 1 0 -1e308\n3 0 1 -1e308\n$EndNodes\n$Elements\n1\n1 2 2 1 1 1 2 3\n"
        "$EndElements\n", {"vertex 0 (counted from 0) is at (0, 0, -1e+308); expected numbers from -1e+50 to 1e+50"}},
};

static void refused_meshes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused_msh / sizeof *refused_msh; i++) {
        const char *text = refused_msh[i].text;
        if (convert(write_file("bad.msh", text), at("bad.h5"), NULL, 0)) fail_msg("accepted:\n%s", text);
        expect_parts(e.text, refused_msh[i].parts);
    }
    struct mesh m;
    load(&m, write_file("cube.msh", HEAD "$PhysicalNames\n2\n3 1 \"fluid\"\n2 2 \"walls\"\n$EndPhysicalNames\n"
        "$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n9 3 3 3\n$EndNodes\n"
        "$Elements\n7\n1 5 2 1 1 5 6 7 8 1 2 3 4\n2 3 2 2 1 1 2 3 4\n3 3 2 2 1 5 6 7 8\n4 3 2 2 1 1 2 6 5\n"
        "5 3 2 2 1 2 3 7 6\n6 3 2 2 1 3 4 8 7\n7 3 2 2 1 4 1 5 8\n$EndElements\n"), NULL, 0);
    assert_true(fabs(volume(&m) - 1) < 1e-12);
    assert_int_equal(m.n_vertices, 8);
    expect_parts(notes, (const char *const[]){"cells of volume 1", "inside out and were reversed", NULL});
    mesh_free(&m);
}

/* The advice in the message about a .msh of second order. */
static void second_order(void **state)
{
    (void)state;
    struct mesh m;
    mesh_trust_geo(true);
    assert_false(convert(write_file("save.geo",
                                    SQUARE WALLS FLUID "Mesh.ElementOrder = 2; Mesh 2;\nSave \"second.msh\";\n"),
                         at("x.h5"), NULL, 0));
    mesh_trust_geo(false);
    assert_false(convert(at("second.msh"), at("x.h5"), NULL, 0));
    expect_parts(e.text, (const char *const[]){"elements of order 2", "mesh.curved = \"straight\"", NULL});
    load(&m, write_file("first.geo", "Merge \"second.msh\"; SetOrder 1;\n"), NULL, 0);
    assert_int_equal(m.n_cells, 14);
    mesh_free(&m);
    struct mesh_setting s = {.curved = CURVED_STRAIGHT};
    snprintf(s.file, sizeof s.file, "%s", at("second.msh"));
    if (!mesh_convert(&s, at("x.h5"), &e)) fail_msg("%s", e.text);
    read_complete(&m, at("x.h5"));
    assert_int_equal(m.n_cells, 14);
    mesh_free(&m);
}

static void parameters(void **state)
{
    (void)state;
    struct mesh m;
    struct parameter p[2] = {{"lenght", 3}, {"n", 3}}, good[2] = {{"length", 3}, {"n", 4}};
    assert_false(convert("tests/data/strip.geo", at("x.h5"), p, 2));
    expect_parts(e.text, (const char *const[]){"no parameter \"lenght\", did you mean \"length\"?", "are: n, length",
                                               "DefineConstant[ lenght = 3 ];", NULL});
    assert_false(convert("tests/data/strip_4.1.msh", at("x.h5"), p, 1));
    expect_parts(e.text, (const char *const[]){"a mesh has no parameters", "lenght", NULL});
    assert_false(convert(at("none.geo"), at("x.h5"), NULL, 0));
    expect_parts(e.text, (const char *const[]){"none.geo: cannot be read: No such file", NULL});
    assert_false(convert("tests/data/every_key.cfg", at("x.h5"), NULL, 0));
    expect_parts(e.text, (const char *const[]){"cannot be converted; expected .geo, .msh", NULL});
    assert_false(convert("tests/data/strip.geo", at("x.vtk"), NULL, 0));
    expect_parts(e.text, (const char *const[]){"ends in .h5", NULL});
    assert_false(convert("tests/data/strip.geo", "/nowhere/x.h5", NULL, 0));
    expect_parts(e.text, (const char *const[]){"/nowhere/x.h5", NULL});
    assert_int_equal(e.status, EXIT_RESOURCE);
    load(&m, "tests/data/strip.geo", good, 2);
    assert_true(fabs(volume(&m) - 3) < 1e-12);
    assert_int_equal(count(&m, CELL_QUADRILATERAL), 16);
    mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type), cmocka_unit_test(every_version), cmocka_unit_test(every_case),
        cmocka_unit_test(refusals), cmocka_unit_test(remarks), cmocka_unit_test(saved_meshes),
        cmocka_unit_test(strangers),
        cmocka_unit_test(refused_meshes), cmocka_unit_test(second_order), cmocka_unit_test(parameters)};
    if (!prepare()) return puts("ok gmsh # SKIP poise-gmsh is not built"), 0;
    return cmocka_run_group_tests_name("gmsh", tests, NULL, clean);
}

/* The reader of case files: text, --set, names, the listing, help, the order of messages. */
#include "case_fixture.h"

static char *listing(const struct case_settings *c) { return strdup(c->source->listing); }

static void check_listing_again(const struct case_settings *c)
{
    struct case_settings again;
    char *text = listing(c);
    write_file("c.cfg", text);
    read_good(&again, "c.cfg", NULL, 0);
    char *second = listing(&again);
    for (char *p = text, *q = second; *p || *q; p += strcspn(p, "\n") + 1, q += strcspn(q, "\n") + 1) {
        int n = (int)strcspn(p, "#\n"), m = (int)strcspn(q, "#\n");     /* without remarks */
        while (n && p[n - 1] == ' ') n--;
        while (m && q[m - 1] == ' ') m--;
        assert_int_equal(n, m);
        assert_memory_equal(p, q, n);
    }
    free(text), free(second);
    case_free(&again);
}

static void listing_is_a_case(void **state)
{
    (void)state;
    struct case_settings c;
    const char *set = "solver.algorithm=simple";
    write_case(5, "initial = { pressure = 0.1; }; output = { directory = \"a \\\"b\\\"\"; };");
    read_good(&c, "c.cfg", &set, 1);
    char *text = listing(&c);
    assert_non_null(strstr(text, "fluid = {\n    viscosity = 0.001;\n};\n"));
    assert_non_null(strstr(c.source->settings, "fluid.density = 1.0\n"));
    assert_non_null(strstr(text, "    algorithm = \"simple\";                           # --set\n"));
    assert_non_null(strstr(c.source->settings, "solver.relaxation_velocity = 0.7\n"));
    assert_true(!strstr(text, "relaxation") && !strstr(text, "bubbles") && !strstr(text, "{\n}"));
    assert_non_null(strstr(text, "    pressure = 0.1;\n"));
    free(text);
    check_listing_again(&c);
    case_free(&c);
    write_case(5, two_phase);
    read_good(&c, "c.cfg", NULL, 0);
    check_listing_again(&c);
    case_free(&c);
    write_case(5, two_phase);
    const char *advection[] = {"solver.algorithm=advection", "prescribed.field=vortex"};
    read_good(&c, "c.cfg", advection, 2);
    check_listing_again(&c);
    case_free(&c);
}

/* The settings contain the keys that affect this preconditioner, and no others. */
static void listing_of_preconditioners(void **state)
{
    (void)state;
    static const struct { const char *text; int inner, smoothing; } row[] = {
        {"", 0, 0}, {"preconditioner = \"multigrid\";", 0, 0}, {"preconditioner = \"none\";", 0, 1},
        {"preconditioner = \"jacobi\"; smoothing_every = 0;", 0, 1}, {"preconditioner = \"block-jacobi\";", 1, 1},
        {"preconditioner = \"ruiz\"; smoothing_before = 2;", 1, 1},
        {"preconditioner = \"jacobi\"; smoothing_every = 9; inner = \"cg\";", 1, 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct case_settings c;
        char text[200];
        snprintf(text, sizeof text, "solver = { pressure = { %s }; };", row[i].text);
        write_case(5, text);
        read_good(&c, "c.cfg", NULL, 0);
        const char *list = c.source->settings;
        assert_int_equal(strstr(list, "inner = ") != NULL, row[i].inner);
        assert_int_equal(strstr(list, "inner_sweeps = ") != NULL, row[i].inner);
        assert_int_equal(strstr(list, "smoothing_before = ") != NULL, row[i].smoothing);
        assert_int_equal(strstr(list, "smoothing_every = ") != NULL, row[i].smoothing);
        check_listing_again(&c);
        case_free(&c);
    }
}

static void paths(void **state)
{
    (void)state;
    struct case_settings c;
    assert_int_equal(system("mkdir -p sub"), 0);
    write_file(
        "sub/x.cfg",
        "mesh = { file = \"../m.geo\"; }; fluid = { viscosity = 1; }; boundary = { w = { type = \"wall\"; }; };");
    read_good(&c, "sub/x.cfg", NULL, 0);
    assert_string_equal(c.mesh.file, "sub/../m.geo");
    case_free(&c);
    expect_error("sub/y.cfg", NULL, 0,
                 "sub/y.cfg: No such file or directory; case files in sub/: x.cfg (did you mean \"x.cfg\"?)");
    expect_error("none/y.cfg", NULL, 0, "none/y.cfg: No such file or directory; there is no folder none/");
    expect_error("sub", NULL, 0, "sub/: Is a directory; case files in sub/: x.cfg");
    FILE *f = fopen("binary", "w");
    fwrite("a\0b", 1, 3, f);
    fclose(f);
    expect_error("binary", NULL, 0, "binary: this is not a text file; expected a case file");
}

static void syntax(void **state)
{
    (void)state;
    refused(2, "fluid = { viscosity = wall; };",
            "c.cfg:2: syntax error; write words in quotes: name = \"word\";\n    fluid = { viscosity = wall; };");
    refused(2, "fluid = { viscosity 0.001; };",
            "c.cfg:2: syntax error; expected  name = value;  or  name = { ... };  the error may be at the end of the "
            "previous line\n"
            "    fluid = { viscosity 0.001; };");
    static const struct { int line; const char *text, *hint; } slips[] = {
        {2, "fluid = { viscosity = 1,5; };",
         "write numbers with a decimal point, no comma, and several in brackets: [1.0, 0.0]"},
        {2, "fluid = { density : 1.2 kg; viscosity = 1; };", "write numbers without units: name = 1.0;"},
        {2, "fluid = { viscosity = 1e-6m; };", "write numbers without units: name = 1.0;"},
        {2, "fluid = { viscosity = 1; gravity = {0.0, -9.8}; };", "write a list in brackets: name = [1.0, 0.0];"},
        {5, "output = { fields = [\"velocity\", \"pressure\"; every = 5; }; # ]", "a closing ] is missing"},
        {5, "output = { format = 'xdmf'; };", "write words in double quotes: name = \"word\";"},
        {5, "output = { fields = [\"velocity, \"pressure\"]; };", "a closing quote is missing"}};
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        char said[300];
        snprintf(said, sizeof said, "c.cfg:%d: syntax error; %s\n    %s", slips[i].line, slips[i].hint, slips[i].text);
        refused(slips[i].line, slips[i].text, said);
    }
    refused(5, "solver = {", "c.cfg:7: syntax error; the file ends too early: a closing } or ] or quote is missing");
    refused(5, "fluid = { density = 1; };",
            "c.cfg:5: duplicate setting name; a name may occur once in a group: remove one of the two\n"
            "    fluid = { density = 1; };");
    refused(5, "@include \"nothing\"",
            "c.cfg:5: @include \"nothing\": No such file or directory");
}

/* Included files are read like the case, and errors in them are reported with their own name and line. */
static void included(void **state)
{
    (void)state;
    struct case_settings c;
    assert_int_equal(system("mkdir -p parts"), 0);
    write_file("parts/flow.cfg", "initial = { velocity = [1, 2.5]; };\n@include \"parts/more.cfg\"\n"
               "probes = { p = { at = [0, 0]; }; };");
    write_file("parts/more.cfg", "\xEF\xBB\xBF# more\nlines = { l = { from = [0, 0]; to = [1, 1.5]; }; };");
    write_case(5, "  @include \"parts/flow.cfg\" forces = { f = { boundaries = [\"lid\"]; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(c.flow.initial.velocity[0].number == 1 && c.flow.initial.velocity[1].number == 2.5 &&
                c.lines.item[0].to[1] == 1.5);
    assert_string_equal(case_place_text(c.flow.boundary.item[1].place), "c.cfg:4");
    assert_string_equal(case_place_text(c.lines.item[0].place), "parts/more.cfg:2");
    assert_string_equal(case_place_text(c.probes.item[0].place), "parts/flow.cfg:3");
    assert_string_equal(case_place_text(c.forces.item[0].place), "c.cfg:5");
    case_free(&c);
    write_file("parts/flow.cfg",
               "# a\nsolver = { max_iterations = 0x100000005; };\noutput = { every = 4294967299; };\n");
    refused(5, "@include \"parts/flow.cfg\"\nlines = 3;", "parts/flow.cfg:2: solver.max_iterations = 4294967301.0: "
            "expected a whole number >= 1; the number found is too large\n"
            "parts/flow.cfg:3: output.every = 4294967299.0: expected a whole number >= 0 [iterations or time steps]; "
            "the number found is too large\nc.cfg:6: lines is not a group: expected lines = { ... }");
    write_file("parts/flow.cfg", "\n\nsolver = { algorithm = simplec; };");
    refused(5, "@include \"parts/flow.cfg\"", "parts/flow.cfg:3: syntax error; write words in quotes: name = "
            "\"word\";\n    solver = { algorithm = simplec; };");
    write_file("parts/flow.cfg", "\n@include \"parts/flow.cfg\"");
    refused(5, "@include \"parts/flow.cfg\"", "parts/flow.cfg:2: @include \"parts/flow.cfg\": files are included "
            "more than 10 deep, or more than 1000 in all; does one include itself?");
    FILE *many = fopen("parts/flow.cfg", "w");
    for (int i = 0; i < 100; i++) fprintf(many, "@include \"parts/more.cfg\"\n");
    fclose(many);
    assert_int_equal(system("cp parts/flow.cfg parts/hundred.cfg; sed -i s/more/hundred/ parts/flow.cfg; "
                            ": >parts/more.cfg"), 0);
    write_case(5, "@include \"parts/flow.cfg\"");
    struct error e;
    assert_false(case_read(&c, "c.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.text, "@include \"parts/more.cfg\": files are included more than 10 deep, or more than "
                           "1000 in all"));
    assert_int_equal(system("mkfifo parts/pipe"), 0);
    refused(5, "@include \"parts/pipe\"", "c.cfg:5: @include \"parts/pipe\": this is a pipe, a socket or a device, "
            "not a file; save its output in a file");
    refused(5, "@include \".\"", "c.cfg:5: @include \".\": Is a directory");
    refused(5, "@include parts",
            "c.cfg:5: @include: expected a file name in quotes, at most 1023 letters: @include \"part.cfg\"");
    set_refused("fluid.viscosity=1;\n@include \"parts/more.cfg\"", "--set fluid.viscosity=1;\n"
                "@include \"parts/more.cfg\": cannot be read; expected key=value with a number, a word, \"text\" or "
                "[1.0, 0.0]");
}

/* Byte order marks of some editors. */
static void byte_order_mark(void **state)
{
    (void)state;
    struct case_settings c;
    write_file("c.cfg", "\xEF\xBB\xBFmesh = { box = { cells = [4, 4]; }; }; fluid = { viscosity = 1; }; "
               "boundary = { w = { type = \"wall\"; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(c.mesh.box.given);
    case_free(&c);
}

/* JSON and libconfig's language are equivalent, with the same lines in messages. */
static void json(void **state)
{
    (void)state;
    struct case_settings c, same;
    const char *set = "fluid.viscosity=0.002";
    write_file("j.json",
               "\xEF\xBB\xBF{ \"mesh\": { \"box\": { \"cells\": [4, 3], \"to\": [2, 0.5] } },\n"
               "  \"fluid\" : { \"viscosity\": 1e-3, \"heat_capacity\": 2, \"conductivity\": \"1 + x^2\" },\n"
               "  \"initial\" : { \"temperature\": \"300 + x\" },\n"
               "  \"output\": { \"fields\": [\"velocity\"], \"directory\": \"a: {\\\"b\\\"}\" },\n"
               "  \"boundary\": { \"left\": { \"type\": \"wall\", \"temperature\": \"300*(1 + y)\" },\n"
               "  \"top\": { \"type\": \"wall\" } } }\n");
    write_file("j.cfg", "mesh = { box = { cells = [4, 3]; to = [2, 0.5]; }; }; fluid = { viscosity = 1e-3; "
                        "heat_capacity = 2; conductivity = \"1 + x^2\"; };\n"
                        "initial = { temperature = \"300 + x\"; };\n"
                        "output = { fields = [\"velocity\"]; directory = \"a: {\\\"b\\\"}\"; };\n"
                        "boundary = { left = { type = \"wall\"; temperature = \"300*(1 + y)\"; }; "
                        "top = { type = \"wall\"; }; };\n");
    read_good(&c, "j.json", &set, 1);
    read_good(&same, "j.cfg", &set, 1);
    char *text = listing(&c), *other = listing(&same);
    assert_string_equal(text, other);
    assert_string_equal(c.source->name, "j");
    free(text), free(other);
    case_free(&c), case_free(&same);
    const char *const fault[][2] = {
        {"{ \"fluid\": {\n\"viscosity\": -1 }, \"mesh\": { \"file\": \"a.geo\" },\n"
         "\"boundary\": { \"a\": { \"type\": \"wall\" } } }",
         "j.json:2: fluid.viscosity = -1: expected a number > 0 or an expression, in quotes "
            "[mass/(length time)]"},
        {"{ \"fluid\": { \"viscosity\": 1, \"heat_capacity\": 1,\n"
         "\"conductivity\": \"1 + q\" },\n"
         "\"mesh\": { \"file\": \"a.geo\" }, \"boundary\": { \"a\": { \"type\": \"wall\" } } }",
         "j.json:2: fluid.conductivity: there is no variable \"q\"; expected x, y, z, t or temperature, a number, pi, "
         "e or a function\n    1 + q\n        ^"},
        {"{ \"fluid\":\n { \"viscosity\": null } }", "j.json:2: syntax error; expected  \"name\": value  or  \"name\": "
         "{ ... }, as in JSON, with names that begin with a letter\n     { \"viscosity\": null } }"},
        {"{ \"fluid\": { \"viscosity\": 1 }\n",
         "j.json:2: syntax error; the file ends too early: a closing } is missing"},
        {"{ \"fluid\": { \"viscosity\": 1 } } }", "j.json:1: syntax error; expected  \"name\": value  or  \"name\": "
         "{ ... }, as in JSON, with names that begin with a letter\n    { \"fluid\": { \"viscosity\": 1 } } }"}};
    for (size_t i = 0; i < sizeof fault / sizeof *fault; i++) {
        write_file("j.json", fault[i][0]);
        expect_error("j.json", NULL, 0, fault[i][1]);
    }
}

/* Expressions and tables, with the escapes that writers of JSON put into them. */
static void json_values(void **state)
{
    (void)state;
    struct case_settings c;
    write_file("m\u00e4\U0001F600.csv", "y,velocity_x,dye\n0,1,1\n1,2,0\n");
    write_file("j.json",
               "{ \"mesh\": { \"box\": { \"cells\": [4, 3] } }, \"fluid\": { \"viscosity\": 1 },\n"
               "  \"solver\": { \"algorithm\": \"piso\" }, \"time\": { \"end\": 1, \"step\": 0.1 },\n"
               "  \"scalars\": { \"dye\": { \"diffusivity\": 1 } },\n"
               "  \"boundary\": { \"left\": { \"type\": \"inlet\", \"table\": \"m\\u00e4\\uD83D\\uDE00.csv\" },\n"
               "  \"right\": { \"type\": \"outlet\" }, \"top\": { \"type\": \"wall\" },\n"
               "  \"bottom\": { \"type\": \"wall\",\n"
               "    \"velocity\": [\"t \\u003E 0.5 \\u0026\\u0026 y<1 ? x\\/2 : 0\", 0] } } }\n");
    read_good(&c, "j.json", NULL, 0);
    const struct boundary_setting *b = c.flow.boundary.item;
    assert_string_equal(b[0].velocity[0].text, "table:m\u00e4\U0001F600.csv:velocity_x");
    assert_true(b[0].velocity[1].number == 0 && !b[0].velocity[1].text);
    assert_string_equal(b[3].velocity[0].text, "t > 0.5 && y<1 ? x/2 : 0");
    assert_true(b[3].velocity[0].in_time);
    assert_string_equal(c.flow.scalars.item[0].value[0].value.text, "table:m\u00e4\U0001F600.csv:dye");
    case_free(&c);
    write_file("j.json", "{ \"mesh\": { \"box\": { \"cells\": [4, 3] } },\"boundary\":{\"a\":{\"type\":\"wall\"}},\n"
                         "\"fluid\": { \"viscosity\": \"1\\u0022\\u005c\\u000a\" } }");
    expect_error("j.json", NULL, 0, "j.json:2: fluid.viscosity: this is no part of an expression: \"\"\"\n"
                 "    1\"\\\n\n     ^");
}

static void unknown_names(void **state)
{
    (void)state;
    refused(2, "fluid = { viscosty = 0.001; };", "c.cfg:2: unknown key \"fluid.viscosty\" (did you mean "
            "\"viscosity\"?); expected here: density, viscosity, gravity, acceleration, "
            "heat_capacity, conductivity, expansion, reference_temperature, property_range, "
            "viscosity_model\n"
            "c.cfg:2: fluid.viscosity is missing: expected a number > 0 or an expression, in quotes "
            "[mass/(length time)]");
    refused(5, "solvr = { };", "c.cfg:5: unknown key \"solvr\" (did you mean \"solver\"?); "
            "expected here: mesh, fluid, solids, second_fluid, interface, shapes, boundary, initial, time, scalars, "
            "buoyancy, driven, sources, prescribed, solver, output, lines, probes, forces, surfaces, planes, averages, "
            "convergence, nusselt, bubbles");
    refused(5, "max_iterations = 4;", "c.cfg:5: unknown key \"max_iterations\"; expected here: mesh, fluid, "
            "solids, second_fluid, interface, shapes, boundary, initial, time, scalars, buoyancy, driven, sources, "
            "prescribed, solver, output, lines, probes, forces, surfaces, planes, averages, convergence, nusselt, "
            "bubbles; max_iterations belongs in solver = { ... }");
    refused(5, "turbulence = { };", "c.cfg:5: unknown key \"turbulence\": Poise does not support turbulence models; "
            "expected here: mesh, fluid, solids, second_fluid, interface, shapes, boundary, initial, time, scalars, "
            "buoyancy, driven, sources, prescribed, solver, output, lines, probes, forces, surfaces, planes, averages, "
            "convergence, nusselt, bubbles");
    refused(2, "fluid = { viscosity = 1; temperature = 300; };", "c.cfg:2: unknown key \"fluid.temperature\"; "
            "expected here: density, viscosity, gravity, acceleration, "
            "heat_capacity, conductivity, expansion, reference_temperature, property_range, "
            "viscosity_model; temperature belongs in "
            "boundary.NAME = { ... }");
    refused(2, "fluid = { viscosity = 1; visc = 300; };", "c.cfg:2: unknown key \"fluid.visc\" (did you mean "
            "\"viscosity\"?); expected here: density, viscosity, gravity, "
            "acceleration, heat_capacity, conductivity, expansion, reference_temperature, property_range, "
            "viscosity_model");
    refused(2, "fluid = { viscosity = 1; colour = 300; };",
            "c.cfg:2: unknown key \"fluid.colour\"; expected here: density, viscosity, gravity, "
            "acceleration, heat_capacity, conductivity, expansion, reference_temperature, property_range, "
            "viscosity_model");
    refused(5, "solver = { algorithm = \"rhoSimple_compressible\"; };", "c.cfg:5: solver.algorithm = "
            "\"rhoSimple_compressible\": expected simple, simplec, coupled, piso, pimple, advection, "
            "conduction or transient-conduction, in "
            "quotes; Poise does not support compressible flow");
    refused(5, "solver = { presure = { }; };", "c.cfg:5: unknown key \"solver.presure\" (did you mean "
             "\"pressure\"?); expected here: algorithm, tolerance, max_iterations, stall_limit, relaxation_velocity, "
             "relaxation_pressure, acceleration, non_orthogonal_correctors, convection, convection_temperature, "
             "gradient, accuracy, pressure, velocity, coupled");
    refused(4, "walls = { type = \"wal\"; }; };",
            "c.cfg:4: boundary.walls.type = \"wal\": expected wall, inlet, outlet, symmetry, slip "
            "or periodic, in quotes (did you mean \"wall\"?)");
}

static void command_line_errors(void **state)
{
    (void)state;
    set_refused("fluid.viscosty=1",
                "--set fluid.viscosty=1: unknown key \"fluid.viscosty\" (did you mean \"viscosity\"?); expected "
                "here: density, viscosity, gravity, acceleration, heat_capacity, conductivity, "
                "expansion, reference_temperature, property_range, "
            "viscosity_model");
    set_refused("fluid.viscosity=-1",
                "--set fluid.viscosity=-1: fluid.viscosity = -1: expected a number > 0 or an expression");
    set_refused("fluid.viscosity", "--set fluid.viscosity: expected key=value, like --set fluid.viscosity=0.0025");
    set_refused("fluid.viscosity.x=1", "--set fluid.viscosity.x=1: fluid.viscosity is a value, not a group of keys");
    set_refused("initial.velocity=[1,2",
                "--set initial.velocity=[1,2: cannot be read; expected key=value with a number, a word, "
                "\"text\" or [1.0, 0.0]");
    set_refused("boundary.lidd.velocity=[1,2]", "--set boundary.lidd.velocity=[1,2]: boundary.lidd.type is missing; "
                "\"lidd\" is not in the file (did you mean \"lid\"?): expected wall, inlet, outlet, symmetry, slip or "
                "periodic, in quotes");
    set_refused("fl uid.x=1",
                "--set fl uid.x=1: cannot be read; expected key=value with a number, a word, \"text\" or [1.0, 0.0]");
}

static void many_errors(void **state)
{
    (void)state;
    struct case_settings c;
    struct error e;
    char text[3000] = "solver = {\n", key[40];
    for (int i = 0; i < 30; i++) snprintf(key, sizeof key, "x%d = 1;\n", i), strcat(text, key);
    write_case(5, strcat(text, "};"));
    assert_false(case_read(&c, "c.cfg", NULL, 0, &e));
    int lines = 1;
    for (const char *p = e.text; *p; p++) lines += *p == '\n';
    assert_in_range(lines, 10, 21);
    assert_memory_equal(e.text, "c.cfg:6: unknown key \"solver.x0\"", 32);
    const char *last = strrchr(e.text, '\n') + 1;
    int more;
    assert_int_equal(sscanf(last, "and %d more errors", &more), 1);
    assert_int_equal(lines - 1 + more, 30);
    refused(2, "fluid = { viscosity = -1; };\nsolver = { tolerance = -1; };",       /* in the order of the lines */
            "c.cfg:2: fluid.viscosity = -1: expected a number > 0 or an expression, in quotes "
            "[mass/(length time)]\n"
            "c.cfg:3: solver.tolerance = -1: expected a number in (0, 1)");
}

static void help_names_every_key(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    assert_true(case_help(f, NULL, NULL));
    fclose(f);
    assert_null(strstr(text, "(null)"));                /* a value of an enum without a word */
    assert_non_null(strstr(text, "solver.pressure = { ... }"));
    assert_non_null(strstr(text, "boundary.NAME = { ... }"));
    assert_non_null(strstr(text, "  viscosity                 a number > 0 or an expression, in quotes "
                                 "[mass/(length time)]\n"));
    assert_non_null(strstr(text, "default 0.9 (algorithm simple, with driven: 0.9) (algorithm simple: 0.7)\n"));
    assert_non_null(strstr(text, "upwind, linear-upwind, central or van-leer, in quotes\n"));
    for (const char *p = text; *p; p += strcspn(p, "\n") + 1) assert_in_range(strcspn(p, "\n"), 0, 120);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(listing_is_a_case),
                                       cmocka_unit_test(listing_of_preconditioners), cmocka_unit_test(paths),
                                       cmocka_unit_test(syntax), cmocka_unit_test(included),
                                       cmocka_unit_test(byte_order_mark), cmocka_unit_test(json),
                                       cmocka_unit_test(json_values),
                                       cmocka_unit_test(unknown_names),
                                       cmocka_unit_test(command_line_errors), cmocka_unit_test(many_errors),
                                       cmocka_unit_test(help_names_every_key)};
    return cmocka_run_group_tests_name("case", tests, enter_folder, remove_folder);
}

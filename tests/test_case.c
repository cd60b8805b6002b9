/* The case file: what is read, defaults, --set, the listing, and the text of every kind of message. */
#include "test.h"
#include <unistd.h>
#include "base/case.h"

static char every_key_path[PATH_LENGTH], every_key_transient_path[PATH_LENGTH];

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* The cavity with line number `line` (1 to 6; lines 5 and 6 are empty) replaced. */
static void write_case(int line, const char *text)
{
    const char *lines[] = {"mesh = { file = \"cavity.geo\"; };", "fluid = { viscosity = 0.001; };",
                           "boundary = { lid = { type = \"wall\"; velocity = [1, 0.5]; };",
                           "             walls = { type = \"wall\"; }; };", "", ""};
    char all[4000] = "";
    if (line) lines[line - 1] = text;
    for (int i = 0; i < 6; i++) strcat(strcat(all, lines[i]), "\n");
    write_file("c.cfg", all);
}

static void read_good(struct case_settings *c, const char *path, const char *const *set, int n_set)
{
    struct error e;
    if (!case_read(c, path, set, n_set, &e)) fail_msg("%s", e.text);
}

static void expect_error(const char *path, const char *const *set, int n_set, const char *expected)
{
    struct case_settings c;
    struct error e = {.text = ""};
    assert_false(case_read(&c, path, set, n_set, &e));
    assert_string_equal(e.text, expected);
    assert_int_equal(e.status, EXIT_INPUT);
    case_free(&c);
}

static void refused(int line, const char *text, const char *expected)
{
    write_case(line, text);
    expect_error("c.cfg", NULL, 0, expected);
}

static void set_refused(const char *set, const char *expected)
{
    write_case(0, NULL);
    expect_error("c.cfg", &set, 1, expected);
}

static void defaults(void **state)
{
    (void)state;
    struct case_settings c;
    write_case(0, NULL);
    read_good(&c, "c.cfg", NULL, 0);
    assert_string_equal(c.name, "c");
    assert_string_equal(c.mesh.file, "cavity.geo");
    assert_true(c.density == 1 && c.viscosity == 0.001 && c.tolerance == 1e-6 && c.max_iterations == 5000);
    assert_true(c.relaxation_velocity == 0.9 && c.relaxation_pressure == 1 && c.non_orthogonal_correctors == 0);
    assert_true(c.algorithm == ALGORITHM_SIMPLEC && c.convection == CONVECTION_LINEAR_UPWIND);
    assert_true(c.gradient == GRADIENT_LEAST_SQUARES && c.mesh.ordering == ORDERING_HILBERT && !c.mesh.box.given);
    assert_true(c.pressure.preconditioner == PRECONDITIONER_MULTIGRID);
    assert_true(c.pressure.tolerance == 0.1 && c.pressure.max_iterations == 1000);
    assert_true(c.pressure.smoothing_before == 0 && c.pressure.smoothing_every == 0 && c.pressure.absolute == 0);
    assert_true(c.velocity.tolerance == 0.1 && c.velocity.max_iterations == 50 && c.velocity.absolute == 0);
    assert_true(c.output_every == 0 && c.checkpoint_every == 0 && c.report_every == 1 && c.n_fields == 2);
    assert_string_equal(c.directory, "c.out");
    assert_string_equal(c.field[1], "pressure");
    assert_true(c.n_boundaries == 2 && c.boundary[0].velocity_length == 2 && c.boundary[0].velocity[0] == 1 &&
                c.boundary[0].velocity[1] == 0.5);
    assert_true(c.boundary[1].velocity_length == 0 && c.boundary[1].line == 4 && c.boundary[1].type == BOUNDARY_WALL);
    case_free(&c);
}

static void every_key(void **state)
{
    (void)state;
    struct case_settings c;
    read_good(&c, every_key_path, NULL, 0);
    const struct box_setting *box = &c.mesh.box;
    assert_true(box->given && box->dim == 3 && box->cells[2] == 6 && box->from[0] == -1 && box->to[2] == 3);
    assert_true(box->stretch[1] == 10 && box->distortion == 0.2 && c.mesh.ordering == ORDERING_CUTHILL_MCKEE);
    assert_true(c.density == 5e9 && c.n_boundaries == 5);
    assert_true(c.boundary[0].type == BOUNDARY_INLET && c.boundary[0].profile == PROFILE_PARABOLOID);
    assert_true(c.boundary[0].velocity_length == 3 && c.boundary[1].pressure == 3 &&
                c.boundary[1].type == BOUNDARY_OUTLET);
    assert_string_equal(c.boundary[1].name, "out-1");
    assert_true(c.boundary[2].type == BOUNDARY_SYMMETRY && c.boundary[3].type == BOUNDARY_PERIODIC);
    assert_string_equal(c.boundary[3].with, "b");
    assert_string_equal(c.boundary[4].with, "");
    assert_true(c.initial_velocity_length == 3 && c.initial_velocity[2] == 3 && c.initial_pressure == -4.5);
    assert_true(c.algorithm == ALGORITHM_SIMPLE && c.relaxation_velocity == 0.7 && c.relaxation_pressure == 0.3);
    assert_true(c.max_iterations == 10000 && c.convection == CONVECTION_VAN_LEER && c.gradient == GRADIENT_GREEN_GAUSS);
    assert_true(c.non_orthogonal_correctors == 2 && c.pressure.preconditioner == PRECONDITIONER_RUIZ);
    assert_true(c.pressure.inner == INNER_CG && c.pressure.inner_sweeps == 7 && c.pressure.smoothing_before == 3);
    assert_true(c.pressure.smoothing_every == 9 && c.pressure.absolute == 1e-12 && c.pressure.max_iterations == 77);
    assert_true(c.velocity.tolerance == 0.2 && c.velocity.absolute == 1e-11 && c.velocity.max_iterations == 33);
    assert_string_equal(c.directory, "there");
    assert_string_equal(c.field[0], "vorticity");
    assert_true(c.n_fields == 1 && c.output_every == 10 && c.checkpoint_every == 20 && c.report_every == 5);
    assert_true(c.n_lines == 1 && c.line[0].length == 3 && c.line[0].to[0] == 1 && c.line[0].points == 3);
    assert_true(c.n_probes == 1 && c.probe[0].at[2] == 1 && c.probe[0].line == 16);
    assert_true(c.n_forces == 1 && c.force[0].n_boundaries == 2 && c.force[0].about[1] == 1 && c.force[0].scale == 0.5);
    assert_string_equal(c.force[0].boundary[1], "in");
    assert_true(c.n_monitors == 2 && c.monitor[0].tolerance == 1e-4 && c.monitor[0].over == 12 &&
                c.monitor[1].over == 100);
    assert_string_equal(c.monitor[1].of, "p");
    assert_string_equal(c.monitor[1].quantity, "velocity_z");
    case_free(&c);
}

static void every_key_transient(void **state)
{
    (void)state;
    struct case_settings c;
    read_good(&c, every_key_transient_path, NULL, 0);
    assert_true(c.gravity_length == 2 && c.gravity[0] == 0.1 && c.gravity[1] == -0.98 && case_is_transient(&c));
    assert_true(c.second_fluid.given && c.second_fluid.density == 100 && c.second_fluid.viscosity == 1);
    assert_true(c.second_fluid.surface_tension == 24.5 && c.interface.advection == ADVECTION_ALGEBRAIC);
    assert_true(c.interface.curvature == CURVATURE_LEVEL_SET && c.interface.curvature_given && c.interface.given_curvature == 4);
    assert_int_equal(c.n_shapes, 3);
    const struct shape_setting *sphere = &c.shape[0], *box = &c.shape[1], *half = &c.shape[2];
    assert_string_equal(box->name, "water");
    assert_true(sphere->type == SHAPE_SPHERE && sphere->centre[1] == 0.25 && sphere->radius == 0.125 && sphere->length == 2);
    assert_true(sphere->copies[0] == 2 && sphere->copies[1] == 3 && sphere->copies[2] == 1 && sphere->spacing[1] == 0.25);
    assert_true(box->type == SHAPE_BOX && box->from[0] == 0 && box->to[1] == 1 && box->copies[0] == 1 && box->remove == 0);
    assert_true(half->type == SHAPE_HALF_SPACE && half->point[1] == 0.75 && half->normal[1] == -2 && half->remove == 1);
    assert_true(c.boundary[0].fraction == 0.25 && c.boundary[1].fraction == 1 && c.boundary[2].contact_angle == 60);
    assert_true(c.initial_field == INITIAL_TAYLOR_GREEN && c.algorithm == ALGORITHM_PIMPLE);
    assert_true(c.correctors == 3 && c.outer_correctors == 4 && c.non_orthogonal_correctors == 1);
    assert_true(c.time.given && c.time.end == 3 && c.time.step == 1e-3 && c.time.scheme == TIME_BDF2);
    assert_true(c.time.courant == 0.5 && c.time.interface_courant == 0.25 && c.time.capillary == 0.75 && c.time.max_steps == 40);
    assert_true(c.output_interval == 0.5 && c.n_fields == 6 && c.bubbles.given && c.bubbles.every == 10);
    assert_string_equal(c.field[1], "reduced-pressure");
    case_free(&c);
}

static const char transient[] = "solver = { algorithm = \"piso\"; }; time = { end = 1; step = 0.1; };";
static const char two_phase[] =
    "solver = { algorithm = \"piso\"; }; time = { end = 1; step = 0.1; }; second_fluid = { density = 2; viscosity = 3; };\n"
    "shapes = { b = { type = \"sphere\"; centre = [0, 0]; radius = 1; }; };";

static void defaults_transient(void **state)
{
    (void)state;
    struct case_settings c;
    write_case(5, transient);
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(c.algorithm == ALGORITHM_PISO && c.correctors == 2 && c.outer_correctors == 1 && !c.second_fluid.given);
    assert_true(c.time.scheme == TIME_CRANK_NICOLSON && c.time.courant == 0 && c.time.capillary == 0 && c.time.max_steps == 0);
    assert_true(c.pressure.tolerance == 1e-4 && c.velocity.tolerance == 1e-4 && c.gravity_length == 0 && c.output_interval == 0);
    assert_true(c.initial_field == INITIAL_UNIFORM && c.n_fields == 2 && !c.bubbles.given && !c.prescribed.given);
    case_free(&c);
    write_case(5, two_phase);
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(c.second_fluid.given && c.second_fluid.surface_tension == 0 && c.interface.advection == ADVECTION_GEOMETRIC);
    assert_true(c.interface.curvature == CURVATURE_PARABOLOID && !c.interface.curvature_given && c.n_fields == 3);
    assert_int_equal(c.convection, CONVECTION_VAN_LEER);
    assert_true(c.boundary[0].contact_angle == 90 && c.shape[0].copies[2] == 1);
    assert_string_equal(c.field[2], "fraction");
    case_free(&c);
    const char *advection[] = {"solver.algorithm=advection", "prescribed.field=rotation"};
    read_good(&c, "c.cfg", advection, 2);
    assert_true(c.algorithm == ALGORITHM_ADVECTION && c.prescribed.given && c.prescribed.field == PRESCRIBED_ROTATION);
    assert_true(c.prescribed.period == 0);
    case_free(&c);
}

static void from_command_line(void **state)
{
    (void)state;
    struct case_settings c;
    const char *set[] = {"fluid.viscosity=0.0025",
                         "boundary.lid.velocity=[2.0,0.0]",
                         "mesh.parameters.h=0.01",
                         "mesh.file=2.msh",
                         "mesh.file=new.geo",
                         "solver.algorithm=simple",
                         "solver.pressure.inner=cg",
                         "solver.pressure.preconditioner=block-jacobi",
                         "output.directory=17",
                         "boundary.out.type=\"outlet\"",
                         "output.fields=[\"pressure\"]"};
    write_case(0, NULL);
    read_good(&c, "c.cfg", set, sizeof set / sizeof *set);
    assert_true(c.viscosity == 0.0025 && c.boundary[0].velocity[0] == 2 && c.boundary[0].velocity[1] == 0);
    assert_true(c.mesh.n_parameters == 1 && c.mesh.parameter[0].value == 0.01);
    assert_true(c.pressure.inner == INNER_CG && c.pressure.inner_sweeps == 4);
    assert_string_equal(c.mesh.parameter[0].name, "h");
    assert_string_equal(c.mesh.file, "new.geo");
    assert_string_equal(c.directory, "17");
    assert_true(c.relaxation_velocity == 0.7 && c.n_boundaries == 3 && c.boundary[2].type == BOUNDARY_OUTLET &&
                c.n_fields == 1);
    case_free(&c);
}

static char *listing(const struct case_settings *c)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    case_print(c, f);
    fclose(f);
    return text;
}

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
    assert_non_null(
        strstr(text, "    viscosity = 0.001;\n    density = 1.0;                                  # default\n"));
    assert_non_null(strstr(text, "    algorithm = \"simple\";                           # --set\n"));
    assert_non_null(strstr(text, "    relaxation_velocity = 0.7;                      # default\n"));
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

/* The listing has the keys that do something with this preconditioner, and no other. */
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
        char *list = listing(&c);
        assert_int_equal(strstr(list, "inner = ") != NULL, row[i].inner);
        assert_int_equal(strstr(list, "inner_sweeps = ") != NULL, row[i].inner);
        assert_int_equal(strstr(list, "smoothing_before = ") != NULL, row[i].smoothing);
        assert_int_equal(strstr(list, "smoothing_every = ") != NULL, row[i].smoothing);
        free(list);
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
    expect_error("binary", NULL, 0, "binary: this is no text file; expected a case file");
}

static void syntax(void **state)
{
    (void)state;
    refused(2, "fluid = { viscosity = wall; };",
            "c.cfg:2: syntax error; words stand in quotes: name = \"word\";\n    fluid = { viscosity = wall; };");
    refused(2, "fluid = { viscosity 0.001; };",
            "c.cfg:2: syntax error; expected  name = value;  or  name = { ... };  the slip may be at the end of the "
            "line before\n"
            "    fluid = { viscosity 0.001; };");
    refused(5, "solver = {", "c.cfg:7: syntax error; the file ends too early: a closing } or ] or quote is missing");
    refused(5, "fluid = { density = 1; };",
            "c.cfg:5: duplicate setting name; a name may stand once in a group: remove one of the two\n"
            "    fluid = { density = 1; };");
    refused(5, "@include \"nothing\"",
            "c.cfg:5: @include \"nothing\": No such file or directory");
}

/* Included files are read as the case is, and errors in them are told with their own name and line. */
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
    assert_true(c.initial_velocity[0] == 1 && c.initial_velocity[1] == 2.5 && c.line[0].to[1] == 1.5);
    assert_string_equal(case_place(&c, c.boundary[1].line), "c.cfg:4");
    assert_string_equal(case_place(&c, c.line[0].line), "parts/more.cfg:2");
    assert_string_equal(case_place(&c, c.probe[0].line), "parts/flow.cfg:3");
    assert_string_equal(case_place(&c, c.force[0].line), "c.cfg:5");
    case_free(&c);
    write_file("parts/flow.cfg", "# a\nsolver = { max_iterations = 0x100000005; };\noutput = { every = 4294967299; };\n");
    refused(5, "@include \"parts/flow.cfg\"\nlines = 3;",
            "parts/flow.cfg:2: solver.max_iterations = 4294967301.0: expected a whole number >= 1; the number found is too large\n"
            "parts/flow.cfg:3: output.every = 4294967299.0: expected a whole number >= 0 [iterations or time steps]; the number "
            "found is too large\n"
            "c.cfg:6: lines is no group: expected lines = { ... }");
    write_file("parts/flow.cfg", "\n\nsolver = { algorithm = simplec; };");
    refused(5, "@include \"parts/flow.cfg\"", "parts/flow.cfg:3: syntax error; words stand in quotes: name = \"word\";\n"
            "    solver = { algorithm = simplec; };");
    write_file("parts/flow.cfg", "\n@include \"parts/flow.cfg\"");
    refused(5, "@include \"parts/flow.cfg\"", "parts/flow.cfg:2: @include \"parts/flow.cfg\": files are included more than 10 "
            "deep, or more than 1000 in all; does one include itself?");
    FILE *many = fopen("parts/flow.cfg", "w");
    for (int i = 0; i < 100; i++) fprintf(many, "@include \"parts/more.cfg\"\n");
    fclose(many);
    assert_int_equal(system("cp parts/flow.cfg parts/hundred.cfg; sed -i s/more/hundred/ parts/flow.cfg; : >parts/more.cfg"), 0);
    write_case(5, "@include \"parts/flow.cfg\"");
    struct error e;
    assert_false(case_read(&c, "c.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.text, "@include \"parts/more.cfg\": files are included more than 10 deep, or more than 1000 in all"));
    assert_int_equal(system("mkfifo parts/pipe"), 0);
    refused(5, "@include \"parts/pipe\"", "c.cfg:5: @include \"parts/pipe\": this is a pipe, a socket or a device, not a file; save what it gives in a file");
    refused(5, "@include \".\"", "c.cfg:5: @include \".\": Is a directory");
    refused(5, "@include parts", "c.cfg:5: @include: expected a file name in quotes, at most 1023 letters: @include \"part.cfg\"");
    set_refused("fluid.viscosity=1;\n@include \"parts/more.cfg\"", "--set fluid.viscosity=1;\n@include \"parts/more.cfg\": cannot be "
                "read; expected key=value with a number, a word, \"text\" or [1.0, 0.0]");
}

/* What some editors put before a text. */
static void byte_order_mark(void **state)
{
    (void)state;
    struct case_settings c;
    write_file("c.cfg", "\xEF\xBB\xBFmesh = { box = { cells = [4, 4]; }; }; fluid = { viscosity = 1; }; boundary = { w = { type = \"wall\"; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(c.mesh.box.given);
    case_free(&c);
}

static void unknown_names(void **state)
{
    (void)state;
    refused(2, "fluid = { viscosty = 0.001; };",
            "c.cfg:2: unknown key \"fluid.viscosty\" (did you mean \"viscosity\"?); expected here: density, viscosity, gravity\n"
            "c.cfg:2: fluid.viscosity is missing: expected a number > 0 [mass/(length time)]");
    refused(5, "solvr = { };",
            "c.cfg:5: unknown key \"solvr\" (did you mean \"solver\"?); expected here: mesh, fluid, second_fluid, interface, shapes, "
            "boundary, initial, time, prescribed, solver, output, lines, probes, forces, convergence, bubbles");
    refused(5, "max_iterations = 4;",
            "c.cfg:5: unknown key \"max_iterations\"; expected here: mesh, fluid, second_fluid, "
            "interface, shapes, boundary, initial, time, prescribed, solver, output, lines, probes, forces, convergence, "
            "bubbles; max_iterations stands in solver = { ... }");
    refused(5, "turbulence = { };",
            "c.cfg:5: unknown key \"turbulence\": Poise does not have turbulence models; expected here: mesh, fluid, second_fluid, interface, "
            "shapes, boundary, initial, time, prescribed, solver, output, lines, probes, forces, convergence, bubbles");
    refused(2, "fluid = { viscosity = 1; temperature = 300; };", "c.cfg:2: unknown key \"fluid.temperature\": Poise does not have heat; "
            "expected here: density, viscosity, gravity");
    refused(2, "fluid = { viscosity = 1; visc = 300; };", "c.cfg:2: unknown key \"fluid.visc\" (did you mean \"viscosity\"?); "
            "expected here: density, viscosity, gravity");
    refused(2, "fluid = { viscosity = 1; colour = 300; };", "c.cfg:2: unknown key \"fluid.colour\"; expected here: density, viscosity, gravity");
    refused(5, "solver = { algorithm = \"rhoSimple_compressible\"; };", "c.cfg:5: solver.algorithm = \"rhoSimple_compressible\": expected simple, "
            "simplec, piso, pimple or advection, in quotes; Poise does not have compressible flow");
    refused(
        5, "solver = { presure = { }; };",
        "c.cfg:5: unknown key \"solver.presure\" (did you mean \"pressure\"?); expected here: "
        "algorithm, tolerance, max_iterations, relaxation_velocity, relaxation_pressure, non_orthogonal_correctors, "
        "convection, gradient, accuracy, pressure, velocity");
    refused(4, "walls = { type = \"wal\"; }; };",
            "c.cfg:4: boundary.walls.type = \"wal\": expected wall, inlet, outlet, symmetry, slip "
            "or periodic, in quotes (did you mean \"wall\"?)");
}

static void wrong_values(void **state)
{
    (void)state;
    refused(2, "fluid = { viscosity = -0.001; };",
            "c.cfg:2: fluid.viscosity = -0.001: expected a number > 0 [mass/(length time)]");
    refused(
        2, "fluid = { viscosity = \"1\"; };",
        "c.cfg:2: fluid.viscosity = \"1\": expected a number > 0 [mass/(length time)]; numbers stand without quotes");
    refused(
        2, "fluid = { viscosity = 1e999; };",
        "c.cfg:2: fluid.viscosity = inf: expected a number > 0 [mass/(length time)]; the number found is not finite");
    refused(2, "fluid = { viscosity = { a = 1; }; };",
            "c.cfg:2: fluid.viscosity = { ... }: expected a number > 0 [mass/(length time)]");
    refused(2, "fluid = { viscosity = 1; density = 0; };",
            "c.cfg:2: fluid.density = 0: expected a number > 0 [mass/length^3]");
    refused(2, "fluid = 3;", "c.cfg:2: fluid is no group: expected fluid = { ... }");
    refused(5, "solver = { relaxation_velocity = 1.1; };",
            "c.cfg:5: solver.relaxation_velocity = 1.1: expected a number in (0, 1]");
    refused(5, "solver = { tolerance = 0.0; };", "c.cfg:5: solver.tolerance = 0.0: expected a number > 0");
    refused(5, "solver = { max_iterations = -1; };",
            "c.cfg:5: solver.max_iterations = -1: expected a whole number >= 1");
    refused(5, "solver = { max_iterations = 1.5; };",
            "c.cfg:5: solver.max_iterations = 1.5: expected a whole number >= 1");
    refused(
        5, "solver = { max_iterations = 99999999999; };",
        "c.cfg:5: solver.max_iterations = 99999999999.0: expected a whole number >= 1; the number found is too large");
    refused(5, "solver = { algorithm = 1; };", "c.cfg:5: solver.algorithm = 1: expected simple, simplec, piso, pimple or advection, in quotes");
    refused(5, "lines = { l = { from = [0, 0]; to = [1, 1]; points = 1; }; };",
            "c.cfg:5: lines.l.points = 1: expected a whole number in [2, 1000000]");
    refused(1, "mesh = { box = { cells = [100000, 100000]; }; };",
            "c.cfg:1: mesh.box.cells: too many: Poise counts the faces of all cells with 32 bits, which is enough for 536870911 cells in 2-D");
    refused(1, "mesh = { box = { cells = [1, 2000000000]; }; };",
            "c.cfg:1: mesh.box.cells: too many: Poise counts the faces of all cells with 32 bits, which is enough for 536870911 cells in 2-D");
    refused(1, "mesh = { box = { cells = [0x100000005, 4294967299]; }; };",
            "c.cfg:1: mesh.box.cells = [4294967301.0, 4294967299.0]: expected 2 or 3 whole numbers >= 1 in brackets, like [64, 64]; the "
            "number found is too large");
    refused(5, "probes = { p = { at = [0, 0]; }; }; convergence = { c = { of = \"p\"; quantity = \"pressure\"; over = 2147483647; }; };",
            "c.cfg:5: convergence.c.over = 2147483647.0: expected a whole number in [1, 1000000] [iterations]");
    refused(5, "initial = { velocity = [1]; };",
            "c.cfg:5: initial.velocity = [1]: expected 2 or 3 numbers in brackets, like [1.0, 0.0] [length/time]");
    refused(5, "initial = { velocity = 1; };",
            "c.cfg:5: initial.velocity = 1: expected 2 or 3 numbers in brackets, like [1.0, 0.0] [length/time]");
    refused(
        5, "initial = { velocity = [1, true]; };",
        "c.cfg:5: initial.velocity = [1, true]: expected 2 or 3 numbers in brackets, like [1.0, 0.0] [length/time]");
    refused(5, "output = { directory = \"\"; };", "c.cfg:5: output.directory = \"\": expected a path in quotes");
    refused(5, "output = { fields = \"velocity\"; };",
            "c.cfg:5: output.fields = \"velocity\": expected names in quotes in brackets, like [\"a\", \"b\"]");
    refused(5, "output = { fields = [\"velocity\", \"velocity\"]; };",
            "c.cfg:5: output.fields names \"velocity\" twice; remove one");
    refused(5,
            "forces = { f = { boundaries = "
            "[\"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg\"]; }; };",
            "c.cfg:5: forces.f.boundaries = \"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...\" has 70 letters; at most 63 "
            "are possible");
}

static void missing(void **state)
{
    (void)state;
    refused(2, "", "c.cfg: fluid.viscosity is missing: expected a number > 0 [mass/(length time)]");
    refused(1, "", "c.cfg: the mesh is missing: expected mesh = { file = \"name.geo\"; } (or .msh, .h5) or "
            "mesh = { box = { cells = [64, 64]; }; }");
    write_file("c.cfg", "mesh = { file = \"m.geo\"; };\nfluid = { viscosity = 1; };\n");
    expect_error("c.cfg", NULL, 0,
                 "c.cfg: the boundary conditions are missing: expected boundary = { NAME = { type = \"wall\"; }; ... } "
                 "with every named boundary of the mesh");
    refused(4, "walls = { }; };",
            "c.cfg:4: boundary.walls.type is missing: expected wall, inlet, outlet, symmetry, slip or periodic, in quotes");
    refused(4, "i = { type = \"inlet\"; }; };",
            "c.cfg:4: boundary.i.velocity is missing: an inlet needs it, 2 or 3 numbers in "
            "brackets, like [1.0, 0.0] [length/time]");
    refused(5, "forces = { f = { }; };",
            "c.cfg:5: forces.f.boundaries is missing: expected names in quotes in brackets, like [\"a\", \"b\"]");
}

static void not_applicable(void **state)
{
    (void)state;
    refused(4, "o = { type = \"outlet\"; velocity = [1, 0]; }; };",
            "c.cfg:4: boundary.o.velocity does not apply to type \"outlet\"; remove it");
    refused(4, "w = { type = \"wall\"; profile = \"parabolic\"; }; };",
            "c.cfg:4: boundary.w.profile does not apply to type \"wall\"; remove it");
    refused(4, "w = { type = \"wall\"; with = \"lid\"; }; };",
            "c.cfg:4: boundary.w.with does not apply to type \"wall\"; remove it");
    refused(4, "s = { type = \"symmetry\"; pressure = 1; }; };",
            "c.cfg:4: boundary.s.pressure does not apply to type \"symmetry\"; remove it");
    refused(1, "mesh = { file = \"a.msh\"; parameters = { h = 1; }; };",
            "c.cfg:1: mesh.parameters are for a .geo file and do not apply to a.msh; remove them");
    refused(1, "mesh = { box = { cells = [2, 2]; }; parameters = { h = 1; }; };",
            "c.cfg:1: mesh.parameters are for a .geo file and do not apply to a box; remove them");
    refused(5, "solver = { pressure = { smoothing_every = 50; }; };",
            "c.cfg:5: solver.pressure.smoothing_every does not apply to preconditioner \"multigrid\"; remove it");
    refused(5, "solver = { pressure = { preconditioner = \"multigrid\"; smoothing_before = 2; inner = \"cg\"; }; };",
            "c.cfg:5: solver.pressure.inner does not apply to preconditioner \"multigrid\"; remove it\n"
            "c.cfg:5: solver.pressure.smoothing_before does not apply to preconditioner \"multigrid\"; remove it");
    set_refused("solver.pressure.inner_sweeps=3", "--set solver.pressure.inner_sweeps=3: "
                "solver.pressure.inner_sweeps does not apply to preconditioner \"multigrid\"; remove it");
    refused(5, "solver = { pressure = { preconditioner = \"jacobi\"; inner_sweeps = 2; }; };",
            "c.cfg:5: solver.pressure.inner_sweeps does not apply to preconditioner \"jacobi\" without smoothing; "
            "remove it, or set preconditioner = \"block-jacobi\", or smoothing_before or smoothing_every");
}

static void settings_against_each_other(void **state)
{
    (void)state;
    refused(
        1, "mesh = { file = \"a.stl\"; };",
        "c.cfg:1: mesh.file = \"a.stl\": expected a name that ends in .geo, .msh (Gmsh) or .h5 (poise mesh convert)");
    refused(1, "mesh = { file = \"a.geo\"; box = { cells = [2, 2]; }; };",
            "c.cfg:1: mesh.box and mesh.file are both given; remove one");
    refused(1, "mesh = { box = { cells = [2, 2]; to = [1, 1, 1]; }; };",
            "c.cfg:1: mesh.box.to has 3 numbers, but cells has 2: expected 2");
    refused(1, "mesh = { box = { cells = [2, 2]; from = [0, 2]; }; };",
            "c.cfg:1: mesh.box: to must be greater than from in each direction; found 1 and 2 in direction y");
    refused(1, "mesh = { box = { cells = [2, 0]; distortion = 0.5; }; };",
            "c.cfg:1: mesh.box.cells = [2, 0]: expected 2 or 3 whole numbers >= 1 in brackets, like [64, 64]\n"
            "c.cfg:1: mesh.box.distortion = 0.5: expected a number in [0, 0.5)");
    refused(1, "mesh = { box = { cells = [2, 2, 2, 2]; }; };",
            "c.cfg:1: mesh.box.cells = [2, 2, 2, 2]: expected 2 or 3 whole numbers >= 1 in brackets, like [64, 64]");
    refused(5, "lines = { l = { from = [0, 0]; to = [1, 1, 1]; }; };",
            "c.cfg:5: lines.l.to has 3 numbers, but from has 2");
    refused(5, "lines = { l = { from = [0, 0]; to = [0, 0]; }; };",
            "c.cfg:5: lines.l: from and to are the same point; expected two points");
    refused(4, "p = { type = \"periodic\"; with = \"q\"; }; };",
            "c.cfg:4: boundary.p.with = \"q\": there is no boundary of this name in the case");
    refused(4, "p = { type = \"periodic\"; with = \"p\"; }; };",
            "c.cfg:4: boundary.p.with = \"p\": a boundary cannot be its own partner");
    refused(4, "p = { type = \"periodic\"; with = \"lid\"; }; };",
            "c.cfg:4: boundary.p.with = \"lid\": that boundary has type \"wall\"; both partners must be \"periodic\"");
    refused(4, "p = { type = \"periodic\"; with = \"q\"; };\nq = { type = \"periodic\"; with = \"r\"; };\n"
            "r = { type = \"periodic\"; with = \"q\"; }; };",
            "c.cfg:4: boundary.p.with = \"q\": but boundary.q.with = \"r\"; partners must name each other");
    refused(5, "forces = { f = { boundaries = [\"lod\"]; }; };",
            "c.cfg:5: forces.f.boundaries: boundary \"lod\" is not in the case (did you mean \"lid\"?)");
    const char *probes =
        "probes = { mid = { at = [0, 0]; }; };\nconvergence = { m = { of = \"%s\"; quantity = \"%s\"; }; };";
    char text[300];
    snprintf(text, sizeof text, probes, "mod", "pressure");
    refused(5, text,
            "c.cfg:6: convergence.m.of = \"mod\": there is no probe and no force of this name (did you mean \"mid\"?)");
    snprintf(text, sizeof text, probes, "mid", "force_x");
    refused(5, text,
            "c.cfg:6: convergence.m.quantity = \"force_x\": \"mid\" is a probe and has velocity_x, velocity_y, "
            "velocity_z, pressure");
}

static void time_against_algorithm(void **state)
{
    (void)state;
    refused(5, "solver = { algorithm = \"piso\"; };", "c.cfg:5: time = { ... } is missing: algorithm \"piso\" needs it, like "
            "time = { end = 1.0; step = 0.001; }");
    refused(5, "time = { end = 1; step = 0.1; };",
            "c.cfg:5: time does not apply to algorithm \"simplec\"; remove it, or set solver.algorithm = \"piso\" or \"pimple\"");
    refused(2, "fluid = { viscosity = 1; gravity = [0, -1]; };", "c.cfg:2: fluid.gravity does not apply to algorithm "
            "\"simplec\"; remove it, or set solver.algorithm = \"piso\" or \"pimple\"");
    refused(5, "solver = { algorithm = \"piso\"; tolerance = 1e-3; outer_correctors = 2; }; time = { end = 1; step = 0.1; };",
            "c.cfg:5: solver.tolerance does not apply to algorithm \"piso\"; remove it\n"
            "c.cfg:5: solver.outer_correctors does not apply to algorithm \"piso\"; remove it");
    refused(5, "solver = { correctors = 2; };",
            "c.cfg:5: solver.correctors does not apply to algorithm \"simplec\"; remove it");
    refused(5, "solver = { algorithm = \"piso\"; }; time = { step = 0.1; };",
            "c.cfg:5: time.end is missing: expected a number > 0 [time]");
    refused(5, "solver = { algorithm = \"piso\"; }; time = { end = 1; step = 2; };",
            "c.cfg:5: time.step = 2 is longer than the whole run, time.end = 1");
    refused(5, "solver = { algorithm = \"piso\"; }; time = { end = 1; step = 0.1; capillary = 1; };",
            "c.cfg:5: time.capillary does not apply to a case without second_fluid.surface_tension; remove it");
    refused(5, "solver = { algorithm = \"advection\"; }; time = { end = 1; step = 0.1; scheme = \"euler\"; };",
            "c.cfg:5: prescribed = { ... } is missing: algorithm \"advection\" needs a velocity, like "
            "prescribed = { field = \"vortex\"; period = 8.0; }\n"
            "c.cfg:5: second_fluid = { ... } is missing: algorithm \"advection\" moves its interface\n"
            "c.cfg:5: time.scheme does not apply to algorithm \"advection\"; remove it");
    refused(5, "initial = { field = \"taylor-green\"; velocity = [1, 0]; };",
            "c.cfg:5: initial.velocity does not apply to field \"taylor-green\"; remove it");
    char text[400];
    snprintf(text, sizeof text, "%s probes = { p = { at = [0, 0]; }; };\n"
             "convergence = { m = { of = \"p\"; quantity = \"pressure\"; }; };", transient);
    refused(5, text, "c.cfg:6: convergence does not apply to algorithm \"piso\"; remove it");
}

static void second_fluid_against_the_rest(void **state)
{
    (void)state;
    char text[800];
    refused(5, "shapes = { b = { type = \"sphere\"; centre = [0, 0]; radius = 1; }; };",
            "c.cfg:5: shapes does not apply without second_fluid = { ... }; remove it, or add that");
    snprintf(text, sizeof text, "%s second_fluid = { density = 2; viscosity = 3; };", transient);
    refused(5, text, "c.cfg:5: there is no second fluid: expected shapes = { NAME = { type = \"sphere\"; "
            "centre = [0.5, 0.5]; radius = 0.25; }; }, or a boundary with a fraction");
    refused(4, "walls = { type = \"wall\"; contact_angle = 60; }; };", "c.cfg:4: boundary.walls.contact_angle does not apply "
            "to a case without second_fluid = { ... }; remove it");
    refused(4, "o = { type = \"outlet\"; fraction = 1; }; };", "c.cfg:4: boundary.o.fraction does not apply "
            "to a case without second_fluid = { ... }; remove it");
    refused(4, "o = { type = \"outlet\"; contact_angle = 60; }; };",
            "c.cfg:4: boundary.o.contact_angle does not apply to type \"outlet\"; remove it");
    static const struct { const char *shape, *message; } row[] = {
        {"type = \"sphere\"; centre = [0, 0]; radius = 1; copies = [2, 2];",
         "shapes.s.spacing is missing: copies need it, 2 or 3 numbers in brackets, like [0.5, 0.5] [length]"},
        {"type = \"sphere\"; centre = [0, 0]; radius = 1; copies = [2, 2, 2]; spacing = [1, 1];",
         "shapes.s.copies has 3 numbers, but centre has 2"},
        {"type = \"sphere\"; centre = [0, 0]; radius = 1; spacing = [1, 1];",
         "shapes.s.spacing does not apply without copies; remove it"},
        {"type = \"sphere\"; centre = [0, 0]; radius = 1; normal = [1, 1];",
         "shapes.s.normal does not apply to type \"sphere\"; remove it"},
        {"type = \"box\"; from = [0, 0]; to = [1, 0];",
         "shapes.s: to must be greater than from in each direction; found 0 and 0 in direction y"},
        {"type = \"half-space\"; point = [0, 0]; normal = [0, 0];",
         "shapes.s.normal is zero: expected the direction out of the second fluid, like [0.0, 1.0]"},
        {"type = \"spere\";", "shapes.s.type = \"spere\": expected sphere, box or half-space, in quotes (did you mean \"sphere\"?)"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char message[400];
        snprintf(text, sizeof text, "%s second_fluid = { density = 2; viscosity = 3; };\nshapes = { s = { %s }; };", transient,
                 row[i].shape);
        snprintf(message, sizeof message, "c.cfg:6: %s", row[i].message);
        refused(5, text, message);
    }
    static const char *const cavity[] = {"lid", "walls"};
    struct case_settings c;
    struct error e = {.text = ""};
    const char *set[] = {"fluid.gravity=[0,0,-1]", "boundary.lid.velocity=[1,0,0]"};
    write_case(5, two_phase);
    read_good(&c, "c.cfg", set, 1);
    assert_false(case_check_boundaries(&c, "cavity.msh", 2, cavity, 2, &e));
    assert_string_equal(e.text, "c.cfg: fluid.gravity has 3 numbers, but cavity.msh is 2-D: expected 2");
    case_free(&c);
    read_good(&c, "c.cfg", set, 2);
    assert_false(case_check_boundaries(&c, "cube.msh", 3, cavity, 2, &e));
    assert_string_equal(e.text, "c.cfg:6: shapes.b.centre has 2 numbers, but cube.msh is 3-D: expected 3");
    case_free(&c);
}

static void command_line_errors(void **state)
{
    (void)state;
    set_refused("fluid.viscosty=1",
                "--set fluid.viscosty=1: unknown key \"fluid.viscosty\" (did you mean \"viscosity\"?); expected "
                "here: density, viscosity, gravity");
    set_refused("fluid.viscosity=-1",
                "--set fluid.viscosity=-1: fluid.viscosity = -1: expected a number > 0 [mass/(length time)]");
    set_refused("fluid.viscosity", "--set fluid.viscosity: expected key=value, like --set fluid.viscosity=0.0025");
    set_refused("fluid.viscosity.x=1", "--set fluid.viscosity.x=1: fluid.viscosity is a value, not a group of keys");
    set_refused("initial.velocity=[1,2",
                "--set initial.velocity=[1,2: cannot be read; expected key=value with a number, a word, "
                "\"text\" or [1.0, 0.0]");
    set_refused("boundary.lidd.velocity=[1,2]",
                "--set boundary.lidd.velocity=[1,2]: boundary.lidd.type is missing; \"lidd\" is not in "
                "the file (did you mean \"lid\"?): expected wall, inlet, outlet, symmetry, slip or periodic, in quotes");
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
            "c.cfg:2: fluid.viscosity = -1: expected a number > 0 [mass/(length time)]\n"
            "c.cfg:3: solver.tolerance = -1: expected a number > 0");
}

static void against_mesh(void **state)
{
    (void)state;
    static const char *const cavity[] = {"lid", "walls"}, *const more[] = {"lid", "walls", "hole"};
    struct case_settings c;
    struct error e = {.text = ""};
    write_case(4, "walls = { type = \"wall\"; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(case_check_boundaries(&c, "cavity.msh", 2, cavity, 2, &e));
    assert_false(case_check_boundaries(&c, "cavity.msh", 2, more, 3, &e));
    assert_string_equal(e.text, "c.cfg: boundary \"hole\" of cavity.msh has no condition; add to boundary = { ... }:\n"
                        "    hole = { type = \"wall\"; };");
    assert_false(case_check_boundaries(&c, "cube.msh", 3, cavity, 2, &e));
    assert_string_equal(e.text, "c.cfg:3: boundary.lid.velocity has 2 numbers, but cube.msh is 3-D: expected 3");
    case_free(&c);
    write_case(3, "boundary = { lidd = { type = \"wall\"; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_false(case_check_boundaries(&c, "cavity.msh", 2, cavity, 2, &e));
    assert_string_equal(e.text,
                        "c.cfg:3: boundary \"lidd\" is not in cavity.msh; it has: lid, walls (did you mean \"lid\"?)\n"
                        "c.cfg: boundary \"lid\" of cavity.msh has no condition; add to boundary = { ... }:\n"
                        "    lid = { type = \"wall\"; };");
    case_free(&c);
    write_case(
        5, "lines = { l = { from = [0, 0, 0]; to = [1, 1, 1]; }; }; probes = { p = { at = [0, 0, 0]; }; };\n"
           "initial = { velocity = [1, 2, 3]; }; convergence = { m = { of = \"p\"; quantity = \"velocity_z\"; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_false(case_check_boundaries(&c, "cavity.msh", 2, cavity, 2, &e));
    assert_string_equal(
        e.text,
        "c.cfg: initial.velocity has 3 numbers, but cavity.msh is 2-D: expected 2\n"
        "c.cfg:5: lines.l.from has 3 numbers, but cavity.msh is 2-D: expected 2\n"
        "c.cfg:5: probes.p.at has 3 numbers, but cavity.msh is 2-D: expected 2\n"
        "c.cfg:6: convergence.m.quantity = \"velocity_z\" is zero in 2-D (cavity.msh): expected another component");
    case_free(&c);
    write_case(4, "i = { type = \"inlet\"; velocity = [1, 0]; profile = \"paraboloid\"; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    static const char *const channel[] = {"lid", "i"};
    assert_false(case_check_boundaries(&c, "channel.msh", 2, channel, 2, &e));
    assert_string_equal(
        e.text,
        "c.cfg:4: boundary.i.profile = \"paraboloid\", but channel.msh is 2-D: expected \"uniform\" or \"parabolic\"");
    case_free(&c);
}

static void help_names_every_key(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    case_help(f);
    fclose(f);
    assert_non_null(strstr(text, "solver.pressure = { ... }"));
    assert_non_null(strstr(text, "boundary.NAME = { ... }"));
    assert_non_null(strstr(text, "  viscosity                 a number > 0 [mass/(length time)]\n"));
    assert_non_null(strstr(text, "default 0.9 (algorithm simple: 0.7)\n"));
    assert_non_null(strstr(text, "upwind, linear-upwind, central or van-leer, in quotes\n"));
    for (const char *p = text; *p; p += strcspn(p, "\n") + 1) assert_in_range(strcspn(p, "\n"), 0, 120);
    free(text);
}

int main(void)
{
    char folder[] = "/tmp/poise-case-XXXXXX", remove[100];
    if (!realpath("tests/data/every_key.cfg", every_key_path)) return perror("tests/data/every_key.cfg"), 1;
    if (!realpath("tests/data/every_key_transient.cfg", every_key_transient_path))
        return perror("tests/data/every_key_transient.cfg"), 1;
    if (!mkdtemp(folder) || chdir(folder)) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults),
                                       cmocka_unit_test(every_key),
                                       cmocka_unit_test(every_key_transient),
                                       cmocka_unit_test(defaults_transient),
                                       cmocka_unit_test(from_command_line),
                                       cmocka_unit_test(listing_is_a_case),
                                       cmocka_unit_test(listing_of_preconditioners),
                                       cmocka_unit_test(paths),
                                       cmocka_unit_test(syntax), cmocka_unit_test(included), cmocka_unit_test(byte_order_mark),
                                       cmocka_unit_test(unknown_names),
                                       cmocka_unit_test(wrong_values),
                                       cmocka_unit_test(missing),
                                       cmocka_unit_test(not_applicable),
                                       cmocka_unit_test(settings_against_each_other),
                                       cmocka_unit_test(time_against_algorithm),
                                       cmocka_unit_test(second_fluid_against_the_rest),
                                       cmocka_unit_test(command_line_errors),
                                       cmocka_unit_test(many_errors),
                                       cmocka_unit_test(against_mesh),
                                       cmocka_unit_test(help_names_every_key)};
    int failed = cmocka_run_group_tests_name("case", tests, NULL, NULL);
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    return system(remove) ? 1 : failed;
}

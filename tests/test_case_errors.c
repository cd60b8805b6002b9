/* Invalid cases: values, settings against each other, against the mesh. */
#include "case_fixture.h"

static void wrong_values(void **state)
{
    (void)state;
    refused(2, "fluid = { viscosity = -0.001; };",
            "c.cfg:2: fluid.viscosity = -0.001: expected a number > 0 or an expression, in quotes "
            "[mass/(length time)]");
    refused(
        2, "fluid = { viscosity = 1; density = \"-1\"; };",
        "c.cfg:2: fluid.density = \"-1\": expected a number > 0 or an expression, in quotes [mass/length^3]");
    refused(
        2, "fluid = { viscosity = 1e999; };",
        "c.cfg:2: fluid.viscosity = inf: expected a number > 0 or an expression, in quotes "
            "[mass/(length time)]; the number found is not finite");
    refused(2, "fluid = { viscosity = { a = 1; }; };",
            "c.cfg:2: fluid.viscosity = { ... }: expected a number > 0 or an expression, in quotes "
            "[mass/(length time)]");
    refused(2, "fluid = { viscosity = 1; density = 0; };",
            "c.cfg:2: fluid.density = 0: expected a number > 0 or an expression, in quotes [mass/length^3]");
    refused(2, "fluid = 3;", "c.cfg:2: fluid is not a group: expected fluid = { ... }");
    refused(5, "solver = { relaxation_velocity = 1.1; };",
            "c.cfg:5: solver.relaxation_velocity = 1.1: expected a number in (0, 1]");
    refused(5, "solver = { tolerance = 0.0; };", "c.cfg:5: solver.tolerance = 0.0: expected a number in (0, 1)");
    refused(5, "solver = { tolerance = 1e10; };",
            "c.cfg:5: solver.tolerance = 10000000000.0: expected a number in (0, 1)");
    refused(5, "solver = { max_iterations = -1; };",
            "c.cfg:5: solver.max_iterations = -1: expected a whole number >= 1");
    refused(5, "solver = { max_iterations = 1.5; };",
            "c.cfg:5: solver.max_iterations = 1.5: expected a whole number >= 1");
    refused(
        5, "solver = { max_iterations = 99999999999; };",
        "c.cfg:5: solver.max_iterations = 99999999999.0: expected a whole number >= 1; the number found is too large");
    refused(5, "solver = { algorithm = 1; };",
            "c.cfg:5: solver.algorithm = 1: expected simple, simplec, coupled, piso, pimple, advection, conduction "
            "or transient-conduction, in quotes");
    refused(1, "mesh = { file = \"a.su2\";\n scale = -0.001; rotate = [1, 2, 3];\n translate = 1; };",
            "c.cfg:2: mesh.scale = -0.001: expected a number > 0, or one for each direction in brackets, "
            "like [1.0, 0.5]\n"
            "c.cfg:2: mesh.rotate has 3 numbers: expected the degrees in 2-D, or [x, y, z, degrees] with an axis in "
            "3-D\n"
            "c.cfg:3: mesh.translate = 1: expected 2 or 3 numbers in brackets, like [1.0, 0.0] [length]");
    refused(1, "mesh = { box = { cells = [2, 2]; };\n scale = [1, 2, 3]; };",
            "c.cfg:2: mesh.scale has 3 numbers: expected one for all directions, or 2 in 2-D");
    refused(1, "mesh = { box = { cells = [2, 2, 2]; }; rotate = 30; };",
            "c.cfg:1: mesh.rotate has 1 number: expected 4 in 3-D, [x, y, z, degrees] with an axis");
    refused(1, "mesh = { file = \"a.su2\"; scale = [1, 2, 3, 4, 5]; };",
            "c.cfg:1: mesh.scale = [1, 2, 3, 4, 5]: expected a number > 0, or one for each direction in brackets, "
            "like [1.0, 0.5]");
    refused(5, "initial = { file = \"a.out\"; velocity = [1, 0]; };",
            "c.cfg:5: initial.velocity does not apply to a case with initial.file, which has the velocity; remove one");
    refused(5, "initial = { file = \"a.out\"; field = \"potential\"; };",
            "c.cfg:5: initial.field does not apply to a case with initial.file, which has the velocity; remove one");
    refused(5, "initial = { step = 3; };",
            "c.cfg:5: initial.step does not apply to a case without initial.file; remove it");
    refused(5, "initial = { file = \"a.out/fields/000200.h5\"; step = 3; };", "c.cfg:5: initial.step: "
            "a.out/fields/000200.h5 is one step already; remove it, or name the output directory");
    refused(5, "initial = { file = [1, 0]; step = -1; };",
            "c.cfg:5: initial.file = [1, 0]: expected a path in quotes\n"
            "c.cfg:5: initial.step = -1: expected a whole number >= 0");
    refused(5, "lines = { l = { from = [0, 0]; to = [1, 1]; points = 1; }; };",
            "c.cfg:5: lines.l.points = 1: expected a whole number in [2, 1000000]");
    refused(1, "mesh = { box = { cells = [100000, 100000]; }; };", "c.cfg:1: mesh.box.cells: too many: Poise counts "
            "the faces of all cells in 32 bits, which is enough for 536870911 cells in 2-D");
    refused(1, "mesh = { box = { cells = [1, 2000000000]; }; };", "c.cfg:1: mesh.box.cells: too many: Poise counts "
            "the faces of all cells in 32 bits, which is enough for 536870911 cells in 2-D");
    refused(1, "mesh = { box = { cells = [0x100000005, 4294967299]; }; };", "c.cfg:1: mesh.box.cells = "
            "[4294967301.0, 4294967299.0]: expected 2 or 3 whole numbers >= 1 in brackets, like [64, 64]; "
            "the number found is too large");
    refused(5, "probes = { p = { at = [0, 0]; }; }; convergence = { c = { of = \"p\"; quantity = \"pressure\"; "
            "over = 2147483647; }; };",
            "c.cfg:5: convergence.c.over = 2147483647.0: expected a whole number in [1, 1000000] [iterations]");
    refused(5, "initial = { velocity = [1]; };",
            "c.cfg:5: initial.velocity = [1]: expected 2 or 3 numbers or expressions in brackets, like [1.0, 0.0] or "
            "[\"4*y*(1 - y)\", \"0\"] [length/time]");
    refused(5, "initial = { velocity = 1; };",
            "c.cfg:5: initial.velocity = 1: expected 2 or 3 numbers or expressions in brackets, like [1.0, 0.0] or "
            "[\"4*y*(1 - y)\", \"0\"] [length/time]");
    refused(5, "initial = { velocity = [1, true]; };",
            "c.cfg:5: initial.velocity = [1, true]: expected 2 or 3 numbers or expressions in brackets, like [1.0, "
            "0.0] or [\"4*y*(1 - y)\", \"0\"] [length/time]");
    refused(5, "lines = { l = { from = [0, true]; to = [1, 1]; }; };",
            "c.cfg:5: lines.l.from = [0, true]: expected 2 or 3 numbers in brackets, like [1.0, 0.0] [length]");
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

/* Each has a mark under its position. */
static void wrong_expressions(void **state)
{
    (void)state;
    refused(3, "boundary = { lid = { type = \"inlet\"; velocity = [\"6*yy*(1-y)\", 0]; };",
            "c.cfg:3: boundary.lid.velocity: there is no variable \"yy\"; expected x, y, z or t, a number, pi, e or a "
            "function\n    6*yy*(1-y)\n      ^");
    refused(3, "boundary = { lid = { type = \"inlet\"; velocity = [1, \"sinn(y)\"]; };",
            "c.cfg:3: boundary.lid.velocity: there is no function \"sinn\" (did you mean sin?); the functions are "
            "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log log10 log2 sqrt abs sign rint "
            "min max sum avg\n    sinn(y)\n    ^");
    refused(5, "initial = { pressure = \"x*(1 + y\"; velocity = [\"sin(t)\", \"x = 2\"]; };",
            "c.cfg:5: initial.velocity: there is no variable \"t\"; expected x, y or z, a number, pi, e or a function\n"
            "    sin(t)\n        ^\n"
            "c.cfg:5: initial.pressure: a closing ) is missing\n    x*(1 + y\n            ^");
    refused(5, "initial = { pressure = \"1/0\"; };",
            "c.cfg:5: initial.pressure = \"1/0\" is not a finite number; expected one");
    refused(5, "initial = { pressure = [1]; };", "c.cfg:5: initial.pressure = [1]: expected a number or an "
            "expression of x, y or z, in quotes [mass/(length time^2)]");
    set_refused("initial.pressure=2*(x+", "--set initial.pressure=2*(x+: initial.pressure: the expression ends too "
                "early\n    2*(x+\n         ^");
}

/* What a faulty table or expression should have given is not reported as missing, too. */
static void one_error_each(void **state)
{
    (void)state;
    refused(3, "boundary = { lid = { type = \"inlet\"; table = \"none.csv\"; };",
            "c.cfg:3: boundary.lid.table: none.csv: No such file or directory");
    refused(3, "scalars = { c = { diffusivity = 1; }; };\n"
            "boundary = { lid = { type = \"inlet\"; table = \"none.csv\"; };",
            "c.cfg:4: boundary.lid.table: none.csv: No such file or directory");
    refused(3, "scalars = { c = { diffusivity = 1; values = { lid = \"1+\"; }; }; };\n"
            "boundary = { lid = { type = \"inlet\"; velocity = [1, 0]; };",
            "c.cfg:3: scalars.c.values.lid: the expression ends too early\n    1+\n      ^");
}

/* Tables give the keys of their columns; "table:" gives one value. */
static void wrong_tables(void **state)
{
    (void)state;
    write_file("in.csv", "y,t,velocity_x,velocty_y\n0,0,1,0\n1,0,1,0\n");
    refused(3, "boundary = { lid = { type = \"inlet\"; table = \"in.csv\"; };",
            "c.cfg:3: boundary.lid.table: in.csv has a column \"velocty_y\" (did you mean \"velocity_y\"?); expected "
            "x, y, z, t, velocity_x, velocity_y, velocity_z, flow_rate, mass_flow, total_pressure, pressure, fraction, "
            "temperature, heat_flux, transfer_x, transfer_y, transfer_z");
    write_file("in.csv", "y,t,velocity_x\n0,0,1\n1,0,1\n");
    refused(3, "boundary = { lid = { type = \"inlet\"; table = \"in.csv\"; velocity = [1, 0]; };",
            "c.cfg:3: boundary.lid.velocity: the table in.csv has a column \"velocity_x\"; remove one of them");
    refused(5, "initial = { pressure = \"table:in.csv:velocity\"; };", "c.cfg:5: initial.pressure: in.csv has no "
            "column \"velocity\"; it has: velocity_x (did you mean \"velocity_x\"?)");
    refused(5, "initial = { pressure = \"table:in.csv:velocity_x\"; };",
            "c.cfg:5: initial.pressure: in.csv has a column t, on which this value cannot depend; remove that column");
    refused(5, "initial = { pressure = \"table:none.csv\"; };",
            "c.cfg:5: initial.pressure: none.csv: No such file or directory");
    unlink("in.csv");
}

/* A line longer than a message shows is cut, also for the advice, which depends on the text after "=". */
static void long_lines(void **state)
{
    (void)state;
    for (int n = 196; n < 204; n++) {
        char line[300], expected[600];
        memset(line, 'a', (size_t)n), strcpy(line + n, "= @;");
        snprintf(expected, sizeof expected, "c.cfg:5: syntax error; expected  name = value;  or  name = { ... };  the "
                 "error may be at the end of the previous line\n    %.199s", line);
        refused(5, line, expected);
    }
}

static void missing(void **state)
{
    (void)state;
    refused(2, "", "c.cfg: fluid.viscosity is missing: expected a number > 0 or an expression, in quotes "
            "[mass/(length time)]");
    refused(1, "", "c.cfg: the mesh is missing: expected mesh = { file = \"name.geo\"; } (or .msh, .h5) or "
            "mesh = { box = { cells = [64, 64]; }; }");
    write_file("c.cfg", "mesh = { file = \"m.geo\"; };\nfluid = { viscosity = 1; };\n");
    expect_error("c.cfg", NULL, 0,
                 "c.cfg: the boundary conditions are missing: expected boundary = { NAME = { type = \"wall\"; }; ... } "
                 "with every named boundary of the mesh");
    refused(4, "walls = { }; };", "c.cfg:4: boundary.walls.type is missing: expected wall, inlet, outlet, symmetry, "
            "slip or periodic, in quotes");
    refused(4, "i = { type = \"inlet\"; }; };",
            "c.cfg:4: boundary.i.velocity is missing: an inlet needs it, 2 or 3 numbers in "
            "brackets, like [1.0, 0.0] [length/time]; or flow_rate, mass_flow or total_pressure");
    refused(5, "forces = { f = { }; };",
            "c.cfg:5: forces.f.boundaries is missing: expected names in quotes in brackets, like [\"a\", \"b\"]");
}

static void not_applicable(void **state)
{
    (void)state;
    refused(4, "o = { type = \"outlet\"; velocity = [1, 0]; }; };",
            "c.cfg:4: boundary.o.velocity does not apply to type \"outlet\"; remove it");
    refused(4, "w = { type = \"wall\"; flow_rate = 1; mass_flow = 1; total_pressure = 1; }; };",
            "c.cfg:4: boundary.w.flow_rate does not apply to type \"wall\"; remove it\n"
            "c.cfg:4: boundary.w.mass_flow does not apply to type \"wall\"; remove it\n"
            "c.cfg:4: boundary.w.total_pressure does not apply to type \"wall\"; remove it");
    refused(4, "i = { type = \"inlet\"; mass_flow = 1; flow_rate = 2; velocity = [1, 0]; }; };",
            "c.cfg:4: boundary.i.flow_rate: the inlet has velocity already; remove one\n"
            "c.cfg:4: boundary.i.mass_flow: the inlet has velocity already; remove one");
    refused(4, "i = { type = \"inlet\"; total_pressure = 2; profile = \"parabolic\"; }; };", "c.cfg:4: "
            "boundary.i.profile does not apply to an inlet with total_pressure, which gives no velocity; remove it");
    refused(4, "o = { type = \"outlet\"; total_pressure = 1; pressure = 2; backflow = \"static\"; }; };",
            "c.cfg:4: boundary.o.pressure does not apply to an outlet with total_pressure; remove one\n"
            "c.cfg:4: boundary.o.backflow = \"static\" contradicts total_pressure, which fluid that enters has too; "
            "remove one");
    refused(4, "w = { type = \"wall\"; velocity = [1, 0]; rotation = { about = [0, 0]; speed = 1; }; }; };",
            "c.cfg:4: boundary.w.rotation: the wall has velocity already; remove one");
    refused(4, "w = { type = \"wall\"; rotation = { about = [0, 0]; sped = 1; axis = [0, 0, 0]; }; }; };",
            "c.cfg:4: unknown key \"boundary.w.rotation.sped\" (did you mean \"speed\"?); expected here: about, axis, "
            "speed\nc.cfg:4: boundary.w.rotation.speed is missing: expected a number or an expression of t, in quotes "
            "[radians/time]\nc.cfg:4: boundary.w.rotation.axis is zero: expected a direction");
    refused(4, "w = { type = \"wall\"; rotation = 3; }; };",
            "c.cfg:4: boundary.w.rotation = 3: expected a group of keys, { ... }");
    refused(4, "s = { type = \"slip\"; rotation = { about = [0, 0]; speed = 1; }; }; };",
            "c.cfg:4: boundary.s.rotation does not apply to type \"slip\"; remove it");
    refused(4, "i = { type = \"inlet\"; flow_rate = \"2*x\"; }; };", "c.cfg:4: boundary.i.flow_rate: there is no "
            "variable \"x\"; expected t, a number, pi, e or a function\n    2*x\n      ^");
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
    refused(5, "solver = { velocity = { preconditioner = \"ic0\"; }; };",
            "c.cfg:5: solver.velocity: preconditioner \"ic0\" does not suit nonsymmetric matrices; expected "
            "one of none, jacobi, block-jacobi, multigrid, jacobi-richardson, gauss-seidel, multicolour-gs, "
            "two-stage-gs, async-block-jacobi, ilu, block-isai, nested-schwarz");
    refused(5, "solver = { velocity = { method = \"cg\"; }; };",
            "c.cfg:5: solver.velocity: method \"cg\" needs a symmetric matrix; expected bicgstab, gmres, fgmres");
    refused(5, "solver = { velocity = { method = \"gmres\"; preconditioner = \"async-block-jacobi\"; }; };",
            "c.cfg:5: solver.velocity: preconditioner \"async-block-jacobi\" does not suit gmres, because the operator "
            "depends on r (use fgmres); expected one of none, jacobi, block-jacobi, "
            "jacobi-richardson, gauss-seidel, multicolour-gs, two-stage-gs, ilu, block-isai, nested-schwarz");
    refused(5, "solver = { velocity = { level = 2; }; };",
            "c.cfg:5: solver.velocity.level does not apply to preconditioner \"jacobi\"; remove it");
    refused(5, "solver = { velocity = { restart = 20; }; };",
            "c.cfg:5: solver.velocity.restart does not apply to method \"bicgstab\"; remove it, or set method = "
            "\"gmres\"");
    set_refused("solver.velocity.deflation=metis", "--set solver.velocity.deflation=metis: unknown key "
                "\"solver.velocity.deflation\"; expected here: preconditioner, method, restart, side, "
                "tolerance, absolute, max_iterations; deflation belongs in solver.pressure = { ... }");
}

static void settings_against_each_other(void **state)
{
    (void)state;
    refused(
        1, "mesh = { file = \"a.stl\"; };",
        "c.cfg:1: mesh.file = \"a.stl\": expected the name of a mesh: .geo, .msh, .unv, .med or .cgns (read by Gmsh), "
        ".su2, .vtk, .vtu, a folder polyMesh (OpenFOAM) or .h5");
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
    refused(5, "surfaces = { f = { boundaries = [\"lod\"]; every = -1; }; };",
            "c.cfg:5: surfaces.f.every = -1: expected a whole number >= 0 [iterations or time steps]\n"
            "c.cfg:5: surfaces.f.boundaries: boundary \"lod\" is not in the case (did you mean \"lid\"?)");
    refused(5, "surfaces = { f = { fields = \"shear\"; }; };", "c.cfg:5: surfaces.f.boundaries is missing: expected "
            "names in quotes in brackets, like [\"a\", \"b\"]\nc.cfg:5: surfaces.f.fields = \"shear\": expected "
            "names in quotes in brackets, like [\"a\", \"b\"]");
    refused(4, "p = { type = \"periodic\"; with = \"q\"; }; q = { type = \"periodic\"; }; };\n"
            "surfaces = { f = { boundaries = [\"p\"]; }; };", "c.cfg:5: surfaces.f.boundaries: boundary \"p\" is "
            "periodic, inside of the flow: expected another one");
    refused(4, "p = { type = \"periodic\"; with = \"q\"; }; q = { type = \"periodic\"; }; };\n"
            "forces = { f = { boundaries = [\"q\"]; }; };", "c.cfg:5: forces.f.boundaries: boundary \"q\" is "
            "periodic, inside of the flow: expected another one");
    refused(5, "planes = { a = { point = [0, 0]; normal = [0, 0]; }; b = { point = [0, 0]; normal = [0, 0, 1]; };\n"
            "c = { point = [0]; every = 0.5; }; };",
            "c.cfg:5: planes.a.normal is zero: expected the direction across the plane, like [0.0, 1.0]\n"
            "c.cfg:5: planes.b.normal has 3 numbers, but point has 2\n"
            "c.cfg:6: planes.c.point = [0]: expected 2 or 3 numbers in brackets, like [1.0, 0.0] [length]\n"
            "c.cfg:6: planes.c.normal is missing: expected 2 or 3 numbers in brackets, like [1.0, 0.0]\n"
            "c.cfg:6: planes.c.every = 0.5: expected a whole number >= 0 [iterations or time steps]");
    const char *probes =
        "probes = { mid = { at = [0, 0]; }; };\nconvergence = { m = { of = \"%s\"; quantity = \"%s\"; }; };";
    char text[300];
    snprintf(text, sizeof text, probes, "mod", "pressure");
    refused(5, text,
            "c.cfg:6: convergence.m.of = \"mod\": there is no probe, no force and no surface of this name (did you "
            "mean \"mid\"?)");
}

static void coupled_settings(void **state)
{
    (void)state;
    refused(5, "solver = { algorithm = \"coupled\"; relaxation_velocity = 0.9; non_orthogonal_correctors = 1; };",
            "c.cfg:5: solver.relaxation_velocity does not apply to algorithm \"coupled\"; remove it\n"
            "c.cfg:5: solver.non_orthogonal_correctors does not apply to algorithm \"coupled\"; remove it");
    refused(5, "solver = { algorithm = \"coupled\"; pressure = { }; velocity = { }; };",
            "c.cfg:5: solver.pressure does not apply to algorithm \"coupled\"; remove it: its linear solver is "
            "solver.coupled\nc.cfg:5: solver.velocity does not apply to algorithm \"coupled\"; remove it: its linear "
            "solver is solver.coupled");
    refused(5, "solver = { coupled = { restart = 20; }; };", "c.cfg:5: solver.coupled does not apply to algorithm "
            "\"simplec\"; remove it, or set solver.algorithm = \"coupled\"");
    refused(5, "solver = { algorithm = \"coupled\"; }; time = { end = 1; step = 0.1; };", "c.cfg:5: time does not "
            "apply to algorithm \"coupled\"; remove it, or set solver.algorithm = \"piso\" or \"pimple\"");
    refused(5, "solver = { algorithm = \"coupled\"; }; second_fluid = { density = 1; viscosity = 1; }; "
            "shapes = { b = { type = \"sphere\"; centre = [0, 0]; radius = 1; }; };", "c.cfg:5: second_fluid does not "
            "apply to algorithm \"coupled\"; remove it, or set solver.algorithm = \"piso\" or \"pimple\"");
}

static void buoyancy(void **state)
{
    (void)state;
    refused(5, "scalars = { heat = { diffusivity = 1; values = { walls = 1; }; }; };\n"
            "buoyancy = { scalar = \"heta\"; expansion = 0.1; };",
            "c.cfg:6: buoyancy needs fluid.gravity, like gravity = [0.0, -9.81]\n"
            "c.cfg:6: buoyancy.scalar: there is no scalars.heta (did you mean \"heat\"?); expected the name of one of "
            "scalars = { NAME = { diffusivity = ...; }; }");
    refused(5, "buoyancy = { scalar = \"heat\"; };", "c.cfg:5: buoyancy.expansion is missing: expected a number "
            "[1/scalar]\nc.cfg:5: buoyancy needs fluid.gravity, like gravity = [0.0, -9.81]\n"
            "c.cfg:5: buoyancy.scalar: there is no scalars.heat; expected the name of one of scalars = { NAME = { "
            "diffusivity = ...; }; }");
}

static void driven(void **state)
{
    (void)state;
    refused(5, "driven = { direction = [1, 0]; };", "c.cfg:5: driven needs flow_rate or pressure_gradient, like driven "
            "= { direction = [1.0, 0.0]; flow_rate = 2.0; }");
    refused(5, "driven = { direction = [0, 0]; flow_rate = 1; pressure_gradient = 2; };",
            "c.cfg:5: driven.pressure_gradient and driven.flow_rate are both given: one follows from the other; remove "
            "one of them\nc.cfg:5: driven.direction is a vector of length 0; expected a direction like [1.0, 0.0]");
    refused(5, "driven = { flow_rate = \"fast\"; };", "c.cfg:5: driven.direction is missing: expected 2 or 3 numbers "
            "in brackets, like [1.0, 0.0]\nc.cfg:5: driven.flow_rate: there is no variable \"fast\"; expected t, a "
            "number, pi, e or a function\n    fast\n    ^");
    refused(5, "driven = { direction = [1, 0]; pressure_gradiant = 1; };", "c.cfg:5: unknown key "
            "\"driven.pressure_gradiant\" (did you mean \"pressure_gradient\"?); expected here: direction, flow_rate, "
            "pressure_gradient\nc.cfg:5: driven needs flow_rate or pressure_gradient, like driven "
            "= { direction = [1.0, 0.0]; flow_rate = 2.0; }");
}

static void heat(void **state)
{
    (void)state;
    static const char fluid[] = "fluid = { viscosity = 1; heat_capacity = 1; conductivity = 1; };";
    static const char needs[] = " needs a temperature: give fluid.heat_capacity and fluid.conductivity";
    char text[400];
    refused(2, "fluid = { viscosity = 1; heat_capacity = 1; };", "c.cfg:2: fluid.conductivity is missing: "
            "fluid.heat_capacity needs it, a number > 0 [energy/(length time temperature)]");
    refused(2, "fluid = { viscosity = 1; conductivity = 1; };", "c.cfg:2: fluid.heat_capacity is missing: "
            "fluid.conductivity needs it, a number > 0 [energy/(mass temperature)]");
    refused(2, fluid, "c.cfg:2: no boundary gives a temperature, which steady flow leaves open; give one temperature = "
            "... or transfer = [..]");
    snprintf(text, sizeof text, "c.cfg:2: fluid.expansion%s", needs);
    refused(2, "fluid = { viscosity = 1; expansion = 1; };", text);
    snprintf(text, sizeof text, "c.cfg:4: boundary.walls.heat_flux%s", needs);
    refused(4, "walls = { type = \"wall\"; heat_flux = 1; }; };", text);
    snprintf(text, sizeof text, "c.cfg:5: initial.temperature%s\nc.cfg:6: sources.s.heat%s", needs, needs);
    refused(5, "initial = { temperature = 1; };\nsources = { s = { heat = 1; }; };", text);
    refused(5, "solver = { convection_temperature = \"upwind\"; };", "c.cfg:5: solver.convection_temperature does not "
            "apply to a case without fluid.heat_capacity; remove it");
    refused(2, "fluid = { viscosity = 1; heat_capacity = 1; conductivity = 1; expansion = 1; };\n"
            "initial = { temperature = 1; }; scalars = { temperature = { diffusivity = 1; values = { lid = 1; }; }; "
            "};\n"
            "buoyancy = { scalar = \"temperature\"; expansion = 1; };",
            "c.cfg:2: fluid.expansion needs fluid.gravity, like gravity = [0.0, -9.81]\n"
            "c.cfg:2: no boundary gives a temperature, which steady flow leaves open; give one temperature = ... or "
            "transfer = [..]\n"
            "c.cfg:3: scalars.temperature: fluid.heat_capacity makes a field of this name; expected another one\n"
            "c.cfg:4: buoyancy needs fluid.gravity, like gravity = [0.0, -9.81]\n"
            "c.cfg:4: buoyancy: fluid.expansion lets the temperature act on the flow; remove one of them");
    write_case(2, "fluid = { viscosity = 1; heat_capacity = 1; conductivity = 1; expansion = 1; gravity = [0, -1]; };");
    const char *open[] = {"boundary.walls.type=outlet", "boundary.lid.type=inlet", "boundary.lid.temperature=310",
                          "boundary.walls.temperature=300"};
    expect_error("c.cfg", open, 4, "c.cfg:2: fluid.reference_temperature is missing: boundary.lid.temperature is 310, "
                 "boundary.walls.temperature is 300; expected the temperature of the fluid at rest outside of the "
                 "openings, like reference_temperature = 310");
    open[3] = "boundary.walls.temperature=300 + x";
    expect_error("c.cfg", open, 4, "c.cfg:2: fluid.reference_temperature is missing: boundary.walls.temperature is an "
                 "expression; expected the temperature of the fluid at rest outside of the openings, a number "
                 "[temperature]");
    refused(5, "nusselt = { length = 1; temperature_difference = 1; };", "c.cfg:5: nusselt needs a temperature: give "
            "fluid.heat_capacity and fluid.conductivity");
    refused(2, "fluid = { viscosity = 1; heat_capacity = 1; conductivity = \"1 +\"; };\n"
            "nusselt = { length = 1; temperature_difference = 1; };",
            "c.cfg:2: fluid.conductivity: the expression ends too early\n    1 +\n       ^");
    write_case(2, fluid);
    const char *set[] = {"boundary.walls.temperature=1", "boundary.lid.transfer=[-1,2]",
                         "fluid.reference_temperature=3"};
    expect_error("c.cfg", set, 3, "--set fluid.reference_temperature=3: fluid.reference_temperature does not apply "
                 "to a fluid without expansion; remove it\n--set boundary.lid.transfer=[-1,2]: boundary.lid.transfer: "
                 "expected two numbers, a coefficient >= 0 and the outside temperature, like [10.0, 293.0]");
    const char *both[] = {"boundary.walls.temperature=1", "boundary.walls.heat_flux=1",
                          "boundary.lid.type=inlet"};
    expect_error("c.cfg", both, 3, "c.cfg:3: boundary.lid.temperature is missing: an inlet needs it, a number "
                 "[temperature]\n--set boundary.walls.heat_flux=1: boundary.walls.heat_flux: boundary \"walls\" has "
                 "temperature too; remove one of them");
}

static void solids(void **state)
{
    (void)state;
    static const char solid[] = "solids = { plate = { density = 1; heat_capacity = 1; conductivity = 1; }; };";
    char text[1000];
    refused(5, solid, "c.cfg:5: solids.plate conducts heat, but the case has no temperature; give fluid.heat_capacity "
            "and fluid.conductivity");
    refused(5, "solids = { plate = { density = 0; heat_capacity = 1; contact_resistance = -1; }; };", "c.cfg:5: "
            "solids.plate.density = 0: expected a number > 0 [mass/length^3]\nc.cfg:5: solids.plate.conductivity is "
            "missing: expected a number > 0 or an expression of x, y, z, t or temperature, in quotes "
            "[energy/(length time temperature)]\nc.cfg:5: solids.plate.contact_resistance = -1: expected a number "
            ">= 0 [length^2 time temperature/energy]\n"
            "c.cfg:5: solids.plate conducts heat, but the case has no temperature; give fluid.heat_capacity and "
            "fluid.conductivity");
    snprintf(text, sizeof text, "fluid = { viscosity = 1; heat_capacity = 1; conductivity = 1; }; %s", solid);
    write_case(2, text);
    const char *set[] = {"boundary.walls.temperature=1", "boundary.plate.type=outlet", "boundary.plate.temperature=1"};
    expect_error("c.cfg", set, 3, "--set boundary.plate.type=outlet: boundary.plate.type = \"outlet\": this is the "
                 "surface of a solid: expected \"wall\" or \"slip\"\n"
                 "--set boundary.plate.temperature=1: boundary.plate.temperature does "
                 "not apply to the surface of a solid, through which heat passes; remove it");
}

/* Keys of a flow in a case with solids alone. */
static void conduction(void **state)
{
    (void)state;
    write_case(2, "solids = { plate = { density = 1; heat_capacity = 1; conductivity = 1; }; };");
    const char *set[] = {"boundary.walls.temperature=1", "solver.newton=1", "initial.velocity=[1,0]",
                         "forces.f={boundaries=[\"lid\"];}"};
    expect_error("c.cfg", set, 4, "c.cfg:3: boundary.lid.velocity does not apply to solids; remove it\n"
                 "--set solver.newton=1: solver.newton does not apply to algorithm \"conduction\"; remove it\n"
                 "--set initial.velocity=[1,0]: initial.velocity does not apply to algorithm \"conduction\"; remove "
                 "it\n--set forces.f={boundaries=[\"lid\"];}: forces does not apply to algorithm \"conduction\"; "
                 "remove it");
}

static void sources(void **state)
{
    (void)state;
    refused(5, "sources = { a = { region = \"r\"; }; };", "c.cfg:5: sources.a gives nothing; expected heat, force or "
            "resistance");
    refused(5, "sources = { a = { force = [1, 0]; }; b = { force = [2, 0]; }; };", "c.cfg:5: sources.b.force: "
            "sources.a gives the force of the same cells; give their sum in one of them");
    refused(5, "sources = { a = { resistance = -1; }; };", "c.cfg:5: sources.a.resistance = -1: expected a number >= 0 "
            "or an expression of x, y, z or t, in quotes [mass/(length^3 time)]");
}

static void viscosity_models(void **state)
{
    (void)state;
    refused(2, "fluid = { viscosity = 1; viscosity_model = { type = \"power-law\"; consistency = 1; "
            "exponent = 1; }; };",
            "c.cfg:2: fluid.viscosity does not apply to a fluid with viscosity_model = { ... }; remove one of them");
    refused(2, "fluid = { viscosity_model = { type = \"power-law\"; exponent = 0; zero = 1; lowest = 2; "
            "highest = 1; }; };",
            "c.cfg:2: fluid.viscosity_model.consistency is missing: expected a number > 0 [mass/(length "
            "time^(2 - exponent))]\n"
            "c.cfg:2: fluid.viscosity_model.exponent = 0: expected a number in (0, 4]\n"
            "c.cfg:2: fluid.viscosity_model.zero does not apply to type \"power-law\"; remove it\n"
            "c.cfg:2: fluid.viscosity_model: lowest = 2 is not below highest = 1");
    refused(2, "fluid = { viscosity_model = { type = \"powerlaw\"; }; };",
            "c.cfg:2: fluid.viscosity_model.type = \"powerlaw\": expected power-law, carreau, cross, bingham or "
            "herschel-bulkley, in quotes (did you mean \"power-law\"?)");
    refused(2, "fluid = { viscosity_model = { type = \"bingham\"; plastic_viscosity = 1; yeild_stress = 1; "
            "regularisation = 1; }; };",
            "c.cfg:2: unknown key \"fluid.viscosity_model.yeild_stress\" (did you mean \"yield_stress\"?); expected "
            "here: type, plastic_viscosity, yield_stress, regularisation\n"
            "c.cfg:2: fluid.viscosity_model.yield_stress is missing: expected a number >= 0 [mass/(length time^2)]");
    refused(2, "fluid = { viscosity = \"2 - shear_rate\"; };", "c.cfg:2: fluid.viscosity = \"2 - shear_rate\" is 0 at "
            "shear_rate = 2: expected a number > 0 at all shear rates from 1e-12 to 1e12; limit it like min(max(2 - "
            "shear_rate, 1e-3), 1e3)");
    refused(2, "fluid = { viscosity = \"x*shear_rate\"; };", "c.cfg:2: fluid.viscosity = \"x*shear_rate\": expected an "
            "expression of shear_rate alone, of one field alone (temperature or a scalar), or of x, y, z and t");
    refused(2, "fluid = { viscosity = \"1/shear\"; };", "c.cfg:2: fluid.viscosity: there is no variable \"shear\" (did "
            "you mean shear_rate?); expected x, y, z, t, shear_rate or temperature, a number, pi, e or a "
            "function\n    1/shear\n      ^");
    refused(2, "fluid = { viscosity_model = \"carreau\"; };",
            "c.cfg:2: fluid.viscosity_model is not a group: expected viscosity_model = { ... }");
}

static void viscosity_of_a_field(void **state)
{
    (void)state;
    static const char mixes[] = "expected an expression of shear_rate alone, of one field alone (temperature or a "
                                "scalar), or of x, y, z and t";
    static const char dyes[] = "scalars = { a = { diffusivity = 1; values = { lid = 1; walls = 2; }; }; b = { "
                               "diffusivity = 1; initial = 3; values = { lid = 3; }; }; };";
    static const char *const mixed[] = {"x*a", "a*shear_rate", "a + b", "a + t"};
    char text[800], found[800];
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "fluid = { viscosity = \"%s\"; };\n%s", mixed[i], dyes);
        snprintf(found, sizeof found, "c.cfg:2: fluid.viscosity = \"%s\": %s", mixed[i], mixes);
        refused(2, text, found);
    }
    refused(2, "fluid = { viscosity = \"1 + temperature\"; };", "c.cfg:2: fluid.viscosity = \"1 + temperature\": this "
            "case has no temperature; give heat_capacity and conductivity");
    refused(2, "fluid = { viscosity = \"1 + x\"; };\nscalars = { a = { diffusivity = 1; range = [1, 2]; values = "
            "{ lid = 1; walls = 2; }; }; };", "c.cfg:3: scalars.a.range: no property depends on a; remove it");
    refused(2, "fluid = { viscosity = 1; property_range = [1, 2]; };", "c.cfg:2: fluid.property_range needs a "
            "temperature: give fluid.heat_capacity and fluid.conductivity");
    snprintf(text, sizeof text, "fluid = { viscosity = \"a\"; };\n%s", dyes);
    refused(2, text, "c.cfg:2: fluid.viscosity = \"a\" is -2 at a = -2: expected a number > 0 from -2 to 4 (the "
            "numbers given for the field, and as much again on both sides; scalars.a.range = [low, high] gives another "
            "range); limit it like min(max(a, 1e-3), 1e3)");
    snprintf(text, sizeof text, "fluid = { viscosity = \"b\"; };\n%s", dyes);
    refused(2, text, "c.cfg:2: fluid.viscosity = \"b\" needs scalars.b.range: the case gives the field one number, of "
            "which no range follows; expected two numbers between which b stays, like [280.0, 350.0]");
    refused(2, "fluid = { viscosity = \"b\"; };\nscalars = { b = { diffusivity = 1; range = [2, 1]; values = "
            "{ lid = 1; walls = 2; }; }; };",
            "c.cfg:3: scalars.b.range: expected a pair of numbers in brackets, the lower one first, like "
            "[280.0, 350.0]");
}

static void time_against_algorithm(void **state)
{
    (void)state;
    refused(5, "solver = { algorithm = \"piso\"; };", "c.cfg:5: time = { ... } is missing: algorithm \"piso\" needs "
            "it, like time = { end = 1.0; step = 0.001; }");
    refused(5, "time = { end = 1; step = 0.1; };", "c.cfg:5: time does not apply to algorithm \"simplec\"; "
            "remove it, or set solver.algorithm = \"piso\" or \"pimple\"");
    refused(5, "solver = { algorithm = \"piso\"; tolerance = 1e-3; outer_correctors = 2; }; time = { end = 1; "
            "step = 0.1; };", "c.cfg:5: solver.tolerance does not apply to algorithm \"piso\"; remove it\n"
            "c.cfg:5: solver.outer_correctors does not apply to algorithm \"piso\"; remove it");
    refused(5, "solver = { correctors = 2; };",
            "c.cfg:5: solver.correctors does not apply to algorithm \"simplec\"; remove it");
    refused(5, "solver = { algorithm = \"piso\"; }; time = { step = 0.1; };",
            "c.cfg:5: time.end is missing: expected a number > 0 [time]");
    refused(5, "solver = { algorithm = \"piso\"; }; time = { end = 1; step = 2; };",
            "c.cfg:5: time.step = 2 is longer than the whole run, time.end = 1");
    refused(5, "solver = { algorithm = \"piso\"; }; time = { end = 1; step = 0.1; capillary = 1; };",
            "c.cfg:5: time.capillary does not apply to a case without surface tension, and without gravity on two "
            "densities; remove it");
    refused(5, "solver = { algorithm = \"advection\"; }; time = { end = 1; step = 0.1; scheme = \"euler\"; };",
            "c.cfg:5: prescribed = { ... } is missing: algorithm \"advection\" needs a velocity, like "
            "prescribed = { field = \"vortex\"; period = 8.0; }\n"
            "c.cfg:5: second_fluid = { ... } is missing: algorithm \"advection\" moves its interface\n"
            "c.cfg:5: time.scheme does not apply to algorithm \"advection\"; remove it");
    refused(5, "initial = { field = \"taylor-green\"; velocity = [1, 0]; };",
            "c.cfg:5: initial.velocity does not apply to field \"taylor-green\"; remove it");
    refused(5, "output = { times = [0.5]; };", "c.cfg:5: output.times does not apply to algorithm \"simplec\"; remove "
            "it, or set solver.algorithm = \"piso\" or \"pimple\"");
    refused(5, "solver = { algorithm = \"piso\"; }; time = { end = 1; step = 0.1; };\n"
            "output = { times = [0.5, -1]; }; averages = { from = 1.0; fields = \"velocity\"; every = 3; };",
            "c.cfg:6: output.times = [0.5, -1]: expected numbers >= 0 in brackets, like [0.5, 1.0] [time]\n"
            "c.cfg:6: unknown key \"averages.every\"; expected here: from, fields; every belongs in output = { ... }\n"
            "c.cfg:6: averages.fields = \"velocity\": expected names in quotes in brackets, like [\"a\", \"b\"]\n"
            "c.cfg:6: averages.from = 1: expected a time before the end of the run, 1");
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
            "centre = [0.5, 0.5]; radius = 0.25; }; }, a boundary with a fraction, or initial.file");
    refused(4, "walls = { type = \"wall\"; contact_angle = 60; }; };", "c.cfg:4: boundary.walls.contact_angle does "
            "not apply to a case without second_fluid = { ... }; remove it");
    refused(4, "w = { type = \"wall\"; backflow = \"total\"; }; };", "c.cfg:4: boundary.w.backflow does not apply to "
            "type \"wall\"; remove it");
    refused(4, "o = { type = \"outlet\"; fraction = 1; }; };", "c.cfg:4: boundary.o.fraction does not apply "
            "to a case without second_fluid = { ... }; remove it");
    refused(4, "o = { type = \"outlet\"; contact_angle = 60; }; };",
            "c.cfg:4: boundary.o.contact_angle does not apply to type \"outlet\"; remove it");
    snprintf(text, sizeof text, "%s second_fluid = { density = 2; viscosity = 3; surface_tension_slope = -1; };\n"
             "shapes = { b = { type = \"sphere\"; centre = [0, 0]; radius = 1; }; };", transient);
    refused(5, text, "c.cfg:5: second_fluid.surface_tension_slope needs a temperature in both fluids: expected "
            "heat_capacity and conductivity of fluid and second_fluid, or scalars.temperature\n"
            "c.cfg:5: second_fluid.surface_tension_slope needs second_fluid.surface_tension > 0, its value at the "
            "reference temperature");
    snprintf(text, sizeof text, "%s scalars = { temperature = { diffusivity = 1; values = { lid = 1; walls = 2; }; }; "
             "};\nsecond_fluid = { density = 2; viscosity = 3; surface_tension = \"4 - temperature\"; "
             "surface_tension_slope = -1; };\nshapes = { b = { type = \"sphere\"; centre = [0, 0]; radius = 1; "
             "}; };", transient);
    refused(5, text, "c.cfg:6: second_fluid.surface_tension_slope: surface_tension = \"4 - temperature\" has a slope "
            "of its own; remove one of them");
    snprintf(text, sizeof text, "%s second_fluid = { density = 2; viscosity = 3; conductivity = 1; };\n"
             "shapes = { b = { type = \"sphere\"; centre = [0, 0]; radius = 1; }; };", transient);
    refused(5, text, "c.cfg:5: second_fluid.conductivity needs a temperature: give fluid.heat_capacity and "
            "fluid.conductivity");
    snprintf(text, sizeof text, "%s initial = { temperature = 2; };\n"
             "second_fluid = { density = 2; viscosity = 3; heat_capacity = 1; };\n"
             "shapes = { b = { type = \"sphere\"; centre = [0, 0]; radius = 1; }; };", transient);
    write_case(5, text);
    const char *hot[] = {"fluid.heat_capacity=1", "fluid.conductivity=1", "fluid.reference_temperature=3",
                         "boundary.walls.transfer=[1,2]"};
    expect_error("c.cfg", hot, 4, "c.cfg:6: second_fluid.conductivity is missing: fluid.conductivity needs it, a "
                 "number > 0 [energy/(length time temperature)]\n"
                 "--set boundary.walls.transfer=[1,2]: boundary.walls.transfer does not apply to a case of two "
                 "conductivities: give temperature or heat_flux\n"
                 "--set fluid.reference_temperature=3: fluid.reference_temperature does not apply to fluids without "
                 "expansion or surface_tension_slope; remove it");
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
        {"type = \"spere\";",
         "shapes.s.type = \"spere\": expected sphere, box, half-space or level, in quotes (did you mean \"sphere\"?)"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char message[400];
        snprintf(text, sizeof text, "%s second_fluid = { density = 2; viscosity = 3; };\nshapes = { s = { %s }; };",
                 transient, row[i].shape);
        snprintf(message, sizeof message, "c.cfg:6: %s", row[i].message);
        refused(5, text, message);
    }
    static const char *const cavity[] = {"lid", "walls"};
    struct case_settings c;
    struct error e = {.text = ""};
    const char *set[] = {"fluid.gravity=[0,0,-1]", "boundary.lid.velocity=[1,0,0]"};
    write_case(5, two_phase);
    read_good(&c, "c.cfg", set, 1);
    assert_false(case_check_mesh(&c, "cavity.msh", 2, cavity, 2, NULL, 0, &e));
    assert_string_equal(e.text, "c.cfg: fluid.gravity has 3 numbers, but cavity.msh is 2-D: expected 2");
    case_free(&c);
    read_good(&c, "c.cfg", set, 2);
    assert_false(case_check_mesh(&c, "cube.msh", 3, cavity, 2, NULL, 0, &e));
    assert_string_equal(e.text, "c.cfg:6: shapes.b.centre has 2 numbers, but cube.msh is 3-D: expected 3");
    case_free(&c);
}

static void against_mesh(void **state)
{
    (void)state;
    static const char *const cavity[] = {"lid", "walls"}, *const more[] = {"lid", "walls", "hole"};
    struct case_settings c;
    struct error e = {.text = ""};
    write_case(4, "walls = { type = \"wall\"; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(case_check_mesh(&c, "cavity.msh", 2, cavity, 2, NULL, 0, &e));
    assert_false(case_check_mesh(&c, "cavity.msh", 2, more, 3, NULL, 0, &e));
    assert_string_equal(e.text,
                        "c.cfg:4: boundary \"hole\" of cavity.msh has no condition; add to boundary = { ... }:\n"
                        "    hole = { type = \"wall\"; };");
    assert_false(case_check_mesh(&c, "cube.msh", 3, cavity, 2, NULL, 0, &e));
    assert_string_equal(e.text, "c.cfg:3: boundary.lid.velocity has 2 numbers, but cube.msh is 3-D: expected 3");
    case_free(&c);
    write_case(3, "boundary = { lidd = { type = \"wall\"; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_false(case_check_mesh(&c, "cavity.msh", 2, cavity, 2, NULL, 0, &e));
    assert_string_equal(e.text,
                        "c.cfg:3: boundary \"lidd\" is not in cavity.msh; it has: lid, walls (did you mean \"lid\"?)\n"
                        "c.cfg:4: boundary \"lid\" of cavity.msh has no condition; add to boundary = { ... }:\n"
                        "    lid = { type = \"wall\"; };");
    case_free(&c);
    write_case(
        5, "lines = { l = { from = [0, 0, 0]; to = [1, 1, 1]; }; }; probes = { p = { at = [0, 0, 0]; }; };\n"
           "initial = { velocity = [1, 2, 3]; }; convergence = { m = { of = \"p\"; quantity = \"velocity_z\"; };\n"
           "n = { of = \"f\"; quantity = \"pressure\"; }; d = { of = \"p\"; quantity = \"dye\"; }; };\n"
           "forces = { f = { boundaries = [\"lid\"]; scale = 2; }; };\n"
           "scalars = { dye = { diffusivity = 1; values = { lid = 1; }; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_false(case_check_mesh(&c, "cavity.msh", 2, cavity, 2, NULL, 0, &e));
    assert_string_equal(
        e.text,
        "c.cfg: initial.velocity has 3 numbers, but cavity.msh is 2-D: expected 2\n"
        "c.cfg:5: lines.l.from has 3 numbers, but cavity.msh is 2-D: expected 2\n"
        "c.cfg:5: probes.p.at has 3 numbers, but cavity.msh is 2-D: expected 2\n"
        "c.cfg:6: convergence.m.quantity = \"velocity_z\": \"p\" is a probe and has velocity_x, velocity_y, pressure, "
        "dye\n"
        "c.cfg:7: convergence.n.quantity = \"pressure\": \"f\" is a force and has force_x, force_y, viscous_x, "
        "viscous_y, moment_z, coefficient_x, coefficient_y");
    case_free(&c);
    write_case(4, "i = { type = \"inlet\"; velocity = [1, 0]; profile = \"paraboloid\"; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    static const char *const channel[] = {"lid", "i"};
    assert_false(case_check_mesh(&c, "channel.msh", 2, channel, 2, NULL, 0, &e));
    assert_string_equal(
        e.text,
        "c.cfg:4: boundary.i.profile = \"paraboloid\", but channel.msh is 2-D: expected \"uniform\" or \"parabolic\"");
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_values), cmocka_unit_test(wrong_expressions),
                                       cmocka_unit_test(wrong_tables), cmocka_unit_test(one_error_each),
                                       cmocka_unit_test(long_lines),
                                       cmocka_unit_test(missing),
                                       cmocka_unit_test(not_applicable), cmocka_unit_test(settings_against_each_other),
                                       cmocka_unit_test(coupled_settings), cmocka_unit_test(buoyancy),
                                       cmocka_unit_test(driven),
                                       cmocka_unit_test(heat), cmocka_unit_test(solids), cmocka_unit_test(conduction),
                                       cmocka_unit_test(sources),
                                       cmocka_unit_test(viscosity_models), cmocka_unit_test(viscosity_of_a_field),
                                       cmocka_unit_test(time_against_algorithm),
                                       cmocka_unit_test(second_fluid_against_the_rest),
                                       cmocka_unit_test(against_mesh)};
    return cmocka_run_group_tests_name("case_errors", tests, enter_folder, remove_folder);
}

/* poise help: the help texts of all commands. */
#include <stdio.h>
#include <string.h>
#include "run/case_settings.h"
#include "base/log.h"
#include "command/command.h"
#include "system/generate.h"

static const char general[] =
    "Poise: laminar incompressible flow on unstructured meshes, steady or transient, with one fluid or two fluids\n"
    "with a sharp interface and surface tension, on a GPU or on CPU threads.\n"
    "\n"
    "  poise run CASE            runs a case file (NAME.cfg, .json); results go to NAME.out/\n"
    "  poise check CASE          checks a case and its mesh and reports all errors, without a computation\n"
    "  poise new NAME [MESH]     writes an initial case file for a mesh, with its boundaries; marks what to check\n"
    "  poise diff A.out B.out    compares the fields of two runs, on the same mesh or on different ones\n"
    "  poise mesh info FILE      counts, boundaries and quality of a mesh\n"
    "  poise mesh convert IN OUT converts a mesh of another program to Poise's format\n"
    "  poise solve MATRIX        solves a linear system from a file or a generator, by one or several methods\n"
    "  poise bench ...           benchmarks this machine\n"
    "  poise help [TOPIC]        run, check, new, diff, mesh, solve, bench, case (every key of a case file), formats\n"
    "  poise help case GROUP     one group or key: solver, boundary, time.step, viscosity\n"
    "  poise version             version, commit, build options and libraries; also --version, -V\n"
    "\n"
    "On several processes or GPUs, with bitwise identical results: mpirun -n N poise run | solve | bench scaling ...\n"
    "\n"
    "To start: poise run cases/cavity/cavity.cfg (steady) or cases/bubble/bubble.cfg (transient, two fluids), then\n"
    "open cavity.out/cavity.xdmf or bubble.out/bubble.xdmf in ParaView.\n"
    "\n"
    "Exit status: 0 converged (or done; transient: end time reached), 1 error in the input, 2 not converged within\n"
    "the iterations or steps allowed, 3 diverged, 4 a resource is missing (memory, disk, GPU), 5 stalled (steady: the\n"
    "residuals no longer fall), 6 stopped (signal, control file, time limit: continue with --restart).\n";

static const char run[] =
    "poise run CASE [options]\n"
    "\n"
    "  --device auto|cpu|cuda    auto (default): the GPU if there is one; the log gives the choice and the reason\n"
    "  --threads N               CPU threads; 0 (default) = all.  Results are bitwise independent of it\n"
    "  --set KEY=VALUE           overrides a key of the case file; repeatable: --set fluid.viscosity=0.0025\n"
    "                            --set boundary.lid.velocity=[2.0,0.0] --set mesh.parameters.n=64\n"
    "  --set KEY=                removes the key, or the group, from the case: --set lines=\n"
    "  --output DIR              the same as --set output.directory=DIR\n"
    "  --restart                 continues from the checkpoint in the output directory, bitwise identical to a run\n"
    "                            that was never stopped\n"
    "  --time-limit [[D-]H:]M:S  ends the run within this time after its start, with fields and a checkpoint, exit\n"
    "                            status 6: 11:50:00, or the output of squeue -h -j $SLURM_JOB_ID -o %L\n"
    "  --write-pressure FILE.h5  at the end: the pressure system of the next iteration (transient: of the last step),\n"
    "                            matrix, right-hand side and cell centres, for poise solve FILE.h5\n"
    "  --write-momentum FILE.h5  the same for momentum, with the right-hand side of the first component\n"
    "  --write-coupled FILE.h5   the same for velocity and pressure, with algorithm coupled: blocks of 3 or 4 rows\n"
    "  --trust-geo               allows a .geo to run commands and write files (SystemCall, Printf > file, Save ...);\n"
    "                            only for files that you trust\n"
    "  --digest                  prints a hash of the final fields\n"
    "  --quiet                   prints errors only; log.txt is still written\n"
    "\n"
    "mpirun -n N poise run CASE ...: on N processes, or GPUs, with bitwise identical results\n"
    "(docs/explanation/scaling.md)\n"
    "  --share-gpu               more processes than GPUs: they take turns, and communicate through the host\n"
    "POISE_PATIENCE=SECONDS      time limit for a process that does not respond, after which all end (50); four times\n"
    "                            as long for MPI's start\n"
    "\n"
    "Ctrl-C (or SIGTERM, SIGHUP, SIGXCPU, SIGPIPE) ends the run after the current iteration or step, with fields and\n"
    "a checkpoint, exit status 6; --restart continues.  With several processes Ctrl-C and SIGTERM end all at once;\n"
    "use SIGXCPU or the line stop (below).  SIGUSR1 writes a checkpoint and continues; so does the clock, every 15\n"
    "minutes (output.checkpoint_minutes).\n"
    "A file NAME.out/control is read after every 10 iterations or steps (output.control_every) and removed; lines:\n"
    "  stop                      ends the run like Ctrl-C\n"
    "  write                     writes fields, lines and a checkpoint now\n"
    "  KEY = VALUE               until the run ends; of time: end, step, courant, max_steps, interface_courant,\n"
    "                            capillary; for steady flow: solver.max_iterations, solver.tolerance\n"
    "Invalid lines are reported in the log and ignored.\n"
    "Without --restart a run replaces the results of an earlier one in its output directory.  A directory with files\n"
    "from elsewhere is rejected, and so is one that another run is using.\n"
    "\n"
    "Exit status: 0 converged, or time.end reached; 1 error in the input; 2 not converged: iterations or steps used\n"
    "up; 3 diverged; 4 resource (memory, disk, GPU); 5 stalled: the residuals no longer fall (solver.stall_limit);\n"
    "6 stopped: by a signal, the control file or the time limit; --restart continues.\n";

static const char check[] =
    "poise check CASE [--set KEY=VALUE]... [--trust-geo]\n"
    "\n"
    "Reads the case, its mesh, its boundaries and its shapes like a run and reports all errors: file and line, what\n"
    "was found, what was expected, the nearest valid name; for the file itself the first 20 in full.  After a syntax\n"
    "error nothing more is read.  It writes nothing into the output directory.\n"
    "\n"
    "Exit status: 0 valid, 1 error in the input, 4 resource (memory, disk).\n";

#define MESH_OPTION_LINES                                                                                         \
    "  --set NAME=VALUE          a DefineConstant parameter of the .geo file, like mesh.parameters.NAME\n"         \
    "  --straight                replaces elements of higher order by straight-sided cells (mesh.curved)\n"        \
    "  --markers NAME            for .vtk and .vtu: the array that names boundaries and regions (mesh.markers)\n" \
    "  --scale F                 multiplies all lengths by F; FX,FY[,FZ]: by one for each direction (mesh.scale)\n" \
    "  --rotate DEGREES          about the origin; in 3-D X,Y,Z,DEGREES about this axis (mesh.rotate)\n"           \
    "  --translate X,Y[,Z]       shifts it, after the other two (mesh.translate)\n"                               \
    "  --trust-geo               allows the .geo to run commands and write files\n"

static const char new[] =
    "poise new NAME [MESH] [--transient] [mesh options]\n"
    "\n"
    "Writes NAME.cfg, a commented case file for MESH: .h5, .geo, another format, or box:NX,NY[,NZ].\n"
    "It contains every boundary of the mesh, with a type guessed from its name (inlet, outlet, symmetry, slip; else\n"
    "wall) or periodic as given in the mesh.  Lines with a guess are marked LOOK and must be checked.  If there is an\n"
    "inlet but no boundary is named an outlet, the one opposite becomes the outlet.  The case passes poise check\n"
    "unless no boundary can be an outlet.  An existing file is never overwritten.\n"
    "\n"
    "  --transient               transient flow (PISO) instead of steady flow\n"
    "\n"
    "Mesh options:\n"
    MESH_OPTION_LINES
    "\n"
    "All but --trust-geo are stored in the case as keys of mesh.\n"
    "\n"
    "Exit status: 0 written, 1 error in the input, or the file exists; 4 resource (memory, disk).\n";

static const char diff[] =
    "poise diff A.out B.out [options]\n"
    "\n"
    "  --fields LIST             comma-separated names, without blanks (default: all fields common to both runs)\n"
    "  --step N[,M]              after N iterations or steps, of B after M (default: the last ones)\n"
    "  --tolerance T             largest difference allowed in any field, relative to A's (default 0)\n"
    "  --norm l1|l2|max          norm to compare with the tolerance (default max)\n"
    "\n"
    "For every field the difference A - B in three norms: L1, the mean over the volume; L2, the root mean square; the\n"
    "maximum, with the centre of its cell; then the value compared with the tolerance: the norm of the difference\n"
    "divided by that of A (if A is zero: the norm itself).  Vectors are measured by their length.\n"
    "On the same mesh cells are compared one by one.  On different meshes, both 2-D or both 3-D, B's fields are\n"
    "interpolated to the centres of A's cells, linearly in every cell of B (slopes by least squares over its\n"
    "neighbours); cells of A outside B are counted and ignored.\n"
    "\n"
    "Exit status: 0 within the tolerance, 1 beyond it, or error in the input, 4 resource (memory, disk).\n";

static const char mesh[] =
    "poise mesh info FILE [--parts N] [mesh options]\n"
    "                                 FILE: a mesh of any format (poise help formats), or a case file\n"
    "\n"
    "Counts of cells by type, boundaries, regions, bounding box; quality (cells as numbered in the file):\n"
    "  non-orthogonality         angle between a face's normal and the line between the cells' centres; above 80\n"
    "                            degrees make a better mesh; up to there keep the default of\n"
    "                            solver.non_orthogonal_correctors, and if a run diverges set 3 (in time below 70\n"
    "                            degrees: 1)\n"
    "  skewness                  distance of that line from the face's centre, relative to its length\n"
    "  aspect ratio              longest over shortest extent of a cell\n"
    "and the efficiency of each ordering (mesh.ordering): the share of matrix entries within a slice of 512 rows (the\n"
    "more the faster), and the share of padding.\n"
    "  --parts N                 division among N ranks (docs/explanation/scaling.md), along the Hilbert curve (the\n"
    "                            default) and by METIS: cells, ghost cells that share faces with these, neighbours\n"
    "\n"
    "poise mesh convert IN OUT [mesh options]\n"
    "\n"
    "  IN                        .geo, .msh (every version that Gmsh reads), .unv, .med, .cgns, .su2, .vtk, .vtu, or\n"
    "                            OpenFOAM's folder polyMesh: poise help formats\n"
    "  OUT                       .h5: can be read without Gmsh\n"
    "\n"
    "Mesh options, of both commands unless FILE is a case:\n"
    MESH_OPTION_LINES
    "\n"
    "Exit status: 0 done, 1 error in the input, 4 resource (memory, disk).\n";

static const char solve_head[] =
    "poise solve MATRIX [options]        MATRIX: .mtx or .mtx.gz (Matrix Market), .h5 (--write)\n"
    "poise solve --generate G [options]\n"
    "\n"
    "  poise solve matrix.mtx --rhs b.mtx --preconditioner sgs2,multigrid --solver cg --tolerance 1e-9\n"
    "  poise solve --generate bubbles3d:64 --preconditioner multigrid,deflated-neumann2,jacobi --repeat 5\n"
    "\n"
    "Generators G; the right-hand side is random unless noted:\n";
static const char solve_tail[] =
    "  --dirichlet SIDES         for a generator: boundaries with fixed values: left,top, all, or none (singular)\n"
    "  --rhs B                   ones, random, a number, or a file (.mtx, .mtx.gz, .h5); default: the system's own,\n"
    "                            or ones; random:1, random:2, ...: other random numbers\n"
    "  --guess zero|random       initial guess (default zero)\n"
    "  --preconditioner LIST     comma-separated methods without blanks (default multigrid), each\n"
    "                            NAME[:key=value]... with the names and keys of solver.pressure (poise help case;\n"
    "                            docs/explanation/solvers.md compares them): two-stage-gs:sweeps=2:damping=0.9.\n"
    "                            Short names: jr jacobi-richardson, sgs gauss-seidel, sgs2 two-stage-gs, gs and gs2\n"
    "                            their forward sweeps only (no --solver cg), neumann1, neumann2 (terms);\n"
    "                            deflated-NAME is NAME with deflation\n"
    "  --solver cg|stationary|bicgstab|gmres|fgmres   conjugate gradients (default); the preconditioner alone, as an\n"
    "                            iteration; BiCGStab; GMRES; flexible GMRES, which supports any preconditioner\n"
    "  --restart M               for gmres and fgmres: iterations between restarts (default 30)\n"
    "  --precision double|single for methods with a precision of their own (default double)\n"
    "  --tolerance T             relative to the first residual, 2-norm (default 1e-8)\n"
    "  --max-iterations N        of one solve (default 10000)\n"
    "  --block B                 combines every B consecutive rows (2 to 5) into one of B x B blocks\n"
    "  --ordering O              hilbert, cuthill-mckee, metis or none: internal numbering (default: hilbert if the\n"
    "                            cells' centres are known; else metis, or none if that is good already; none for\n"
    "                            layers, laplace2d and nonsymmetric matrices)\n"
    "  --repeat N                set-up and solve N times (default 1) and report medians; with N >= 2 one more solve\n"
    "                            comes first and is discarded; set-ups stop after a total of 2 s\n"
    "  --applications N          one more column: seconds for N applications of the preconditioner M\n"
    "  --history FILE.csv        relative residuals, one column per method\n"
    "  --condition               condition number of the preconditioned (and deflated) matrix, from the coefficients\n"
    "                            of the conjugate gradients\n"
    "  --solution FILE           .mtx or .h5, rows as in the file of the matrix; for a single method\n"
    "  --digest                  prints a hash of the solution\n"
    "  --write FILE              the matrix: .mtx, or .h5 with right-hand side, centres and phases\n"
    "  --device auto|cpu|cuda    --threads N: as for poise run\n"
    "\n"
    "mpirun -n N poise solve ...: on N processes, or GPUs, with bitwise identical results; not with every\n"
    "preconditioner (docs/explanation/scaling.md)\n"
    "  --share-gpu               as for poise run\n"
    "\n"
    "A matrix is symmetric with a positive diagonal, or nonsymmetric (--solver bicgstab, gmres, fgmres), like all\n"
    "matrices of blocks.  If all rows and columns sum to zero it is singular, and the mean of the right-hand side is\n"
    "subtracted; with blocks if this holds for the last unknown (a pressure determined up to a constant), and then\n"
    "the mean of the last right-hand sides.\n"
    "Printed: set-up and solve in seconds (a solve includes everything that depends on the values);\n"
    "residual: |b - A x| / |b - A x_0|, computed from the solution; MB and bytes per row, in addition to the matrix,\n"
    "x and b.\n"
    "\n"
    "Exit status: 0 converged, 1 error in the input, 2 not converged, 3 diverged or broken down, 4 resource (memory,\n"
    "disk, GPU).  With several methods the worst counts.\n";

static const char formats[] =
    "Read\n"
    "  NAME.cfg, NAME.json       the case: poise help case; in libconfig's language, or the same structure in JSON\n"
    "  NAME.geo, NAME.msh        Gmsh geometry and mesh; physical groups are the named boundaries and regions\n"
    "  NAME.unv, .med, .cgns     other formats that Gmsh reads with names (.med, .cgns: if its library supports them)\n"
    "  NAME.su2                  SU2: MARKER_TAG= names the boundaries\n"
    "  polyMesh                  OpenFOAM's folder, text or binary, also .gz: patches are the boundaries; one layer\n"
    "                            of cells between empty patches is a 2-D mesh\n"
    "  NAME.vtk, NAME.vtu        VTK's legacy and XML formats: cells of the next lower dimension are the boundaries,\n"
    "                            named boundary_n after an integer cell array (mesh.markers)\n"
    "  NAME.h5                   Poise's mesh (HDF5; layout: docs/architecture.md)\n"
    "  NAME.mtx, NAME.mtx.gz     poise solve: Matrix Market: coordinate (real, integer, pattern; general, symmetric),\n"
    "                            array for right-hand sides; NAME.h5: a linear system or a vector\n"
    "                            (docs/how-to/solve-a-matrix.md)\n"
    "\n"
    "Written into NAME.out/ (an existing file is always complete)\n"
    "  NAME.xdmf                 for ParaView, also while the case is running; NAME.vtkhdf instead with\n"
    "                            output.format = \"vtkhdf\"\n"
    "  mesh.h5, fields/NNNNNN.h5 its data: the mesh, the fields after NNNNNN iterations or time steps\n"
    "  checkpoint.h5             for --restart\n"
    "  control                   written by you: instructions to a running case (poise help run)\n"
    "  poise.lock                marks the directory as one of Poise's and names the process that wrote there last; a\n"
    "                            run holds a lock on it\n"
    "  residuals.csv             iteration,velocity_x,..,pressure, every scalar,continuity,inner_velocity,\n"
    "                            inner_pressure: normalised residuals, continuity error, iterations of the linear\n"
    "                            solvers (algorithm coupled: inner_coupled instead of the last two).  Transient:\n"
    "                            iteration (the step's number),time,step,courant,interface_courant,max_velocity,\n"
    "                            continuity,inner_velocity,inner_pressure,error,volume,volume_error,lowest,highest,\n"
    "                            area,redistributed: max_velocity is the largest speed of a cell, error what\n"
    "                            time.tolerance limits (without it 0); of the second fluid, if there is one, its\n"
    "                            volume and the relative error of that, the smallest and the largest fraction, the\n"
    "                            area of the interface, and the part of the volume that the step's rounding and\n"
    "                            bounds have moved to cut cells\n"
    "  interface.csv             two fluids: iteration,time,volume,volume_error,lowest,highest,area,x,y,..,\n"
    "                            velocity_x,..,rise_velocity,circularity,bubbles,scattered: the second fluid as a\n"
    "                            whole; bubbles: number of connected parts, scattered: volume too thin to form one\n"
    "  bubbles.csv               with bubbles = { ... }: iteration,time,bubble,volume,x,y,..,velocity_x,..,\n"
    "                            rise_velocity,area,circularity: one row per connected part, with a constant number\n"
    "  probes/NAME.csv           iteration,velocity_x,..,pressure and every scalar; transient also time, with two\n"
    "                            fluids fraction\n"
    "  forces/NAME.csv           iteration,force_x,..,viscous_x,..,moment_z,coefficient_x,..: force is pressure and\n"
    "                            shear, viscous the shear alone; transient also time\n"
    "  flows.csv                 iteration, a column for every inlet and outlet, balance: outflow as volume per unit\n"
    "                            of time (inflow: negative), and the sum; transient also time\n"
    "  heat.csv                  with a temperature: iteration, a column for every boundary that heat or flow can\n"
    "                            pass: heat per unit of time that enters (what flows carry is counted from the\n"
    "                            reference temperature), sources, storage (transient), balance, NAME_nusselt with\n"
    "                            nusselt = { ... }; transient also time: of the last step\n"
    "  scalars/NAME.csv          iteration, a column for every inlet and outlet and every closed boundary where the\n"
    "                            scalar has a value or a flux: its amount per unit of time that enters (what flows\n"
    "                            carry is counted from 0), sources, storage (transient), balance (transient: less\n"
    "                            what the flow's own net flux carries of the initial value); transient also time: of\n"
    "                            the last step\n"
    "  driven.csv                with driven = { ... }: iteration,pressure_gradient,flow_rate: the mean decrease of\n"
    "                            the pressure per length, volume per unit of time; transient also time\n"
    "  surfaces/NAME.csv         iteration,area, then for every component of a surface's fields the mean over the\n"
    "                            area,.._min,.._max; for flow only the sum; transient also time\n"
    "  surfaces/NAME/            NAME.xdmf: the faces for ParaView, like those of the volume; faces.csv: x,y,..,\n"
    "                            area,normal_x,.. (out of the fluid) and the fields, as last written, in the order of\n"
    "                            the mesh file\n"
    "  lines/NAME.csv            x,y,..,velocity_x,..,pressure,fraction (two fluids) and every scalar: updated when\n"
    "                            fields are written\n"
    "  changes.csv               iteration,by,key,before,now: changes of the case during the computation: by restart\n"
    "                            (since the checkpoint) or control; only if there were any\n"
    "  planes/NAME/              NAME.xdmf: the facets where a plane cuts the cells, for ParaView\n"
    "  averages = { ... }        NAME_mean and NAME_rms: fields in fields/, columns in the files of probes, forces,\n"
    "                            surfaces and lines; nan until the averages begin\n"
    "  log.txt                   the terminal output, without the progress line\n"
    "The last row of these tables belongs to the last iteration or step, regardless of output.report_every; --restart\n"
    "removes it again unless it is due.\n"
    "\n"
    "Written by poise solve\n"
    "  --history FILE.csv        iteration, then for each method |b - A x| / |b - A x_0| after it, empty once it has\n"
    "                            ended\n"
    "  --solution FILE           .mtx: array real general; .h5: a vector\n"
    "  --write FILE              .mtx: coordinate real, symmetric or general; .h5: a linear system; also poise run\n"
    "                            --write-pressure\n";

enum exit_status command_help(int argc, char **argv)
{
    static const char *const names[] = {"run", "check", "new", "diff", "mesh", "solve", "bench", "case", "formats"};
    static const char *const texts[] = {run, check, new, diff, mesh, NULL, NULL, NULL, formats};
    enum { N = sizeof names / sizeof *names };
    struct error e;
    if (argc < 2) return fputs(general, stdout), EXIT_CONVERGED;
    for (int i = 0; i < N; i++)
        if (!strcmp(argv[1], names[i])) {
            if (!strcmp(names[i], "bench")) return (enum exit_status)bench_main(2, (char *[]){"bench", "--help", NULL});
            if (texts[i]) fputs(texts[i], stdout);
            else if (!strcmp(names[i], "solve"))
                fputs(solve_head, stdout), generate_help(stdout), fputs(solve_tail, stdout);
            else if (!case_help(stdout, argc > 2 ? argv[2] : NULL, &e)) return report_error(&e);
            return EXIT_CONVERGED;
        }
    FILE *nowhere = fopen("/dev/null", "w");
    bool in_case = nowhere && case_help(nowhere, argv[1], &e);
    if (nowhere) fclose(nowhere);
    if (in_case) {
        log_error("poise help: \"%s\" is a group or a key of a case file: poise help case %s\n", argv[1], argv[1]);
        return EXIT_INPUT;
    }
    log_error("poise help: there is no topic \"%s\"; expected run, check, new, diff, mesh, solve, bench, case or "
              "formats%s\n", argv[1], did_you_mean(argv[1], "", names, N));
    return EXIT_INPUT;
}

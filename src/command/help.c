/* poise help: what there is to say of every command. */
#include <stdio.h>
#include <string.h>
#include "run/case_settings.h"
#include "base/log.h"
#include "command/command.h"
#include "system/generate.h"

static const char general[] =
    "Poise: laminar incompressible flow on unstructured meshes, steady or in time, of one fluid or of two with a\n"
    "sharp interface and surface tension, on a GPU or on CPU threads.\n"
    "\n"
    "  poise run CASE            computes a case file (NAME.cfg, .json) into NAME.out/\n"
    "  poise check CASE          reads a case and its mesh, says what is wrong, computes nothing\n"
    "  poise new NAME [MESH]     writes a case file to begin with, for a mesh: its boundaries, and what to look at\n"
    "  poise diff A.out B.out    compares the fields of two runs, on the same mesh or on different ones\n"
    "  poise mesh info FILE      counts, boundaries and quality of a mesh\n"
    "  poise mesh convert IN OUT a mesh of another program becomes Poise's own\n"
    "  poise solve MATRIX        solves a linear system from a file or a generator, by one method or by several\n"
    "  poise bench ...           measures this machine\n"
    "  poise help [TOPIC]        run, check, new, diff, mesh, solve, bench, case (every key of a case file), formats\n"
    "  poise help case GROUP     of one group, or one key: solver, boundary, time.step, viscosity\n"
    "  poise version             what was built, from which commit, with which libraries; also --version, -V\n"
    "\n"
    "On several processes or GPUs, to the bits of one: mpirun -n N poise run | solve | bench scaling ...\n"
    "\n"
    "To begin: poise run cases/cavity/cavity.cfg (steady) or cases/bubble/bubble.cfg (in time, two fluids), then open\n"
    "cavity.out/cavity.xdmf or bubble.out/bubble.xdmf in ParaView.\n"
    "\n"
    "Exit status: 0 converged (or done; in time: at its end), 1 error in the input, 2 not converged within the\n"
    "iterations or steps allowed, 3 diverged, 4 a resource is missing (memory, disk, GPU), 5 stalled (steady: the\n"
    "residuals no longer fall), 6 stopped (signal, control file, time limit: continue with --restart).\n";

static const char run[] =
    "poise run CASE [options]\n"
    "\n"
    "  --device auto|cpu|cuda    auto (default): the GPU when there is one; the log says what was taken and why\n"
    "  --threads N               CPU threads; 0 (default) = all.  The results do not depend on it, to the bit\n"
    "  --set KEY=VALUE           as if it stood in the case file; as often as wanted: --set fluid.viscosity=0.0025\n"
    "                            --set boundary.lid.velocity=[2.0,0.0] --set mesh.parameters.n=64\n"
    "  --set KEY=                as if the key, or the group, did not stand in the case file: --set lines=\n"
    "  --output DIR              the same as --set output.directory=DIR\n"
    "  --restart                 goes on from the checkpoint in the output directory, to the same bits as a run that\n"
    "                            was never stopped\n"
    "  --time-limit [[D-]H:]M:S  ends the run before so much time has passed since its start, with fields and a\n"
    "                            checkpoint, exit status 6: 11:50:00, or what squeue -h -j $SLURM_JOB_ID -o %L says\n"
    "  --write-pressure FILE.h5  at the end: the pressure system of the next iteration (in time: of the last step),\n"
    "                            matrix, right-hand side and cell centres, for poise solve FILE.h5\n"
    "  --write-momentum FILE.h5  the same of momentum, with the right-hand side of the first component\n"
    "  --write-coupled FILE.h5   the same of velocity and pressure, with algorithm coupled: blocks of 3 or 4 rows\n"
    "  --trust-geo               lets a .geo run commands and write files (SystemCall, Printf > file, Save ...),\n"
    "                            which is refused otherwise: for files that you know\n"
    "  --digest                  prints a hash of the final fields\n"
    "  --quiet                   prints errors only; log.txt is written all the same\n"
    "\n"
    "mpirun -n N poise run CASE ...: on N processes, or GPUs, to the bits of one (docs/scaling.md)\n"
    "  --share-gpu               more processes than GPUs: they take turns, and send through the host\n"
    "POISE_PATIENCE=SECONDS      how long they wait for one that does not answer before all end (50); at the\n"
    "                            start, for MPI, four times as long\n"
    "\n"
    "Ctrl-C (or SIGTERM, SIGHUP, SIGXCPU, SIGPIPE) ends the run after the iteration or step, with fields and a\n"
    "checkpoint, exit status 6; --restart continues.  Several processes end at once by Ctrl-C and SIGTERM: theirs are\n"
    "SIGXCPU and stop (below).  SIGUSR1 makes it write a checkpoint and go on; so does the clock, every 15 minutes\n"
    "(output.checkpoint_minutes).\n"
    "A file NAME.out/control is read after every 10 iterations or steps (output.control_every) and removed; lines:\n"
    "  stop                      ends the run as Ctrl-C does\n"
    "  write                     fields, lines and a checkpoint now\n"
    "  KEY = VALUE               until the run ends; of time: end, step, courant, max_steps, interface_courant,\n"
    "                            capillary; of steady flow: solver.max_iterations, solver.tolerance\n"
    "What is not understood is told in the log and does nothing.\n"
    "Without --restart a run replaces what an earlier one left in its output directory.  A directory with files that\n"
    "no run made is refused, and so is one that another run writes into.\n"
    "\n"
    "Exit status: 0 converged, or time.end reached; 1 error in the input; 2 not converged: iterations or steps used\n"
    "up; 3 diverged; 4 resource (memory, disk, GPU); 5 stalled: the residuals no longer fall (solver.stall_limit);\n"
    "6 stopped: by a signal, the control file or the time limit; --restart continues.\n";

static const char check[] =
    "poise check CASE [--set KEY=VALUE]... [--trust-geo]\n"
    "\n"
    "Reads the case, its mesh, its boundaries and its shapes as a run would and says all that is wrong: file and\n"
    "line, what was found, what was expected, the nearest valid name; of the file's own errors the first 20 in full.\n"
    "Behind a syntax error nothing is read.  It writes nothing into the output directory.\n"
    "\n"
    "Exit status: 0 in order, 1 error in the input, 4 resource (memory, disk).\n";

#define MESH_OPTION_LINES                                                                                        \
    "  --set NAME=VALUE          a DefineConstant parameter of the .geo file; mesh.parameters.NAME is the same\n"  \
    "  --straight                of elements of second and higher order the corners are taken (mesh.curved)\n"   \
    "  --markers NAME            of .vtk and .vtu: the array that names boundaries and regions (mesh.markers)\n" \
    "  --trust-geo               lets the .geo run commands and write files, which is refused otherwise\n"

static const char new[] =
    "poise new NAME [MESH] [--transient] [--set NAME=VALUE]... [--straight] [--markers NAME] [--trust-geo]\n"
    "\n"
    "Writes NAME.cfg, a case file with comments, for MESH: .h5, .geo, another format, or box:NX,NY[,NZ].\n"
    "Every boundary of the mesh is in it, with a type guessed from its name (inlet, outlet, symmetry, slip; what the\n"
    "mesh says is periodic; else wall).  Lines that hold a guess, so all that must be looked at, are marked LOOK.\n"
    "Where there is an inlet and no boundary is called an outlet, the one that faces it becomes the outlet.  As it\n"
    "stands the case is one that poise check takes, unless none does.  A file that is there is never overwritten.\n"
    "\n"
    "  --transient               a flow in time (PISO), not a steady one\n"
    MESH_OPTION_LINES
    "\nAll but the last stand in the case then, as keys of mesh.\n"
    "\n"
    "Exit status: 0 written, 1 error in the input, or the file is there already; 4 resource (memory, disk).\n";

static const char diff[] =
    "poise diff A.out B.out [options]\n"
    "\n"
    "  --fields LIST             names with commas between and no blanks (default: all that both runs have written)\n"
    "  --step N[,M]              after N iterations or steps, of B after M (default: the last ones)\n"
    "  --tolerance T             how far apart every field may be, relative to A's (default 0: not at all)\n"
    "  --norm l1|l2|max          in which norm (default max)\n"
    "\n"
    "For every field the difference A - B in three norms: L1, the mean over the volume; L2, the root of the mean\n"
    "square; the largest one, with the centre of the cell where it is; then what is held against the tolerance: the\n"
    "norm of the difference over that of A (where A is zero: the norm itself).  A vector's length stands for it.\n"
    "On the same mesh cells are compared one by one.  On different meshes, of 2-D both or of 3-D both, B's fields are\n"
    "taken at the centres of A's cells, linear in every cell of B (slopes by least squares from the cells near it);\n"
    "cells of A that lie outside B are counted and left out.\n"
    "\n"
    "Exit status: 0 within the tolerance, 1 beyond it, or error in the input, 4 resource (memory, disk).\n";

static const char mesh[] =
    "poise mesh info FILE [--parts N] [--set NAME=VALUE]... [--straight] [--markers NAME] [--trust-geo]\n"
    "                                 FILE: a mesh of any format (poise help formats), or a case file\n"
    "\n"
    "Counts of cells by type, boundaries, regions, bounding box; quality (cells as numbered in the file):\n"
    "  non-orthogonality         angle between a face's normal and the line between the cells' centres; above 50\n"
    "                            degrees set solver.non_orthogonal_correctors = 1 (or 3, not 2), above 80 make a\n"
    "                            better mesh\n"
    "  skewness                  how far that line misses the face's centre, as a share of its length\n"
    "  aspect ratio              longest over shortest extent of a cell\n"
    "and for each ordering (mesh.ordering) how well it suits the machine: entries of the matrix that stay within a\n"
    "slice of 512 rows (the more the faster), and the share of padding.\n"
    "  --parts N                 what N ranks would have (docs/scaling.md), by runs of the Hilbert curve, as they do,\n"
    "                            and by METIS: cells, cells of others that share faces with these, neighbours\n"
    "\n"
    "poise mesh convert IN OUT [--set NAME=VALUE]... [--straight] [--markers NAME] [--trust-geo]\n"
    "\n"
    "  IN                        .geo, .msh (every version that Gmsh reads), .unv, .med, .cgns, .su2, .vtk, .vtu, or\n"
    "                            OpenFOAM's folder polyMesh: poise help formats\n"
    "  OUT                       .h5: needs no Gmsh to be read\n"
    "\n"
    "Of both, where FILE is no case:\n"
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
    "Generators G; the right-hand side is random where nothing else is said:\n";
static const char solve_tail[] =
    "\n"
    "  --dirichlet SIDES         of a generator: the boundaries with fixed values: left,top, all, or none (singular)\n"
    "  --rhs B                   ones, random, a number, or a file (.mtx, .mtx.gz, .h5); default: the system's own,\n"
    "                            or ones; random:1, random:2, ...: other random numbers\n"
    "  --guess zero|random       where the iteration starts (default zero)\n"
    "  --preconditioner LIST     methods with commas between and no blanks (default multigrid), each\n"
    "                            NAME[:key=value]... with the names and keys of solver.pressure (poise help case;\n"
    "                            docs/solvers.md says which is for what): two-stage-gs:sweeps=2:damping=0.9.  Short:\n"
    "                            jr jacobi-richardson, sgs gauss-seidel, sgs2 two-stage-gs, gs and gs2 these forwards\n"
    "                            only (no --solver cg), neumann1, neumann2 (terms); deflated-NAME is NAME with\n"
    "                            deflation\n"
    "  --solver cg|stationary|bicgstab|gmres|fgmres   conjugate gradients (default); the preconditioner alone, again\n"
    "                            and again; BiCGStab; GMRES; flexible GMRES, which takes any preconditioner\n"
    "  --restart M               of gmres and fgmres: iterations after which they begin anew (default 30)\n"
    "  --precision double|single of the methods that have one of their own (default double)\n"
    "  --tolerance T             relative to the first residual, 2-norm (default 1e-8)\n"
    "  --max-iterations N        of one solve (default 10000)\n"
    "  --block B                 every B consecutive rows (2 to 5) become one, of B x B blocks\n"
    "  --ordering O              hilbert, cuthill-mckee, metis or none: numbering inside the program (default:\n"
    "                            hilbert where the cells' centres are known; else metis, or none where that is good\n"
    "                            already; none for layers, laplace2d and those that are not symmetric)\n"
    "  --repeat N                set-up and solve N times (default 1): medians; from 2 on, one more solve in front is\n"
    "                            not counted; set-ups that have taken 2 s in all are not repeated any more\n"
    "  --applications N          one column more: seconds that N applications of the preconditioner M take\n"
    "  --history FILE.csv        relative residuals, a column for each method\n"
    "  --condition               condition number of the preconditioned (and deflated) matrix, from the coefficients\n"
    "                            of the conjugate gradients\n"
    "  --solution FILE           .mtx or .h5, rows as in the file of the matrix; of one method\n"
    "  --digest                  prints a hash of the solution\n"
    "  --write FILE              the matrix: .mtx, or .h5 with right-hand side, centres and phases\n"
    "  --device auto|cpu|cuda    --threads N: as for poise run\n"
    "\n"
    "mpirun -n N poise solve ...: on N processes, or GPUs, to the bits of one; not with every preconditioner;\n"
    "  --share-gpu               as for poise run\n"
    "(docs/scaling.md).\n"
    "\n"
    "A matrix is symmetric, with a positive diagonal, or not (--solver bicgstab, gmres, fgmres); one of blocks counts\n"
    "as not.  Where all its rows and columns add up to zero it is singular: the mean of the right-hand side is taken\n"
    "away; of blocks where those of the last unknown do (a pressure known up to a constant): the mean of the last\n"
    "right-hand sides.\n"
    "Printed: set-up and solve in seconds (a solve computes anew what depends on the values); residual: |b - A x| /\n"
    "|b - A x_0|, computed from the solution; MB and bytes a row that the method takes beside the matrix, x and b.\n"
    "\n"
    "Exit status: 0 converged, 1 error in the input, 2 not converged, 3 diverged or broken down, 4 resource (memory,\n"
    "disk, GPU).  Of several methods the worst counts.\n";

static const char formats[] =
    "Read\n"
    "  NAME.cfg, NAME.json       the case: poise help case; in libconfig's language, or the same structure in JSON\n"
    "  NAME.geo, NAME.msh        Gmsh geometry and mesh; physical groups are the named boundaries and regions\n"
    "  NAME.unv, .med, .cgns     what else Gmsh reads with names (.med, .cgns: where its library was built with them)\n"
    "  NAME.su2                  SU2: MARKER_TAG= names the boundaries\n"
    "  polyMesh                  OpenFOAM's folder, text or binary, .gz too: patches are the boundaries; one layer of\n"
    "                            cells between empty patches is a mesh in 2-D\n"
    "  NAME.vtk, NAME.vtu        VTK's legacy and XML formats: cells of one dimension less are the boundaries, named\n"
    "                            boundary_n after a cell array of whole numbers (mesh.markers)\n"
    "  NAME.h5                   Poise's mesh (HDF5); docs/architecture.md says what is in it\n"
    "  NAME.mtx, NAME.mtx.gz     poise solve: Matrix Market: coordinate (real, integer, pattern; general, symmetric),\n"
    "                            array for right-hand sides; NAME.h5: a linear system or a vector\n"
    "                            (docs/architecture.md)\n"
    "\n"
    "Written into NAME.out/ (a file that is there is complete)\n"
    "  NAME.xdmf                 open this one in ParaView, also while the case is running; NAME.vtkhdf in its place\n"
    "                            with output.format = \"vtkhdf\"\n"
    "  mesh.h5, fields/NNNNNN.h5 what it points at: the mesh, the fields after NNNNNN iterations or time steps\n"
    "  checkpoint.h5             for --restart\n"
    "  control                   yours: what a run should do while it goes on (poise help run)\n"
    "  poise.lock                says that the directory is one of Poise's and which process wrote there last; a run\n"
    "                            holds a lock on it\n"
    "  residuals.csv             iteration,velocity_x,..,pressure, every scalar,continuity,inner_velocity,\n"
    "                            inner_pressure: normalised residuals, continuity error, iterations of the linear\n"
    "                            solvers (algorithm coupled: inner_coupled in place of the last two).  In time:\n"
    "                            iteration (the step's number),time,step,courant,interface_courant,max_velocity,\n"
    "                            continuity,inner_velocity,inner_pressure,error,volume,volume_error,lowest,highest,\n"
    "                            area,redistributed: max_velocity is the largest speed of a cell, error that of the\n"
    "                            step (with time.tolerance, else 0); of the second fluid, where there is one, its\n"
    "                            volume and that one's relative error, the least and the largest fraction, the\n"
    "                            interface's area, the part of the volume that the step's rounding and bounds gave to\n"
    "                            cut cells\n"
    "  interface.csv             two fluids: iteration,time,volume,volume_error,lowest,highest,area,x,y,..,\n"
    "                            velocity_x,..,rise_velocity,circularity,bubbles,scattered: the second fluid as a\n"
    "                            whole; bubbles: how many connected parts, scattered: volume that is too thin for one\n"
    "  bubbles.csv               with bubbles = { ... }: iteration,time,bubble,volume,x,y,..,velocity_x,..,\n"
    "                            rise_velocity,area,circularity: a row for each connected part, whose number stays\n"
    "  probes/NAME.csv           iteration,velocity_x,..,pressure and every scalar; in time also time, with two\n"
    "                            fluids fraction\n"
    "  forces/NAME.csv           iteration,force_x,..,viscous_x,..,moment_z,coefficient_x,..: force is pressure and\n"
    "                            shear, viscous the shear alone; in time also time\n"
    "  flows.csv                 iteration, a column for every inlet and outlet, balance: volume that flows out in\n"
    "                            a unit of time (in: negative), and the sum; in time also time\n"
    "  surfaces/NAME.csv         iteration,area, then of every component of a surface's fields the mean over the\n"
    "                            area,.._min,.._max; of flow the sum alone; in time also time\n"
    "  surfaces/NAME/            NAME.xdmf: the faces for ParaView, like those of the volume; faces.csv: x,y,..,\n"
    "                            area,normal_x,.. (out of the fluid) and the fields, as they were written last, in\n"
    "                            the order of the mesh file\n"
    "  lines/NAME.csv            x,y,..,velocity_x,..,pressure,fraction (two fluids) and every scalar: as they are\n"
    "                            when fields are written\n"
    "  changes.csv               iteration,by,key,before,now: what was changed in the case while it was computed: by\n"
    "                            restart (since the checkpoint), by control; there where something was\n"
    "  planes/NAME/              NAME.xdmf: the facets that a plane cuts out of the cells, for ParaView\n"
    "  averages = { ... }        NAME_mean and NAME_rms: fields in fields/, columns in the files of probes, forces,\n"
    "                            surfaces and lines; nan until the averages begin\n"
    "  log.txt                   what the terminal showed, without the progress line\n"
    "The last row of these tables is the last iteration's or step's, whatever output.report_every is; --restart takes\n"
    "it out again where it is none of those.\n"
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

#include <stdio.h>
#include <string.h>
#include "base/case.h"
#include "base/version.h"
#include "command/command.h"

static const char general[] =
    "Poise: incompressible flow on unstructured meshes, on a GPU or on CPU threads.\n"
    "\n"
    "  poise run CASE            computes a case file (NAME.cfg) into NAME.out/\n"
    "  poise check CASE          reads a case and its mesh, says what is wrong, computes nothing\n"
    "  poise mesh info FILE      counts, boundaries and quality of a mesh\n"
    "  poise mesh convert IN OUT a Gmsh file becomes Poise's own mesh file\n"
    "  poise bench ...           measures this machine\n"
    "  poise help [TOPIC]        run, check, mesh, bench, case (every key of a case file), formats\n"
    "  poise version\n"
    "\n"
    "Exit status: 0 converged (or done), 1 error in the input, 2 not converged within the iterations allowed,\n"
    "3 diverged, 4 a resource is missing (memory, disk, GPU).\n";

static const char run[] =
    "poise run CASE [options]\n"
    "\n"
    "  --device auto|cpu|cuda    auto (default): the GPU when there is one; the log says what was taken and why\n"
    "  --threads N               CPU threads; 0 (default) = all.  The results do not depend on it, to the bit\n"
    "  --set KEY=VALUE           as if it stood in the case file, again and again: --set fluid.viscosity=0.0025\n"
    "                            --set boundary.lid.velocity=[2.0,0.0] --set mesh.parameters.h=0.01\n"
    "  --output DIR              the same as --set output.directory=DIR\n"
    "  --restart                 goes on from the checkpoint in the output directory, to the same bits as a run that\n"
    "                            was never stopped\n"
    "  --digest                  prints a hash of the final fields\n"
    "  --quiet                   prints errors only; log.txt is written all the same\n"
    "\n"
    "Exit status: 0 converged, 1 error in the input, 2 not converged, 3 diverged, 4 resource (memory, disk, GPU).\n";

static const char check[] =
    "poise check CASE [--set KEY=VALUE]...\n"
    "\n"
    "Reads the case, its mesh and its boundaries and says what is wrong, at most 20 errors at once, each with file "
    "and\n"
    "line, what was found, what was expected, the nearest valid name.  A mesh made from a .geo or .msh stays in the\n"
    "output directory, where the run finds it again.\n"
    "\n"
    "Exit status: 0 in order, 1 error in the input, 4 resource (memory, disk).\n";

static const char mesh[] =
    "poise mesh info FILE             FILE: .geo, .msh, .h5, or a case file\n"
    "\n"
    "Counts of cells by type, boundaries, regions, bounding box, quality (cells as numbered in the file), and for "
    "each\n"
    "ordering what the matrix makes of it: the share of off-diagonal entries that are local to a slice of 512 rows\n"
    "(they are read from shared memory on a GPU), and the share of padding.\n"
    "\n"
    "poise mesh convert IN OUT [--set NAME=VALUE]...\n"
    "\n"
    "  IN                        .geo or .msh (every version that Gmsh reads)\n"
    "  OUT                       .h5: needs no Gmsh to be read\n"
    "  --set NAME=VALUE          a DefineConstant parameter of the .geo file\n"
    "\n"
    "Exit status: 0 done, 1 error in the input, 4 resource (memory, disk).\n";

static const char formats[] =
    "Read\n"
    "  NAME.cfg                  the case: poise help case\n"
    "  NAME.geo, NAME.msh        Gmsh geometry and mesh; physical groups are the named boundaries and regions\n"
    "  NAME.h5                   Poise's mesh (HDF5); docs/architecture.md says what is in it\n"
    "\n"
    "Written into NAME.out/ (a file that is there is complete)\n"
    "  NAME.xdmf                 open this one in ParaView, also while the case is running\n"
    "  mesh.h5, fields/NNNNNN.h5 what it points at: the mesh, the fields after NNNNNN iterations\n"
    "  checkpoint.h5             for --restart\n"
    "  residuals.csv             residuals after every iteration\n"
    "  probes/, forces/, lines/  NAME.csv for every probe, force and line of the case\n"
    "  log.txt                   what the terminal showed, without the progress line\n";

enum exit_status command_help(int argc, char **argv)
{
    static const char *const names[] = {"run", "check", "mesh", "bench", "case", "formats"};
    static const char *const texts[] = {run, check, mesh, NULL, NULL, formats};
    enum { N = sizeof names / sizeof *names };
    if (argc < 2) return fputs(general, stdout), EXIT_CONVERGED;
    for (int i = 0; i < N; i++)
        if (!strcmp(argv[1], names[i])) {
            if (!strcmp(names[i], "bench")) return (enum exit_status)bench_main(2, (char *[]){"bench", "--help", NULL});
            if (texts[i]) fputs(texts[i], stdout);
            else case_help(stdout);
            return EXIT_CONVERGED;
        }
    const char *near = nearest_name(argv[1], names, N);
    fprintf(stderr, "poise help: there is no topic \"%s\"; expected run, check, mesh, bench, case or formats%s%s%s\n",
            argv[1], near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
    return EXIT_INPUT;
}

enum exit_status command_version(int argc, char **argv)
{
    (void)argc, (void)argv;
#ifdef POISE_CUDA
    printf("poise %s, CPU and CUDA\n", POISE_VERSION);
#else
    printf("poise %s, CPU only (built without nvcc)\n", POISE_VERSION);
#endif
    return EXIT_CONVERGED;
}

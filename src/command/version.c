/* poise version: identifies the program, for bug reports and comparisons of runs. */
#include <hdf5.h>
#include <libconfig.h>
#include <metis.h>
#include <zlib.h>
#include "base/log.h"
#include "base/version.h"
#include "command/command.h"
#include "gpu/ranks.h"
#include "mesh/gmsh_program.h"
#ifdef POISE_CUDA
#include <cuda_runtime_api.h>
#endif

/* Set by the Makefile: the commit, empty without a git repository, and the processor's flags. */
#ifndef POISE_COMMIT
#define POISE_COMMIT ""
#endif
#ifndef POISE_ARCH
#define POISE_ARCH ""
#endif

enum exit_status command_version(int argc, char **argv)
{
    unsigned major = 0, minor = 0, release = 0;
    (void)argc, (void)argv;
    H5get_libversion(&major, &minor, &release);
#ifdef POISE_CUDA
    log_print("poise %s, CPU and CUDA\n", POISE_VERSION);
#else
    log_print("poise %s, CPU only (built without CUDA)\n", POISE_VERSION);
#endif
    log_print("  %-10s %s\n", "commit", *POISE_COMMIT ? POISE_COMMIT : "not known");
    log_print("  %-10s C %s, for %s\n", "compiler", __VERSION__, *POISE_ARCH ? POISE_ARCH : "any processor of a kind");
#ifdef POISE_CUDA
    log_print("  %-10s %d.%d, for %s\n", "CUDA", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, POISE_GENCODE);
#endif
    log_print("  %-10s %u.%u.%u\n", "HDF5", major, minor, release);
    log_print("  %-10s %d.%d.%d\n", "libconfig", LIBCONFIG_VER_MAJOR, LIBCONFIG_VER_MINOR, LIBCONFIG_VER_REVISION);
    log_print("  %-10s %d.%d.%d\n", "METIS", METIS_VER_MAJOR, METIS_VER_MINOR, METIS_VER_SUBMINOR);
    log_print("  %-10s %s\n", "zlib", zlibVersion());
    const char *mpi = ranks_possible() ? "for several ranks, started by mpirun" : "no: one rank only";
    log_print("  %-10s %s\n", "MPI", ranks_count() > 1 ? ranks_transport() : mpi);
    gmsh_program_version();
    return EXIT_CONVERGED;
}

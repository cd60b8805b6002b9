/* poise bench SUBJECT: options, the mesh, the table of subjects. */
#include "bench/bench.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "gpu/device.h"
#include "gpu/ranks.h"

int bench_main(int argc, char **argv);

static const struct { const char *name, *what; bool (*run)(struct bench *, struct error *); } subjects[] = {
    {"formats", "sparse matrix times vector: mod.SELL, sliced ELL, CSR, HEC, cuSPARSE", bench_formats},
    {"cg", "an iteration of conjugate gradients, compared with cuSPARSE; parts of multigrid", bench_cg},
    {"assembly", "gradients, momentum and pressure matrices, face flux, residuals, in products with the matrix",
     bench_assembly},
    {"simple", "iterations of the whole method by phase, cells/s, memory, for a cavity", bench_simple},
    {"scaling", "on one rank and on all ranks of mpirun: a linear solve, SIMPLEC, a time step of two fluids",
     bench_scaling}};
enum { N_SUBJECTS = sizeof subjects / sizeof *subjects };

struct options { const char *mesh, *matrix, *generate, *only, *device; bool standard; int repeat, threads; };

static void print_help(void)
{
    log_print("poise bench SUBJECT [options]   benchmarks this machine, and NVIDIA's libraries if available\n\n");
    for (int i = 0; i < N_SUBJECTS; i++) log_print("  %-16s %s\n", subjects[i].name, subjects[i].what);
    log_print("\n  --mesh box:NX,NY[,NZ]         unit square or cube with this many cells (default box:96,96,96)\n"
           "  --mesh distorted:NX,NY[,NZ]   the same, vertices shifted by up to 0.3 of a cell\n"
           "  --mesh FILE                   .geo, .msh or .h5\n"
           "  --matrix FILE                 for formats: .mtx, .mtx.gz or .h5, instead of a mesh\n"
           "  --generate G                  for scaling, instead of a mesh: a system of poise solve; poisson3d:192\n"
           "                                is equivalent to box:192,192,192\n"
           "  --only WORDS                  for scaling: solve, simplec, bubbles, strong, weak (comma-separated)\n"
           "  --standard                    for simple, scaling: with accuracy = \"standard\", not \"high\"\n"
           "  --repeat N                    median of N measurements (default 20)\n"
           "  --device cpu|cuda|auto        (default auto)\n"
           "  --threads N                   CPU threads; 0 (default) = all\n"
           "  --share-gpu                   for scaling: more ranks than GPUs, as for poise run\n"
           "assembly, simple: lid-driven cavity, Re 1000, default settings; the boundary top or lid moves, all others\n"
           "are walls.\n"
           "Bytes: what must move at the least, padding that is stored included; bandwidth is bytes over time.\n"
           "NVIDIA's libraries are called through libpoise-peers.so, which a CUDA build puts next to the program.\n"
           "Preconditioners and smoothers are measured by poise solve --generate laplacian:MESH (poise help solve).\n");
}

static bool read_number(const char *name, const char *text, int least, int *value, struct error *e)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < least || n > 1000000)
        return refuse(e, EXIT_INPUT, "--%s %s: expected a whole number of at least %d", name, text, least);
    *value = (int)n;
    return true;
}

static bool read_options(struct options *o, int argc, char **argv, struct error *e)
{
    static const struct option known[] = {
        {"mesh", required_argument, NULL, 'm'},    {"matrix", required_argument, NULL, 'M'},
        {"repeat", required_argument, NULL, 'r'},  {"device", required_argument, NULL, 'd'},
        {"threads", required_argument, NULL, 't'}, {"standard", no_argument, NULL, 's'},
        {"generate", required_argument, NULL, 'g'}, {"only", required_argument, NULL, 'o'},
        {"share-gpu", no_argument, NULL, 'S'}, {"help", no_argument, NULL, 'h'}, {0}};
    int option;
    optind = 1;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1)
        switch (option) {
        case 'm': o->mesh = optarg; break;
        case 'M': o->matrix = optarg; break;
        case 'g': o->generate = optarg; break;
        case 'o': o->only = optarg; break;
        case 'd': o->device = optarg; break;
        case 'r': if (!read_number("repeat", optarg, 1, &o->repeat, e)) return false; break;
        case 't': if (!read_number("threads", optarg, 0, &o->threads, e)) return false; break;
        case 's': o->standard = true; break;
        case 'S': device_share_gpu(); break;
        case 'h': print_help(), *e = (struct error){.status = EXIT_CONVERGED}; return false;
        default:
            return refuse(e, EXIT_INPUT, "poise bench: %s is unknown or has no value; see: poise help bench",
                          argv[optind - 1]);
        }
    return true;
}

static bool run_subject(int subject, const struct options *o, struct error *e)
{
    struct bench b = {.mesh_name = o->mesh, .generate = o->generate, .only = o->only, .matrix = o->matrix,
                      .standard = o->standard, .repeat = o->repeat};
    const bool scaling = subjects[subject].run == bench_scaling;
    if (o->matrix && subjects[subject].run != bench_formats)
        return refuse(e, EXIT_INPUT, "poise bench %s: uses a mesh; remove --matrix", subjects[subject].name);
    if (o->generate && !scaling)
        return refuse(e, EXIT_INPUT, "poise bench %s: uses a mesh; remove --generate", subjects[subject].name);
    if (o->only && !scaling)
        return refuse(e, EXIT_INPUT, "poise bench %s: has no parts; remove --only", subjects[subject].name);
    if (ranks_count() > 1 && !scaling)
        return refuse(e, EXIT_INPUT, "poise bench %s: started as %d ranks, but it runs on one; start it without "
                      "mpirun (poise bench scaling uses several)", subjects[subject].name, ranks_count());
    if (!ranks_agree(device_open(o->device, o->threads, e), e) || !device_join(e)) return device_close(), false;
    bool ok = o->matrix || scaling || mesh_open(&b.mesh, o->mesh, ORDERING_HILBERT, e);
    if (ok && scaling) ok = bench_scaling(&b, e);
    else if (ok) {
        b.n = b.mesh.n_cells;
        bench_machine(&b);
        ok = subjects[subject].run(&b, e);
        device_free(b.evict);
        mesh_free(&b.mesh);
    }
    device_close();
    return ok;
}

int bench_main(int argc, char **argv)
{
    struct options o = {.mesh = "box:96,96,96", .device = "auto", .repeat = 20};
    struct error e;
    const char *names[N_SUBJECTS], *word = NULL;
    int subject = 0;
    if (read_options(&o, argc, argv, &e)) {
        word = optind == argc - 1 ? argv[optind] : NULL;
        for (; subject < N_SUBJECTS; subject++) {
            names[subject] = subjects[subject].name;
            if (word && !strcmp(word, names[subject])) break;
        }
        if (subject < N_SUBJECTS && run_subject(subject, &o, &e)) return EXIT_CONVERGED;
        if (subject == N_SUBJECTS && !word) {
            refuse(&e, EXIT_INPUT, "poise bench: expected one subject: formats, cg, assembly, simple or scaling; see: "
                   "poise help bench");
        } else if (subject == N_SUBJECTS && (!strcmp(word, "smoothers") || !strcmp(word, "preconditioners"))) {
            const char *more = *word == 's' ? "--solver stationary --history FILE.csv" : "--applications N --condition";
            refuse(&e, EXIT_INPUT, "poise bench: %s are measured by poise solve: --generate laplacian:MESH --repeat N "
                   "--preconditioner LIST %s; see: poise help solve", word, more);
        } else if (subject == N_SUBJECTS) {
            refuse(&e, EXIT_INPUT, "poise bench: subject \"%s\" is not known%s; see: poise help bench", word,
                   did_you_mean(word, "", names, N_SUBJECTS));
        }
    }
    if (*e.text) log_error("%s\n", e.text);
    return (int)e.status;
}

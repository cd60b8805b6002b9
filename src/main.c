/* The program poise: finds the command, runs it and returns its exit status. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/log.h"
#include "base/process.h"
#include "case/case.h"
#include "command/command.h"
#include "gpu/ranks.h"

static enum exit_status command_bench(int argc, char **argv) { return (enum exit_status)bench_main(argc, argv); }

/* By default libgomp's threads spin for milliseconds while they wait for each other.  If another program uses one of
 * the cores, a run then spends most of its time spinning (measured: two simultaneous runs on two cores took 29 s
 * instead of 3.5 s).  libgomp reads the setting before main(), so the program sets it and restarts itself. */
static void spin_less(char **argv)
{
    if (getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY")) return;
    if (!setenv("GOMP_SPINCOUNT", "10000", 0)) execv("/proc/self/exe", argv);
}

/* Commands that run on several ranks; help and version are printed by the first.  One subject of bench runs on several,
 * too. */
static bool on_ranks(enum exit_status (*run)(int, char **))
{
    return run == command_run || run == command_solve || run == command_bench || run == command_help ||
           run == command_version;
}

/* A program built for another processor would be killed (SIGILL) in one of its kernels. */
static bool processor_suits(void)
{
    bool suits = true;
#if defined __x86_64__ && defined __AVX2__
    suits = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#if defined __x86_64__ && defined __AVX512F__
    suits = suits && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
#endif
    if (!suits)
        log_error("poise: this program was built for another processor (%s); build it on this machine, or for both: "
                  "make ARCH=-march=x86-64-v3, or ARCH= where AVX2 is missing\n",
#ifdef __AVX512F__
                  "with AVX-512");
#else
                  "with AVX2");
#endif
    return suits;
}

static enum exit_status command(int argc, char **argv)
{
    static const struct { const char *name; enum exit_status (*run)(int, char **); } commands[] = {
        {"run", command_run},     {"check", command_check}, {"new", command_new},         {"mesh", command_mesh},
        {"diff", command_diff},   {"solve", command_solve}, {"bench", command_bench},
        {"help", command_help},   {"version", command_version}, {"--help", command_help}, {"-h", command_help},
        {"--version", command_version}, {"-V", command_version}};
    enum { N = sizeof commands / sizeof *commands };
    const char *names[N];
    if (argc < 2) return command_help(1, argv), EXIT_INPUT;
    for (int i = 0; i < N; i++) {
        names[i] = commands[i].name;
        if (strcmp(argv[1], commands[i].name)) continue;
        if (ranks_count() == 1 || on_ranks(commands[i].run)) return commands[i].run(argc - 1, argv + 1);
        log_error("poise %s: started as %d ranks, but it runs on one; start it without mpirun (poise run and "
                  "poise solve run on several)\n", argv[1], ranks_count());
        return EXIT_INPUT;
    }
    const char *word = argv[1], *near = nearest_name(word, names, N);
    if (case_name_length(word) < strlen(word))
        log_error("poise: \"%s\" is a case, not a command; expected: poise run %s, or poise check %s\n", word, word,
                  word);
    else if (*word == '-' && !near)
        log_error("poise: %s: options come after the command: poise run CASE %s ..; see: poise help\n", word, word);
    else
        log_error("poise: unknown command \"%s\"%s; see: poise help\n", word, did_you_mean(word, "", names, N));
    return EXIT_INPUT;
}

int main(int argc, char **argv)
{
    process_begin();
    if (!processor_suits()) return EXIT_RESOURCE;
    spin_less(argv);
    process_guard_exit();
    struct error e;
    enum exit_status status = ranks_open(&e) ? command(argc, argv) : report_error(&e);
    ranks_close();
    return (int)process_end(status);
}

/* Runs poise-gmsh and explains how it ended (gmsh_program.h). */
#include "mesh/gmsh_program.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/hdf5_reader.h"
#include "base/log.h"
#include "base/memory.h"
#include "mesh/format.h"
#include "mesh/mesh.h"

extern char **environ;

static bool trusted;

void mesh_trust_geo(bool trust) { trusted = trust; }

static bool key_is(const char *path, const char *key, struct hdf5_reader *r)
{
    char found[256];
    if (!hdf5_open(r, path)) return false;
    bool same = hdf5_text(r, "key", found, sizeof found) && !strcmp(found, key);
    hdf5_close(r);
    return same;
}

bool native_mesh_has(const char *path, const char *key)
{
    struct hdf5_reader r;
    return key_is(path, key, &r);
}

/* $POISE_GMSH, or the program beside this one, or the one in PATH. */
static void find_program(char program[PATH_LENGTH])
{
    const char *named = getenv("POISE_GMSH");
    ssize_t n = readlink("/proc/self/exe", program, PATH_LENGTH - 1);
    char *slash = n > 0 ? (program[n] = 0, strrchr(program, '/')) : NULL;
    if (named && *named) snprintf(program, PATH_LENGTH, "%s", named);
    else if (!slash || slash + sizeof "/poise-gmsh" > program + PATH_LENGTH || !strcpy(slash, "/poise-gmsh") ||
             access(program, X_OK))
        snprintf(program, PATH_LENGTH, "poise-gmsh");
}

/* How the program ended (as reported by wait4()), and its peak memory. */
struct end { int status; double gigabytes; };

/* Did the program end for lack of memory?  C++ aborts when an allocation fails; if memory is exhausted the system kills
 * the process that uses most of it. */
static bool memory_ran_out(int signal, double gigabytes, const char *text)
{
    double half = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1e9;
    return (signal == SIGABRT && strstr(text, "bad_alloc")) || (signal == SIGKILL && gigabytes > half);
}

/* Process number of the program while it runs.  Signals that would end this process are then passed on to it, and this
 * process ends after it. */
static volatile pid_t working;
static volatile sig_atomic_t stop_asked;

static void pass_on(int number)
{
    stop_asked = number;
    if (working > 0) kill(working, number);
}

/* Was the exceeded time limit the one that poise-gmsh sets itself, for a data file? */
static bool of_its_own(const char *in)
{
    struct rlimit inherited;
    return mesh_format_of(in) == FORMAT_GMSH && !getrlimit(RLIMIT_CPU, &inherited) &&
           inherited.rlim_cur == RLIM_INFINITY;
}

/* Success, or the reason why it ended, worded for the user; text: what it wrote to stderr. */
static bool judge_end(const struct end *how, const char *program, const char *in, const char *text, struct error *e)
{
    const char *gap = *text ? "\n" : "";
    int end = how->status;
    if (stop_asked) return refuse(e, EXIT_RESOURCE, "meshing %s was stopped (signal %d)", in, (int)stop_asked);
    if (WIFEXITED(end) && WEXITSTATUS(end) == 0) return true;
    if (WIFSIGNALED(end) && memory_ran_out(WTERMSIG(end), how->gigabytes, text))
        return refuse(e, EXIT_RESOURCE, "%s ended with signal %d (%s) while meshing %s, because memory ran out; make "
                      "the mesh coarser, or make it on a larger machine: poise mesh convert %s mesh.h5%s%s", program,
                      WTERMSIG(end), strsignal(WTERMSIG(end)), in, in, gap, text);
    if (WIFSIGNALED(end) && WTERMSIG(end) == SIGXCPU && of_its_own(in))
        return refuse(e, EXIT_INPUT, "%s: Gmsh took far longer than a file of this size needs and was ended; the file "
                      "is damaged%s%s", in, gap, text);
    if (WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL)
        return refuse(e, EXIT_RESOURCE, "%s was killed (signal 9) while meshing %s, with %.1f GB in use: by a user "
                      "or by a limit on memory or time%s%s", program, in, how->gigabytes, gap, text);
    if (WIFSIGNALED(end) && (WTERMSIG(end) == SIGINT || WTERMSIG(end) == SIGTERM || WTERMSIG(end) == SIGXCPU))
        return refuse(e, EXIT_RESOURCE, "meshing %s was stopped (signal %d)", in, WTERMSIG(end));
    if (WIFSIGNALED(end))
        return refuse(e, EXIT_INPUT, "Gmsh crashed (signal %d, %s) while meshing %s; try another Mesh.Algorithm or "
                      "Mesh.Algorithm3D, or leave out the options last added to the .geo; or save a .msh with another "
                      "version of Gmsh and name that file%s%s", WTERMSIG(end), strsignal(WTERMSIG(end)), in, gap, text);
    if (WEXITSTATUS(end) == 127)
        return refuse(e, EXIT_INPUT, "%s: %s does not start, probably because Gmsh's library is missing; install it "
                      "(Debian, Ubuntu: apt install libgmsh-dev) and build again: make%s%s", in, program, gap, text);
    return refuse(e, WEXITSTATUS(end) == EXIT_RESOURCE ? EXIT_RESOURCE : EXIT_INPUT, "%s%s", *text ? text : program,
                  *text ? "" : " failed without a message");
}

enum { N_PASSED = 4 };
static const int passed_signal[N_PASSED] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

static void pass_signals(struct sigaction old[N_PASSED])
{
    const struct sigaction action = {.sa_handler = pass_on};
    stop_asked = 0;
    for (int i = 0; i < N_PASSED; i++) {                         /* ignored signals stay ignored */
        sigaction(passed_signal[i], NULL, &old[i]);
        if (old[i].sa_handler == SIG_DFL) sigaction(passed_signal[i], &action, NULL);
    }
}

static void keep_signals(const struct sigaction old[N_PASSED])
{
    working = 0;
    for (int i = 0; i < N_PASSED; i++) sigaction(passed_signal[i], &old[i], NULL);
}

/* Runs the program.  The beginning of its stderr is stored in text; its stdout, the notes, goes directly to ours. */
static int run_program(char **argv, char *text, size_t room, struct end *end)
{
    int pipes[2], started;
    pid_t child;
    struct sigaction old[N_PASSED];
    struct rusage usage = {0};
    posix_spawn_file_actions_t actions;
    if (pipe2(pipes, O_CLOEXEC)) die("pipe: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDERR_FILENO);
    fflush(stdout);
    pass_signals(old);
    started = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    if (!started) working = child;
    if (!started && stop_asked) kill(child, stop_asked);
    posix_spawn_file_actions_destroy(&actions);
    close(pipes[1]);
    size_t used = 0;
    char rest[512];
    for (ssize_t n = 1; !started && (n > 0 || (n < 0 && errno == EINTR));) {
        bool fits = used + 1 < room;
        n = read(pipes[0], fits ? text + used : rest, fits ? room - 1 - used : sizeof rest);
        if (fits && n > 0) used += (size_t)n;
    }
    while (used > 0 && text[used - 1] == '\n') used--;
    text[used] = 0;
    close(pipes[0]);
    while (!started && wait4(child, &end->status, 0, &usage) < 0)
        if (errno != EINTR) die("wait4: %s", strerror(errno));
    end->gigabytes = 1024.0 * (double)usage.ru_maxrss / 1e9;
    keep_signals(old);
    return started;
}

void gmsh_program_version(void)
{
    char program[PATH_LENGTH], text[300];
    struct end end = {0};
    find_program(program);
    log_print("  %-10s ", "Gmsh");
    int reason = run_program((char *[]){program, "--version", NULL}, text, sizeof text, &end);
    if (reason) log_print("not there: %s: %s\n", program, strerror(reason));
    else if (end.status) log_print("not there: %s ended with %s\n", program, *text ? text : "an error");
}

bool gmsh_program_run(const struct mesh_setting *s, const char *out, const char *key, bool temporary, struct error *e)
{
    const char *in = s->file;
    const int n = s->n_parameters;
    const struct parameter *p = s->parameter;
    char program[PATH_LENGTH], text[3000], parent[24], **argv, (*setting)[NAME_LENGTH + 32];
    int argc = 0;
    struct end end = {0};
    struct hdf5_reader r;
    find_program(program);
    snprintf(parent, sizeof parent, "%ld", (long)getpid());
    NEW(argv, 2 * n + 11), NEW(setting, n);
    argv[argc++] = program, argv[argc++] = (char *)in, argv[argc++] = (char *)out;
    argv[argc++] = "--key", argv[argc++] = (char *)key;
    argv[argc++] = "--parent", argv[argc++] = parent;
    if (temporary) argv[argc++] = "--temporary";
    if (trusted) argv[argc++] = "--trust-geo";
    if (s->curved == CURVED_STRAIGHT) argv[argc++] = "--straight";
    for (int i = 0; i < n; i++) {
        snprintf(setting[i], sizeof setting[i], "%s=%.17g", p[i].name, p[i].value);
        argv[argc++] = "--set", argv[argc++] = setting[i];
    }
    int reason = run_program(argv, text, sizeof text, &end);
    free(argv), free(setting);
    if (!reason && !judge_end(&end, program, in, text, e)) return false;
    if (!reason && key_is(out, key, &r)) return true;
    if (!reason && r.status == EXIT_RESOURCE) return refuse(e, r.status, "%s: %s", out, r.why);
    if (!reason)
        return refuse(e, EXIT_INPUT, "%s: Gmsh ended without an error, but before the mesh was made; is there an Exit; "
                      "in the file?", in);
    return refuse(e, EXIT_INPUT, "%s: is read by the program poise-gmsh, which could not be started (%s: %s); install "
                  "Gmsh's library (Debian, Ubuntu: apt install libgmsh-dev) and build it: make.  Without "
                  "Gmsh, name a native mesh made elsewhere: poise mesh convert %s mesh.h5", in, program,
                  strerror(reason), in);
}

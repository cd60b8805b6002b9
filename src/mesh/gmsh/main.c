/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * poise-gmsh: converts a Gmsh geometry (.geo) or a mesh that Gmsh reads (.msh, any version, .unv, .med, .cgns) to
 * Poise's native mesh file.
 * Notes go to stdout; an error, one block of text, to stderr, with exit status 1 (input) or 4 (disk, memory). */
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"
#include "mesh/format.h"
#include "mesh/gmsh/confine.h"
#include "mesh/gmsh/import.h"

static const char usage[] =
    "usage: poise-gmsh IN.geo|.msh|.unv|.med|.cgns OUT.h5 [--set NAME=VALUE ...] [--key TEXT] [--trust-geo]\n"
    "  --set NAME=VALUE   value of a parameter, a name in DefineConstant[ ... ] of the .geo\n"
    "  --key TEXT         stored in OUT.h5 to identify its source\n"
    "  --parent PROCESS   ends when its parent, that process, ends\n"
    "  --temporary        removes OUT.h5 and its folder if ended by a signal\n"
    "  --trust-geo        the .geo may run commands and write files\n"
    "  --straight         replaces elements of higher order by straight-sided ones\n"
    "poise-gmsh --version prints that of Gmsh's library";

void note(const char *format, ...)
{
    va_list list;
    char text[2000];
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    log_print("note: %s\n", text);
}

struct command {
    const char *in, *out, *key, *parent;
    bool temporary, trusted, straight;
    struct parameter *parameter;
    int n_parameters;
};

/* ---------------------------------------------------------------- when a signal ends the program */
static const char *temporary;           /* OUT if it must be removed */
static char temporary_folder[PATH_LENGTH];

static void remove_and_end(int number)
{
    confine(false, NULL);               /* from here on this program's own actions are allowed */
    file_abandon();
    if (temporary) unlink(temporary), rmdir(temporary_folder);
    signal(number, SIG_DFL);
    raise(number);
}

/* Makes this program end with its parent.  A parent that has already ended sends no signal, so that is checked too. */
static void end_with_parent(const struct command *c)
{
    static const int number[] = {SIGTERM, SIGINT, SIGHUP, SIGXCPU};
    const struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = SA_NODEFER};
    if (c->temporary) {
        snprintf(temporary_folder, sizeof temporary_folder, "%.*s", (int)(strrchr(c->out, '/') - c->out), c->out);
        temporary = c->out;
    }
    for (int i = 0; i < 4; i++) sigaction(number[i], &action, NULL);
    if (!c->parent) return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != atol(c->parent)) raise(SIGTERM);
}

/* ---------------------------------------------------------------- the command line */
static bool read_setting(struct command *c, const char *text, struct error *e)
{
    const char *equals = strchr(text, '=');
    char *end;
    double value = equals ? strtod(equals + 1, &end) : 0;
    if (!equals || equals == text || equals - text >= NAME_LENGTH || end == equals + 1 || *end || !isfinite(value))
        return refuse(e, EXIT_INPUT, "--set %s: expected NAME=NUMBER", text);
    RESIZE(c->parameter, c->n_parameters + 1);
    struct parameter *p = &c->parameter[c->n_parameters++];
    snprintf(p->name, sizeof p->name, "%.*s", (int)(equals - text), text);
    p->value = value;
    return true;
}

static bool read_command(struct command *c, int argc, char **argv, struct error *e)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--set") && i + 1 < argc) {
            if (!read_setting(c, argv[++i], e)) return false;
        } else if (!strcmp(argv[i], "--key") && i + 1 < argc) c->key = argv[++i];
        else if (!strcmp(argv[i], "--parent") && i + 1 < argc) c->parent = argv[++i];
        else if (!strcmp(argv[i], "--temporary")) c->temporary = true;
        else if (!strcmp(argv[i], "--trust-geo")) c->trusted = true;
        else if (!strcmp(argv[i], "--straight")) c->straight = true;
        else if (argv[i][0] == '-' || c->out) return refuse(e, EXIT_INPUT, "%s: not understood\n%s", argv[i], usage);
        else if (c->in) c->out = argv[i];
        else c->in = argv[i];
    }
    return c->out && (!c->temporary || strchr(c->out, '/')) ? true : refuse(e, EXIT_INPUT, "%s", usage);
}

/* Limits memory and time by the size of a data file: a damaged one may make Gmsh use thousands of times more, 8.6 GB
 * for a node with a large number.  Meshing a .geo has no time limit.  Threads have stacks. */
static void limit_for(const char *path)
{
    enum { ROOM = 1 << 30, TIMES = 200, STACK = 16 << 20, SECONDS = 60, BYTES_PER_SECOND = 100000 };
    static char words[PATH_LENGTH + 200];
    struct stat found;
    if (mesh_format_of(path) != FORMAT_GMSH || stat(path, &found)) return;
    unsigned long bytes = (unsigned long)found.st_size, threads = (unsigned long)sysconf(_SC_NPROCESSORS_ONLN);
    unsigned long most = ROOM + TIMES * bytes + STACK * threads;
    unsigned long now = process_bytes(true);            /* terabytes with sanitizers */
    if (now > 0) process_limit(RLIMIT_DATA, now + most);
    process_limit(RLIMIT_CPU, SECONDS * threads + bytes / BYTES_PER_SECOND);
    process_limit(RLIMIT_CORE, 0);
    snprintf(words, sizeof words, "%.*s: a file of %.3g MB gets at most %.1f GB; is the number of a node or an element "
             "in it wrong?", PATH_LENGTH, path, 1e-6 * (double)bytes, 1e-9 * (double)most);
    memory_end_also_says(words);
}

static bool convert(const struct command *c, struct error *e)
{
    end_with_parent(c);
    struct mesh m = {0};
    struct import im = {.path = c->in, .trusted = c->trusted, .straight = c->straight, .m = &m};
    if (strlen(c->in) >= PATH_LENGTH) return refuse(e, EXIT_INPUT, "%s: the path is too long", c->in);
    limit_for(c->in);
    snprintf(m.source, sizeof m.source, "%s", c->in);
    snprintf(m.key, sizeof m.key, "%s", c->key ? c->key : "");
    bool ok = import_load(&im, c->parameter, c->n_parameters, e) && import_groups(&im, e) && import_cells(&im, e) &&
              import_boundary(&im, e) && mesh_write_native(&m, c->out, e);
    free(im.cell_entity), free(im.face_entity), free(im.vertex);
    mesh_free(&m);
    return ok;
}

int main(int argc, char **argv)
{
    struct command c = {0};
    struct error e = {0};
    process_begin();
    if (argc == 2 && !strcmp(argv[1], "--version")) {
        log_print("%s\n", import_version());
        _exit((int)process_end(EXIT_CONVERGED));
    }
    bool ok = read_command(&c, argc, argv, &e) && convert(&c, &e);
    free(c.parameter);
    if (!ok) log_error("%s\n", e.text);
    _exit((int)process_end(ok ? EXIT_CONVERGED : e.status));  /* all is written, and Gmsh is slow to shut down */
}

/* Where meshes come from: a box, a native file, or Gmsh's files through the program poise-gmsh. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/file.h"
#include "base/hdf5_reader.h"
#include "base/memory.h"
#include "mesh/geo.h"
#include "mesh/mesh.h"

extern char **environ;

static bool trusted;

void mesh_trust_geo(bool trust) { trusted = trust; }

static bool is_gmsh(const char *path) { return file_ends_in(path, ".geo") || file_ends_in(path, ".msh"); }

/* FNV-1a, 64 bit (Fowler, Noll, Vo). */
static uint64_t hash(uint64_t h, const void *data, size_t bytes)
{
    for (const unsigned char *p = data; bytes--; p++) h = (h ^ *p) * 1099511628211u;
    return h;
}

/* What a native mesh made from `in` depends on: the file and those that it takes in, the parameters, this version. */
static bool make_key(char key[64], const char *in, const struct parameter *p, int n, struct error *e)
{
    struct geo g;
    uint64_t h = 14695981039346656037u;
    bool ok = geo_scan(&g, in, e);
    for (int i = 0; ok && i < g.n_files; i++) {
        size_t bytes = 0;
        const char *why;
        char *text = file_text(g.file[i], &bytes, &why);
        if (!text) ok = refuse(e, EXIT_INPUT, "%s: cannot be read: %s", g.file[i], why);
        else h = hash(hash(h, text, bytes), &bytes, sizeof bytes);
        free(text);
    }
    for (int i = 0; i < n; i++) h = hash(hash(h, p[i].name, strlen(p[i].name) + 1), &p[i].value, sizeof p[i].value);
    geo_free(&g);
    snprintf(key, 64, "poise-gmsh 1, fnv1a %016" PRIx64, h);
    return ok;
}

/* Is there a native mesh of this key? */
static bool is_cached(const char *path, const char *key)
{
    struct hdf5_reader r;
    char found[256];
    if (!hdf5_open(&r, path)) return false;
    bool same = hdf5_text(&r, "key", found, sizeof found) && !strcmp(found, key);
    hdf5_close(&r);
    return same;
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

/* The largest memory that a child that ended has had. */
static double gigabytes_of_children(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_CHILDREN, &usage);
    return 1024.0 * (double)usage.ru_maxrss / 1e9;
}

/* C++ aborts when an allocation fails; the system kills what takes the most of a memory that is full. */
static bool memory_ran_out(int signal, const char *text)
{
    double half = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1e9;
    return (signal == SIGABRT && strstr(text, "bad_alloc")) || (signal == SIGKILL && gigabytes_of_children() > half);
}

/* While the program works, signals that would end this one go to that one, which ends; when it has, so does this. */
static volatile pid_t working;
static volatile sig_atomic_t stop_asked;

static void pass_on(int number)
{
    stop_asked = number;
    if (working > 0) kill(working, number);
}

/* How the program ended, in the user's words; text: what it wrote to stderr. */
static bool judge_end(int end, const char *program, const char *in, const char *text, struct error *e)
{
    const char *gap = *text ? "\n" : "";
    if (stop_asked) return refuse(e, EXIT_RESOURCE, "meshing %s was stopped (signal %d)", in, (int)stop_asked);
    if (WIFEXITED(end) && WEXITSTATUS(end) == 0) return true;
    if (WIFSIGNALED(end) && memory_ran_out(WTERMSIG(end), text))
        return refuse(e, EXIT_RESOURCE, "%s ended with signal %d (%s) while meshing %s, because memory ran out; make the "
                      "mesh coarser, or make it on a larger machine: poise mesh convert %s mesh.h5%s%s", program,
                      WTERMSIG(end), strsignal(WTERMSIG(end)), in, in, gap, text);
    if (WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL)
        return refuse(e, EXIT_RESOURCE, "%s was killed (signal 9) while meshing %s, with %.1f GB in use: by somebody, or "
                      "by a limit on memory or time%s%s", program, in, gigabytes_of_children(), gap, text);
    if (WIFSIGNALED(end) && (WTERMSIG(end) == SIGINT || WTERMSIG(end) == SIGTERM))
        return refuse(e, EXIT_RESOURCE, "meshing %s was stopped (signal %d)", in, WTERMSIG(end));
    if (WIFSIGNALED(end))
        return refuse(e, EXIT_INPUT, "Gmsh crashed (signal %d, %s) while meshing %s; try another Mesh.Algorithm or "
                      "Mesh.Algorithm3D, or leave out the options last added to the .geo; or save a .msh with another "
                      "version of Gmsh and name that file%s%s", WTERMSIG(end), strsignal(WTERMSIG(end)), in, gap, text);
    if (WEXITSTATUS(end) == 127)
        return refuse(e, EXIT_INPUT, "%s: %s does not start, probably for want of Gmsh's library; install it (Debian, "
                      "Ubuntu: apt install libgmsh-dev) and build again: make%s%s", in, program, gap, text);
    return refuse(e, WEXITSTATUS(end) == EXIT_RESOURCE ? EXIT_RESOURCE : EXIT_INPUT, "%s%s", *text ? text : program,
                  *text ? "" : " failed without a word");
}

enum { N_PASSED = 3 };
static const int passed_signal[N_PASSED] = {SIGINT, SIGTERM, SIGHUP};

static void pass_signals(struct sigaction old[N_PASSED])
{
    const struct sigaction action = {.sa_handler = pass_on};
    stop_asked = 0;
    for (int i = 0; i < N_PASSED; i++) {                         /* those that are ignored stay so */
        sigaction(passed_signal[i], NULL, &old[i]);
        if (old[i].sa_handler == SIG_DFL) sigaction(passed_signal[i], &action, NULL);
    }
}

static void keep_signals(const struct sigaction old[N_PASSED])
{
    working = 0;
    for (int i = 0; i < N_PASSED; i++) sigaction(passed_signal[i], &old[i], NULL);
}

/* Runs the program; the first of its stderr into text, its notes straight to our stdout. */
static int run_program(char **argv, char *text, size_t room, int *end)
{
    int pipes[2], started;
    pid_t child;
    struct sigaction old[N_PASSED];
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
    for (ssize_t n = 1; !started && (n > 0 || (n < 0 && errno == EINTR)); ) {
        bool fits = used + 1 < room;
        n = read(pipes[0], fits ? text + used : rest, fits ? room - 1 - used : sizeof rest);
        if (fits && n > 0) used += (size_t)n;
    }
    while (used > 0 && text[used - 1] == '\n') used--;
    text[used] = 0;
    close(pipes[0]);
    while (!started && waitpid(child, end, 0) < 0) if (errno != EINTR) die("waitpid: %s", strerror(errno));
    keep_signals(old);
    return started;
}

/* temporary: `out` stands in a folder of its own, and both go where the program does not come to its end. */
static bool run_gmsh(const char *in, const char *out, const char *key, const struct parameter *p, int n, bool temporary,
                     struct error *e)
{
    char program[PATH_LENGTH], text[3000], parent[24], **argv, (*setting)[NAME_LENGTH + 32];
    int argc = 0, end = 0;
    find_program(program);
    snprintf(parent, sizeof parent, "%ld", (long)getpid());
    NEW(argv, 2 * n + 10), NEW(setting, n);
    argv[argc++] = program, argv[argc++] = (char *)in, argv[argc++] = (char *)out;
    argv[argc++] = "--key", argv[argc++] = (char *)key;
    argv[argc++] = "--parent", argv[argc++] = parent;
    if (temporary) argv[argc++] = "--temporary";
    if (trusted) argv[argc++] = "--trust-geo";
    for (int i = 0; i < n; i++) {
        snprintf(setting[i], sizeof setting[i], "%s=%.17g", p[i].name, p[i].value);
        argv[argc++] = "--set", argv[argc++] = setting[i];
    }
    int reason = run_program(argv, text, sizeof text, &end);
    free(argv), free(setting);
    if (!reason && !judge_end(end, program, in, text, e)) return false;
    if (!reason && is_cached(out, key)) return true;
    if (!reason)
        return refuse(e, EXIT_INPUT, "%s: Gmsh ended without an error, but before the mesh was made; is there an Exit; "
                      "in the file?", in);
    return refuse(e, EXIT_INPUT, "%s: is read by the program poise-gmsh, which could not be started (%s: %s); install "
                  "Gmsh's library (Debian, Ubuntu: apt install libgmsh-dev) and build it: make.  Where there is no "
                  "Gmsh, name a native mesh made elsewhere: poise mesh convert %s mesh.h5", in, program,
                  strerror(reason), in);
}

bool mesh_convert(const char *in, const char *out, const struct parameter *p, int n, struct error *e)
{
    char key[64];
    if (!is_gmsh(in)) return refuse(e, EXIT_INPUT, "%s: only .geo and .msh files are converted", in);
    if (!file_ends_in(out, ".h5")) return refuse(e, EXIT_INPUT, "%s: the name of a native mesh ends in .h5", out);
    return make_key(key, in, p, n, e) && run_gmsh(in, out, key, p, n, false, e);
}

/* Reads a .geo or .msh through a file in a directory of its own, which are gone afterwards. */
static bool read_through_temporary(struct mesh *m, const char *path, const struct parameter *p, int n, struct error *e)
{
    const char *above = getenv("TMPDIR");
    char folder[PATH_LENGTH], name[PATH_LENGTH + 16], key[64];
    if (!make_key(key, path, p, n, e)) return false;
    snprintf(folder, sizeof folder, "%.*s/poise-XXXXXX", PATH_LENGTH - 32, above && *above ? above : "/tmp");
    if (!mkdtemp(folder)) return file_refuse(e, folder, "a temporary directory could not be made (TMPDIR says where)");
    snprintf(name, sizeof name, "%s/mesh.h5", folder);
    bool ok = run_gmsh(path, name, key, p, n, true, e) && mesh_read_native(m, name, e);
    unlink(name), rmdir(folder);
    return ok;
}

/* A native mesh that the user named: what is wrong with it is told under that name, not under the one of its source. */
static bool read_named(struct mesh *m, const char *path, struct error *e)
{
    bool ok = mesh_read_native(m, path, e);
    if (ok) snprintf(m->source, sizeof m->source, "%s", path);
    return ok;
}

bool mesh_open(struct mesh *m, const char *path, enum ordering ordering, struct error *e)
{
    *m = (struct mesh){0};
    bool box = !strncmp(path, "box:", 4) || !strncmp(path, "distorted:", 10);
    if (!box && !is_gmsh(path) && !file_ends_in(path, ".h5"))
        return refuse(e, EXIT_INPUT, "%s: expected a .geo, .msh or .h5 file, box:NX,NY[,NZ] or distorted:NX,NY[,NZ]",
                      path);
    bool ok = (box ? mesh_box_open(m, path, e) : is_gmsh(path) ? read_through_temporary(m, path, NULL, 0, e)
                                               : read_named(m, path, e)) &&
              mesh_complete(m, ordering, NULL, 0, e);
    if (!ok) mesh_free(m);
    return ok;
}

static bool read_through_cache(struct mesh *m, const struct case_settings *c, bool keep, struct error *e)
{
    const struct mesh_setting *s = &c->mesh;
    char key[64], path[PATH_LENGTH + 16];
    snprintf(path, sizeof path, "%s/mesh.h5", c->directory);
    if (!make_key(key, s->file, s->parameter, s->n_parameters, e)) return false;
    if (is_cached(path, key) && mesh_read_native(m, path, e)) return true;
    mesh_free(m);                                                /* one that cannot be read is made anew */
    if (!keep) return read_through_temporary(m, s->file, s->parameter, s->n_parameters, e);
    return directory_make(c->directory, e) && run_gmsh(s->file, path, key, s->parameter, s->n_parameters, false, e) &&
           mesh_read_native(m, path, e);
}

static bool read_mesh(struct mesh *m, const struct case_settings *c, bool keep, struct error *e)
{
    const struct mesh_setting *s = &c->mesh;
    if (s->box.given) return mesh_box(m, &s->box), true;
    if (!is_gmsh(s->file) && !file_ends_in(s->file, ".h5"))
        return refuse(e, EXIT_INPUT, "%s: mesh.file \"%s\": expected a .geo, .msh or .h5 file", case_place(c, s->line),
                      s->file);
    if (access(s->file, R_OK))
        return refuse(e, EXIT_INPUT, "%s: mesh.file \"%s\": %s", case_place(c, s->line), s->file, strerror(errno));
    if (!file_ends_in(s->file, ".geo") && s->n_parameters > 0)
        return refuse(e, EXIT_INPUT, "%s: mesh.parameters are for a .geo file; \"%s\" has none", case_place(c, s->line),
                      s->file);
    return is_gmsh(s->file) ? read_through_cache(m, c, keep, e) : read_named(m, s->file, e);
}

static int find_patch(const struct mesh *m, const char *name)
{
    for (int i = 0; i < m->n_patches; i++) if (!strcmp(m->patch[i].name, name)) return i;
    return -1;
}

static const struct boundary_setting *find_boundary(const struct case_settings *c, const char *name)
{
    for (int i = 0; i < c->n_boundaries; i++) if (!strcmp(c->boundary[i].name, name)) return &c->boundary[i];
    return NULL;
}

/* The partner's name of a periodic boundary: the case's word, or its partner's word, or the mesh's. */
static const char *partner_of(const struct mesh *m, const struct case_settings *c, const struct boundary_setting *b)
{
    if (*b->with) return b->with;
    for (int i = 0; i < c->n_boundaries; i++)
        if (c->boundary[i].type == BOUNDARY_PERIODIC && !strcmp(c->boundary[i].with,
                                                                b->name)) return c->boundary[i].name;
    return m->patch[find_patch(m, b->name)].partner;
}

/* Pairs of patches, each once; pair: [n_boundaries].  The boundaries are known to be patches. */
static bool find_pairs(const struct mesh *m, const struct case_settings *c, int *pair, int *n_pairs, struct error *e)
{
    *n_pairs = 0;
    for (int i = 0; i < c->n_boundaries; i++) {
        const struct boundary_setting *b = &c->boundary[i], *other;
        if (b->type != BOUNDARY_PERIODIC) continue;
        const char *partner = partner_of(m, c, b);
        if (!*partner)
            return refuse(e, EXIT_INPUT, "%s: boundary \"%s\" is periodic, but neither the case nor %s says with "
                          "what: with = \"NAME\";", case_place(c, b->line), b->name, m->source);
        other = find_boundary(c, partner);
        if (!other || other == b || other->type != BOUNDARY_PERIODIC)
            return refuse(e, EXIT_INPUT, "%s: boundary \"%s\" is periodic with \"%s\", %s", case_place(c, b->line),
                          b->name, partner,
                          other == b ? "itself: with must name the opposite side" :
                          "which must then have type = \"periodic\" too");
        if (strcmp(partner_of(m, c, other), b->name))
            return refuse(e, EXIT_INPUT, "%s: boundary \"%s\" is periodic with \"%s\", but that one is periodic "
                          "with \"%s\" (%s)", case_place(c, b->line), b->name, partner, partner_of(m, c, other),
                          case_place(c, other->line));
        if (other < b) continue;
        pair[2 * *n_pairs] = find_patch(m, b->name), pair[2 * *n_pairs + 1] = find_patch(m, partner);
        (*n_pairs)++;
    }
    return true;
}

static bool check_and_complete(struct mesh *m, const struct case_settings *c, struct error *e)
{
    const char **name;
    int *pair, n_pairs;
    NEW(name, m->n_patches), NEW(pair, c->n_boundaries + 1);
    for (int i = 0; i < m->n_patches; i++) name[i] = m->patch[i].name;
    bool ok = case_check_boundaries(c, m->source, m->dim, name, m->n_patches, e) && find_pairs(m, c, pair, &n_pairs,
                                                                                               e) &&
              mesh_complete(m, c->mesh.ordering, pair, n_pairs, e);
    free(name), free(pair);
    return ok;
}

bool mesh_of_case(struct mesh *m, const struct case_settings *c, bool keep, struct error *e)
{
    *m = (struct mesh){0};
    bool ok = read_mesh(m, c, keep, e) && check_and_complete(m, c, e);
    if (!ok) mesh_free(m);
    return ok;
}

/* gmsh_fixture.h: files in a folder of their own, and poise-gmsh, for tests of Gmsh meshes. */
#ifndef GMSH_FIXTURE_H
#define GMSH_FIXTURE_H
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#include "test.h"
#include "mesh/cell_shape.h"
#include "mesh/cells.h"

struct gmsh_sample { const char *text, *parts[5]; };

static char folder[] = "/tmp/poise_gmsh_XXXXXX", program[PATH_LENGTH], notes[8192];
static struct error e;

static inline char *at(const char *name)
{
    static char path[4][PATH_LENGTH];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], PATH_LENGTH, "%s/%s", folder, name);
    return path[turn];
}

static inline const char *write_file(const char *name, const char *text)
{
    char *path = at(name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

/* mesh_convert() with what poise-gmsh prints to stdout in `notes`. */
static inline bool convert(const char *in, const char *out, const struct parameter *p, int n)
{
    const char *file = at("notes");
    int to = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600), kept = dup(STDOUT_FILENO);
    fflush(stdout);
    dup2(to, STDOUT_FILENO);
    e = (struct error){0};
    struct mesh_setting s = {.parameter = (struct parameter *)p, .n_parameters = n};
    snprintf(s.file, sizeof s.file, "%s", in);
    bool ok = mesh_convert(&s, out, &e);
    dup2(kept, STDOUT_FILENO);
    ssize_t length = pread(to, notes, sizeof notes - 1, 0);
    notes[length > 0 ? length : 0] = 0;
    close(to), close(kept);
    return ok;
}

static inline void expect_parts(const char *text, const char *const *parts)
{
    for (; *parts; parts++) if (!strstr(text, *parts)) fail_msg("no '%s' in:\n%s", *parts, text);
}

static inline void read_complete(struct mesh *m, const char *path)
{
    if (!mesh_read_native(m, path, &e) || !mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
}

static inline void load(struct mesh *m, const char *in, const struct parameter *p, int n)
{
    *m = (struct mesh){0};
    if (!convert(in, at("mesh.h5"), p, n)) fail_msg("%s", e.text);
    read_complete(m, at("mesh.h5"));
}

static inline const struct patch *patch(const struct mesh *m, const char *name)
{
    for (int i = 0; i < m->n_patches; i++) if (!strcmp(m->patch[i].name, name)) return &m->patch[i];
    fail_msg("no patch %s", name);
    return NULL;
}

/* Is poise-gmsh built?  Then the folder exists, too. */
static inline bool prepare(void)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 32);
    if (n <= 0 || !mkdtemp(folder)) perror(folder), exit(1);
    program[n] = 0;
    strcpy(strrchr(program, '/'), "/../poise-gmsh");
    if (access(program, X_OK)) { rmdir(folder); return false; }
    return !setenv("POISE_GMSH", program, 1);
}

static inline int clean(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}
#endif

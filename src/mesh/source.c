/* Meshes from wherever they come: a box, a native file, or Gmsh's files through the program poise-gmsh. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/digest.h"
#include "base/file.h"
#include "gpu/ranks.h"
#include "mesh/geo.h"
#include "mesh/gmsh_program.h"
#include "mesh/mesh.h"

static bool is_gmsh(const char *path) { return file_ends_in(path, ".geo") || file_ends_in(path, ".msh"); }

/* The key of a native mesh made from `in`: a digest of the file and those that it takes in, the parameters and Poise's
 * version. */
static bool make_key(char key[64], const char *in, const struct parameter *p, int n, struct error *e)
{
    struct geo g;
    uint64_t h = DIGEST_START;
    bool ok = geo_scan(&g, in, e);
    for (int i = 0; ok && i < g.n_files; i++) {
        size_t bytes = 0;
        const char *why;
        char *text = file_text(g.file[i], SIZE_MAX, &bytes, &why);
        if (!text) ok = refuse(e, EXIT_INPUT, "%s: cannot be read: %s", g.file[i], why);
        else h = digest_add(digest_add(h, text, bytes), &bytes, sizeof bytes);
        free(text);
    }
    for (int i = 0; i < n; i++)
        h = digest_add(digest_add(h, p[i].name, strlen(p[i].name) + 1), &p[i].value, sizeof p[i].value);
    geo_free(&g);
    snprintf(key, 64, "poise-gmsh 1, fnv1a %016" PRIx64, h);
    return ok;
}

bool mesh_convert(const char *in, const char *out, const struct parameter *p, int n, struct error *e)
{
    char key[64];
    if (!is_gmsh(in)) return refuse(e, EXIT_INPUT, "%s: only .geo and .msh files are converted", in);
    if (!file_ends_in(out, ".h5")) return refuse(e, EXIT_INPUT, "%s: the name of a native mesh ends in .h5", out);
    return make_key(key, in, p, n, e) && gmsh_program_run(in, out, key, p, n, false, e);
}

/* Reads a .geo or .msh through a native mesh in a temporary directory; both are removed again. */
static bool read_through_temporary(struct mesh *m, const char *path, const struct parameter *p, int n, struct error *e)
{
    const char *above = getenv("TMPDIR");
    char folder[PATH_LENGTH], name[PATH_LENGTH + 16], key[64];
    if (!make_key(key, path, p, n, e)) return false;
    snprintf(folder, sizeof folder, "%.*s/poise-XXXXXX", PATH_LENGTH - 32, above && *above ? above : "/tmp");
    if (!mkdtemp(folder)) return file_refuse(e, folder, "a temporary directory could not be made (TMPDIR says where)");
    snprintf(name, sizeof name, "%s/mesh.h5", folder);
    bool ok = gmsh_program_run(path, name, key, p, n, true, e) && mesh_read_native(m, name, e);
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

/* path: the native mesh that is kept.  Of several ranks rank 0 makes it before the others read it. */
static bool read_through_cache(struct mesh *m, const struct mesh_setting *s, const char *directory, const char *path,
                               bool keep, struct error *e)
{
    char key[64];
    if (!make_key(key, s->file, s->parameter, s->n_parameters, e)) return false;
    if (native_mesh_has(path, key) && mesh_read_native(m, path, e)) return true;
    mesh_free(m);                                                /* a stored mesh that cannot be read is made anew */
    if (!keep) return read_through_temporary(m, s->file, s->parameter, s->n_parameters, e);
    return directory_make(directory, e) &&
           gmsh_program_run(s->file, path, key, s->parameter, s->n_parameters, false, e) &&
           mesh_read_native(m, path, e);
}

bool mesh_of_setting(struct mesh *m, const struct mesh_setting *s, const char *directory, bool keep, struct error *e)
{
    *m = (struct mesh){0};
    if (s->box.given) return mesh_box(m, &s->box), true;
    if (!is_gmsh(s->file) && !file_ends_in(s->file, ".h5"))
        return refuse(e, EXIT_INPUT, "%s: mesh.file \"%s\": expected a .geo, .msh or .h5 file",
                      case_place_text(s->place), s->file);
    if (access(s->file, R_OK))
        return refuse(e, EXIT_INPUT, "%s: mesh.file \"%s\": %s", case_place_text(s->place), s->file, strerror(errno));
    if (!file_ends_in(s->file, ".geo") && s->n_parameters > 0)
        return refuse(e, EXIT_INPUT, "%s: mesh.parameters are for a .geo file; \"%s\" has none",
                      case_place_text(s->place), s->file);
    if (!is_gmsh(s->file)) return read_named(m, s->file, e);
    char path[PATH_LENGTH + 16];
    snprintf(path, sizeof path, "%s/mesh.h5", directory);
    if (!ranks_agree(ranks_own() || read_through_cache(m, s, directory, path, keep, e), e)) return false;
    return !ranks_own() || mesh_read_native(m, path, e);
}

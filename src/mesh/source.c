/* Opens meshes of any kind: boxes, native files, files of other programs, and files that poise-gmsh converts. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/digest.h"
#include "base/file.h"
#include "mesh/foreign.h"
#include "mesh/format.h"
#include "mesh/geo.h"
#include "mesh/gmsh_program.h"
#include "mesh/mesh.h"

static bool is_gmsh(const char *path)
{
    enum mesh_format format = mesh_format_of(path);
    return format == FORMAT_GEO || format == FORMAT_GMSH;
}

/* The key of a native mesh made by Gmsh from the setting's file: a digest of it and its included files, the parameters
 * and Poise's version. */
static bool make_key(char key[64], const struct mesh_setting *s, struct error *e)
{
    struct geo g;
    uint64_t h = DIGEST_START;
    bool ok = geo_scan(&g, s->file, e);
    for (int i = 0; ok && i < g.n_files; i++) {
        size_t bytes = 0;
        const char *why;
        char *text = file_text(g.file[i], SIZE_MAX, &bytes, &why);
        if (!text) ok = refuse(e, EXIT_INPUT, "%s: cannot be read: %s", g.file[i], why);
        else h = digest_add(digest_add(h, text, bytes), &bytes, sizeof bytes);
        free(text);
    }
    for (int i = 0; i < s->n_parameters; i++) {
        const struct parameter *p = &s->parameter[i];
        h = digest_add(digest_add(h, p->name, strlen(p->name) + 1), &p->value, sizeof p->value);
    }
    if (s->curved == CURVED_STRAIGHT) h = digest_add(h, "straight", 8);
    geo_free(&g);
    snprintf(key, 64, "poise-gmsh 1, fnv1a %016" PRIx64, h);
    return ok;
}

/* Reads a mesh of another program, not complete yet. */
static bool read_foreign(struct mesh *m, const struct mesh_setting *s, struct error *e)
{
    static bool (*const read[])(struct foreign *, const char *) = {
        [FORMAT_SU2] = su2_read, [FORMAT_FOAM] = foam_read, [FORMAT_VTK] = vtk_read, [FORMAT_VTU] = vtu_read};
    struct foreign f = {.m = m, .set = s, .e = e};
    snprintf(m->source, sizeof m->source, "%s", s->file);
    bool good = read[mesh_format_of(s->file)](&f, s->file) && foreign_finish(&f);
    foreign_free(&f);
    return good;
}

/* Reads a file through Gmsh and a native mesh in a temporary directory; both are removed afterwards. */
static bool read_through_temporary(struct mesh *m, const struct mesh_setting *s, struct error *e)
{
    const char *above = getenv("TMPDIR");
    char folder[PATH_LENGTH], name[PATH_LENGTH + 16], key[64];
    if (!make_key(key, s, e)) return false;
    snprintf(folder, sizeof folder, "%.*s/poise-XXXXXX", PATH_LENGTH - 32, above && *above ? above : "/tmp");
    if (!mkdtemp(folder))
        return file_refuse(e, folder, "a temporary directory could not be created (TMPDIR sets its location)");
    snprintf(name, sizeof name, "%s/mesh.h5", folder);
    bool ok = gmsh_program_run(s, name, key, true, e) && mesh_read_native(m, name, e);
    unlink(name), rmdir(folder);
    return ok;
}

bool mesh_convert(const struct mesh_setting *s, const char *out, struct error *e)
{
    char key[64];
    struct mesh m = {0};
    enum mesh_format format = mesh_format_of(s->file);
    const bool same = !transform_given(&s->transform);
    if (format == FORMAT_NONE || (format == FORMAT_NATIVE && same))
        return refuse(e, EXIT_INPUT,
                      "%s: cannot be converted; expected " MESH_FORMATS ", of which .h5 is the result%s", s->file,
                      format == FORMAT_NATIVE ? "; with --scale, --rotate or --translate it may be the source too" :
                      "");
    if (!file_ends_in(out, ".h5")) return refuse(e, EXIT_INPUT, "%s: the name of a native mesh ends in .h5", out);
    if (is_gmsh(s->file) && same) return make_key(key, s, e) && gmsh_program_run(s, out, key, false, e);
    bool ok = (is_gmsh(s->file) ? read_through_temporary(&m, s, e) : format == FORMAT_NATIVE ?
               mesh_read_native(&m, s->file, e) : read_foreign(&m, s, e)) &&
              mesh_transform(&m, &s->transform, e) && mesh_write_native(&m, out, e);
    mesh_free(&m);
    return ok;
}

/* A native mesh given by the user: errors are reported with its name, not that of its source. */
static bool read_named(struct mesh *m, const char *path, struct error *e)
{
    bool ok = mesh_read_native(m, path, e);
    if (ok) snprintf(m->source, sizeof m->source, "%s", path);
    return ok;
}

bool mesh_open_as(struct mesh *m, const struct mesh_setting *s, enum ordering ordering, struct error *e)
{
    const char *path = s->file;
    *m = (struct mesh){0};
    bool box = !strncmp(path, "box:", 4) || !strncmp(path, "distorted:", 10);
    if (!box && mesh_format_of(path) == FORMAT_NONE)
        return refuse(e, EXIT_INPUT, "%s: expected " MESH_FORMATS ", box:NX,NY[,NZ] or distorted:NX,NY[,NZ]", path);
    if (!box && access(path, R_OK))
        return refuse(e, EXIT_INPUT, "%s: cannot be read: %s%s", path, strerror(errno),
                      file_others(path, "meshes", is_mesh_file));
    bool ok = (box ? mesh_box_open(m, path, e) : mesh_format_of(path) == FORMAT_NATIVE ? read_named(m, path, e)
                   : is_gmsh(path) ? read_through_temporary(m, s, e) : read_foreign(m, s, e)) &&
              mesh_transform(m, &s->transform, e) && mesh_complete(m, ordering, NULL, 0, e);
    if (!ok) mesh_free(m);
    return ok;
}

bool mesh_open(struct mesh *m, const char *path, enum ordering ordering, struct error *e)
{
    struct mesh_setting s = {.curved = CURVED_REFUSE};
    if (strlen(path) >= sizeof s.file) return refuse(e, EXIT_INPUT, "%s: the path is too long", path);
    strcpy(s.file, path);
    return mesh_open_as(m, &s, ordering, e);
}

/* path: the stored native mesh. */
static bool read_through_cache(struct mesh *m, const struct mesh_setting *s, const char *directory, const char *path,
                               bool keep, struct error *e)
{
    char key[64], whole[256];
    if (!make_key(key, s, e)) return false;
    strcpy(whole, key);
    transform_key(whole, &s->transform);
    if (native_mesh_has(path, whole) && mesh_read_native(m, path, e)) return true;
    mesh_free(m);                                                /* a stored mesh that cannot be read is made again */
    if (!keep) return read_through_temporary(m, s, e) && mesh_transform(m, &s->transform, e);
    return directory_make(directory, e) && gmsh_program_run(s, path, key, false, e) && mesh_read_native(m, path, e) &&
           mesh_transform(m, &s->transform, e) &&
           (!transform_given(&s->transform) || mesh_write_native(m, path, e));
}

bool mesh_of_setting(struct mesh *m, const struct mesh_setting *s, const char *directory, bool keep, struct error *e)
{
    *m = (struct mesh){0};
    if (s->box.given) return mesh_box(m, &s->box), mesh_transform(m, &s->transform, e);
    if (mesh_format_of(s->file) == FORMAT_NONE)
        return refuse(e, EXIT_INPUT, "%s: mesh.file \"%s\": expected " MESH_FORMATS, case_place_text(s->place),
                      s->file);
    if (access(s->file, R_OK))
        return refuse(e, EXIT_INPUT, "%s: mesh.file \"%s\": %s%s", case_place_text(s->place), s->file, strerror(errno),
                      file_others(s->file, "meshes", is_mesh_file));
    if (mesh_format_of(s->file) != FORMAT_GEO && s->n_parameters > 0)
        return refuse(e, EXIT_INPUT, "%s: mesh.parameters are for a .geo file; \"%s\" has none",
                      case_place_text(s->place), s->file);
    if (!is_gmsh(s->file))
        return (mesh_format_of(s->file) == FORMAT_NATIVE ? read_named(m, s->file, e) : read_foreign(m, s, e)) &&
               mesh_transform(m, &s->transform, e);
    char path[PATH_LENGTH + 16];
    snprintf(path, sizeof path, "%s/mesh.h5", directory);
    return read_through_cache(m, s, directory, path, keep, e);
}

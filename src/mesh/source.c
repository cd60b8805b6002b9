/* Meshes from wherever they come: a box, a native file, or Gmsh's files through the program poise-gmsh. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"
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

static bool read_through_cache(struct mesh *m, const struct case_settings *c, bool keep, struct error *e)
{
    const struct mesh_setting *s = &c->mesh;
    char key[64], path[PATH_LENGTH + 16];
    snprintf(path, sizeof path, "%s/mesh.h5", c->directory);
    if (!make_key(key, s->file, s->parameter, s->n_parameters, e)) return false;
    if (native_mesh_has(path, key) && mesh_read_native(m, path, e)) return true;
    mesh_free(m);                                                /* a stored mesh that cannot be read is made anew */
    if (!keep) return read_through_temporary(m, s->file, s->parameter, s->n_parameters, e);
    return directory_make(c->directory, e) && gmsh_program_run(s->file, path, key, s->parameter, s->n_parameters, false, e) &&
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
        if (boundary_is_joined(c->boundary[i].type) && !strcmp(c->boundary[i].with, b->name)) return c->boundary[i].name;
    return m->patch[find_patch(m, b->name)].partner;
}

/* Pairs of patches, each once; pair: [n_boundaries].  The boundaries are known to be patches. */
static bool find_pairs(const struct mesh *m, const struct case_settings *c, int *pair, int *n_pairs, struct error *e)
{
    *n_pairs = 0;
    for (int i = 0; i < c->n_boundaries; i++) {
        const struct boundary_setting *b = &c->boundary[i], *other;
        if (!boundary_is_joined(b->type)) continue;
        const char *partner = partner_of(m, c, b);
        if (!*partner)
            return refuse(e, EXIT_INPUT, "%s: boundary \"%s\" is periodic, but neither the case nor %s says with "
                          "what: with = \"NAME\";", case_place(c, b->line), b->name, m->source);
        other = find_boundary(c, partner);
        if (!other || other == b || !boundary_is_joined(other->type))
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

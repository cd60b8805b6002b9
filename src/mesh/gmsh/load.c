/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Starts Gmsh, opens the file and meshes a geometry. */
#include "mesh/gmsh/import.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/memory.h"
#include "mesh/format.h"
#include "mesh/geo.h"
#include "mesh/gmsh/confine.h"

/* gmshInitialize() has one more argument (`run`, before the error) after version 4.8; the function's type identifies
 * the version. */
static bool start_gmsh(int argc, char **argv)
{
    int error = 0;
    void (*start)(void) = (void (*)(void))gmshInitialize;
    if (_Generic(&gmshInitialize, void (*)(int, char **, const int, int *): 1, default: 0))
        ((void (*)(int, char **, int, int *))start)(argc, argv, 0, &error);
    else ((void (*)(int, char **, int, int, int *))start)(argc, argv, 0, 0, &error);
    return !error;
}

/* Numbers node tags without gaps.  The function has four more arguments after version 4.12. */
static void renumber_nodes(void)
{
    int error = 0;
    void (*renumber)(void) = (void (*)(void))gmshModelMeshRenumberNodes;
    if (_Generic(&gmshModelMeshRenumberNodes, void (*)(int *): 1, default: 0)) ((void (*)(int *))renumber)(&error);
    else ((void (*)(const size_t *, size_t, const size_t *, size_t, int *))renumber)(NULL, 0, NULL, 0, &error);
}

static const char *running_version(void)
{
    char *version = NULL;
    int error = 0;
    gmshOptionGetString("General.Version", &version, &error);
    return version && !error ? version : "not known";
}

const char *import_version(void) { return start_gmsh(0, NULL) ? running_version() : "not known"; }

/* Reads Gmsh's log since the last call: errors go into text (at most `room` bytes), warnings are printed. */
static void take_log(char *text, size_t room)
{
    char **line = NULL;
    size_t n = 0, used = 0;
    int error, warnings = 0;
    gmshLoggerGet(&line, &n, &error);
    text[0] = 0;
    for (size_t i = 0; i < n; i++) {
        const char *colon = strstr(line[i], ": "), *what = colon ? colon + 2 : line[i];
        if (!strncmp(line[i], "Error", 5) || !strncmp(line[i], "Fatal", 5)) {
            if (used + strlen(what) + 16 < room)
                used += (size_t)snprintf(text + used, room - used, "%sGmsh: %s", used ? "\n" : "", what);
        } else if (!strncmp(line[i], "Warning", 7) && !strstr(what, "ANN support") && warnings++ < 10)
            note("Gmsh warns: %s", what);
        gmshFree(line[i]);
    }
    gmshFree(line);
    gmshLoggerStop(&error), gmshLoggerStart(&error);
}

static bool gmsh_refuses(struct error *e, const char *path, const char *doing, const char *text)
{
    return refuse(e, EXIT_INPUT, "%s: Gmsh stopped while %s it\n%s", path, doing,
                  *text ? text : "Gmsh gave no reason; open the file in Gmsh itself to see more");
}

static bool check_parameters(const struct geo *g, const char *path, const struct parameter *p, int n, struct error *e)
{
    for (int i = 0; i < n; i++) {
        bool found = false;
        for (int k = 0; k < g->n_names; k++) found = found || !strcmp(p[i].name, g->name[k]);
        if (found) continue;
        char list[1000] = "none";
        for (int k = 0, used = 0; k < g->n_names && used < 900; k++)
            used += snprintf(list + used, 1000 - (size_t)used, "%s%.60s", k ? ", " : "", g->name[k]);
        const char *near = nearest_name(p[i].name, (const char *const *)g->name, g->n_names);
        return refuse(e, EXIT_INPUT, "%s: has no parameter \"%s\"%s%s%s; its parameters (in DefineConstant) are: %s\n"
                      "to make it one, write in the .geo: DefineConstant[ %s = %.6g ];", path, p[i].name,
                      near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "", list, p[i].name,
                      p[i].value);
    }
    return true;
}

/* Gmsh silently ignores all but the first command of a last line without a line end. */
static bool check_last_line(const char *path, struct error *e)
{
    size_t bytes;
    int commands = 0, lines = 1;
    const char *why;
    char *text = file_text(path, SIZE_MAX, &bytes, &why);
    for (size_t i = 0; text && i < bytes; i++) {
        if (text[i] == '\n') commands = 0, lines++;
        commands += text[i] == ';';
    }
    free(text);
    if (commands < 2) return true;
    return refuse(e, EXIT_INPUT, "%s:%d: the last line holds %d commands and has no line end, so Gmsh would read only "
                  "the first: end the file with a line end", path, lines, commands);
}

/* Gmsh recognises a mesh by its file name or these beginnings, and treats any other file as a geometry, whose commands
 * it executes (SystemCall).  A mesh is data. */
static bool check_mesh_head(const char *path, struct error *e)
{
    static const char *const gmsh[] = {"$MeshFormat", "$Comments", "$NOD", "$NOE", "$PTS", "$PARA", "$ELM", NULL};
    static const char *const unv[] = {"    -1", NULL}, *const med[] = {"\211HDF", NULL};
    static const char *const cgns[] = {"\211HDF", "@(#)ADF", NULL};
    const char *const *known = file_ends_in(path, ".unv") ? unv : file_ends_in(path, ".med") ? med
                             : file_ends_in(path, ".cgns") ? cgns : gmsh;
    char head[24] = "";
    const char *why;
    FILE *in = file_open(path, &why);
    if (!in) return refuse(e, EXIT_INPUT, "%s: cannot be read: %s", path, why);
    size_t n = fread(head, 1, sizeof head - 1, in);
    fclose(in);
    for (int i = 0; known[i]; i++) if (!strncmp(head, known[i], strlen(known[i]))) return true;
    for (size_t i = 0; i < n; i++) if (head[i] < ' ' || head[i] > '~') head[i] = i ? 0 : '?';
    return refuse(e, EXIT_INPUT, "%s: is not a Gmsh mesh: it begins with \"%s\"; expected %s", path, head,
                  known == gmsh ? "$MeshFormat (the name of a geometry ends in .geo)" : known == unv
                  ? "-1 in the first six columns, as I-deas universal files do" : "HDF5, as .med and .cgns files are");
}

/* A Gmsh built without support for these formats mistakes them for others. */
static bool check_abilities(const char *path, struct error *e)
{
    static const struct { const char *end, *option; } need[] = {{".med", "Med"}, {".cgns", "Cgns"}};
    char *options = NULL;
    int error = 0;
    gmshOptionGetString("General.BuildOptions", &options, &error);
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        char found[8] = "";
        if (!file_ends_in(path, need[i].end)) continue;
        for (const char *p = options; p && *p && !*found; p += strcspn(p, " "), p += *p == ' ')
            if (!strncmp(p, need[i].option, strlen(need[i].option)) && strchr(" [", p[strlen(need[i].option)]))
                snprintf(found, sizeof found, "yes");
        ok = *found || refuse(e, EXIT_INPUT,
                              "%s: this Gmsh (%s) was built without %s, which it needs for %s files; build "
                              "poise-gmsh with Gmsh's own library (make GMSH=FOLDER, packaging/README.md), or save the "
                              "mesh as .msh or .unv", path, running_version(), need[i].option, need[i].end);
    }
    gmshFree(options);
    return ok;
}

static bool check_file(const struct import *im, const struct parameter *p, int n, struct error *e)
{
    enum mesh_format format = mesh_format_of(im->path);
    if (format != FORMAT_GEO && format != FORMAT_GMSH)
        return refuse(e, EXIT_INPUT, "%s: Poise reads .geo, .msh, .unv, .med and .cgns files through Gmsh; save this "
                      "one as .msh with Gmsh", im->path);
    struct geo g;
    bool ok = geo_scan(&g, im->path, e);
    if (ok && !im->geo && n > 0)
        ok = refuse(e, EXIT_INPUT, "%s: a mesh has no parameters (\"%s\" was given); name the .geo file it was "
                    "made from instead", im->path, p[0].name);
    if (im->geo) ok = ok && check_parameters(&g, im->path, p, n, e) && check_last_line(im->path, e);
    else ok = ok && check_mesh_head(im->path, e);
    geo_free(&g);
    return ok;
}

static bool cells_exist(int dim)
{
    struct elements list[16];
    int n = elements_read(list, dim, -1);
    elements_free(list, n);
    return n > 0;
}

bool import_load(struct import *im, const struct parameter *p, int n, struct error *e)
{
    im->geo = file_ends_in(im->path, ".geo");
    if (!check_file(im, p, n, e)) return false;
    char **argument, (*value)[32], text[3000];
    int argc = 0, error;
    NEW(argument, 3 * n + 2), NEW(value, n);
    argument[argc++] = "poise-gmsh";
    for (int i = 0; i < n; i++) {
        snprintf(value[i], sizeof value[i], "%.17g", p[i].value);
        argument[argc++] = "-setnumber", argument[argc++] = (char *)p[i].name, argument[argc++] = value[i];
    }
    if (!start_gmsh(argc, argument)) return refuse(e, EXIT_RESOURCE, "Gmsh's library could not be started");
    free(argument), free(value);
    gmshOptionSetNumber("General.Terminal", 0, &error);
    gmshOptionSetNumber("General.AbortOnError", 1,
                        &error);      /* without this it throws exceptions that its C interface does not catch */
    gmshLoggerStart(&error);
    if (!check_abilities(im->path, e)) return false;
    confine(!(im->trusted && im->geo), im->path);     /* a mesh is data, even if a .geo is trusted */
    gmshOpen(im->path, &error);
    take_log(text, sizeof text);
    if (error || *text) return gmsh_refuses(e, im->path, "reading", text);
    int dim = gmshModelGetDimension(&error);
    if (dim < 2 && im->geo)
        return refuse(e, EXIT_INPUT, "%s: has no surface and no volume, so there is nothing to compute in: end the "
                      "geometry with, for example, Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};", im->path);
    if (dim < 2)
        return refuse(e, EXIT_INPUT, "%s: has no cells, neither of surfaces nor of volumes; Gmsh saves only what is in "
                      "a physical group: Physical Surface(\"fluid\") = {1}; in the .geo, then mesh and save it again",
                      im->path);
    if (!cells_exist(dim)) {
        if (!im->geo)
            return refuse(e, EXIT_INPUT, "%s: has %ss but no cells in them: mesh it to dimension %d (Mesh %d; or gmsh "
                          "-%d), and give the %ss a group, because Gmsh saves only what is in one: Physical "
                          "%s(\"fluid\") = {1};", im->path, entity_word[dim], dim, dim, dim, entity_word[dim],
                          group_word[dim]);
        gmshModelMeshGenerate(dim, &error);
        take_log(text, sizeof text);
        if (error || *text) return gmsh_refuses(e, im->path, "meshing", text);
    }
    renumber_nodes();
    confine(false, NULL);
    im->m->dim = dim;
    return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Maps Gmsh's physical groups to regions and patches. */
#include "mesh/gmsh/import.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

const char *const entity_word[4] = {"point", "curve", "surface", "volume"};
const char *const group_word[4] = {"Point", "Curve", "Surface", "Volume"};
enum { MOST_TAGS = 20000 };     /* tags searched for groups that have only a name */

struct tag_text tags_text(const int *tag, size_t n)
{
    struct tag_text t = {""};
    for (size_t i = 0, used = 0; i < n && i < 13; i++)
        used += (size_t)snprintf(t.text + used, sizeof t.text - used, i == 12 ? ", ..." : i ? ", %d" : "%d", tag[i]);
    return t;
}

/* Tags of all entities of a dimension; the caller frees them. */
static int *entity_tags(int dim, int *n)
{
    int *pair = NULL, *tag, error;
    size_t length = 0;
    gmshModelGetEntities(&pair, &length, dim, &error);
    *n = (int)(length / 2);
    NEW(tag, *n);
    for (int i = 0; i < *n; i++) tag[i] = pair[2 * i + 1];
    gmshFree(pair);
    return tag;
}

/* A boundary's name must be valid before "=" in a case file (libconfig's rule for names). */
static bool check_name(const struct import *im, int dim, const char *name, struct error *e)
{
    size_t length = strlen(name);
    if (length >= NAME_LENGTH)
        return refuse(e, EXIT_INPUT, "%s: the name of the group \"%s\" has %zu characters, at most %d are allowed: "
                      "Physical %s(\"%.20s\") = ...;", im->path, name, length, NAME_LENGTH - 1, group_word[dim], name);
    if (dim == im->m->dim) return true;
    bool ok = isalpha((unsigned char)name[0]);
    char better[NAME_LENGTH + 1] = "";
    for (size_t i = 0; i < length; i++) {
        bool fits = isalnum((unsigned char)name[i]) || name[i] == '_' || name[i] == '-';
        ok = ok && fits;
        better[i] = fits ? name[i] : '_';
    }
    if (ok) return true;
    return refuse(e, EXIT_INPUT, "%s: a case file cannot name the boundary \"%s\": names start with a letter, followed "
                  "by letters, digits, _ and -: Physical %s(\"%s%s\") = ...;", im->path, name, group_word[dim],
                  isalpha((unsigned char)better[0]) ? "" : "b", better);
}

/* Index of a region or patch with that name, created if new. */
static int group_index(struct mesh *m, int dim, const char *name)
{
    int *n = dim == m->dim ? &m->n_regions : &m->n_patches;
    for (int i = 0; i < *n; i++) if (!strcmp(dim == m->dim ? m->region[i] : m->patch[i].name, name)) return i;
    if (dim == m->dim) {
        RESIZE(m->region, *n + 1);
        memset(m->region[*n], 0, NAME_LENGTH);                   /* all of it is written to the file */
        snprintf(m->region[*n], NAME_LENGTH, "%s", name);
    } else {
        RESIZE(m->patch, *n + 1);
        m->patch[*n] = (struct patch){.count = 0};
        snprintf(m->patch[*n].name, NAME_LENGTH, "%s", name);
    }
    return (*n)++;
}

static const char *group_name(const struct mesh *m, int dim, int group)
{
    return dim == m->dim ? m->region[group] : m->patch[group].name;
}

/* Entity `twice` is in the group `before` and in the current one, which has these members: suggests a correction, in
 * which the larger group gives up the common entities. */
static bool refuse_overlap(const struct import *im, int dim, const struct entity *entity, int n, int before, int now,
                           const int *member, size_t n_members, int twice, struct error *e)
{
    int *of[2], n_of[2] = {0}, n_rest = 0, *rest;
    NEW(of[0], n), NEW(of[1], n), NEW(rest, n);
    for (int i = 0; i < n; i++) {
        bool in_now = false;
        for (size_t k = 0; k < n_members; k++) in_now |= llabs(member[k]) == entity[i].tag;
        if (entity[i].group == before) of[0][n_of[0]++] = i;
        if (in_now) of[1][n_of[1]++] = i;
    }
    const int larger = n_of[1] > n_of[0];
    for (int k = 0; k < n_of[larger]; k++) {
        bool in_other = false;
        for (int i = 0; i < n_of[!larger]; i++) in_other |= of[!larger][i] == of[larger][k];
        if (!in_other) rest[n_rest++] = entity[of[larger][k]].tag;
    }
    const char *name = group_name(im->m, dim, larger ? now : before);
    refuse(e, EXIT_INPUT, "%s: %s %d is in two groups, \"%s\" and \"%s\": ", im->path, entity_word[dim], twice,
           group_name(im->m, dim, before), group_name(im->m, dim, now));
    size_t used = strlen(e->text);
    if (n_rest && n_rest <= 12)
        snprintf(e->text + used, sizeof e->text - used, "write Physical %s(\"%s\") = {%s};", group_word[dim], name,
                 tags_text(rest, (size_t)n_rest).text);
    else if (n_rest)
        snprintf(e->text + used, sizeof e->text - used, "remove %d, and all others that both contain, from Physical "
                 "%s(\"%s\")", twice, group_word[dim], name);
    else
        snprintf(e->text + used, sizeof e->text - used, "remove the line Physical %s(\"%s\"), whose %ss are all in "
                 "the other one", group_word[dim], name, entity_word[dim]);
    free(of[0]), free(of[1]), free(rest);
    return false;
}

/* Assigns the entities of one physical group to its region or patch. */
static bool read_group(struct import *im, int dim, int tag, struct entity *entity, int n, struct error *e)
{
    char *name = NULL, unnamed[40];
    int *member = NULL, error;
    size_t n_members = 0;
    gmshModelGetPhysicalName(dim, tag, &name, &error);
    for (size_t k = name ? strlen(name) : 0; k > 0 && name[k - 1] == ' '; k--) name[k - 1] = 0;     /* .med pads with
                                                                                                       blanks */
    bool ok = true;
    if (!name || !*name) {
        snprintf(unnamed, sizeof unnamed, "group_%d", tag);
        note("the Physical %s %d of %s has no name and is called \"%s\" here (its name comes from: Physical "
             "%s(\"NAME\", %d) = {...};)", group_word[dim], tag, im->path, unnamed, group_word[dim], tag);
    } else ok = check_name(im, dim, name, e);
    int group = ok ? group_index(im->m, dim, name && *name ? name : unnamed) : -1;
    gmshFree(name);
    gmshModelGetEntitiesForPhysicalGroup(dim, tag, &member, &n_members, &error);
    for (size_t k = 0; ok && k < n_members; k++)
        for (int i = 0; ok && i < n; i++) {
            if (entity[i].tag != llabs(member[k])) continue;     /* Gmsh uses a minus sign for "reversed" */
            if (entity[i].group >= 0 && entity[i].group != group)
                ok = refuse_overlap(im, dim, entity, n, entity[i].group, group, member, n_members, entity[i].tag, e);
            else entity[i].group = group;
        }
    gmshFree(member);
    return ok;
}

/* Groups with a name but no entities: Gmsh keeps only their names. */
static bool check_empty(const struct import *im, int dim, const int *tag, size_t n_tags, struct error *e)
{
    for (int t = 1; t <= MOST_TAGS; t++) {
        char *name = NULL, kept[100];
        int error;
        bool full = false;
        gmshModelGetPhysicalName(dim, t, &name, &error);
        snprintf(kept, sizeof kept, "%s", name ? name : "");
        gmshFree(name);
        for (size_t i = 0; i < n_tags; i++) full = full || tag[2 * i + 1] == t;
        if (!*kept || full) continue;
        int n, *all = entity_tags(dim, &n);
        refuse(e, EXIT_INPUT, "%s: the group \"%s\" is empty: no %s of the mesh is in it.  Name %ss that exist (there "
               "are %s), Physical %s(\"%s\") = {%d};, or remove the line", im->path, kept, entity_word[dim],
               entity_word[dim], n ? tags_text(all, (size_t)n).text : "none", group_word[dim], kept, n ? all[0] : 1);
        free(all);
        return false;
    }
    return true;
}

static bool read_dimension(struct import *im, int dim, struct entity **entity, int *n, struct error *e)
{
    int *tag = entity_tags(dim, n), *pair = NULL, error;
    size_t length = 0;
    NEW(*entity, *n);
    for (int i = 0; i < *n; i++) (*entity)[i] = (struct entity){tag[i], -1};
    free(tag);
    gmshModelGetPhysicalGroups(&pair, &length, dim, &error);
    bool ok = true;
    for (size_t k = 0; ok && k < length / 2; k++) ok = read_group(im, dim, pair[2 * k + 1], *entity, *n, e);
    ok = ok && check_empty(im, dim, pair, length / 2, e);
    gmshFree(pair);
    return ok;
}

bool import_groups(struct import *im, struct error *e)
{
    int dim = im->m->dim, *left_out;
    size_t n = 0;
    if (!read_dimension(im, dim, &im->cell_entity, &im->n_cell_entities, e)) return false;
    NEW(left_out, im->n_cell_entities);
    for (int i = 0; i < im->n_cell_entities; i++)
        if (im->cell_entity[i].group < 0) left_out[n++] = im->cell_entity[i].tag;
    struct tag_text tags = tags_text(left_out, n);
    free(left_out);
    if (im->m->n_regions == 0)
        return refuse(e, EXIT_INPUT, "%s: no %s is in a physical group, so the mesh has no cells: Physical "
                      "%s(\"fluid\") = {%s};%s", im->path, entity_word[dim], group_word[dim], tags.text,
                      dim == 3 ? " (for a 2-D mesh leave the volumes out of the geometry)" : "");
    if (n > 0)
        note("%s %s of %s %s in no Physical %s and ignored",
             n == 1 ? entity_word[dim] : dim == 2 ? "surfaces" : "volumes",
             tags.text, im->path, n == 1 ? "is" : "are", group_word[dim]);
    return read_dimension(im, dim - 1, &im->face_entity, &im->n_face_entities, e);
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Converts Gmsh's boundary elements to the mesh's boundary faces, and finds periodic partners. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"
#include "mesh/cell_shape.h"
#include "mesh/cells.h"
#include "mesh/gmsh/import.h"

struct face { int32_t v[4], sorted[4]; int entity, cells; };    /* v: unused = -1; cells: number of cells that have
                                                                   it */
struct faces {
    struct face *face;
    int64_t n;
    int64_t *slot, n_slots;     /* hash table of face numbers + 1, n_slots a power of 2 */
};

static void sort_vertices(int32_t sorted[4], const int32_t v[4])
{
    memcpy(sorted, v, 4 * sizeof *v);
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && sorted[j] < sorted[j - 1]; j--) {
            int32_t t = sorted[j];
            sorted[j] = sorted[j - 1], sorted[j - 1] = t;
        }
}

/* The slot of these vertices, or the free one for them. */
static int64_t *find_slot(const struct faces *f, const int32_t sorted[4])
{
    uint64_t h = DIGEST_START;
    for (int i = 0; i < 4; i++) h = digest_step(h, (uint32_t)sorted[i]);
    for (h ^= h >> 29;; h++) {
        int64_t *slot = &f->slot[h & (uint64_t)(f->n_slots - 1)];
        if (!*slot || !memcmp(f->face[*slot - 1].sorted, sorted, sizeof f->face->sorted)) return slot;
    }
}

/* Appends the elements on one entity of dimension dim - 1. */
static bool append_faces(const struct import *im, struct faces *f, int entity, struct error *e)
{
    struct elements list[16];
    int dim = im->m->dim - 1, tag = im->face_entity[entity].tag, kinds = elements_read(list, dim, tag);
    bool ok = true;
    if (im->straight) elements_straighten(list, kinds);
    for (int k = 0; k < kinds && ok; k++) {
        int w = list[k].n_nodes;
        if (!(dim == 1 ? list[k].type == 1 : list[k].type == 2 || list[k].type == 3)) {
            ok = refuse(e, EXIT_INPUT, "%s: %s %d has elements of Gmsh's type %d; a boundary of first-order cells has "
                        "%s only: %s", im->path, entity_word[dim], tag, list[k].type,
                        dim == 1 ? "2-node lines" : "3-node triangles and 4-node quadrilaterals", first_order(im));
            break;
        }
        RESIZE(f->face, f->n + (int64_t)list[k].n);
        for (size_t i = 0; i < list[k].n; i++) {
            struct face *face = &f->face[f->n++];
            *face = (struct face){.v = {-1, -1, -1, -1}, .entity = entity};
            for (int j = 0; j < w; j++) face->v[j] = import_vertex(im, list[k].node[i * (size_t)w + (size_t)j]);
            for (int j = 0; j < w; j++) if (face->v[j] < 0) face->cells = -1;            /* a vertex that belongs to no
                                                                                            cell */
        }
    }
    elements_free(list, kinds);
    return ok;
}

static const char *patch_of(const struct import *im, int entity)
{
    return im->m->patch[im->face_entity[entity].group].name;
}

/* Inserts the faces into the table.  A duplicate element counts once, unless two groups claim it. */
static bool hash_faces(const struct import *im, struct faces *f, struct error *e)
{
    f->n_slots = 1024;
    while (f->n_slots < 2 * f->n) f->n_slots *= 2;
    NEW(f->slot, f->n_slots);
    for (int64_t i = 0; i < f->n; i++) {
        struct face *face = &f->face[i];
        sort_vertices(face->sorted, face->v);
        if (face->cells < 0) continue;
        int64_t *slot = find_slot(f, face->sorted);
        if (!*slot) { *slot = i + 1; continue; }
        struct face *twin = &f->face[*slot - 1];
        int a = im->face_entity[twin->entity].group, b = im->face_entity[face->entity].group;
        if (a >= 0 && b >= 0 && a != b)
            return refuse(e, EXIT_INPUT, "%s: the groups \"%s\" and \"%s\" overlap: %s %d and %s %d have elements in "
                          "common; join them with Coherence; and put the result into one group", im->path,
                          patch_of(im, twin->entity), patch_of(im, face->entity), entity_word[im->m->dim - 1],
                          im->face_entity[twin->entity].tag, entity_word[im->m->dim - 1],
                          im->face_entity[face->entity].tag);
        if (a < 0) twin->entity = face->entity;
        face->cells = -2;                                        /* a duplicate: skipped from here on */
    }
    return true;
}

static void count_cells(const struct mesh *m, struct faces *f)
{
    for (int32_t c = 0; c < m->n_cells; c++) {
        const struct cell_shape *shape = &cell_shape[m->cell_type[c]];
        const int32_t *cv = m->cell_vertex + m->cell_start[c];
        for (int k = 0; k < shape->n_faces; k++) {
            int32_t v[4], sorted[4];
            for (int i = 0; i < 4; i++) v[i] = shape->face[k][i] < 0 ? -1 : cv[shape->face[k][i]];
            sort_vertices(sorted, v);
            int64_t *slot = find_slot(f, sorted);
            if (*slot) f->face[*slot - 1].cells++;
        }
    }
}

/* Is this entity part of the domain's outer boundary, that is, does it bound only one cell entity?  For entities in no
 * group, whose elements a .msh does not contain; from version 4 on it lists the boundaries of entities. */
static bool bounds_domain(const struct import *im, int entity)
{
    int *up = NULL, *down = NULL, error, regions = 0, tag = im->face_entity[entity].tag;
    size_t n = 0, m = 0;
    gmshModelGetAdjacencies(im->m->dim - 1, tag, &up, &n, &down, &m, &error);
    for (size_t k = 0; !error && k < n; k++)
        for (int i = 0; i < im->n_cell_entities; i++)
            regions += im->cell_entity[i].tag == up[k] && im->cell_entity[i].group >= 0;
    gmshFree(up), gmshFree(down);
    return regions == 1;
}

/* Checks each entity against the cells.  count: [n_face_entities][4] number of its elements that are faces of no cell,
 * of one cell, of two cells, and duplicates. */
static bool check_entities(const struct import *im, int64_t (*count)[4], struct error *e)
{
    int dim = im->m->dim - 1, *uncovered;
    size_t n = 0;
    bool ok = true;
    NEW(uncovered, im->n_face_entities);
    for (int i = 0; ok && i < im->n_face_entities; i++) {
        const struct entity *entity = &im->face_entity[i];
        int64_t all = count[i][0] + count[i][1] + count[i][2] + count[i][3];
        if (entity->group >= 0 && count[i][0])
            ok = refuse(e, EXIT_INPUT, "%s: %lld of the %lld elements on %s %d (group \"%s\") belong to no cell: it "
                        "bounds no %s of a group.  Take it out of Physical %s(\"%s\") = {...};, or put the %s that it "
                        "bounds into a group: Physical %s(\"fluid\") = {...};", im->path, (long long)count[i][0],
                        (long long)all, entity_word[dim], entity->tag, patch_of(im, i), entity_word[dim + 1],
                        group_word[dim], patch_of(im, i), entity_word[dim + 1], group_word[dim + 1]);
        else if (entity->group < 0 && (count[i][1] || (!all && !im->geo && bounds_domain(im, i))))
            uncovered[n++] = entity->tag;
    }
    if (ok && n > 0) {
        struct tag_text tags = tags_text(uncovered, n);
        ok = refuse(e, EXIT_INPUT, "%s: %s%s %s bound%s the domain and %s in no physical group, so no condition can be "
                    "given there: Physical %s(\"walls\") = {%s};\n(a %s that should lie inside the domain bounds it "
                    "when its neighbour has a copy of it: Coherence; makes them one)", im->path, entity_word[dim],
                    n == 1 ? "" : "s", tags.text, n == 1 ? "s" : "", n == 1 ? "is" : "are", group_word[dim], tags.text,
                    entity_word[dim]);
    }
    free(uncovered);
    return ok;
}

/* Faces that belong to one cell become the mesh's marked faces; patches without any are dropped. */
static bool mark_faces(const struct import *im, const struct faces *f, struct error *e)
{
    struct mesh *m = im->m;
    bool ok = true;
    int64_t *inside, *outside;
    int32_t *number;
    int n = 0;
    NEW(inside, m->n_patches), NEW(outside, m->n_patches), NEW(number, m->n_patches);
    for (int64_t i = 0; i < f->n; i++) {
        int group = im->face_entity[f->face[i].entity].group;
        if (group < 0 || f->face[i].cells < 1) continue;
        if (f->face[i].cells > 1) { inside[group]++; continue; }
        outside[group]++;
        const int32_t *v = f->face[i].v;
        mesh_mark(m, group, v, v[2] < 0 ? 2 : v[3] < 0 ? 3 : 4);
    }
    for (int p = 0; p < m->n_patches && ok; p++) {
        if (!inside[p] && !outside[p])
            ok = refuse(e, EXIT_INPUT, "%s: the group \"%s\" has no elements: name %ss in it that bound the domain, or "
                        "remove the line Physical %s(\"%s\") = {...};", im->path, m->patch[p].name,
                        entity_word[m->dim - 1], group_word[m->dim - 1], m->patch[p].name);
        if (inside[p])
            note("%lld of the %lld faces of the group \"%s\" of %s lie inside the domain, between two cells; they are "
                 "not a boundary and were ignored%s", (long long)inside[p], (long long)(inside[p] + outside[p]),
                 m->patch[p].name, im->path, outside[p] ? "" : ", and with them the group");
        number[p] = n;
        if (outside[p]) m->patch[n++] = m->patch[p];
    }
    for (int32_t i = 0; i < m->n_marked; i++) m->marked_patch[i] = number[m->marked_patch[i]];
    for (int i = 0; i < im->n_face_entities; i++) {
        int group = im->face_entity[i].group;
        if (group >= 0) im->face_entity[i].group = outside[group] ? number[group] : -1;
    }
    m->n_patches = n;
    free(inside), free(outside), free(number);
    return ok;
}

/* The group of the entity of which this one is a periodic copy, or -1; *shift: it is only translated, not rotated. */
static int master_group(const struct import *im, const struct entity *entity, bool *shift)
{
    int master = entity->tag, error, group = -1;
    size_t *node = NULL, *twin = NULL, n = 0, m = 0, length = 0;
    double *affine = NULL;
    gmshModelMeshGetPeriodicNodes(im->m->dim - 1, entity->tag, &master, &node, &n, &twin, &m, &affine, &length, 0,
                                  &error);
    *shift = true;
    for (size_t k = 0; k < length && k < 12; k++)
        if (k % 4 != 3 && fabs(affine[k] - (k % 5 == 0)) > 1e-10) *shift = false;
    if (!error && master != entity->tag)
        for (int i = 0; i < im->n_face_entities; i++)
            if (im->face_entity[i].tag == master) group = im->face_entity[i].group;
    gmshFree(node), gmshFree(twin), gmshFree(affine);
    return group;
}

/* Gmsh 4.8 writes periodic links into files of version 2 and before, but does not read them from there. */
static void note_lost_links(const struct import *im)
{
    const char *why;
    FILE *f = file_open(im->path, &why);
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (f && !found && getline(&line, &room, f) > 0) found = !strncmp(line, "$Periodic", 9);
    if (found)
        note("Gmsh kept none of the periodic links in %s; save it in version 4 (Mesh.MshFileVersion = 4.1;), or name "
             "the partners in the case: with = \"NAME\";", im->path);
    free(line);
    if (f) fclose(f);
}

static void find_partners(const struct import *im)
{
    struct mesh *m = im->m;
    bool any = false;
    for (int i = 0; i < im->n_face_entities; i++) {
        bool shift;
        int a = im->face_entity[i].group, b = a < 0 ? -1 : master_group(im, &im->face_entity[i], &shift);
        if (b < 0) continue;
        any = true;
        char *of_a = m->patch[a].partner, *of_b = m->patch[b].partner;
        const char *trouble = a == b ? "both sides are in it; give each side a group of its own to compute with "
                                       "periodicity"
            : !shift ? "one side is a rotated copy of the other; Poise supports translations only"
            : (*of_a && strcmp(of_a, m->patch[b].name)) || (*of_b && strcmp(of_b, m->patch[a].name))
              ? "it is a copy of parts of several groups; give each pair of sides groups of its own" : NULL;
        if (trouble) {
            note("the periodic link of the group \"%s\" of %s is not used: %s", m->patch[a].name, im->path, trouble);
            continue;
        }
        strcpy(of_a, m->patch[b].name), strcpy(of_b, m->patch[a].name);
    }
    if (!any && !im->geo) note_lost_links(im);
}

bool import_boundary(struct import *im, struct error *e)
{
    struct faces f = {0};
    int64_t (*count)[4];
    bool ok = true;
    for (int i = 0; ok && i < im->n_face_entities; i++) ok = append_faces(im, &f, i, e);
    ok = ok && hash_faces(im, &f, e);
    if (ok) count_cells(im->m, &f);
    NEW(count, im->n_face_entities);
    for (int64_t i = 0; ok && i < f.n; i++) {
        int cells = f.face[i].cells;
        count[f.face[i].entity][cells == -2 ? 3 : cells < 0 ? 0 : cells > 2 ? 2 : cells]++;
    }
    ok = ok && check_entities(im, count, e);
    ok = ok && mark_faces(im, &f, e);
    if (ok) find_partners(im);
    free(f.face), free(f.slot), free(count);
    return ok;
}

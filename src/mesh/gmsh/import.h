/* SPDX-License-Identifier: GPL-2.0-or-later (this program is linked with Gmsh; the rest of Poise is BSD-3-Clause)
 *
 * import.h: from Gmsh's model to struct mesh in its unfinished form (cells, vertices, named boundary faces).
 * The steps run in this order; each returns false with an explanation that ends in the .geo line that mends it. */
#ifndef POISE_IMPORT_H
#define POISE_IMPORT_H
#include <gmshc.h>
#include <stdbool.h>
#include <stddef.h>
#include "mesh/mesh.h"

struct entity {                 /* a Gmsh curve, surface or volume */
    int tag;
    int group;                  /* index of its region (cells) or patch (faces), -1 = in no physical group */
};

struct import {
    const char *path;           /* for messages */
    bool geo;                   /* .geo: meshed here; else a mesh */
    bool trusted;               /* a .geo may run commands and write files */
    bool straight;              /* of elements of a higher order the corners are taken */
    int order;                  /* the highest that cells had */
    struct mesh *m;
    struct entity *cell_entity, *face_entity;   /* of dimension dim and dim - 1 */
    int n_cell_entities, n_face_entities;
    int32_t *vertex;            /* [n_tags] by Gmsh's node tag: the mesh's vertex, or below 0 when no cell uses it */
    size_t n_tags;
};
/* Elements of damaged files have nodes that are not there: below 0 as well. */
static inline int32_t import_vertex(const struct import *im, size_t tag)
{
    return tag < im->n_tags ? im->vertex[tag] : -1;
}

/* load.c: the version of the library that the program runs with, which need not be the one that it was built with. */
const char *import_version(void);
/* load.c: starts Gmsh, opens the file, meshes a .geo to its highest dimension; sets m->dim.  A file that is not trusted
 * and asks for a command or for writing ends the program (confine.h). */
bool import_load(struct import *im, const struct parameter *p, int n, struct error *e);
/* groups.c: physical groups of dimension dim are regions, those of dimension dim - 1 are patches. */
bool import_groups(struct import *im, struct error *e);
/* cells.c: cells of the regions, their vertices, orientation. */
bool import_cells(struct import *im, struct error *e);
/* boundary.c: the patches' faces, periodic partners. */
bool import_boundary(struct import *im, struct error *e);

/* A note for the user, on stdout. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Gmsh's words for dimension 0 .. 3: "curve", "Curve". */
extern const char *const entity_word[4], *const group_word[4];
/* "1, 2, 5": at most 12 of them, then "...". */
struct tag_text { char text[200]; };
struct tag_text tags_text(const int *tag, size_t n);
/* What to do about elements of a higher order in this file; valid until the next call. */
const char *first_order(const struct import *im);
/* Elements of one entity that are alike. */
struct elements {
    int type;                   /* Gmsh's */
    size_t n;
    int n_nodes;
    size_t *node;               /* [n n_nodes] */
};
/* The kinds of elements on an entity; returns how many (at most 16). elements_free() frees them. */
int elements_read(struct elements list[16], int dim, int tag);
void elements_free(struct elements *list, int n);
/* Elements of a higher order become those of the first one at their corners, which come first among their nodes.
 * Returns the highest order that there was. */
int elements_straighten(struct elements *list, int n);
#endif

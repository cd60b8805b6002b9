/* SPDX-License-Identifier: GPL-2.0-or-later (this program is linked with Gmsh; the rest of Poise is BSD-3-Clause)
 *
 * import.h: converts Gmsh's model to an unfinished struct mesh (cells, vertices, named boundary faces).
 * The steps run in this order; each returns false with a message that ends with the .geo line to change. */
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
    bool straight;              /* elements of higher order are replaced by their corners */
    int order;                  /* the highest order of any cell */
    struct mesh *m;
    struct entity *cell_entity, *face_entity;   /* of dimension dim and dim - 1 */
    int n_cell_entities, n_face_entities;
    int32_t *vertex;            /* [n_tags] by Gmsh's node tag: the mesh's vertex, or below 0 if no cell uses it */
    size_t n_tags;
};
/* Elements of damaged files may refer to missing nodes: these are below 0 as well. */
static inline int32_t import_vertex(const struct import *im, size_t tag)
{
    return tag < im->n_tags ? im->vertex[tag] : -1;
}

/* load.c: the version of Gmsh's library at run time, which may differ from the one at build time. */
const char *import_version(void);
/* load.c: starts Gmsh, opens the file, meshes a .geo to its highest dimension; sets m->dim.  An untrusted file that
 * tries to run a command or write a file ends the program (confine.h). */
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
/* Advice about elements of higher order in this file; valid until the next call. */
const char *first_order(const struct import *im);
/* Elements of one type on one entity. */
struct elements {
    int type;                   /* Gmsh's */
    size_t n;
    int n_nodes;
    size_t *node;               /* [n n_nodes] */
};
/* The elements of an entity by type; returns the number of types (at most 16).  elements_free() frees them. */
int elements_read(struct elements list[16], int dim, int tag);
void elements_free(struct elements *list, int n);
/* Replaces elements of higher order by first-order ones at their corners, which come first among their nodes.  Returns
 * the highest order found. */
int elements_straighten(struct elements *list, int n);
#endif

/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads Gmsh's elements and converts them to the mesh's cells, oriented alike. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "mesh/cell_shape.h"
#include "mesh/cells.h"
#include "mesh/gmsh/import.h"

/* Cell types by Gmsh's numbers; vertex order is the same. */
static const uint8_t type_of[8] = {[2] = CELL_TRIANGLE, [3] = CELL_QUADRILATERAL, [4] = CELL_TETRAHEDRON,
                                   [5] = CELL_HEXAHEDRON, [6] = CELL_PRISM, [7] = CELL_PYRAMID};

int elements_read(struct elements list[16], int dim, int tag)
{
    int *type = NULL, error, kinds = 0;
    size_t n_types = 0, **element = NULL, *element_n = NULL, element_nn = 0, **node = NULL, *node_n = NULL, node_nn = 0;
    gmshModelMeshGetElements(&type, &n_types, &element, &element_n, &element_nn, &node, &node_n, &node_nn, dim, tag,
                             &error);
    for (size_t k = 0; k < n_types; k++) {
        gmshFree(element[k]);
        if (element_n[k] > 0 && kinds < 16)
            list[kinds++] = (struct elements){type[k], element_n[k], (int)(node_n[k] / element_n[k]), node[k]};
        else gmshFree(node[k]);
    }
    gmshFree(type), gmshFree(element), gmshFree(element_n), gmshFree(node), gmshFree(node_n);
    return kinds;
}

void elements_free(struct elements *list, int n)
{
    for (int i = 0; i < n; i++) gmshFree(list[i].node);
}

int elements_straighten(struct elements *list, int n)
{
    static const int first[4][9] = {{0}, {[2] = 1}, {[3] = 2, [4] = 3}, {[4] = 4, [5] = 7, [6] = 6, [8] = 5}};
    int highest = 0;
    for (int i = 0; i < n; i++) {
        struct elements *l = &list[i];
        char *name = NULL;
        double *corner = NULL;
        int dim = 0, order = 0, nodes, corners = 0, error;
        size_t n_corner = 0;
        gmshModelMeshGetElementProperties(l->type, &name, &dim, &order, &nodes, &corner, &n_corner, &corners, &error);
        gmshFree(name), gmshFree(corner);
        if (error || dim < 1 || dim > 3 || corners > 8 || !first[dim][corners]) continue;
        if (order > highest) highest = order;
        if (order < 2) continue;
        for (size_t k = 0; k < l->n; k++)
            memmove(l->node + k * (size_t)corners, l->node + k * (size_t)l->n_nodes,
                    (size_t)corners * sizeof *l->node);
        l->type = first[dim][corners], l->n_nodes = corners;
    }
    return highest;
}

const char *first_order(const struct import *im)
{
    static char text[PATH_LENGTH + 80];
    if (im->geo) return "Mesh.ElementOrder = 1;";
    snprintf(text, sizeof text, "mesh.curved = \"straight\" (poise mesh convert --straight) keeps only their corners");
    return text;
}

static bool refuse_type(const struct import *im, int tag, int type, struct error *e)
{
    char *name = NULL;
    double *corner = NULL;
    int dim = 0, order = 0, nodes = 0, first_order_nodes = 0, error;
    size_t n = 0;
    gmshModelMeshGetElementProperties(type, &name, &dim, &order, &nodes, &corner, &n, &first_order_nodes, &error);
    const char *what = error || !name ? "of unknown type" : name, *where = entity_word[im->m->dim];
    if (!error && order > 1)
        refuse(e, EXIT_INPUT, "%s: %s %d has elements of order %d (%s); Poise computes on straight-sided cells: %s",
               im->path, where, tag, order, what, first_order(im));
    else
        refuse(e, EXIT_INPUT, "%s: %s %d has elements that Poise does not support (\"%s\"); it supports %s: mesh the "
               "%s again with Mesh %d;", im->path, where, tag, what, im->m->dim == 2 ? "triangles and quadrilaterals"
               : "tetrahedra, hexahedra, prisms and pyramids", where, im->m->dim);
    gmshFree(name), gmshFree(corner);
    return false;
}

/* Appends the cells of one entity.  Their vertices are Gmsh's tags until all cells have been read. */
static bool append_cells(struct import *im, const struct entity *entity, struct error *e)
{
    struct mesh *m = im->m;
    struct elements list[16];
    int kinds = elements_read(list, m->dim, entity->tag);
    int order = im->straight ? elements_straighten(list, kinds) : 1;
    bool ok = true;
    if (order > im->order) im->order = order;
    for (int k = 0; ok && k < kinds; k++) {
        int type = list[k].type >= 2 && list[k].type <= 7 ? type_of[list[k].type] : 0, w = list[k].n_nodes;
        if (!type) { ok = refuse_type(im, entity->tag, list[k].type, e); break; }
        if (list[k].n + (size_t)m->n_cells > 500000000) {
            ok = refuse(e, EXIT_INPUT, "%s: more than 500 million cells; Poise numbers them in 32 bits", im->path);
            break;
        }
        int64_t end = m->cell_start[m->n_cells];
        int32_t n = m->n_cells + (int32_t)list[k].n;
        RESIZE(m->cell_type, n), RESIZE(m->cell_region, n), RESIZE(m->cell_start, n + 1);
        RESIZE(m->cell_vertex, end + (int64_t)list[k].n * w);
        for (size_t i = 0; i < list[k].n * (size_t)w; i++) {
            size_t node = list[k].node[i];
            m->cell_vertex[end + (int64_t)i] = node < INT32_MAX ? (int32_t)node : -1;
        }
        for (int32_t c = m->n_cells; c < n; c++)
            m->cell_type[c] = (uint8_t)type, m->cell_region[c] = entity->group,
            m->cell_start[c + 1] = m->cell_start[c] + w;
        m->n_cells = n;
    }
    elements_free(list, kinds);
    return ok;
}

/* Copies the vertices that cells use, in Gmsh's order; im->vertex maps Gmsh's tags to them. */
static bool take_vertices(struct import *im, struct error *e)
{
    enum { MISSING = 0, UNUSED = -1, USED = -2 };                /* used ones then get their numbers, counted from 1 */
    struct mesh *m = im->m;
    size_t *tag = NULL, n = 0, n_coordinates = 0, n_parameters = 0;
    double *x = NULL, *parameter = NULL;
    int error;
    bool ok = true;
    gmshModelMeshGetNodes(&tag, &n, &x, &n_coordinates, &parameter, &n_parameters, -1, -1, 0, 0, &error);
    for (size_t i = 0; i < n; i++) im->n_tags = tag[i] >= im->n_tags ? tag[i] + 1 : im->n_tags;
    if (im->n_tags > INT32_MAX)
        return refuse(e, EXIT_INPUT, "%s: it numbers vertices up to %zu; at most %d can be read: Mesh.Renumber = 1; in "
                      "Gmsh", im->path, im->n_tags - 1, INT32_MAX - 1);
    NEW(im->vertex, im->n_tags);
    for (size_t i = 0; i < n; i++) im->vertex[tag[i]] = UNUSED;
    for (int64_t k = 0; ok && k < m->cell_start[m->n_cells]; k++) {
        int32_t t = m->cell_vertex[k];
        ok = t >= 0 && (size_t)t < im->n_tags && im->vertex[t] != MISSING;
        if (ok) im->vertex[t] = USED;
    }
    if (!ok)
        refuse(e, EXIT_INPUT, "%s: a cell has a vertex that is not in the file: it is damaged; create it again",
               im->path);
    NEW(m->vertex, 3 * n);
    for (size_t i = 0; ok && i < n; i++) {
        int32_t *v = &im->vertex[tag[i]];
        if (*v != USED) continue;
        memcpy(m->vertex + 3 * (int64_t)m->n_vertices, x + 3 * i, 3 * sizeof *x);
        *v = ++m->n_vertices;
    }
    for (size_t t = 0; t < im->n_tags; t++) im->vertex[t]--;
    for (int64_t k = 0; ok && k < m->cell_start[m->n_cells]; k++) m->cell_vertex[k] = im->vertex[m->cell_vertex[k]];
    gmshFree(tag), gmshFree(x), gmshFree(parameter);
    return ok;
}

/* Notes vertices that no cell uses.  Those that Gmsh keeps at points of the geometry (centres of arcs) are expected. */
static void note_strays(const struct import *im)
{
    int *pair = NULL, error;
    size_t n = 0, strays = 0;
    char first[200] = "";
    gmshModelGetEntities(&pair, &n, -1, &error);
    for (size_t k = 0; k < n; k += 2) {
        size_t *tag = NULL, n_tags = 0, n_coordinates = 0, n_parameters = 0;
        double *x = NULL, *parameter = NULL;
        if (pair[k] == 0) continue;
        gmshModelMeshGetNodes(&tag, &n_tags, &x, &n_coordinates, &parameter, &n_parameters, pair[k], pair[k + 1], 0, 0,
                              &error);
        for (size_t i = 0; i < n_tags; i++)
            if (import_vertex(im, tag[i]) < 0 && strays++ == 0)
                snprintf(first, sizeof first, "(%.6g, %.6g, %.6g) on %s %d", x[3 * i], x[3 * i + 1], x[3 * i + 2],
                         entity_word[pair[k]], pair[k + 1]);
        gmshFree(tag), gmshFree(x), gmshFree(parameter);
    }
    gmshFree(pair);
    if (strays && im->order < 2)
        note("%zu vertices of %s belong to no cell and were removed, the first at %s (to avoid them, remove the entity "
             "that they are on from the .geo, or embed it: Curve{1} In Surface{1};)", strays, im->path, first);
}

/* A 2-D mesh is in a plane z = const; Poise moves it to z = 0. */
static bool flatten(struct mesh *m, const char *path, struct error *e)
{
    double low[3], high[3], size = 0;
    for (int k = 0; k < 3; k++) low[k] = high[k] = m->vertex[k];
    for (int64_t i = 0; i < 3 * (int64_t)m->n_vertices; i++)
        low[i % 3] = fmin(low[i % 3], m->vertex[i]), high[i % 3] = fmax(high[i % 3], m->vertex[i]);
    for (int k = 0; k < 3; k++) size = fmax(size, high[k] - low[k]);
    double flat = 1e-8 * size;
    if (high[2] - low[2] > flat) {
        const char *turn = high[0] - low[0] <= flat ? "Rotate {{0, 1, 0}, {0, 0, 0}, Pi/2} { Surface{:}; }"
                         : high[1] - low[1] <= flat ? "Rotate {{1, 0, 0}, {0, 0, 0}, -Pi/2} { Surface{:}; }" : NULL;
        return refuse(e, EXIT_INPUT, "%s: its surfaces are not in a plane z = const (z goes from %.6g to %.6g), as a "
                      "2-D mesh must be: %s", path, low[2], high[2], turn ? turn :
                      "give all points one z, or, for a 3-D computation, close the surfaces to a volume: Surface "
                      "Loop(1) = {1, 2, ...}; Volume(1) = {1}; Physical Volume(\"fluid\") = {1};");
    }
    for (int64_t i = 0; i < m->n_vertices; i++) m->vertex[3 * i + 2] = 0;
    return true;
}

/* Reverses the cell's orientation by numbering its base (and its lid) the other way. */
static void turn_round(struct mesh *m, int32_t cell)
{
    static const int8_t pair[10][4] = {
        [CELL_TRIANGLE] = {1, 2}, [CELL_QUADRILATERAL] = {1, 3}, [CELL_TETRAHEDRON] = {1, 2},
        [CELL_PYRAMID] = {1, 3}, [CELL_PRISM] = {1, 2, 4, 5}, [CELL_HEXAHEDRON] = {1, 3, 5, 7}};
    int32_t *v = m->cell_vertex + m->cell_start[cell];
    const int8_t *p = pair[m->cell_type[cell]];
    for (int k = 0; k < 4 && p[k]; k += 2) { int32_t t = v[p[k]]; v[p[k]] = v[p[k + 1]], v[p[k + 1]] = t; }
}

/* Gives the cells first .. last-1, all of one entity, positive orientation.  An entity with volumes of both signs is
 * folded, and rejected. */
static bool orient(struct import *im, int tag, int32_t first, int32_t last, struct error *e)
{
    struct mesh *m = im->m;
    int32_t count[2] = {0, 0}, example[2] = {0, 0};              /* positive, negative */
    char text[160];
    for (int32_t c = first; c < last; c++) {
        double extent, volume = cell_signed_volume(m, c, &extent);
        if (!(fabs(volume) > 1e-12 * pow(extent, m->dim)))
            return refuse(e, EXIT_INPUT, "%s: %s of %s %d has no %s: two of its vertices or edges coincide; look "
                          "for points, curves or transfinite divisions that do (Coherence; joins equal ones)", im->path,
                          cell_text(m, c, text), entity_word[m->dim], tag, m->dim == 2 ? "area" : "volume");
        if (count[volume < 0]++ == 0) example[volume < 0] = c;
    }
    if (count[0] && count[1])
        return refuse(e, EXIT_INPUT, "%s: %s %d is folded: %d of its %d cells are inside out, for example %s; mesh it "
                      "finer (Mesh.MeshSizeMax), with another Mesh.Algorithm%s, or correct the order of its corners in "
                      "Transfinite %s",
                      im->path, entity_word[m->dim], tag, count[1] < count[0] ? count[1] : count[0], last - first,
                      cell_text(m, example[count[1] < count[0]], text), m->dim == 3 ? "3D" : "", group_word[m->dim]);
    if (!count[1]) return true;
    for (int32_t c = first; c < last; c++) turn_round(m, c);
    if (m->dim == 2)
        note("surface %d of %s has its normal along -z; its cells were reversed (in the .geo: ReverseMesh "
             "Surface{%d};, or no minus sign in its Physical Surface)", tag, im->path, tag);
    else note("the cells of volume %d of %s are numbered inside out and were reversed (Gmsh corrects it too: mesh the "
              ".geo anew)", tag, im->path);
    return true;
}

/* A region may have entities without cells (Gmsh keeps some in a partitioned mesh), but at least one must have
 * cells. */
static bool check_regions(const struct mesh *m, const char *path, struct error *e)
{
    bool *full, ok = true;
    NEW(full, m->n_regions);
    for (int32_t c = 0; c < m->n_cells; c++) full[m->cell_region[c]] = true;
    for (int r = 0; ok && r < m->n_regions; r++)
        if (!full[r])
            ok = refuse(e, EXIT_INPUT, "%s: the group \"%s\" has no cells: Gmsh could not mesh its %ss; open the file "
                        "in Gmsh to see why, or remove the line Physical %s(\"%s\") = {...};", path, m->region[r],
                        entity_word[m->dim], group_word[m->dim], m->region[r]);
    free(full);
    return ok;
}

bool import_cells(struct import *im, struct error *e)
{
    struct mesh *m = im->m;
    int32_t *first;
    NEW(m->cell_start, 1), NEW(m->cell_type, 1), NEW(m->cell_region, 1), NEW(m->cell_vertex, 1);
    NEW(first, im->n_cell_entities + 1);
    bool ok = true;
    for (int i = 0; ok && i < im->n_cell_entities; i++) {
        const struct entity *entity = &im->cell_entity[i];
        first[i] = m->n_cells;
        if (entity->group >= 0) ok = append_cells(im, entity, e);
        first[i + 1] = m->n_cells;
    }
    ok = ok && check_regions(m, im->path, e);
    if (im->order > 1)
        note("%s has elements of order %d; they are replaced by straight-sided cells with the same corners",
             im->path, im->order);
    ok = ok && take_vertices(im, e);
    if (ok) note_strays(im);
    ok = ok && mesh_check_coordinates(m, e) && (m->dim == 3 || flatten(m, im->path, e));
    for (int i = 0; ok && i < im->n_cell_entities; i++)
        ok = orient(im, im->cell_entity[i].tag, first[i], first[i + 1], e);
    free(first);
    return ok;
}

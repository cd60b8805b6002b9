/* Converts elements and names of other programs' meshes to an unfinished struct mesh (foreign.h). */
#include "mesh/foreign.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "mesh/cell_shape.h"
#include "mesh/cells.h"

/* By VTK's number.  cell: Poise's type; 0: unsupported, named in the message.  Corners come first in elements of higher
 * order. */
static const struct kind { const char *name; int dim, corners, nodes, cell; } kinds[] = {
    [1] = {"vertices", 0, 0, 1, 0}, [2] = {"groups of vertices", 0, 0, 0, 0},
    [VTK_LINE] = {"lines", 1, 2, 2, 0}, [4] = {"polygonal lines", 1, 0, 0, 0},
    [VTK_TRIANGLE] = {"triangles", 2, 3, 3, CELL_TRIANGLE}, [6] = {"strips of triangles", 2, 0, 0, 0},
    [VTK_POLYGON] = {"polygons", 2, 0, 0, 0}, [8] = {"pixels", 2, 4, 4, CELL_QUADRILATERAL},
    [VTK_QUAD] = {"quadrilaterals", 2, 4, 4, CELL_QUADRILATERAL},
    [VTK_TETRA] = {"tetrahedra", 3, 4, 4, CELL_TETRAHEDRON}, [11] = {"voxels", 3, 8, 8, CELL_HEXAHEDRON},
    [VTK_HEXAHEDRON] = {"hexahedra", 3, 8, 8, CELL_HEXAHEDRON}, [VTK_WEDGE] = {"prisms", 3, 6, 6, CELL_PRISM},
    [VTK_PYRAMID] = {"pyramids", 3, 5, 5, CELL_PYRAMID}, [15] = {"pentagonal prisms", 3, 0, 10, 0},
    [16] = {"hexagonal prisms", 3, 0, 12, 0}, [VTK_POLYHEDRON] = {"polyhedra", 3, 0, 0, 0},
    [21] = {"lines of second order", 1, 2, 3, 0}, [22] = {"triangles of second order", 2, 3, 6, CELL_TRIANGLE},
    [23] = {"quadrilaterals of second order", 2, 4, 8, CELL_QUADRILATERAL},
    [24] = {"tetrahedra of second order", 3, 4, 10, CELL_TETRAHEDRON},
    [25] = {"hexahedra of second order", 3, 8, 20, CELL_HEXAHEDRON},
    [26] = {"prisms of second order", 3, 6, 15, CELL_PRISM},
    [27] = {"pyramids of second order", 3, 5, 13, CELL_PYRAMID},
    [28] = {"quadrilaterals of second order", 2, 4, 9, CELL_QUADRILATERAL},
    [29] = {"hexahedra of second order", 3, 8, 27, CELL_HEXAHEDRON},
    [32] = {"prisms of second order", 3, 6, 18, CELL_PRISM},
    [33] = {"hexahedra of second order", 3, 8, 24, CELL_HEXAHEDRON},
    [34] = {"triangles of second order", 2, 3, 7, CELL_TRIANGLE}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

int foreign_nodes(int type) { return type > 0 && type < N_KINDS && kinds[type].name ? kinds[type].nodes : -1; }
int foreign_dimension(int type) { return kinds[type].dim; }
static bool is_curved(int type) { return kinds[type].nodes > kinds[type].corners && kinds[type].corners; }

double *foreign_vertices(struct foreign *f, int64_t n)
{
    if (n < 1 || n > INT32_MAX / 4)
        return refuse(f->e, EXIT_INPUT, "%s: it has %lld vertices; expected 1 to %d", f->m->source, (long long)n,
                      INT32_MAX / 4), NULL;
    free(f->m->vertex);
    NEW(f->m->vertex, 3 * n);
    f->m->n_vertices = (int32_t)n;
    return f->m->vertex;
}

int foreign_name(struct foreign *f, const char *name)
{
    char good[NAME_LENGTH] = "";
    for (int i = 0; i < f->n_names; i++) if (!strcmp(f->given[i], name)) return i;
    size_t n = strlen(name), from = isalpha((unsigned char)*name) ? 0 : 1;
    if (!n || n + from >= NAME_LENGTH)
        return refuse(f->e, EXIT_INPUT, "%s: the name of the boundary \"%.80s\" has %zu letters; expected 1 to %d",
                      f->m->source, name, n, NAME_LENGTH - 2), -1;
    if (from) good[0] = 'b';
    for (size_t i = 0; i < n; i++)
        good[from + i] = isalnum((unsigned char)name[i]) || strchr("_-", name[i]) ? name[i] : '_';
    for (int i = 0; i < f->n_names; i++)
        if (!strcmp(f->names[i], good))
            return refuse(f->e, EXIT_INPUT, "%s: the boundaries \"%s\" and \"%s\" would both be called \"%s\", as a "
                          "case file can write it; rename one of them", f->m->source, f->given[i], name, good), -1;
    if (f->n_names == MOST_NAMES)
        return refuse(f->e, EXIT_INPUT, "%s: it has more than %d different boundaries and regions", f->m->source,
                      MOST_NAMES), -1;
    if (strcmp(good, name))
        log_print("note: the boundary \"%s\" of %s is called \"%s\" here, as a case file can write it\n", name,
                  f->m->source, good);
    RESIZE(f->names, f->n_names + 1), RESIZE(f->given, f->n_names + 1), RESIZE(f->partner, f->n_names + 1);
    memset(f->partner[f->n_names], 0, NAME_LENGTH);
    snprintf(f->given[f->n_names], NAME_LENGTH, "%s", name);
    memcpy(f->names[f->n_names], good, NAME_LENGTH);
    return f->n_names++;
}

void foreign_element(struct foreign *f, int type, const int64_t *vertex, int n, int name)
{
    static const int8_t voxel[8] = {0, 1, 3, 2, 4, 5, 7, 6};
    if (type == VTK_POLYGON && (n == 3 || n == 4)) type = n == 3 ? VTK_TRIANGLE : VTK_QUAD;
    if (f->n == f->room) {
        f->room = 2 * f->room + 1024;
        RESIZE(f->type, f->room), RESIZE(f->end, f->room), RESIZE(f->name, f->room);
    }
    while (f->n_numbers + n > f->number_room) {
        f->number_room = 2 * f->number_room + 4096;
        RESIZE(f->number, f->number_room);
    }
    const bool turned = type == 8 || type == 11;
    for (int i = 0; i < n; i++) {
        int64_t v = vertex[turned ? voxel[i] : i];
        f->number[f->n_numbers++] = v >= 0 && v < INT32_MAX ? (int32_t)v : -1;
    }
    f->type[f->n] = (uint8_t)type, f->end[f->n] = f->n_numbers, f->name[f->n++] = name;
}

/* ---------------------------------------------------------------- element types */
/* "12 polyhedra, 3 pentagonal prisms": the kinds, of this dimension, for which odd(type) is true; false: none. */
static bool list_kinds(const struct foreign *f, int dim, bool (*odd)(int type), char *text, size_t room)
{
    int64_t count[N_KINDS] = {0};
    size_t used = 0;
    for (int64_t i = 0; i < f->n; i++) count[f->type[i]]++;
    text[0] = 0;
    for (int k = 1; k < N_KINDS; k++)
        if (count[k] && odd(k) && kinds[k].dim >= dim - 1 && used < room)
            used += (size_t)snprintf(text + used, room - used, "%s%lld %s", used ? ", " : "", (long long)count[k],
                                     kinds[k].name);
    return used > 0;
}

static bool has_no_cell(int type) { return !kinds[type].corners; }

static bool check_kinds(struct foreign *f, int dim)
{
    char list[500];
    if (dim < 2)
        return refuse(f->e, EXIT_INPUT, "%s: has no cells, neither 2-D nor 3-D", f->m->source);
    if (list_kinds(f, dim, has_no_cell, list, sizeof list))
        return refuse(f->e, EXIT_INPUT, "%s: has %s, which Poise does not support: expected %s; have the program that "
                      "made the mesh split them", f->m->source, list, dim == 2 ? "triangles and quadrilaterals" :
                      "tetrahedra, pyramids, prisms and hexahedra");
    if (!list_kinds(f, dim, is_curved, list, sizeof list)) return true;
    if (f->set->curved == CURVED_REFUSE)
        return refuse(f->e, EXIT_INPUT, "%s: has %s, but Poise computes on straight-sided cells: mesh.curved = "
                      "\"straight\" (poise mesh convert --straight) keeps only their corners", f->m->source, list);
    f->strays_expected = true;
    log_print("note: %s of %s are replaced by straight-sided cells with the same corners\n", list, f->m->source);
    return true;
}

/* ---------------------------------------------------------------- cells, vertices, boundaries */
static void take_cells(struct foreign *f)
{
    struct mesh *m = f->m;
    int64_t length = 0;
    int *region, n_cells = 0;
    NEW(region, f->n_names + 1);
    for (int64_t i = 0; i < f->n; i++) {
        const struct kind *k = &kinds[f->type[i]];
        if (k->dim == m->dim) n_cells++, length += k->corners, region[f->name[i] + 1] = 1;
    }
    NEW(m->cell_type, n_cells), NEW(m->cell_start, n_cells + 1), NEW(m->cell_vertex, length);
    NEW(m->cell_region, n_cells);
    for (int r = 0; r <= f->n_names; r++) {
        if (!region[r]) continue;
        RESIZE(m->region, m->n_regions + 1);
        memset(m->region[m->n_regions], 0, NAME_LENGTH);
        strcpy(m->region[m->n_regions], r ? f->names[r - 1] : "fluid");
        region[r] = m->n_regions++;
    }
    for (int64_t i = 0; i < f->n; i++) {
        const struct kind *k = &kinds[f->type[i]];
        const int32_t *v = f->number + (i ? f->end[i - 1] : 0);
        if (k->dim == m->dim) {
            int32_t c = m->n_cells++;
            m->cell_type[c] = (uint8_t)k->cell, m->cell_region[c] = region[f->name[i] + 1];
            m->cell_start[c + 1] = m->cell_start[c] + k->corners;
            memcpy(m->cell_vertex + m->cell_start[c], v, (size_t)k->corners * sizeof *v);
        } else if (k->dim == m->dim - 1 && f->name[i] != NAMELESS) mesh_mark(m, f->name[i], v, k->corners);
    }
    free(region);
}

/* Creates patches from the boundary names, in the order of the file. */
static void take_patches(struct foreign *f)
{
    struct mesh *m = f->m;
    int *place;
    NEW(place, f->n_names);
    for (int32_t k = 0; k < m->n_marked; k++) place[m->marked_patch[k]] = 1;
    for (int i = 0; i < f->n_names; i++) {
        if (!place[i]) continue;
        RESIZE(m->patch, m->n_patches + 1);
        m->patch[m->n_patches] = (struct patch){.count = 0};
        strcpy(m->patch[m->n_patches].name, f->names[i]), strcpy(m->patch[m->n_patches].partner, f->partner[i]);
        place[i] = m->n_patches++;
    }
    for (int32_t k = 0; k < m->n_marked; k++) m->marked_patch[k] = place[m->marked_patch[k]];
    free(place);
}

static bool check_numbers(struct foreign *f)
{
    for (int64_t i = 0, k = 0; i < f->n; i++)
        for (; k < f->end[i]; k++)
            if (f->number[k] < 0 || f->number[k] >= f->m->n_vertices)
                return refuse(f->e, EXIT_INPUT, "%s: element %lld (%s) names a vertex that does not exist: %d, of %d; "
                              "both are counted from 0", f->m->source, (long long)i, kinds[f->type[i]].name,
                              f->number[k], f->m->n_vertices);
    return true;
}

/* Removes vertices that belong to no cell. */
static bool drop_strays(struct foreign *f)
{
    struct mesh *m = f->m;
    int32_t *place, n = 0;
    NEW(place, m->n_vertices);
    for (int64_t k = 0; k < m->cell_start[m->n_cells]; k++) place[m->cell_vertex[k]] = 1;
    for (int32_t v = 0; v < m->n_vertices; v++) {
        if (place[v]) memmove(m->vertex + 3 * (int64_t)n, m->vertex + 3 * (int64_t)v, 3 * sizeof *m->vertex);
        place[v] = place[v] ? n++ : -1;
    }
    if (n < m->n_vertices && !f->strays_expected)
        log_print("note: %d vertices of %s belong to no cell and were removed\n", m->n_vertices - n, m->source);
    m->n_vertices = n;
    for (int64_t k = 0; k < m->cell_start[m->n_cells]; k++) m->cell_vertex[k] = place[m->cell_vertex[k]];
    int32_t alien = -1;
    for (int32_t i = 0; i < m->n_marked && alien < 0; i++)
        for (int64_t k = m->marked_start[i]; k < m->marked_start[i + 1]; k++)
            if ((m->marked_vertex[k] = place[m->marked_vertex[k]]) < 0) alien = i;
    free(place);
    return alien < 0 || refuse(f->e, EXIT_INPUT, "%s: the boundary \"%s\" has a face with a vertex that is in no cell",
                               m->source, f->names[m->marked_patch[alien]]);
}

/* ---------------------------------------------------------------- orientation */
/* Programs disagree about the vertex order of some types (VTK's wedge); if all cells of a type are inside out, they are
 * reversed. */
static void orient(struct mesh *m)
{
    static const int8_t swap[10][4] = {[CELL_TETRAHEDRON] = {1, 2}, [CELL_PYRAMID] = {1, 3},
                                       [CELL_PRISM] = {1, 2, 4, 5}, [CELL_HEXAHEDRON] = {1, 3, 5, 7}};
    bool right[10] = {false};
    double unused;
    for (int32_t c = 0; c < m->n_cells; c++)
        right[m->cell_type[c]] = right[m->cell_type[c]] || !(cell_signed_volume(m, c, &unused) < 0);
    for (int32_t c = 0; c < m->n_cells; c++) {
        int32_t *v = m->cell_vertex + m->cell_start[c];
        const int8_t *p = swap[m->cell_type[c]];
        for (int k = 0; k < 4 && p[k] && !right[m->cell_type[c]]; k += 2) {
            int32_t t = v[p[k]];
            v[p[k]] = v[p[k + 1]], v[p[k + 1]] = t;
        }
    }
}

/* A plane z = const is moved to z = 0; mesh_complete() rejects any other plane. */
static void flatten(struct mesh *m)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; i < 3 * (int64_t)m->n_vertices; i++)
        low[i % 3] = fmin(low[i % 3], m->vertex[i]), high[i % 3] = fmax(high[i % 3], m->vertex[i]);
    if (!(high[2] - low[2] <= 1e-9 * fmax(high[0] - low[0], high[1] - low[1]))) return;
    for (int64_t v = 0; v < m->n_vertices; v++) m->vertex[3 * v + 2] = 0;
}

bool foreign_finish(struct foreign *f)
{
    struct mesh *m = f->m;
    int dim = 0;
    for (int64_t i = 0; i < f->n; i++) if (kinds[f->type[i]].dim > dim) dim = kinds[f->type[i]].dim;
    if (!check_kinds(f, dim)) return false;
    if (f->n > INT32_MAX / 8)
        return refuse(f->e, EXIT_INPUT, "%s: it has %lld elements; at most %d are possible", m->source, (long long)f->n,
                      INT32_MAX / 8);
    if (!check_numbers(f)) return false;
    m->dim = dim;
    take_cells(f);
    if (!drop_strays(f)) return false;
    take_patches(f);
    if (!mesh_check_coordinates(m, f->e)) return false;
    if (dim == 3) orient(m);
    else flatten(m);
    return true;
}

void foreign_free(struct foreign *f)
{
    free(f->type), free(f->end), free(f->number), free(f->name), free(f->names), free(f->given), free(f->partner);
}

/* Completes a mesh: names, faces, cell order, geometry; lookups; frees it (mesh.h). */
#include "mesh/mesh.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/kernel.h"
#include "gpu/ranks.h"
#include "mesh/cells.h"
#include "mesh/part.h"
#include "mesh/shared.h"

void cell_middle(const struct mesh *m, int32_t cell, double middle[3])
{
    int64_t first = m->cell_start[cell], last = m->cell_start[cell + 1];
    middle[0] = middle[1] = middle[2] = 0;
    for (int64_t k = first; k < last; k++)
        for (int i = 0; i < 3; i++) middle[i] += m->vertex[3 * (int64_t)m->cell_vertex[k] + i];
    for (int i = 0; i < 3; i++) middle[i] /= (double)(last - first);
}

const char *point_text(const struct mesh *m, const double x[3], char text[100])
{
    if (m->dim == 2) snprintf(text, 100, "(%.6g, %.6g)", x[0], x[1]);
    else snprintf(text, 100, "(%.6g, %.6g, %.6g)", x[0], x[1], x[2]);
    return text;
}

const char *cell_text(const struct mesh *m, int32_t cell, char text[160])
{
    double middle[3];
    char at[100];
    cell_middle(m, cell, middle);
    snprintf(text, 160, "cell %d (%s) at %s", m->cell_original ? m->cell_original[cell] : cell,
             cell_name(m, cell), point_text(m, middle, at));
    return text;
}

/* Capacity of arrays with n elements that grow one by one. */
static int64_t room_for(int64_t n)
{
    int64_t room = 64;
    while (room < n) room *= 2;
    return room;
}

void mesh_mark(struct mesh *m, int32_t patch, const int32_t *vertex, int n)
{
    const int32_t k = m->n_marked++;
    const int64_t at = k ? m->marked_start[k] : 0;
    if (!k || room_for(k + 2) > room_for(k + 1))
        RESIZE(m->marked_start, room_for(k + 2)), RESIZE(m->marked_patch, room_for(k + 2));
    if (!k || room_for(at + n) > room_for(at)) RESIZE(m->marked_vertex, room_for(at + n));
    memcpy(m->marked_vertex + at, vertex, (size_t)n * sizeof *vertex);
    m->marked_start[k] = at, m->marked_start[k + 1] = at + n, m->marked_patch[k] = patch;
}

/* Puts the cells in the given order. */
static void permute_cells(struct mesh *m, const int32_t *order)
{
    int32_t n = m->n_cells, *vertex, *region, *original;
    int64_t *start;
    uint8_t *type;
    NEW(start, n + 1), NEW(type, n), NEW(region, n), NEW(original, n), NEW(vertex, m->cell_start[n]);
    for (int32_t k = 0; k < n; k++) start[k + 1] = start[k] + m->cell_start[order[k] + 1] - m->cell_start[order[k]];
    #pragma omp parallel for schedule(static)
    for (int32_t k = 0; k < n; k++) {
        int32_t c = order[k];
        type[k] = m->cell_type[c], region[k] = m->cell_region[c], original[k] = m->cell_original[c];
        memcpy(vertex + start[k], m->cell_vertex + m->cell_start[c], (size_t)(start[k + 1] - start[k]) * 4);
    }
    free(m->cell_start), free(m->cell_type), free(m->cell_region), free(m->cell_original), free(m->cell_vertex);
    m->cell_start = start, m->cell_type = type, m->cell_region = region, m->cell_original = original;
    m->cell_vertex = vertex;
}

/* Fluid beside solids. */
static bool has_both(const struct mesh *m)
{
    bool fluid = false, solid = false;
    for (int32_t c = 0; c < m->n_cells && m->solid; c++) *(m->solid[m->cell_region[c]] ? &solid : &fluid) = true;
    return fluid && solid;
}

/* Groups the cells by METIS's parts, one for each rank, keeping their order within a part.  Ranks have whole slices, so
 * a part begins at the nearest slice: fewer than half a slice of cells is on another rank. */
static bool order_by_parts(struct mesh *m, int32_t *order, const int *periodic, int n_periodic, struct error *e)
{
    int32_t n = m->n_cells, n_parts = ranks_count(), *part, *before, *adjacent, slices = (n + SLICE - 1) / SLICE;
    int64_t *start, *first;
    if (n_parts == 1 || slices < n_parts) return true;
    if (has_both(m)) {
        snprintf(m->note + strlen(m->note), sizeof m->note - strlen(m->note), "%sparts along the order of the cells: "
                 "METIS would mix fluid and solids, which are divided separately", *m->note ? "; " : "");
        return true;
    }
    if (!topology_build(m, periodic, n_periodic, e)) return false;
    mesh_adjacency(m, &start, &adjacent, NULL);
    topology_free(m);
    NEW(part, n), NEW(before, n), NEW(first, n_parts + 1), NEW(m->cut, n_parts + 1);
    bool ok = order_parts(part, n_parts, start, adjacent, n, "mesh.parts \"metis\"", "use \"hilbert\"", e);
    for (int32_t c = 0; c < n; c++) first[part[c] + 1]++;
    for (int32_t p = 0; p < n_parts; p++) first[p + 1] += first[p];
    for (int32_t p = 1; p < n_parts; p++) {
        int32_t at = (int32_t)((first[p] + SLICE / 2) / SLICE), least = m->cut[p - 1] + 1, most = slices - n_parts + p;
        m->cut[p] = at < least ? least : at > most ? most : at;
    }
    m->cut[n_parts] = slices;
    memcpy(before, order, (size_t)n * sizeof *order);
    for (int32_t k = 0; k < n; k++) order[first[part[before[k]]]++] = before[k];
    snprintf(m->note + strlen(m->note), sizeof m->note - strlen(m->note), "%sparts by METIS: results on these "
             "%d ranks agree with other numbers of ranks only within tolerances", *m->note ? "; " : "", n_parts);
    free(start), free(adjacent), free(part), free(before), free(first);
    return ok;
}

/* Both in the given order. */
static void put_solids_last(const struct mesh *m, int32_t *order)
{
    int32_t *before, n = 0;
    NEW(before, m->n_cells);
    memcpy(before, order, (size_t)m->n_cells * sizeof *order);
    for (int solid = 0; solid < 2; solid++)
        for (int32_t k = 0; k < m->n_cells; k++)
            if (m->solid[m->cell_region[before[k]]] == solid) order[n++] = before[k];
    free(before);
}

int mesh_cells_together(const struct mesh *m)
{
    for (int32_t c = 0; c < m->n_cells; c++) if (m->dim == 2 || !mesh_cell_is_simplex(m, c)) return 1;
    return TETRAHEDRA_OF_CUBE;
}

/* Hilbert needs only the cells' middles; the others need the neighbours, so the faces are found twice. */
static bool order_cells(struct mesh *m, enum ordering ordering, const int *periodic, int n_periodic, struct error *e)
{
    int32_t n = m->n_cells, *order;
    bool ok = true;
    NEW(order, n);
    if (ordering == ORDERING_HILBERT) {
        double *centre;
        NEW(centre, (int64_t)m->dim * n);
        #pragma omp parallel for schedule(static)
        for (int32_t c = 0; c < n; c++) {
            double middle[3];
            cell_middle(m, c, middle);
            for (int k = 0; k < m->dim; k++) centre[(int64_t)k * n + c] = middle[k];
        }
        order_hilbert(order, centre, m->dim, n, mesh_cells_together(m));
        free(centre);
    } else if (ordering != ORDERING_NONE && (ok = topology_build(m, periodic, n_periodic, e))) {
        int64_t *start;
        int32_t *adjacent;
        mesh_adjacency(m, &start, &adjacent, NULL);
        topology_free(m);
        if (ordering == ORDERING_METIS) ok = order_metis(order, start, adjacent, n, 512, e);
        else order_cuthill_mckee(order, start, adjacent, n);
        free(start), free(adjacent);
    }
    if (ordering == ORDERING_NONE) for (int32_t c = 0; c < n; c++) order[c] = c;
    ok = ok && (m->parts != PARTS_BY_METIS || order_by_parts(m, order, periodic, n_periodic, e));
    if (ok && m->solid) put_solids_last(m, order);
    if (ok) permute_cells(m, order);
    free(order);
    return ok;
}

/* Names are printed, and those of boundaries must be writable in a case file; the source is printed only. */
static bool check_names(struct mesh *m, struct error *e)
{
    text_make_printable(m->source);
    for (int i = 0; i < m->n_patches + m->n_regions; i++) {
        const char *name = i < m->n_patches ? m->patch[i].name : m->region[i - m->n_patches];
        char printable[NAME_LENGTH];
        snprintf(printable, sizeof printable, "%s", name);
        text_make_printable(printable);
        for (char *p = printable; (p = strpbrk(p, "\n\t"));) *p = '?';       /* allowed in messages, but not in names */
        if (strcmp(name, printable))
            return refuse(e, EXIT_INPUT, "%s: the name of a %s, \"%s\", has unprintable characters; rename it",
                          m->source, i < m->n_patches ? "boundary" : "region", printable);
    }
    return true;
}

static void count_components(struct mesh *m)
{
    int32_t *component;
    size_t used = strlen(m->note);
    NEW(component, m->n_cells);
    m->n_components = mesh_components(m, component);
    free(component);
    if (m->n_components > 1)
        snprintf(m->note + used, sizeof m->note - used, "%sits cells are in %d separate parts, which no face joins",
                 used ? "; " : "", m->n_components);
}

bool mesh_complete(struct mesh *m, enum ordering ordering, const int *periodic, int n_periodic, struct error *e)
{
    if (!check_names(m, e) || !mesh_check_cells(m, e)) return false;
    m->n_all = m->n_cells;
    NEW(m->cell_original, m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) m->cell_original[c] = c;
    const bool in_order = ordering == ORDERING_NONE && m->parts != PARTS_BY_METIS && !m->solid;
    if (!in_order && !order_cells(m, ordering, periodic, n_periodic, e)) return false;
    if (!topology_build(m, periodic, n_periodic, e)) return false;
    for (m->n_fluid = 0; m->n_fluid < m->n_cells; m->n_fluid++)
        if (m->solid && m->solid[m->cell_region[m->n_fluid]]) break;
    for (int32_t f = 0; f < m->n_internal; f++) m->n_contacts += mesh_is_contact(m, f);
    count_components(m);
    return geometry_compute(m, e);
}

void mesh_adjacency(const struct mesh *m, int64_t **start, int32_t **column, int32_t **face)
{
    int64_t *end;
    NEW(*start, m->n_all + 1);
    for (int32_t f = 0; f < m->n_internal; f++) (*start)[m->face_owner[f] + 1]++, (*start)[m->face_neighbour[f] + 1]++;
    for (int32_t c = 0; c < m->n_all; c++) (*start)[c + 1] += (*start)[c];
    NEW(end, m->n_all);
    memcpy(end, *start, (size_t)m->n_all * sizeof *end);
    NEW(*column, 2 * (int64_t)m->n_internal);
    if (face) NEW(*face, 2 * (int64_t)m->n_internal);
    for (int32_t k = 0; k < m->n_internal; k++) {
        int32_t f = m->part ? m->part->order[k] : k, o = m->face_owner[f], n = m->face_neighbour[f];
        if (face) (*face)[end[o]] = f + 1, (*face)[end[n]] = -(f + 1);
        (*column)[end[o]++] = n, (*column)[end[n]++] = o;
    }
    free(end);
}

void mesh_cells_of_vertices(const struct mesh *m, int32_t n_cells, int64_t **start, int32_t **cell)
{
    const int64_t n = m->cell_start[n_cells];
    NEW(*start, m->n_vertices + (int64_t)2), NEW(*cell, n);
    for (int64_t i = 0; i < n; i++) (*start)[m->cell_vertex[i] + 2]++;
    for (int32_t v = 0; v < m->n_vertices; v++) (*start)[v + 2] += (*start)[v + 1];
    for (int32_t c = 0; c < n_cells; c++)
        for (int64_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++)
            (*cell)[(*start)[m->cell_vertex[i] + 1]++] = c;
}

double mesh_face_size(const struct mesh *m, int32_t f)
{
    double square = 0;
    for (int k = 0; k < m->dim; k++) square += face_vector(m->face_area, m, k, f) * face_vector(m->face_area, m, k, f);
    return sqrt(square);
}

void mesh_extent(const struct mesh *m, double *low, double *high)
{
    for (int k = 0; k < m->dim; k++) {
        low[k] = INFINITY, high[k] = -INFINITY;
        for (int32_t v = 0; v < m->n_vertices; v++) {
            low[k] = fmin(low[k], m->vertex[3 * (int64_t)v + k]);
            high[k] = fmax(high[k], m->vertex[3 * (int64_t)v + k]);
        }
    }
}

bool mesh_is_contact(const struct mesh *m, int32_t f)
{
    if (!m->solid) return false;
    int32_t p = m->cell_region[m->face_owner[f]], n = m->cell_region[m->face_neighbour[f]];
    return p != n && (m->solid[p] || m->solid[n]);
}

int mesh_region(const struct mesh *m, const char *name)
{
    for (int i = 0; i < m->n_regions; i++) if (!strcmp(m->region[i], name)) return i;
    return -1;
}

void mesh_free(struct mesh *m)
{
    if (m->map) {
        mesh_shared_free(m);
        *m = (struct mesh){0};
        return;
    }
    topology_free(m);
    free(m->vertex), free(m->cell_type), free(m->cell_start), free(m->cell_vertex), free(m->cell_region);
    free(m->region), free(m->patch), free(m->marked_start), free(m->marked_vertex), free(m->marked_patch);
    free(m->cell_original), free(m->cut), free(m->face_area), free(m->face_d), free(m->face_r), free(m->cell_centre);
    free(m->cell_volume), free(m->solid);
    if (m->part) free(m->part->copy), free(m->part->face), free(m->part->order), free(m->part->contact);
    free(m->part);
    *m = (struct mesh){0};
}

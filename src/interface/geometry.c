/* Uploads cell shapes, faces and vertex neighbours for cutting cells by planes (geometry.h). */
#include "interface/geometry.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "interface/near.h"
#include "mesh/part.h"
#include "mesh/rings.h"

static const void *upload(void *from, size_t bytes, const char *what)
{
    void *to = device_copy_of(from, bytes, what);
    free(from);
    return to;
}
#define COPY(array, n) device_copy_of((array), (size_t)(n) * sizeof *(array), #array)
#define UPLOAD(array, n) upload((array), (size_t)(n) * sizeof *(array), #array)      /* and frees the host array */

/* Do all cells fit into the kernels' arrays? */
static bool check_cells(const struct mesh *m, struct error *e)
{
    const struct mesh *w = mesh_whole(m);
    for (int32_t c = 0; c < m->n_all; c++) {
        const int32_t cell = mesh_cell_in_whole(m, c);
        if (cell < 0) continue;
        int64_t vertices = w->cell_start[cell + 1] - w->cell_start[cell], nodes = vertices + 1, simplices = 0, most = 0;
        const int64_t last = w->cell_face_start[cell + 1];
        for (int64_t k = w->cell_face_start[cell]; k < last; k++) {
            const int n = cell_ring(w, k).n;
            most = n > most ? n : most, nodes += n > 3, simplices += n > 3 ? n : 1;
        }
        if (most > MOST_CORNERS || nodes > CUT_NODES || simplices > CUT_SIMPLICES)
            return refuse(e, EXIT_INPUT, "%s: cell %d has %lld vertices and %lld faces of up to %lld corners, too many "
                          "for two fluids (at most those of a hexahedron); divide it", w->source,
                          w->cell_original[cell], (long long)vertices, (long long)(last - w->cell_face_start[cell]),
                          (long long)most);
    }
    return true;
}

enum { FORM_LENGTH = CUT_SIMPLICES * (MOST_CORNERS + 1) + 1 };

/* The form of a cell of the whole mesh, as in struct geometry; returns its length. */
static int form_of(const struct mesh *w, int32_t cell, int8_t form[FORM_LENGTH])
{
    const int32_t *vertex = w->cell_vertex + w->cell_start[cell];
    int n = 0;
    for (int64_t k = w->cell_face_start[cell]; k < w->cell_face_start[cell + 1]; k++) {
        const struct ring ring = cell_ring(w, k);
        form[n++] = (int8_t)ring.n;
        for (int i = 0; i < ring.n; i++, n++)
            for (form[n] = 0; vertex[form[n]] != ring_vertex(&ring, i);) form[n]++;
    }
    form[n++] = 0;
    return n;
}

static void create_forms(struct geometry *g, const struct mesh *m)
{
    enum { COMPARED = 64 };             /* number of latest forms: each polyhedron may have its own */
    struct { int32_t at, n; } known[COMPARED];
    int8_t *all = NULL, own[FORM_LENGTH];
    int32_t *form, n_known = 0, length = 0;
    NEW(form, g->s.pitch);
    for (int32_t c = 0; c < m->n_all; c++) {
        const int32_t cell = mesh_cell_in_whole(m, c);
        if (cell < 0) continue;
        int n = form_of(mesh_whole(m), cell, own), k = 0;
        while (k < n_known && k < COMPARED && (known[k].n != n || memcmp(all + known[k].at, own, (size_t)n))) k++;
        if (k == n_known || k == COMPARED) {
            k = n_known++ % COMPARED;
            known[k].at = length, known[k].n = n;
            RESIZE(all, length += n);
            memcpy(all + known[k].at, own, (size_t)n);
        }
        form[c] = known[k].at;
    }
    g->form = UPLOAD(form, g->s.pitch);
    g->form_length = length;
    g->form_face = UPLOAD(all, length);
}

static void create_cells(struct geometry *g, const struct mesh *m)
{
    int64_t n = g->s.pitch;
    int32_t *cell_vertex;
    double *centre;
    for (int32_t c = 0; c < m->n_all; c++)
        if (m->cell_start[c + 1] - m->cell_start[c] > g->most_vertices)
            g->most_vertices = (int32_t)(m->cell_start[c + 1] - m->cell_start[c]);
    NEW(cell_vertex, g->most_vertices * n), NEW(centre, m->dim * n);
    memset(cell_vertex, -1, (size_t)(g->most_vertices * n) * sizeof *cell_vertex);
    for (int32_t c = 0; c < m->n_all; c++) {
        for (int64_t k = m->cell_start[c]; k < m->cell_start[c + 1]; k++)
            cell_vertex[(k - m->cell_start[c]) * n + c] = m->cell_vertex[k];
        for (int i = 0; i < m->dim; i++) centre[i * n + c] = m->cell_centre[(int64_t)i * m->n_all + c];
    }
    g->cell_vertex = UPLOAD(cell_vertex, g->most_vertices * n);
    g->centre = UPLOAD(centre, m->dim * n);
}

static void create_faces(struct geometry *g, const struct mesh *m)
{
    int64_t n = g->s.pitch, n_faces = m->n_faces;
    int32_t *faces, *face_vertex, *count;
    for (int32_t c = 0; c < m->n_all; c++)
        if (m->cell_face_start[c + 1] - m->cell_face_start[c] > g->most_faces)
            g->most_faces = (int32_t)(m->cell_face_start[c + 1] - m->cell_face_start[c]);
    for (int32_t f = 0; f < m->n_faces; f++)
        if (face_ring(m, f).n > g->most_corners) g->most_corners = face_ring(m, f).n;
    NEW(faces, g->most_faces * n), NEW(face_vertex, g->most_corners * n_faces), NEW(count, n);
    for (int32_t f = 0; f < m->n_faces; f++) {
        const struct ring ring = face_ring(m, f);
        int32_t o = m->face_owner[f];
        for (int k = 0; k < g->most_corners; k++)
            face_vertex[k * n_faces + f] = k < ring.n ? ring_vertex(&ring, k) : -1;
        faces[count[o]++ * n + o] = f + 1;
        if (f < m->n_internal) { int32_t c = m->face_neighbour[f]; faces[count[c]++ * n + c] = -(f + 1); }
    }
    free(count);
    g->cell_face = UPLOAD(faces, g->most_faces * n);
    g->face_vertex = UPLOAD(face_vertex, g->most_corners * n_faces);
}

static void create_vertices(struct geometry *g, const struct mesh *m)
{
    double *vertex;
    NEW(vertex, (int64_t)m->dim * m->n_vertices);
    for (int32_t v = 0; v < m->n_vertices; v++)
        for (int i = 0; i < m->dim; i++) vertex[(int64_t)i * m->n_vertices + v] = m->vertex[3 * (int64_t)v + i];
    g->n_vertices = m->n_vertices;
    g->vertex = UPLOAD(vertex, (int64_t)m->dim * m->n_vertices);
}

/* A cell's number in the whole mesh and in the part. */
struct copied { int32_t whole, here; };
static int in_whole(const void *p, const void *q)
{
    const struct copied *a = p, *b = q;
    return (a->whole > b->whole) - (a->whole < b->whole);
}

/* A halo for the ghosts of this layer; NULL with one rank. */
static struct halo *create_halo(const struct geometry *g, const struct mesh *m, const struct near_cells *near,
                                uint8_t layer)
{
    if (!m->part) return NULL;
    int32_t *wanted, *place, n = 0;
    int64_t *first = ranks_first(m->n_cells);
    struct copied *copied;
    NEW(wanted, m->n_all), NEW(place, m->n_all), NEW(copied, m->n_all);
    for (int32_t c = 0; c < m->n_all; c++)
        if (near->layer[c] == layer) copied[n++] = (struct copied){mesh_cell_in_whole(m, c), c};
    sort(copied, n, sizeof *copied, in_whole);
    for (int32_t i = 0; i < n; i++) wanted[i] = copied[i].whole, place[i] = copied[i].here;
    struct halo *h = halo_create_at(first, wanted, place, n, g->s.pitch, PIECE_COMPONENTS(m->dim));
    free(copied), free(first), free(wanted), free(place);
    return h;
}

bool geometry_create(struct geometry *g, const struct mesh *m, const struct stencil *s, struct error *e)
{
    struct near_cells near = {0};
    *g = (struct geometry){.s = *s, .n_all = m->n_all};
    bool good = ranks_agree(check_cells(m, e), e) && near_cells_find(&near, m, e);
    if (good) {
        memcpy(g->shift, near.shift, sizeof g->shift);
        g->near_start = COPY(near.start, m->n_all + (int64_t)1);
        g->near = COPY(near.cell, near.n);
        g->near_shift = COPY(near.code, near.n);
        g->around = create_halo(g, m, &near, 1), g->beyond = create_halo(g, m, &near, 2);
        if (m->dim == 3) create_forms(g, m);
        create_cells(g, m);
        create_faces(g, m);
        create_vertices(g, m);
    }
    near_cells_free(&near);
    return good;
}

void geometry_free(struct geometry *g)
{
    const void *arrays[] = {g->form, g->form_face, g->cell_vertex, g->cell_face, g->face_vertex, g->vertex, g->centre,
                            g->near_start, g->near, g->near_shift};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free((void *)arrays[i]);
    halo_free(g->around), halo_free(g->beyond);
}

#include "interface/geometry.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "interface/near.h"
#include "mesh/cell_shape.h"
#include "mesh/part.h"
#include "mesh/rings.h"

static const void *upload(void *from, size_t bytes, const char *what)
{
    void *to = device_copy_of(from, bytes, what);
    free(from);
    return to;
}
#define COPY(array, n) device_copy_of((array), (size_t)(n) * sizeof *(array), #array)
#define UPLOAD(array, n) upload((array), (size_t)(n) * sizeof *(array), #array)      /* and frees the host's */

static void create_cells(struct geometry *g, const struct mesh *m)
{
    int64_t n = g->s.pitch;
    uint8_t *type;
    int8_t *shape;
    int32_t *cell_vertex;
    double *centre;
    NEW(type, n), NEW(shape, SHAPE_TABLE), NEW(cell_vertex, CELL_CORNERS * n), NEW(centre, m->dim * n);
    memset(cell_vertex, -1, (size_t)(CELL_CORNERS * n) * sizeof *cell_vertex);
    for (int t = 0; t < 10; t++)
        for (int k = 0; k < CELL_FACES * FACE_CORNERS; k++)
            shape[t * CELL_FACES * FACE_CORNERS + k] = k / FACE_CORNERS < cell_shape[t].n_faces
                ? cell_shape[t].face[k / FACE_CORNERS][k % FACE_CORNERS] : (int8_t)-1;
    for (int32_t c = 0; c < m->n_all; c++) {
        type[c] = m->cell_type[c];
        for (int64_t k = m->cell_start[c]; k < m->cell_start[c + 1]; k++)
            cell_vertex[(k - m->cell_start[c]) * n + c] = m->cell_vertex[k];
        for (int i = 0; i < m->dim; i++) centre[i * n + c] = m->cell_centre[(int64_t)i * m->n_all + c];
    }
    g->type = UPLOAD(type, n);
    g->shape = UPLOAD(shape, SHAPE_TABLE);
    g->cell_vertex = UPLOAD(cell_vertex, CELL_CORNERS * n);
    g->centre = UPLOAD(centre, m->dim * n);
}

static void create_faces(struct geometry *g, const struct mesh *m)
{
    int64_t n = g->s.pitch, n_faces = m->n_faces;
    int32_t *faces, *face_vertex;
    int8_t *count;
    NEW(faces, CELL_FACES * n), NEW(face_vertex, FACE_CORNERS * n_faces), NEW(count, n);
    for (int32_t f = 0; f < m->n_faces; f++) {
        const struct ring ring = face_ring(m, f);
        int32_t o = m->face_owner[f];
        for (int k = 0; k < FACE_CORNERS; k++) face_vertex[k * n_faces + f] = k < ring.n ? ring_vertex(&ring, k) : -1;
        faces[count[o]++ * n + o] = f + 1;
        if (f < m->n_internal) { int32_t c = m->face_neighbour[f]; faces[count[c]++ * n + c] = -(f + 1); }
    }
    free(count);
    g->cell_face = UPLOAD(faces, CELL_FACES * n);
    g->face_vertex = UPLOAD(face_vertex, FACE_CORNERS * n_faces);
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

/* A halo of the copies of this layer; NULL on one rank. */
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
    struct near_cells near;
    *g = (struct geometry){.s = *s, .n_all = m->n_all};
    bool good = near_cells_find(&near, m, e);
    if (good) {
        memcpy(g->shift, near.shift, sizeof g->shift);
        g->near_start = COPY(near.start, m->n_all + (int64_t)1);
        g->near = COPY(near.cell, near.n);
        g->near_shift = COPY(near.code, near.n);
        g->around = create_halo(g, m, &near, 1), g->beyond = create_halo(g, m, &near, 2);
        create_cells(g, m);
        create_faces(g, m);
        create_vertices(g, m);
    }
    near_cells_free(&near);
    return good;
}

void geometry_free(struct geometry *g)
{
    const void *arrays[] = {g->type, g->shape, g->cell_vertex, g->cell_face, g->face_vertex, g->vertex, g->centre,
                            g->near_start, g->near, g->near_shift};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free((void *)arrays[i]);
    halo_free(g->around), halo_free(g->beyond);
    *g = (struct geometry){0};
}

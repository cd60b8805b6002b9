/* rings.h: loops over faces and their vertices. */
#ifndef POISE_RINGS_H
#define POISE_RINGS_H
#include <stdlib.h>
#include "mesh/mesh.h"

/* The vertices of a face in order around it, as seen from one side. */
struct ring { const int32_t *vertex; int n, first, step; };

/* Vertex i of the ring, 0 <= i <= n; i = n is the first vertex again. */
static inline int32_t ring_vertex(const struct ring *r, int i)
{
    const int at = r->first + r->step * i;
    return r->vertex[at < 0 ? at + r->n : at < r->n ? at : at - r->n];
}
static inline const double *ring_corner(const struct mesh *m, const struct ring *r, int i)
{
    return m->vertex + 3 * (int64_t)ring_vertex(r, i);
}

/* Face f, seen from outside its owner. */
static inline struct ring face_ring(const struct mesh *m, int32_t f)
{
    return (struct ring){m->face_vertex + m->face_start[f], (int)(m->face_start[f + 1] - m->face_start[f]), 0, 1};
}

/* Entry k of m->cell_face, seen from outside its cell. */
static inline struct ring cell_ring(const struct mesh *m, int64_t k)
{
    struct ring r = face_ring(m, abs(m->cell_face[k]) - 1);
    r.first = m->cell_face_first[k], r.step = m->cell_face[k] > 0 ? 1 : -1;
    return r;
}

/* The face of entry k of m->cell_face. */
static inline int32_t face_of_cell(const struct mesh *m, int64_t k)
{
    int32_t r = abs(m->cell_face[k]) - 1;
    return r < m->n_faces ? r : m->joint_face[r - m->n_faces];
}
#endif

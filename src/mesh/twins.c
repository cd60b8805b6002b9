/* Finds the vertices that periodic faces identify with each other (twins.h). */
#include "mesh/twins.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "mesh/cells.h"

static int compare_twins(const void *p, const void *q)
{
    const struct twin *a = p, *b = q;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (a->to > b->to) - (a->to < b->to);
}

double twins_distance(const double a[3], const double b[3], const double shift[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (a[k] + shift[k] - b[k]) * (a[k] + shift[k] - b[k]);
    return sqrt(sum);
}

static void add_twins(struct twins *t, const struct mesh *m, int32_t joint)
{
    const struct ring own = face_ring(m, m->joint_face[joint]), other = face_ring(m, m->n_faces + joint);
    const double *shift = m->joint_shift + 3 * (int64_t)joint;
    for (int i = 0; i < own.n; i++) {
        const double *at = ring_corner(m, &own, i);
        int best = 0;
        for (int j = 1; j < other.n; j++)
            if (twins_distance(at, ring_corner(m, &other, j), shift) <
                twins_distance(at, ring_corner(m, &other, best), shift)) best = j;
        int32_t from = ring_vertex(&own, i), to = ring_vertex(&other, best);
        t->twin[t->n++] = (struct twin){from, to, {shift[0], shift[1], shift[2]}};
        t->twin[t->n++] = (struct twin){to, from, {-shift[0], -shift[1], -shift[2]}};
    }
}

void twins_find(struct twins *t, const struct mesh *m)
{
    *t = (struct twins){0};
    NEW(t->twin, 2 * (m->face_start[m->n_faces + m->n_joints] - m->face_start[m->n_faces])), NEW(t->has, m->n_vertices);
    for (int32_t j = 0; j < m->n_joints; j++) add_twins(t, m, j);
    sort(t->twin, t->n, sizeof *t->twin, compare_twins);
    for (int64_t k = 0; k < t->n; k++) t->has[t->twin[k].from] = 1;
}

int64_t twins_first(const struct twins *t, int32_t vertex)
{
    int64_t low = 0, high = t->n;
    if (!t->has[vertex]) return t->n;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (t->twin[middle].from < vertex) low = middle + 1;
        else high = middle;
    }
    return low;
}

void twins_free(struct twins *t)
{
    free(t->twin), free(t->has);
    memset(t, 0, sizeof *t);
}

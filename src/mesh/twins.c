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

/* The face of `cell` whose middle is nearest to `at`. */
static int face_at(const struct mesh *m, int32_t cell, const double at[3])
{
    static const double none[3] = {0};
    int best = 0;
    double least = INFINITY;
    for (int l = 0; l < cell_shape[m->cell_type[cell]].n_faces; l++) {
        double corner[4][3], middle[3] = {0};
        int n = cell_face(m, cell, l, corner, NULL);
        for (int i = 0; i < 3 * n; i++) middle[i % 3] += corner[i / 3][i % 3] / n;
        double d = twins_distance(middle, at, none);
        if (d < least) least = d, best = l;
    }
    return best;
}

static void add_twins(struct twins *t, const struct mesh *m, int32_t joint)
{
    int32_t f = m->joint_face[joint], own[4], other[4];
    const double *shift = m->joint_shift + 3 * (int64_t)joint;
    double a[4][3], b[4][3], middle[3] = {0};
    int n = cell_face(m, m->face_owner[f], m->face_local[f], a, own);
    for (int i = 0; i < 3 * n; i++) middle[i % 3] += a[i / 3][i % 3] / n;
    for (int k = 0; k < 3; k++) middle[k] += shift[k];
    int32_t neighbour = m->face_neighbour[f];
    cell_face(m, neighbour, face_at(m, neighbour, middle), b, other);
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int j = 1; j < n; j++)
            if (twins_distance(a[i], b[j], shift) < twins_distance(a[i], b[best], shift)) best = j;
        t->twin[t->n++] = (struct twin){own[i], other[best], {shift[0], shift[1], shift[2]}};
        t->twin[t->n++] = (struct twin){other[best], own[i], {-shift[0], -shift[1], -shift[2]}};
    }
}

void twins_find(struct twins *t, const struct mesh *m)
{
    *t = (struct twins){0};
    NEW(t->twin, 8 * (int64_t)m->n_joints), NEW(t->has, m->n_vertices);
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

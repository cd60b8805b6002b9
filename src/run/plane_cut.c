/* The facets in which a plane cuts cells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/memory.h"
#include "mesh/rings.h"
#include "run/plane.h"

/* A corner of a facet: on the edge from vertex a to vertex b, or at vertex a (b equals a). */
struct corner { int32_t a, b; int64_t at; double angle; };      /* at: index in facets.corner */

struct cutting {
    const struct mesh *m;
    double normal[3];
    double *height;             /* [n_vertices] above the plane */
    struct facets *p;
    struct corner *corner;      /* [room] of all facets, followed by those of a cell */
    int64_t n, room;
};

static void find_heights(struct cutting *w, const double point[3], const double normal[3])
{
    const struct mesh *m = w->m;
    double length = sqrt(dot(normal, normal)), most = 0;
    NEW(w->height, m->n_vertices);
    for (int k = 0; k < 3; k++) w->normal[k] = normal[k] / length;
    for (int32_t v = 0; v < m->n_vertices; v++) {
        for (int k = 0; k < 3; k++) w->height[v] += w->normal[k] * (m->vertex[3 * (int64_t)v + k] - point[k]);
        most = fmax(most, fabs(w->height[v]));
    }
    for (int32_t v = 0; v < m->n_vertices; v++) if (fabs(w->height[v]) < 1e-12 * most) w->height[v] = 0;
}

static void place_of(const struct cutting *w, const struct corner *c, double x[3])
{
    const double *a = w->m->vertex + 3 * (int64_t)c->a, *b = w->m->vertex + 3 * (int64_t)c->b;
    double t = c->a == c->b ? 0 : w->height[c->a] / (w->height[c->a] - w->height[c->b]);
    for (int k = 0; k < 3; k++) x[k] = a[k] + t * (b[k] - a[k]);
}

/* Finds the corners of the facet of a cell, unordered, and stores them after those of the previous facets; vertices in
 * the plane count as above it.  Returns their number. */
static int find_corners(struct cutting *w, int32_t cell)
{
    int n = 0;
    for (int64_t l = w->m->cell_face_start[cell]; l < w->m->cell_face_start[cell + 1]; l++) {
        const struct ring ring = cell_ring(w->m, l);
        for (int k = 0; k < (ring.n == 2 ? 1 : ring.n); k++) {
            int32_t a = ring_vertex(&ring, k), b = ring_vertex(&ring, k + 1);
            if ((w->height[a] < 0) == (w->height[b] < 0)) continue;
            if (a > b) { int32_t t = a; a = b, b = t; }
            if (w->height[a] == 0) b = a;
            if (w->height[b] == 0) a = b;
            bool known = false;
            for (int64_t i = w->n; i < w->n + n; i++) known |= w->corner[i].a == a && w->corner[i].b == b;
            if (known) continue;
            if (w->n + n == w->room) w->room = 2 * w->room + 64, RESIZE(w->corner, w->room);
            w->corner[w->n + n++] = (struct corner){.a = a, .b = b};
        }
    }
    return n;
}

/* Sorts the corners of a polygon with the given mean around it. */
static void sort_round(const struct cutting *w, struct corner *c, int n, const double mean[3])
{
    double first[3], side[3];
    for (int i = 0; i < n; i++) {
        double x[3];
        place_of(w, &c[i], x);
        for (int k = 0; k < 3; k++) x[k] -= mean[k];
        if (i == 0) memcpy(first, x, sizeof first);
        cross(w->normal, first, side);
        c[i].angle = atan2(dot(x, side), dot(x, first));
        for (int j = i; j > 0 && c[j].angle < c[j - 1].angle; j--) {
            struct corner t = c[j];
            c[j] = c[j - 1], c[j - 1] = t;
        }
    }
}

/* Adds the facet of a cell, if it has one. */
static void add_facet(struct cutting *w, int32_t cell, double **centre, int32_t **of)
{
    struct facets *p = w->p;
    double mean[3] = {0};
    int n = find_corners(w, cell);
    if (n < w->m->dim) return;
    struct corner *c = w->corner + w->n;
    for (int i = 0; i < n; i++) {
        double x[3];
        place_of(w, &c[i], x);
        for (int k = 0; k < 3; k++) mean[k] += x[k] / n;
    }
    if (n > 2) sort_round(w, c, n, mean);
    RESIZE(p->start, p->n + 2), RESIZE(p->cell, p->n + 1), RESIZE(*centre, 3 * ((int64_t)p->n + 1));
    RESIZE(*of, p->n + 1);
    memcpy(*centre + 3 * (int64_t)p->n, mean, sizeof mean);
    (*of)[p->n] = cell, p->cell[p->n] = w->m->cell_original[cell];
    for (int i = 0; i < n; i++) c[i].at = w->n++;
    p->start[++p->n] = w->n;
}

static int by_edge(const void *x, const void *y)
{
    const struct corner *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

/* Merges corners on one edge into one vertex. */
static void number_corners(struct cutting *w)
{
    struct facets *p = w->p;
    NEW(p->corner, w->n);
    if (w->n) qsort(w->corner, (size_t)w->n, sizeof *w->corner, by_edge);
    for (int64_t i = 0; i < w->n; i++) {
        if (i == 0 || by_edge(&w->corner[i - 1], &w->corner[i])) {
            RESIZE(p->vertex, 3 * ((int64_t)p->n_vertices + 1));
            place_of(w, &w->corner[i], p->vertex + 3 * (int64_t)p->n_vertices++);
        }
        p->corner[w->corner[i].at] = p->n_vertices - 1;
    }
}

void plane_cut(const struct mesh *m, const double point[3], const double normal[3], struct facets *p, double **centre,
               int32_t **cell)
{
    struct cutting w = {.m = m, .p = p};
    int32_t *place;
    *p = (struct facets){0}, *centre = NULL, *cell = NULL;
    NEW(p->start, 1), NEW(place, m->n_cells);
    find_heights(&w, point, normal);
    for (int32_t c = 0; c < m->n_cells; c++) place[m->cell_original[c]] = c;
    for (int32_t c = 0; c < m->n_cells; c++) add_facet(&w, place[c], centre, cell);
    number_corners(&w);
    free(place), free(w.height), free(w.corner);
}

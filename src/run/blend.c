/* Cells and weights of a point's value: its location in its cell, the cells around the vertices, walls nearby. */
#include "run/blend.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/memory.h"
#include "mesh/rings.h"

/* The cells around the vertices of the points' cells. */
struct near {
    const struct mesh *m;
    int32_t *number;            /* [n_vertices] index of a required vertex, from 1 */
    int64_t *start;             /* [number of required vertices + 1] */
    int32_t *cell;
};

static void centre_of(const struct mesh *m, int32_t cell, double *x)
{
    for (int k = 0; k < 3; k++) x[k] = k < m->dim ? m->cell_centre[(int64_t)k * m->n_all + cell] : 0;
}

/* ---------------------------------------------------------------- walls */
enum { MOST_WALLS = 8 };

/* The boundary faces of a few cells; those with normals within 45 degrees of each other are one wall. */
struct walls {
    int n, n_faces, room;
    double normal[MOST_WALLS][3];
    struct wall_face { int32_t face; int wall; } *face;         /* [n_faces] faces of the mesh */
};

static double face_distance(const struct mesh *m, int32_t f, const double *x)
{
    const struct ring r = face_ring(m, f);
    double middle[3] = {0}, least = INFINITY;
    if (r.n == 2) return distance_to_edge(x, ring_corner(m, &r, 0), ring_corner(m, &r, 1));
    for (int i = 0; i < r.n; i++) for (int k = 0; k < 3; k++) middle[k] += ring_corner(m, &r, i)[k] / r.n;
    for (int i = 0; i < r.n; i++)
        least = fmin(least, distance_to_triangle(x, middle, ring_corner(m, &r, i), ring_corner(m, &r, i + 1)));
    return least;
}

/* The wall that the face is part of: a new one if its direction is new. */
static int wall_of(const struct mesh *m, struct walls *w, int32_t f)
{
    double normal[3] = {0};
    for (int k = 0; k < m->dim; k++) normal[k] = m->face_area[(int64_t)k * m->n_faces + f];
    double length = sqrt(dot(normal, normal));
    for (int k = 0; k < 3; k++) normal[k] /= length;
    for (int i = 0; i < w->n; i++) if (dot(normal, w->normal[i]) > 0.7) return i;
    if (w->n == MOST_WALLS) return -1;
    memcpy(w->normal[w->n], normal, sizeof normal);
    return w->n++;
}

static void add_walls(const struct near *near, struct walls *w, int32_t cell)
{
    for (int64_t k = near->m->cell_face_start[cell]; k < near->m->cell_face_start[cell + 1]; k++) {
        int32_t f = face_of_cell(near->m, k);
        int wall = f < near->m->n_internal ? -1 : wall_of(near->m, w, f);
        if (wall < 0) continue;
        if (w->n_faces == w->room) w->room = 2 * w->room + 16, RESIZE(w->face, w->room);
        w->face[w->n_faces++] = (struct wall_face){f, wall};
    }
}

/* Distance of x from the nearest face, *nearest, of a wall. */
static double wall_distance(const struct mesh *m, const struct walls *w, int wall, const double *x, int32_t *nearest)
{
    double least = INFINITY;
    for (int i = 0; i < w->n_faces; i++) {
        if (w->face[i].wall != wall) continue;
        double distance = face_distance(m, w->face[i].face, x);
        if (distance < least) least = distance, *nearest = w->face[i].face;
    }
    return least;
}

/* ---------------------------------------------------------------- the list of a point */
struct list {
    struct walls walls;         /* of the cells that are being added */
    struct share { int32_t vertex; double part; } *share;       /* vertices and their parts in the value */
    int n_shares, n, room;
    struct blend_entry { int32_t cell, wall; double part, weight, arm[3]; } *entry;
};

static struct blend_entry *add_entry(struct list *l)
{
    if (l->n == l->room) l->room = 2 * l->room + 16, RESIZE(l->entry, l->room);
    return &l->entry[l->n++];
}

/* Adds a cell's polynomial at x, with l->walls.  If several walls are nearer to x than to the cell's centre, each has
 * weight t / (1 - t). */
static void add_cell(const struct near *near, struct list *l, int32_t cell, double weight, const double *x)
{
    struct blend_entry one = {.cell = cell, .wall = -1, .weight = weight};
    double centre[3], sum = 0;
    int32_t face = -1, unused;
    int first = l->n;
    centre_of(near->m, cell, centre);
    difference(x, centre, one.arm);
    for (int i = 0; i < l->walls.n; i++) {
        double whole = wall_distance(near->m, &l->walls, i, centre, &face);
        one.part = 1 - wall_distance(near->m, &l->walls, i, x, &unused) / whole;
        if (one.part <= 0) continue;
        one.weight = one.part / fmax(1 - one.part, 1e-15);
        one.wall = face - near->m->n_internal;
        sum += one.weight;
        *add_entry(l) = one;
    }
    if (first == l->n) *add_entry(l) = one;
    else for (int i = first; i < l->n; i++) l->entry[i].weight *= weight / sum;
}

/* Weight of a cell in the mean at a vertex: 1 / s^6, where s is 0 at its centre, 1 on its faces, 2 twice as far. */
static double closeness(const struct near *near, int32_t cell, const double *x)
{
    const struct mesh *m = near->m;
    double s = 1e-9;
    for (int64_t i = m->cell_face_start[cell]; i < m->cell_face_start[cell + 1]; i++) {
        int32_t f = face_of_cell(m, i);
        double along = 0, whole = 0;
        for (int k = 0; k < m->dim; k++) {
            double area = m->face_area[(int64_t)k * m->n_faces + f], face = m->face_r[(int64_t)k * m->n_faces + f];
            if (m->face_owner[f] != cell) face -= m->face_d[(int64_t)k * m->n_faces + f];
            along += area * (x[k] - m->cell_centre[(int64_t)k * m->n_all + cell]), whole += area * face;
        }
        s = fmax(s, along / whole);
    }
    return 1 / (s * s * s * s * s * s);
}

static void add_vertex(const struct near *near, struct list *l, struct share v, const double *x)
{
    int64_t start = near->start[near->number[v.vertex] - 1], end = near->start[near->number[v.vertex]];
    double sum = 0;
    l->walls.n = l->walls.n_faces = 0;
    for (int64_t i = start; i < end; i++) add_walls(near, &l->walls, near->cell[i]);
    for (int64_t i = start; i < end; i++) sum += closeness(near, near->cell[i], x);
    for (int64_t i = start; i < end; i++)
        add_cell(near, l, near->cell[i], v.part * closeness(near, near->cell[i], x) / sum, x);
}

/* The cell itself; its walls are those of the cells around it. */
static void add_own(const struct near *near, struct list *l, int32_t cell, double weight, const double *x)
{
    const struct mesh *m = near->m;
    l->walls.n = l->walls.n_faces = 0;
    for (int64_t k = m->cell_start[cell]; k < m->cell_start[cell + 1]; k++) {
        int32_t v = near->number[m->cell_vertex[k]];
        for (int64_t i = near->start[v - 1]; i < near->start[v]; i++) add_walls(near, &l->walls, near->cell[i]);
    }
    add_cell(near, l, cell, weight, x);
}

/* ---------------------------------------------------------------- a point's location in its cell */
/* Barycentric coordinates of x in a triangle or tetrahedron with one corner at p and the others at p + side; lambda:
 * for these others.  Returns the least of all. */
static double barycentric(double side[3][3], int n, const double *x, double *lambda)
{
    double normal[3], own = 1;
    if (n == 2) side[2][0] = side[2][1] = 0, side[2][2] = 1;
    cross(side[1], side[2], normal);
    double volume = dot(side[0], normal), least = INFINITY;
    for (int i = 0; i < n; i++) {
        cross(side[(i + 1) % 3], side[(i + 2) % 3], normal);
        lambda[i] = dot(x, normal) / volume;
        own -= lambda[i], least = fmin(least, lambda[i]);
    }
    return fmin(least, own);
}

/* Fills l->share: the weights of the cell's vertices in the value at x; the centre has the rest of 1. */
static void find_shares(const struct mesh *m, int32_t cell, const double *x, struct list *l)
{
    double centre[3], arm[3], best = -INFINITY;
    l->n_shares = 0;
    centre_of(m, cell, centre);
    difference(x, centre, arm);
    for (int64_t at = m->cell_face_start[cell]; at < m->cell_face_start[cell + 1]; at++) {
        const struct ring ring = cell_ring(m, at);
        double side[3][3], middle[3] = {0}, lambda[3];
        int n = ring.n;
        for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) middle[k] += ring_corner(m, &ring, i)[k] / n;
        for (int i = 0; i < (n == 2 ? 1 : n); i++) {
            int next = (i + 1) % n;
            difference(ring_corner(m, &ring, i), centre, side[0]);
            difference(ring_corner(m, &ring, next), centre, side[1]);
            difference(middle, centre, side[2]);
            double least = barycentric(side, m->dim, arm, lambda), sum = 0;
            if (least <= best) continue;
            best = least, l->n_shares = n;
            RESIZE(l->share, n);
            for (int k = 0; k < m->dim; k++) lambda[k] = fmax(lambda[k], 0), sum += lambda[k];
            for (int k = 0; k < m->dim; k++) lambda[k] /= fmax(sum, 1);
            for (int k = 0; k < n; k++)
                l->share[k] = (struct share){ring_vertex(&ring, k), (m->dim == 3 ? lambda[2] / n : 0) +
                                                     (k == i ? lambda[0] : k == next ? lambda[1] : 0)};
        }
    }
}

static int by_cell(const void *a, const void *b)
{
    const struct blend_entry *x = a, *y = b;
    if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
    if (x->wall != y->wall) return x->wall < y->wall ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

/* Merges equal entries, and removes negligible ones. */
static void join_entries(struct list *l)
{
    int n = 0;
    double sum = 0;
    qsort(l->entry, (size_t)l->n, sizeof *l->entry, by_cell);
    for (int i = 0; i < l->n; i++) {
        if (n && !by_cell(&l->entry[n - 1], &l->entry[i])) l->entry[n - 1].weight += l->entry[i].weight;
        else l->entry[n++] = l->entry[i];
    }
    l->n = 0;
    for (int i = 0; i < n; i++) if (l->entry[i].weight > 1e-13) l->entry[l->n++] = l->entry[i];
    for (int i = 0; i < l->n; i++) sum += l->entry[i].weight;
    for (int i = 0; i < l->n; i++) l->entry[i].weight /= sum;
}

static void blend_point(const struct near *near, struct list *l, int32_t cell, const double *x)
{
    double own = 1;
    find_shares(near->m, cell, x, l);
    l->n = 0;
    for (int k = 0; k < l->n_shares; k++) own -= l->share[k].part;
    if (own > 1e-13) add_own(near, l, cell, own, x);
    for (int k = 0; k < l->n_shares; k++) if (l->share[k].part > 1e-13) add_vertex(near, l, l->share[k], x);
    join_entries(l);
}

/* ---------------------------------------------------------------- all points */
static void find_near(struct near *w, const int32_t *cell, int32_t n)
{
    const struct mesh *m = w->m;
    int32_t wanted = 0;
    NEW(w->number, m->n_vertices);
    for (int32_t i = 0; i < n; i++)
        for (int64_t k = m->cell_start[cell[i]]; cell[i] < m->n_cells && k < m->cell_start[cell[i] + 1]; k++)
            if (!w->number[m->cell_vertex[k]]) w->number[m->cell_vertex[k]] = ++wanted;
    NEW(w->start, wanted + 1);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t c = m->n_cells - 1; c >= 0; c--)
            for (int64_t k = m->cell_start[c]; k < m->cell_start[c + 1]; k++) {
                int32_t v = w->number[m->cell_vertex[k]];
                if (v && pass == 0) w->start[v - 1]++;
                else if (v) w->cell[--w->start[v - 1]] = c;
            }
        if (pass) continue;
        for (int32_t v = 0; v < wanted; v++) w->start[v + 1] += w->start[v];
        NEW(w->cell, w->start[wanted]);
    }
}

static void solid_point(const struct mesh *m, struct list *l, int32_t cell, const double *x)
{
    double centre[3];
    centre_of(m->conducting, cell, centre);
    l->n = 0;
    struct blend_entry *one = add_entry(l);
    *one = (struct blend_entry){.cell = cell, .wall = -1, .weight = 1};
    difference(x, centre, one->arm);
}

static int64_t make_room(struct blend *b, int64_t n)
{
    RESIZE(b->cell, n), RESIZE(b->wall, n), RESIZE(b->weight, n), RESIZE(b->part, n), RESIZE(b->arm, 3 * n);
    return n;
}

void blend_points(struct blend *b, const struct mesh *m, const int32_t *cell, const double *point, int32_t n)
{
    struct near w = {.m = m};
    struct list l = {0};
    int64_t room = 0;
    *b = (struct blend){.n = n};
    find_near(&w, cell, n);
    NEW(b->start, n + 1);
    for (int32_t i = 0; i < n; i++) {
        int64_t at = b->start[i];
        (cell[i] < m->n_cells ? blend_point(&w, &l, cell[i], point + 3 * (int64_t)i)
                              : solid_point(m, &l, cell[i], point + 3 * (int64_t)i));
        b->start[i + 1] = at + l.n;
        if (at + l.n > room) room = make_room(b, 2 * (at + l.n));
        for (int k = 0; k < l.n; k++, at++) {
            b->cell[at] = l.entry[k].cell, b->wall[at] = l.entry[k].wall, b->weight[at] = l.entry[k].weight;
            b->part[at] = l.entry[k].part;
            memcpy(b->arm + 3 * at, l.entry[k].arm, sizeof l.entry[k].arm);
        }
    }
    make_room(b, b->start[n]);
    free(l.entry), free(l.share), free(l.walls.face), free(w.number), free(w.start), free(w.cell);
}

void blend_free(struct blend *b)
{
    free(b->start), free(b->cell), free(b->wall), free(b->weight), free(b->part), free(b->arm);
    *b = (struct blend){0};
}

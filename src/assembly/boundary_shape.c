/* Finds the connected parts of a boundary and computes inlet profiles on them (boundary_shape.h). */
#include "assembly/boundary_shape.h"
#include <math.h>
#include <stdlib.h>
#include "base/forest.h"
#include "base/memory.h"
#include "mesh/cells.h"
#include "mesh/part.h"

/* Angles: faces at less than SMOOTH to each other form one smooth part; a part is straight or plane if its faces differ
 * by less than STRAIGHT. */
static const double SMOOTH = 0.5236, STRAIGHT = 0.0087;                 /* 30 and half a degree */

/* A connected part of a boundary, and its bounding box. */
struct piece {
    int32_t first;              /* its first face */
    double low[3], high[3], area, far2;                 /* far2: of the vertex farthest from the middle, squared */
    bool straight;              /* or plane */
    int n_axes, axes[3];        /* along which it extends */
};
struct pieces { struct piece *item; int32_t n, *of; };                  /* of: [faces of the patch] */

/* Calls visit() for every vertex of every face of the patch. */
static void each_vertex(const struct mesh *m, const struct patch *patch, void *context,
                        void (*visit)(void *context, int32_t face, int32_t vertex))
{
    for (int32_t i = 0; i < patch->count; i++) {
        const struct ring ring = face_ring(m, patch->first + i);
        for (int k = 0; k < ring.n; k++) visit(context, i, ring_vertex(&ring, k));
    }
}

/* ---------------------------------------------------------------- pieces */
struct joining { const struct mesh *m; const struct patch *patch; double least_cosine; int32_t *parent, *face_at; };

static double cosine_of(const struct mesh *m, int32_t f, int32_t g)
{
    double product = 0, one = 0, other = 0;
    for (int k = 0; k < m->dim; k++) {
        double s = m->face_area[(int64_t)k * m->n_faces + f], t = m->face_area[(int64_t)k * m->n_faces + g];
        product += s * t, one += s * s, other += t * t;
    }
    return product / sqrt(one * other);
}

static void join_at(void *context, int32_t face, int32_t vertex)
{
    struct joining *j = context;
    int32_t other = j->face_at[vertex] - 1;             /* a face at this vertex */
    if (other < 0) j->face_at[vertex] = face + 1;
    else if (cosine_of(j->m, j->patch->first + face, j->patch->first + other) >= j->least_cosine)
        forest_join(j->parent, face, other);
}

/* Faces are in one part if they share a vertex and the cosine of the angle between them is large enough. */
static struct pieces find_pieces(const struct mesh *m, const struct patch *patch, double least_cosine)
{
    struct joining j = {m, patch, least_cosine, NULL, NULL};
    struct pieces p = {0};
    NEW(j.parent, patch->count), NEW(j.face_at, m->n_vertices), NEW(p.of, patch->count);
    for (int32_t i = 0; i < patch->count; i++) j.parent[i] = i;
    each_vertex(m, patch, &j, join_at);
    for (int32_t i = 0; i < patch->count; i++) {
        int32_t root = forest_root(j.parent, i);
        p.of[i] = root == i ? p.n++ : p.of[root];
    }
    NEW(p.item, p.n);
    for (int32_t i = patch->count; i-- > 0;) p.item[p.of[i]].first = i;
    free(j.parent), free(j.face_at);
    return p;
}

struct measuring { struct pieces *p; const struct mesh *m; };

static void add_to_box(void *context, int32_t face, int32_t vertex)
{
    struct measuring *a = context;
    struct piece *piece = &a->p->item[a->p->of[face]];
    for (int k = 0; k < 3; k++) {
        double x = a->m->vertex[3 * (int64_t)vertex + k];
        piece->low[k] = fmin(piece->low[k], x), piece->high[k] = fmax(piece->high[k], x);
    }
}

static void add_distance(void *context, int32_t face, int32_t vertex)
{
    struct measuring *a = context;
    struct piece *piece = &a->p->item[a->p->of[face]];
    double far2 = 0;
    for (int k = 0; k < 3; k++) {
        double x = a->m->vertex[3 * (int64_t)vertex + k] - (piece->low[k] + piece->high[k]) / 2;
        far2 += x * x;
    }
    piece->far2 = fmax(piece->far2, far2);
}

static void add_area(const struct mesh *m, const struct patch *patch, int32_t i, struct piece *piece)
{
    piece->area += mesh_face_size(m, patch->first + i);
    if (cosine_of(m, patch->first + i, patch->first + piece->first) < cos(STRAIGHT)) piece->straight = false;
}

static void measure_pieces(const struct mesh *m, const struct patch *patch, struct pieces *p)
{
    struct measuring a = {p, m};
    for (int32_t i = 0; i < p->n; i++) {
        struct piece *piece = &p->item[i];
        piece->straight = true;
        for (int k = 0; k < 3; k++) piece->low[k] = INFINITY, piece->high[k] = -INFINITY;
    }
    each_vertex(m, patch, &a, add_to_box);
    each_vertex(m, patch, &a, add_distance);
    for (int32_t i = 0; i < patch->count; i++) add_area(m, patch, i, &p->item[p->of[i]]);
    for (int32_t i = 0; i < p->n; i++) {
        struct piece *piece = &p->item[i];
        double largest = 0;
        for (int k = 0; k < 3; k++) largest = fmax(largest, piece->high[k] - piece->low[k]);
        for (int k = 0; k < 3; k++)
            if (piece->high[k] - piece->low[k] > 1e-9 * largest) piece->axes[piece->n_axes++] = k;
    }
}

static double half_of(const struct piece *piece, int axis)
{
    return (piece->high[piece->axes[axis]] - piece->low[piece->axes[axis]]) / 2;
}

/* The shape that the profile requires, in words, if the part does not have it; NULL: it does.  A disc of mesh faces is
 * a polygon, in the coarsest case a hexagon. */
static const char *wrong_shape(const struct piece *piece, int dim, enum inlet_profile profile)
{
    if (dim == 2) return piece->straight ? NULL : "a straight inlet; the one";
    if (piece->n_axes != 2) return "a flat inlet along two coordinate axes; the one";
    double a = half_of(piece, 0), b = half_of(piece, 1), disc = acos(-1) * piece->far2;
    if (profile == PROFILE_PARABOLIC)
        return fabs(piece->area - 4 * a * b) <= 1e-6 * piece->area ? NULL : "a rectangle (of a round pipe: "
            "\"paraboloid\"); the inlet";
    return piece->area >= 0.8 * disc && fmin(a, b) >= 0.8 * fmax(a, b) ? NULL : "a round inlet (of a rectangular "
        "duct: \"parabolic\"); the one";
}

static double shape_at(const struct mesh *m, int32_t f, const struct piece *piece, enum inlet_profile profile)
{
    double distance2 = 0, product = 1, radius2 = 0;
    for (int k = 0; k < piece->n_axes; k++) {
        int axis = piece->axes[k];
        double half = half_of(piece, k);
        double x = face_centre(m, axis, f) - (piece->low[axis] + piece->high[axis]) / 2;
        radius2 = m->dim == 2 ? radius2 + half * half : k ? fmin(radius2, half * half) : half * half;
        distance2 += x * x;
        product *= 1 - x * x / (half * half);
    }
    return m->dim == 3 && profile == PROFILE_PARABOLIC ? product : 1 - distance2 / radius2;
}

bool boundary_profile(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                      const char *place, double *shape, struct error *e)
{
    const struct mesh *whole = mesh_whole(m);
    const struct patch *all = &whole->patch[patch - m->patch];
    struct pieces p = find_pieces(whole, all, -2);
    bool good = true;
    measure_pieces(whole, all, &p);
    for (int32_t i = 0; i < p.n && good; i++) {
        const struct piece *piece = &p.item[i];
        const char *wrong = wrong_shape(piece, m->dim, set->profile);
        double middle[3];
        char at[100];
        for (int k = 0; k < 3; k++) middle[k] = (piece->low[k] + piece->high[k]) / 2;
        if (wrong)
            good = refuse(e, EXIT_INPUT, "%s: profile = \"%s\" needs %s of \"%s\" around %s is not; use profile = "
                          "\"uniform\"", place, inlet_profile_words[set->profile], wrong, patch->name,
                          point_text(m, middle, at));
    }
    for (int32_t i = 0; i < patch->count + patch->copies && good; i++) {
        int32_t f = patch->first + i, there = m->part ? m->part->face[f] : f;
        shape[i] = shape_at(m, f, &p.item[p.of[there - all->first]], set->profile);
    }
    free(p.item), free(p.of);
    return good;
}

bool boundary_check_planes(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                           const char *place, struct error *e)
{
    const struct mesh *whole = mesh_whole(m);
    const struct patch *all = &whole->patch[patch - m->patch];
    struct pieces p = find_pieces(whole, all, cos(SMOOTH));
    bool good = true;
    measure_pieces(whole, all, &p);
    for (int32_t i = 0; i < p.n && good; i++) {
        char at[100];
        double x[3] = {0};
        for (int k = 0; k < whole->dim; k++) x[k] = face_centre(whole, k, all->first + p.item[i].first);
        if (!p.item[i].straight)
            good = refuse(e, EXIT_INPUT, "%s: boundary \"%s\" has type = \"%s\" but is curved around %s; symmetry "
                          "requires planes: for a curved wall without friction use type = \"slip\"", place,
                          patch->name, boundary_type_words[set->type], point_text(whole, x, at));
    }
    free(p.item), free(p.of);
    return good;
}

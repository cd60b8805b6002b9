/* Finds the connected parts of a boundary and computes inlet profiles on them (boundary_shape.h). */
#include "assembly/boundary_shape.h"
#include <math.h>
#include <stdlib.h>
#include "assembly/face_points.h"
#include "base/dense.h"
#include "base/forest.h"
#include "base/memory.h"
#include "mesh/cells.h"
#include "mesh/part.h"

/* Angles: faces at less than SMOOTH to each other form one smooth part; a part is straight or plane if its faces differ
 * by less than STRAIGHT. */
static const double SMOOTH = 0.5236, STRAIGHT = 0.0087;                 /* 30 and half a degree */
/* Vertices of a circle's rim are at its radius, up to this fraction of it. */
static const double ROUND = 0.02;

/* A connected part of a boundary, and its bounding box. */
struct piece {
    int32_t first;              /* its first face */
    double low[3], high[3], area;
    bool straight;              /* or plane */
    int n_axes, axes[3];        /* along which it extends */
    double centre[3], radius;   /* of the circle through its rim; radius 0: the rim is no circle */
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

/* ---------------------------------------------------------------- discs */
struct edge { int32_t a, b, piece; };

static int by_vertices(const void *x, const void *y)
{
    const struct edge *e = x, *f = y;
    return e->a != f->a ? (e->a < f->a ? -1 : 1) : e->b != f->b ? (e->b < f->b ? -1 : 1) : 0;
}

/* The edges of a piece's rim, which belong to one face only, sorted; the caller frees them. */
static struct edge *find_rim(const struct mesh *m, const struct patch *patch, const struct pieces *p, int64_t *n)
{
    struct edge *edge;
    int64_t all = m->face_start[patch->first + patch->count] - m->face_start[patch->first], count = 0;
    NEW(edge, all);
    for (int32_t i = 0; i < patch->count; i++) {
        const struct ring r = face_ring(m, patch->first + i);
        for (int k = 0; k < r.n; k++) {
            int32_t a = ring_vertex(&r, k), b = ring_vertex(&r, k + 1);
            edge[count++] = (struct edge){a < b ? a : b, a < b ? b : a, p->of[i]};
        }
    }
    qsort(edge, (size_t)count, sizeof *edge, by_vertices);
    *n = 0;
    for (int64_t i = 0; i < count; i++) {
        bool twice = (i && !by_vertices(&edge[i], &edge[i - 1])) ||
                     (i + 1 < count && !by_vertices(&edge[i], &edge[i + 1]));
        if (!twice) edge[(*n)++] = edge[i];
    }
    return edge;
}

/* Two unit vectors along the plane of the piece. */
static void plane_of(const struct mesh *m, int32_t face, double u[3], double v[3])
{
    double n[3], length;
    for (int k = 0; k < 3; k++) n[k] = face_vector(m->face_area, m, k, face);
    length = sqrt(dot(n, n));
    int least = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) < fabs(n[least])) least = 2;
    for (int k = 0; k < 3; k++) n[k] /= length;
    for (int k = 0; k < 3; k++) u[k] = (k == least) - n[least] * n[k];
    length = sqrt(dot(u, u));
    for (int k = 0; k < 3; k++) u[k] /= length;
    v[0] = n[1] * u[2] - n[2] * u[1], v[1] = n[2] * u[0] - n[0] * u[2], v[2] = n[0] * u[1] - n[1] * u[0];
}

/* The circle that fits the rim's vertices best (Kasa 1976: least squares of the squared distance).  Each edge counts
 * its two vertices. */
static void fit_circle(const struct mesh *m, const struct patch *patch, const struct edge *rim, int64_t n,
                       int32_t which, struct piece *piece)
{
    double u[3], v[3], mean[3] = {0}, uu = 0, uv = 0, vv = 0, ru = 0, rv = 0, count = 0;
    plane_of(m, patch->first + piece->first, u, v);
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3 && rim[i].piece == which; k++)
            mean[k] += m->vertex[3 * (int64_t)rim[i].a + k] + m->vertex[3 * (int64_t)rim[i].b + k], count += 2.0 / 3;
    for (int k = 0; k < 3; k++) mean[k] /= count;
    for (int64_t i = 0; i < 2 * n; i++) {
        const double *at = m->vertex + 3 * (int64_t)(i % 2 ? rim[i / 2].b : rim[i / 2].a);
        double d[3] = {at[0] - mean[0], at[1] - mean[1], at[2] - mean[2]}, x = dot(d, u), y = dot(d, v);
        if (rim[i / 2].piece != which) continue;
        uu += x * x, uv += x * y, vv += y * y, ru += x * (x * x + y * y) / 2, rv += y * (x * x + y * y) / 2;
    }
    double determinant = uu * vv - uv * uv;
    double x = (ru * vv - rv * uv) / determinant, y = (rv * uu - ru * uv) / determinant;
    for (int k = 0; k < 3; k++) piece->centre[k] = mean[k] + x * u[k] + y * v[k];
    piece->radius = sqrt(x * x + y * y + (uu + vv) / count);
    for (int64_t i = 0; i < 2 * n; i++) {
        const double *at = m->vertex + 3 * (int64_t)(i % 2 ? rim[i / 2].b : rim[i / 2].a), *c = piece->centre;
        double d[3] = {at[0] - c[0], at[1] - c[1], at[2] - c[2]};
        if (rim[i / 2].piece == which && !(fabs(sqrt(dot(d, d)) - piece->radius) <= ROUND * piece->radius)) {
            piece->radius = 0;
            return;
        }
    }
}

/* ---------------------------------------------------------------- profiles */
/* The shape that the profile requires, in words, if the part does not have it; NULL: it does.  A disc of mesh faces is
 * a polygon, in the coarsest case a hexagon. */
static const char *wrong_shape(const struct piece *piece, int dim, enum inlet_profile profile)
{
    if (dim == 2) return piece->straight ? NULL : "a straight inlet; the one";
    double disc = M_PI * piece->radius * piece->radius;
    if (profile == PROFILE_PARABOLOID)
        return piece->straight && disc > 0 && piece->area >= 0.8 * disc ? NULL :
            "a round inlet (of a rectangular duct: \"parabolic\"); the rim of the one";
    if (piece->n_axes != 2) return "a flat inlet along two coordinate axes; the one";
    double a = half_of(piece, 0), b = half_of(piece, 1);
    return fabs(piece->area - 4 * a * b) <= 1e-6 * piece->area ? NULL : "a rectangle (of a round pipe: "
        "\"paraboloid\"); the inlet";
}

static double shape_at(const double *x, int dim, const struct piece *piece, enum inlet_profile profile)
{
    double distance2 = 0, product = 1, radius2 = 0;
    if (dim == 3 && profile == PROFILE_PARABOLOID) {
        for (int k = 0; k < 3; k++) distance2 += (x[k] - piece->centre[k]) * (x[k] - piece->centre[k]);
        return 1 - distance2 / (piece->radius * piece->radius);
    }
    for (int k = 0; k < piece->n_axes; k++) {
        int axis = piece->axes[k];
        double half = half_of(piece, k), s = x[axis] - (piece->low[axis] + piece->high[axis]) / 2;
        radius2 += half * half, distance2 += s * s;
        product *= 1 - s * s / (half * half);
    }
    return dim == 3 ? product : 1 - distance2 / radius2;
}

/* The mean over face f. */
static double shape_of(const struct mesh *m, int32_t f, const struct piece *piece, enum inlet_profile profile)
{
    const int n = face_points_count(m, f, 1);
    double *x, *weight, mean = 0;
    NEW(x, 3 * n), NEW(weight, n);
    face_points(m, f, 1, x, n, weight);
    for (int i = 0; i < n; i++) {
        const double at[3] = {x[i], x[n + i], m->dim == 3 ? x[2 * n + i] : 0};
        mean += weight[i] * shape_at(at, m->dim, piece, profile);
    }
    free(x), free(weight);
    return mean;
}

/* The factor of each piece by which its mean, weighted with the areas, becomes that of the profile. */
static double *find_factors(const struct mesh *m, const struct patch *patch, const struct pieces *p,
                            enum inlet_profile profile)
{
    const double mean = m->dim == 2 ? 2.0 / 3 : profile == PROFILE_PARABOLIC ? 4.0 / 9 : 0.5;
    double *factor;
    NEW(factor, p->n);
    for (int32_t i = 0; i < patch->count; i++)
        factor[p->of[i]] += mesh_face_size(m, patch->first + i) *
                            shape_of(m, patch->first + i, &p->item[p->of[i]], profile);
    for (int32_t k = 0; k < p->n; k++) factor[k] = mean * p->item[k].area / factor[k];
    return factor;
}

bool boundary_profile(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                      const char *place, double *shape, struct error *e)
{
    const struct mesh *whole = mesh_whole(m);
    const struct patch *all = &whole->patch[patch - m->patch];
    struct pieces p = find_pieces(whole, all, -2);
    bool good = true;
    measure_pieces(whole, all, &p);
    if (set->profile == PROFILE_PARABOLOID && m->dim == 3) {
        int64_t n;
        struct edge *rim = find_rim(whole, all, &p, &n);
        for (int32_t i = 0; i < p.n; i++) fit_circle(whole, all, rim, n, i, &p.item[i]);
        free(rim);
    }
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
    double *factor = good ? find_factors(whole, all, &p, set->profile) : NULL;
    for (int32_t i = 0; i < patch->count + patch->copies && good; i++) {
        int32_t f = patch->first + i, there = m->part ? m->part->face[f] : f, k = p.of[there - all->first];
        shape[i] = factor[k] * shape_of(m, f, &p.item[k], set->profile);
    }
    free(factor), free(p.item), free(p.of);
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

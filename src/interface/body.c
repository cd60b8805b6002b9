#include "interface/body.h"
#include <math.h>
#include <string.h>
#include "interface/shapes.h"
#include "mesh/cells.h"

/* ---------------------------------------------------------------- simplices */
double simplex_volume(const struct simplex *t, int dim)
{
    double a[3][3] = {{0}};
    for (int i = 0; i < dim; i++) difference(t->x[i + 1], t->x[0], a[i]);
    if (dim == 2) return 0.5 * (a[0][0] * a[1][1] - a[0][1] * a[1][0]);
    return (a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) + a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2])
            + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0])) / 6;
}

/* Faces out of a simplex of positive volume. */
static const int8_t tetrahedron_face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

int cell_simplices(const struct mesh *m, int32_t cell, struct simplex *t)
{
    const struct cell_shape *shape = &cell_shape[m->cell_type[cell]];
    double middle[3];
    int n = 0;
    cell_middle(m, cell, middle);
    for (int l = 0; l < shape->n_faces; l++) {
        double corner[4][3], mean[3] = {0};
        int corners = cell_face(m, cell, l, corner, NULL), parts = corners == 4 ? 4 : 1;
        for (int i = 0; i < corners; i++) for (int k = 0; k < 3; k++) mean[k] += corner[i][k] / corners;
        for (int i = 0; i < parts; i++, n++) {
            memcpy(t[n].x[0], middle, sizeof middle);
            memcpy(t[n].x[1], corner[i], sizeof middle), memcpy(t[n].x[2], corner[(i + 1) % corners], sizeof middle);
            if (shape->dim == 3) memcpy(t[n].x[3], corners == 4 ? mean : corner[2], sizeof middle);
        }
    }
    return n;
}

/* Two simplices in place of one: its edge i-j is cut at the part s from i. */
static void split(const struct simplex *t, int i, int j, double s, struct simplex half[2])
{
    half[0] = half[1] = *t;
    for (int k = 0; k < 3; k++) half[0].x[j][k] = half[1].x[i][k] = t->x[i][k] + s * (t->x[j][k] - t->x[i][k]);
}

/* ---------------------------------------------------------------- a body and a simplex */
static double distance_to_edge(const double p[3], const double a[3], const double b[3])
{
    double e[3], d[3], length = difference(b, a, e), s = 0;
    difference(p, a, d);
    if (length > 0) s = fmax(0, fmin(1, dot(d, e) / (length * length)));
    for (int k = 0; k < 3; k++) d[k] -= s * e[k];
    return sqrt(dot(d, d));
}

/* Where p lies behind all edges of the triangle its plane is nearest, else one of them. */
static double distance_to_triangle(const double p[3], const double *const x[3])
{
    double e[2][3], n[3], d[3], nearest = INFINITY;
    bool over = true;
    difference(x[1], x[0], e[0]), difference(x[2], x[0], e[1]);
    for (int k = 0; k < 3; k++) n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
    for (int i = 0; i < 3; i++) {
        double f[3], side = 0;
        difference(x[(i + 1) % 3], x[i], f), difference(p, x[i], d);
        for (int k = 0; k < 3; k++) side += n[k] * (f[(k + 1) % 3] * d[(k + 2) % 3] - f[(k + 2) % 3] * d[(k + 1) % 3]);
        over = over && side >= 0;
        nearest = fmin(nearest, distance_to_edge(p, x[i], x[(i + 1) % 3]));
    }
    return over && dot(n, n) > 0 ? fabs(dot(d, n)) / sqrt(dot(n, n)) : nearest;
}

/* 0 inside the simplex. */
static double distance_to_simplex(const double p[3], const struct simplex *t, int dim)
{
    double nearest = INFINITY, sign = simplex_volume(t, dim) < 0 ? -1 : 1;
    bool inside = true;
    for (int i = 0; i <= dim; i++) {
        struct simplex of_p = *t;
        memcpy(of_p.x[i], p, sizeof of_p.x[i]);
        inside = inside && sign * simplex_volume(&of_p, dim) > 0;
    }
    if (inside) return 0;
    for (int i = 0; i < dim + 1; i++) {
        const int8_t *f = tetrahedron_face[i];
        nearest = fmin(nearest, dim == 2 ? distance_to_edge(p, t->x[i], t->x[(i + 1) % 3])
                                         : distance_to_triangle(p, (const double *[]){t->x[f[0]], t->x[f[1]], t->x[f[2]]}));
    }
    return nearest;
}

bool out_of_plane(const struct body *b, int dim, int i, const double x[3], double *out)
{
    double d[3];
    if (b->type == SHAPE_HALF_SPACE) return difference(x, b->a, d), *out = dot(d, b->b), i < 1;
    int k = i / 2;
    if (k < dim) *out = i % 2 ? x[k] - b->b[k] : b->a[k] - x[k];
    return k < dim;
}

enum where body_where(const struct cutter *k, const struct body *b, const struct simplex *t)
{
    double arm[3], out;
    bool inside = true, farther;
    if (b->type == SHAPE_SPHERE) {
        for (int i = 0; i <= k->dim; i++) inside = inside && difference(t->x[i], b->a, arm) <= b->radius + k->tolerance;
        return inside ? INSIDE : distance_to_simplex(b->a, t, k->dim) >= b->radius - k->tolerance ? OUTSIDE : CUT;
    }
    for (int p = 0; out_of_plane(b, k->dim, p, t->x[0], &out); p++) {
        farther = true;
        for (int i = 0; i <= k->dim; i++) {
            out_of_plane(b, k->dim, p, t->x[i], &out);
            farther = farther && out >= -k->tolerance, inside = inside && out <= k->tolerance;
        }
        if (farther) return OUTSIDE;
    }
    return inside ? INSIDE : CUT;
}

static double ball_in_simplex(const struct body *b, const struct simplex *t, int dim)
{
    struct simplex r = *t;
    double sum = 0, sign = simplex_volume(t, dim) < 0 ? -1 : 1;
    for (int i = 0; i <= dim; i++) difference(t->x[i], b->a, r.x[i]);
    for (int i = 0; i <= dim; i++) {
        double corner[3][3];
        for (int j = 0; j < 3; j++) memcpy(corner[j], r.x[tetrahedron_face[i][j]], sizeof corner[j]);
        sum += dim == 2 ? circle_under_edge(r.x[i], r.x[(i + 1) % 3], b->radius) : ball_under_triangle(corner, b->radius);
    }
    return sign * fmax(0, fmin(sign * sum, fabs(simplex_volume(t, dim))));
}

/* ---------------------------------------------------------------- many bodies and a simplex */
static double both_halves(const struct cutter *k, const struct simplex half[2], const struct body *const *body, int n,
                          int halvings)
{
    double first = second_fluid(k, &half[0], body, n, halvings);
    return first + second_fluid(k, &half[1], body, n, halvings);
}

/* Cuts by a plane of the body that crosses an edge. */
static double cut_by_plane(const struct cutter *k, const struct simplex *t, const struct body *b, const struct body *const *body,
                           int n, int halvings)
{
    struct simplex half[2];
    double out[4];
    for (int p = 0; out_of_plane(b, k->dim, p, t->x[0], &out[0]); p++) {
        for (int i = 1; i <= k->dim; i++) out_of_plane(b, k->dim, p, t->x[i], &out[i]);
        for (int i = 0; i <= k->dim; i++)
            for (int j = 0; j <= k->dim; j++)
                if (out[i] < -k->tolerance && out[j] > k->tolerance) {
                    split(t, i, j, out[i] / (out[i] - out[j]), half);
                    return both_halves(k, half, body, n, halvings);
                }
    }
    die("a body cuts a simplex, but none of its planes does");
}

static double halve(const struct cutter *k, const struct simplex *t, const struct body *const *body, int n, int halvings)
{
    struct simplex half[2];
    double longest = -1, edge[3];
    int from = 0, to = 1;
    for (int i = 0; i <= k->dim; i++)
        for (int j = i + 1; j <= k->dim; j++) {
            double length = difference(t->x[i], t->x[j], edge);
            if (length > longest * (1 + 1e-9)) longest = length, from = i, to = j;
        }
    split(t, from, to, 0.5, half);
    return both_halves(k, half, body, n, halvings - 1);
}

static double with_tangent_planes(const struct cutter *k, const struct simplex *t, const struct body *const *body, int n)
{
    struct body plane[n];
    const struct body *list[n];
    double middle[3] = {0};
    for (int i = 0; i <= k->dim; i++) for (int j = 0; j < 3; j++) middle[j] += t->x[i][j] / (k->dim + 1);
    for (int i = 0; i < n; i++) {
        list[i] = &plane[i], plane[i] = *body[i];
        if (body[i]->type != SHAPE_SPHERE) continue;
        double length = difference(middle, body[i]->a, plane[i].b);
        plane[i].type = SHAPE_HALF_SPACE;
        if (!(length > 0)) plane[i].b[0] = length = 1;
        for (int j = 0; j < 3; j++) plane[i].b[j] /= length, plane[i].a[j] += body[i]->radius * plane[i].b[j];
    }
    return second_fluid(k, t, list, n, 0);
}

/* a lies in b. */
static bool nested(const struct body *a, const struct body *b)
{
    double arm[3];
    return difference(a->a, b->a, arm) + a->radius <= b->radius;
}

/* Spheres without effect: added ones in others, removed ones in removed ones.  Of two that are the same the first stays. */
static int without_nested(const struct body **body, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        bool idle = false;
        for (int j = 0; j < n; j++) {
            if (i == j || !nested(body[i], body[j])) continue;
            bool first = j < i || !nested(body[j], body[i]);
            idle = idle || (body[j]->remove && !body[i]->remove) || (body[j]->remove == body[i]->remove && first);
        }
        if (!idle) body[kept++] = body[i];
    }
    return kept;
}

/* Does body i count by its whole volume, beside and in the others?  1, -1 (taken away), 0; or 2: no, they cross. */
static int weight(const struct body *const *body, int n, int i, bool full)
{
    double arm[3];
    bool in_one = full, touches = false;
    for (int j = 0; j < n; j++) {
        bool apart = difference(body[i]->a, body[j]->a, arm) >= body[i]->radius + body[j]->radius;
        if (i == j || apart) continue;
        if (body[i]->remove == body[j]->remove) return 2;
        in_one = in_one || (body[i]->remove && nested(body[i], body[j])), touches = true;
    }
    if (!body[i]->remove) return 1;
    return in_one ? -1 : touches ? 2 : 0;
}

/* Spheres alone are left, that all cut; full: a body that holds the whole simplex, so that they are all removed. */
static double cut_by_spheres(const struct cutter *k, const struct simplex *t, const struct body **body, int n,
                             const struct body *full, int halvings)
{
    double volume = full ? simplex_volume(t, k->dim) : 0;
    n = without_nested(body, n);
    for (int i = 0; i < n; i++) {
        int w = weight(body, n, i, full);
        if (w == 2) {
            if (full) body[n++] = full;
            return halvings ? halve(k, t, body, n, halvings) : with_tangent_planes(k, t, body, n);
        }
        if (w) volume += w * ball_in_simplex(body[i], t, k->dim);
    }
    return volume;
}

double second_fluid(const struct cutter *k, const struct simplex *t, const struct body *const *body, int n, int halvings)
{
    const struct body *cut[n + 1], *full = NULL, *plane = NULL;
    enum where at[n + 1];
    int n_cut = 0, n_added = 0;
    for (int i = 0; i < n; i++) {
        at[i] = body_where(k, body[i], t);
        if (at[i] == INSIDE && body[i]->remove) return 0;
        if (at[i] == INSIDE) full = body[i];
    }
    for (int i = 0; i < n; i++) {
        if (at[i] != CUT || (full && !body[i]->remove)) continue;
        cut[n_cut++] = body[i], n_added += !body[i]->remove;
        if (body[i]->type != SHAPE_SPHERE) plane = body[i];
    }
    if (!full && !n_added) return 0;
    if (!n_cut) return simplex_volume(t, k->dim);
    if (!plane) return cut_by_spheres(k, t, cut, n_cut, full, halvings);
    if (full) cut[n_cut++] = full;                      /* the parts must see it too */
    return cut_by_plane(k, t, plane, cut, n_cut, halvings);
}

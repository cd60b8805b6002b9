/* Volumes of simplices cut by spheres, boxes and half-spaces (body.h). */
#include "interface/body.h"
#include <math.h>
#include <string.h>
#include "base/memory.h"
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

/* Faces of a simplex of positive volume, seen from outside. */
static const int8_t tetrahedron_face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

int cell_simplices(const struct mesh *m, int32_t cell, struct simplex **simplex)
{
    struct simplex *t;
    double middle[3];
    int n = 0;
    for (int64_t l = m->cell_face_start[cell]; l < m->cell_face_start[cell + 1]; l++) n += cell_ring(m, l).n;
    NEW(t, n);
    n = 0;
    cell_middle(m, cell, middle);
    for (int64_t l = m->cell_face_start[cell]; l < m->cell_face_start[cell + 1]; l++) {
        const struct ring ring = cell_ring(m, l);
        double mean[3] = {0};
        for (int i = 0; i < ring.n; i++) for (int k = 0; k < 3; k++) mean[k] += ring_corner(m, &ring, i)[k] / ring.n;
        for (int i = 0; i < (ring.n < 4 ? 1 : ring.n); i++, n++) {
            memcpy(t[n].x[0], middle, sizeof middle);
            memcpy(t[n].x[1], ring_corner(m, &ring, i), sizeof middle);
            memcpy(t[n].x[2], ring_corner(m, &ring, i + 1), sizeof middle);
            if (m->dim == 3) memcpy(t[n].x[3], ring.n < 4 ? ring_corner(m, &ring, 2) : mean, sizeof middle);
        }
    }
    *simplex = t;
    return n;
}

/* Splits a simplex in two: its edge i-j is cut at the fraction s from i. */
static void split(const struct simplex *t, int i, int j, double s, struct simplex half[2])
{
    half[0] = half[1] = *t;
    for (int k = 0; k < 3; k++) half[0].x[j][k] = half[1].x[i][k] = t->x[i][k] + s * (t->x[j][k] - t->x[i][k]);
}

/* ---------------------------------------------------------------- a body and a simplex */
/* Distance of p to the simplex; 0 inside it. */
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
                                : distance_to_triangle(p, t->x[f[0]], t->x[f[1]], t->x[f[2]]));
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
        double nearest = INFINITY, farthest = 0;                /* corner */
        for (int i = 0; i <= k->dim; i++) {
            double length = difference(t->x[i], b->a, arm);
            nearest = fmin(nearest, length), farthest = fmax(farthest, length);
        }
        if (farthest <= b->radius + k->tolerance) return INSIDE;
        if (nearest < b->radius - k->tolerance) return CUT;     /* before computing the distance, which is expensive */
        return distance_to_simplex(b->a, t, k->dim) >= b->radius - k->tolerance ? OUTSIDE : CUT;
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
        sum += dim == 2 ? circle_under_edge(r.x[i], r.x[(i + 1) % 3], b->radius)
                        : ball_under_triangle(corner, b->radius);
    }
    return sign * fmax(0, fmin(sign * sum, fabs(simplex_volume(t, dim))));
}

/* ---------------------------------------------------------------- many bodies and a simplex */
/* Cuts the simplex at the fraction s of its edge i-j and adds the volumes in both halves. */
static double cut_edge(const struct cutter *k, const struct simplex *t, int i, int j, double s,
                       const struct body *const *body, int n)
{
    struct simplex half[2];
    split(t, i, j, s, half);
    double first = second_fluid(k, &half[0], body, n);
    return first + second_fluid(k, &half[1], body, n);
}

/* Cuts the simplex by a plane of the body, which crosses one of its edges. */
static double cut_by_plane(const struct cutter *k, const struct simplex *t, const struct body *b,
                           const struct body *const *body, int n)
{
    double out[4];
    for (int p = 0; out_of_plane(b, k->dim, p, t->x[0], &out[0]); p++) {
        for (int i = 1; i <= k->dim; i++) out_of_plane(b, k->dim, p, t->x[i], &out[i]);
        for (int i = 0; i <= k->dim; i++)
            for (int j = 0; j <= k->dim; j++)
                if (out[i] < -k->tolerance && out[j] > k->tolerance)
                    return cut_edge(k, t, i, j, out[i] / (out[i] - out[j]), body, n);
    }
    die("a body cuts a simplex, but none of its planes does");
}

/* The power of a point x with respect to a sphere is |x - centre|^2 - radius^2.  This is the power for a less that
 * for b, at the simplex's corners.  It is linear in x.  Where it is positive, points of ball a are in ball b too; on
 * the plane of the spheres' intersection it is zero. */
static void power_differences(const struct cutter *k, const struct body *a, const struct body *b,
                              const struct simplex *t, double power[4])
{
    for (int i = 0; i <= k->dim; i++) {
        power[i] = -(a->radius - b->radius) * (a->radius + b->radius);
        for (int l = 0; l < 3; l++) power[i] += (b->a[l] - a->a[l]) * ((t->x[i][l] - a->a[l]) + (t->x[i][l] - b->a[l]));
    }
}

static double power_tolerance(const struct cutter *k, const struct body *a, const struct body *b)
{
    return k->tolerance * (a->radius + b->radius);
}

/* Is the part of ball a in the simplex inside ball b? */
static bool covers(const struct cutter *k, const struct body *b, const struct body *a, const struct simplex *t)
{
    double arm[3], power[4];
    if (difference(a->a, b->a, arm) + a->radius <= b->radius) return true;
    power_differences(k, a, b, t, power);
    for (int i = 0; i <= k->dim; i++) if (power[i] < -power_tolerance(k, a, b)) return false;
    return true;
}

static bool are_apart(const struct body *a, const struct body *b)
{
    double arm[3];
    return difference(a->a, b->a, arm) >= a->radius + b->radius;
}

static bool makes_idle(const struct cutter *k, const struct body *b, const struct body *a, const struct simplex *t)
{
    return (b->remove || !a->remove) && covers(k, b, a, t);
}

/* The sphere with the least power at the simplex's first corner: the most likely to cover others. */
static const struct body *deepest(const struct simplex *t, const struct body *const *body, int n, bool remove)
{
    const struct body *best = NULL;
    double least = INFINITY, arm[3];
    for (int i = 0; i < n; i++) {
        double length = difference(t->x[0], body[i]->a, arm), power = (length - body[i]->radius) *
                                                                      (length + body[i]->radius);
        if (body[i]->remove == remove && power < least) least = power, best = body[i];
    }
    return best;
}

/* Drops the spheres that have no effect in the simplex: added ones that are covered by another one, added or removed,
 * and removed ones that are covered by another removed one.  Returns the number left.  A dropped sphere covers no
 * others, so that one of several equal spheres stays.  If many overlap, those covered by the deepest are dropped first,
 * since all the others are compared with each other. */
static int without_covered(const struct cutter *k, const struct simplex *t, const struct body **body, int n)
{
    int kept = 0;
    for (int remove = 0; remove < 2; remove++) {
        const struct body *best = deepest(t, body, n, remove);
        for (int i = kept = 0; i < n; i++)
            if (!best || body[i] == best || !makes_idle(k, best, body[i], t)) body[kept++] = body[i];
        n = kept;
    }
    kept = 0;
    for (int i = 0; i < n; i++) {
        bool idle = false;
        for (int j = 0; j < n && !idle; j++)
            if (j < kept || j > i)
                idle = makes_idle(k, body[j], body[i], t);
        if (!idle) body[kept++] = body[i];
    }
    return kept;
}

/* The volume if only spheres are left and all of them cut the simplex.  full: a body that contains the whole simplex,
 * or NULL; with it all spheres are removed ones.  If two intersect in the simplex it is cut by the plane of the
 * intersection: on either side of it one of them covers the other. */
static double cut_by_spheres(const struct cutter *k, const struct simplex *t, const struct body **body, int n,
                             const struct body *full)
{
    double volume = full ? simplex_volume(t, k->dim) : 0, power[4];
    n = without_covered(k, t, body, n);
    for (int i = 0; i < n; i++) {
        bool within = full;                             /* is there second fluid for a removed sphere to subtract? */
        for (int j = 0; j < n; j++) {
            if (j == i || are_apart(body[i], body[j])) continue;
            if (covers(k, body[j], body[i], t)) within = true;
            if (j < i || covers(k, body[j], body[i], t) || covers(k, body[i], body[j], t)) continue;
            power_differences(k, body[i], body[j], t, power);
            double room = power_tolerance(k, body[i], body[j]);
            if (full) body[n++] = full;                 /* the parts must see it too */
            for (int p = 0; p <= k->dim; p++)
                for (int q = 0; q <= k->dim; q++)
                    if (power[p] < -room && power[q] > room)
                        return cut_edge(k, t, p, q, power[p] / (power[p] - power[q]), body, n);
        }
        if (!body[i]->remove || within) volume += (body[i]->remove ? -1 : 1) * ball_in_simplex(body[i], t, k->dim);
    }
    return volume;
}

double second_fluid(const struct cutter *k, const struct simplex *t, const struct body *const *body, int n)
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
    if (!plane) return cut_by_spheres(k, t, cut, n_cut, full);
    if (full) cut[n_cut++] = full;                      /* the parts must see it too */
    return cut_by_plane(k, t, plane, cut, n_cut);
}

/* Quadrature points on faces (face_points.h): Gauss's in 2-D, their product on quadrilaterals, three in triangles. */
#include "assembly/face_points.h"
#include <math.h>
#include "mesh/part.h"
#include "mesh/rings.h"

static const double GAUSS = 0.577350269189625764509148780501957456;     /* 1/sqrt(3), on [-1, 1] */

/* The face's vertices are those of the whole mesh. */
static struct ring ring_of(const struct mesh *m, int32_t f, const struct mesh **whole)
{
    *whole = mesh_whole(m);
    return face_ring(*whole, m->part ? m->part->face[f] : f);
}

int face_points_count(const struct mesh *m, int32_t f)
{
    const struct mesh *whole;
    const int corners = ring_of(m, f, &whole).n;
    return m->dim == 2 ? 2 : corners <= 4 ? corners : 3 * corners;
}

static void on_edge(const double *a, const double *b, double *x, int64_t stride, double *weight)
{
    for (int i = 0; i < 2; i++) {
        double s = i ? GAUSS : -GAUSS;
        for (int k = 0; k < 2; k++) x[k * stride + i] = (a[k] + b[k]) / 2 + s * (b[k] - a[k]) / 2;
        weight[i] = 0.5;
    }
}

static double triangle_area(const double *a, const double *b, const double *c)
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) u[k] = b[k] - a[k], v[k] = c[k] - a[k];
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
}

/* Weights: a third of the area each. */
static void in_triangle(const double *a, const double *b, const double *c, double *x, int64_t stride, double *weight)
{
    const double *corner[3] = {a, b, c}, area = triangle_area(a, b, c);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) x[k * stride + i] = (a[k] + b[k] + c[k]) / 6 + corner[i][k] / 2;
        weight[i] = area / 3;
    }
}

/* The bilinear map of a square; weights: the area of the map there. */
static void in_quadrilateral(const double *const p[4], double *x, int64_t stride, double *weight)
{
    for (int i = 0; i < 4; i++) {
        double s = i % 2 ? GAUSS : -GAUSS, t = i / 2 ? GAUSS : -GAUSS, u[3], v[3];
        for (int k = 0; k < 3; k++) {
            x[k * stride + i] = ((1 - s) * ((1 - t) * p[0][k] + (1 + t) * p[3][k]) +
                                 (1 + s) * ((1 - t) * p[1][k] + (1 + t) * p[2][k])) / 4;
            u[k] = (1 - t) * (p[1][k] - p[0][k]) + (1 + t) * (p[2][k] - p[3][k]);
            v[k] = (1 - s) * (p[3][k] - p[0][k]) + (1 + s) * (p[2][k] - p[1][k]);
        }
        static const double origin[3];
        weight[i] = triangle_area(origin, u, v);
    }
}

/* Triangles around the mean of the corners. */
static void in_polygon(const struct mesh *m, const struct ring *r, double *x, int64_t stride, double *weight)
{
    double middle[3] = {0};
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < 3; k++) middle[k] += ring_corner(m, r, i)[k] / r->n;
    for (int i = 0; i < r->n; i++)
        in_triangle(middle, ring_corner(m, r, i), ring_corner(m, r, i + 1), x + 3 * i, stride, weight + 3 * i);
}

void face_points(const struct mesh *m, int32_t f, double *x, int64_t stride, double *weight)
{
    const struct mesh *whole;
    const struct ring r = ring_of(m, f, &whole);
    const int n = face_points_count(m, f);
    const double *p[4];
    double sum = 0;
    for (int i = 0; i < 4 && i < r.n; i++) p[i] = ring_corner(whole, &r, i);
    if (m->dim == 2) on_edge(p[0], p[1], x, stride, weight);
    else if (r.n == 3) in_triangle(p[0], p[1], p[2], x, stride, weight);
    else if (r.n == 4) in_quadrilateral(p, x, stride, weight);
    else in_polygon(whole, &r, x, stride, weight);
    for (int i = 0; i < n; i++) sum += weight[i];
    for (int i = 0; i < n; i++) weight[i] /= sum;
}

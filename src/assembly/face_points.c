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

int face_points_count(const struct mesh *m, int32_t f, int pieces)
{
    const struct mesh *whole;
    const int corners = ring_of(m, f, &whole).n;
    return m->dim == 2 ? 2 * pieces : pieces * pieces * (corners <= 4 ? corners : 3 * corners);
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

/* ---------------------------------------------------------------- in pieces */
static void on_edges(const double *a, const double *b, int pieces, double *x, int64_t stride, double *weight)
{
    for (int i = 0; i < pieces; i++) {
        double end[2][2];
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++) end[j][k] = a[k] + (b[k] - a[k]) * (i + j) / pieces;
        on_edge(end[0], end[1], x + 2 * i, stride, weight + 2 * i);
    }
}

/* Rows of triangles along a-b, every other one upside down. */
static void in_triangles(const double *a, const double *b, const double *c, int pieces, double *x, int64_t stride,
                         double *weight)
{
    int n = 0;
    for (int i = 0; i < pieces; i++)
        for (int j = 0; j < 2 * (pieces - i) - 1; j++, n += 3) {
            const int along = j / 2, down = j % 2;
            const int at[3][2] = {{along + down, i}, {along + 1, i + down}, {along, i + 1}};
            double corner[3][3];
            for (int p = 0; p < 3; p++)
                for (int k = 0; k < 3; k++)
                    corner[p][k] = a[k] + ((b[k] - a[k]) * at[p][0] + (c[k] - a[k]) * at[p][1]) / pieces;
            in_triangle(corner[0], corner[1], corner[2], x + n, stride, weight + n);
        }
}

static void in_quadrilaterals(const double *const p[4], int pieces, double *x, int64_t stride, double *weight)
{
    for (int i = 0, n = 0; i < pieces * pieces; i++, n += 4) {
        static const int at[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        double corner[4][3];
        for (int q = 0; q < 4; q++) {
            const double s = (double)(i % pieces + at[q][0]) / pieces, t = (double)(i / pieces + at[q][1]) / pieces;
            for (int k = 0; k < 3; k++)
                corner[q][k] = (1 - t) * ((1 - s) * p[0][k] + s * p[1][k]) + t * ((1 - s) * p[3][k] + s * p[2][k]);
        }
        const double *const corners[4] = {corner[0], corner[1], corner[2], corner[3]};
        in_quadrilateral(corners, x + n, stride, weight + n);
    }
}

/* Triangles around the mean of the corners. */
static void in_polygon(const struct mesh *m, const struct ring *r, int pieces, double *x, int64_t stride,
                       double *weight)
{
    const int each = 3 * pieces * pieces;
    double middle[3] = {0};
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < 3; k++) middle[k] += ring_corner(m, r, i)[k] / r->n;
    for (int i = 0; i < r->n; i++)
        in_triangles(middle, ring_corner(m, r, i), ring_corner(m, r, i + 1), pieces, x + each * i, stride,
                     weight + each * i);
}

void face_points(const struct mesh *m, int32_t f, int pieces, double *x, int64_t stride, double *weight)
{
    const struct mesh *whole;
    const struct ring r = ring_of(m, f, &whole);
    const int n = face_points_count(m, f, pieces);
    const double *p[4];
    double sum = 0;
    for (int i = 0; i < 4 && i < r.n; i++) p[i] = ring_corner(whole, &r, i);
    if (m->dim == 2) on_edges(p[0], p[1], pieces, x, stride, weight);
    else if (r.n == 3) in_triangles(p[0], p[1], p[2], pieces, x, stride, weight);
    else if (r.n == 4) in_quadrilaterals(p, pieces, x, stride, weight);
    else in_polygon(whole, &r, pieces, x, stride, weight);
    for (int i = 0; i < n; i++) sum += weight[i];
    for (int i = 0; i < n; i++) weight[i] /= sum;
}

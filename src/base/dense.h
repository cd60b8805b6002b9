/* dense.h: small dense algebra on the host: vectors of three components, small symmetric matrices. */
#ifndef POISE_DENSE_H
#define POISE_DENSE_H
#include <math.h>
#include <stdbool.h>

static inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

/* The inverse of m times its determinant, which is returned. */
static inline double cofactors(double m[3][3], double inverse[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            inverse[j][i] = m[p][r] * m[q][s] - m[p][s] * m[q][r];
        }
    return m[0][0] * inverse[0][0] + m[0][1] * inverse[1][0] + m[0][2] * inverse[2][0];
}

static inline double difference(const double a[3], const double b[3], double to[3])     /* and its length */
{
    double square = 0;
    for (int k = 0; k < 3; k++) to[k] = a[k] - b[k], square += to[k] * to[k];
    return sqrt(square);
}

static inline double distance_to_edge(const double p[3], const double a[3], const double b[3])
{
    double e[3], d[3], length = difference(b, a, e), s = 0;
    difference(p, a, d);
    if (length > 0) s = fmax(0, fmin(1, dot(d, e) / (length * length)));
    for (int k = 0; k < 3; k++) d[k] -= s * e[k];
    return sqrt(dot(d, d));
}

/* The distance to the triangle's plane where p lies over the triangle, else to the nearest edge. */
static inline double distance_to_triangle(const double p[3], const double a[3], const double b[3], const double c[3])
{
    const double *const x[3] = {a, b, c};
    double e[2][3], n[3], d[3], nearest = INFINITY;
    bool over = true;
    difference(b, a, e[0]), difference(c, a, e[1]);
    cross(e[0], e[1], n);
    for (int i = 0; i < 3; i++) {
        double f[3], turn[3];
        difference(x[(i + 1) % 3], x[i], f), difference(p, x[i], d);
        cross(f, d, turn);
        over = over && dot(n, turn) >= 0;
        nearest = fmin(nearest, distance_to_edge(p, x[i], x[(i + 1) % 3]));
    }
    return over && dot(n, n) > 0 ? fabs(dot(d, n)) / sqrt(dot(n, n)) : nearest;
}

/* Cholesky factor of the symmetric n x n matrix a (row pitch `stride`), in its lower triangle, in place.  False if
 * elimination leaves no more than this fraction of a diagonal entry. */
static inline bool cholesky(double *a, int stride, int n, double part)
{
    for (int j = 0; j < n; j++) {
        double *row = a + j * stride, whole = row[j];
        for (int k = 0; k < j; k++) row[j] -= row[k] * row[k];
        if (!(row[j] > part * whole)) return false;
        row[j] = sqrt(row[j]);
        for (int i = j + 1; i < n; i++) {
            double *below = a + i * stride;
            for (int k = 0; k < j; k++) below[j] -= below[k] * row[k];
            below[j] /= row[j];
        }
    }
    return true;
}
#endif

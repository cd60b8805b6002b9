/* Second moments of faces, and their deviation from a plane (mesh.h). */
#include <math.h>
#include <string.h>
#include "base/dense.h"
#include "mesh/cells.h"

/* Position of (j, k), j >= k, in a packed symmetric matrix. */
static int packed(int j, int k) { return j * (j + 1) / 2 + k; }

bool mesh_face_is_flat(const struct mesh *m, int32_t f)
{
    const struct ring ring = face_ring(m, f);
    double a[3][3];
    if (ring.n != 4) return ring.n < 4;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) a[i][k] = ring_corner(m, &ring, i + 1)[k] - ring_corner(m, &ring, 0)[k];
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) + a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]) == 0;
}

bool mesh_face_moments(const struct mesh *m, int32_t f, double moment[6], double bend[3][3])
{
    double area[3], centre[3], mean[3] = {0}, whole = 0, largest = 0;
    const struct ring ring = face_ring(m, f);
    face_measure(m, &ring, area, centre);
    memset(moment, 0, 6 * sizeof *moment), memset(bend, 0, 9 * sizeof(double));
    if (ring.n == 2) {
        const double *from = ring_corner(m, &ring, 0), *to = ring_corner(m, &ring, 1);
        for (int j = 0; j < 2; j++)
            for (int k = 0; k <= j; k++) moment[packed(j, k)] = (to[j] - from[j]) * (to[k] - from[k]) / 12;
        return false;
    }
    for (int k = 0; k < 3; k++) whole += area[k] * area[k];
    for (int i = 0; i < ring.n; i++) for (int k = 0; k < 3; k++) mean[k] += ring_corner(m, &ring, i)[k] / ring.n;
    for (int t = 0; t < ring.n; t++) {
        const double *v[3] = {mean, ring_corner(m, &ring, t), ring_corner(m, &ring, t + 1)};
        double a[3], b[3], s[3], part = 0;
        for (int k = 0; k < 3; k++) a[k] = v[1][k] - v[0][k], b[k] = v[2][k] - v[0][k];
        cross(a, b, s);
        for (int k = 0; k < 3; k++) s[k] *= 0.5, part += s[k] * area[k] / whole;
        for (int e = 0; e < 3; e++) {                   /* the edge-midpoint rule is exact for quadratics */
            double y[3];
            for (int k = 0; k < 3; k++) y[k] = 0.5 * (v[e][k] + v[(e + 1) % 3][k]) - centre[k];
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++) {
                    bend[j][k] += y[j] * s[k] / 3;
                    if (k <= j) moment[packed(j, k)] += y[j] * y[k] * part / 3;
                }
        }
    }
    for (int k = 0; k < 9; k++) largest = fmax(largest, fabs(bend[k / 3][k % 3]));
    return largest > 1e-10 * pow(whole, 0.75);
}


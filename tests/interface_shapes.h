/* interface_shapes.h: fractions of ellipses and ellipsoids, exact, and their curvature, for tests. */
#ifndef INTERFACE_SHAPES_H
#define INTERFACE_SHAPES_H
#include "interface_fixture.h"
#include "interface/shapes.h"

struct ellipsoid { double centre[3], axis[3]; };        /* half axes along the coordinates */

/* Scaled to a unit ball, the simplex remains a simplex. */
static inline double part_of_ellipsoid(double x[4][3], int dim, const struct ellipsoid *e)
{
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    double y[4][3] = {{0}}, sum = 0, scale = 1;
    for (int k = 0; k < dim; k++) scale *= e->axis[k];
    for (int i = 0; i <= dim; i++)
        for (int k = 0; k < dim; k++) y[i][k] = (x[i][k] - e->centre[k]) / e->axis[k];
    if (dim == 2)
        for (int i = 0; i < 3; i++) sum += circle_under_edge(y[i], y[(i + 1) % 3], 1);
    else
        for (int f = 0; f < 4; f++) {
            double corner[3][3];
            for (int i = 0; i < 3; i++) memcpy(corner[i], y[face[f][i]], sizeof corner[i]);
            sum += ball_under_triangle(corner, 1);
        }
    return sum * scale;
}

static inline double ellipsoid_value(const double x[3], const void *data)
{
    const struct ellipsoid *e = data;
    double sum = -1;
    for (int k = 0; k < 3; k++)
        sum += e->axis[k] > 0 ? (x[k] - e->centre[k]) * (x[k] - e->centre[k]) / (e->axis[k] * e->axis[k]) : 0;
    return sum;
}

/* Sets its exact fractions and reconstructs the interface from them. */
static inline void set_ellipsoid(struct two_fluids *t, const struct ellipsoid *e)
{
    for (int32_t c = 0; c < t->m.n_cells; c++) {
        struct cut_cell k;
        double sum = 0, reach = 0, x[4][3] = {{0}}, middle[3] = {0}, least = 1e300, most = 0;
        cut_cell_load(&t->host, c, &k);
        for (int i = 0; i < t->m.dim; i++) middle[i] = t->m.cell_centre[(int64_t)i * t->m.n_cells + c];
        for (int n = 0; n < k.n_nodes; n++)
            reach = fmax(reach, sqrt(k.x[n][0] * k.x[n][0] + k.x[n][1] * k.x[n][1] + k.x[n][2] * k.x[n][2]));
        for (int i = 0; i < t->m.dim; i++) least = fmin(least, e->axis[i]), most = fmax(most, e->axis[i]);
        double q = sqrt(ellipsoid_value(middle, e) + 1), away = fabs(q - 1) * least;
        if (away > reach) { t->fraction[c] = q < 1; continue; }
        for (int s = 0; s < k.n_simplices; s++) {
            for (int i = 0; i <= k.dim; i++)
                for (int j = 0; j < k.dim; j++) x[i][j] = k.x[k.node[s][i]][j] + middle[j];
            sum += part_of_ellipsoid(x, k.dim, e);
        }
        t->fraction[c] = fmin(1, fmax(0, sum / k.volume));
        if (t->fraction[c] < 1e-9) t->fraction[c] = 0;
        if (t->fraction[c] > 1 - 1e-9) t->fraction[c] = 1;
    }
    device_upload(t->i.fraction, t->fraction, (size_t)t->m.n_cells * sizeof(double));
    interface_reconstruct(&t->i);
}

/* Unit normal and curvature where the ray from the centre through x meets the surface. */
static inline double ellipsoid_curvature(const struct ellipsoid *e, int dim, const double x[3], double n[3])
{
    double q = sqrt(ellipsoid_value(x, e) + 1), g[3] = {0}, gg = 0, trace = 0, along = 0;
    for (int k = 0; k < dim; k++) g[k] = (x[k] - e->centre[k]) / (q * e->axis[k] * e->axis[k]), gg += g[k] * g[k];
    for (int k = 0; k < dim; k++)
        n[k] = g[k] / sqrt(gg), trace += 1 / (e->axis[k] * e->axis[k]),
        along += n[k] * n[k] / (e->axis[k] * e->axis[k]);
    return (trace - along) / sqrt(gg);
}
#endif

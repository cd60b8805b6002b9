/* cut.h: cells cut by planes, for kernel bodies.
 *
 * A cell is divided into simplices: a triangle or tetrahedron is one itself, a polygon is divided into triangles, other
 * cells into tetrahedra, each from the cell's middle, a face's middle and an edge of that face (if the face is a
 * triangle: from the cell's middle and the face).  mesh/geometry.c uses the same division, so the parts sum to the
 * cell's volume, also with non-planar faces.  In each simplex the part below a plane has a closed form in the values of
 * the plane's linear function at the corners; it is written without differences of nearly equal numbers. Positions are
 * relative to the cell's centre.  "Below" is where the function is <= 0: on the side of the second fluid. */
#ifndef POISE_INTERFACE_CUT_H
#define POISE_INTERFACE_CUT_H
#include "interface/geometry.h"

struct cut_cell {
    int dim, n_corners, n_nodes, n_simplices;
    double x[CUT_NODES][3];             /* corners, then middles; third component 0 in 2-D */
    signed char node[CUT_SIMPLICES][4];
    double size[CUT_SIMPLICES], volume; /* volumes of the simplices, and their sum */
};

ON_DEVICE void order_two(double *a, double *b) { if (*b < *a) { double t = *a; *a = *b, *b = t; } }

/* Part of a triangle or tetrahedron where the linear function with these values at its corners is <= 0.
 * *slope: the derivative of the part with respect to the plane's offset, which is subtracted from all values. */
ON_DEVICE double triangle_part(double a, double b, double c, double *slope)
{
    order_two(&a, &b), order_two(&b, &c), order_two(&a, &b);
    *slope = 0;
    if (c <= 0) return 1;
    if (a > 0) return 0;
    if (b > 0) {
        double p = -a / (b - a), q = -a / (c - a);
        *slope = 2 * q / (b - a);
        return p * q;
    }
    double p = c / (c - b), q = c / (c - a);
    *slope = 2 * q / (c - b);
    return 1 - p * q;
}

ON_DEVICE double tetrahedron_part(double a, double b, double c, double d, double *slope)
{
    order_two(&a, &b), order_two(&c, &d), order_two(&a, &c), order_two(&b, &d), order_two(&b, &c);
    *slope = 0;
    if (d <= 0) return 1;
    if (a > 0) return 0;
    if (b > 0) {                        /* one corner below */
        double p = -a / (b - a), q = -a / (c - a), r = -a / (d - a);
        *slope = 3 * q * r / (b - a);
        return p * q * r;
    }
    if (c <= 0) {                       /* one corner above */
        double p = d / (d - a), q = d / (d - b), r = d / (d - c);
        *slope = 3 * p * q / (d - c);
        return 1 - p * q * r;
    }
    /* An edge below, an edge above: the wedge between them is three tetrahedra. */
    double ac = 1 / (c - a), ad = 1 / (d - a), bc = 1 / (c - b), bd = 1 / (d - b);
    double p = -a * ac, q = -a * ad, r = -b * bc, s = -b * bd;
    *slope = bc * s + r * bd + (ac * q + p * ad) * (1 - s) - p * q * bd + (ac * s + p * bd) * (1 - r) - p * s * bc;
    return r * s + p * q * (1 - s) + p * s * (1 - r);
}

ON_DEVICE double triangle_size(const double *a, const double *b, const double *c)
{
    return 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}
ON_DEVICE double tetrahedron_size(const double *o, const double *a, const double *b, const double *c)
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) u[k] = a[k] - o[k], v[k] = b[k] - o[k], w[k] = c[k] - o[k];
    return (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
            u[2] * (v[0] * w[1] - v[1] * w[0])) / 6;
}

ON_DEVICE void add_simplex(struct cut_cell *k, int a, int b, int c, int d)
{
    int n = k->n_simplices++;
    k->node[n][0] = (signed char)a, k->node[n][1] = (signed char)b;
    k->node[n][2] = (signed char)c, k->node[n][3] = (signed char)d;
    k->size[n] = k->dim == 2 ? triangle_size(k->x[a], k->x[b], k->x[c])
                             : tetrahedron_size(k->x[a], k->x[b], k->x[c], k->x[d]);
    k->volume += k->size[n];
}

/* Adds the mean of n nodes as a new node; returns its number. */
ON_DEVICE int add_middle(struct cut_cell *k, const signed char *node, int n)
{
    int at = k->n_nodes++;
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += k->x[node ? node[j] : j][i];
        k->x[at][i] = sum / n;
    }
    return at;
}

NOT_INLINED void cut_cell_load(const struct geometry *g, int64_t cell, struct cut_cell *k)
{
    k->dim = g->s.dim;
    k->n_nodes = k->n_simplices = 0;
    k->volume = 0;
    for (int i = 0; i < g->most_vertices; i++) {
        int32_t v = g->cell_vertex[(int64_t)i * g->s.pitch + cell];
        if (v < 0) break;
        k->x[k->n_nodes][2] = 0;
        for (int j = 0; j < k->dim; j++)
            k->x[k->n_nodes][j] = g->vertex[(int64_t)j * g->n_vertices + v] - CELL_VALUE(g->s, g->centre, j, cell);
        k->n_nodes++;
    }
    k->n_corners = k->n_nodes;
    if (k->dim == 2) {
        for (int i = 2; i < k->n_nodes; i++) add_simplex(k, 0, i - 1, i, 0);
        return;
    }
    if (k->n_nodes == 4) { add_simplex(k, 0, 1, 2, 3); return; }
    int middle = add_middle(k, 0, k->n_nodes);
    for (const int8_t *f = g->form_face + g->form[cell]; *f; f += *f + 1) {
        if (*f == 3) { add_simplex(k, middle, f[1], f[2], f[3]); continue; }
        int mean = add_middle(k, f + 1, *f);
        for (int i = 1; i <= *f; i++) add_simplex(k, middle, mean, f[i], f[i < *f ? i + 1 : 1]);
    }
}

/* v = n.x at all nodes. */
ON_DEVICE void cut_values(const struct cut_cell *k, const double n[3], double v[CUT_NODES])
{
    for (int i = 0; i < k->n_nodes; i++)
        v[i] = fma(n[0], k->x[i][0], fma(n[1], k->x[i][1], k->dim == 3 ? n[2] * k->x[i][2] : 0.0));
}

/* Volume of the cell where values - offset <= 0, and its derivative with respect to the offset (the section's area
 * over |n|). */
NOT_INLINED double volume_below(const struct cut_cell *k, const double *v, double offset, double *area)
{
    double volume = 0;
    *area = 0;
    for (int s = 0; s < k->n_simplices; s++) {
        const signed char *i = k->node[s];
        double slope, part = k->dim == 2 ? triangle_part(v[i[0]] - offset, v[i[1]] - offset, v[i[2]] - offset, &slope)
                : tetrahedron_part(v[i[0]] - offset, v[i[1]] - offset, v[i[2]] - offset, v[i[3]] - offset, &slope);
        volume = fma(k->size[s], part, volume);
        *area = fma(k->size[s], slope, *area);
    }
    return volume;
}

/* Root in [0, 1] of the cubic with values v0 < 0 <= v1 and slopes s0, s1 at the ends: bracketed Newton. */
ON_DEVICE double cubic_root(double v0, double s0, double v1, double s1)
{
    double a = 2 * (v0 - v1) + s0 + s1, b = 3 * (v1 - v0) - 2 * s0 - s1, low = 0, high = 1, t = v0 / (v0 - v1);
    for (int i = 0; i < 60; i++) {
        double value = fma(fma(fma(a, t, b), t, s0), t, v0), slope = fma(fma(3 * a, t, 2 * b), t, s0);
        if (value < 0) low = t; else high = t;
        double next = t - value / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - t) <= 1e-13 * next) return next;
        t = next;
    }
    return t;
}

/* Offset of the plane of normal n below which the part `fraction` (0 < fraction < 1) of the cell lies.  Between two
 * consecutive values of n.x at the corners the volume is a cubic in the offset, determined by the volumes there and
 * their derivatives.  The result is then refined with the volume itself: for a plane along a face the derivative is
 * discontinuous, and with non-planar faces the cubic changes at their middles. */
NOT_INLINED double plane_offset(const struct cut_cell *k, const double n[3], double fraction)
{
    double v[CUT_NODES], sorted[CUT_NODES], slope, target = fraction * k->volume;
    double v0 = -target, v1 = k->volume - target, s0 = 0, s1 = 0;
    int low = 0, high = k->n_corners - 1;
    cut_values(k, n, v);
    for (int i = 0; i < k->n_corners; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > v[i]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = v[i];
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        double value = volume_below(k, v, sorted[middle], &slope) - target;
        if (value < 0) low = middle, v0 = value, s0 = slope;
        else high = middle, v1 = value, s1 = slope;
    }
    double a = sorted[low], b = sorted[high], length = b - a;
    if (length <= 0) return a;
    double offset = fma(length, cubic_root(v0, length * s0, v1, length * s1), a);
    for (int i = 0; i < 50; i++) {
        double value = volume_below(k, v, offset, &slope) - target;
        if (fabs(value) <= 4e-16 * k->volume) break;
        if (value < 0) a = offset; else b = offset;
        double next = offset - value / slope;
        if (!(next > a && next < b)) next = 0.5 * (a + b);
        if (fabs(next - offset) <= 1e-16 * length) break;
        offset = next;
    }
    return offset;
}

/* Part of a plane inside a cell: its area and first and second moments about the cell's centre, accumulated from its
 * parts. */
struct section { double area, first[3], second[6]; };

ON_DEVICE void crossing(const struct cut_cell *k, const double *v, double offset, int below, int above, double x[3])
{
    double t = (v[below] - offset) / (v[below] - v[above]);
    for (int i = 0; i < 3; i++) x[i] = fma(t, k->x[above][i] - k->x[below][i], k->x[below][i]);
}

/* Adds the segment (n = 2) or triangle (n = 3) of this size with these corners: the integrals of 1, x and x x^T over
 * it. */
ON_DEVICE void add_piece(struct section *s, const double *a, const double *b, const double *c, double size, int n)
{
    double sum[3], scale = size / (n * (n + 1));
    for (int i = 0; i < 3; i++) sum[i] = a[i] + b[i] + (n == 3 ? c[i] : 0.0);
    s->area += size;
    for (int i = 0; i < 3; i++) {
        s->first[i] += size / n * sum[i];
        for (int j = 0; j <= i; j++)
            s->second[PACKED(i, j)] +=
                scale * (a[i] * a[j] + b[i] * b[j] + (n == 3 ? c[i] * c[j] : 0.0) + sum[i] * sum[j]);
    }
}

ON_DEVICE void add_triangle(struct section *s, const double *a, const double *b, const double *c)
{
    double u[3], v[3];
    for (int i = 0; i < 3; i++) u[i] = b[i] - a[i], v[i] = c[i] - a[i];
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
    add_piece(s, a, b, c, 0.5 * sqrt(x * x + y * y + z * z), 3);
}

/* The part of the plane n.x = offset inside the cell: length (2-D) or area, centroid, second moments about the centroid
 * (PACKED). */
NOT_INLINED double plane_section(const struct cut_cell *k, const double n[3], double offset, double centroid[3],
                                  double second[6])
{
    struct section s = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    double v[CUT_NODES], x[4][3];
    cut_values(k, n, v);
    for (int i = 0; i < k->n_simplices; i++) {
        int below[4], above[4], n_below = 0, n_above = 0;
        for (int j = 0; j <= k->dim; j++) {
            int at = k->node[i][j];
            if (v[at] - offset <= 0) below[n_below++] = at; else above[n_above++] = at;
        }
        if (!n_below || !n_above) continue;
        /* Corners in order around the section. */
        crossing(k, v, offset, below[0], above[0], x[0]);
        crossing(k, v, offset, below[0], above[n_above - 1], x[1]);
        if (n_above == 1) crossing(k, v, offset, below[1], above[0], x[1]);
        if (k->dim == 2) {
            double length = (x[1][0] - x[0][0]) * (x[1][0] - x[0][0]) + (x[1][1] - x[0][1]) * (x[1][1] - x[0][1]);
            add_piece(&s, x[0], x[1], x[1], sqrt(length), 2);
            continue;
        }
        if (n_above == 3) crossing(k, v, offset, below[0], above[1], x[2]);
        else if (n_above == 1) crossing(k, v, offset, below[2], above[0], x[2]);
        else crossing(k, v, offset, below[1], above[1], x[2]), crossing(k, v, offset, below[1], above[0], x[3]);
        add_triangle(&s, x[0], x[1], x[2]);
        if (n_above == 2) add_triangle(&s, x[0], x[2], x[3]);
    }
    for (int i = 0; i < 3; i++) centroid[i] = s.area > 0 ? s.first[i] / s.area : 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) second[PACKED(i, j)] = s.second[PACKED(i, j)] - s.area * centroid[i] * centroid[j];
    return s.area;
}
#endif

/* slope.h: least-squares gradients of a scalar where boundaries say something of its derivative.
 *
 * A face with a given value enters the fit by its difference, as the neighbours do (gradient.h).  Of a face with a
 * given flux q, or with x_f = a x_P + b, the value itself depends on the gradient:
 *     x_f = x_P + grad x . t + ...,   t = r - S (S . r) / |S|^2
 * Taken from the gradient before, it would grow from pass to pass where t is long in comparison with what the cell's
 * other faces determine: on flat tetrahedra with two or three insulated faces by several times in each pass.  So such a
 * face enters the fit by the condition itself, a row v . grad x = rhs with |v| = 1 like the others':
 *     given flux     v = n                          rhs = q / (D |S|)
 *     mixed          v = a n + (1 - a) g / |S| r    rhs = g / |S| (b - (1 - a) x_P) */
#ifndef POISE_SLOPE_H
#define POISE_SLOPE_H
#include "assembly/transport.h"

/* Solves the symmetric system m x = b, m packed, by cofactors. */
ON_DEVICE void solve_packed(const double *m, const double *b, double *x, int dim)
{
    if (dim == 2) {
        double det = fma(m[0], m[2], -m[1] * m[1]);
        x[0] = fma(m[2], b[0], -m[1] * b[1]) / det, x[1] = fma(m[0], b[1], -m[1] * b[0]) / det;
        return;
    }
    const double xx = m[0], xy = m[1], yy = m[2], xz = m[3], yz = m[4], zz = m[5];
    double c[6] = {fma(yy, zz, -yz * yz), fma(xz, yz, -xy * zz), fma(xx, zz, -xz * xz),
                   fma(xy, yz, -xz * yy), fma(xy, xz, -xx * yz), fma(xx, yy, -xy * xy)};
    double det = fma(xx, c[0], fma(xy, c[1], xz * c[3]));
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) sum = fma(c[PACKED(i, j)], b[j], sum);
        x[i] = sum / det;
    }
}

/* Adds a row way . grad x = right, of which only the direction and the quotient count. */
ON_DEVICE void add_row(double *matrix, double *rhs, const double *way, double right, int dim)
{
    double square = 0;
    for (int k = 0; k < dim; k++) square = fma(way[k], way[k], square);
    for (int k = 0; k < dim; k++) {
        rhs[k] = fma(way[k] / square, right, rhs[k]);
        for (int l = 0; l <= k; l++) matrix[PACKED(k, l)] = fma(way[k] / square, way[l], matrix[PACKED(k, l)]);
    }
}

/* The row of a boundary face: way; returns its right-hand side.  x: of the cell; value: of the face, if it is given. */
ON_DEVICE double boundary_row(const struct stencil *s, const struct face_values *b, double diffusivity, int32_t f,
                              double x, double value, double *way)
{
    int32_t face = f - s->n_internal;
    double ss = 0;
    for (int k = 0; k < s->dim; k++) ss = fma(FACE_VECTOR(*s, area, k, f), FACE_VECTOR(*s, area, k, f), ss);
    double size = sqrt(ss), near = s->g[f] / size;
    double part = b->rule[face] == RULE_MIXED ? b->mixed[face] : 1.0;
    for (int k = 0; k < s->dim; k++)
        way[k] = b->rule[face] == RULE_VALUE ? FACE_VECTOR(*s, d, k, f)
               : fma(part / size, FACE_VECTOR(*s, area, k, f), (1 - part) * near * FACE_VECTOR(*s, r, k, f));
    if (b->rule[face] == RULE_VALUE) return value - x;
    if (b->rule[face] == RULE_MIXED) return near * (b->mixed[s->n_boundary + face] - (1 - part) * x);
    return b->through && diffusivity > 0 ? b->through[face] / (diffusivity * size) : 0.0;
}

/* gradient [dim pitch] of the argument's x, from its boundary's rules, and values where they are given; in: that of
 * least_squares() from the internal faces alone. */
KERNEL(slope_boundary, struct transport_faces_args)     /* over boundary cells */
#endif

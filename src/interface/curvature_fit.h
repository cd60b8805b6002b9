/* curvature_fit.h: least-squares fit of a paraboloid to facets of the interface, for kernel bodies.
 *
 * In the frame of a facet (origin: its centroid, z along its normal n, out of the second fluid) the interface is
 *     z = a0 + a1 x + a2 x^2                                     (2-D, 3 coefficients)
 *     z = a0 + a1 x + a2 y + a3 x^2 + a4 x y + a5 y^2            (3-D, 6 coefficients)
 * which minimises the sum over facets j of weight_j times the square of the difference between the mean heights of
 * paraboloid and facet over the facet's projection on the plane z = 0.  Volume fractions determine mean heights
 * exactly, because they give the volume below a surface (Jibben, Carlson & Francois 2019, Comput. Math. Appl.
 * 78, 643; Evrard, Denner & van Wachem 2017, Int. J. Multiphase Flow 94, 13).  They depend only on the area, centroid
 * and second moments of a facet.
 *
 * A circle is not a parabola: its height has a fourth-order term, which increases the curvature of a fit over a wide
 * neighbourhood (by 2 % at 8 cells per radius).  With H the Hessian of the paraboloid and q = x.Hx/2, the term is q
 * |Hx|^2 / 4 on circles, cylinders and spheres; the fit is made twice, the second time with that term subtracted from
 * the heights.
 *
 * Lengths are divided by the size of the neighbourhood, so that all coefficients have similar magnitudes. */
#ifndef POISE_INTERFACE_CURVATURE_FIT_H
#define POISE_INTERFACE_CURVATURE_FIT_H
#include "assembly/stencil.h"

enum { FIT_TERMS = 6, FIT_PACKED = 21 };
/* A facet belongs to another part of the interface if the cosine between its normal and that of the fit is below
 * this. */
#define NEAR_TURN 0.2

struct fit {
    double axis[3][3];                  /* tangents, then the normal as axis[dim - 1] */
    double scale;                       /* 1 / length */
    double m[FIT_PACKED], b[FIT_TERMS]; /* normal equations, packed */
    double h[3];                        /* Hessian whose fourth-order term is subtracted: xx xy yy */
};

ON_DEVICE double fit_dot(const double *a, const double *b, const int dim)
{
    double sum = a[0] * b[0];
    for (int k = 1; k < dim; k++) sum = fma(a[k], b[k], sum);
    return sum;
}

ON_DEVICE void fit_clear(struct fit *fit)
{
    for (int k = 0; k < FIT_PACKED; k++) fit->m[k] = 0;
    for (int k = 0; k < FIT_TERMS; k++) fit->b[k] = 0;
}

/* An orthonormal frame whose last axis is n; in 3-D by Duff et al. 2017, J. Comput. Graphics Techniques 6(1), 1. */
ON_DEVICE void fit_frame(struct fit *fit, const double *n, double length, const int dim)
{
    fit->scale = 1 / length;
    fit->h[0] = fit->h[1] = fit->h[2] = 0;
    for (int k = 0; k < dim; k++) fit->axis[dim - 1][k] = n[k];
    if (dim == 2) {
        fit->axis[0][0] = n[1], fit->axis[0][1] = -n[0];
        return;
    }
    double sign = n[2] < 0 ? -1 : 1, a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
    fit->axis[0][0] = 1 + sign * n[0] * n[0] * a, fit->axis[0][1] = sign * b, fit->axis[0][2] = -sign * n[0];
    fit->axis[1][0] = b, fit->axis[1][1] = sign + n[1] * n[1] * a, fit->axis[1][2] = -n[1];
}

/* u.Mv of a packed symmetric matrix. */
ON_DEVICE double fit_moment(const double *moment, const double *u, const double *v, const int dim)
{
    double sum = 0;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) sum = fma(u[i] * v[j], moment[PACKED(i, j)], sum);
    return sum;
}

/* Adds an equation: row . a = z. */
ON_DEVICE void fit_equation(struct fit *fit, double weight, const double *row, double z, const int terms)
{
    for (int i = 0; i < terms; i++) {
        double scaled = weight * row[i];
        for (int j = 0; j <= i; j++) fit->m[PACKED(i, j)] = fma(scaled, row[j], fit->m[PACKED(i, j)]);
        fit->b[i] = fma(scaled, z, fit->b[i]);
    }
}

/* Mean of the fourth-order term over a facet at (x, y) with moments m (xx xy yy), to second order in the facet's size.
 * If the paraboloid's slope is above 1 the term is divided by the slope's fourth power. */
ON_DEVICE double fit_fourth_order(const double *h, double x, double y, const double *m)
{
    double gx = fma(h[0], x, h[1] * y), gy = fma(h[1], x, h[2] * y), s = fma(gx, gx, gy * gy),
           q = 0.5 * fma(gx, x, gy * y);
    double kx = fma(h[0], gx, h[1] * gy), ky = fma(h[1], gx, h[2] * gy);                        /* H H x */
    double spread = m[0] * h[0] + 2 * m[1] * h[1] + m[2] * h[2];                                /* M : H */
    double spread2 = m[0] * (h[0] * h[0] + h[1] * h[1]) + 2 * m[1] * h[1] * (h[0] + h[2]) +
                     m[2] * (h[1] * h[1] + h[2] * h[2]);
    double mixed = gx * (m[0] * kx + m[1] * ky) + gy * (m[1] * kx + m[2] * ky);                 /* g.M H g */
    double mean = 0.25 * (q * s + 0.5 * s * spread + 2 * mixed + q * spread2);
    return s > 1 ? mean / (s * s) : mean;
}

/* r: from the frame's origin to the facet's centroid; moment: mean of (x - centroid)(x - centroid)^T over the facet. */
ON_DEVICE void fit_piece(struct fit *fit, double weight, const double *r, const double *moment, const int dim)
{
    double s = fit->scale, ss = s * s, x = s * fit_dot(fit->axis[0], r, dim),
           z = s * fit_dot(fit->axis[dim - 1], r, dim);
    double m[3] = {ss * fit_moment(moment, fit->axis[0], fit->axis[0], dim), 0, 0};
    if (dim == 2) {
        const double row[3] = {1, x, fma(x, x, m[0])};
        fit_equation(fit, weight, row, z - fit_fourth_order(fit->h, x, 0, m), 3);
        return;
    }
    double y = s * fit_dot(fit->axis[1], r, dim);
    m[1] = ss * fit_moment(moment, fit->axis[0], fit->axis[1], dim);
    m[2] = ss * fit_moment(moment, fit->axis[1], fit->axis[1], dim);
    const double row[6] = {1, x, y, fma(x, x, m[0]), fma(x, y, m[1]), fma(y, y, m[2])};
    fit_equation(fit, weight, row, z - fit_fourth_order(fit->h, x, y, m), 6);
}

/* Adds the equation that the surface has the given normal at r: the slope in the direction of `across` (in 2-D along
 * the interface), minus that of the fourth-order term.  Adds nothing if the normal is too far from the frame's to be
 * expressed as a slope. */
ON_DEVICE void fit_slope(struct fit *fit, double weight, const double *r, const double *normal, const double *across,
                         const int dim)
{
    double x = fit->scale * fit_dot(fit->axis[0], r, dim),
           y = dim == 3 ? fit->scale * fit_dot(fit->axis[1], r, dim) : 0;
    double up = fit_dot(fit->axis[dim - 1], normal, dim);
    if (up < 0.2) return;
    const double *h = fit->h;
    double gx = fma(h[0], x, h[1] * y), gy = fma(h[1], x, h[2] * y), s = fma(gx, gx, gy * gy),
           q = 0.5 * fma(gx, x, gy * y);
    double p = -fit_dot(fit->axis[0], normal, dim) / up;
    if (s <= 1) p -= 0.25 * fma(s, gx, 2 * q * fma(h[0], gx, h[1] * gy));
    if (dim == 2) {
        const double row[3] = {0, 1, 2 * x};
        fit_equation(fit, weight, row, p, 3);
        return;
    }
    double o = -fit_dot(fit->axis[1], normal, dim) / up;
    if (s <= 1) o -= 0.25 * fma(s, gy, 2 * q * fma(h[1], gx, h[2] * gy));
    double u = fit_dot(fit->axis[0], across, dim), v = fit_dot(fit->axis[1], across, dim),
           length = sqrt(fma(u, u, v * v));
    if (length < 0.1) return;
    u = u / length, v = v / length;
    const double row[6] = {0, u, v, 2 * u * x, fma(u, y, v * x), 2 * v * y};
    fit_equation(fit, weight, row, fma(u, p, v * o), 6);
}

/* Cholesky factorisation of the packed matrix m, in place.  Returns 0 if a pivot is less than `least` times its
 * diagonal element: too few facets, or all in a line. */
ON_DEVICE int fit_factor(double *m, double least, const int terms)
{
    for (int i = 0; i < terms; i++) {
        double whole = m[PACKED(i, i)];
        for (int j = 0; j <= i; j++) {
            double sum = m[PACKED(i, j)];
            for (int k = 0; k < j; k++) sum = fma(-m[PACKED(i, k)], m[PACKED(j, k)], sum);
            if (j < i) m[PACKED(i, j)] = sum / m[PACKED(j, j)];
            else {
                if (!(sum > least * whole)) return 0;
                m[PACKED(i, i)] = sqrt(sum);
            }
        }
    }
    return 1;
}

/* The solution a of the factorised matrix and b. */
ON_DEVICE void fit_substitute(const double *m, const double *b, double *a, const int terms)
{
    for (int i = 0; i < terms; i++) {
        a[i] = b[i];
        for (int j = 0; j < i; j++) a[i] = fma(-m[PACKED(i, j)], a[j], a[i]);
        a[i] = a[i] / m[PACKED(i, i)];
    }
    for (int i = terms - 1; i >= 0; i--) {
        for (int j = i + 1; j < terms; j++) a[i] = fma(-m[PACKED(j, i)], a[j], a[i]);
        a[i] = a[i] / m[PACKED(i, i)];
    }
}

/* Solves for the coefficients (in units of the length); m is overwritten, `least` as above. */
ON_DEVICE int fit_solve(double *m, const double *b, double *a, double least, const int terms)
{
    if (!fit_factor(m, least, terms)) return 0;
    fit_substitute(m, b, a, terms);
    return 1;
}

/* The solution with d, packed, added to the matrix m, which is overwritten.  A second solution for what this damping
 * took away makes its effect on what is determined of second order (iterated Tikhonov regularisation: Engl, Hanke &
 * Neubauer 1996, Regularization of Inverse Problems, section 5.1).  `least` as above. */
ON_DEVICE int fit_solve_with(double *m, const double *d, const double *b, double *a, double least, const int terms)
{
    double taken[FIT_TERMS], more[FIT_TERMS];
    for (int i = 0; i < terms * (terms + 1) / 2; i++) m[i] += d[i];
    if (!fit_factor(m, least, terms)) return 0;
    fit_substitute(m, b, a, terms);
    for (int i = 0; i < terms; i++) {
        taken[i] = 0;
        for (int j = 0; j < terms; j++) taken[i] = fma(d[PACKED(i, j)], a[j], taken[i]);
    }
    fit_substitute(m, taken, more, terms);
    for (int i = 0; i < terms; i++) a[i] += more[i];
    return 1;
}

/* The same with small parts of the squares of slopes and curvatures added, so that what the facets do not determine
 * becomes zero continuously: where they lie in a line or in two lines, a fit would multiply rounding by up to 1e10.
 * All directions are treated alike, so that the result does not depend on the frame: `part` of the matrix of slopes and
 * of that of curvatures, and of their traces where these are singular themselves.  Rounding is multiplied by 2/part. */
ON_DEVICE int fit_solve_damped(double *m, const double *b, double *a, double part, const int dim)
{
    double d[FIT_PACKED], slopes = m[PACKED(1, 1)], bows = m[PACKED(dim, dim)];
    const int terms = dim == 2 ? 3 : 6;
    if (dim == 3) slopes += m[PACKED(2, 2)], bows += 2 * m[PACKED(4, 4)] + m[PACKED(5, 5)];
    for (int i = 0; i < terms; i++)
        for (int j = 0; j <= i; j++) {
            double same = i > 0 && j > 0 && (i < dim) == (j < dim) ? m[PACKED(i, j)] : 0;
            if (i == j && i > 0) same = fma(i == 4 ? 0.5 : 1.0, i < dim ? slopes : bows, same);
            d[PACKED(i, j)] = part * same;
        }
    return fit_solve_with(m, d, b, a, 0, terms);
}

/* Of the 3-D equations, with a small part of (a3 - a5)^2 + a4^2 added, in every frame the same: where the facets do not
 * determine a paraboloid, as in a line, it becomes round continuously.  `least` as above. */
ON_DEVICE int fit_solve_rounded(double *m, const double *b, double *a, double part, double least)
{
    double d[FIT_PACKED] = {0};
    part *= m[PACKED(3, 3)] + 2 * m[PACKED(4, 4)] + m[PACKED(5, 5)];
    d[PACKED(3, 3)] = d[PACKED(4, 4)] = d[PACKED(5, 5)] = part, d[PACKED(5, 3)] = -part;
    return fit_solve_with(m, d, b, a, least, 6);
}

/* div n of the surface at x = y = 0: positive where the second fluid is convex. */
ON_DEVICE double fit_curvature(const struct fit *fit, const double *a, const int dim)
{
    if (dim == 2) {
        double q = fma(a[1], a[1], 1.0);
        return -2 * a[2] * fit->scale / (q * sqrt(q));
    }
    double px = fma(a[1], a[1], 1.0), py = fma(a[2], a[2], 1.0), q = px + a[2] * a[2];
    return -2 * (fma(py, a[3], px * a[5]) - a[1] * a[2] * a[4]) * fit->scale / (q * sqrt(q));
}

/* Unit normal of the surface at x = y = 0. */
ON_DEVICE void fit_normal(const struct fit *fit, const double *a, double *n, const int dim)
{
    double square = 0;
    for (int k = 0; k < dim; k++) {
        n[k] = fma(-a[1], fit->axis[0][k], fit->axis[dim - 1][k]);
        if (dim == 3) n[k] = fma(-a[2], fit->axis[1][k], n[k]);
        square = fma(n[k], n[k], square);
    }
    for (int k = 0; k < dim; k++) n[k] /= sqrt(square);
}
#endif

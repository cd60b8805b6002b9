/* curvature_mirror.h: mirror images of the interface's facets at boundaries, for kernel bodies.
 *
 * Next to a boundary a fit has facets on one side only.  The interface is extended by its mirror image in a plane
 * through the contact line that contains the prescribed normal of the interface: a circle or ball that meets the
 * boundary at the contact angle is its own image, so the fit is as accurate as in the interior.  At 90 degrees the
 * plane is the boundary itself, and a drop between symmetry planes gives the same result as the whole drop.
 *
 * A plane is a mean over all contact points within reach of the fit, also in 3-D: a mean of rays from the centre of a
 * ball is such a ray.  Boundaries of different directions have one plane each, and if two of these are at right angles
 * the image is mirrored again. */
#ifndef POISE_INTERFACE_CURVATURE_MIRROR_H
#define POISE_INTERFACE_CURVATURE_MIRROR_H
#include "interface/curvature_fit.h"

enum { MIRRORS = 6 };                    /* all sides of a box one to three cells wide */
#define ONE_BOUNDARY 0.7                /* minimum cosine between normals of faces that count as one boundary */
#define RIGHT_ANGLE 0.1                 /* maximum cosine between planes that count as at right angles */

struct mirrors {
    int n;
    double across[MIRRORS][3];          /* sum of the boundary's normals; then the plane's unit normal */
    double along[MIRRORS][3];           /* sum of the prescribed normals of the interface */
    double point[MIRRORS][3];           /* sum of contact points; then their mean */
    double weight[MIRRORS];
    double right[MIRRORS];              /* sum, then mean of the closeness to 90 degrees, 0 to 1: weight of the
                                           images */
};

/* Adds a contact point at r with the prescribed normal n of the interface and the normal m of the boundary. */
ON_DEVICE void mirrors_add(struct mirrors *all, double weight, double right, const double *r, const double *n,
                           const double *m, const int dim)
{
    int q = 0;
    while (q < all->n && fit_dot(all->across[q], m, dim) < ONE_BOUNDARY * all->weight[q]) q++;
    if (q == MIRRORS || !(weight > 0)) return;
    if (q == all->n) {
        all->n++, all->weight[q] = all->right[q] = 0;
        for (int i = 0; i < 3; i++) all->across[q][i] = all->along[q][i] = all->point[q][i] = 0;
    }
    all->weight[q] += weight, all->right[q] = fma(weight, right, all->right[q]);
    for (int i = 0; i < dim; i++) {
        all->across[q][i] = fma(weight, m[i], all->across[q][i]);
        all->along[q][i] = fma(weight, n[i], all->along[q][i]);
        all->point[q][i] = fma(weight, r[i], all->point[q][i]);
    }
}

/* Computes the planes from the sums. */
ON_DEVICE void mirrors_finish(struct mirrors *all, const int dim)
{
    for (int q = 0; q < all->n; q++) {
        double *t = all->across[q], *n = all->along[q], slope = fit_dot(t, n, dim) / fit_dot(n, n, dim);
        for (int i = 0; i < dim; i++) t[i] = fma(-slope, n[i], t[i]), all->point[q][i] /= all->weight[q];
        double length = sqrt(fit_dot(t, t, dim));
        for (int i = 0; i < dim; i++) t[i] /= length;
        all->right[q] /= all->weight[q];
    }
}

/* A facet: its centroid, normal and second moments, and its cell's metric, both PACKED. */
struct piece { double r[3], n[3], moment[6], metric[6]; };

/* Mirrors a packed symmetric matrix in a plane with the unit normal t. */
ON_DEVICE void mirror_packed(double *m, const double *t, const int dim)
{
    double mt[3], tmt = 0;
    for (int i = 0; i < dim; i++) {
        mt[i] = 0;
        for (int k = 0; k < dim; k++) mt[i] = fma(m[PACKED(i, k)], t[k], mt[i]);
        tmt = fma(t[i], mt[i], tmt);
    }
    for (int i = 0; i < dim; i++)
        for (int k = 0; k <= i; k++)
            m[PACKED(i, k)] += 4 * tmt * t[i] * t[k] - 2 * fma(t[i], mt[k], mt[i] * t[k]);
}

/* Mirrors a facet in the plane through `point` with the unit normal t. */
ON_DEVICE void mirror_piece(struct piece *p, const double *point, const double *t, const int dim)
{
    double away = fit_dot(t, p->r, dim) - fit_dot(t, point, dim), tn = fit_dot(t, p->n, dim);
    for (int i = 0; i < dim; i++)
        p->r[i] = fma(-2 * away, t[i], p->r[i]), p->n[i] = fma(-2 * tn, t[i], p->n[i]);
    mirror_packed(p->moment, t, dim), mirror_packed(p->metric, t, dim);
}

/* Mirrors a facet in all planes of the set, bit q for plane q.  Returns the weight of the image; 0: there is none,
 * because planes of the set are not at right angles. */
ON_DEVICE double mirror_in_set(const struct mirrors *all, int set, struct piece *p, const int dim)
{
    double weight = 1;
    for (int q = 0; q < all->n; q++) {
        if (!(set >> q & 1)) continue;
        for (int k = 0; k < q; k++)
            if (set >> k & 1 && fabs(fit_dot(all->across[k], all->across[q], dim)) > RIGHT_ANGLE) return 0;
        mirror_piece(p, all->point[q], all->across[q], dim);
        weight *= all->right[q];
    }
    return weight;
}
#endif

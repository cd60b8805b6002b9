/* fit_extent.h: extent of the neighbourhood in a fit of curvature (curvature.h), for kernel bodies. */
#ifndef POISE_INTERFACE_FIT_EXTENT_H
#define POISE_INTERFACE_FIT_EXTENT_H
#include "interface/curvature_fit.h"

/* A facet at r from the fit's own is at the distance sqrt(r.M r), relative to the reach, where M is the mean of both
 * cells' metrics, so that two facets see each other at the same distance.  With the metric of the fit's cell alone, a
 * facet of a small cell acted less on one of a large cell than the other way round: on graded meshes the surface
 * tension did work in each period of a wave, and light drops at rest burst.  Metrics of triangles scatter from one to
 * the next, without grading, too: there the mean is less accurate at walls (drops at 30 degrees 2.6 instead of 1.9 %
 * off), and M is that of the fit's cell. */
struct extent {
    double metric[6];                   /* packed */
    int own;                            /* 1: M is this one */
    double length;                      /* reach along the interface; 3-D: quadratic mean of 1 / reach over directions,
                                           inverted */
    double per_area;                    /* 1 / length; 3-D: 1 / product of the reaches along both principal axes */
};

ON_DEVICE double packed_trace(const double *m, const int dim)
{
    double sum = m[0];
    for (int k = 1; k < dim; k++) sum += m[PACKED(k, k)];
    return sum;
}

/* Square of the distance relative to the reach; other: the metric of the facet's cell. */
ON_DEVICE double extent_square(const struct extent *e, const double *other, const double *r, const int dim)
{
    const double square = fit_moment(e->metric, r, r, dim);
    return e->own ? square : 0.5 * (square + fit_moment(other, r, r, dim));
}

/* Completes an extent with a metric for the interface of normal n. */
ON_DEVICE void extent_along(struct extent *e, const double *n, const int dim)
{
    double adjugate[6];
    packed_adjugate(e->metric, adjugate, dim);
    e->length = 1 / sqrt((packed_trace(e->metric, dim) - fit_moment(e->metric, n, n, dim)) / (dim - 1));
    e->per_area = dim == 2 ? 1 / e->length : sqrt(fit_moment(adjugate, n, n, dim));
}
#endif

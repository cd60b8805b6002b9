/* gradient.h: cell gradients of one scalar or of all components of a vector.
 *
 * Least squares: G sum_f w d (x_N - x_P), w = 1/|d|^2, G in the stencil.
 * Green-Gauss:   sum_f x_f S / V, x_f interpolated linearly; on skewed meshes corrected to the face centre with the
 * least-squares gradient.  Conservative: contributions of a face to its two cells cancel.
 * Exact for linear fields on any mesh; Green-Gauss only with plane faces.  Boundary faces use their face values. */
#ifndef POISE_GRADIENT_H
#define POISE_GRADIENT_H
#include "assembly/stencil.h"
#include "assembly/scheme_setting.h"

/* components: 1 or dim.  x: [components pitch]; boundary: [components n_boundary] values at boundary faces;
 * gradient: d x_i / d x_j at [(i * dim + j) * pitch]; scratch: as long as gradient, for Green-Gauss on skewed meshes
 * (gradient_needs_scratch()), else NULL. */
void gradient(const struct stencil *s, enum gradient how, int components, const double *x, const double *boundary,
              double *gradient, double *scratch);
bool gradient_needs_scratch(const struct stencil *s, enum gradient how);
/* The part of internal faces in the least-squares gradient [dim pitch] of one component. */
void gradient_within(const struct stencil *s, const double *x, double *gradient);
/* Least-squares gradient [dim pitch] from given differences x_N - x_P: step, [n_faces] including boundary faces. */
void gradient_of_steps(const struct stencil *s, const double *step, double *gradient);

/* mean = own plain + the mean of the neighbours' gradients with the rest of the weight; plain, with its ghosts, and
 * mean: [count pitch], count: 2, 3, 4 or 9 numbers per cell. */
struct gradient_mean_args {
    struct stencil s;
    const float *own;           /* [pitch]; NULL: the weight of every neighbour */
    int count;
    const double *plain;
    double *mean;
};
KERNEL(gradient_mean, struct gradient_mean_args)        /* over slices */

/* Kernels, private to gradient.c and gradient.cu. */
struct gradient_args {
    struct stencil s;
    int64_t components;
    const double *x, *boundary;
    const double *old;          /* green_gauss: gradient for the skewness correction, or NULL */
    double *gradient;
    const double *step;         /* [n_faces] x_N - x_P instead of x and boundary, one component; or NULL */
};
KERNEL(least_squares, struct gradient_args)             /* over slices */
KERNEL(least_squares_boundary, struct gradient_args)    /* over boundary cells, after it */
KERNEL(green_gauss, struct gradient_args)
KERNEL(green_gauss_boundary, struct gradient_args)
#endif

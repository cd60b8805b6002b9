/* diffusivity.h: the diffusivity D of a scalar, or the conductivity of heat over rho c, that depends on a field or on
 * place and time: at faces, from cells.
 *
 * D(x): the flux along the line between two cells is the integral of D dx over its length (Kirchhoff).  So the face
 * has the mean of D over the values between the cells', by Simpson's rule: exact up to a cubic D.  D of place: two
 * layers in series, each from a cell's centre to the face, so that a jump of D at faces is exact; at boundary faces the
 * cell's. */
#ifndef POISE_DIFFUSIVITY_H
#define POISE_DIFFUSIVITY_H
#include "assembly/field_table.h"
#include "assembly/stencil.h"

struct diffusivity_args {
    struct stencil s;
    /* By region of the mesh, or with zone = NULL one: D of x; without `cubic`: D is given in `cells`. */
    const struct field_table *law;
    const int32_t *zone;        /* [pitch] */
    const double *x, *x_boundary;       /* [pitch], [n_boundary] the field that D depends on */
    double *cells;              /* [pitch] D, out where it depends on x */
    double *faces;              /* [n_faces] out */
};
KERNEL(diffusivity_cells, struct diffusivity_args)      /* over n_cells */
KERNEL(diffusivity_faces, struct diffusivity_args)      /* over active faces, after fetching ghosts of x and cells */
KERNEL(diffusivity_boundary, struct diffusivity_args)   /* over boundary faces */

/* A heat-transfer coefficient in series with the conduction from the cell's centre: x at the face is a weighted mean of
 * the cell's and the one outside. */
struct exchange_args {
    struct stencil s;
    double diffusivity;
    const double *diffusivity_faces;    /* [n_faces] instead of it, or NULL */
    const double *exchange;     /* [2 n_boundary] coefficients times areas, then the values outside */
    double *mixed;              /* [2 n_boundary] out: of struct face_values */
};
KERNEL(exchange_weights, struct exchange_args)          /* over boundary faces */
#endif

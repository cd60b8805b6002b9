/* viscosity.h: viscosity of fluids in which it depends on the shear rate: at faces from the gradient there, as the
 * viscous force has it, and in cells as the harmonic mean of their faces, which stays finite where the shear rate
 * vanishes; of two fluids that of each, put together as if they were constant.
 *
 * Shear rates far below the largest one are rounding of the velocity: added to each square is the largest square times
 * SHEAR_FLOOR squared, so that a fluid that moves as one body has a viscosity that does not depend on rounding.
 *
 * The transposed stress sum_f mu_f (grad u)^T . S of one fluid uses the same gradients.  It is conservative, unlike the
 * sum over mu_f - mu_P of mixture.h: on triangles that one leaves a net force of order h where a shear-thinning fluid's
 * viscosity is singular.  At slip boundaries it has its normal part alone. */
#ifndef POISE_VISCOSITY_H
#define POISE_VISCOSITY_H
#include "assembly/boundary.h"
#include "assembly/field_table.h"
#include "assembly/mixture.h"
#include "assembly/properties.h"
#include "assembly/reconstruction.h"
#include "assembly/viscosity_table.h"
#include "gpu/sums.h"

#define SHEAR_FLOOR 1e-9

struct viscosity_args {
    struct stencil s;
    struct boundary b;
    struct properties properties;       /* out: viscosity_faces, viscosity_cells, transposed unless NULL */
    struct viscosity_table law[2];      /* of the first and of the second fluid */
    const double *cells[2];             /* [pitch] of a viscosity that depends on the place or a field; else NULL */
    const double *boundary[2];          /* [n_boundary] with cells */
    double *own;                        /* [2 n_faces] two fluids: out: of each fluid; else NULL */
    double part;                        /* of the new value, the rest is the last one: 1, or less to converge */
    const double *u;                    /* [dim pitch] */
    const double *grad_u;               /* [dim dim pitch] g of reconstruction.h */
    const float *second;                /* [dim n_second pitch] H; NULL: 0 */
    const double *wall;                 /* [dim n_boundary] of struct reconstruction */
    struct sums largest;                /* number 0: the largest square of a shear rate in a cell; without laws zeros */
};
/* Between reconstruct() and reconstruct_at_faces(). */
void viscosity_update(const struct viscosity_args *a);
/* rhs += the transposed stress of struct properties. */
void viscosity_add_transposed(const struct stencil *s, const double *transposed, double *rhs);

/* Kernels, private to viscosity.c and viscosity.cu. */
KERNEL(largest_shear_rate, struct viscosity_args)       /* over slices */
KERNEL(viscosity_faces_2d, struct viscosity_args)       /* over active faces; without second derivatives */
KERNEL(viscosity_faces_3d, struct viscosity_args)
KERNEL(viscosity_quadratic_2d, struct viscosity_args)   /* over active faces; with them */
KERNEL(viscosity_quadratic_3d, struct viscosity_args)
KERNEL(viscosity_boundary, struct viscosity_args)       /* over boundary faces */
KERNEL(viscosity_cells, struct viscosity_args)          /* over slices, after them: from internal faces */
KERNEL(viscosity_boundary_cells, struct viscosity_args) /* over boundary cells, after it: from all faces */
struct transposed_args { struct stencil s; const double *transposed; double *rhs; };
KERNEL(transposed_stress, struct transposed_args)       /* over slices: internal faces */
KERNEL(boundary_transposed_stress, struct transposed_args)      /* over boundary cells, after it */
#endif

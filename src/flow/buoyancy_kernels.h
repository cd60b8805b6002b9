/* buoyancy_kernels.h: private to buoyancy.c and buoyancy.cu. */
#ifndef POISE_BUOYANCY_KERNELS_H
#define POISE_BUOYANCY_KERNELS_H
#include "assembly/field_table.h"
#include "assembly/stencil.h"

/* Adds the difference of hydrostatic pressure between the ends of d, times g, for a density that is linear in the
 * scalar, or by a law of it; the scalar is linear along d. */
struct buoyancy_args {
    struct stencil s;
    double slope, second_slope; /* d density / d scalar, of both fluids */
    struct field_table law[2];  /* instead: the density less that at the reference; without `cubic`: none */
    const double *fraction;     /* [pitch] of the second fluid; NULL: there is none */
    double reference, gravity[3];
    const double *x, *boundary; /* the scalar, [pitch] and [n_boundary] */
    double *force;              /* [n_faces] */
};
KERNEL(buoyancy_faces, struct buoyancy_args)            /* over internal faces */
KERNEL(buoyancy_boundary, struct buoyancy_args)         /* over boundary faces */
#endif

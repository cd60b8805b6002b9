/* flow_kernels.h: private to sample.c, force.c and flow_kernels.cu. */
#ifndef POISE_FLOW_KERNELS_H
#define POISE_FLOW_KERNELS_H
#include "assembly/boundary.h"
#include "assembly/stencil.h"

struct sample_args {
    struct stencil s;
    int32_t n;
    const int32_t *cell;
    const double *arm, *u, *grad_u, *p, *grad_p;
    double *value;
};
KERNEL(sample_points, struct sample_args)               /* over points */

struct force_args {
    struct stencil s;
    struct boundary b;
    double viscosity;
    const int32_t *face;        /* boundary faces */
    const double *u, *grad_u;
    int32_t n;
    double *force;              /* [2 dim n] pressure part, viscous part */
};
KERNEL(force_faces, struct force_args)                  /* over the listed faces */
#endif

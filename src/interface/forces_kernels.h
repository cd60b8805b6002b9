/* forces_kernels.h: private to forces.c and forces.cu. */
#ifndef POISE_INTERFACE_FORCES_KERNELS_H
#define POISE_INTERFACE_FORCES_KERNELS_H
#include "interface/curvature.h"

struct forces_args {
    struct pieces p;
    const int32_t *band, *mark;
    double *curvature, *force;
    double tension, jump[3];    /* sigma; (rho_2 - rho_1) gravity */
    double bottom;              /* (rho_2 - rho_1) gravity.x at the mesh's lowest point */
};
KERNEL(spread_curvature, struct forces_args)            /* over the band: from cut cells to those near them */
KERNEL(interface_face_forces, struct forces_args)       /* over internal faces */
#endif

/* reconstruction_kernels.h: private to reconstruction.c and reconstruction.cu. */
#ifndef POISE_RECONSTRUCTION_KERNELS_H
#define POISE_RECONSTRUCTION_KERNELS_H
#include "assembly/reconstruction.h"

struct reconstruction_args {
    struct reconstruction r;
    struct reconstruction_fluid fluid;
    int with_deferred;
    const double *u;
    double *gradient;           /* of the cells; NULL on regular meshes */
};
KERNEL(reconstruct_listed, struct reconstruction_args)  /* over the list: g, H and wall; after the least-squares gradients */
KERNEL(reconstruct_wall_own, struct reconstruction_args)        /* over boundary cells, once */
KERNEL(reconstruct_mean, struct reconstruction_args)    /* over slices: gradient -> mean; after it */
KERNEL(reconstruct_second, struct reconstruction_args)  /* over slices: mean -> H and gradient, but for listed cells */
KERNEL(reconstruct_faces, struct reconstruction_args)   /* over internal faces: through, deferred */
#endif

/* reconstruction_kernels.h: private to reconstruction.c and reconstruction.cu. */
#ifndef POISE_RECONSTRUCTION_KERNELS_H
#define POISE_RECONSTRUCTION_KERNELS_H
#include "assembly/reconstruction.h"

struct reconstruction_args {
    struct reconstruction r;
    struct reconstruction_fluid fluid;
    const double *u;
    double *plain;              /* [dim dim pitch] least-squares gradients */
    double *averaged;           /* [dim dim pitch] a */
    double *gradient;           /* [dim dim pitch] g */
};
KERNEL(reconstruct_walls, struct reconstruction_args)   /* over warps of r.walls: wall */
KERNEL(reconstruct_listed, struct reconstruction_args)  /* over warps of r.list: g into plain, and listed_second */
KERNEL(reconstruct_mean, struct reconstruction_args)    /* over slices: plain -> averaged; after it */
/* over slices: averaged -> H and gradient; H is 0 in listed cells */
KERNEL(reconstruct_second, struct reconstruction_args)
KERNEL(reconstruct_listed_second, struct reconstruction_args)   /* over r.list, after it: their H */
/* Over internal faces: through; forces: deferred too.  bent: s.bend is there;
 * linear: without second derivatives. */
KERNEL(faces_2d_flux, struct reconstruction_args)
KERNEL(faces_2d_forces, struct reconstruction_args)
KERNEL(faces_3d_flux, struct reconstruction_args)
KERNEL(faces_3d_forces, struct reconstruction_args)
KERNEL(faces_bent_flux, struct reconstruction_args)
KERNEL(faces_bent_forces, struct reconstruction_args)
KERNEL(linear_2d_flux, struct reconstruction_args)
KERNEL(linear_2d_forces, struct reconstruction_args)
KERNEL(linear_3d_flux, struct reconstruction_args)
KERNEL(linear_3d_forces, struct reconstruction_args)
KERNEL(linear_bent_flux, struct reconstruction_args)
KERNEL(linear_bent_forces, struct reconstruction_args)
KERNEL(reconstruct_outlets, struct reconstruction_args) /* over boundary faces: through and outlet */
KERNEL(limit_through, struct reconstruction_args)       /* over internal faces, after these, where there are slivers */
#endif

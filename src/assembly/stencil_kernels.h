/* stencil_kernels.h: what stencil_create() computes on the machine; private to stencil.c and stencil.cu. */
#ifndef POISE_STENCIL_KERNELS_H
#define POISE_STENCIL_KERNELS_H
#include "assembly/stencil.h"

struct stencil_args { struct stencil s; double *g, *weight, *volume, *lsq; };
KERNEL(stencil_faces, struct stencil_args)              /* over faces: g, weight */
KERNEL(stencil_pad, struct stencil_args)                /* over padded rows: volume 1 */
KERNEL(stencil_lsq_sum, struct stencil_args)            /* over slices: sum w d d^T of internal faces */
KERNEL(stencil_lsq_boundary, struct stencil_args)       /* over boundary cells: the same of boundary faces */
KERNEL(stencil_lsq_invert, struct stencil_args)         /* over cells */
#endif

/* curvature_kernels.h: private to curvature.c and curvature.cu. */
#ifndef POISE_INTERFACE_CURVATURE_KERNELS_H
#define POISE_INTERFACE_CURVATURE_KERNELS_H
#include "interface/curvature.h"

struct curvature_args { struct pieces p; struct curvature k; double *curvature, *normal; };
KERNEL(curvature_reach, struct curvature_args)          /* over n_cells, once */
KERNEL(contact_points, struct curvature_args)           /* over boundary cells */
KERNEL(fit_paraboloids, struct curvature_args)          /* over n_cut: fit and raw; normals where `normal` is given */
KERNEL(fill_curvature, struct curvature_args)           /* over n_cut: raw -> curvature */
#endif

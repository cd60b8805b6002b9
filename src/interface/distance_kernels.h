/* distance_kernels.h: private to distance.c and distance.cu. */
#ifndef POISE_INTERFACE_DISTANCE_KERNELS_H
#define POISE_INTERFACE_DISTANCE_KERNELS_H
#include "interface/curvature.h"

struct distance_args { struct pieces p; const double *reach, *fit; const int32_t *band; double *distance, *curvature; };
KERNEL(distance_to_paraboloids, struct distance_args)   /* over the band */
KERNEL(curvature_of_distance, struct distance_args)     /* over n_cut */
#endif

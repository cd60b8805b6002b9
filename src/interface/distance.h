/* distance.h: the signed distance rebuilt from the interface, and curvature from it (the level-set method).
 *
 * The distance of a cell of the band is a mean of its distances to the paraboloids of near pieces (curvature.h),
 * each found by Newton's method.  The weights are the pieces' areas and how near to them the foot of the
 * perpendicular lies; pieces whose normals turn away from that of the nearest do not count.  The volume fractions
 * rule: the distance is made from them anew every time and never changes them (van der Pijl, Segal, Vuik & Wesseling
 * 2005, Int. J. Numer. Meth. Fluids 47, 339, where it is advected too). Curvature of a cut cell: div (grad phi /
 * |grad phi|) at its centre of a quadratic through the distances of the cell and its near ones by least squares,
 * kappa; kappa / (1 - phi kappa / (dim - 1)) at the interface, as on parallel circles and spheres. */
#ifndef POISE_INTERFACE_DISTANCE_H
#define POISE_INTERFACE_DISTANCE_H
#include "interface/curvature.h"

/* After curvature_compute().  distance, [pitch]: of the n_band cells of the band; others are left as they are. */
void distance_to_fits(const struct curvature *k, const struct pieces *p, const int32_t *band, int32_t n_band,
                      double *distance);
/* curvature, [pitch]: of the cut cells; that of the paraboloid stays where the near cells do not determine a
 * quadratic. */
void distance_curvature(const struct pieces *p, const double *distance, double *curvature);

/* Kernels, private to distance.c and distance.cu. */
struct distance_args { struct pieces p; const double *reach, *fit; const int32_t *band; double *distance, *curvature; };
KERNEL(distance_to_paraboloids, struct distance_args)   /* over the band */
KERNEL(curvature_of_distance, struct distance_args)     /* over n_cut */
#endif

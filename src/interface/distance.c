/* Launches the kernels of the distance to the paraboloids and of its curvature (distance.h). */
#include "interface/distance.h"

void distance_to_fits(const struct curvature *k, const struct pieces *p, const int32_t *band, int32_t n_band,
                      double *distance)
{
    struct distance_args a = {.p = *p, .reach = k->reach, .fit = k->fit, .band = band, .distance = distance};
    halo_update(p->g.around, k->fit, k->terms);
    distance_to_paraboloids(&a, n_band);
}

void distance_curvature(const struct pieces *p, const double *distance, double *curvature)
{
    struct distance_args a = {.p = *p, .distance = (double *)distance, .curvature = curvature};
    halo_update(p->g.around, distance, 1);
    curvature_of_distance(&a, p->n_cut);
}

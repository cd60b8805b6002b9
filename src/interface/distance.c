#include "interface/distance.h"
#include "interface/distance_kernels.h"

void distance_to_fits(const struct curvature *k, const struct pieces *p, const int32_t *band, int32_t n_band,
                      double *distance)
{
    struct distance_args a = {.p = *p, .reach = k->reach, .fit = k->fit, .band = band, .distance = distance};
    halo_update(p->g.s.pattern.halo, k->fit, k->terms), halo_update(p->g.s.pattern.halo, k->reach, 1);
    distance_to_paraboloids(&a, n_band);
}

void distance_curvature(const struct pieces *p, const double *distance, double *curvature)
{
    struct distance_args a = {.p = *p, .distance = (double *)distance, .curvature = curvature};
    halo_update(p->g.s.pattern.halo, distance, 1);
    curvature_of_distance(&a, p->n_cut);
}

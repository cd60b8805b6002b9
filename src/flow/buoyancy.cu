/* The force of buoyancy at faces. */
#include "flow/buoyancy_kernels.h"

/* Of one fluid: what it is denser than at the reference. */
ON_DEVICE double excess_of(const struct buoyancy_args *a, const struct field_table *law, double slope, double x,
                           double y)
{
    return law->cubic ? field_table_mean(law, x, y) : slope * fma(0.5, x + y, -a->reference);
}

/* x, y: the scalar at the ends of d. */
ON_DEVICE void add_weight(const struct buoyancy_args *a, int64_t f, double x, double y)
{
    double fall = 0, slope = a->slope, fraction = 0;
    if (a->fraction) {
        fraction = a->fraction[a->s.owner[f]];
        if (f < a->s.n_internal) fraction = face_value(&a->s, a->fraction, 0, f);
        slope = fma(a->second_slope - a->slope, fraction, a->slope);
    }
    for (int k = 0; k < a->s.dim; k++) fall = fma(a->gravity[k], FACE_VECTOR(a->s, d, k, f), fall);
    double excess = excess_of(a, &a->law[0], slope, x, y);
    if (a->fraction && (a->law[0].cubic || a->law[1].cubic)) {
        double first = excess_of(a, &a->law[0], a->slope, x, y);
        excess = fma(excess_of(a, &a->law[1], a->second_slope, x, y) - first, fraction, first);
    }
    a->force[f] = fma(a->s.g[f] * excess, fall, a->force[f]);
}

INDEX_KERNEL(buoyancy_faces, struct buoyancy_args)
{
    add_weight(a, i, a->x[a->s.owner[i]], a->x[a->s.neighbour[i]]);
}

INDEX_KERNEL(buoyancy_boundary, struct buoyancy_args)
{
    int64_t f = a->s.n_internal + i;
    add_weight(a, f, a->x[a->s.owner[f]], a->boundary[i]);
}

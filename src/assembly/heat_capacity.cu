/* Kernels of a heat capacity that depends on the temperature (heat_capacity.h). */
#include "assembly/heat_capacity.h"
#include "assembly/boundary_kinds.h"

INDEX_KERNEL(heat_capacity_cells, struct heat_capacity_args)
{
    const struct heat_laws *heat = &a->heat;
    if (heat_varies(heat, i)) a->capacity[i] = heat_mean(heat, heat->fraction, i, a->old[i], a->x[i]);
    if (heat->fraction) a->capacity_old[i] = heat_mean(heat, heat->fraction_old, i, a->old[i], a->x[i]);
}

INDEX_KERNEL(heat_flux_faces, struct heat_capacity_args)
{
    int32_t p = a->s.owner[i], n = a->s.neighbour[i];
    a->carries[i] = heat_carrier(&a->heat, p, i, a->flux[i], a->x[p], a->x[n]);
}

/* x of what flows through boundary face i. */
ON_DEVICE double carried_value(const struct heat_capacity_args *a, int64_t i, int32_t cell)
{
    return a->boundary.rule[i] == RULE_VALUE ? a->boundary.value[i] : a->x[cell];
}

INDEX_KERNEL(heat_flux_boundary, struct heat_capacity_args)
{
    int32_t f = a->s.n_internal + (int32_t)i, p = a->s.owner[f];
    a->carries[f] = heat_carrier(&a->heat, p, f, a->flux[f], a->x[p], carried_value(a, i, p));
}

INDEX_KERNEL(heat_inflow_boundary, struct heat_capacity_args)
{
    int32_t f = a->s.n_internal + (int32_t)i, p = a->s.owner[f];
    double x = carried_value(a, i, p), first = heat_beyond_of(&a->heat, heat_law_of(&a->heat, p), a->heat.number[0], x);
    if (a->heat.fraction) {
        double share = a->flux[f] < 0 ? a->entering[i] : heat_share(a->heat.fraction, p);
        first = fma(share, heat_beyond_of(&a->heat, &a->heat.law[1], a->heat.number[1], x) - first, first);
    }
    a->inflow[i] = fma(-a->flux[f], first, a->inflow[i]);
}

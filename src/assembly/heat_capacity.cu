/* Kernels of a heat capacity that depends on the temperature (heat_capacity.h). */
#include "assembly/heat_capacity.h"
#include "assembly/boundary_kinds.h"

INDEX_KERNEL(heat_capacity_cells, struct heat_capacity_args)
{
    const struct field_table *law = heat_law_of(&a->heat, i);
    if (law->cubic) a->capacity[i] = field_table_exact_mean(law, a->old[i], a->x[i]);
}

INDEX_KERNEL(heat_flux_faces, struct heat_capacity_args)
{
    int32_t p = a->s.owner[i], n = a->s.neighbour[i];
    const struct field_table *law = heat_law_of(&a->heat, p);
    a->carries[i] = a->flux[i] * (law->cubic ? field_table_exact_mean(law, a->x[p], a->x[n]) : 1.0);
}

/* x of what flows through boundary face i. */
ON_DEVICE double carried_value(const struct heat_capacity_args *a, int64_t i, int32_t cell)
{
    return a->boundary.rule[i] == RULE_VALUE ? a->boundary.value[i] : a->x[cell];
}

INDEX_KERNEL(heat_flux_boundary, struct heat_capacity_args)
{
    int32_t f = a->s.n_internal + (int32_t)i, p = a->s.owner[f];
    const struct field_table *law = heat_law_of(&a->heat, p);
    double there = carried_value(a, i, p);
    a->carries[f] = a->flux[f] * (law->cubic ? field_table_exact_mean(law, a->x[p], there) : 1.0);
}

INDEX_KERNEL(heat_inflow_boundary, struct heat_capacity_args)
{
    int32_t f = a->s.n_internal + (int32_t)i, p = a->s.owner[f];
    a->inflow[i] = fma(-a->flux[f], heat_beyond(&a->heat, p, carried_value(a, i, p)), a->inflow[i]);
}

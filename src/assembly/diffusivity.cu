/* Kernels of a diffusivity that varies (diffusivity.h). */
#include "assembly/diffusivity.h"

ON_DEVICE const struct field_table *law_of(const struct diffusivity_args *a, int64_t cell)
{
    return &a->law[a->zone ? a->zone[cell] : 0];
}

INDEX_KERNEL(diffusivity_cells, struct diffusivity_args)
{
    const struct field_table *law = law_of(a, i);
    if (law->cubic) a->cells[i] = field_table_at(law, a->x[i]);
}

INDEX_KERNEL(diffusivity_faces, struct diffusivity_args)
{
    int32_t p = a->s.owner[i], n = a->s.neighbour[i];
    const struct field_table *law = law_of(a, p);
    double weight = a->s.weight[i], mine = a->cells[p], theirs = a->cells[n];
    double series = mine > 0 && theirs > 0 ? 1 / ((1 - weight) / mine + weight / theirs) : 0.0;
    a->faces[i] = law->cubic && law->cubic == law_of(a, n)->cubic ? field_table_mean(law, a->x[p], a->x[n]) : series;
}

INDEX_KERNEL(diffusivity_boundary, struct diffusivity_args)
{
    int64_t f = a->s.n_internal + i;
    int32_t p = a->s.owner[f];
    const struct field_table *law = law_of(a, p);
    a->faces[f] = law->cubic ? field_table_mean(law, a->x[p], a->x_boundary[i]) : a->cells[p];
}

INDEX_KERNEL(exchange_weights, struct exchange_args)
{
    const int32_t n = a->s.n_boundary;
    int64_t f = a->s.n_internal + i;
    double inside = (a->diffusivity_faces ? a->diffusivity_faces[f] : a->diffusivity) * a->s.g[f];
    double outside = a->exchange[i], both = inside + outside;
    a->mixed[i] = both > 0 ? inside / both : 1.0;
    a->mixed[n + i] = both > 0 ? a->exchange[n + i] * outside / both : 0.0;
}

/* Launches the kernels of the flux limiter (limiter.h). */
#include "assembly/limiter.h"

void limit_corrections(const struct limiter_args *a)
{
    const struct halo *h = a->s.pattern.halo;
    halo_update_together(h, {a->x, 1}, {a->capacity, 1});
    limiter_extremes(a, a->s.n_slices);
    limiter_boundary(a, a->s.n_boundary_cells);
    limiter_factors(a, a->s.n_cells);
    halo_update_together(h, {a->plus, 1}, {a->minus, 1});
    limiter_faces(a, a->s.n_faces);
}

void sum_corrections(const struct limiter_args *a)
{
    corrections_in_cells(a, a->s.n_slices);
    corrections_of_boundary(a, a->s.n_boundary_cells);
}

/* Launches the kernels of the flux limiter (limiter.h). */
#include "assembly/limiter.h"
#include "assembly/pressure.h"

void limit_corrections(const struct limiter_args *a)
{
    const struct halo *h = a->s.pattern.halo;
    if (!a->within) {
        halo_update_together(h, {a->x, 1}, {a->capacity, 1});
        limiter_extremes(a, a->s.n_slices);
    } else
        limiter_sums(a, a->s.n_slices);
    limiter_boundary(a, a->s.n_boundary_cells);
    limiter_factors(a, a->s.n_cells);
    halo_update_together(h, {a->plus, 1}, {a->minus, 1});
    limiter_faces(a, a->s.n_faces);
}

void sum_corrections(const struct limiter_args *a)
{
    struct pressure_args net = {.s = a->s, .a.p = a->s.pattern, .flux = a->correction, .scale = -1, .rhs = a->sum};
    pressure_rhs(&net, a->s.n_slices);
    pressure_boundary_rhs(&net, a->s.n_boundary_cells);
}

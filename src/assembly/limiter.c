/* Launches the kernels of the flux limiter (limiter.h). */
#include "assembly/limiter.h"
#include "assembly/pressure.h"

static void find_shares(const struct limiter_args *a)
{
    struct limiter_shares_args pass = {*a, *a->a};
    for (int i = 0; i < a->passes; i++) {
        struct limiter_args *of = &pass.of;
        double *plus = of->plus, *minus = of->minus;
        limiter_shares(&pass, a->s.n_slices);
        of->plus = of->highest, of->minus = of->lowest, of->highest = plus, of->lowest = minus;
        halo_update_together(a->s.pattern.halo, {of->plus, 1}, {of->minus, 1});
    }
}

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
    if (a->a) find_shares(a);
    limiter_faces(a, a->s.n_faces);
}

void sum_corrections(const struct limiter_args *a)
{
    struct pressure_args net = {.s = a->s, .a.p = a->s.pattern, .flux = a->correction, .scale = -1, .rhs = a->sum};
    pressure_rhs(&net, a->s.n_slices);
    pressure_boundary_rhs(&net, a->s.n_boundary_cells);
}

/* Sums over the cells of a step of a transported quantity: its extremes, its amount, its Courant number, what rounding
 * leaves of its residual. */
#include <math.h>
#include "assembly/scalar_step.h"
#include "flow/equation_parts.h"
#include "gpu/vector.h"

void equation_find_extremes(const struct scalar_step_args *a)
{
    scalar_size(a, a->s.n_slices);
    sums_finish_largest(&a->sums, SCALAR_SIZE, 1);
    scalar_extremes(a, a->s.n_slices);
    sums_finish_largest(&a->sums, SCALAR_HIGHEST, 2);
}

void equation_keep_extremes(const struct scalar_step_args *a)
{
    equation_find_extremes(a);
    if (a->bounded) scalar_clip(a, a->s.n_cells);
}

static void find_inflow(const struct scalar_step_args *a)
{
    fill(&(struct fill_args){.x = a->sum, .value = 0}, a->s.n_padded);
    fill(&(struct fill_args){.x = a->decrease, .value = 0}, a->s.n_padded);
    scalar_inflow(a, a->s.n_boundary_cells);
}

void equation_conserve(const struct scalar_step_args *a)
{
    find_inflow(a);
    if (a->heat.law) scalar_settle_heat(a, a->s.n_cells);
    for (int i = 0; i < (a->heat.law ? 3 : 1); i++) {
        scalar_missing(a, a->s.n_slices);
        sums_finish(&a->sums, SCALAR_MISSING, 2);
        scalar_spread(a, a->s.n_cells);
        if (a->w_per_x > 0) find_inflow(a);
    }
}

bool equation_is_conserved(const struct scalar_step_args *a)
{
    static const double rest = 1e-5;
    double sum[3];
    scalar_missing(a, a->s.n_slices);
    sums_finish(&a->sums, SCALAR_MISSING, 3);
    sums_download(&a->sums, SCALAR_MISSING, 3, sum);
    return fabs(sum[SCALAR_MISSING]) <= rest * sum[SCALAR_GROSS];
}

void equation_courant(struct equation_work *k, const double *flux, const double *capacity, double dt)
{
    const struct scalar_step_args a = {.s = *k->s, .flux = flux, .capacity = capacity, .dt = dt, .sums = k->sums};
    scalar_courant(&a, k->s->n_slices);
    sums_finish_largest(&k->sums, SCALAR_COURANT, 1);
    sums_download(&k->sums, SCALAR_COURANT, 1, &k->courant);
}

double equation_rounding(const struct equation_work *k)
{
    static const double rounding = 1e-13;
    const struct scalar_step_args a = {.s = *k->s, .old = k->old, .diag = k->a.diag, .sums = k->sums};
    double square;
    scalar_rounding(&a, k->s->n_slices);
    sums_finish(&k->sums, SCALAR_ROUNDING, 1);
    sums_download(&k->sums, SCALAR_ROUNDING, 1, &square);
    return rounding * sqrt(square);
}

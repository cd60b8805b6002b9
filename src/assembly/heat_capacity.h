/* heat_capacity.h: a heat capacity c that depends on the temperature x: the heat of a cell is h(x) = integral of c dx.
 *
 * The equation keeps x as its variable, with means of c for which it is that of h:
 *     h(x) - h(old) = c(old, x) (x - old)        in time, and
 *     F (h(x_N) - h(x_P)) = F c(x_P, x_N) (x_N - x_P)        through a face into P with upwind convection,
 * where c(a, b) is the mean between a and b.  What schemes of higher order add to x at a face is multiplied by the same
 * F c for both cells.  So heat is conserved if the means are those of the solution: in steady flow when it has
 * converged; in time nearly, after two passes (flow/scalar_solve.c), and to rounding by scalar_settle_heat() and
 * scalar_spread() (scalar_step.h).
 *
 * With two fluids the heat of a cell is (1 - fraction) h_1(x) + fraction h_2(x), and with the volumes F_1 and F_2 that
 * pass a face, which change the fraction, the same holds with the sums over the fluids of share c and F c: in time the
 * shares at the start of the step. */
#ifndef POISE_HEAT_CAPACITY_H
#define POISE_HEAT_CAPACITY_H
#include "assembly/field_table.h"
#include "assembly/transport.h"

struct heat_laws {
    /* By region of the mesh, or with zone = NULL one: c over a unit; without `cubic`: c is constant there.  NULL: it is
     * constant everywhere. */
    const struct field_table *law;
    const int32_t *zone;        /* [pitch] */
    double reference;           /* temperature x where h / unit = number x */
    /* Two fluids, `law` [2] those of both; fraction NULL: one fluid. */
    const double *fraction, *fraction_old;      /* [pitch] of the second fluid, at the end and the start of the step */
    const double *carried;      /* [n_faces] volume of the second fluid in this step, */
    double per_step;            /* times this: F_2 */
    double number[2];           /* of both: c over the unit without a law; one fluid: 1 */
};

struct heat_capacity_args {
    struct stencil s;
    struct heat_laws heat;
    const double *old, *x;      /* [pitch] */
    double *capacity, *capacity_old;    /* [pitch] out where it varies: c(old, x), with the fraction and that before */
    struct face_values boundary;
    const double *flux;         /* [n_faces] F, volume; two fluids: sum of F times `number`, of heat_inflow_boundary the
                                   volume of both */
    const double *entering;     /* [n_boundary] two fluids, of heat_inflow_boundary: fraction of the inflow */
    double *carries;            /* [n_faces] out: F c */
    double *inflow;             /* [n_boundary] of x */
};
KERNEL(heat_capacity_cells, struct heat_capacity_args)  /* over n_cells: capacity */
KERNEL(heat_flux_faces, struct heat_capacity_args)      /* over active faces, after fetching ghosts of x: carries */
KERNEL(heat_flux_boundary, struct heat_capacity_args)   /* over boundary faces: carries */
KERNEL(heat_inflow_boundary, struct heat_capacity_args) /* over boundary faces: inflow, of h / unit instead of x */

/* For kernel bodies. */
ON_DEVICE const struct field_table *heat_law_of(const struct heat_laws *heat, int64_t cell)
{
    return &heat->law[heat->zone ? heat->zone[cell] : 0];
}

/* Does c vary in this cell? */
ON_DEVICE int heat_varies(const struct heat_laws *heat, int64_t cell)
{
    return heat->fraction != NULL || heat_law_of(heat, cell)->cubic != NULL;
}

/* Of two fluids: the share of the second, by one of both fractions. */
ON_DEVICE double heat_share(const double *fraction, int64_t cell)
{
    return fraction[cell] < 0 ? 0.0 : fraction[cell] > 1 ? 1.0 : fraction[cell];
}

/* Of one of two fluids: the mean between x and y; c; where h is larger than at x by `more`. */
ON_DEVICE double heat_mean_of(const struct heat_laws *heat, int fluid, double x, double y)
{
    return heat->law[fluid].cubic ? field_table_exact_mean(&heat->law[fluid], x, y) : heat->number[fluid];
}
ON_DEVICE double heat_capacity_of(const struct heat_laws *heat, int fluid, double x)
{
    return heat->law[fluid].cubic ? field_table_at(&heat->law[fluid], x) : heat->number[fluid];
}
ON_DEVICE double heat_where_of(const struct field_table *law, double number, double x, double more)
{
    return law->cubic ? field_table_where(law, field_table_integral(law, x) + more) : x + more / number;
}

/* In this cell, where c varies, with one of both fractions: the mean between x and y; c. */
ON_DEVICE double heat_mean(const struct heat_laws *heat, const double *fraction, int64_t cell, double x, double y)
{
    if (!heat->fraction) return field_table_exact_mean(heat_law_of(heat, cell), x, y);
    double first = heat_mean_of(heat, 0, x, y);
    return fma(heat_mean_of(heat, 1, x, y) - first, heat_share(fraction, cell), first);
}
ON_DEVICE double heat_capacity_in(const struct heat_laws *heat, int64_t cell, double x)
{
    if (!heat->fraction) return field_table_at(heat_law_of(heat, cell), x);
    double first = heat_capacity_of(heat, 0, x);
    return fma(heat_capacity_of(heat, 1, x) - first, heat_share(heat->fraction, cell), first);
}

/* Where the heat of this cell is larger than at x by `more`; of two fluids by bisection between both. */
ON_DEVICE double heat_where(const struct heat_laws *heat, int64_t cell, double x, double more)
{
    if (!heat->fraction) return heat_where_of(heat_law_of(heat, cell), 1, x, more);
    double y = heat_where_of(&heat->law[0], heat->number[0], x, more);
    double z = heat_where_of(&heat->law[1], heat->number[1], x, more), low = y < z ? y : z, high = y < z ? z : y;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if (heat_mean(heat, heat->fraction, cell, x, middle) * (middle - x) < more) low = middle;
        else high = middle;
    }
    return 0.5 * (low + high);
}

/* h / unit - number x by a law. */
ON_DEVICE double heat_beyond_of(const struct heat_laws *heat, const struct field_table *law, double number, double x)
{
    if (!law->cubic) return 0;
    return field_table_integral(law, x) - field_table_integral(law, heat->reference) - number * (x - heat->reference);
}

/* Heat beyond number x through a boundary face of this cell, of volumes F, or F_1 + r F_2 with two fluids. */
ON_DEVICE double heat_beyond(const struct heat_laws *heat, int64_t cell, int64_t face, double volume, double x)
{
    if (!heat->fraction) return volume * heat_beyond_of(heat, heat_law_of(heat, cell), 1, x);
    double second = heat->carried[face] * heat->per_step;
    return fma(volume - heat->number[1] * second, heat_beyond_of(heat, &heat->law[0], heat->number[0], x),
               second * heat_beyond_of(heat, &heat->law[1], heat->number[1], x));
}

/* What carries heat: the sum of F c over both fluids between x and y. */
ON_DEVICE double heat_carrier(const struct heat_laws *heat, int64_t cell, int64_t face, double flux, double x, double y)
{
    if (!heat->fraction) return flux * (heat_varies(heat, cell) ? heat_mean(heat, NULL, cell, x, y) : 1.0);
    double second = heat->carried[face] * heat->per_step;
    return fma(flux - heat->number[1] * second, heat_mean_of(heat, 0, x, y), second * heat_mean_of(heat, 1, x, y));
}

/* The decrease of a cell's heat over the unit in the step, in which c varies. */
ON_DEVICE double heat_decrease(const struct heat_laws *heat, int64_t cell, double old, double x)
{
    double within = heat_mean(heat, heat->fraction, cell, old, x) * (old - x);
    if (!heat->fraction) return within;
    double fewer = heat_share(heat->fraction_old, cell) - heat_share(heat->fraction, cell);
    double first = fma(heat->number[0], old, heat_beyond_of(heat, &heat->law[0], heat->number[0], old));
    double second = fma(heat->number[1], old, heat_beyond_of(heat, &heat->law[1], heat->number[1], old));
    return fma(fewer, second - first, within);
}
#endif

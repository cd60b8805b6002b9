/* heat_capacity.h: a heat capacity c that depends on the temperature x: the heat of a cell is h(x) = integral of c dx.
 *
 * The equation keeps x as its variable, with means of c for which it is that of h:
 *     h(x) - h(old) = c(old, x) (x - old)        in time, and
 *     F (h(x_N) - h(x_P)) = F c(x_P, x_N) (x_N - x_P)        through a face into P with upwind convection,
 * where c(a, b) is the mean between a and b.  What schemes of higher order add to x at a face is multiplied by the same
 * F c for both cells.  So heat is conserved if the means are those of the solution: in steady flow when it has
 * converged; in time nearly, after two passes (flow/scalar_solve.c), and to rounding by scalar_settle_heat() and
 * scalar_spread() (scalar_step.h). */
#ifndef POISE_HEAT_CAPACITY_H
#define POISE_HEAT_CAPACITY_H
#include "assembly/field_table.h"
#include "assembly/transport.h"

struct heat_laws {
    /* By region of the mesh, or with zone = NULL one: c over a unit; without `cubic`: c is constant there.  NULL: it is
     * constant everywhere. */
    const struct field_table *law;
    const int32_t *zone;        /* [pitch] */
    double reference;           /* temperature x where h / unit = x */
};

struct heat_capacity_args {
    struct stencil s;
    struct heat_laws heat;
    const double *old, *x;      /* [pitch] */
    double *capacity;           /* [pitch] out where it varies: c(old, x) */
    struct face_values boundary;
    const double *flux;         /* [n_faces] F, volume */
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

/* h / unit - x in this cell. */
ON_DEVICE double heat_beyond(const struct heat_laws *heat, int64_t cell, double x)
{
    const struct field_table *law = heat_law_of(heat, cell);
    if (!law->cubic) return 0;
    return field_table_integral(law, x) - field_table_integral(law, heat->reference) - (x - heat->reference);
}
#endif

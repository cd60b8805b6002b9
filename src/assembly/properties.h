/* properties.h: density and viscosity of the fluids, owned by struct flow, and the surface tension between them.
 * Models fill the arrays; assembly, forces, files and messages read them with the functions below, which contain the
 * only formulas for them.  A constant property has no array. */
#ifndef POISE_PROPERTIES_H
#define POISE_PROPERTIES_H
#include "assembly/field_table.h"
#include "gpu/kernel.h"

struct properties {
    double density[2], viscosity[2];    /* of the first and of the second fluid; constant where there is no array */
    const double *fraction;     /* [pitch] volume fraction of the second fluid; NULL: there is one fluid */
    const double *distance;     /* [pitch] two fluids: signed distance from the interface, negative in the second one */
    double *time_density;       /* [pitch] two fluids: density at the time in the step where the momentum equation
                                   holds */
    double *inertia;            /* [pitch] two fluids: the larger density of both ends of the step */
    double *viscosity_cells;    /* [pitch] viscosity that varies, unless only with the fraction */
    double *viscosity_fluids;   /* [2 pitch] two fluids: of each in cells, where one of them varies; else NULL */
    double *viscosity_faces;    /* [n_faces] if it varies */
    double *transposed;         /* [dim n_faces] mu (grad u)^T . S, if the viscosity depends on the shear rate and there
                                   is one fluid */
    int of_shear;               /* a viscosity depends on the shear rate */
    double steepest;            /* largest d log viscosity / d log shear rate, at least 0 */
};

/* For kernel bodies and the host.  Properties of a mixture with this fraction of the second fluid: */
ON_DEVICE double mixed_density(const struct properties *a, double fraction)
{
    return fma(a->density[1] - a->density[0], fraction, a->density[0]);
}
ON_DEVICE double mixed_viscosity(const struct properties *a, double fraction)
{
    double bounded = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    return fma(a->viscosity[1] - a->viscosity[0], bounded, a->viscosity[0]);
}
/* Current density of a cell, that in its time term, that in its inertia; viscosity of a cell, of a face. */
ON_DEVICE double density_in(const struct properties *a, int64_t cell)
{
    return a->fraction ? mixed_density(a, a->fraction[cell]) : a->density[0];
}
ON_DEVICE double time_density_in(const struct properties *a, int64_t cell)
{
    return a->time_density ? a->time_density[cell] : a->density[0];
}
ON_DEVICE double inertia_in(const struct properties *a, int64_t cell)
{
    return a->inertia ? a->inertia[cell] : a->density[0];
}
ON_DEVICE double viscosity_in(const struct properties *a, int64_t cell)
{
    if (a->viscosity_cells) return a->viscosity_cells[cell];
    return a->fraction ? mixed_viscosity(a, a->fraction[cell]) : a->viscosity[0];
}
ON_DEVICE double viscosity_at(const struct properties *a, int64_t face)
{
    return a->viscosity_faces ? a->viscosity_faces[face] : a->viscosity[0];
}
/* Viscosity of the fluid in this cell at its boundary face. */
ON_DEVICE double viscosity_beside(const struct properties *a, int64_t cell, int64_t face)
{
    return a->viscosity_faces ? a->viscosity_faces[face] : viscosity_in(a, cell);
}

/* Surface tension, not negative: max(0, value + slope (T - reference)), or by a law of the temperature T. */
struct tension {
    double value, slope, reference;
    struct field_table law;     /* instead of them; without `cubic`: none */
    const double *temperature;  /* [pitch]; NULL: the tension is constant */
};
ON_DEVICE double tension_at(const struct tension *a, double temperature)
{
    double linear = fma(a->slope, temperature - a->reference, a->value);
    double tension = a->law.cubic ? field_table_at(&a->law, temperature) : linear;
    return tension > 0 ? tension : 0;
}
ON_DEVICE double tension_slope(const struct tension *a, double temperature)
{
    return a->law.cubic ? field_table_slope(&a->law, temperature) : a->slope;
}
#endif

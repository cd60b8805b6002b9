/* scalar_setting.h: the settings of passive scalars, scalars.NAME. */
#ifndef POISE_SCALAR_SETTING_H
#define POISE_SCALAR_SETTING_H
#include "assembly/boundary_setting.h"
#include "assembly/property_setting.h"
#include "assembly/scheme_setting.h"
#include "case/case.h"

/* Its carrier: both fluids (or the only one), or one of two, in which it is dissolved. */
/* SCALAR_HEAT: the temperature of two fluids. */
enum scalar_fluid { SCALAR_IN_BOTH, SCALAR_IN_FIRST, SCALAR_IN_SECOND, SCALAR_HEAT };
/* Convection schemes: those of the list, and linear-upwind limited to the extremes of the neighbours. */
enum { SCALAR_LIMITED = N_CONVECTION, SCALAR_BOUNDED, N_SCALAR_SCHEMES };
extern const char *const scalar_scheme_words[N_SCALAR_SCHEMES];

struct scalar_setting {
    char name[NAME_LENGTH];
    struct case_place place;
    double diffusivity;         /* length^2/time; with `law` a number from its range */
    struct value_setting diffusivity_value;     /* as given: a number or an expression */
    struct property_setting law;        /* the diffusivity times `capacity`, if it varies */
    struct value_setting initial;
    enum scalar_fluid fluid;
    int convection;             /* enum convection, SCALAR_LIMITED or SCALAR_BOUNDED */
    /* By names of boundaries: the given value; the flux, entering per unit of area and time by diffusion; the exchange
     * coefficient, the flux per difference between the given value and that at the face. */
    struct named_value *value, *flux, *coefficient;
    int n_values, n_fluxes, n_coefficients;
    /* By names of zones: the initial value, instead of `initial`; the production per unit of volume and time. */
    struct named_value *zone_initial, *source;
    int n_zone_initials, n_sources;
    struct case_place initials_place, sources_place;
    double range[4];            /* in which properties that depend on it are sampled, as given; n_range 0: not given */
    int n_range;
    double capacity;            /* the temperature: density times heat capacity, the unit in which fluxes, coefficients
                                   and sources are given and shown.  0: another scalar, whose unit is 1 */
    struct property_setting second_law; /* SCALAR_HEAT: likewise of the second fluid */
    double second_capacity, second_diffusivity; /* SCALAR_HEAT: those of the second fluid, in the unit of the first:
                                                   capacity over `capacity`, conductivity over it */
};
struct scalar_settings { struct scalar_setting *item; int n; };

extern const struct section scalar_section;
struct case_reader;
struct findings;
/* steady, two: steady flow; two fluids.  Adds the values given in boundary settings. */
void scalar_setting_check(struct case_reader *r, const struct scalar_settings *all, const struct boundary_settings *b,
                          bool steady, bool two);
void scalar_setting_check_mesh(const struct scalar_settings *all, struct findings *f);
/* Its fluxes, exchange coefficients and sources are given in this unit. */
double scalar_unit(const struct scalar_setting *s);
/* The value given for a boundary, or NULL. */
const struct value_setting *scalar_setting_find(const struct named_value *list, int n, const char *boundary);
#endif

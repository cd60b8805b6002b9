/* fluid_setting.h: the fluid; with two of them, the first. */
#ifndef POISE_FLUID_SETTING_H
#define POISE_FLUID_SETTING_H
#include "assembly/viscosity_setting.h"
#include "case/case.h"

struct fluid_setting {
    double density, viscosity;  /* mass / volume; dynamic viscosity, if constant */
    struct value_setting density_value; /* as given: a number or an expression, */
    struct property_setting density_law;        /* of a field, in the weight only: `density` is that at the reference */
    struct value_setting viscosity_value;       /* as given: a number or an expression */
    struct viscosity_setting viscosity_model;
    double property_range[4];        /* in which properties are sampled, as given */
    int n_property_range;
    double gravity[3];          /* acceleration */
    struct value_setting acceleration[3];       /* in addition, of time; flow/drive.h has the difference */
    int gravity_length, acceleration_length;    /* 0: none given */
    /* Heat: energy / (mass temperature), power / (length temperature), 1 / temperature; 1 each: given */
    double heat_capacity, conductivity, expansion, reference_temperature;
    struct value_setting heat_capacity_value, conductivity_value;       /* as given: a number or an expression, with */
    struct property_setting heat_capacity_law, conductivity_law;        /* which the property is one from its range */
    int heat_capacity_given, conductivity_given, expansion_given, reference_temperature_given;
};

extern const struct section fluid_section;
/* The case has solids, and of the fluid at most property_range, which is that of solids too: nothing flows.  The fluid
 * then has 1 for all of its properties, which are in no result. */
extern const struct condition without_fluid;
struct findings;
void fluid_setting_check_mesh(const struct fluid_setting *s, struct case_place whole, struct findings *f);
#endif

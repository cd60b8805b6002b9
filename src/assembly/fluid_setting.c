/* Keys of the fluid's properties and their check against the mesh (fluid_setting.h). */
#include "assembly/fluid_setting.h"
#include <string.h>
#include "case/section.h"

static const struct key fluid_keys[] = {
    {"density", KEY_VALUE, OFFSET(fluid_setting, density_value), .unit = "mass/length^3", .range = "(0, inf)",
     .standard = "1.0", WORDS("temperature"), .more_words = "scalars",
     .help = "a number, or with `gravity` an expression of temperature or of a scalar's name, which acts in the weight "
             "only: elsewhere the density is that at reference_temperature, or at the scalar's initial value"},
    {"viscosity", KEY_VALUE, OFFSET(fluid_setting, viscosity_value), .unit = "mass/(length time)", .range = "(0, inf)",
     VISCOSITY_VALUE,
     .help = "dynamic viscosity: a number, or an expression of shear_rate, of temperature or a scalar's name, or of x, "
             "y, z and t; or viscosity_model = { ... }"},
    {"gravity", KEY_VECTOR, OFFSET(fluid_setting, gravity), OFFSET(fluid_setting, gravity_length), "length/time^2",
     .standard = "", .help = "acceleration by weight (not given: none); files have the pressure with its hydrostatic "
                             "part; along a periodic direction it makes the fluid fall"},
    {"acceleration", KEY_VALUES, OFFSET(fluid_setting, acceleration), OFFSET(fluid_setting, acceleration_length),
     "length/time^2", .standard = "", WORDS("t"),
     .help = "further acceleration of all fluid (not given: none): in a periodic direction it drives a flow, else the "
             "pressure balances it"},
    {"heat_capacity", KEY_VALUE, OFFSET(fluid_setting, heat_capacity_value),
     OFFSET(fluid_setting, heat_capacity_given), "energy/(mass temperature)", "(0, inf)", .standard = "",
     WORDS("temperature"),
     .help = "at constant pressure: a number, or an expression of temperature; with conductivity: the flow has a "
             "temperature"},
    {"conductivity", KEY_VALUE, OFFSET(fluid_setting, conductivity_value), OFFSET(fluid_setting, conductivity_given),
     "energy/(length time temperature)", "(0, inf)", .standard = "", .words = heat_variables,
     .n_words = N_HEAT_VARIABLES,
     .help = "of heat: a number, or an expression of temperature, or of x, y, z and t; with heat_capacity: the flow "
             "has a temperature"},
    {"expansion", KEY_REAL, OFFSET(fluid_setting, expansion), OFFSET(fluid_setting, expansion_given), "1/temperature",
     .standard = "",
     .help = "relative decrease of the density per unit of temperature in `gravity`, by Boussinesq's approximation "
             "(not given: no buoyancy)"},
    {"reference_temperature", KEY_REAL, OFFSET(fluid_setting, reference_temperature),
     OFFSET(fluid_setting, reference_temperature_given), "temperature", .standard = "",
     .help = "with expansion: where the density is `density` (not given: the temperature given at inlets and outlets, "
             "which must be the same; without any, initial.temperature); with a density by an expression: required"},
    {"property_range", KEY_NUMBERS, OFFSET(fluid_setting, property_range),
     OFFSET(fluid_setting, n_property_range), "temperature", .standard = "", .expected = FIELD_RANGE_EXPECTED,
     .help = "of the temperature, " FIELD_RANGE_HELP},
    {0}};

static bool lacks_fluid(struct case_reader *r)
{
    const config_setting_t *fluid = case_group(r, "fluid"), *solids = case_group(r, "solids");
    int given = 0;
    for (int i = 0; fluid && i < config_setting_length(fluid); i++) {
        const config_setting_t *key = config_setting_get_elem(fluid, (unsigned)i);
        given += !case_is_standard(key) && strcmp(config_setting_name(key), "property_range");
    }
    return !given && solids && config_setting_length(solids) > 0;
}
const struct condition without_fluid = {"solids, no fluid", lacks_fluid};

static bool has_model(struct case_reader *r) { return case_setting(r, "fluid.viscosity_model") != NULL; }
static const struct condition with_model = {"with viscosity_model", has_model};
static const struct other_standard fluid_others[] = {{"viscosity", &with_model, ""},
                                                    {"viscosity", &without_fluid, "1.0"},
                                                    {"heat_capacity", &without_fluid, "1.0"},
                                                    {"conductivity", &without_fluid, "1.0"}, {0}};
const struct section fluid_section = {.path = "fluid", .key = fluid_keys, .other = fluid_others, .help = "the fluid"};

void fluid_setting_check_mesh(const struct fluid_setting *s, struct case_place whole, struct findings *f)
{
    find_length(f, whole, s->gravity_length, "fluid.gravity");
    find_length(f, whole, s->acceleration_length, "fluid.acceleration");
}

/* Keys of the second fluid, its interface and prescribed velocities, and their checks (interface_setting.h). */
#include "interface/interface_setting.h"
#include "case/section.h"

const char *const prescribed_field_words[N_PRESCRIBED_FIELDS] = {
    [PRESCRIBED_VORTEX] = "vortex", [PRESCRIBED_ROTATION] = "rotation", [PRESCRIBED_SHEAR] = "shear",
    [PRESCRIBED_DEFORMATION] = "deformation"};

static const struct key second_fluid_keys[] = {
    {"density", KEY_VALUE, OFFSET(second_fluid_setting, density_value), .unit = "mass/length^3", .range = "(0, inf)",
     WORDS("temperature"), .more_words = "scalars",
     .help = "a number, or with `gravity` an expression, as fluid.density"},
    {"viscosity", KEY_VALUE, OFFSET(second_fluid_setting, viscosity_value), .unit = "mass/(length time)",
     .range = "(0, inf)", VISCOSITY_VALUE,
     .help = "dynamic viscosity: a number, or an expression of shear_rate, of temperature or a scalar's name, or of x, "
             "y, z and t; or viscosity_model = { ... }"},
    {"surface_tension", KEY_VALUE, OFFSET(second_fluid_setting, surface_tension_value), .unit = "mass/time^2",
     .range = "[0, inf)", .standard = "0.0", WORDS("temperature"),
     .help = "between the two fluids: a number, or an expression of temperature, whose slope drives a flow along the "
             "interface (Marangoni)"},
    {"surface_tension_slope", KEY_REAL, OFFSET(second_fluid_setting, surface_tension_slope),
     .unit = "mass/(time^2 temperature)", .standard = "0.0",
     .help = "instead of an expression: its change per unit of temperature, usually negative"},
    {"heat_capacity", KEY_VALUE, OFFSET(second_fluid_setting, heat_capacity_value),
     OFFSET(second_fluid_setting, heat_capacity_given), "energy/(mass temperature)", "(0, inf)", .standard = "",
     WORDS("temperature"),
     .help = "at constant pressure, with fluid.heat_capacity: a number, or an expression of temperature"},
    {"conductivity", KEY_VALUE, OFFSET(second_fluid_setting, conductivity_value),
     OFFSET(second_fluid_setting, conductivity_given), "energy/(length time temperature)", "(0, inf)", .standard = "",
     .words = heat_variables, .n_words = N_HEAT_VARIABLES,
     .help = "of heat, with fluid.conductivity: a number, or an expression of temperature, or of x, y, z and t"},
    {"expansion", KEY_REAL, OFFSET(second_fluid_setting, expansion), OFFSET(second_fluid_setting, expansion_given),
     "1/temperature", .standard = "", .help = "with fluid.expansion; both fluids have the same reference_temperature"},
    {0}};
static const struct key interface_keys[] = {
    {"given_curvature", KEY_REAL, OFFSET(interface_setting, given_curvature),
     OFFSET(interface_setting, curvature_given), "1/length", .standard = "",
     .help = "instead of the computed one, positive for a round body of the second fluid: for tests of balance"},
    {0}};
static const struct key prescribed_keys[] = {
    {"field", KEY_WORD, OFFSET(prescribed_setting, field), WORDS_OF(prescribed_field_words),
     .help = "the velocity that moves the interface with algorithm advection"},
    {"period", KEY_REAL, OFFSET(prescribed_setting, period), .unit = "time", .range = "(0, inf)", .standard = "",
     .help = "the velocity is multiplied by cos(pi t / period), which restores the initial state at t = period (not "
             "given: steady); rotation: time of one turn, required"},
    {0}};

static bool has_model(struct case_reader *r) { return case_setting(r, "second_fluid.viscosity_model") != NULL; }
static const struct condition with_model = {"with viscosity_model", has_model};
static const struct other_standard second_fluid_others[] = {{"viscosity", &with_model, ""}, {0}};

const struct section second_fluid_section = {.path = "second_fluid", .key = second_fluid_keys,
    .other = second_fluid_others, .optional = true,
    .help = "fluid 2, in which the fraction is 1: makes the case two-phase"};
const struct section interface_section = {.path = "interface", .key = interface_keys, .with = "second_fluid",
    .help = "two-phase: the interface"};
const struct section prescribed_section = {.path = "prescribed", .key = prescribed_keys, .optional = true,
    .help = "with advection: the velocity"};

static bool has_second_fluid(struct case_reader *r) { return case_setting(r, "second_fluid") != NULL; }
const struct condition with_second_fluid = {"two-phase", has_second_fluid};

/* Rejects two-phase boundary conditions in a case with one fluid. */
static void check_one_fluid(struct case_reader *r, const struct boundary_settings *b)
{
    static const char why[] = "a case without second_fluid = { ... }; remove it";
    static const char *const of_two[] = {"fraction", "contact_angle"};
    for (int i = 0; i < b->n; i++) {
        config_setting_t *group = case_named(r, "boundary", i, NULL);
        if (!group || !config_setting_is_group(group)) continue;
        for (int k = 0; k < 2; k++)                     /* other types of boundaries reject them already */
            if (section_key(&boundary_section, of_two[k])->kinds >> b->item[i].type & 1)
                case_drop(r, group, of_two[k], why);
    }
}

/* There must be a second fluid in a shape or in an inflow. */
void second_fluid_setting_check(struct case_reader *r, struct second_fluid_setting *s,
                                const struct shape_settings *shapes, const struct boundary_settings *boundary)
{
    s->given = has_second_fluid(r);
    if (!s->given) {
        check_one_fluid(r, boundary);
        return;
    }
    bool somewhere = shapes->n > 0 || case_setting(r, "initial.file");
    for (int i = 0; i < boundary->n; i++) {
        const struct value_setting *fraction = &boundary->item[i].fraction;
        somewhere = somewhere || fraction->text || fraction->number > 0;
    }
    if (!somewhere)
        case_complain(r, case_setting(r, "second_fluid"), "there is no second fluid: expected shapes = { NAME = { "
                      "type = \"sphere\"; centre = [0.5, 0.5]; radius = 0.25; }; }, a boundary with a fraction, or "
                      "initial.file");
    shape_setting_check(r, shapes);
}

void prescribed_setting_check(struct case_reader *r, struct prescribed_setting *p)
{
    p->given = case_setting(r, "prescribed") != NULL;
    p->place = case_whole(r);
}

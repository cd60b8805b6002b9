/* The table of boundary types, and the keys of boundary.NAME. */
#include <math.h>
#include <string.h>
#include "assembly/boundary_setting.h"
#include "case/section.h"

const char *const boundary_type_words[N_BOUNDARY_TYPES] = {
    [BOUNDARY_WALL] = "wall", [BOUNDARY_INLET] = "inlet", [BOUNDARY_OUTLET] = "outlet",
    [BOUNDARY_SYMMETRY] = "symmetry", [BOUNDARY_SLIP] = "slip", [BOUNDARY_PERIODIC] = "periodic",
    [BOUNDARY_PRESSURE_INLET] = "inlet"};

const struct boundary_kind boundary_kinds[N_BOUNDARY_TYPES] = {
    [BOUNDARY_WALL] = {.velocity = RULE_VALUE, .pressure = RULE_EXTRAPOLATED, .scalar = RULE_GRADIENT,
                       .flux = FLUX_NONE, .contact = CONTACT_GIVEN},
    [BOUNDARY_INLET] = {.velocity = RULE_VALUE, .pressure = RULE_EXTRAPOLATED, .scalar = RULE_VALUE, .flux = FLUX_GIVEN,
                        .needs_velocity = true, .needs_scalar = true},
    [BOUNDARY_OUTLET] = {.velocity = RULE_GRADIENT, .pressure = RULE_VALUE, .scalar = RULE_GRADIENT, .flux = FLUX_FREE},
    [BOUNDARY_SYMMETRY] = {.velocity = RULE_SLIP, .pressure = RULE_EXTRAPOLATED, .scalar = RULE_GRADIENT,
                           .flux = FLUX_NONE, .contact = CONTACT_RIGHT_ANGLE, .plane = true},
    [BOUNDARY_SLIP] = {.velocity = RULE_SLIP, .pressure = RULE_EXTRAPOLATED, .scalar = RULE_GRADIENT, .flux = FLUX_NONE,
                       .contact = CONTACT_GIVEN},
    [BOUNDARY_PERIODIC] = {.joined = true},
    [BOUNDARY_PRESSURE_INLET] = {.velocity = RULE_VALUE, .pressure = RULE_VALUE, .scalar = RULE_GRADIENT,
                                 .flux = FLUX_FREE, .needs_scalar = true, .feeds = true}};

#define IN(member) OFFSET(boundary_setting, member)
static const struct key rotation_keys[] = {
    {"about", KEY_VECTOR, IN(rotation.about), IN(rotation.about_length), "length",
     .help = "a point on the axis"},
    {"axis", KEY_VECTOR, IN(rotation.axis), IN(rotation.axis_length), .standard = "",
     .help = "in 3-D (required there): the axis' direction, of any length"},
    {"speed", KEY_VALUE, IN(rotation.speed), .unit = "radians/time", WORDS("t"),
     .help = "positive: anticlockwise in 2-D, and seen against the axis"},
    {0}};
static const struct key boundary_keys[] = {
    {"type", KEY_WORD, IN(type), .words = boundary_type_words, .n_words = N_NAMED_TYPES,
     .help = "wall: no slip; inlet: velocity, flow rate or total pressure; outlet: pressure; symmetry: planes of "
             "symmetry; slip: a wall without friction; periodic: joined to its partner"},
    {"velocity", KEY_VALUES, IN(velocity), IN(velocity_length), "length/time", .standard = "",
     .kinds = BIT(BOUNDARY_WALL) | BIT(BOUNDARY_INLET),
     .help = "of a wall: tangential (not given: at rest); of an inlet: maximum of the profile; an inlet needs one of "
             "velocity, flow_rate, mass_flow and total_pressure"},
    {"rotation", KEY_GROUP, IN(rotation.given), IN(rotation.given), .standard = "", .kinds = BIT(BOUNDARY_WALL),
     .inner = rotation_keys,
     .help = "of a wall, instead of velocity: it turns about an axis, and must be a surface of revolution about it"},
    {"flow_rate", KEY_VALUE, IN(flow_rate), IN(rated), "volume/time", .standard = "", .kinds = BIT(BOUNDARY_INLET),
     WORDS("t"),
     .help = "of an inlet, instead of velocity: through the whole boundary along its normal, with the shape of the "
             "profile; in 2-D per unit depth; negative: out of the domain"},
    {"mass_flow", KEY_VALUE, IN(mass_flow), IN(weighed), "mass/time", .standard = "", .kinds = BIT(BOUNDARY_INLET),
     WORDS("t"), .help = "of an inlet: flow_rate times the density of the fluid that enters"},
    {"total_pressure", KEY_VALUE, IN(total_pressure), IN(total), "mass/(length time^2)", .standard = "",
     .kinds = BIT(BOUNDARY_INLET) | BIT(BOUNDARY_OUTLET),
     .help = "pressure + density |velocity|^2 / 2; of an inlet: of fluid that enters, along the normal; fluid that "
             "leaves has this static pressure; of an outlet, instead of pressure: the mean of what leaves"},
    {"profile", KEY_WORD, IN(profile), .standard = "uniform", .kinds = BIT(BOUNDARY_INLET),
     WORDS_OF(inlet_profile_words),
     .help = "of an inlet with a velocity or a flow rate, separately for each connected part; parabolic: zero at the "
             "ends, in 3-D that of a rectangular duct; paraboloid: of a round pipe"},
    {"pressure", KEY_VALUE, IN(pressure), .unit = "mass/(length time^2)", .standard = "0.0",
     .kinds = BIT(BOUNDARY_OUTLET), .help = "at the outlet; with gravity without the weight of the first "
                                            "fluid (pressure - density gravity.x)"},
    {"backflow", KEY_WORD, IN(backflow), .standard = "total", .kinds = BIT(BOUNDARY_OUTLET),
     WORDS([BACKFLOW_TOTAL] = "total", [BACKFLOW_STATIC] = "static", [BACKFLOW_NONE] = "none"),
     .help = "for inflow through an outlet; total: it enters along the normal, from rest at `pressure`, which is "
             "stable; static: at `pressure` and with the cell's velocity, for developed flow between outlets; "
             "none: the outlet is shut where fluid would flow in"},
    {"with", KEY_NAME, IN(with), .standard = "", .kinds = BIT(BOUNDARY_PERIODIC),
     .help = "of a periodic boundary: its partner (not given: from the mesh file)"},
    {"fraction", KEY_VALUE, IN(fraction), .range = "[0, 1]", .standard = "0.0",
     .kinds = BIT(BOUNDARY_INLET) | BIT(BOUNDARY_OUTLET),
     .help = "two-phase: volume fraction of the second fluid in the inflow of an inlet or outlet"},
    {"contact_angle", KEY_REAL, IN(contact_angle), .unit = "degrees", .range = "(0, 180)", .standard = "90.0",
     .kinds = BIT(BOUNDARY_WALL) | BIT(BOUNDARY_SLIP),
     .help = "two-phase: between interface and wall, measured inside the second fluid"},
    {"table", KEY_TABLE, IN(table), .standard = "",
     .help = "its columns give keys of this boundary, over x, y, z and t: velocity_x, velocity_y, pressure, the names "
             "of scalars ..; \"table:FILE\" or \"table:FILE:COLUMN\" as a value gives a single one"},
    {"scalars", KEY_NAMED_VALUES, IN(scalar), IN(n_scalars), .standard = "",
     .kinds = ~BIT(BOUNDARY_PERIODIC) & (BIT(N_NAMED_TYPES) - 1),
     .help = "SCALAR = number: the same as scalars.SCALAR.values = { NAME = number; }"},
    {"temperature", KEY_VALUE, IN(temperature), IN(temperature_given), "temperature", .standard = "",
     .kinds = BIT(BOUNDARY_WALL) | BIT(BOUNDARY_INLET) | BIT(BOUNDARY_OUTLET) | BIT(BOUNDARY_SLIP),
     .help = "at the boundary; required at inlets; at an outlet: of the backflow; walls without temperature, heat_flux "
             "or transfer are insulated"},
    {"heat_flux", KEY_VALUE, IN(heat_flux), IN(heat_flux_given), "energy/(length^2 time)", .standard = "",
     .kinds = BIT(BOUNDARY_WALL) | BIT(BOUNDARY_SLIP), .help = "heat that enters per unit of area and time"},
    {"transfer", KEY_VALUES, IN(transfer), IN(n_transfer), .standard = "",
     .kinds = BIT(BOUNDARY_WALL) | BIT(BOUNDARY_SLIP),
     .help = "[coefficient, outside temperature]: the heat that enters per unit of area and time is coefficient "
             "(outside temperature - temperature there); coefficient in energy/(length^2 time temperature)",
     .expected = "a pair of numbers or expressions in brackets, like [10.0, 293.0]"},
    {0}};

/* In a flow driven by a pressure difference one outlet acts as the inlet, and must have exactly the given pressure. */
static bool is_driven_by_outlets(struct case_reader *r)
{
    const config_setting_t *all = case_group(r, "boundary");
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; all && i < config_setting_length(all); i++) {
        const config_setting_t *one = config_setting_get_elem(all, (unsigned)i);
        const char *type = NULL;
        if (!config_setting_is_group(one) || !config_setting_lookup_string(one, "type", &type)) continue;
        if (config_setting_get_member(one, "total_pressure")) return false;
        const config_setting_t *pressure = config_setting_get_member(one, "pressure");
        double given = pressure ? config_setting_get_float(pressure) : 0;
        if (pressure && config_setting_type(pressure) != CONFIG_TYPE_FLOAT)
            given = (double)config_setting_get_int64(pressure);
        if (pressure && config_setting_type(pressure) == CONFIG_TYPE_STRING) low = -INFINITY;   /* an expression */
        if (!strcmp(type, "inlet")) return false;
        if (!strcmp(type, "outlet")) low = fmin(low, given), high = fmax(high, given);
    }
    return low < high && !case_setting(r, "second_fluid");
}

static const struct condition driven_by_outlets = {"one fluid, outlets of different pressure, no inlet",
                                                   is_driven_by_outlets};
static const struct other_standard boundary_others[] = {{"backflow", &driven_by_outlets, "static"}, {0}};
const struct section boundary_section = {.path = "boundary", .key = boundary_keys, .other = boundary_others,
    .size = sizeof(struct boundary_setting), .help = "one group for every named boundary of the mesh"};

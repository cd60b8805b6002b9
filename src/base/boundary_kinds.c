/* The table of boundary types, and the keys of boundary.NAME. */
#include "base/boundary_kinds.h"
#include "base/case_parts.h"

#define BIT(type) (1u << (type))

const char *const boundary_types[N_BOUNDARY_TYPES + 1] = {
    [BOUNDARY_WALL] = "wall", [BOUNDARY_INLET] = "inlet", [BOUNDARY_OUTLET] = "outlet", [BOUNDARY_SYMMETRY] = "symmetry",
    [BOUNDARY_SLIP] = "slip", [BOUNDARY_PERIODIC] = "periodic"};

const struct boundary_kind boundary_kinds[N_BOUNDARY_TYPES] = {
    [BOUNDARY_WALL] = {.velocity = RULE_VALUE, .pressure = RULE_EXTRAPOLATED, .scalar = RULE_GRADIENT, .flux = FLUX_NONE,
                       .contact = CONTACT_GIVEN},
    [BOUNDARY_INLET] = {.velocity = RULE_VALUE, .pressure = RULE_EXTRAPOLATED, .scalar = RULE_VALUE, .flux = FLUX_GIVEN,
                        .needs_velocity = true, .needs_scalar = true},
    [BOUNDARY_OUTLET] = {.velocity = RULE_GRADIENT, .pressure = RULE_VALUE, .scalar = RULE_GRADIENT, .flux = FLUX_FREE},
    [BOUNDARY_SYMMETRY] = {.velocity = RULE_SLIP, .pressure = RULE_EXTRAPOLATED, .scalar = RULE_GRADIENT, .flux = FLUX_NONE,
                           .contact = CONTACT_RIGHT_ANGLE},
    [BOUNDARY_SLIP] = {.velocity = RULE_SLIP, .pressure = RULE_EXTRAPOLATED, .scalar = RULE_GRADIENT, .flux = FLUX_NONE,
                       .contact = CONTACT_GIVEN},
    [BOUNDARY_PERIODIC] = {.joined = true}};

#define OFFSET(member) offsetof(struct boundary_setting, member)
const struct key boundary_keys[N_BOUNDARY_KEYS] = {
    {"type", KEY_WORD, OFFSET(type), .words = boundary_types,
     .help = "wall: no slip; inlet: velocity; outlet: pressure; symmetry: a plane in which all is mirrored; slip: a wall without "
             "friction; periodic: joined to its partner"},
    {"velocity", KEY_VECTOR, OFFSET(velocity), OFFSET(velocity_length), "length/time", .standard = "",
     .kinds = BIT(BOUNDARY_WALL) | BIT(BOUNDARY_INLET),
     .help = "of a wall: how it moves along itself (not given: at rest); of an inlet (required): the profile's largest"},
    {"profile", KEY_WORD, OFFSET(profile), .standard = "uniform", .kinds = BIT(BOUNDARY_INLET),
     .words = (const char *const[]){"uniform", "parabolic", "paraboloid", NULL},
     .help = "of an inlet; parabolic: zero at its ends, in 3-D that of a rectangular duct; paraboloid: of a round pipe"},
    {"pressure", KEY_REAL, OFFSET(pressure), .unit = "mass/(length time^2)", .standard = "0.0", .kinds = BIT(BOUNDARY_OUTLET),
     .help = "of an outlet; with gravity less density gravity.x of the first fluid, which is outside"},
    {"with", KEY_NAME, OFFSET(with), .standard = "", .kinds = BIT(BOUNDARY_PERIODIC),
     .help = "of a periodic boundary: its partner (not given: as the mesh file says)"},
    {"fraction", KEY_REAL, OFFSET(fraction), .range = "[0, 1]", .standard = "0.0",
     .kinds = BIT(BOUNDARY_INLET) | BIT(BOUNDARY_OUTLET),
     .help = "two-phase: of the second fluid in what flows in through an inlet or an outlet"},
    {"contact_angle", KEY_REAL, OFFSET(contact_angle), .unit = "degrees", .range = "(0, 180)", .standard = "90.0",
     .kinds = BIT(BOUNDARY_WALL) | BIT(BOUNDARY_SLIP),
     .help = "two-phase: between interface and wall, measured inside the second fluid"}};

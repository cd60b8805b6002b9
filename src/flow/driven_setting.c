/* The keys of driven = { ... }, and checks of them. */
#include "flow/driven_setting.h"
#include "case/section.h"

static const struct key driven_keys[] = {
    {"direction", KEY_VECTOR, OFFSET(driven_setting, direction), OFFSET(driven_setting, direction_length),
     .help = "in which the mesh is periodic; only the direction of the vector counts"},
    {"flow_rate", KEY_VALUE, OFFSET(driven_setting, flow_rate), OFFSET(driven_setting, flow_rate_given),
     "volume/time", .standard = "", WORDS("t"),
     .help = "volume per time through a section of the period, in 2-D per unit depth: the mean velocity along the "
             "direction is flow_rate / area, with area = volume of the mesh / length of the period; the pressure "
             "gradient that this needs is found, and is in driven.csv"},
    {"pressure_gradient", KEY_VALUE, OFFSET(driven_setting, pressure_gradient),
     OFFSET(driven_setting, pressure_gradient_given), "pressure/length", .standard = "",
     WORDS("t"),
     .help = "decrease of the mean pressure per length along the direction: a positive one drives the flow along it"},
    {0}};
const struct section driven_section = {.path = "driven", .key = driven_keys, .optional = true,
    .help = "flow in a periodic direction by a mean pressure gradient; files have the rest of the pressure"};

void driven_setting_check(struct case_reader *r, struct driven_setting *d)
{
    config_setting_t *group = case_setting(r, "driven"), *direction = case_setting(r, "driven.direction");
    const double *n = d->direction;
    d->given = group != NULL;
    if (!d->given) return;
    d->place = case_place_of(r, direction ? direction : group);
    if (d->flow_rate_given && d->pressure_gradient_given)
        case_complain(r, case_setting(r, "driven.pressure_gradient"), "driven.pressure_gradient and driven.flow_rate "
                      "are both given: one follows from the other; remove one of them");
    if (!case_setting(r, "driven.flow_rate") && !case_setting(r, "driven.pressure_gradient"))
        case_complain(r, group, "driven needs flow_rate or pressure_gradient, like driven = { direction = [1.0, 0.0]; "
                      "flow_rate = 2.0; }");
    if (direction && d->direction_length && n[0] == 0 && n[1] == 0 && n[2] == 0)
        case_complain(r, direction, "driven.direction is a vector of length 0; expected a direction like [1.0, 0.0]");
}

void driven_setting_check_mesh(const struct driven_setting *d, struct findings *f)
{
    if (d->given) find_length(f, d->place, d->direction_length, "driven.direction");
}

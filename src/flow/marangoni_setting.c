/* Checks second_fluid.surface_tension_slope against the rest of the case (marangoni_setting.h). */
#include "flow/marangoni_setting.h"
#include <math.h>
#include <string.h>
#include "case/section.h"

/* Its largest value limits the first step in time. */
static void check_law(struct case_reader *r, struct flow_setting *c, config_setting_t *slope)
{
    enum { N = 1025 };
    struct second_fluid_setting *second = &c->second_fluid;
    const struct property_setting *law = &second->tension_law;
    double x[N], tension[N], most = 0;
    if (second->surface_tension_slope != 0)
        case_complain(r, slope, "second_fluid.surface_tension_slope: surface_tension = \"%s\" has a slope of its own; "
                      "remove one of them", law->formula.text);
    if (flow_is_advection(c))
        case_complain(r, case_setting(r, law->formula.path), "second_fluid.surface_tension = \"%s\": with algorithm "
                      "\"advection\" expected a number", law->formula.text);
    for (int i = 0; i < N; i++) x[i] = law->range[0] + i * (law->range[1] - law->range[0]) / (N - 1);
    property_sample(law, x, N, tension);
    for (int i = 0; i < N; i++) most = fmax(most, tension[i]);
    second->surface_tension = most;
}

void marangoni_setting_check(struct case_reader *r, struct flow_setting *c)
{
    struct second_fluid_setting *second = &c->second_fluid;
    config_setting_t *slope = case_setting(r, "second_fluid.surface_tension_slope");
    const struct scalar_setting *found = NULL;
    if (second->tension_law.given) check_law(r, c, slope);
    if (!slope || second->surface_tension_slope == 0 || second->tension_law.given) return;
    if (flow_is_advection(c)) {
        case_drop(r, case_group(r, "second_fluid"), "surface_tension_slope", "algorithm \"advection\"; remove it");
        return;
    }
    for (int i = 0; i < c->scalars.n; i++)
        if (!strcmp(c->scalars.item[i].name, "temperature")) found = &c->scalars.item[i];
    if (c->heat.given) second->tension_reference = c->heat.reference;
    else if (found) second->tension_reference = found->initial.number;
    if (!found || found->fluid == SCALAR_IN_FIRST || found->fluid == SCALAR_IN_SECOND)
        case_complain(r, slope, "second_fluid.surface_tension_slope needs a temperature in both fluids: expected "
                      "heat_capacity and conductivity of fluid and second_fluid, or scalars.temperature");
    else if (found->initial.text && !(c->heat.given && c->fluid.reference_temperature_given))
        case_complain(r, slope, c->heat.given ?
                      "fluid.reference_temperature is missing: expected a number [temperature], as initial.temperature "
                      "is an expression" :
                      "scalars.temperature.initial: expected a number, at which the surface tension is "
                      "second_fluid.surface_tension");
    if (!(second->surface_tension > 0))
        case_complain(r, slope, "second_fluid.surface_tension_slope needs second_fluid.surface_tension > 0, its value "
                      "at the reference temperature");
}

/* Checks second_fluid.surface_tension_slope against the rest of the case (marangoni_setting.h). */
#include "flow/marangoni_setting.h"
#include <string.h>
#include "case/section.h"

void marangoni_setting_check(struct case_reader *r, struct flow_setting *c)
{
    struct second_fluid_setting *second = &c->second_fluid;
    config_setting_t *slope = case_setting(r, "second_fluid.surface_tension_slope");
    const struct scalar_setting *found = NULL;
    if (!slope || second->surface_tension_slope == 0) return;
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

/* The keys of buoyancy = { ... }, and checks of them. */
#include "flow/buoyancy_setting.h"
#include <stdlib.h>
#include "case/section.h"

static const struct key buoyancy_keys[] = {
    {"scalar", KEY_NAME, OFFSET(buoyancy_setting, scalar),
     .help = "the one of scalars = { ... } that the density depends on, such as a temperature"},
    {"expansion", KEY_REAL, OFFSET(buoyancy_setting, expansion), .unit = "1/scalar",
     .help = "relative decrease of the density per unit of the scalar, from fluid.density; negative: it increases, "
             "as with salt"},
    {"reference", KEY_REAL, OFFSET(buoyancy_setting, reference), OFFSET(buoyancy_setting, reference_given), "scalar",
     .standard = "", .help = "the scalar's value where the density is fluid.density (not given: its initial value)"},
    {0}};
const struct section buoyancy_section = {.path = "buoyancy", .key = buoyancy_keys, .optional = true,
    .help = "density differences in fluid.gravity, by Boussinesq's approximation: one fluid, small differences"};

void buoyancy_setting_check(struct case_reader *r, struct buoyancy_setting *b, const struct fluid_setting *fluid,
                            const struct scalar_settings *scalars, bool two)
{
    config_setting_t *group = case_setting(r, "buoyancy"), *scalar = case_setting(r, "buoyancy.scalar");
    b->given = group != NULL;
    if (!b->given) return;
    const char **names = case_names(scalars->item, sizeof *scalars->item, scalars->n);
    if (two)
        case_complain(r, group, "buoyancy does not apply to a case with second_fluid = { ... }; remove it");
    if (!fluid->gravity_length)
        case_complain(r, group, "buoyancy needs fluid.gravity, like gravity = [0.0, -9.81]");
    const int i = case_find_name(b->scalar, names, scalars->n);
    if (i >= 0 && !b->reference_given) b->reference = scalars->item[i].initial.number;
    if (scalar && i < 0)
        case_complain(r, scalar, "buoyancy.scalar: there is no scalars.%s%s; expected the name of one of scalars = "
                      "{ NAME = { diffusivity = ...; }; }", b->scalar,
                      case_did_you_mean(b->scalar, names, scalars->n));
    free(names);
}

/* The keys of buoyancy = { ... }, and checks of them. */
#include "flow/buoyancy_setting.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* The value of the law's field at which the density is that of all but the weight. */
static bool find_reference(struct case_reader *r, const struct fluid_setting *f, const struct scalar_settings *scalars,
                           double *reference)
{
    const struct scalar_setting *s = NULL;
    const char *path = f->density_value.path, *text = f->density_value.text;
    for (int i = 0; i < scalars->n; i++)
        if (!strcmp(scalars->item[i].name, f->density_law.field)) s = &scalars->item[i];
    *reference = s ? s->initial.number : f->reference_temperature;
    if (s ? s->initial.text != NULL : !f->reference_temperature_given)
        case_complain(r, case_setting(r, path), s ?
                      "%s = \"%s\" needs a number as scalars.%s.initial, with the density of all but the weight" :
                      "%s = \"%s\" needs fluid.reference_temperature, a number [temperature], with the density of all "
                      "but the weight", path, text, f->density_law.field);
    return s ? !s->initial.text : f->reference_temperature_given;
}

void density_setting_check(struct case_reader *r, struct fluid_setting *f, const struct scalar_settings *scalars)
{
    const struct value_setting *value = &f->density_value;
    config_setting_t *at = case_setting(r, "fluid.density"), *other = case_setting(r, "fluid.expansion");
    double reference, density;
    f->density = property_of_key(r, &f->density_law, value, "temperature alone, or of one scalar alone");
    if (!f->density_law.given) return;
    if (!other) other = case_setting(r, "buoyancy");
    if (other)
        case_complain(r, other, "%s: the expression of fluid.density is the density in the weight; remove one of them",
                      case_path_of(other));
    if (case_setting(r, "second_fluid"))
        case_complain(r, at, "fluid.density = \"%s\": with two fluids expected a number > 0, and expansion of both",
                      value->text);
    else if (!f->gravity_length)
        case_complain(r, at, "fluid.density = \"%s\" needs fluid.gravity, like gravity = [0.0, -9.81]", value->text);
    if (!find_reference(r, f, scalars, &reference)) return;
    property_sample(&f->density_law, &reference, 1, &density);
    if (density > 0) f->density = density;              /* else see property_range_check() */
}

void buoyancy_setting_check(struct case_reader *r, struct buoyancy_setting *b, const struct fluid_setting *fluid,
                            const struct scalar_settings *scalars, bool two)
{
    config_setting_t *group = case_setting(r, "buoyancy"), *scalar = case_setting(r, "buoyancy.scalar");
    const struct property_setting *law = &fluid->density_law;
    b->given = group != NULL;
    for (int i = 0; i < scalars->n && law->given; i++) {
        const struct scalar_setting *s = &scalars->item[i];
        if (strcmp(s->name, law->field)) continue;
        *b = (struct buoyancy_setting){.given = true, .reference = s->initial.number};
        snprintf(b->scalar, sizeof b->scalar, "%s", s->name);
    }
    if (!group || law->given) return;
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

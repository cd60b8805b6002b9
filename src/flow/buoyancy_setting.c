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
static bool find_reference(struct case_reader *r, const struct property_setting *law, const struct fluid_setting *f,
                           const struct scalar_settings *scalars, double *reference)
{
    const struct scalar_setting *s = NULL;
    const char *path = law->formula.path, *text = law->formula.text;
    for (int i = 0; i < scalars->n; i++)
        if (!strcmp(scalars->item[i].name, law->field)) s = &scalars->item[i];
    *reference = s ? s->initial.number : f->reference_temperature;
    if (s ? s->initial.text != NULL : !f->reference_temperature_given)
        case_complain(r, case_setting(r, path), s ?
                      "%s = \"%s\" needs a number as scalars.%s.initial, with the density of all but the weight" :
                      "%s = \"%s\" needs fluid.reference_temperature, a number [temperature], with the density of all "
                      "but the weight", path, text, law->field);
    return s ? !s->initial.text : f->reference_temperature_given;
}

/* The density of one of the fluids at the reference. */
static void check_density(struct case_reader *r, const struct property_setting *law, double *density,
                          const struct fluid_setting *f, const struct scalar_settings *scalars)
{
    static const char *const others[] = {"fluid.expansion", "second_fluid.expansion", "buoyancy"};
    const char *path = law->formula.path;
    double reference, there;
    for (int k = 0; k < 3; k++) {
        config_setting_t *other = case_setting(r, others[k]);
        if (other)
            case_complain(r, other, "%s: the expression of %s is the density in the weight; remove one of them",
                          case_path_of(other), path);
    }
    if (!f->gravity_length)
        case_complain(r, case_setting(r, path), "%s = \"%s\" needs fluid.gravity, like gravity = [0.0, -9.81]", path,
                      law->formula.text);
    if (!find_reference(r, law, f, scalars, &reference)) return;
    property_sample(law, &reference, 1, &there);
    if (there > 0) *density = there;                    /* else see property_range_check() */
}

void density_setting_check(struct case_reader *r, struct fluid_setting *f, struct second_fluid_setting *second,
                           const struct scalar_settings *scalars)
{
    static const char expected[] = "temperature alone, or of one scalar alone";
    const struct property_setting *first = &f->density_law, *other = &second->density_law;
    f->density = property_of_key(r, &f->density_law, &f->density_value, expected);
    second->density = property_of_key(r, &second->density_law, &second->density_value, expected);
    if (first->given && other->given && strcmp(first->field, other->field))
        case_complain(r, case_setting(r, other->formula.path), "%s = \"%s\": expected an expression of %s, as %s is",
                      other->formula.path, other->formula.text, first->field, first->formula.path);
    if (first->given) check_density(r, first, &f->density, f, scalars);
    if (other->given) check_density(r, other, &second->density, f, scalars);
}

void buoyancy_setting_check(struct case_reader *r, struct buoyancy_setting *b, const struct fluid_setting *fluid,
                            const struct second_fluid_setting *second, const struct scalar_settings *scalars)
{
    config_setting_t *group = case_setting(r, "buoyancy"), *scalar = case_setting(r, "buoyancy.scalar");
    const struct property_setting *law = fluid->density_law.given ? &fluid->density_law : &second->density_law;
    b->given = group != NULL;
    for (int i = 0; i < scalars->n && law->given; i++) {
        const struct scalar_setting *s = &scalars->item[i];
        if (strcmp(s->name, law->field)) continue;
        *b = (struct buoyancy_setting){.given = true, .reference = s->initial.number};
        snprintf(b->scalar, sizeof b->scalar, "%s", s->name);
    }
    if (!group || law->given) return;
    const char **names = case_names(scalars->item, sizeof *scalars->item, scalars->n);
    if (second->given)
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

/* Reads the settings of solids and checks them (solid_setting.h). */
#include "flow/solid_setting.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "case/section.h"

static const struct key solid_keys[] = {
    {"density", KEY_REAL, OFFSET(solid_setting, density), .unit = "mass/length^3", .range = "(0, inf)",
     .help = "density"},
    {"heat_capacity", KEY_VALUE, OFFSET(solid_setting, heat_capacity_value), .unit = "energy/(mass temperature)",
     .range = "(0, inf)", WORDS("x", "y", "z", "temperature"),
     .help = "heat per mass and temperature: a number, or an expression of temperature, or of x, y and z"},
    {"conductivity", KEY_VALUE, OFFSET(solid_setting, conductivity_value), .unit = "energy/(length time temperature)",
     .range = "(0, inf)", .words = heat_variables, .n_words = N_HEAT_VARIABLES,
     .help = "of heat: a number, or an expression of temperature, or of x, y, z and t"},
    {"contact_resistance", KEY_REAL, OFFSET(solid_setting, contact_resistance),
     .unit = "length^2 time temperature/energy", .range = "[0, inf)", .standard = "0.0",
     .help = "difference of temperature over heat flux, at its whole surface inside the mesh; where two solids touch "
             "theirs add up"},
    {0}};
const struct section solid_section = {.path = "solids", .key = solid_keys, .size = sizeof(struct solid_setting),
    .help = "regions of the mesh that conduct heat and do not flow, by their names"};

const struct solid_setting *solid_setting_find(const struct solid_settings *all, const char *region)
{
    for (int i = 0; i < all->n; i++) if (!strcmp(all->item[i].name, region)) return &all->item[i];
    return NULL;
}

/* ---------------------------------------------------------------- surfaces */
static void check_surface(struct case_reader *r, const struct boundary_settings *b, const struct boundary_setting *s)
{
    const int i = (int)(s - b->item);
    static const char *const thermal[] = {"temperature", "heat_flux", "transfer", "scalars"};
    if (boundary_passes_flux(s->type) || boundary_is_joined(s->type))
        case_complain(r, case_named(r, "boundary", i, "type"), "boundary.%s.type = \"%s\": this is the surface of a "
                      "solid: expected \"wall\" or \"slip\"", s->name, boundary_type_words[s->type]);
    for (size_t k = 0; k < sizeof thermal / sizeof *thermal; k++) {
        config_setting_t *at = case_named(r, "boundary", i, thermal[k]);
        if (at)
            case_complain(r, at, "%s does not apply to the surface of a solid, through which heat passes; remove it",
                          case_path_of(at));
    }
}

static void add_surface(struct boundary_settings *b, const struct solid_setting *s)
{
    struct boundary_setting wall = {.place = s->place, .contact_angle = 90};    /* the first type: a wall */
    memcpy(wall.name, s->name, sizeof wall.name);
    RESIZE(b->item, b->n + 1);
    b->item[b->n++] = wall;
}

void solid_setting_check(struct case_reader *r, const struct solid_settings *all, struct boundary_settings *b,
                         bool heat)
{
    for (int i = 0; i < all->n; i++) {
        struct solid_setting *s = &all->item[i];
        s->heat_capacity = property_of_key(r, &s->heat_capacity_law, &s->heat_capacity_value,
                                           "temperature alone, or of x, y and z");
        s->conductivity = property_of_key(r, &s->conductivity_law, &s->conductivity_value,
                                          "temperature alone, or of x, y, z and t");
        const struct boundary_setting *surface = boundary_setting_find(b, s->name);
        if (!heat)
            case_complain(r, case_named(r, "solids", i, NULL), "solids.%s conducts heat, but the case has no "
                          "temperature; give fluid.heat_capacity and fluid.conductivity", s->name);
        if (surface) check_surface(r, b, surface);
        else add_surface(b, s);
    }
}

/* ---------------------------------------------------------------- against the mesh */
static void check_zones(const struct solid_settings *all, const struct named_value *zone, int n,
                        struct case_place place, const char *scalar, struct findings *f)
{
    for (int i = 0; i < n; i++)
        if (solid_setting_find(all, zone[i].name))
            find_fault(f, place, "scalars.%s: the region \"%s\" is a solid, and scalars are in the fluid only; remove "
                       "it", scalar, zone[i].name);
}

void solid_setting_check_mesh(const struct solid_settings *all, const struct scalar_settings *scalars,
                              const struct source_settings *sources, struct findings *f)
{
    for (int i = 0; i < all->n; i++)
        find_name(f, all->item[i].place, "the solid", all->item[i].name, f->zone, f->n_zones);
    for (const struct scalar_setting *s = scalars->item; s < scalars->item + scalars->n; s++) {
        if (s->capacity > 0) continue;                  /* the temperature */
        check_zones(all, s->zone_initial, s->n_zone_initials, s->initials_place, s->name, f);
        check_zones(all, s->source, s->n_sources, s->sources_place, s->name, f);
    }
    for (const struct source_setting *s = sources->item; s < sources->item + sources->n; s++)
        if ((s->force_length || s->resistance_given) && solid_setting_find(all, s->region))
            find_fault(f, s->place, "sources.%s: the region \"%s\" is a solid, which does not flow; expected heat only",
                       s->name, s->region);
}

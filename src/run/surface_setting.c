#include "run/surface_setting.h"
#include "case/section.h"
#include "run/run_setting.h"

static const struct key surface_keys[] = {
    {"boundaries", KEY_NAMES, OFFSET(surface_setting, boundary), OFFSET(surface_setting, n_boundaries),
     .help = "names of the boundaries that it is made of"},
    {"fields", KEY_NAMES, OFFSET(surface_setting, field), OFFSET(surface_setting, n_fields),
     .standard = "[\"pressure\", \"shear\", \"wall-distance\", \"flow\"]",
     .help = "of its faces: velocity, pressure, fraction and scalars; shear: force by friction along the face, over "
             "its area, of the fluid on the boundary; wall-distance: of the centre of the face's cell; flow: volume in "
             "a unit of time through the face, out positive"},
    {"every", KEY_INTEGER, OFFSET(surface_setting, every), .range = "[0, inf)", .standard = "0",
     .unit = "iterations or time steps", .help = "between written faces; 0 = when fields are written, only"},
    {0}};
const struct section surface_section = {.path = "surfaces", .key = surface_keys, .size = sizeof(struct surface_setting),
    .help = "pressure, shear and what else is there on boundaries: faces, and means over them"};

void surface_setting_check(struct case_reader *r, const struct surface_settings *s, const struct boundary_settings *b)
{
    for (int i = 0; i < s->n; i++) {
        const struct surface_setting *set = &s->item[i];
        config_setting_t *at = case_named(r, "surfaces", i, "boundaries");
        boundary_names_check(r, "surfaces", i, set->boundary, set->n_boundaries, b);
        for (int k = 0; set->boundary && k < set->n_boundaries; k++) {
            const struct boundary_setting *of = boundary_setting_find(b, set->boundary[k]);
            if (of && boundary_is_joined(of->type))
                case_complain(r, at, "%s: boundary \"%s\" is periodic, inside of the flow: expected another one",
                              case_path_of(at), set->boundary[k]);
        }
    }
}

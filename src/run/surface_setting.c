/* The sections `surfaces` and `planes` of a case. */
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
             "a unit of time through the face, out positive; NAME-flux, of a scalar that both fluids carry: what "
             "comes in through a unit of area in a unit of time, by diffusion and with the flow"},
    {"every", KEY_INTEGER, OFFSET(surface_setting, every), .range = "[0, inf)", .standard = "0",
     .unit = "iterations or time steps", .help = "between written faces; 0 = when fields are written, only"},
    {0}};
const struct section surface_section = {.path = "surfaces", .key = surface_keys, .size = sizeof(struct surface_setting),
    .help = "pressure, shear and what else is there on boundaries: faces, and means over them"};

static const struct key plane_keys[] = {
    {"point", KEY_VECTOR, OFFSET(plane_setting, point), OFFSET(plane_setting, length), "length",
     .help = "that it goes through"},
    {"normal", KEY_VECTOR, OFFSET(plane_setting, normal), OFFSET(plane_setting, normal_length),
     .help = "its direction, of any length"},
    {"fields", KEY_NAMES, OFFSET(plane_setting, field), OFFSET(plane_setting, n_fields),
     .standard = "[\"velocity\", \"pressure\"]", .help = "any of output.fields but gradient"},
    {"every", KEY_INTEGER, OFFSET(plane_setting, every), .range = "[0, inf)", .standard = "0",
     .unit = "iterations or time steps", .help = "between written planes; 0 = when fields are written, only"},
    {0}};
const struct section planes_section = {.path = "planes", .key = plane_keys, .size = sizeof(struct plane_setting),
    .help = "fields on planes through the mesh, as series of their own; in 2-D on straight lines"};

void plane_setting_check(struct case_reader *r, const struct plane_settings *p)
{
    for (int i = 0; i < p->n; i++) {
        const struct plane_setting *set = &p->item[i];
        config_setting_t *normal = case_named(r, "planes", i, "normal");
        if (!normal || !set->length || !set->normal_length) continue;
        if (set->normal_length != set->length)
            case_complain(r, normal, "%s has %d numbers, but point has %d", case_path_of(normal), set->normal_length,
                          set->length);
        else if (set->normal[0] == 0 && set->normal[1] == 0 && set->normal[2] == 0)
            case_complain(r, normal, "%s is zero: expected the direction across the plane, like [0.0, 1.0%s]",
                          case_path_of(normal), set->length == 3 ? ", 0.0" : "");
    }
}

void plane_setting_check_mesh(const struct plane_settings *p, struct findings *f)
{
    for (int i = 0; i < p->n; i++)
        find_length(f, p->item[i].place, p->item[i].length, "planes.%s.point", p->item[i].name);
}

void surface_setting_check(struct case_reader *r, const struct surface_settings *s, const struct boundary_settings *b)
{
    for (int i = 0; i < s->n; i++)
        boundary_names_check(r, "surfaces", i, s->item[i].boundary, s->item[i].n_boundaries, b);
}

#include "assembly/boundary_setting.h"
#include <stdlib.h>
#include <string.h>
#include "case/section.h"

const char *const boundary_type_words[N_BOUNDARY_TYPES] = {
    [BOUNDARY_WALL] = "wall", [BOUNDARY_INLET] = "inlet", [BOUNDARY_OUTLET] = "outlet", [BOUNDARY_SYMMETRY] = "symmetry",
    [BOUNDARY_PERIODIC] = "periodic"};
const char *const inlet_profile_words[N_INLET_PROFILES] = {
    [PROFILE_UNIFORM] = "uniform", [PROFILE_PARABOLIC] = "parabolic", [PROFILE_PARABOLOID] = "paraboloid"};

static const struct key boundary_keys[] = {
    {"type", KEY_WORD, OFFSET(boundary_setting, type), WORDS_OF(boundary_type_words),
     .help = "wall: no slip; inlet: velocity; outlet: pressure; symmetry: slip; periodic: joined to its partner"},
    {"velocity", KEY_VECTOR, OFFSET(boundary_setting, velocity), OFFSET(boundary_setting, velocity_length),
     "length/time", .standard = "", .kinds = BIT(BOUNDARY_WALL) | BIT(BOUNDARY_INLET),
     .help = "of a wall: how it moves along itself (not given: at rest); of an inlet (required): the profile's "
             "largest"},
    {"profile", KEY_WORD, OFFSET(boundary_setting, profile), .standard = "uniform", .kinds = BIT(BOUNDARY_INLET),
     WORDS_OF(inlet_profile_words),
     .help = "of an inlet; parabolic: zero at its ends, in 3-D that of a rectangular duct; paraboloid: of a round "
             "pipe"},
    {"pressure", KEY_REAL, OFFSET(boundary_setting, pressure), .unit = "mass/(length time^2)", .standard = "0.0",
     .kinds = BIT(BOUNDARY_OUTLET),
     .help = "of an outlet; with gravity less density gravity.x of the first fluid, which is outside"},
    {"with", KEY_NAME, OFFSET(boundary_setting, with), .standard = "", .kinds = BIT(BOUNDARY_PERIODIC),
     .help = "of a periodic boundary: its partner (not given: as the mesh file says)"},
    {"fraction", KEY_REAL, OFFSET(boundary_setting, fraction), .range = "[0, 1]", .standard = "0.0",
     .kinds = BIT(BOUNDARY_INLET) | BIT(BOUNDARY_OUTLET),
     .help = "two-phase: of the second fluid in what flows in through an inlet or an outlet"},
    {"contact_angle", KEY_REAL, OFFSET(boundary_setting, contact_angle), .unit = "degrees", .range = "(0, 180)",
     .standard = "90.0", .kinds = BIT(BOUNDARY_WALL),
     .help = "two-phase: between interface and wall, measured inside the second fluid"},
    {0}};

const struct section boundary_section = {.path = "boundary", .key = boundary_keys, .size = sizeof(struct boundary_setting),
    .help = "one group for every named boundary of the mesh"};

const struct boundary_setting *boundary_setting_find(const struct boundary_settings *b, const char *name)
{
    for (int i = 0; i < b->n; i++) if (!strcmp(b->item[i].name, name)) return &b->item[i];
    return NULL;
}

/* ---------------------------------------------------------------- against each other */
static void check_partner(struct case_reader *r, const struct boundary_settings *all, int i, const char *const *names)
{
    const struct boundary_setting *b = &all->item[i];
    config_setting_t *with = case_named(r, "boundary", i, "with");
    if (!with || !*b->with) return;
    const struct boundary_setting *p = boundary_setting_find(all, b->with);
    if (!p) case_complain(r, with, "%s = \"%s\": there is no boundary of this name in the case%s", case_path_of(with), b->with,
                          case_did_you_mean(b->with, names, all->n));
    else if (p == b) case_complain(r, with, "%s = \"%s\": a boundary cannot be its own partner", case_path_of(with), b->with);
    else if (p->type != BOUNDARY_PERIODIC)
        case_complain(r, with, "%s = \"%s\": that boundary has type \"%s\"; both partners must be \"periodic\"",
                      case_path_of(with), b->with, boundary_type_words[p->type]);
    else if (*p->with && strcmp(p->with, b->name))
        case_complain(r, with, "%s = \"%s\": but boundary.%s.with = \"%s\"; partners must name each other", case_path_of(with),
                      b->with, p->name, p->with);
}

void boundary_setting_check(struct case_reader *r, const struct boundary_settings *all)
{
    const char **names = case_names(all->item, sizeof *all->item, all->n);
    if (!all->n)
        case_complain(r, case_setting(r, "boundary"),
                      "the boundary conditions are missing: expected boundary = { NAME = { type = \"wall\"; }; ... } "
                      "with every named boundary of the mesh");
    for (int i = 0; i < all->n; i++) {
        const struct boundary_setting *b = &all->item[i];
        if (b->type == BOUNDARY_INLET && !case_named(r, "boundary", i, "velocity"))
            case_complain(r, case_named(r, "boundary", i, NULL), "boundary.%s.velocity is missing: an inlet needs it, "
                          "2 or 3 numbers in brackets, like [1.0, 0.0] [length/time]", b->name);
        check_partner(r, all, i, names);
    }
    free(names);
}

/* ---------------------------------------------------------------- against the mesh */
static void check_patches(const struct boundary_settings *b, struct case_place whole, const char *const *patch, int n,
                          struct findings *f)
{
    char list[800] = "";
    for (int i = 0, at_end = 0; i < n && at_end < (int)sizeof list - NAME_LENGTH - 10; i++)
        at_end += sprintf(list + at_end, "%s%s", i ? ", " : "", patch[i]);
    for (int i = 0; i < b->n; i++)
        if (case_find_name(b->item[i].name, patch, n) < 0)
            find_fault(f, b->item[i].place, "boundary \"%s\" is not in %s; it has: %s%s", b->item[i].name, f->mesh_name,
                       n ? list : "none", case_did_you_mean(b->item[i].name, patch, n));
    for (int i = 0; i < n; i++)
        if (!boundary_setting_find(b, patch[i]))
            find_fault(f, whole, "boundary \"%s\" of %s has no condition; add to boundary = { ... }:\n"
                       "    %s = { type = \"wall\"; };", patch[i], f->mesh_name, patch[i]);
}

void boundary_setting_check_mesh(const struct boundary_settings *b, struct case_place whole, const char *const *patch, int n,
                                 struct findings *f)
{
    check_patches(b, whole, patch, n, f);
    for (int i = 0; i < b->n; i++)
        find_length(f, b->item[i].place, b->item[i].velocity_length, "boundary.%s.velocity", b->item[i].name);
    for (int i = 0; i < b->n && f->dim == 2; i++)
        if (b->item[i].type == BOUNDARY_INLET && b->item[i].profile == PROFILE_PARABOLOID)
            find_fault(f, b->item[i].place,
                       "boundary.%s.profile = \"paraboloid\", but %s is 2-D: expected \"uniform\" or \"parabolic\"",
                       b->item[i].name, f->mesh_name);
}

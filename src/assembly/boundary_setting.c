/* Reads the boundary conditions and checks them against each other and the mesh (boundary_setting.h). */
#include "assembly/boundary_setting.h"
#include <stdlib.h>
#include <string.h>
#include "case/section.h"

const char *const inlet_profile_words[N_INLET_PROFILES] = {
    [PROFILE_UNIFORM] = "uniform", [PROFILE_PARABOLIC] = "parabolic", [PROFILE_PARABOLOID] = "paraboloid"};

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
    if (!p)
        case_complain(r, with, "%s = \"%s\": there is no boundary of this name in the case%s", case_path_of(with),
                      b->with, case_did_you_mean(b->with, names, all->n));
    else if (p == b)
        case_complain(r, with, "%s = \"%s\": a boundary cannot be its own partner", case_path_of(with), b->with);
    else if (!boundary_is_joined(p->type))
        case_complain(r, with, "%s = \"%s\": that boundary has type \"%s\"; both partners must be \"%s\"",
                      case_path_of(with), b->with, boundary_type_words[p->type], boundary_type_words[b->type]);
    else if (*p->with && strcmp(p->with, b->name))
        case_complain(r, with, "%s = \"%s\": but boundary.%s.with = \"%s\"; partners must name each other",
                      case_path_of(with), b->with, p->name, p->with);
}

/* The first given key of these; *n: how many are given. */
static const char *first_given(struct case_reader *r, int i, const char *const *key, int *n)
{
    const char *first = NULL;
    *n = 0;
    for (; *key; key++)
        if (case_named(r, "boundary", i, *key)) ++*n, first = first ? first : *key;
    return first;
}

/* An inlet is given in one of four ways. */
static void check_inlet(struct case_reader *r, struct boundary_setting *b, int i)
{
    static const char *const ways[] = {"velocity", "flow_rate", "mass_flow", "total_pressure", NULL};
    config_setting_t *group = case_named(r, "boundary", i, NULL);
    int n;
    const char *first = first_given(r, i, ways, &n);
    if (n == 0 && !case_complained(r, case_named(r, "boundary", i, "table")))
        case_complain(r, group, "boundary.%s.velocity is missing: an inlet needs it, 2 or 3 numbers in brackets, like "
                      "[1.0, 0.0] [length/time]; or flow_rate, mass_flow or total_pressure", b->name);
    for (const char *const *key = ways; n > 1 && *key; key++)
        if (strcmp(*key, first) && case_named(r, "boundary", i, *key))
            case_complain(r, case_named(r, "boundary", i, *key), "boundary.%s.%s: the inlet has %s already; remove one",
                          b->name, *key, first);
    if (b->weighed) b->flow_rate = b->mass_flow, b->rated = 1;
    if (!b->total) return;
    case_drop(r, group, "profile", "an inlet with total_pressure, which gives no velocity; remove it");
    b->type = BOUNDARY_PRESSURE_INLET, b->pressure = b->total_pressure, b->backflow = BACKFLOW_TOTAL;
}

static void check_outlet(struct case_reader *r, struct boundary_setting *b, int i)
{
    config_setting_t *group = case_named(r, "boundary", i, NULL), *rule = case_named(r, "boundary", i, "backflow");
    if (!b->total) return;
    case_drop(r, group, "pressure", "an outlet with total_pressure; remove one");
    b->pressure = b->total_pressure;
    if (b->backflow == BACKFLOW_STATIC)
        case_complain(r, rule, "boundary.%s.backflow = \"static\" contradicts total_pressure, which fluid that enters "
                      "has too; remove one", b->name);
}

static void check_rotation(struct case_reader *r, const struct boundary_setting *b, int i)
{
    const double *a = b->rotation.axis;
    config_setting_t *rotation = case_named(r, "boundary", i, "rotation");
    if (!rotation) return;
    if (case_named(r, "boundary", i, "velocity"))
        case_complain(r, rotation, "%s: the wall has velocity already; remove one", case_path_of(rotation));
    if (b->rotation.axis_length && a[0] == 0 && a[1] == 0 && a[2] == 0)
        case_complain(r, rotation, "%s.axis is zero: expected a direction", case_path_of(rotation));
}

void boundary_setting_check(struct case_reader *r, struct boundary_settings *all)
{
    const char **names = case_names(all->item, sizeof *all->item, all->n);
    if (!all->n)
        case_complain(r, case_setting(r, "boundary"),
                      "the boundary conditions are missing: expected boundary = { NAME = { type = \"wall\"; }; ... } "
                      "with every named boundary of the mesh");
    for (int i = 0; i < all->n; i++) {
        struct boundary_setting *b = &all->item[i];
        if (boundary_kinds[b->type].needs_velocity) check_inlet(r, b, i);
        else if (boundary_gives_pressure(b->type)) check_outlet(r, b, i);
        check_partner(r, all, i, names);
        check_rotation(r, b, i);
    }
    free(names);
}

/* ---------------------------------------------------------------- against the mesh */
static void check_patches(const struct boundary_settings *b, struct case_place whole, const char *const *patch, int n,
                          struct findings *f)
{
    for (int i = 0; i < b->n; i++) find_name(f, b->item[i].place, "boundary", b->item[i].name, patch, n);
    const struct case_place end = b->n ? b->item[b->n - 1].place : whole;       /* a missing one can be added after
                                                                                   it */
    for (int i = 0; i < n; i++)
        if (!boundary_setting_find(b, patch[i]))
            find_fault(f, end, "boundary \"%s\" of %s has no condition; add to boundary = { ... }:\n"
                       "    %s = { type = \"wall\"; };", patch[i], f->mesh_name, patch[i]);
}

static void check_rotation_mesh(const struct boundary_setting *b, struct findings *f)
{
    if (!b->rotation.given) return;
    find_length(f, b->rotation.speed.place, b->rotation.about_length, "boundary.%s.rotation.about", b->name);
    if (f->dim == 3 && !b->rotation.axis_length)
        find_fault(f, b->rotation.speed.place, "boundary.%s.rotation.axis is missing, and %s is 3-D: expected a "
                   "direction, like [0.0, 0.0, 1.0]", b->name, f->mesh_name);
    else if (f->dim == 2 && b->rotation.axis_length)
        find_fault(f, b->rotation.speed.place, "boundary.%s.rotation.axis does not apply to %s, which is 2-D: walls "
                   "rotate in its plane; remove it", b->name, f->mesh_name);
    else
        find_length(f, b->rotation.speed.place, b->rotation.axis_length, "boundary.%s.rotation.axis", b->name);
}

void boundary_setting_check_mesh(const struct boundary_settings *b, struct case_place whole, const char *const *patch,
                                 int n, struct findings *f)
{
    check_patches(b, whole, patch, n, f);
    for (int i = 0; i < b->n; i++)
        find_length(f, b->item[i].place, b->item[i].velocity_length, "boundary.%s.velocity", b->item[i].name);
    for (int i = 0; i < b->n; i++) check_rotation_mesh(&b->item[i], f);
    for (int i = 0; i < b->n && f->dim == 2; i++)
        if (b->item[i].profile == PROFILE_PARABOLOID)
            find_fault(f, b->item[i].place,
                       "boundary.%s.profile = \"paraboloid\", but %s is 2-D: expected \"uniform\" or \"parabolic\"",
                       b->item[i].name, f->mesh_name);
}

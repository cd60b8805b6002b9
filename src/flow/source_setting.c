/* Keys of sources.NAME, and checks of them. */
#include "flow/source_setting.h"
#include <string.h>
#include "case/section.h"

static const struct key source_keys[] = {
    {"region", KEY_NAME, OFFSET(source_setting, region), .standard = "",
     .help = "region of the mesh (`poise mesh info`); not given: all cells that have no other source of this kind"},
    {"heat", KEY_VALUE, OFFSET(source_setting, heat), OFFSET(source_setting, heat_given), "energy/(length^3 time)",
     .standard = "", .help = "produced per unit of volume and time"},
    {"force", KEY_VALUES, OFFSET(source_setting, force), OFFSET(source_setting, force_length),
     "mass/(length^2 time^2)", .standard = "", .help = "on the fluid, per unit of volume"},
    {"resistance", KEY_VALUE, OFFSET(source_setting, resistance), OFFSET(source_setting, resistance_given),
     "mass/(length^3 time)", "[0, inf)", .standard = "",
     .help = "force per unit of volume against the velocity, divided by it; of a porous medium: viscosity over "
             "permeability"},
    {0}};
const struct section source_section = {.path = "sources", .key = source_keys, .size = sizeof(struct source_setting),
    .help = "heat, forces and resistance in the volume, everywhere or in regions of the mesh"};

static bool gives_heat(const struct source_setting *s) { return s->heat_given; }
static bool gives_force(const struct source_setting *s) { return s->force_length > 0; }
static bool gives_resistance(const struct source_setting *s) { return s->resistance_given; }
static const struct { const char *key; bool (*given)(const struct source_setting *); } kinds[] = {
    {"heat", gives_heat}, {"force", gives_force}, {"resistance", gives_resistance}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* A later source of the same kind in the same region would replace the earlier one. */
static void check_twice(struct case_reader *r, const struct source_settings *all, int i, int k)
{
    const struct source_setting *s = &all->item[i];
    for (int j = 0; j < i; j++)
        if (kinds[k].given(&all->item[j]) && !strcmp(all->item[j].region, s->region)) {
            config_setting_t *at = case_named(r, "sources", i, kinds[k].key);
            case_complain(r, at, "%s: sources.%s gives the %s of the same cells; give their sum in one of them",
                          case_path_of(at), all->item[j].name, kinds[k].key);
            return;
        }
}

void source_setting_check(struct case_reader *r, const struct source_settings *all)
{
    for (int i = 0; i < all->n; i++) {
        bool any = false;
        for (int k = 0; k < N_KINDS; k++) {
            any |= case_named(r, "sources", i, kinds[k].key) != NULL;
            if (kinds[k].given(&all->item[i])) check_twice(r, all, i, k);
        }
        if (!any)
            case_complain(r, case_named(r, "sources", i, NULL), "sources.%s gives nothing; expected heat, force or "
                          "resistance", all->item[i].name);
    }
}

void source_setting_check_mesh(const struct source_settings *all, struct findings *f)
{
    for (const struct source_setting *s = all->item; s < all->item + all->n; s++) {
        char what[NAME_LENGTH + 30];
        snprintf(what, sizeof what, "sources.%s.region", s->name);
        if (*s->region) find_name(f, s->place, what, s->region, f->zone, f->n_zones);
        find_length(f, s->place, s->force_length, "sources.%s.force", s->name);
    }
}

const struct source_setting *source_setting_next(const struct source_settings *all, int n,
                                                 bool (*has)(const struct source_setting *))
{
    for (int pass = 0; pass < 2; pass++)
        for (const struct source_setting *s = all->item; s < all->item + all->n; s++)
            if (has(s) && (*s->region != 0) == pass && n-- == 0) return s;
    return NULL;
}

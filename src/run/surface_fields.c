/* What faces of a surface can have, by name, and the columns that follow. */
#include "run/surface_fields.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "run/columns.h"
#include "run/surface_setting.h"
#include "run/watch.h"

static const struct { const char *name; enum surface_kind kind; } own[] = {
    {"shear", SURFACE_SHEAR}, {"wall-distance", SURFACE_WALL_DISTANCE}, {"flow", SURFACE_FLOW}};
enum { N_OWN = sizeof own / sizeof *own };

static void flux_name(char text[NAME_LENGTH + 8], const struct field *of)
{
    snprintf(text, NAME_LENGTH + 8, "%s-flux", of->name);
}

struct surface_field surface_field_of(const char *name, const struct fields *all, int dim)
{
    for (int i = 0; i < N_OWN; i++)
        if (!strcmp(name, own[i].name))
            return (struct surface_field){own[i].kind, own[i].kind == SURFACE_SHEAR ? dim : 1, NULL};
    const struct field *field = fields_find(all, name, FIELD_SAMPLE);
    if (field) return (struct surface_field){SURFACE_FIELD, field->components, field};
    for (int i = 0; i < all->n; i++) {
        char text[NAME_LENGTH + 8];
        if (!all->field[i].make_flux) continue;
        flux_name(text, &all->field[i]);
        if (!strcmp(name, text)) return (struct surface_field){SURFACE_FLUX, 1, &all->field[i]};
    }
    return (struct surface_field){0};
}

/* With the names that there are. */
static bool refuse_field(const struct surface_setting *set, const char *name, const struct fields *all,
                         struct error *e)
{
    const char **names;
    char text[2 * PATH_LENGTH], (*flux)[NAME_LENGTH + 8];
    int n = 0;
    NEW(names, 2 * all->n + N_OWN), NEW(flux, all->n);
    for (int k = 0; k < all->n; k++) {
        if (all->field[k].use & FIELD_SAMPLE) names[n++] = all->field[k].name;
        if (!all->field[k].make_flux) continue;
        flux_name(flux[k], &all->field[k]);
        names[n++] = flux[k];
    }
    for (int k = 0; k < N_OWN; k++) names[n++] = own[k].name;
    snprintf(text, sizeof text, "%s: surfaces.%s.fields: faces have no \"%s\"", case_place_text(set->place), set->name,
             name);
    refuse_name(e, text, name, names, n);
    free(names), free(flux);
    return false;
}

bool surface_check(const void *setting, const struct fields *all, bool averaged, struct error *e)
{
    const struct surface_setting *set = setting;
    if (!columns_check("surfaces", setting, set->n_fields, averaged, e)) return false;
    for (int i = 0; i < set->n_fields; i++)
        if (!surface_field_of(set->field[i], all, 3).kind) return refuse_field(set, set->field[i], all, e);
    return true;
}

void surface_columns(const void *setting, const struct fields *all, int dim, struct watch *w)
{
    const struct surface_setting *set = setting;
    watch_add(w, "area");
    for (int i = 0; i < set->n_fields; i++) {
        struct surface_field x = surface_field_of(set->field[i], all, dim);
        for (int k = 0; k < x.components; k++) {
            char name[2 * NAME_LENGTH];
            if (x.components == 1) snprintf(name, sizeof name, "%s", set->field[i]);
            else snprintf(name, sizeof name, "%s_%c", set->field[i], "xyz"[k]);
            watch_add(w, "%s", name);
            if (x.kind == SURFACE_FLOW) continue;
            watch_add(w, "%s_min", name), watch_add(w, "%s_max", name);
        }
    }
}

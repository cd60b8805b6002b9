/* Evaluates the values of a case without a flow (values_check.h). */
#include "flow/values_check.h"
#include <string.h>

/* In a zone; "": everywhere.  A zone that is not there is another error. */
static void check_cells(const struct given_list *list, const char *zone, const struct value_setting *of,
                        int components, struct error *e)
{
    struct error one;
    const int place = *zone ? mesh_region(list->m, zone) : GIVEN_EVERYWHERE;
    const struct given g = {.of = of, .components = components, .zone = place};
    if (!*zone || place >= 0) error_keep(given_check(list, &g, &one), e, &one);
}

static void check_zones(const struct given_list *list, const struct named_value *of_zone, int n, struct error *e)
{
    for (int i = 0; i < n; i++) check_cells(list, of_zone[i].name, &of_zone[i].value, 1, e);
}

static void check_patches(const struct given_list *list, const struct named_value *of_patch, int n, struct error *e)
{
    const struct mesh *m = list->m;
    for (int i = 0; i < n; i++)
        for (int p = 0; p < m->n_patches; p++) {
            struct error one;
            const struct given g = {.of = &of_patch[i].value, .components = 1, .patch = &m->patch[p]};
            if (!strcmp(m->patch[p].name, of_patch[i].name)) error_keep(given_check(list, &g, &one), e, &one);
        }
}

/* Of place and time: in cells and at all boundaries. */
static void check_viscosity(const struct given_list *list, const struct property_setting *p, struct error *e)
{
    const struct mesh *m = list->m;
    bool good = p->given && !*p->field;
    for (int i = -1; i < m->n_patches && good; i++) {
        struct error one;
        const struct given g = {.of = &p->formula, .components = 1, .patch = i < 0 ? NULL : &m->patch[i],
                                .zone = GIVEN_EVERYWHERE};
        good = error_keep(given_check(list, &g, &one), e, &one);
    }
}

/* A temperature is that of the solids, too. */
static void check_scalar(const struct given_list *flow, const struct scalar_setting *s,
                         const struct solid_settings *solids, struct error *e)
{
    const bool heat = s->capacity > 0;
    const struct given_list whole = {.m = mesh_with_solids(flow->m), .s = flow->s, .steady = flow->steady};
    const struct given_list *list = heat ? &whole : flow;
    if (s->law.given && !*s->law.field) check_cells(flow, "", &s->law.formula, 1, e);
    if (s->second_law.given && !*s->second_law.field) check_cells(flow, "", &s->second_law.formula, 1, e);
    for (const struct solid_setting *k = solids->item; heat && k < solids->item + solids->n; k++)
        if (k->conductivity_law.given && !*k->conductivity_law.field)
            check_cells(list, k->name, &k->conductivity_law.formula, 1, e);
    check_cells(list, "", &s->initial, 1, e);
    check_zones(list, s->zone_initial, s->n_zone_initials, e), check_zones(list, s->source, s->n_sources, e);
    check_patches(list, s->value, s->n_values, e), check_patches(list, s->flux, s->n_fluxes, e);
    check_patches(list, s->coefficient, s->n_coefficients, e);
}

void values_check(const struct given_list *list, const struct flow_setting *c, struct error *e)
{
    const struct initial_setting *start = &c->initial;
    check_viscosity(list, &c->fluid.viscosity_model.property, e);
    check_viscosity(list, &c->second_fluid.viscosity_model.property, e);
    if (start->velocity_length) check_cells(list, "", start->velocity, list->m->dim, e);
    if (start->pressure_given) check_cells(list, "", &start->pressure, 1, e);
    for (int i = 0; i < c->scalars.n; i++) check_scalar(list, &c->scalars.item[i], &c->solids, e);
    for (const struct source_setting *s = c->sources.item; s < c->sources.item + c->sources.n; s++) {
        if (s->force_length) check_cells(list, s->region, s->force, list->m->dim, e);
        if (s->resistance_given) check_cells(list, s->region, &s->resistance, 1, e);
    }
}

/* Makes a scalar of the settings of heat, and checks them (heat_setting.h). */
#include "flow/heat_setting.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "case/section.h"
#include "flow/flow_setting.h"

bool heat_is_given(const struct flow_setting *c) { return c->fluid.conductivity_given || c->fluid.heat_capacity_given; }

/* ---------------------------------------------------------------- checks */
/* Without a temperature none of these keys has an effect. */
static void reject_without(struct case_reader *r, const struct flow_setting *c)
{
    static const char *const of_boundary[] = {"temperature", "heat_flux", "transfer"};
    config_setting_t *found[] = {case_setting(r, "fluid.expansion"), case_setting(r, "fluid.reference_temperature"),
                                 case_setting(r, "initial.temperature"), case_setting(r, "second_fluid.heat_capacity"),
                                 case_setting(r, "second_fluid.conductivity"),
                                 case_setting(r, "second_fluid.expansion"),
                                 case_setting(r, "fluid.property_range")};
    static const char needs[] = "%s needs a temperature: give fluid.heat_capacity and fluid.conductivity";
    for (size_t k = 0; k < sizeof found / sizeof *found; k++)
        if (found[k]) case_complain(r, found[k], needs, case_path_of(found[k]));
    for (int i = 0; i < c->boundary.n; i++)
        for (size_t k = 0; k < sizeof of_boundary / sizeof *of_boundary; k++) {
            config_setting_t *at = case_named(r, "boundary", i, of_boundary[k]);
            if (at) case_complain(r, at, needs, case_path_of(at));
        }
    for (int i = 0; i < c->sources.n; i++) {
        config_setting_t *at = case_named(r, "sources", i, "heat");
        if (at) case_complain(r, at, needs, case_path_of(at));
    }
    case_drop(r, case_group(r, "solver"), "convection_temperature", "a case without fluid.heat_capacity; remove it");
}

/* Both fluids have the same keys, and the coefficient of transfer is in series with one conductivity. */
static void check_second_fluid(struct case_reader *r, const struct flow_setting *c)
{
    const struct second_fluid_setting *second = &c->second_fluid;
    config_setting_t *group = case_group(r, "second_fluid");
    const struct { const char *name, *unit; int first, second; } key[] = {
        {"heat_capacity", "energy/(mass temperature)", c->fluid.heat_capacity_given, second->heat_capacity_given},
        {"conductivity", "energy/(length time temperature)", c->fluid.conductivity_given, second->conductivity_given},
        {"expansion", "1/temperature", c->fluid.expansion_given, second->expansion_given}};
    if (!second->given) return;
    for (int k = 0; k < 3; k++)
        if (key[k].first && !key[k].second)
            case_complain(r, group, "second_fluid.%s is missing: fluid.%s needs it, a number%s [%s]", key[k].name,
                          key[k].name, k < 2 ? " > 0" : "", key[k].unit);
    if (second->expansion_given && !c->fluid.expansion_given)
        case_complain(r, case_setting(r, "second_fluid.expansion"), "second_fluid.expansion needs fluid.expansion, "
                      "which may be 0.0");
    const bool differ = second->conductivity != c->fluid.conductivity || second->conductivity_law.given ||
                        c->fluid.conductivity_law.given;
    for (int i = 0; i < c->boundary.n && differ; i++)
        case_drop(r, case_named(r, "boundary", i, NULL), "transfer", "a case of two conductivities: give temperature "
                  "or heat_flux");
    if (c->solver.convection_temperature != SCALAR_LIMITED && c->solver.convection_temperature != CONVECTION_UPWIND)
        case_complain(r, case_setting(r, "solver.convection_temperature"), "solver.convection_temperature: with two "
                      "fluids expected limited or upwind");
}

static void check_fluid(struct case_reader *r, const struct flow_setting *c)
{
    const struct fluid_setting *f = &c->fluid;
    config_setting_t *group = case_group(r, "fluid"), *scalar = case_group(r, "scalars.temperature");
    config_setting_t *expansion = case_setting(r, "fluid.expansion"), *buoyancy = case_group(r, "buoyancy");
    if (!f->heat_capacity_given && !case_setting(r, "fluid.heat_capacity"))
        case_complain(r, group, "fluid.heat_capacity is missing: fluid.conductivity needs it, a number > 0 "
                      "[energy/(mass temperature)]");
    if (!f->conductivity_given && !case_setting(r, "fluid.conductivity"))
        case_complain(r, group, "fluid.conductivity is missing: fluid.heat_capacity needs it, a number > 0 "
                      "[energy/(length time temperature)]");
    check_second_fluid(r, c);
    if (flow_is_advection(c))
        flow_drop_setting(r, c, "fluid", "heat_capacity", "");
    if (scalar)
        case_complain(r, scalar, "scalars.temperature: fluid.heat_capacity makes a field of this name; expected "
                      "another one");
    if (expansion && !f->gravity_length)
        case_complain(r, expansion, "fluid.expansion needs fluid.gravity, like gravity = [0.0, -9.81]");
    if (expansion && buoyancy)
        case_complain(r, buoyancy, "buoyancy: fluid.expansion lets the temperature act on the flow; remove one of "
                      "them");
    const bool weighs = f->density_law.given || c->second_fluid.density_law.given;
    if (!expansion && !weighs && c->second_fluid.surface_tension_slope == 0)
        case_drop(r, group, "reference_temperature", c->second_fluid.given ?
                  "fluids without expansion or surface_tension_slope; remove it" :
                  "a fluid without expansion; remove it");
}

static void check_boundary(struct case_reader *r, const struct boundary_setting *b, int i)
{
    static const char *const key[] = {"temperature", "heat_flux", "transfer"};
    config_setting_t *at[3], *first = NULL;
    for (int k = 0; k < 3; k++) {
        at[k] = case_named(r, "boundary", i, key[k]);
        if (at[k] && first)
            case_complain(r, at[k], "%s: boundary \"%s\" has %s too; remove one of them", case_path_of(at[k]), b->name,
                          config_setting_name(first));
        if (!first) first = at[k];
    }
    if (at[2] && b->n_transfer && (b->n_transfer != 2 || (!b->transfer->text && b->transfer->number < 0)))
        case_complain(r, at[2], "%s: expected two numbers, a coefficient >= 0 and the outside temperature, like "
                      "[10.0, 293.0]", case_path_of(at[2]));
    if (boundary_kinds[b->type].needs_scalar && !b->temperature_given && !case_complained(r, at[0]) &&
        !case_complained(r, case_named(r, "boundary", i, "table")))
        case_complain(r, case_named(r, "boundary", i, NULL), "boundary.%s.temperature is missing: an %s needs it, a "
                      "number [temperature]", b->name, boundary_type_words[b->type]);
}

/* ---------------------------------------------------------------- the scalar */
static bool gives_heat(const struct source_setting *s) { return s->heat_given; }

static void add(struct named_value **list, int *n, const char *name, const struct value_setting *value)
{
    RESIZE(*list, *n + 1);
    snprintf((*list)[*n].name, sizeof (*list)[*n].name, "%s", name);
    (*list)[(*n)++].value = *value;
}

static void take_boundaries(struct scalar_setting *s, const struct boundary_settings *all)
{
    for (const struct boundary_setting *b = all->item; b < all->item + all->n; b++) {
        if (b->temperature_given) add(&s->value, &s->n_values, b->name, &b->temperature);
        if (b->heat_flux_given) add(&s->flux, &s->n_fluxes, b->name, &b->heat_flux);
        if (b->n_transfer != 2) continue;
        add(&s->value, &s->n_values, b->name, &b->transfer[1]);
        add(&s->coefficient, &s->n_coefficients, b->name, &b->transfer[0]);
    }
}

/* The initial temperature, and whether boundaries fix the level of a steady one. */
static void check_level(struct case_reader *r, struct flow_setting *c, const struct scalar_setting *s)
{
    struct initial_setting *start = &c->initial;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < s->n_values; i++) {
        const struct value_setting *v = &s->value[i].value;
        if (!v->text) low = fmin(low, v->number), high = fmax(high, v->number);
    }
    if (!start->temperature_given && low <= high) start->temperature.number = low + (high - low) / 2;
    if (!s->n_values && !flow_is_transient(c))
        case_complain(r, case_group(r, "fluid"), "no boundary gives a temperature, which steady flow leaves open; give "
                      "one temperature = ... or transfer = [..]");
    else if (!start->temperature_given && !(low <= high))
        case_complain(r, case_group(r, "fluid"), "initial.temperature is missing: no boundary gives a number as "
                      "temperature");
}

/* The temperature where the density is fluid.density.  At rest the pressures given at openings balance that density, so
 * by default it is the temperature of what is outside of them; without openings it changes the pressure alone. */
static double find_reference(struct case_reader *r, const struct flow_setting *c)
{
    const struct value_setting *start = &c->initial.temperature;
    const bool acts = c->fluid.expansion != 0 || c->second_fluid.expansion != 0;
    const struct boundary_setting *one = NULL, *other = NULL;
    bool open = false;
    if (c->fluid.reference_temperature_given) return c->fluid.reference_temperature;
    for (const struct boundary_setting *b = c->boundary.item; b < c->boundary.item + c->boundary.n && acts; b++) {
        if (!boundary_passes_flux(b->type)) continue;
        open = true;
        if (!b->temperature_given) continue;
        if (!one) one = b;
        if (b->temperature.text || b->temperature.number != one->temperature.number) other = b;
    }
    if (one && !other) return one->temperature.number;
    if (other && other->temperature.text)
        case_complain(r, case_setting(r, "fluid.expansion"), "fluid.reference_temperature is missing: boundary.%s."
                      "temperature is an expression; expected the temperature of the fluid at rest outside of the "
                      "openings, a number [temperature]", other->name);
    else if (other)
        case_complain(r, case_setting(r, "fluid.expansion"), "fluid.reference_temperature is missing: boundary.%s."
                      "temperature is %.9g, boundary.%s.temperature is %.9g; expected the temperature of the fluid at "
                      "rest outside of the openings, like reference_temperature = %.9g", one->name,
                      one->temperature.number, other->name, other->temperature.number, one->temperature.number);
    else if (open && !c->initial.temperature_given)
        case_complain(r, case_setting(r, "fluid.expansion"), "fluid.reference_temperature is missing: no inlet or "
                      "outlet gives a temperature; expected that of the fluid at rest outside of them, a number "
                      "[temperature]");
    else if (start->text && c->fluid.expansion_given)
        case_complain(r, case_setting(r, "fluid.expansion"), "fluid.reference_temperature is missing: expected a "
                      "number [temperature], as initial.temperature is an expression");
    return start->number;
}

void heat_setting_check(struct case_reader *r, struct flow_setting *c)
{
    static const char conducts[] = "temperature alone, or of x, y, z and t";
    struct fluid_setting *f = &c->fluid;
    struct second_fluid_setting *second = &c->second_fluid;
    struct scalar_settings *all = &c->scalars;
    const struct source_setting *source;
    if (!heat_is_given(c)) { reject_without(r, c); return; }
    f->heat_capacity = property_of_key(r, &f->heat_capacity_law, &f->heat_capacity_value, "temperature");
    second->heat_capacity = property_of_key(r, &second->heat_capacity_law, &second->heat_capacity_value, "temperature");
    f->conductivity = property_of_key(r, &f->conductivity_law, &f->conductivity_value, conducts);
    second->conductivity = property_of_key(r, &second->conductivity_law, &second->conductivity_value, conducts);
    check_fluid(r, c);
    const struct property_setting *const capacity[] = {&f->heat_capacity_law, &second->heat_capacity_law};
    for (int k = 0; k < 2; k++)
        if (capacity[k]->given && !*capacity[k]->field)
            case_complain(r, case_setting(r, capacity[k]->formula.path), "%s = \"%s\": expected a number > 0 or an "
                          "expression of temperature", capacity[k]->formula.path, capacity[k]->formula.text);
    for (int i = 0; i < c->boundary.n; i++) check_boundary(r, &c->boundary.item[i], i);
    if (!f->heat_capacity_given || !f->conductivity_given) return;
    struct scalar_setting s = {.name = "temperature", .place = case_whole(r), .fluid = SCALAR_IN_BOTH,
                               .convection = c->solver.convection_temperature,
                               .capacity = f->density * f->heat_capacity};
    s.diffusivity = f->conductivity / s.capacity, s.law = f->conductivity_law;
    if (second->given) {
        s.fluid = SCALAR_HEAT;
        s.second_capacity = second->density * second->heat_capacity / s.capacity;
        s.second_diffusivity = second->conductivity / s.capacity, s.second_law = second->conductivity_law;
    }
    memcpy(s.range, f->property_range, sizeof s.range), s.n_range = f->n_property_range;
    take_boundaries(&s, &c->boundary);
    for (int i = 0; (source = source_setting_next(&c->sources, i, gives_heat)); i++)
        add(&s.source, &s.n_sources, source->region, &source->heat);
    check_level(r, c, &s);
    s.initial = c->initial.temperature;
    c->heat = (struct heat_setting){true, s.capacity, f->conductivity,
                                    find_reference(r, c)};
    RESIZE(all->item, all->n + 1);
    all->item[all->n++] = s;
    const bool weighs = !strcmp(f->density_law.field, s.name) || !strcmp(second->density_law.field, s.name);
    if (!f->expansion_given && !weighs) return;
    c->buoyancy = (struct buoyancy_setting){.given = true, .expansion = f->expansion,
                                            .second_expansion = c->second_fluid.expansion,
                                            .reference = c->heat.reference};
    snprintf(c->buoyancy.scalar, sizeof c->buoyancy.scalar, "%s", s.name);
}

/* The ranges of fields that properties depend on (property_range_setting.h). */
#include "flow/property_range_setting.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/table.h"
#include "case/section.h"
#include "flow/flow_setting.h"

/* Extremes of given numbers. */
struct extremes { double low, high; bool varies; };

static void add(struct extremes *x, const struct value_setting *v)
{
    if (v->text) x->varies = true;
    else x->low = fmin(x->low, v->number), x->high = fmax(x->high, v->number);
}

/* The key that gives the range of a field. */
static const char *key_of(const struct scalar_setting *s, char path[2 * NAME_LENGTH])
{
    if (s->capacity > 0) snprintf(path, 2 * NAME_LENGTH, "fluid.property_range");
    else snprintf(path, 2 * NAME_LENGTH, "scalars.%s.range", s->name);
    return path;
}

/* The numbers that the case gives for a field. */
static struct extremes given_numbers(const struct scalar_setting *s)
{
    struct extremes x = {INFINITY, -INFINITY, false};
    add(&x, &s->initial);
    for (int i = 0; i < s->n_zone_initials; i++) add(&x, &s->zone_initial[i].value);
    for (int i = 0; i < s->n_values; i++) add(&x, &s->value[i].value);
    return x;
}

/* A table's own range contains that of the key, or else the numbers given for the field. */
static bool find_range_of_table(struct case_reader *r, struct property_setting *p, const struct scalar_setting *s,
                                config_setting_t *key)
{
    const struct table *t = p->formula.table;
    const struct extremes x = given_numbers(s);
    config_setting_t *at = case_setting(r, p->formula.path);
    double rows[2];
    char path[2 * NAME_LENGTH];
    table_range(t, rows);
    if (!key) memcpy(p->range, rows, sizeof rows);
    const double low = key ? p->range[0] : x.low, high = key ? p->range[1] : x.high;
    const bool good = t->n_rows > 1 && low >= rows[0] && high <= rows[1];
    if (t->n_rows < 2)
        case_complain(r, at, "%s: %s has one row; expected two or more", p->formula.path, t->path);
    else if (!good && key)
        case_complain(r, key, "%s: %s, the table of %s, goes from %g to %g; expected a range inside", key_of(s, path),
                      t->path, p->formula.path, rows[0], rows[1]);
    else if (!good)
        case_complain(r, at, "%s: %s goes from %s = %g to %g, but the case gives it the number %g; expected a table "
                      "with rows beyond it", p->formula.path, t->path, s->name, rows[0], rows[1],
                      low < rows[0] ? low : high);
    return good;
}

static bool find_range(struct case_reader *r, struct property_setting *p, const struct scalar_setting *s)
{
    char path[2 * NAME_LENGTH];
    config_setting_t *key = case_setting(r, key_of(s, path));
    if (key) {
        memcpy(p->range, s->range, sizeof p->range);
        if (s->n_range == 2 && p->range[0] < p->range[1])
            return !p->formula.table || find_range_of_table(r, p, s, key);
        case_complain(r, key, "%s: expected " FIELD_RANGE_EXPECTED, path);
        return false;
    }
    if (p->formula.table) return find_range_of_table(r, p, s, NULL);
    const struct extremes x = given_numbers(s);
    if (x.varies || !(x.low < x.high)) {
        case_complain(r, case_setting(r, p->formula.path), "%s = \"%s\" needs %s: %s; expected two numbers between "
                      "which %s stays, like [280.0, 350.0]", p->formula.path, p->formula.text, path, x.varies ?
                      "the case gives the field by expressions or tables, whose extremes are not known" :
                      "the case gives the field one number, of which no range follows", s->name);
        return false;
    }
    p->range[0] = x.low - (x.high - x.low), p->range[1] = x.high + (x.high - x.low);
    return true;
}

static void check_field(struct case_reader *r, struct property_setting *p, const struct scalar_setting *s)
{
    enum { N = 4097 };
    double x[N];
    char where[320], path[2 * NAME_LENGTH];
    if (s->fluid == SCALAR_IN_FIRST || s->fluid == SCALAR_IN_SECOND) {
        case_complain(r, case_setting(r, p->formula.path), "%s = \"%s\": %s is dissolved in one of the fluids; "
                      "expected a scalar of both", p->formula.path, p->formula.text, s->name);
        return;
    }
    if (!find_range(r, p, s)) return;
    for (int i = 0; i < N; i++) x[i] = p->range[0] + i * (p->range[1] - p->range[0]) / (N - 1);
    key_of(s, path);
    snprintf(where, sizeof where, "from %g to %g (%s%s%s", p->range[0], p->range[1], s->n_range ? "" :
             "the numbers given for the field, and as much again on both sides; ", path, s->n_range ? ")" :
             " = [low, high] gives another range)");
    if (property_is_allowed(r, p, x, N, where)) property_sample(p, &x[N / 2], 1, &p->middle);
}

/* Is it a property of this field? */
static bool depends(const struct property_setting *p, const struct scalar_setting *s)
{
    return p->given && !strcmp(p->field, s->name);
}

/* All properties that may depend on a field; returns how many. */
static int list_properties(struct flow_setting *c, struct property_setting ***list)
{
    int n = 0;
    NEW(*list, 7 + 2 * c->solids.n + 2 * c->scalars.n);
    (*list)[n++] = &c->fluid.density_law, (*list)[n++] = &c->second_fluid.density_law;
    (*list)[n++] = &c->second_fluid.tension_law;
    (*list)[n++] = &c->fluid.viscosity_model.property, (*list)[n++] = &c->second_fluid.viscosity_model.property;
    (*list)[n++] = &c->fluid.heat_capacity_law, (*list)[n++] = &c->second_fluid.heat_capacity_law;
    for (int i = 0; i < c->solids.n; i++) (*list)[n++] = &c->solids.item[i].conductivity_law;
    for (int i = 0; i < c->solids.n; i++) (*list)[n++] = &c->solids.item[i].heat_capacity_law;
    for (struct scalar_setting *s = c->scalars.item; s < c->scalars.item + c->scalars.n; s++)
        (*list)[n++] = &s->law, (*list)[n++] = &s->second_law;
    return n;
}

/* The unit of the temperature's equation. */
static void set_capacity(struct flow_setting *c)
{
    struct scalar_setting *temperature = &c->scalars.item[c->scalars.n - 1];
    struct second_fluid_setting *second = &c->second_fluid;
    if (*c->fluid.heat_capacity_law.field) c->fluid.heat_capacity = c->fluid.heat_capacity_law.middle;
    if (*second->heat_capacity_law.field) second->heat_capacity = second->heat_capacity_law.middle;
    c->heat.capacity = temperature->capacity = c->fluid.density * c->fluid.heat_capacity;
    temperature->diffusivity = c->fluid.conductivity / c->heat.capacity;
    temperature->second_capacity = second->density * second->heat_capacity / c->heat.capacity;
    temperature->second_diffusivity = second->conductivity / c->heat.capacity;
}

/* Numbers from the ranges, where one has to stand for all. */
static void set_numbers(struct flow_setting *c)
{
    if (c->heat.given && (*c->fluid.heat_capacity_law.field || *c->second_fluid.heat_capacity_law.field))
        set_capacity(c);
    for (struct scalar_setting *s = c->scalars.item; s < c->scalars.item + c->scalars.n; s++) {
        const double unit = s->capacity > 0 ? s->capacity : 1;
        if (*s->law.field) s->diffusivity = s->law.middle / unit;
        if (*s->second_law.field) s->second_diffusivity = s->second_law.middle / unit;
    }
    for (int i = 0; i < c->solids.n; i++) {
        struct solid_setting *s = &c->solids.item[i];
        if (*s->conductivity_law.field) s->conductivity = s->conductivity_law.middle;
        if (*s->heat_capacity_law.field) s->heat_capacity = s->heat_capacity_law.middle;
    }
    if (c->heat.given && *c->fluid.conductivity_law.field)
        property_sample(&c->fluid.conductivity_law, &c->heat.reference, 1, &c->heat.conductivity);
}

void property_range_check(struct case_reader *r, struct flow_setting *c)
{
    struct property_setting **all;
    const int n = list_properties(c, &all);
    bool heat = false;
    for (struct scalar_setting *s = c->scalars.item; s < c->scalars.item + c->scalars.n; s++) {
        bool used = false;
        char path[2 * NAME_LENGTH];
        heat = heat || !strcmp(s->name, "temperature");
        for (int i = 0; i < n; i++) if (depends(all[i], s)) check_field(r, all[i], s), used = true;
        if (s->n_range && !used)
            case_complain(r, case_setting(r, key_of(s, path)), "%s: no property depends on %s; remove it", path,
                          s->name);
    }
    const struct scalar_setting none = {.name = "temperature"};
    for (int i = 0; i < n && !heat; i++)
        if (depends(all[i], &none))
            case_complain(r, case_setting(r, all[i]->formula.path), "%s = \"%s\": this case has no temperature; give "
                          "heat_capacity and conductivity", all[i]->formula.path, all[i]->formula.text);
    set_numbers(c);
    free(all);
}

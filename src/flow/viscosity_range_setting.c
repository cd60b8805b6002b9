/* The range of the field that the viscosity depends on (viscosity_range_setting.h). */
#include "flow/viscosity_range_setting.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "case/section.h"
#include "flow/flow_setting.h"

/* Extremes of given numbers. */
struct extremes { double low, high; bool varies; };

static void add(struct extremes *x, const struct value_setting *v)
{
    if (v->text) x->varies = true;
    else x->low = fmin(x->low, v->number), x->high = fmax(x->high, v->number);
}

/* A fluid, the law of its viscosity, and the keys that give them. */
struct place { const char *group; struct viscosity_setting *v; const double *given; int n_given; };

static config_setting_t *setting(struct case_reader *r, const struct place *p, const char *key)
{
    char path[NAME_LENGTH];
    snprintf(path, sizeof path, "%s.%s", p->group, key);
    return case_setting(r, path);
}

static bool find_range(struct case_reader *r, const struct place *p, const struct scalar_setting *s)
{
    struct extremes x = {INFINITY, -INFINITY, false};
    config_setting_t *key = setting(r, p, "viscosity_range");
    double *range = p->v->range;
    if (key) {
        memcpy(range, p->given, 2 * sizeof *range);
        if (p->n_given == 2 && range[0] < range[1]) return true;
        case_complain(r, key, "%s.viscosity_range: expected a pair of numbers in brackets, the lower one first, like "
                      "[280.0, 350.0]", p->group);
        return false;
    }
    add(&x, &s->initial);
    for (int i = 0; i < s->n_zone_initials; i++) add(&x, &s->zone_initial[i].value);
    for (int i = 0; i < s->n_values; i++) add(&x, &s->value[i].value);
    if (x.varies || !(x.low < x.high)) {
        case_complain(r, setting(r, p, "viscosity"), "%s.viscosity_range is missing: %s; expected two numbers between "
                      "which %s stays, like [280.0, 350.0]", p->group, x.varies ?
                      "the case gives the field by expressions or tables, whose extremes are not known" :
                      "the case gives the field one number, of which no range follows", s->name);
        return false;
    }
    range[0] = x.low - (x.high - x.low), range[1] = x.high + (x.high - x.low);
    return true;
}

static void check_field(struct case_reader *r, const struct place *p, const struct scalar_setting *s)
{
    enum { N = 4097 };
    struct viscosity_setting *v = p->v;
    double x[N];
    char where[200];
    if (s->fluid == SCALAR_IN_FIRST || s->fluid == SCALAR_IN_SECOND) {
        case_complain(r, setting(r, p, "viscosity"), "%s.viscosity = \"%s\": %s is dissolved in one of the fluids; "
                      "expected a scalar of both", p->group, v->formula.text, s->name);
        return;
    }
    if (!find_range(r, p, s)) return;
    for (int i = 0; i < N; i++) x[i] = v->range[0] + i * (v->range[1] - v->range[0]) / (N - 1);
    snprintf(where, sizeof where, "from %g to %g (%s)", v->range[0], v->range[1], p->n_given ? "viscosity_range" :
             "the numbers given for the field, and as much again on both sides; viscosity_range = [low, high] gives "
             "another range");
    if (viscosity_is_positive(r, v, x, N, where)) viscosity_by_law(v, &x[N / 2], 1, &v->middle);
}

static void check_fluid(struct case_reader *r, const struct place *p, const struct scalar_settings *all)
{
    const struct viscosity_setting *v = p->v;
    const struct scalar_setting *s = NULL;
    if (!v->given || v->law != VISCOSITY_OF_FIELD) {
        case_drop(r, case_group(r, p->group), "viscosity_range", "a viscosity that depends on no field; remove it");
        return;
    }
    for (int i = 0; i < all->n; i++) if (!strcmp(all->item[i].name, v->field)) s = &all->item[i];
    if (s) check_field(r, p, s);
    else
        case_complain(r, setting(r, p, "viscosity"), "%s.viscosity = \"%s\": this case has no temperature; give "
                      "heat_capacity and conductivity", p->group, v->formula.text);
}

void viscosity_range_check(struct case_reader *r, struct flow_setting *c)
{
    struct fluid_setting *f = &c->fluid;
    struct second_fluid_setting *second = &c->second_fluid;
    const struct place places[] = {
        {"fluid", &f->viscosity_model, f->viscosity_range, f->n_viscosity_range},
        {"second_fluid", &second->viscosity_model, second->viscosity_range, second->n_viscosity_range}};
    for (int i = 0; i < (second->given ? 2 : 1); i++) check_fluid(r, &places[i], &c->scalars);
}

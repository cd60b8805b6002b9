#include "run/fields_check.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "flow/simple.h"
#include "flow/transient.h"
#include "io/output.h"
#include "run/average.h"
#include "run/plane.h"
#include "run/surface.h"

struct fields fields_of(const struct flow_setting *c, int dim)
{
    struct transient *t;
    struct simple *w;
    if (flow_is_transient(c)) {
        NEW(t, 1);
        t->f.c = c, t->f.s.dim = dim;
        transient_fields(t);
        t->f.fields.owner = t;
        return t->f.fields;
    }
    NEW(w, 1);
    w->f.c = c, w->f.s.dim = dim;
    simple_fields(w);
    w->f.fields.owner = w;
    return w->f.fields;
}

static bool refuse_output(const struct case_settings *c, const struct fields *all, const char *name, struct error *e)
{
    struct flow_setting two = c->flow;
    const char **names;
    char text[2 * PATH_LENGTH];
    int n = 0;
    two.second_fluid.given = true;
    struct fields more = fields_of(&two, 3);
    bool of_two = flow_is_transient(&c->flow) && fields_find(&more, name, FIELD_OUTPUT);
    fields_free(&more);
    const char *place = case_place_text(c->output.fields_place);
    if (of_two)
        return refuse(e, EXIT_INPUT, "%s: output.fields: \"%s\" is of two-phase flow, but there is no "
                      "second_fluid = { ... }", place, name);
    NEW(names, all->n);
    for (int i = 0; i < all->n; i++)
        if (all->field[i].use & FIELD_OUTPUT) names[n++] = all->field[i].name;
    snprintf(text, sizeof text, "%s: output.fields: there is no field \"%s\" in this case", place, name);
    refuse_name(e, text, name, names, n);
    free(names);
    return false;
}

bool fields_check(const struct case_settings *c, struct error *e)
{
    struct fields all = fields_of(&c->flow, 3);
    int arrays = 0;
    bool good = true;
    for (int i = 0; i < c->output.n_fields && good; i++) {
        const struct field *f = fields_find(&all, c->output.field[i], FIELD_OUTPUT);
        good = f || refuse_output(c, &all, c->output.field[i], e);
        if (f) arrays += f->rows ? 3 : 1;
    }
    good = good && averages_check(&c->averages, &all, e);
    if (c->averages.given) arrays += 2 * c->averages.n_fields;
    if (good && arrays > MOST_OUTPUT_FIELDS)
        good = refuse(e, EXIT_INPUT, "%s: output.fields: %d arrays, at most %d are possible; remove some",
                      case_place_text(c->output.fields_place), arrays, MOST_OUTPUT_FIELDS);
    for (int i = 0; i < c->planes.n && good; i++)
        good = plane_check(&c->planes.item[i], &all, c->averages.given, e);
    for (int i = 0; i < c->surfaces.n && good; i++)
        good = surface_check(&c->surfaces.item[i], &all, 3, c->averages.given, e);
    fields_free(&all);
    return good;
}

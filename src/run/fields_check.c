/* Checks that the fields named by a case exist. */
#include "run/fields_check.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "io/output.h"
#include "run/average.h"
#include "run/run_parts.h"

struct fields fields_of(const struct flow_setting *c, int dim)
{
    struct fields all = run_kind_of(c)->fields(&(struct flow){.c = c, .s.dim = dim});
    for (struct field *f = all.field; f < all.field + all.n; f++)       /* their owner has been freed */
        f->value = NULL, f->single = NULL, f->number = NULL, f->owner = NULL, f->boundary = NULL, f->rule = NULL;
    return all;
}

bool field_check(const struct fields *all, const char *name, bool rows, struct error *e, const char *format, ...)
{
    const struct field *found = fields_find(all, name, FIELD_OUTPUT);
    const char **names;
    char text[2 * PATH_LENGTH];
    int n = 0;
    if (found && (rows || !found->rows)) return true;
    NEW(names, all->n);
    for (const struct field *f = all->field; f < all->field + all->n; f++)
        if ((f->use & FIELD_OUTPUT) && (rows || !f->rows)) names[n++] = f->name;
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    refuse_name(e, text, name, names, n);
    free(names);
    return false;
}

static bool refuse_output(const struct case_settings *c, const struct fields *all, const char *name, struct error *e)
{
    struct flow_setting two = c->flow;
    two.second_fluid.given = true;
    struct fields more = fields_of(&two, 3);
    bool of_two = fields_find(&more, name, FIELD_OUTPUT);
    fields_free(&more);
    const char *place = case_place_text(c->output.fields_place);
    if (of_two)
        return refuse(e, EXIT_INPUT, "%s: output.fields: \"%s\" needs two-phase flow, but there is no "
                      "second_fluid = { ... }", place, name);
    return field_check(all, name, true, e, "%s: output.fields: there is no field \"%s\" in this case", place, name);
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
    good = good && monitors_check_fields(c, &all, e);
    fields_free(&all);
    return good;
}

/* What the expression of a property depends on, and its values (property_setting.h). */
#include "assembly/property_setting.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/expression.h"
#include "base/memory.h"
#include "base/table.h"
#include "case/section.h"

const char *const heat_variables[] = {"x", "y", "z", "t", "temperature"};

void property_find(struct case_reader *r, struct property_setting *p, const struct value_setting *value,
                   const char *expected)
{
    const config_setting_t *at = case_setting(r, value->path);
    struct expression_fault fault;
    struct expression *x = value->table ? NULL : expression_create(value->text, value->variable, value->n_variables,
                                                                   &fault);
    bool place = false;
    int n_fields = 0;
    p->formula = *value, p->middle = 1;
    for (int k = 0; x && k < value->n_variables; k++) {
        const char *name = value->variable[k];
        if (!expression_uses(x, k)) continue;
        if (case_find_name(name, value_variables, N_VALUE_VARIABLES) >= 0) place = true;
        else n_fields++, snprintf(p->field, sizeof p->field, "%s", name);
    }
    expression_free(x);
    if (value->table && value->table->field >= 0)
        n_fields = 1, snprintf(p->field, sizeof p->field, "%s", value->table->column[value->table->field]);
    p->given = place + n_fields < 2;
    if (!p->given)
        case_complain(r, at, "%s = \"%s\": expected an expression of %s", value->path, value->text, expected);
    if (!n_fields) p->formula.variable = value_variables, p->formula.n_variables = N_VALUE_VARIABLES;
}

double property_of_key(struct case_reader *r, struct property_setting *p, const struct value_setting *value,
                       const char *expected)
{
    if (!value->text) return value->number;
    property_find(r, p, value, expected);
    return 1;
}

/* All variables have the same value: it uses one. */
void property_sample(const struct property_setting *p, const double *x, int64_t n, double *to)
{
    const struct value_setting *f = &p->formula;
    struct expression_input at[MOST_VARIABLES];
    struct expression_fault fault;
    if (f->table) {
        table_along_field(f->table, f->column, x, n, to);
        return;
    }
    struct expression *law = expression_create(f->text, f->variable, f->n_variables, &fault);
    if (!law) die("%s: %s", f->text, fault.what);       /* the case has been checked */
    for (int i = 0; i < f->n_variables; i++) at[i] = (struct expression_input){x, 1};
    expression_evaluate(law, at, n, to);
    expression_free(law);
}

static bool is_in_range(const struct value_setting *f, double value)
{
    return isfinite(value) && case_in_range(value, f->range);
}

/* All rows, as it is linear between them. */
static bool rows_are_allowed(struct case_reader *r, const struct value_setting *f, const char *range)
{
    const struct table *t = f->table;
    int32_t i = 0;
    while (i < t->n_rows && is_in_range(f, table_value(t, f->column, i))) i++;
    if (i < t->n_rows)
        case_complain(r, case_setting(r, f->path), "%s: %s:%d: %s = %g: expected a number%s", f->path, t->path,
                      t->line[i], t->column[f->column], table_value(t, f->column, i), range);
    return i == t->n_rows;
}

bool property_is_allowed(struct case_reader *r, const struct property_setting *p, const double *x, int n,
                         const char *where)
{
    const struct value_setting *f = &p->formula;
    double *found;
    char range[64];
    int i = 0;
    NEW(found, n);
    property_sample(p, x, n, found);
    case_range_text(range, sizeof range, f->range);
    while (i < n && is_in_range(f, found[i])) i++;
    const bool good = f->table ? rows_are_allowed(r, f, range) : i == n;
    if (!good && !f->table)
        case_complain(r, case_setting(r, f->path), "%s = \"%s\" is %g at %s = %g: expected a number%s %s; limit it "
                      "like min(max(%s, 1e-3), 1e3)", f->path, f->text, found[i], p->field, x[i], range, where,
                      f->text);
    free(found);
    return good;
}

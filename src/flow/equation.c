/* The table of additional equations and the calls that advance all of them (equation.h). */
#include "flow/equation.h"
#include "flow/flow.h"
#include "flow/scalar.h"

static const struct equation_kind *const kinds[MOST_EQUATIONS + 1] = {&scalar_equation, &temperature_equation};

bool equations_create(struct flow *f, const struct mesh *m, struct error *e)
{
    for (int i = 0; kinds[i]; i++) if (!kinds[i]->create(&f->equation[i], f, m, e)) return false;
    return true;
}

void equations_fields(struct flow *f)
{
    for (int i = 0; kinds[i]; i++) kinds[i]->fields(f->equation[i], f, &f->fields);
}

void equations_iterate(struct flow *f, double *residual)
{
    for (int i = 0; kinds[i]; i++) if (f->equation[i]) residual = kinds[i]->iterate(f->equation[i], residual);
}

bool equations_advance(struct flow *f, const struct equation_time *step, struct error *e)
{
    bool good = true;
    for (int i = 0; kinds[i] && good; i++) good = !f->equation[i] || kinds[i]->advance(f->equation[i], step, e);
    return good;
}

void equations_begin(struct flow *f)
{
    for (int i = 0; kinds[i]; i++) if (f->equation[i]) kinds[i]->begin(f->equation[i]);
}

void equations_ranges(struct flow *f, struct equation_range *r)
{
    for (int i = 0; kinds[i]; i++) if (f->equation[i]) r += kinds[i]->ranges(f->equation[i], r);
}

int equations_quantities(const struct flow *f) { return f->c->scalars.n; }

bool equations_there(const struct flow *f)
{
    bool there = false;
    for (int i = 0; kinds[i]; i++) there = there || f->equation[i];
    return there;
}

void equations_free(struct flow *f)
{
    for (int i = 0; kinds[i]; i++) if (f->equation[i]) kinds[i]->free(f->equation[i]);
}

/* The balance of a transported quantity (scalar_balance.h). */
#include "flow/scalar_balance.h"
#include <math.h>
#include <string.h>
#include "assembly/scalar_step.h"
#include "flow/scalar_parts.h"
#include "gpu/sums.h"
#include "gpu/vector.h"

struct scalar *scalar_of_name(const struct flow *f, const char *name)
{
    struct scalars *const all[] = {f->passive, f->temperature};
    for (int k = 0; k < 2; k++)
        for (int i = 0; all[k] && i < all[k]->n; i++)
            if (!strcmp(all[k]->item[i].set->name, name)) return &all[k]->item[i];
    return NULL;
}

const double *scalar_entered(struct scalar *q, double reference)
{
    struct scalars *all = q->all;
    const int32_t n = all->s->n_boundary;
    const double unit = scalar_unit(q->set), *flux, *from = q->inflow, *carrier = q->inflow + n;
    if (!(all->dt > 0)) {
        const struct field *shown = fields_find(&all->f->fields, q->set->name, FIELD_OUTPUT);
        shown->make_gradient(shown->owner);
        from = scalar_through(q, &flux), carrier = flux + all->s->n_internal;
    }
    combine(&(struct combine_args){all->entered, unit, from, unit * reference, carrier}, n);
    return all->entered;
}

double scalar_reference(const struct scalar *q)
{
    double lowest, highest;
    if (q->all->dt > 0) return scalar_as_equation(q, q->value, NULL).reference;
    given_extremes(&q->all->given, q->given, &lowest, &highest);
    return lowest <= highest ? 0.5 * (lowest + highest) : 0;
}

double scalar_produced(const struct scalar *q)
{
    const struct stencil *s = q->all->s;
    return q->source ? scalar_unit(q->set) * reduce(REDUCE_DOT, s->volume, q->source, s->n_padded) : 0;
}

struct scalar_scale scalar_scale(const struct scalar *q)
{
    const struct scalars *all = q->all;
    const double contrast = all->solids ? fmax(all->solids->contrast, 1) : 1, unit = scalar_unit(q->set), dt = all->dt;
    return (struct scalar_scale){.conductivity = unit * q->set->diffusivity * contrast, .capacity = unit,
                                 .storage = dt > 0 ? unit * contrast / dt : 0};
}

double scalar_stored(const struct scalar *q)
{
    double sum;
    if (!(q->all->dt > 0)) return 0;
    sums_finish(&q->stored, 0, 1);
    sums_download(&q->stored, 0, 1, &sum);
    return scalar_unit(q->set) * sum / q->all->dt;
}

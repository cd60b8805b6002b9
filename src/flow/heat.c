/* The balance of heat (heat.h). */
#include "flow/heat.h"
#include <math.h>
#include "assembly/scalar_step.h"
#include "flow/scalar_parts.h"
#include "gpu/sums.h"
#include "gpu/vector.h"

static struct scalar *temperature_of(const struct flow *f) { return f->temperature->item; }

/* The amount of a quantity per volume. */
static double amount(const struct flow *f, const double *x)
{
    return temperature_of(f)->set->capacity * reduce(REDUCE_DOT, f->temperature->work.s->volume, x,
                                                     f->temperature->work.s->n_padded);
}

const struct mesh *heat_mesh(const struct flow *f, const struct mesh *of_flow)
{
    return f->temperature->solids ? f->temperature->solids->m : of_flow;
}

const struct stencil *heat_stencil(const struct flow *f) { return f->temperature->s; }

const double *heat_inflow(struct flow *f, double reference)
{
    struct scalars *all = f->temperature;
    struct scalar *q = temperature_of(f);
    const int32_t n = all->s->n_boundary;
    const double capacity = q->set->capacity, *flux = all->flux, *from = q->inflow;
    if (!(all->dt > 0)) {
        const struct field *t = fields_find(&f->fields, q->set->name, FIELD_OUTPUT);
        t->make_gradient(t->owner);
        from = scalar_through(q, &flux);
    }
    combine(&(struct combine_args){all->heat, capacity, from, capacity * reference, flux + all->s->n_internal}, n);
    return all->heat;
}

const double *heat_at_boundary(const struct flow *f) { return temperature_of(f)->shown; }

const double *heat_through_boundary(const struct flow *f)
{
    struct scalars *all = f->temperature;
    const struct scalar *q = temperature_of(f);
    const double *carrier, *through = scalar_through(q, &carrier);
    combine(&(struct combine_args){all->heat, q->set->capacity, through, 0, through}, all->s->n_boundary);
    return all->heat;
}

double heat_produced(const struct flow *f)
{
    const struct scalar *q = temperature_of(f);
    return q->source ? amount(f, q->source) : 0;
}

struct heat_scale heat_scale(const struct flow *f)
{
    const struct scalars *all = f->temperature;
    const struct scalar_setting *set = temperature_of(f)->set;
    const double contrast = all->solids ? fmax(all->solids->contrast, 1) : 1, dt = all->dt;
    return (struct heat_scale){.conductivity = set->capacity * set->diffusivity * contrast,
                               .storage = dt > 0 ? set->capacity * contrast / dt : 0};
}

/* The differences first: the heat itself is many times its change. */
double heat_stored(const struct flow *f)
{
    const struct scalar *q = temperature_of(f);
    struct equation_work *k = &f->temperature->work;
    if (!(f->temperature->dt > 0)) return 0;
    const struct equation as = scalar_as_equation(q, q->value, NULL);
    if (q->heat.fraction) {
        struct heat_capacity_args a = {.heat = q->heat, .old = k->old, .x = q->x, .gained = k->low};
        heat_gained(&a, k->s->n_cells);
    } else if (as.capacity) {
        scalar_to_amount(&(struct scalar_amount_args){as.capacity, q->x, k->low}, k->s->n_cells);
        scalar_to_amount(&(struct scalar_amount_args){as.capacity_old, k->old, k->w}, k->s->n_cells);
        combine(&(struct combine_args){k->low, 1, k->low, -1, k->w}, k->s->n_cells);
    } else combine(&(struct combine_args){k->low, 1, q->x, -1, k->old}, k->s->n_cells);
    return amount(f, k->low) / f->temperature->dt;
}

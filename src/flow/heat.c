/* Heat at the boundary of a flow with a temperature (heat.h). */
#include "flow/heat.h"
#include "flow/scalar_balance.h"
#include "flow/scalar_parts.h"
#include "gpu/vector.h"

static struct scalar *temperature_of(const struct flow *f) { return f->temperature->item; }

const struct mesh *heat_mesh(const struct flow *f, const struct mesh *of_flow)
{
    return f->temperature->solids ? f->temperature->solids->m : of_flow;
}

const struct stencil *heat_stencil(const struct flow *f) { return f->temperature->s; }

const double *heat_inflow(struct flow *f, double reference) { return scalar_entered(temperature_of(f), reference); }

double heat_stored(const struct flow *f) { return scalar_stored(temperature_of(f)); }

const double *heat_at_boundary(const struct flow *f) { return temperature_of(f)->shown; }

const double *heat_through_boundary(const struct flow *f)
{
    struct scalars *all = f->temperature;
    const struct scalar *q = temperature_of(f);
    const double *carrier, *through = scalar_through(q, &carrier);
    combine(&(struct combine_args){all->entered, q->set->capacity, through, 0, through}, all->s->n_boundary);
    return all->entered;
}

/* Heat capacities of fluid and solids that are expressions (assembly/heat_capacity.h). */
#include "flow/flow.h"
#include "flow/scalar_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "interface/interface.h"

/* In units of the fluid's heat capacity per volume. */
static struct region_law law_in(const struct scalar *q, const struct mesh *m, int region)
{
    const struct flow *f = q->all->f;
    const struct solid_setting *solid = region_solid(q, m, region);
    const struct second_fluid_setting *second = &f->c->second_fluid;
    if (solid) return (struct region_law){&solid->heat_capacity_law, solid->density / q->set->capacity};
    if (q->set->fluid == SCALAR_HEAT && region)
        return (struct region_law){&second->heat_capacity_law, second->density / q->set->capacity};
    return (struct region_law){&f->c->fluid.heat_capacity_law, f->c->fluid.density / q->set->capacity};
}

bool scalar_create_capacity(struct scalar *q, const struct mesh *m, struct error *e)
{
    const struct scalars *all = q->all;
    if (!(q->set->capacity > 0)) return true;
    if (!region_laws_create(&q->capacity_laws, q, m, all->solids ? all->solids->capacity : NULL, law_in, e))
        return false;
    if (!q->capacity_laws.of_field) return true;
    q->heat = (struct heat_laws){.law = q->capacity_laws.law, .zone = all->solids ? all->s->zone : NULL,
                                 .reference = all->f->c->heat.reference, .number = {1, 1}};
    if (q->set->fluid == SCALAR_HEAT) {
        const struct interface *i = all->f->interface;
        q->heat.fraction = i->fraction, q->heat.fraction_old = i->fraction_old, q->heat.carried = i->carried;
        q->heat.number[1] = q->set->second_capacity;
    }
    q->carries = device_alloc((size_t)all->s->n_faces * sizeof(double), "flux of heat");
    if (!all->solids && q->set->fluid == SCALAR_IN_BOTH) q->capacity = flow_cells(all->f, 1, "heat capacity");
    return true;
}

void scalar_follow_capacity(const struct scalar *q, const double *flux, const double *old, double part)
{
    const struct scalars *all = q->all;
    const struct stencil *s = all->s;
    double *middle = all->work.w;
    struct heat_capacity_args a = {.s = *s, .heat = q->heat, .old = old, .x = q->x,
                                   .capacity = all->solids ? all->solids->capacity : q->capacity,
                                   .capacity_old = all->capacity_old,
                                   .boundary = {.rule = q->rule, .value = q->value}, .flux = flux,
                                   .carries = q->carries};
    if (!q->heat.law) return;
    heat_capacity_cells(&a, s->n_cells);
    combine(&(struct combine_args){.x = middle, .a = part, .y = q->x, .b = 1 - part, .z = old}, s->n_cells);
    halo_update(s->pattern.halo, middle, 1);
    a.x = middle;
    heat_flux_faces(&a, s->n_active);
    heat_flux_boundary(&a, s->n_boundary);
}

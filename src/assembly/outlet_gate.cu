/* Kernels that shut and open the faces of outlets without backflow (outlet_gate.h). */
#include "assembly/outlet_gate.h"

INDEX_KERNEL(outlet_gate_choose, struct outlet_gate_args)
{
    const struct stencil *s = &a->s;
    a->g.want[i] = 0;
    if (!a->b.gate[i]) return;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    if (!(a->b.shut[i] > 0) || a->coefficient) {
        a->g.want[i] = a->b.shut[i] > 0 || a->flux[f] < a->kept * a->flux_old[f] ? 1.0 : 0.0;
        return;
    }
    double inside = a->b.pressure[i];
    if (a->step) inside = a->p[cell] + inertia_in(&a->properties, cell) * a->step[f] + force_step(s, &a->force, f);
    double outside = (a->given ? a->given[i] : a->b.pressure[i]) - (a->b.mean ? a->b.head[i] : 0.0);
    a->g.want[i] = inside > outside ? 0.0 : 1.0;
}

INDEX_KERNEL(outlet_gate_count, struct outlet_gate_args)
{
    int32_t row = a->s.boundary_cell[i];
    double open = 0;
    for (int32_t k = a->s.boundary_start[i]; k < a->s.boundary_start[i + 1]; k++) {
        int32_t face = a->s.boundary_face[k];
        open += a->b.gate[face] ? 1 - a->g.want[face] : a->b.flux_rule[face] == FLUX_FREE ? 1.0 : 0.0;
    }
    a->g.open[row] = open;
}

INDEX_KERNEL(outlet_gate_set, struct outlet_gate_args)
{
    if (!a->b.gate[i] || (a->coefficient && !(a->g.sums.total[0] > 0))) return;
    int shut = a->g.want[i] > 0 && a->g.sums.total[0] > 0;
    a->b.shut[i] = shut ? 1.0 : 0.0;
    a->b.velocity_rule[i] = shut ? RULE_SLIP : RULE_GRADIENT;
    a->b.pressure_rule[i] = shut ? RULE_EXTRAPOLATED : RULE_VALUE;
    a->b.flux_rule[i] = shut ? FLUX_NONE : FLUX_FREE;
    if (shut && a->coefficient) a->coefficient[a->s.n_internal + i] = 0;
    if (shut && !a->carries) a->flux[a->s.n_internal + i] = a->kept * a->flux_old[a->s.n_internal + i];
    if (!shut && a->given) a->b.pressure[i] = a->given[i];
}

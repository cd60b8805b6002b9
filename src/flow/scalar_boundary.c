/* What the case gives for a scalar at boundaries, as rules and values at their faces. */
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "flow/flow.h"
#include "flow/scalar.h"
#include "gpu/device.h"

/* What the case gives at boundaries, on the host. */
struct draft { uint8_t *rule, *entering; double *value, *given, *through, *mixed; bool any_through, any_mixed; };

static void fill_patch(const struct scalar *q, struct draft *d, const struct mesh *m, const struct patch *p,
                       const struct boundary_settings *boundaries)
{
    const struct scalar_setting *s = q->set;
    const struct boundary_kind *kind = &boundary_kinds[boundary_setting_find(boundaries, p->name)->type];
    const double *value = scalar_setting_find(s->value, s->n_values, p->name), *flux = scalar_setting_find(s->flux, s->n_fluxes, p->name);
    const double *coefficient = scalar_setting_find(s->coefficient, s->n_coefficients, p->name);
    int32_t n = m->n_faces - m->n_internal;
    for (int32_t f = p->first; f < p->first + p->count; f++) {
        double ss = 0, sd = 0;
        int32_t b = f - m->n_internal;
        for (int k = 0; k < m->dim; k++) {
            double area = m->face_area[(int64_t)k * m->n_faces + f];
            ss += area * area, sd += area * m->face_d[(int64_t)k * m->n_faces + f];
        }
        d->rule[b] = (uint8_t)(coefficient ? RULE_MIXED : value ? RULE_VALUE : kind->scalar);
        d->entering[b] = value && kind->flux != FLUX_NONE;
        d->value[b] = d->given[b] = value ? *value : s->initial;
        d->through[b] = flux ? q->unit * *flux * sqrt(ss) : 0;
        if (coefficient) {                              /* in row with the way from the cell's centre, D g */
            double conduction = s->diffusivity * ss / sd, outside = *coefficient * sqrt(ss), both = conduction + outside;
            d->mixed[b] = both > 0 ? conduction / both : 1, d->mixed[n + b] = both > 0 ? outside / both * *value : 0;
        }
        d->any_through |= flux != NULL, d->any_mixed |= coefficient != NULL;
    }
}

void scalar_create_boundary(struct scalar *q, const struct flow *f, const struct mesh *m)
{
    int32_t n = f->s.n_boundary;
    size_t size = (size_t)n * sizeof(double);
    struct draft d = {0};
    NEW(d.rule, n), NEW(d.entering, n), NEW(d.value, n), NEW(d.given, n), NEW(d.through, n), NEW(d.mixed, 2 * n);
    for (int i = 0; i < m->n_patches; i++) fill_patch(q, &d, m, &m->patch[i], &f->c->boundary);
    q->rule = device_copy_of(d.rule, (size_t)n, "rules of a scalar"), q->entering = device_copy_of(d.entering, (size_t)n, "rules of a scalar");
    q->value = device_copy_of(d.value, size, "boundary scalar"), q->given = device_copy_of(d.given, size, "boundary scalar");
    q->wall = device_alloc(size, "boundary scalar"), q->shown = device_alloc(size, "boundary scalar");
    if (d.any_through) q->through = device_copy_of(d.through, size, "boundary scalar");
    if (d.any_mixed) q->mixed = device_copy_of(d.mixed, 2 * size, "boundary scalar");
    q->given_lowest = 1, q->given_highest = -1;
    for (int i = 0; i < q->set->n_values; i++) {
        double value = q->set->value[i].value;
        q->given_lowest = i ? fmin(q->given_lowest, value) : value, q->given_highest = i ? fmax(q->given_highest, value) : value;
    }
    free(d.rule), free(d.entering), free(d.value), free(d.given), free(d.through), free(d.mixed);
}

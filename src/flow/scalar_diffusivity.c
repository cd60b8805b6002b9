/* Scalars whose diffusivity varies (assembly/diffusivity.h), and the exchange through their walls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/diffusivity.h"
#include "base/memory.h"
#include "flow/flow.h"
#include "flow/followed.h"
#include "flow/model.h"
#include "flow/scalar_parts.h"
#include "gpu/device.h"
#include "interface/interface.h"

struct varying {
    struct region_laws laws;
    double *cells;              /* [pitch]; with solids theirs */
    /* The field that it depends on, extrapolated in time to where the equation holds; not `follows`: the scalar. */
    bool follows;
    struct followed field;
    char name[N_PLACES][NAME_LENGTH + 30];      /* in checkpoints */
};

static double unit_of(const struct scalar *q) { return q->set->capacity > 0 ? q->set->capacity : 1; }

static const struct property_setting *law_of_fluid(const struct scalar *q, int fluid)
{
    return fluid ? &q->set->second_law : &q->set->law;
}

static struct region_law law_in(const struct scalar *q, const struct mesh *m, int region)
{
    const struct solid_setting *solid = region_solid(q, m, region);
    const bool second = q->set->fluid == SCALAR_HEAT && region;
    return (struct region_law){solid ? &solid->conductivity_law : law_of_fluid(q, second), 1 / unit_of(q)};
}

double scalar_typical_diffusivity(const struct scalar *q)
{
    double low, high;
    if (!q->set->law.given || *q->set->law.field) return q->set->diffusivity;
    given_extremes(&q->all->given, q->varying->cells, &low, &high);
    return low < high || low > 0 ? sqrt(low * high) / unit_of(q) : 0;
}

/* Of two fluids. */
static void fluid_values(const struct scalar *q, struct fluid_value value[2])
{
    const struct varying *v = q->varying;
    const double number[2] = {q->set->diffusivity, q->set->second_diffusivity};
    for (int i = 0; i < 2; i++) {
        const struct property_setting *law = law_of_fluid(q, i);
        value[i] = (struct fluid_value){.number = number[i], .law = v->laws.table[i]};
        if (law->given && !*law->field) value[i].cells = v->cells + i * q->all->s->pitch;
    }
}

static bool create_varying(struct scalar *q, const struct mesh *m, struct error *e)
{
    struct scalars *all = q->all;
    struct flow *f = all->f;
    struct varying *v;
    NEW(v, 1);
    q->varying = v;
    const bool two = q->set->fluid == SCALAR_HEAT;
    v->cells = all->solids ? all->solids->conductivity : flow_cells(f, two ? 2 : 1, "diffusivity");
    if (!all->solids && !all->diffusivity_faces)
        all->diffusivity_faces = device_alloc((size_t)f->s.n_faces * sizeof(double), "diffusivity");
    const char *field = *q->set->law.field ? q->set->law.field : q->set->second_law.field;
    v->follows = *field && (strcmp(field, q->set->name) || (flow_is_transient(f->c) && !all->solids));
    if (v->follows) followed_create(&v->field, f, field);
    if (!region_laws_create(&v->laws, q, m, v->cells, law_in, e)) return false;
    if (two) fluid_values(q, f->interface->conductivity);
    return true;
}

bool scalar_create_diffusivity(struct scalar *q, const struct mesh *m, struct error *e)
{
    struct flow *f = q->all->f;
    bool varies = q->set->law.given || q->set->second_law.given;
    for (int i = 0; q->all->solids && i < m->n_regions; i++) varies = varies || law_in(q, m, i).of->given;
    if (varies && !create_varying(q, m, e)) return false;
    if (flow_acting_scalar(f->c) && !strcmp(flow_acting_scalar(f->c), q->set->name))
        f->acting_diffusivity = scalar_typical_diffusivity(q);
    return true;
}

void scalar_free_diffusivity(struct scalar *q)
{
    struct varying *v = q->varying;
    if (!v) return;
    region_laws_free(&v->laws);
    if (!q->all->solids) device_free(v->cells);
    if (v->follows) followed_free(&v->field);
    free(v);
}

void scalar_diffusivity_fields(struct scalar *q, struct fields *list)
{
    struct varying *v = q->varying;
    if (!v || !v->follows) return;
    snprintf(v->name[CELLS], sizeof v->name[CELLS], "%s.diffusivity.old", q->set->name);
    snprintf(v->name[BOUNDARY], sizeof v->name[BOUNDARY], "%s.diffusivity.boundary", q->set->name);
    const char *const name[N_PLACES] = {[CELLS] = v->name[CELLS], [BOUNDARY] = v->name[BOUNDARY]};
    followed_fields(&v->field, q->all->f, name, list);
}

static void follow(const struct scalar *q, const double *value, const struct equation_time *step)
{
    const struct scalars *all = q->all;
    struct solids *solids = all->solids;
    struct varying *v = q->varying;
    const struct halo *h = all->s->pattern.halo;
    const double *x[N_PLACES] = {[CELLS] = q->x, [BOUNDARY] = value};
    struct model_step at = {.dt = step ? step->dt : 0, .ahead = step ? step->ahead : 0};
    if (v->follows) followed_now(&v->field, all->f, &at, x);
    if (q->set->fluid == SCALAR_HEAT) {
        struct fluid_value of_fluid[2];
        fluid_values(q, of_fluid);
        halo_update_together(h, {x[CELLS], 1}, {v->cells, 2});
        interface_layers(all->f->interface, of_fluid, x[CELLS], x[BOUNDARY], all->diffusivity_faces);
        return;
    }
    struct diffusivity_args a = {.s = *all->s, .law = v->laws.law, .zone = solids ? all->s->zone : NULL,
                                 .x = x[CELLS], .x_boundary = x[BOUNDARY], .cells = v->cells,
                                 .faces = solids ? solids->diffusivity_faces : all->diffusivity_faces};
    diffusivity_cells(&a, all->s->n_cells);
    halo_update_together(h, {a.x, 1}, {v->cells, 1});
    diffusivity_faces(&a, all->s->n_active);
    diffusivity_boundary(&a, all->s->n_boundary);
    struct contact_args contact = {.s = *all->s, .diffusivity_faces = a.faces};
    if (!solids) return;
    contact.k = solids->contacts;
    contact_conductance(&contact, contact.k.n);
}

void scalar_follow_diffusivity(const struct scalar *q, const double *value, const struct equation_time *step)
{
    const struct scalars *all = q->all;
    if (q->varying) follow(q, value, step);
    struct exchange_args a = {.s = *all->s, .diffusivity = q->set->diffusivity, .exchange = q->exchange,
                              .mixed = q->mixed,
                              .diffusivity_faces = all->solids    ? all->solids->diffusivity_faces
                                                   : q->varying ? all->diffusivity_faces
                                                                : NULL};
    if (q->exchange) exchange_weights(&a, all->s->n_boundary);
}

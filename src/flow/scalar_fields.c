/* The fields of scalars: for output with gradients and fluxes, and for checkpoints (scalar_parts.h). */
#include "flow/scalar_parts.h"
#include <stdio.h>
#include "assembly/mixture.h"
#include "assembly/scalar_step.h"
#include "flow/anderson.h"
#include "flow/flow.h"
#include "gpu/vector.h"
#include "interface/interface.h"

struct scalar_settings scalars_passive(const struct flow_setting *c)
{
    return (struct scalar_settings){c->scalars.item, c->scalars.n - c->heat.given};
}

struct scalar_settings scalars_temperature(const struct flow_setting *c)
{
    int n = c->heat.given;
    return (struct scalar_settings){n ? c->scalars.item + c->scalars.n - n : NULL, n};
}

static const double *gradient_of(void *scalar)
{
    struct scalar *q = scalar;
    const struct scalars *all = q->all;
    if (q->shows_x) return q->gradient;
    q->shows_x = !flow_is_transient(all->f->c);
    copy_array(q->shown, q->value, all->s->n_boundary);
    scalar_follow_diffusivity(q, q->shown, NULL);
    struct equation equation = scalar_as_equation(q, q->shown, NULL);
    if (flow_is_transient(all->f->c)) equation.walled = false;  /* the bounds were those of a step */
    const struct contacts *k = all->solids ? &all->solids->contacts : NULL;
    if (k) copy_array(q->kept_side, k->side, 2 * k->n);         /* as `value`: state that output must not change */
    equation_gradient(&equation, all->s, q->x);
    if (!k) return q->gradient;
    solids_to_boundary(all->solids, q->shown, q->rule, q->flow_shown, q->flow_rule);
    copy_array(k->side, q->kept_side, 2 * k->n);
    return q->gradient;
}

static void scale(double *x, double by, int64_t n)
{
    combine(&(struct combine_args){.x = x, .a = by, .y = x, .z = x}, n);
}

/* Memory that the next step overwrites first. */
static double *heat_at_solids(const struct scalar *q)
{
    const struct scalars *all = q->all;
    struct contact_args a = {.s = *all->s, .k = all->solids->contacts, .x = q->x, .gradient = q->gradient,
                             .diffusivity_faces = all->solids->diffusivity_faces, .flux = all->work.correction};
    contact_flux(&a, a.k.n);
    return a.flux;
}

double *scalar_through(const struct scalar *q, const double **carrier)
{
    const struct scalars *all = q->all;
    const struct flow *f = all->f;
    const double *flux = f->flux, *diffusivity_faces = q->varying ? all->diffusivity_faces : NULL;
    scalar_follow_diffusivity(q, q->shown, NULL);
    if (q->set->fluid == SCALAR_HEAT) {
        struct carried_heat_args carried = {.s = f->s, .ratio = q->set->second_capacity, .flux = f->flux,
                                            .carries = all->shown_flux, .fraction = f->interface->fraction,
                                            .entering = f->interface->inflow_fraction};
        scalar_take_fluid(q, f->interface->fraction, q->capacity, all->diffusivity_faces);
        carried_heat(&carried, f->s.n_boundary);
        flux = all->shown_flux, diffusivity_faces = all->diffusivity_faces;
    } else if (all->solids) {
        solids_carry(all->solids, f->flux, all->shown_flux);
        flux = all->shown_flux, diffusivity_faces = all->solids->diffusivity_faces;
    }
    struct transport_faces_args a = {.s = *all->s, .diffusivity = q->set->diffusivity,
                                     .diffusivity_faces = diffusivity_faces, .x = q->x,
                                     .boundary = {.rule = q->rule, .value = q->shown, .wall = q->wall,
                                                  .through = q->through, .mixed = q->mixed},
                                     .flux = flux, .correction = all->work.correction};
    transport_through(&a, all->s->n_boundary);
    struct heat_capacity_args heat = {.s = *all->s, .heat = q->heat, .x = q->x, .boundary = a.boundary,
                                      .flux = f->interface ? f->flux : flux,
                                      .entering = f->interface ? f->interface->inflow_fraction : NULL,
                                      .inflow = all->work.correction + all->s->n_internal};
    if (q->heat.law) heat_inflow_boundary(&heat, all->s->n_boundary);
    *carrier = flux;
    return all->work.correction + all->s->n_internal;
}

static const double *flux_of(void *scalar)
{
    const struct scalar *q = scalar;
    const struct scalars *all = q->all;
    const double *carrier;
    double *through = scalar_through(q, &carrier), *shown = through;
    int32_t n = all->f->s.n_boundary;
    if (all->solids) {
        shown = all->flow_flux;
        solids_flux_to_boundary(all->solids, through, heat_at_solids(q), shown);
    }
    if (q->set->capacity > 0) scale(shown, q->set->capacity, n);
    return shown;
}

static void add_at_solids(struct scalar *q, struct fields *list)
{
    struct contacts *k = &q->all->solids->contacts;
    snprintf(q->all_name, sizeof q->all_name, "%s.outside", q->set->name);
    snprintf(q->side_name, sizeof q->side_name, "%s.solids", q->set->name);
    struct field one = {.name = q->all_name, .use = FIELD_CHECKPOINT, .components = 1,
                        .pitch = q->all->s->n_boundary, .of = ITEM_BOUNDARY, .value = &q->value,
                        .with_solids = true};
    fields_add(list, &one);
    one = (struct field){.name = q->side_name, .use = FIELD_CHECKPOINT, .components = 2, .pitch = k->n,
                         .of = ITEM_CONTACTS, .value = &k->side, .with_solids = true};
    fields_add(list, &one);
}

static void add_wait(struct scalar *q, struct fields *list)
{
    snprintf(q->wait_name, sizeof q->wait_name, "%s.wait", q->set->name);
    struct field wait = {.name = q->wait_name, .use = FIELD_CHECKPOINT | FIELD_MAY_LACK, .components = 1, .pitch = 2,
                         .of = ITEM_NONE, .number = q->wait};
    fields_add(list, &wait);
    snprintf(q->passed_name, sizeof q->passed_name, "%s.passed", q->set->name);
    struct field passed = {.name = q->passed_name, .use = FIELD_CHECKPOINT | FIELD_MAY_LACK, .components = 1,
                           .pitch = q->all->s->n_boundary, .of = ITEM_BOUNDARY, .value = &q->passed,
                           .with_solids = q->all->solids != NULL};
    fields_add(list, &passed);
}

static void add_imposed(struct scalar *q, struct fields *list)
{
    snprintf(q->imposed_name, sizeof q->imposed_name, "%s.imposed", q->set->name);
    struct field imposed = {.name = q->imposed_name, .use = FIELD_CHECKPOINT | FIELD_MAY_LACK, .components = 1,
                            .pitch = sizeof q->imposed / sizeof *q->imposed, .of = ITEM_NONE, .number = q->imposed};
    fields_add(list, &imposed);
}

static void add_fields(const struct scalars *all, struct scalar_settings of, const struct flow *f, struct fields *list)
{
    const unsigned use = FIELD_OUTPUT | FIELD_CHECKPOINT | FIELD_SAMPLE | FIELD_DIGEST | FIELD_RESIDUAL;
    for (int i = 0; i < of.n; i++) {
        const struct scalar_setting *set = &of.item[i];
        struct scalar *q = all ? &all->item[i] : NULL;
        struct field field = {.name = set->name, .use = use, .components = 1, .pitch = f->s.pitch, .owner = q,
                              .with_solids = set->capacity > 0 && f->c->solids.n > 0};
        if (q) field.value = &q->amount;
        if (all && all->solids) field.pitch = all->s->pitch, field.at_flow = q->flow_x ? &q->flow_x : NULL;
        if (set->fluid == SCALAR_IN_BOTH || set->fluid == SCALAR_HEAT) field.make_flux = flux_of;
        if (q) snprintf(q->boundary_name, sizeof q->boundary_name, "%s.boundary", set->name);
        if (q && q->amount == q->x)                     /* in one of two fluids faces have no values of their own */
            field.make_gradient = gradient_of, field.boundary = all->solids ? &q->flow_shown : &q->shown,
            field.rule = (const uint8_t *const *)(all->solids ? &q->flow_rule : &q->rule);
        fields_add(list, &field);
        struct field boundary = {.use = FIELD_CHECKPOINT, .components = 1, .pitch = f->s.n_boundary,
                                 .of = ITEM_BOUNDARY};
        if (q) boundary.name = q->boundary_name, boundary.value = all->solids ? &q->flow_value : &q->value;
        if (q) fields_add(list, &boundary);
        if (q && all->solids) add_at_solids(q, list);
        if (q) add_imposed(q, list);
        if (q && !flow_is_transient(f->c)) add_wait(q, list);
        if (q) scalar_diffusivity_fields(q, list);
        if (q && q->anderson) anderson_fields(q->anderson, list);
    }
}

void scalars_fields(void *state, const struct flow *f, struct fields *list)
{
    add_fields(state, scalars_passive(f->c), f, list);
}

void temperature_fields(void *state, const struct flow *f, struct fields *list)
{
    add_fields(state, scalars_temperature(f->c), f, list);
}

/* Finds a scalar and extrapolates it (followed.h). */
#include "flow/followed.h"
#include <stdio.h>
#include "flow/flow.h"
#include "flow/model.h"
#include "flow/scalar.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* Number of arrays of the previous step: none in steady flow. */
static int places_before(const struct flow *f) { return flow_is_transient(f->c) ? N_PLACES : 0; }

void followed_create(struct followed *b, const struct flow *f, const char *scalar)
{
    *b = (struct followed){.scalar = scalar, .n = {[CELLS] = f->s.pitch, [BOUNDARY] = f->s.n_boundary}};
    for (int i = 0; i < places_before(f); i++) {
        b->old[i] = device_alloc((size_t)b->n[i] * sizeof(double), scalar);
        b->ahead[i] = device_alloc((size_t)b->n[i] * sizeof(double), scalar);
    }
}

void followed_fields(struct followed *b, const struct flow *f, const char *const name[N_PLACES], struct fields *all)
{
    static struct followed none;
    if (!b) b = &none;
    const struct field own[] = {
        {.name = name[CELLS], .use = FIELD_CHECKPOINT, .components = 1, .pitch = f->s.pitch,
         .value = &b->old[CELLS]},
        {.name = name[BOUNDARY], .use = FIELD_CHECKPOINT, .components = 1, .pitch = f->s.n_boundary,
         .of = ITEM_BOUNDARY, .value = &b->old[BOUNDARY]}};
    for (int i = 0; i < places_before(f); i++) fields_add(all, &own[i]);
}

void followed_find(const struct flow *f, const char *scalar, const double *const *now[N_PLACES])
{
    char boundary[2 * NAME_LENGTH];
    snprintf(boundary, sizeof boundary, "%s.boundary", scalar);
    const char *const name[] = {scalar, boundary};
    for (int i = 0; i < N_PLACES; i++) {
        const struct field *x = fields_find(&f->fields, name[i], FIELD_CHECKPOINT);
        now[i] = (const double *const *)(x->at_flow ? x->at_flow : x->value);
    }
}

void followed_now(struct followed *b, const struct flow *f, const struct model_step *step, const double *x[N_PLACES])
{
    const bool in_time = step->dt > 0;
    if (!b->now[CELLS]) followed_find(f, b->scalar, b->now);
    scalars_to_flow(f);
    for (int i = 0; i < N_PLACES; i++) {
        x[i] = in_time ? b->ahead[i] : *b->now[i];
        if (!in_time || step->outer > 0) continue;
        struct combine_args next = {b->ahead[i], 1 + step->ahead, *b->now[i], -step->ahead, b->old[i]};
        combine(&next, b->n[i]), copy_array(b->old[i], *b->now[i], b->n[i]);
    }
}

void followed_free(struct followed *b)
{
    for (int i = 0; i < N_PLACES; i++) device_free(b->old[i]), device_free(b->ahead[i]);
}

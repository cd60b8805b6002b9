/* Buoyancy, as a model: the density is linear in a scalar, and differs from fluid.density only in its weight
 * (Boussinesq's approximation).  In transient flow the scalar is extrapolated to the time of the momentum equation. */
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "flow/buoyancy_kernels.h"
#include "flow/flow.h"
#include "flow/model.h"
#include "gpu/device.h"
#include "gpu/vector.h"

enum { CELLS, BOUNDARY, N_PLACES };     /* where the scalar has values: in cells, at boundary faces */
struct buoyancy {
    const double *const *now[N_PLACES];         /* the scalar's own arrays; NULL: not looked up yet */
    double *old[N_PLACES], *ahead[N_PLACES];    /* transient: at the previous step, and extrapolated */
    int64_t n[N_PLACES];
};

static bool given(const struct flow_setting *c) { return c->buoyancy.given; }

/* Number of arrays of the previous step: none in steady flow. */
static int places_before(const struct flow *f) { return flow_is_transient(f->c) ? N_PLACES : 0; }

static void *create(struct flow *f, const struct mesh *m, struct error *e)
{
    struct buoyancy *b;
    (void)m, (void)e;
    NEW(b, 1);
    b->n[CELLS] = f->s.pitch, b->n[BOUNDARY] = f->s.n_boundary;
    for (int i = 0; i < places_before(f); i++) {
        b->old[i] = device_alloc((size_t)b->n[i] * sizeof(double), "buoyancy");
        b->ahead[i] = device_alloc((size_t)b->n[i] * sizeof(double), "buoyancy");
    }
    flow_use_face_force(f);
    return b;
}

static void fields(void *state, const struct flow *f, struct fields *all)
{
    static struct buoyancy none;
    struct buoyancy *b = state ? state : &none;
    const struct field own[] = {
        {.name = "buoyancy.old", .use = FIELD_CHECKPOINT, .components = 1, .pitch = f->s.pitch,
         .value = &b->old[CELLS]},
        {.name = "buoyancy.boundary", .use = FIELD_CHECKPOINT, .components = 1, .pitch = f->s.n_boundary,
         .of = ITEM_BOUNDARY, .value = &b->old[BOUNDARY]}};
    for (int i = 0; i < places_before(f); i++) fields_add(all, &own[i]);
}

/* Scalars are created after models, and are found by name. */
static void find_scalar(struct buoyancy *b, const struct flow *f)
{
    char boundary[2 * NAME_LENGTH];
    snprintf(boundary, sizeof boundary, "%s.boundary", f->c->buoyancy.scalar);
    const char *const name[] = {f->c->buoyancy.scalar, boundary};
    for (int i = 0; i < N_PLACES; i++)
        b->now[i] = (const double *const *)fields_find(&f->fields, name[i], FIELD_CHECKPOINT)->value;
}

/* The scalar at the time of the momentum equation. */
static void extrapolate(struct buoyancy *b, double ahead)
{
    for (int i = 0; i < N_PLACES; i++) {
        struct combine_args next = {b->ahead[i], 1 + ahead, *b->now[i], -ahead, b->old[i]};
        combine(&next, b->n[i]), copy_array(b->old[i], *b->now[i], b->n[i]);
    }
}

static void before_pressure(void *state, struct flow *f, struct model_step *step)
{
    struct buoyancy *b = state;
    const double *g = f->c->fluid.gravity;
    bool in_time = step->dt > 0;
    if (!b->now[CELLS]) find_scalar(b, f);
    if (in_time && step->outer == 0) extrapolate(b, step->ahead);
    struct buoyancy_args a = {.s = f->s, .slope = -f->properties.density[0] * f->c->buoyancy.expansion,
                              .second_slope = -f->properties.density[1] * f->c->buoyancy.second_expansion,
                              .fraction = f->properties.fraction,
                              .reference = f->c->buoyancy.reference, .gravity = {g[0], g[1], g[2]},
                              .x = in_time ? b->ahead[CELLS] : *b->now[CELLS],
                              .boundary = in_time ? b->ahead[BOUNDARY] : *b->now[BOUNDARY],
                              .force = f->face_force.value};
    stencil_update_far(&f->s, a.x, 1);
    if (a.fraction) stencil_update_far(&f->s, a.fraction, 1);
    buoyancy_faces(&a, f->s.n_internal);                /* also those that the extrapolation to walls crosses */
    buoyancy_boundary(&a, f->s.n_boundary);
}

static void free_state(void *state)
{
    struct buoyancy *b = state;
    for (int i = 0; i < N_PLACES; i++) device_free(b->old[i]), device_free(b->ahead[i]);
    free(b);
}

const struct model buoyancy_model = {.given = given, .create = create, .fields = fields,
    .before_pressure = before_pressure, .free = free_state};

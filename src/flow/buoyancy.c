/* Buoyancy, as a model: the density of each fluid is linear in a scalar, or by a law of it, and differs from that at
 * the reference only in its weight (Boussinesq's approximation).  In transient flow the scalar is extrapolated to the
 * time of the momentum equation. */
#include <stdlib.h>
#include "base/memory.h"
#include "flow/buoyancy_kernels.h"
#include "flow/flow.h"
#include "flow/followed.h"
#include "flow/model.h"

struct buoyancy { struct followed field; struct field_table law[2]; };

static bool given(const struct flow_setting *c) { return c->buoyancy.given; }

static void *create(struct flow *f, const struct mesh *m, struct error *e)
{
    struct buoyancy *b;
    (void)m, (void)e;
    NEW(b, 1);
    followed_create(&b->field, f, f->c->buoyancy.scalar);
    const struct property_setting *const law[] = {&f->c->fluid.density_law, &f->c->second_fluid.density_law};
    for (int i = 0; i < 2; i++)
        if (law[i]->given) b->law[i] = field_table_create(law[i], 1, f->properties.density[i]);
    flow_use_face_force(f);
    return b;
}

static void fields(void *state, const struct flow *f, struct fields *all)
{
    static const char *const names[N_PLACES] = {[CELLS] = "buoyancy.old", [BOUNDARY] = "buoyancy.boundary"};
    followed_fields(state ? &((struct buoyancy *)state)->field : NULL, f, names, all);
}

static void before_pressure(void *state, struct flow *f, struct model_step *step)
{
    struct buoyancy *b = state;
    const double *g = f->c->fluid.gravity, *x[N_PLACES];
    followed_now(&b->field, f, step, x);
    struct buoyancy_args a = {.s = f->s, .law = {b->law[0], b->law[1]},
                              .slope = -f->properties.density[0] * f->c->buoyancy.expansion,
                              .second_slope = -f->properties.density[1] * f->c->buoyancy.second_expansion,
                              .fraction = f->properties.fraction,
                              .reference = f->c->buoyancy.reference, .gravity = {g[0], g[1], g[2]},
                              .x = x[CELLS], .boundary = x[BOUNDARY], .force = f->face_force.value};
    stencil_update_far(&f->s, a.x, 1);
    if (a.fraction) stencil_update_far(&f->s, a.fraction, 1);
    buoyancy_faces(&a, f->s.n_internal);                /* also those that the extrapolation to walls crosses */
    buoyancy_boundary(&a, f->s.n_boundary);
}

static void free_state(void *state)
{
    struct buoyancy *b = state;
    followed_free(&b->field), field_table_free(&b->law[0]), field_table_free(&b->law[1]);
    free(b);
}

const struct model buoyancy_model = {.given = given, .create = create, .fields = fields,
    .before_pressure = before_pressure, .free = free_state};
